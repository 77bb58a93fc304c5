"""Adding, and looking for conflicts after it, in a process of its own (`add_worker`), followed through a file.

Its order comes on standard input (passwords are on no command line); its progress goes, a JSON line a step, to
`jobs/<id>.jsonl` in the collection, where any process can follow it. It holds `jobs/<id>.lock` while it runs, so that
one that was killed is told from one at work. The store survives its end at any moment: cancelling is ending it.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import filelock

from multidoc_rag.config import Config, runtime_environment
from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import AddReport, Progress

_KEPT_JOBS = 20


class AddJob:
    """One `add` in another process, by its files; it does not matter who started it."""

    def __init__(self, folder: Path, identity: str, process: subprocess.Popen[str] | None = None) -> None:
        self.id = identity
        self._log = folder / "jobs" / f"{identity}.jsonl"
        self._lock = folder / "jobs" / f"{identity}.lock"
        self._process = process
        self._lines: list[dict[str, Any]] = []
        self._position = 0
        self._cancelled = False
        self._reading = threading.Lock()

    @classmethod
    def start(
        cls,
        folder: Path,
        config: Config,
        paths: Sequence[str],
        options: Mapping[str, Any],
        password: str | None,
        *,
        compare: bool = False,
    ) -> AddJob:
        """Starts the process and hands it its order; with `compare` it looks for conflicts after adding.

        Raises MultiDocError where it cannot be started.
        """
        identity = f"{int(time.time())}-{secrets.token_hex(4)}"
        jobs = folder / "jobs"
        settings = {name: value for name, value in asdict(config).items() if name not in ("hf_token", "openai_api_key")}
        order = {
            "folder": str(folder.absolute()),
            "job": identity,
            "config": settings,
            "paths": [os.path.abspath(path) for path in paths],
            "options": dict(options),
            "password": password,
            "compare": compare,
        }
        try:
            jobs.mkdir(parents=True, exist_ok=True)
            _forget_old(jobs)
            errors = (jobs / f"{identity}.err").open("w", encoding="utf-8")
            with errors:
                process = subprocess.Popen(
                    [sys.executable, "-m", "multidoc_rag.ingest.add_worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    text=True,
                    encoding="utf-8",
                    env=runtime_environment() | {"PYTHONPATH": _python_path()},
                    start_new_session=True,  # an app stopped with Ctrl-C does not take it along
                    creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
                )
                assert process.stdin is not None
                with process.stdin as stdin:
                    json.dump(order, stdin)
        except OSError as error:
            raise MultiDocError(f"Adding could not be started ({error}): nothing was changed.") from error
        return cls(folder, identity, process)

    @classmethod
    def running_in(cls, folder: Path) -> tuple[AddJob, ...]:
        """The jobs of a collection that are at work now, oldest first."""
        logs = sorted((folder / "jobs").glob("*.jsonl"))
        return tuple(job for job in (cls(folder, log.stem) for log in logs) if job.running)

    @property
    def running(self) -> bool:
        """Whether the process is at work (or waits for its turn)."""
        if self._process is not None:
            return self._process.poll() is None
        try:
            with filelock.FileLock(self._lock, timeout=0):
                return False
        except filelock.Timeout:
            return True

    @property
    def waiting(self) -> bool:
        """Whether another process is adding to the same collection and this one waits for it."""
        return self.running and not any("path" in line for line in self._read())

    def events(self) -> tuple[Progress, ...]:
        """Every step so far, oldest first."""
        return tuple(_progress(line) for line in self._read() if "path" in line)

    @property
    def added(self) -> bool:
        """Whether the adding is done; the process may still be looking for conflicts."""
        return any("reports" in line for line in self._read()) or not self.running

    @property
    def comparing(self) -> Progress | None:
        """How far the search for conflicts has got; None before and after it."""
        found = next((line["comparing"] for line in reversed(self._read()) if "comparing" in line), None)
        return _progress(found) if found is not None and self.running else None

    @property
    def not_compared(self) -> str:
        """A sentence where the search for conflicts failed, else ""."""
        return next((str(line["not_compared"]) for line in self._read() if "not_compared" in line), "")

    @property
    def reports(self) -> tuple[AddReport, ...]:
        """What became of the files so far; all of it once the job has ended."""
        lines = self._read()
        for line in lines:
            if "reports" in line:
                return tuple(_report(report) for report in line["reports"])
        return tuple(_report(line["report"]) for line in lines if line.get("report"))

    @property
    def error(self) -> str:
        """A sentence where the job ended without having gone through all files, else ""."""
        if self.running:
            return ""
        for line in self._read():
            if "error" in line:
                return str(line["error"])
            if "reports" in line:
                return ""
        if self._cancelled:
            return (
                "Adding was cancelled; what was stored before is kept, and adding the files again goes on from there."
            )
        return (
            "Adding stopped before it was done; what was stored before is kept, and adding the files again goes on "
            f"from there ({self._log.with_suffix('.err')} may say why)."
        )

    def cancel(self) -> None:
        """Ends the process; documents stored by then are kept, a long one in the middle goes on with the next `add`."""
        self._cancelled = True
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
                self._process.wait()
            return
        pid = next((line["pid"] for line in self._read() if "pid" in line), 0)
        if pid and self.running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> tuple[AddReport, ...]:
        """Waits for the end of a job started here; its reports. Raises MultiDocError when it takes longer."""
        if self._process is None:
            raise MultiDocError("Only the process that started a job can wait for it.")
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise MultiDocError(f"The job is still running after {timeout} seconds.") from error
        return self.reports

    def _read(self) -> list[dict[str, Any]]:
        with self._reading, suppress(FileNotFoundError), self._log.open(encoding="utf-8") as file:
            file.seek(self._position)
            while (line := file.readline()).endswith("\n"):  # the last one may be half written
                self._lines.append(json.loads(line))
                self._position = file.tell()
        return self._lines


def _progress(line: Mapping[str, Any]) -> Progress:
    report = line.get("report")
    return Progress(**{**line, "report": _report(report) if report else None})


def _report(values: Mapping[str, Any]) -> AddReport:
    return AddReport(**{**values, "unreadable_pages": tuple(values["unreadable_pages"])})


def _forget_old(jobs: Path) -> None:
    """Removes what is left of all but the latest jobs."""
    for log in sorted(jobs.glob("*.jsonl"))[:-_KEPT_JOBS]:
        for suffix in (".jsonl", ".lock", ".err"):
            with suppress(OSError):
                log.with_suffix(suffix).unlink()


def _python_path() -> str:
    """The module path with this package's own place in it, so that the process finds it from any folder."""
    return os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
