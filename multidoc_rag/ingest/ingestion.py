"""Files to stored documents: gather, read, chunk, embed, store, each document whole or not at all.

One thread reads ahead by one file while this one embeds; long documents keep their vectors piece by piece, so that an
interrupted one goes on where it stopped. A refused file never stops the others.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import EmbeddingError, ModelMismatch, MultiDocError, StoreError
from multidoc_rag.files.chunking import chunk
from multidoc_rag.files.reading import SUFFIXES, Reader, file_sha256
from multidoc_rag.index.history import timestamp
from multidoc_rag.index.store import Store, text_hash
from multidoc_rag.ingest.summaries import summary
from multidoc_rag.language import one_line
from multidoc_rag.records import AddReport, Chunk, Document, DocumentStatus, Embedder, Progress, Reading

log = logging.getLogger(__name__)

READING_SHARE = 0.1
"""Reading's part of a file's work, for the time left; the rest is embedding."""
ESTIMATE_AFTER = 1.0
"""Seconds of work before the time left is estimated."""
TICK = 0.25
"""Seconds between two looks at a reading that takes long."""


@dataclass(frozen=True, slots=True)
class Options:
    """How files are added: see `Library.add`."""

    password: str | None = None
    ocr: bool | None = None
    replace: bool = False
    keep_copy: bool = False


@dataclass(frozen=True, slots=True)
class Gathered:
    """The files that paths stand for, the folders among the paths, and the paths that stand for nothing."""

    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    refused: tuple[AddReport, ...]


@dataclass(slots=True)
class _Prepared:
    """A file that was read ahead; without `reading` where its bytes are known already or `error` says why not."""

    path: Path
    sha256: str = ""
    size: int = 0
    mtime_ns: int = 0
    reading: Reading | None = None
    chunks: tuple[Chunk, ...] = ()
    error: Exception | None = None
    pages: list[int] = field(default_factory=lambda: [0, 1])

    @property
    def name(self) -> str:
        """What the document is called, where no other one is."""
        return one_line(self.path.name)


class _Cancelled(Exception):
    """The user asked to stop; what was embedded so far is kept."""


def gather(paths: Sequence[str | os.PathLike[str]], include: str | None, *, leave_out: Path) -> Gathered:
    """Files in the order given, folders searched by the glob `include` (default: every readable kind), each file once.

    Hidden files, office lock files and anything under `leave_out` (the index store) are passed over.
    """
    files: dict[Path, None] = {}
    folders: list[Path] = []
    refused: list[AddReport] = []
    store = Path(_identity(leave_out))
    for path in map(Path, paths):
        if not os.path.isdir(path):  # unlike Path.is_dir, never raises
            files[path] = None  # a file that is not there is refused by the reader, in words
            continue
        folders.append(path)
        found = [file for file in _in_folder(path, include) if store not in Path(_identity(file)).parents]
        if not found:
            what = f"matching {include!r}" if include else "of a kind that is read"
            reason = f"The folder {path} holds no file {what}."
            if not os.access(path, os.R_OK | os.X_OK):
                reason = f"The folder {path} was not read: you have no permission to look into it."
            refused.append(_refused(path, reason))
        files |= dict.fromkeys(found)
    odd = [file for file in files if not _is_named_in_text(file)]
    refused += [_badly_named(file) for file in odd]
    return Gathered(tuple(file for file in files if file not in odd), tuple(folders), tuple(refused))


def _in_folder(folder: Path, include: str | None) -> Iterator[Path]:
    try:
        found = sorted(folder.glob(include or "**/*"))
    except (ValueError, NotImplementedError) as error:
        raise MultiDocError(f"--include {include!r} is not a pattern for files in a folder ({error}).") from error
    for file in found:
        inner = file.relative_to(folder).parts
        hidden = any(part.startswith((".", "~$")) for part in inner)
        if not hidden and file.is_file() and (include or file.suffix.lower() in SUFFIXES):
            yield file


class Ingestion:
    """One run of `add` over a list of files; holds no lock itself (`Store.writing`)."""

    def __init__(
        self,
        store: Store,
        reader: Reader,
        embedder: Callable[[], Embedder],
        *,
        config: Config,
        options: Options,
        on_progress: Callable[[Progress], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.store, self.reader, self.embedder = store, reader, embedder
        self.config, self.options = config, options
        self._on_progress = on_progress or (lambda progress: None)
        self._cancelled = cancelled or (lambda: False)
        self._ocr = config.ocr if options.ocr is None else options.ocr
        self._handled: set[str] = set()

    def run(self, files: Sequence[Path]) -> tuple[AddReport, ...]:
        """A report for every file reached, in order; fewer than files when cancelled. Raises EmbeddingError."""
        self._clock = _Clock([_size(path) for path in files])
        reports: list[AddReport] = []
        pool = ThreadPoolExecutor(1, thread_name_prefix="reading")
        try:
            ahead = self._read_ahead(pool, files, 0)
            for index, path in enumerate(files):
                item, following = ahead, None
                self._notify(path, "reading", index, len(files), 0.0)
                try:
                    prepared = self._awaited(item, path, index, len(files))
                    following = self._read_ahead(pool, files, index + 1)
                    report = self._finish(prepared, index, len(files))
                except _Cancelled:
                    break
                if following is not None:
                    ahead = following
                self._clock.finish(index, worked=report.status in ("added", "replaced"))
                reports.append(report)
                self._notify(path, "done", index, len(files), 0.0, report)
                if isinstance(prepared.error, StoreError):
                    reports += [_refused(rest, str(prepared.error)) for rest in files[index + 1 :]]
                    break
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return tuple(reports)

    # --- reading, in the other thread ------------------------------------------------------------

    def _read_ahead(
        self, pool: ThreadPoolExecutor, files: Sequence[Path], index: int
    ) -> tuple[Future[None], _Prepared] | None:
        if index >= len(files):
            return None
        prepared = _Prepared(files[index])
        return pool.submit(self._prepare, prepared), prepared

    def _prepare(self, item: _Prepared) -> None:
        try:
            self.reader.check(item.path)  # a pipe or a device has no end to hash up to
            item.sha256 = file_sha256(item.path)
            if item.sha256 in self._handled or not self._wants_reading(item.sha256):
                status = item.path.stat()
            else:
                self._handled.add(item.sha256)
                status = self._read(item)
            item.size, item.mtime_ns = status.st_size, status.st_mtime_ns
        except MultiDocError as error:
            item.error = error
        except Exception as error:  # one file must not stop the others; the traceback goes to the log
            log.exception("reading %s failed", item.path)
            item.error = MultiDocError(
                f"{item.path.name} was not read because of a fault in the program ({type(error).__name__}: {error}); "
                "nothing of it was kept; please report the file."
            )

    def _read(self, item: _Prepared) -> os.stat_result:
        def on_page(done: int, total: int) -> None:
            item.pages = [done, max(1, total)]

        options = self.options
        reading = self.reader.read(item.path, password=options.password, ocr=options.ocr, on_page=on_page)
        item.sha256 = reading.sha256
        item.chunks = chunk(reading, reading.sha256, item.name, self.config)
        item.reading = reading
        return item.path.stat()

    def _wants_reading(self, sha256: str) -> bool:
        known = self.store.find(id=sha256)
        return known is None or bool(self.options.ocr and known.unreadable_pages)

    def _awaited(self, item: tuple[Future[None], _Prepared] | None, path: Path, index: int, count: int) -> _Prepared:
        assert item is not None
        future, prepared = item
        while True:
            if self._cancelled():
                raise _Cancelled
            try:
                future.result(timeout=TICK)
                return prepared
            except NotYet:
                done, total = prepared.pages
                self._notify(path, "reading", index, count, READING_SHARE * done / total)

    # --- storing, in this thread -----------------------------------------------------------------

    def _finish(self, item: _Prepared, index: int, count: int) -> AddReport:
        try:
            if item.error is not None:
                raise item.error
            report = self._known(item)
            if report is None:
                if item.reading is None:  # its twin earlier in this run was not stored after all
                    self._read(item)
                report = self._store(item, index, count)
            return report
        except (EmbeddingError, ModelMismatch, _Cancelled):
            raise
        except MultiDocError as error:
            item.error = error
            earlier = self.store.find(source_path=_identity(item.path))
            kept = f" The version of {earlier.name} added before is kept." if earlier else ""
            return _refused(item.path, f"{error}{kept}")

    def _known(self, item: _Prepared) -> AddReport | None:
        """The report on a file whose bytes are in the collection, None for one that is to be stored."""
        known = self.store.find(id=item.sha256)
        if known is None or item.reading is not None:
            return None
        where, status, reason = _identity(item.path), "unchanged", ""
        if not self.options.keep_copy and known.source_path != where:
            reason = f"The same bytes are already here as {known.name}."
            if known.source_path and _is_gone(known.source_path):
                self.store.moved(known.id, where, file_size=item.size, file_mtime_ns=item.mtime_ns)
                reason = f"The file was moved here from {known.source_path}; it is known as {known.name}."
            stale = self.store.find(source_path=where)
            if stale is not None and stale.id != known.id:
                self.store.delete(stale.id)
                status = "replaced"
                reason = (
                    f"The file now has the same bytes as {known.name}; its earlier version {stale.name} was removed."
                )
        elif self.options.keep_copy and known.name != item.name:
            reason = f"The same bytes are already here as {known.name}."
        return _report(item.path, known, "replaced" if status == "replaced" else "unchanged", reason)

    def _store(self, item: _Prepared, index: int, count: int) -> AddReport:
        reading = item.reading
        assert reading is not None
        name, old, reason = self._name(item)
        document = Document(
            id=item.sha256,
            name=name,
            title=reading.title.strip() or PurePath(item.name).stem,
            source_path="" if self.options.keep_copy else _identity(item.path),
            pages=len(reading.pages),
            chunks=len(item.chunks),
            status=_status(reading, item.chunks),
            added_at=timestamp(),
            author=reading.author,
            created_at=reading.created_at,
            modified_at=reading.modified_at,
            language=reading.language,
            word_count=reading.word_count,
            reader=reading.reader,
            unreadable_pages=reading.unreadable_pages,
            warnings=reading.warnings,
        )
        vectors = self._embed(document, item, index, count)
        self._notify(item.path, "storing", index, count, 1.0)
        text, summary_vector = summary(item.chunks, vectors, reading.language)
        document = self.store.put(
            replace(document, summary=text),
            reading,
            item.chunks,
            vectors,
            replaces=None if old is None else old.id,
            file_size=item.size,
            file_mtime_ns=item.mtime_ns,
            kept_file=self.store.keep_file(item.path, item.sha256) if self.options.keep_copy else "",
            summary_vector=summary_vector,
        )
        return _report(
            item.path,
            document,
            "added" if old is None else "replaced",
            reason or _what_is_missing(document, ocr_helps=reading.pages[0].width > 0 and not self._ocr),
        )

    def _name(self, item: _Prepared) -> tuple[str, Document | None, str]:
        """The name a document gets, the one whose place it takes, and what is to be said about it."""
        again = self.store.find(id=item.sha256)
        old = again or (None if self.options.keep_copy else self.store.find(source_path=_identity(item.path)))
        if old is not None:
            return old.name, old, ""
        name = item.name
        clash = self.store.find(name=name)
        if clash is None:
            return name, None, ""
        if self.options.replace:
            return name, clash, f"It took the place of the document called {name} before."
        number, parts = 2, PurePath(name)
        while self.store.find(name=(free := f"{parts.stem} ({number}){parts.suffix}")):
            number += 1
        return (
            free,
            None,
            (
                f"Another document is already called {name}, so this one is listed as {free}; "
                f"if it is a new version, remove {name}, or add it with `replace`."
            ),
        )

    def _embed(self, document: Document, item: _Prepared, index: int, count: int) -> np.ndarray:
        """The chunks' vectors, float32, shape (chunks, dimension); kept piece by piece where the document is long."""
        texts = [piece.searchable for piece in item.chunks]
        size = self.config.piece_chunks
        self._notify(item.path, "embedding", index, count, READING_SHARE)
        if not texts:
            return np.empty((0, max(1, self.store.dimension)), np.float32)
        since = time.monotonic()
        model = self.embedder()
        self._clock.pause(time.monotonic() - since)  # loading the model once says nothing about the time left
        if len(texts) <= size:
            return model.encode(texts)
        self.store.begin(document)
        keys = [text_hash(text, model.fingerprint) for text in texts]
        known = self.store.cached_vectors(set(keys))
        for start in range(0, len(texts), size):
            if self._cancelled():
                raise _Cancelled
            missing = {keys[i]: texts[i] for i in range(start, min(start + size, len(texts))) if keys[i] not in known}
            if missing:
                made = dict(zip(missing, model.encode(list(missing.values())), strict=True))
                self.store.keep_vectors(made, document_id=document.id)
                known |= made
            share = min(start + size, len(texts)) / len(texts)
            self._notify(item.path, "embedding", index, count, READING_SHARE + (1 - READING_SHARE) * share)
        return np.stack([known[key] for key in keys])

    def _notify(
        self,
        path: Path,
        stage: Literal["reading", "embedding", "storing", "done"],
        index: int,
        count: int,
        share: float,
        report: AddReport | None = None,
    ) -> None:
        done, left = self._clock.at(index, share)
        self._on_progress(Progress(str(path), stage, index, count, done, self._clock.total, left, report))


