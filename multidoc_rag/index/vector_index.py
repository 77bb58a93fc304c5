"""Exact inner-product search over a collection's vectors (FAISS, flat), kept in step with SQLite.

The file `vectors-<generation>.faiss` is a checkpoint, a faster way to the same content as the vector blobs in
SQLite: its CRC-32 is recorded there (FAISS itself accepts flipped bits), it is read whole, never mapped, and
what was added or removed since is applied in memory. Not thread-safe by itself: `Store` holds a lock.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Holding:
    """The chunks of one document: consecutive ids from `first`."""

    first: int
    count: int

    @property
    def ids(self) -> np.ndarray:
        """int64, shape (count,)."""
        return np.arange(self.first, self.first + self.count, dtype=np.int64)


class VectorIndex:
    """Unit vectors by chunk id, grouped by document number."""

    def __init__(self, dimension: int) -> None:
        import faiss

        self.dimension = dimension
        self.held: dict[int, Holding] = {}
        self._faiss: Any = faiss
        self._index: Any = faiss.IndexIDMap(faiss.IndexFlatIP(dimension))
        self._set_ids(np.empty(0, np.int64))

    @classmethod
    def from_checkpoint(
        cls, path: Path, *, size: int, crc: int, dimension: int, held: Mapping[int, Holding]
    ) -> VectorIndex:
        """The index in a checkpoint file; raises ValueError or OSError where it is not there, damaged or another."""
        data = path.read_bytes()
        if len(data) != size or zlib.crc32(data) != crc:
            raise ValueError(f"the checksum of {path.name} is wrong")
        self = cls(dimension)
        self._index = self._faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
        self._set_ids(self._faiss.vector_to_array(self._index.id_map))
        self.held = dict(held)
        if self._index.d != dimension or len(self._ids) != sum(holding.count for holding in held.values()):
            raise ValueError(f"{path.name} holds something else than recorded")
        return self

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, new: Mapping[int, Holding], vectors: np.ndarray) -> None:
        """Adds documents by number; `vectors` are theirs in that order, float32, shape (sum of counts, dimension)."""
        if not new:
            return
        ids = np.concatenate([holding.ids for holding in new.values()])
        if vectors.shape != (len(ids), self.dimension):
            raise ValueError(f"{len(ids)} chunks came with vectors of shape {vectors.shape}")
        if len(ids):
            self._index.add_with_ids(np.ascontiguousarray(vectors, dtype=np.float32), ids)
            self._set_ids(np.concatenate((self._ids, ids)))
        self.held |= new

    def remove(self, numbers: Sequence[int]) -> None:
        """Removes documents by number, all in one pass over the rows."""
        gone = [self.held.pop(number) for number in numbers]
        ids = np.concatenate([holding.ids for holding in gone]) if gone else np.empty(0, np.int64)
        if len(ids):
            self._index.remove_ids(self._bitmap(ids))
            self._set_ids(self._faiss.vector_to_array(self._index.id_map))

    def search(self, query: np.ndarray, k: int, numbers: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """(chunk id, cosine) of the k nearest, best first, among the documents with these numbers (all when None)."""
        options: dict[str, Any] = {}
        if numbers is not None:
            allowed = [self.held[number] for number in numbers if number in self.held]
            k = min(k, sum(holding.count for holding in allowed))
            if k > 0 and len(allowed) < len(self.held):
                chosen = self._bitmap(np.concatenate([holding.ids for holding in allowed]))
                options["params"] = self._faiss.SearchParameters(sel=chosen)
        k = min(k, len(self._ids))
        if k <= 0:
            return []
        row = np.ascontiguousarray(query, dtype=np.float32).reshape(1, -1)
        # FAISS divides queries, not rows, among threads: for one query the others only wait, ten times as long
        self._faiss.omp_set_num_threads(1)
        scores, ids = self._index.search(row, k, **options)
        return [(i, s) for i, s in zip(ids[0].tolist(), scores[0].tolist(), strict=True) if i >= 0]

    def vectors(self, chunk_ids: Sequence[int]) -> dict[int, np.ndarray]:
        """The vectors of the chunks that are in the index, float32, shape (dimension,) each."""
        wanted = np.asarray(list(chunk_ids), dtype=np.int64)
        if not len(wanted) or not len(self._ids):
            return {}
        places = np.minimum(np.searchsorted(self._ids, wanted, sorter=self._order), len(self._ids) - 1)
        rows = self._order[places]
        found = self._ids[rows] == wanted
        matrix = self._faiss.downcast_index(self._index.index).reconstruct_batch(rows[found])
        return dict(zip(wanted[found].tolist(), matrix, strict=True))

    def write(self, path: Path) -> tuple[int, int]:
        """Writes a checkpoint, whole or not at all; returns its size in bytes and CRC-32. Raises OSError."""
        data = self._faiss.serialize_index(self._index)
        temporary = path.with_name(path.name + ".tmp")
        try:
            with temporary.open("wb") as file:
                file.write(data.data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)  # a full disk needs its space
            raise
        return int(data.nbytes), zlib.crc32(data.data)

    def _set_ids(self, ids: np.ndarray) -> None:
        self._ids = ids
        self._order = np.argsort(ids, kind="stable")  # nearly sorted already: documents come in the order of their ids

    def _bitmap(self, ids: np.ndarray) -> Any:
        """A FAISS selector of ids; a bitmap, because building it is one pass whatever the number of ids."""
        low = int(ids.max()) + 1
        bits = np.zeros(low, dtype=np.uint8)
        bits[ids] = 1
        packed = np.packbits(bits, bitorder="little")
        selector = self._faiss.IDSelectorBitmap(len(packed), self._faiss.swig_ptr(packed))
        selector.packed = packed  # FAISS keeps a bare pointer
        return selector
