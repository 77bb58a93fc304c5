"""Files on their way into the library: kept, queued, watched, cancelled and tried again, whether or not a page is open."""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import AddReport, Progress
from multidoc_rag.ui.desk import Desk

logger = logging.getLogger(__name__)

State = Literal["waiting", "working", "done", "refused", "cancelled"]
STAGES = {"reading": "Reading", "embedding": "Indexing", "storing": "Saving", "done": "Finishing"}


@dataclass(frozen=True)
class Upload:
    """One file and what has become of it; `share` is the part done, 0..1."""

    key: str
    path: Path
    name: str
    state: State = "waiting"
    stage: str = ""
    share: float = 0.0
    seconds_left: float | None = None
    report: AddReport | None = None
    sentence: str = ""
    password: str = field(default="", repr=False)
    replace: bool = False

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.state in ("done", "refused", "cancelled")

    @property
    def asks_password(self) -> bool:
        """Whether the file was refused for want of a password."""
        return self.state == "refused" and "password" in self.sentence.casefold()

    @property
    def same_name(self) -> bool:
        """Whether it went in beside another document of the same name, so that replacing that one is offered."""
        return self.state == "done" and self.report is not None and self.report.document != self.path.name


class Intake:
    """A queue in front of `Library.start_adding`: one batch at a time, in a thread of the server."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._uploads: dict[str, Upload] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._cancelled: set[str] = set()
        self.version = 0
        """Grows with every change, so that a page knows whether to draw again."""
        self.finished = 0
        """Grows with every batch that ended, so that a page knows when to read the list of documents again."""

    @property
    def folder(self) -> Path:
        """Where uploaded files are kept, so that their pages can be shown later."""
        return self._desk.folder / self._desk.collection / "originals"

    def uploads(self) -> tuple[Upload, ...]:
        """All files on their way or refused, in the order they came."""
        with self._changed:
            return tuple(self._uploads.values())

    @property
    def busy(self) -> bool:
        """Whether any file is waiting or worked on."""
        return any(not upload.ended for upload in self.uploads())

    # --- what the page asks for ----------------------------------------------------------------

    def keep(self, files: Iterable[tuple[Path, str]]) -> None:
        """Move uploaded files (path in the server's cache, name in the browser) here and queue them."""
        for source, name in files:
            folder = self.folder / secrets.token_hex(8)
            target = folder / safe_name(name)
            try:
                folder.mkdir(parents=True)
                shutil.move(source, target)
            except OSError as error:
                raise MultiDocError(
                    f"'{name}' could not be kept in {self.folder} ({error.strerror}): nothing was added; make room or check the rights there."
                ) from error
            self.add([target])

    def add(self, paths: Sequence[Path]) -> None:
        """Queue files where they are."""
        with self._changed:
            for path in paths:
                key = secrets.token_urlsafe(9)
                self._uploads[key] = Upload(key, path, path.name)
            self._wake()

    def retry(self, key: str, *, password: str = "", replace_old: bool = False) -> None:
        """Queue a file again, with a password, or to replace the document of the same name."""
        with self._changed:
            upload = self._uploads.get(key)
            if upload is None or not upload.ended:
                return
            if replace_old and upload.report is not None:
                self._desk.library().remove([upload.report.document])
            fresh = Upload(key, upload.path, upload.name, password=password, replace=replace_old)
            self._uploads[key] = fresh
            self._cancelled.discard(key)
            self._wake()

    def dismiss(self, key: str) -> None:
        """Take a file that has ended off the list; an upload that did not become a document is deleted."""
        with self._changed:
            upload = self._uploads.get(key)
            if upload is None or not upload.ended:
                return
            del self._uploads[key]
            self.version += 1
        if upload.state != "done" or (upload.report and upload.report.status == "unchanged"):
            self.forget(upload.path)

    def cancel(self, key: str = "") -> None:
        """Cancel one file, or all that are waiting or worked on."""
        with self._changed:
            for upload in self._uploads.values():
                if not upload.ended and key in ("", upload.key):
                    self._cancelled.add(upload.key)
            self._wake()

    def forget(self, path: str | Path) -> None:
        """Delete an uploaded file that nothing refers to any more; files elsewhere are left alone."""
        folder = Path(path).parent
        if folder.parent == self.folder.resolve() or folder.parent == self.folder:
            shutil.rmtree(folder, ignore_errors=True)

    # --- the thread ----------------------------------------------------------------------------

    def _wake(self) -> None:
        self.version += 1
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                batch = self._next_batch()
                if not batch:
                    self._thread = None
                    return
            try:
                self._work(batch)
            except MultiDocError as error:
                self._refuse(batch, str(error))
            except Exception:
                logger.exception("adding %d files failed", len(batch))
                self._refuse(
                    batch, "Adding stopped because of an error in the program; the library is as it was. Try again."
                )
            with self._changed:
                self.finished += 1
                self.version += 1

    def _next_batch(self) -> list[Upload]:
        """The waiting files that can go together; cancelled ones are marked on the way."""
        batch: list[Upload] = []
        for upload in list(self._uploads.values()):
            if upload.state != "waiting":
                continue
            if upload.key in self._cancelled:
                self._set(replace(upload, state="cancelled", sentence="Cancelled; nothing of it was added."))
            elif not batch or (upload.password, upload.replace) == (batch[0].password, batch[0].replace):
                batch.append(upload)
        return batch

    def _work(self, batch: list[Upload]) -> None:
        first = batch[0]
        job = self._desk.library().start_adding(
            [upload.path for upload in batch], password=first.password or None, replace=first.replace
        )
        by_path = {os.path.realpath(upload.path): upload.key for upload in batch}
        seen = 0
        asked = False
        while True:
            running = job.running
            events = job.events()
            for event in events[seen:]:
                self._note(by_path, event)
            seen = len(events)
            if not running:
                break
            with self._changed:
                if not asked and any(upload.key in self._cancelled for upload in batch):
                    asked = True
                    job.cancel()
                self._changed.wait(0.2)
        self._settle(batch, by_path, job.reports, asked)

    def _note(self, by_path: dict[str, str], event: Progress) -> None:
        with self._changed:
            upload = self._uploads.get(by_path.get(os.path.realpath(event.path), ""))
            if upload is None:
                return
            if event.report is not None:
                self._set(_ended(upload, event.report))
            else:
                share = event.done / event.total if event.total else 0.0
                stage = STAGES.get(event.stage, event.stage)
                self._set(replace(upload, state="working", stage=stage, share=share, seconds_left=event.seconds_left))

    def _settle(
        self, batch: list[Upload], by_path: dict[str, str], reports: Iterable[AddReport], cancelled: bool
    ) -> None:
        """Give each file of a batch its end; what a cancelled batch did not reach is queued again unless cancelled itself."""
        with self._changed:
            for report in reports:
                upload = self._uploads.get(by_path.get(os.path.realpath(report.path), ""))
                if upload is not None:
                    self._set(_ended(upload, report))
            for key in (upload.key for upload in batch):
                upload = self._uploads.get(key)
                if upload is None or upload.ended:
                    continue
                if key in self._cancelled:
                    self._set(replace(upload, state="cancelled", sentence="Cancelled; what was added before is kept."))
                elif cancelled:
                    self._set(replace(upload, state="waiting", stage="", share=0.0))
                else:
                    self._set(
                        replace(upload, state="refused", sentence="Adding ended before this file was read: try again.")
                    )

    def _refuse(self, batch: list[Upload], sentence: str) -> None:
        with self._changed:
            for key in (upload.key for upload in batch):
                upload = self._uploads.get(key)
                if upload is not None and not upload.ended:
                    self._set(replace(upload, state="refused", sentence=sentence))

    def _set(self, upload: Upload) -> None:
        self._uploads[upload.key] = upload
        self.version += 1


def _ended(upload: Upload, report: AddReport) -> Upload:
    state: State = "refused" if report.status == "refused" else "done"
    return replace(
        upload, state=state, share=1.0, seconds_left=None, report=report, sentence=report.reason, password=""
    )


def safe_name(name: str) -> str:
    """A browser's file name as one part of a path: no separators or control characters, at most 200 bytes, ending kept."""
    name = re.sub(r"[\x00-\x1f\x7f/\\]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip().lstrip(".") or "file"
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, dot, suffix = name, "", ""
    while len((stem + dot + suffix).encode(errors="replace")) > 200:
        stem = stem[:-1]
    return stem + dot + suffix