class _Clock:
    """Work done and time left, in bytes of the files."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.total = float(sum(sizes))
        self._sizes = list(sizes)
        self._done = self._worked = 0.0
        self._since = time.monotonic()

    def at(self, index: int, share: float) -> tuple[float, float | None]:
        """(bytes done, seconds left) at `share` of the file at `index`; seconds are None while too little is known."""
        current = self._sizes[index] * share if index < len(self._sizes) else 0.0
        done, worked = min(self.total, self._done + current), self._worked + current
        seconds = time.monotonic() - self._since
        if seconds < ESTIMATE_AFTER or worked <= 0:
            return done, None
        return done, (self.total - done) * seconds / worked

    def pause(self, seconds: float) -> None:
        """Leaves these seconds out of the estimate."""
        self._since += seconds

    def finish(self, index: int, *, worked: bool) -> None:
        """The file at `index` is done; `worked` False where it cost next to nothing (unchanged, refused)."""
        self._done += self._sizes[index]
        if worked:
            self._worked += self._sizes[index]
        self._sizes[index] = 0


def gone_files(store: Store, folders: Sequence[Path], include: str | None) -> list[Document]:
    """Documents added from these folders (and matching `include`) whose files are no longer there."""
    gone: dict[str, Document] = {}
    for folder in folders:
        root = Path(_identity(folder))
        for document in (*store.documents(), *store.unfinished()):
            path = Path(document.source_path)
            if not document.source_path or root not in path.parents or not _is_gone(document.source_path):
                continue
            if include is None or path in {root / part for part in _matching(path, root, include)}:
                gone[document.id] = document
    return list(gone.values())


def _matching(path: Path, root: Path, include: str) -> list[Path]:
    """`path` relative to `root`, in a list, where the glob `include` would have found it."""
    inner = path.relative_to(root)
    pattern = include.removeprefix("**/")
    return [inner] if inner.match(pattern) else []


def _is_gone(path: str) -> bool:
    """Whether there is certainly no such file; a folder that cannot be looked into proves nothing."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _identity(path: Path) -> str:
    """The one spelling of a path by which a file is known again."""
    return os.path.realpath(path)  # never raises on a loop of links


