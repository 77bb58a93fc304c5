"""Files on their way into the library: kept, queued, watched, cancelled, tried again, also with no page open."""

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
from typing import TYPE_CHECKING, Literal

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import AddReport, Progress
from multidoc_rag.ui.desk import Desk

if TYPE_CHECKING:
    from multidoc_rag.ingest.jobs import AddJob

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
    report: AddReport | None = None
    sentence: str = ""
    password: str = field(default="", repr=False)
    replace: bool = False
    keep_copy: bool = False

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
        report = self.report
        return self.state == "done" and report is not None and report.status == "added" and report.document != self.name


COMPARING = "comparing"
"""The key by which the search for conflicts is cancelled."""


class Intake:
    """A queue in front of `Library.start_adding`: one batch at a time, in a thread of the server.

    After a batch the same process looks for conflicts; it makes way for the next batch, which goes on with it.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._uploads: dict[str, Upload] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._cancelled: set[str] = set()
        self._followed: set[str] = set()
        self._following = 0
        self._comparing: AddJob | None = None
        self.comparing: Progress | None = None
        """How far the search for conflicts has got; None where there is none."""
        self.not_compared = ""
        """Why the last search for conflicts failed, or ""."""
        self.seconds_left: float | None = None
        """Until the files being added are done, when known."""
        self.version = 0
        """Grows with every change, so that a page knows whether to draw again."""
        self.finished = 0
        """Grows with every batch that ended, so that a page knows when to read the list of documents again."""

    @property
    def folder(self) -> Path:
        """Where uploaded files wait; the library copies those that become documents."""
        return self._desk.folder / self._desk.collection / "incoming"

    def uploads(self) -> tuple[Upload, ...]:
        """All files on their way or refused, in the order they came."""
        with self._changed:
            return tuple(self._uploads.values())

    @property
    def busy(self) -> bool:
        """Whether anything is being added or followed, or the list of documents is still to be read again."""
        with self._changed:
            return self._thread is not None or self._following > 0 or self._comparing is not None

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
                    f"'{name}' could not be kept in {self.folder} ({error.strerror}): nothing was added; "
                    "make room or check the rights there."
                ) from error
            self.add([target], keep_copy=True)

    def add(self, paths: Sequence[Path], *, keep_copy: bool = False) -> None:
        """Queue files; with `keep_copy` the library keeps a copy, else it reads them where they are."""
        with self._changed:
            for path in paths:
                key = secrets.token_urlsafe(9)
                self._uploads[key] = Upload(key, path, path.name, keep_copy=keep_copy)
            self._wake()

    def follow(self) -> None:
        """Watch what is being added by an earlier run of the app or by the command line."""
        for job in self._desk.library().jobs():
            with self._changed:
                if job.id in self._followed:
                    continue
                self._followed.add(job.id)
                self._following += 1
            threading.Thread(target=self._follow, args=(job,), name="follow", daemon=True).start()

    def retry(self, key: str, *, password: str = "", replace_old: bool = False) -> None:
        """Queue a file again, with a password, or to replace the document of the same name."""
        with self._changed:
            upload = self._uploads.get(key)
            if upload is None or not upload.ended:
                return
        if replace_old and upload.report is not None:
            # it went in under a name with a number: it leaves, and comes back in the other's place
            self._desk.library().remove([upload.report.document])
        with self._changed:
            self._uploads[key] = Upload(
                key, upload.path, upload.name, password=password, replace=replace_old, keep_copy=upload.keep_copy
            )
            self._cancelled.discard(key)
            self._wake()

    def dismiss(self, key: str) -> None:
        """Take a file that has ended off the list; an upload's waiting file goes with it."""
        with self._changed:
            upload = self._uploads.get(key)
            if upload is None or not upload.ended:
                return
            del self._uploads[key]
            self.version += 1
        if upload.keep_copy:
            shutil.rmtree(upload.path.parent, ignore_errors=True)

    def compare(self) -> None:
        """Look for conflicts between the documents that were not compared yet, where nobody does so already."""
        library = self._desk.library()
        with self._changed:
            if self._thread is not None or self._comparing is not None:
                return
            if library.store.read_only or not library.uncompared():
                return
            self._watch(library.start_adding([], compare=True))

    def cancel(self, key: str = "") -> None:
        """Cancel one file, the search for conflicts, or all files that are waiting or worked on."""
        if key == COMPARING:
            self._stop_comparing()
            return
        with self._changed:
            for upload in self._uploads.values():
                if not upload.ended and key in ("", upload.key):
                    self._cancelled.add(upload.key)
            self._wake()

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
            elif not batch or _order(upload) == _order(batch[0]):
                batch.append(upload)
        return batch

    def _work(self, batch: list[Upload]) -> None:
        first = batch[0]
        self._stop_comparing()
        job = self._desk.library().start_adding(
            [upload.path for upload in batch],
            password=first.password or None,
            replace=first.replace,
            keep_copy=first.keep_copy,
            compare=True,
        )
        with self._changed:
            self._followed.add(job.id)
        keys = {os.path.realpath(upload.path): upload.key for upload in batch}
        sizes = [_size(upload.path) for upload in batch]
        seen, asked = 0, False
        while True:
            at_work = not job.added
            events = job.events()
            for event in events[seen:]:
                self._note(keys, event, sizes)
            seen = len(events)
            if not at_work:
                break
            with self._changed:
                wanted = any(upload.key in self._cancelled for upload in batch)
                if not wanted or asked:
                    self._changed.wait(0.2)
            if wanted and not asked:
                asked = True
                job.cancel()
        self._settle(batch, keys, job.reports, job.error, asked)
        with self._changed:
            self._watch(job)

    def _watch(self, job: AddJob) -> None:
        """Follows a job that has done its adding and looks for conflicts now; the caller holds the lock."""
        self._comparing, self.not_compared = job, ""
        self._followed.add(job.id)
        self.version += 1
        threading.Thread(target=self._compared, args=(job,), name="compare", daemon=True).start()

    def _compared(self, job: AddJob) -> None:
        while job.running:
            step = job.comparing
            with self._changed:
                if self._comparing is job and step != self.comparing:
                    self.comparing = step
                    self.version += 1
                self._changed.wait(0.3)
        with self._changed:
            if self._comparing is job:
                self._comparing, self.comparing, self.not_compared = None, None, job.not_compared
            self.finished += 1
            self.version += 1

    def _stop_comparing(self) -> None:
        """Ends the search for conflicts; what was compared by then is kept."""
        with self._changed:
            job, self._comparing, self.comparing = self._comparing, None, None
            self.version += 1
        if job is not None:
            job.cancel()

    def _follow(self, job: AddJob) -> None:
        """Shows a job that this app did not start; its adding cannot be cancelled here."""
        keys: dict[str, str] = {}
        seen = 0
        try:
            while True:
                at_work = not job.added
                events = job.events()
                for event in events[seen:]:
                    path = os.path.realpath(event.path)
                    if path not in keys:
                        keys[path] = f"{job.id}.{len(keys)}"
                        with self._changed:
                            self._set(Upload(keys[path], Path(event.path), Path(event.path).name))
                    self._note(keys, event, [])
                seen = len(events)
                if not at_work:
                    break
                with self._changed:
                    self._changed.wait(0.5)
            with self._changed:
                followed = [self._uploads[key] for key in keys.values() if key in self._uploads]
            self._settle(followed, keys, job.reports, job.error, False)
            with self._changed:
                if job.running and self._comparing is None:
                    self._watch(job)
        finally:
            with self._changed:
                self.finished += 1
                self.version += 1
                self._following -= 1

    def _note(self, keys: dict[str, str], event: Progress, sizes: Sequence[int]) -> None:
        """One step of a job; it counts bytes of the whole batch, the page shows the share of each file."""
        with self._changed:
            upload = self._uploads.get(keys.get(os.path.realpath(event.path), ""))
            if upload is None:
                return
            self.seconds_left = event.seconds_left
            if event.report is not None:
                self._set(_ended(upload, event.report))
                return
            if event.file_index < len(sizes):
                share = (event.done - sum(sizes[: event.file_index])) / (sizes[event.file_index] or 1)
            else:
                share = event.done / (event.total or 1.0)
            stage = STAGES.get(event.stage, event.stage)
            self._set(replace(upload, state="working", stage=stage, share=min(1.0, max(0.0, share))))

    def _settle(
        self, batch: list[Upload], keys: dict[str, str], reports: Iterable[AddReport], error: str, cancelled: bool
    ) -> None:
        """Give each file of a batch its end; in a cancelled batch the files that were not meant wait again."""
        passwords = {upload.key: upload.password for upload in batch if upload.password}
        with self._changed:
            self.seconds_left = None
            for report in reports:
                upload = self._uploads.get(keys.get(os.path.realpath(report.path), ""))
                if upload is not None:
                    self._set(_ended(upload, report))
                    if report.document and upload.key in passwords:
                        self._desk.keep_password(report.document, passwords[upload.key])
            for key in (upload.key for upload in batch):
                upload = self._uploads.get(key)
                if upload is None or upload.ended:
                    continue
                if key in self._cancelled:
                    sentence = "Cancelled; what was added before is kept."
                    self._set(replace(upload, state="cancelled", sentence=sentence))
                elif cancelled:
                    self._set(replace(upload, state="waiting", stage="", share=0.0))
                else:
                    sentence = error or "Adding ended before this file was read: try again."
                    self._set(replace(upload, state="refused", sentence=sentence))

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
    return replace(upload, state=state, share=1.0, report=report, sentence=report.reason, password="")


def _order(upload: Upload) -> tuple[str, bool, bool]:
    """What files must share to go in one batch."""
    return upload.password, upload.replace, upload.keep_copy


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the library will say that it is gone


def safe_name(name: str) -> str:
    """A browser's file name as one part of a path: no separators, no control characters, at most 200 bytes."""
    name = re.sub(r"[\x00-\x1f\x7f/\\]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip().lstrip(".") or "file"
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, dot, suffix = name, "", ""
    while len((stem + dot + suffix).encode(errors="replace")) > 200:
        stem = stem[:-1]
    return stem + dot + suffix
