"""The other end of `pdf_worker`: starts the process, bounds it in time and memory, words its failures."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from multidoc_rag.config import Config, runtime_environment
from multidoc_rag.errors import DocumentRefused, MissingExtra, PasswordNeeded
from multidoc_rag.files.pdf_document import Header
from multidoc_rag.files.pdf_worker import receive, send

PATIENCE = 3
"""How many times `Config.read_seconds` may pass by the clock when other processes keep the worker waiting."""
_WATCH_SECONDS = 0.25


class PdfProcess:
    """One worker process, started when first needed and again after it had to be ended.

    Not thread-safe: the owner holds a lock around `ask`.
    """

    def __init__(self, config: Config, *, memory_mb: int | None = None) -> None:
        self.config = config
        self.memory_mb = memory_mb or config.read_memory_mb
        self._process: subprocess.Popen[bytes] | None = None
        self._bounded = True

    @property
    def pid(self) -> int | None:
        """Process id of the running worker, None where there is none."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def ask(self, request: Header, *, seconds: float | None = None) -> Iterator[tuple[Header, bytes]]:
        """The worker's messages for one request about the file `request["path"]`.

        Raises DocumentRefused (PasswordNeeded, MissingExtra) when the file cannot be read, when it has worked
        for `seconds` (`Config.read_seconds`), or when the worker dies; it is then ended and started again with the next
        request. Leaving the iterator early ends it too.
        """
        seconds = self.config.read_seconds if seconds is None else seconds
        name = Path(request["path"]).name
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        watch = _Watch(process, seconds, None if self._bounded else self.memory_mb)
        finished = False
        try:
            send(process.stdin, request)
            while True:
                header, payload = receive(process.stdout)
                if header["kind"] in ("end", "error"):
                    finished = header.get("code") != "memory"
                    break
                yield header, payload
        except (EOFError, OSError) as error:
            raise DocumentRefused(self._end(name, watch.reason, seconds, process)) from error
        finally:
            watch.stop()
            if not finished:
                self.close()
        if header["kind"] == "error":
            tried = bool(request.get("password"))
            raise refusal(name, header["code"], header["detail"], self.config, self.memory_mb, tried=tried)

    def start(self) -> None:
        """Start the worker unless it runs; raises DocumentRefused."""
        self._running()

    def one(self, request: Header, *, seconds: float | None = None) -> tuple[Header, bytes]:
        """The single message that answers a request; raises as `ask` does."""
        (message,) = self.ask(request, seconds=seconds)
        return message

    def close(self) -> None:
        """End the worker."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    _close_quietly(stream)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        command = [sys.executable, "-m", "multidoc_rag.files.pdf_worker", str(self.memory_mb)]
        environment = runtime_environment()
        root = str(Path(__file__).resolve().parents[2])
        environment["PYTHONPATH"] = root + (";" if sys.platform == "win32" else ":") + environment.get("PYTHONPATH", "")
        try:
            process = self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
            assert process.stdout is not None
            self._bounded = bool(receive(process.stdout)[0]["bounded"])
        except (EOFError, OSError) as error:
            self.close()
            raise DocumentRefused(
                "The PDF reader could not be started; check it with `python -m multidoc_rag.files.pdf_worker`."
            ) from error
        return process

    def _end(self, name: str, reason: str, seconds: float, process: subprocess.Popen[bytes]) -> str:
        process.kill()
        process.wait()
        if reason == "time":
            return (
                f"{name} was not read: it took longer than the {seconds:g} seconds allowed (read_seconds); "
                "nothing of it was kept."
            )
        if reason == "memory":
            return f"{name} was not read: it needs more than {self.memory_mb} MB (read_memory_mb); nothing was kept."
        return (
            f"{name} was not read: the PDF reader crashed on it or it needs more than {self.memory_mb} MB "
            "(read_memory_mb); nothing of it was kept."
        )


class _Watch:
    """Kills a process that has worked longer than `seconds` or, where the system cannot bound memory, holds too much.

    Time is the process's own; on a machine so busy that it gets less, it may take up to PATIENCE times as long.
    """

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, memory_mb: int | None) -> None:
        self.reason = ""
        self._seconds, self._memory_mb = seconds, memory_mb
        self._process, self._status = process, psutil.Process(process.pid)
        self._worked_before = self._worked()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        start = time.monotonic()
        # No process works longer than the clock has run: without memory to watch, the first look is at the deadline.
        pause = self._seconds if self._memory_mb is None else min(self._seconds, _WATCH_SECONDS)
        while not self._done.wait(pause):
            pause = min(self._seconds, _WATCH_SECONDS)
            try:
                passed, worked = time.monotonic() - start, self._worked() - self._worked_before
                used = self._status.memory_info().rss
            except psutil.NoSuchProcess:
                return
            if passed >= self._seconds and (worked >= 0.9 * self._seconds or passed >= PATIENCE * self._seconds):
                self.reason = "time"
            elif self._memory_mb is not None and used > self._memory_mb << 20:
                self.reason = "memory"
            if self.reason:
                self._process.kill()
                return

    def _worked(self) -> float:
        times = self._status.cpu_times()
        return float(times.user + times.system)


def refusal(name: str, code: str, detail: str, config: Config, memory_mb: int, *, tried: bool) -> Exception:
    """The error to raise for a worker's error code: one sentence."""
    if code == "password":
        what = ", and the password given does not open it: give the right one" if tried else ": give its password"
        return PasswordNeeded(f"{name} is encrypted{what} (--password P, or in the app) and add it again.")
    if code == "extra":
        return MissingExtra("rapidocr", "Reading scanned pages (OCR)", "pip install rapidocr onnxruntime")
    sentences = {
        "damaged": f"{name} was not read: it is damaged or no PDF, and neither of two PDF readers can open it.",
        "empty": f"{name} was not read: it has no pages.",
        "pages": f"{name} was not read: its {detail} pages are more than the {config.max_pages} allowed (max_pages).",
        "memory": f"{name} was not read: it needs more than {memory_mb} MB of memory (read_memory_mb).",
        "missing": f"{name} was not read: {detail}.",
        "page": f"{name} has no such page, or the page is damaged.",
        "format": f"{name} was not read: {detail}.",
    }
    return DocumentRefused(sentences[code])


def _close_quietly(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        # The worker died with a request half written: there is nobody left to flush it to.
        return
