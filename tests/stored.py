"""Documents and an embedder made by hand, for the tests of the store and the library."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.language import content_words
from multidoc_rag.records import Chunk, Document, OffsetMap, Page, Reading, Section, Table

DIMENSION = 64


class WordEmbedder:
    """Hashed bags of words as unit vectors: texts that share words are near. Counts what it was asked to embed."""

    def __init__(self, name: str = "words", dimension: int = DIMENSION) -> None:
        self.name, self.dimension = name, dimension
        self.fingerprint = hashlib.sha256(f"{name}{dimension}".encode()).hexdigest()
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded += texts
        return np.stack([self.encode_query(text) for text in texts]) if texts else np.empty((0, self.dimension), "f4")

    def encode_query(self, text: str) -> np.ndarray:
        vector = np.zeros(self.dimension, np.float32)
        for word in content_words(text):
            digest = hashlib.blake2b(f"{self.name}{word}".encode(), digest_size=8).digest()
            generator = np.random.default_rng(int.from_bytes(digest, "little"))
            vector += generator.standard_normal(self.dimension, dtype=np.float32)
        return vector / max(float(np.linalg.norm(vector)), 1e-9)


Made = tuple[Document, Reading, tuple[Chunk, ...], np.ndarray]


def made(name: str, *pages: str, embedder: WordEmbedder | None = None, source_path: str = "") -> Made:
    """What `Store.put` takes for a document of these page texts: maps that are no identity, a section, a table."""
    sha256 = hashlib.sha256("\f".join((name, *pages)).encode()).hexdigest()
    built = tuple(
        Page(
            number=number,
            raw=f"\x00{text}",
            clean=text,
            clean_to_raw=OffsetMap((0, 5), (1, 6)),
            raw_to_char=OffsetMap((0, 3), (0, 4)),
            width=612.0,
            height=792.5,
            rotation=90,
            crop=(1.0, 2.0, 600.0, 790.0),
            label=f"p{number}",
        )
        for number, text in enumerate(pages, 1)
    )
    reading = Reading(
        sha256=sha256,
        pages=built,
        sections=(Section("First", 1, 0), Section("Ünter", 2, 10)),
        tables=(),
        title=f"Title of {name}",
        author="A. Author",
        language="en",
        word_count=7,
        reader="hand 1",
        warnings=("one warning",),
    )
    pieces = chunk(reading, sha256, name, Config())
    document = Document(
        id=sha256,
        name=name,
        title=reading.title,
        source_path=source_path,
        pages=len(pages),
        chunks=len(pieces),
        status="ready",
        added_at="2026-01-01T00:00:00+00:00",
        author="A. Author",
        language="en",
        word_count=7,
        reader="hand 1",
        warnings=("one warning",),
        unreadable_pages=(3,),
    )
    vectors = (embedder or WordEmbedder()).encode([piece.searchable for piece in pieces])
    return document, reading, pieces, vectors


def prose(subject: str, sentences: int = 60) -> str:
    """Some thousand characters about one made-up subject."""
    return " ".join(f"Sentence {n} explains how {subject} works in case {n * 3}." for n in range(sentences))


__all__ = ["DIMENSION", "Made", "Table", "WordEmbedder", "made", "prose"]