def _is_named_in_text(path: Path) -> bool:
    try:
        _identity(path).encode()
    except ValueError:  # bytes that are not UTF-8, or U+0000
        return False
    return True


def _badly_named(path: Path) -> AddReport:
    shown = one_line(str(path))
    return AddReport(shown, "", "refused", reason=f"{shown} was not read: its name is not valid text; rename it.")


def _size(path: Path) -> int:
    try:
        return max(1, path.stat().st_size)
    except OSError:
        return 1


def _status(reading: Reading, chunks: Sequence[Chunk]) -> DocumentStatus:
    if not chunks:
        return "unreadable"
    return "partial" if reading.unreadable_pages else "ready"


def _what_is_missing(document: Document, *, ocr_helps: bool) -> str:
    advice = "; with OCR (`--ocr`) it may be" if ocr_helps else ""
    if document.status == "unreadable":
        return f"It has no text that can be read, so nothing will be found in it{advice}."
    if document.unreadable_pages:
        numbers = ", ".join(map(str, document.unreadable_pages[:10]))
        more = ", …" if len(document.unreadable_pages) > 10 else ""
        return f"No text could be read on page {numbers}{more}{advice}."
    return ""


def _report(
    path: Path, document: Document, status: Literal["added", "unchanged", "replaced"], reason: str
) -> AddReport:
    return AddReport(
        str(path), document.name, status, document.pages, document.unreadable_pages, document.chunks, reason
    )


def _refused(path: Path, reason: str) -> AddReport:
    return AddReport(str(path), "", "refused", reason=one_line(reason))
