"""One collection's SQLite file: opening it (also read-only), its version, transactions, errors in words.

Write-ahead logging lets many processes read while one writes. Every write begins with BEGIN IMMEDIATE: a deferred
transaction that reads first fails at once with "locked" in spite of the time-out.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from multidoc_rag.errors import StoreError
from multidoc_rag.index.schema import MIGRATIONS, VERSION

FILE_NAME = "collection.sqlite"
BUSY_SECONDS = 30.0
_NETWORK_FILE_SYSTEMS = ("nfs", "cifs", "smb", "9p", "afs", "sshfs", "davfs", "glusterfs", "ceph", "lustre", "webdav")


class Database:
    """Two connections to one file: one reads, one writes; each is used by one thread at a time."""

    def __init__(
        self, path: Path, reader: sqlite3.Connection, writer: sqlite3.Connection | None, copy: Path | None
    ) -> None:
        self.path = path
        self._reader, self._writer, self._copy = reader, writer, copy
        self._reading, self._writing = threading.RLock(), threading.RLock()
        self._closed = False

    @classmethod
    def open(cls, folder: Path, *, create: bool = True) -> Database:
        """Opens or makes `folder`'s file and brings it to the present version.

        Raises StoreError: no such collection, made by a newer version, damaged, full disk, no permission.
        """
        path = folder / FILE_NAME
        with explained(path):
            if not path.exists() or not path.stat().st_size:
                refuse_a_lost_file(path)
                if not create:
                    raise StoreError(
                        f"There is no index at {folder}: add documents first (`python -m multidoc_rag add FILE...`)."
                    )
                folder.mkdir(parents=True, exist_ok=True)
            if not writable(folder) and path.exists():
                reader, copy = _open_read_only(path)
                _check_version(reader, path)
                return cls(path, reader, None, copy)
            writer = _connect(str(path))
            try:
                writer.execute("PRAGMA journal_mode = WAL")
                writer.execute("PRAGMA synchronous = FULL")
                writer.execute("PRAGMA foreign_keys = ON")
                _migrate(writer, path)
                reader = _connect(str(path))
                reader.execute("PRAGMA query_only = ON")
            except BaseException:
                writer.close()
                raise
            return cls(path, reader, writer, None)

    @property
    def read_only(self) -> bool:
        """True where the folder cannot be written."""
        return self._writer is None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One short read transaction: everything read inside belongs to the same moment."""
        with explained(self.path), self._reading:
            if self._closed:
                raise StoreError(f"The index at {self.path.parent} is closed.")
            nested = self._reader.in_transaction
            if not nested:
                self._reader.execute("BEGIN")
            try:
                yield self._reader
            finally:
                if not nested:
                    self._reader.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One write transaction, committed at the end or rolled back whole."""
        with explained(self.path), self._writing:
            if self._writer is None:
                raise StoreError(
                    f"The folder {self.path.parent} cannot be written: nothing was changed; searching still works."
                )
            if self._closed:
                raise StoreError(f"The index at {self.path.parent} is closed.")
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def data_version(self) -> int:
        """A number that differs once anybody else has committed; costs microseconds."""
        with explained(self.path), self._reading:
            if self._closed:
                raise StoreError(f"The index at {self.path.parent} is closed.")
            return int(self._reader.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Closes both connections; further use raises StoreError."""
        with self._writing, self._reading:
            self._closed = True
            self._reader.close()
            if self._writer is not None:
                self._writer.close()
            if self._copy is not None:
                shutil.rmtree(self._copy, ignore_errors=True)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """SQLite's and the file system's errors as StoreErrors that say what was kept and what to do."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise StoreError(
            f"A text with half a character (a lone surrogate, U+{ord(error.object[error.start]):04X}) cannot be "
            "stored: nothing of this document was kept; this is a fault of its reader, please report the file."
        ) from error
    except sqlite3.Error as error:
        raise StoreError(_sentence(path, error)) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreError(_full(path)) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise StoreError(
                f"The folder {path.parent} cannot be written ({error.strerror}): nothing was changed."
            ) from error
        raise StoreError(
            f"The folder {path.parent} cannot be used ({error.strerror or error}): nothing was changed; "
            "name a folder with --index."
        ) from error


def refuse_a_lost_file(path: Path) -> None:
    """Raises StoreError where documents were stored and their file is gone: an empty new one would hide the loss."""
    if any(path.parent.glob("vectors-*.faiss")):
        raise StoreError(
            f"The index file {path} is missing or empty, though documents were stored beside it: nothing was changed; "
            f"put it back from a backup, or move the folder {path.parent} away and add the documents again."
        )


def writable(folder: Path) -> bool:
    """Whether files can be made and changed in the folder (and the SQLite file in it, where there is one)."""
    path = folder / FILE_NAME
    return os.access(folder, os.W_OK | os.X_OK) and (not path.exists() or os.access(path, os.W_OK))


def network_warning(folder: Path) -> str:
    """A sentence where the folder lies on a network file system (SQLite's locks cannot be trusted there), else ""."""
    try:
        import psutil
    except ImportError:
        return ""
    here = folder.resolve()
    mounts = {Path(part.mountpoint): part.fstype.lower() for part in psutil.disk_partitions(all=True)}
    kind = next((mounts[place] for place in (here, *here.parents) if place in mounts), "")
    if any(name in kind for name in _NETWORK_FILE_SYSTEMS):
        return (
            f"The index {folder} lies on a network file system ({kind}); keep it on a local disk, or it may be damaged."
        )
    return ""


def _connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(
        name, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256, uri=uri
    )
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the first read is what opens the file
        connection.execute("PRAGMA cache_size = -32000")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _open_read_only(path: Path) -> tuple[sqlite3.Connection, Path | None]:
    """A connection to a file in a folder that cannot be written, and the temporary copy it needed, if any."""
    log = path.with_name(path.name + "-wal")
    for options in ("mode=ro", "mode=ro&immutable=1"):
        if "immutable" in options and log.exists() and log.stat().st_size:
            break  # what is in the log only would be lost
        with suppress(sqlite3.OperationalError):
            return _connect(f"{path.resolve().as_uri()}?{options}", uri=True), None
    copy = Path(tempfile.mkdtemp(prefix="multidoc_rag-"))
    for source in (path, log):
        if source.exists():
            shutil.copyfile(source, copy / source.name)
    connection = _connect(str(copy / path.name))
    connection.execute("PRAGMA query_only = ON")
    return connection, copy


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    version = _check_version(connection, path)
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # another process may have been faster
        for script in MIGRATIONS[_check_version(connection, path) :]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    # executescript would commit the transaction that keeps a migration whole
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _check_version(connection: sqlite3.Connection, path: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StoreError(
            f"The index at {path.parent} was made by a newer version of multidoc_rag (format {version}, this one knows "
            f"{VERSION}): nothing was changed; update multidoc_rag or use another --index."
        )
    return version


def _full(path: Path) -> str:
    return (
        f"The disk is full: the last step was not stored, everything before it in {path.parent} is kept; "
        "free some space and do it again."
    )


def _sentence(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return _full(path)
    if isinstance(error, sqlite3.IntegrityError):
        return f"Storing was refused ({text}): nothing of this step was kept in {path.parent}."
    if "readonly" in text or "unable to open" in text:
        return (
            f"The index file {path} cannot be opened for writing ({text}): nothing was changed; check its permissions."
        )
    if "locked" in text or "busy" in text:
        return (
            f"Another process held the index at {path.parent} for {BUSY_SECONDS:.0f} s: nothing was changed; try again."
        )
    if isinstance(error, sqlite3.OperationalError) and "malformed" not in text and "decode" not in text:
        return f"The index at {path.parent} could not be used ({text}): nothing was changed."
    return (
        f"The index at {path.parent} is damaged ({text}): nothing was changed; run "
        f"`python -m multidoc_rag doctor --repair --index {path.parent.parent} --collection {path.parent.name}`, "
        "which saves every document that can still be read."
    )
