"""BM25 over a collection's chunks (tantivy), kept in step with SQLite.

The index says by itself what it holds: chunks are counted by document number and compared with the truth, so
it is caught up after anything that happened, also a kill between SQLite's commit and tantivy's. Each of its
files ends with a CRC-32 of its content, which `damage` checks. Two fields: the chunk's context (title, section)
and its text, both as `language.lexical_terms` gives them, stemmed as English.
"""

from __future__ import annotations

import json
import shutil
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from multidoc_rag import language

HEAP_BYTES = 32_000_000
_FOOTER_MAGIC = 1337
_MAX_DOCUMENTS = 65_000  # tantivy's bound on the buckets of one count

Rows = Callable[[int], Iterable[tuple[int, str, str]]]
"""Document number -> (chunk id, context, text) of its chunks."""


class LexicalIndex:
    """One tantivy index, on disk or (folder None) in memory. Writers need a lock of their own: `Store` holds it."""

    def __init__(self, folder: Path | None) -> None:
        """Opens or makes the index; a damaged one raises ValueError (see `damage`), which `rebuilt` cures."""
        import tantivy

        self._tantivy = tantivy
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            fault = damage(folder)
            if fault:
                raise ValueError(fault)
        self._index: Any = tantivy.Index(_schema(), path=None if folder is None else str(folder))
        # words come separated by blanks; accents are folded because people leave them out of questions
        analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
        for step in (tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold(), tantivy.Filter.stemmer("english")):
            analyzer = analyzer.filter(step)
        self._index.register_tokenizer("terms", analyzer.build())
        self._searcher: Any = self._index.searcher()

    @classmethod
    def rebuilt(cls, folder: Path) -> LexicalIndex:
        """An empty index in place of whatever lies in the folder."""
        shutil.rmtree(folder, ignore_errors=True)
        return cls(folder)

    def reload(self) -> None:
        """Sees what another process has committed."""
        self._index.reload()
        self._searcher = self._index.searcher()

    def counts(self) -> dict[int, int]:
        """Chunks held, by document number."""
        request = {"documents": {"terms": {"field": "number", "size": _MAX_DOCUMENTS}}}
        found = self._searcher.aggregate(self._tantivy.Query.all_query(), request)["documents"]["buckets"]
        return {int(bucket["key"]): int(bucket["doc_count"]) for bucket in found}

    def catch_up(self, truth: Mapping[int, int], rows: Rows) -> int:
        """Makes the index hold exactly `truth` (chunks by document number); returns the number of documents changed.

        One commit at the end: a kill before it leaves the index as it was. Raises ValueError when it cannot be written.
        """
        self.reload()
        held = self.counts()
        wanted = {number: count for number, count in truth.items() if count}
        wrong = [number for number, count in held.items() if wanted.get(number) != count]
        missing = [number for number, count in wanted.items() if held.get(number) != count]
        if not wrong and not missing:
            return 0
        writer = self._index.writer(HEAP_BYTES, 1)
        for number in wrong:
            writer.delete_documents_by_term("document", str(number))
        for number in sorted(missing):
            for chunk_id, context, text in rows(number):
                values = {
                    "id": [chunk_id],
                    "number": [number],
                    "document": [str(number)],
                    "context": [language.lexical_terms(context)],
                    "body": [language.lexical_terms(text)],
                }
                writer.add_document(self._tantivy.Document.from_dict(values, self._index.schema))
        writer.commit()
        writer.wait_merging_threads()
        self.reload()
        return len({*wrong, *missing})

    def search(self, question: str, k: int, numbers: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """(chunk id, BM25) of the k best for any of the question's words, best first, among these document numbers."""
        # in double quotes a word can be no operator; words hold neither quotes nor backslashes
        terms = dict.fromkeys(language.lexical_terms(question).split())
        if not terms or k <= 0 or (numbers is not None and not numbers):
            return []
        quoted = " ".join(f'"{term}"' for term in terms)
        query = self._index.parse_query(quoted, ["context", "body"])
        if numbers is not None:
            query_type, must = self._tantivy.Query, self._tantivy.Occur.Must
            chosen = query_type.term_set_query(self._index.schema, "document", [str(number) for number in numbers])
            query = query_type.boolean_query([(must, query), (must, query_type.const_score_query(chosen, 0.0))])
        searcher = self._searcher
        hits = searcher.search(query, k, count=False).hits
        ids = searcher.fast_field_values("id", [address for _, address in hits])
        # equal scores come in the order of tantivy's segments, which differs from run to run
        return sorted(zip(map(int, ids), (score for score, _ in hits), strict=True), key=lambda hit: (-hit[1], hit[0]))


def damage(folder: Path) -> str:
    """What is wrong with the files of an index, "" when they are whole (or there is none yet)."""
    meta = folder / "meta.json"
    if not meta.exists():
        return "meta.json is missing" if any(folder.glob("*.idx")) else ""
    try:
        segments = json.loads(meta.read_bytes())["segments"]
        names = [str(segment["segment_id"]).replace("-", "") for segment in segments]
    except (ValueError, KeyError, TypeError, OSError) as error:
        return f"meta.json cannot be read ({error})"
    for name in names:
        files = sorted(folder.glob(f"{name}.*"))
        if not files:
            return f"segment {name} is missing"
        for path in files:
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue  # a writer is just replacing it
            if not _whole(data):
                return f"the checksum of {path.name} is wrong"
    return ""


def _whole(data: bytes) -> bool:
    """Whether a tantivy file agrees with its footer: content, JSON with its CRC-32, length of that, a magic number."""
    if len(data) < 8:
        return False
    length, magic = struct.unpack("<II", data[-8:])
    if magic != _FOOTER_MAGIC or length > len(data) - 8:
        return False
    end = len(data) - 8 - length
    try:
        crc = json.loads(data[end:-8])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(crc == zlib.crc32(memoryview(data)[:end]))


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", fast=True)
    builder.add_unsigned_field("number", fast=True)
    # removal needs an indexed raw text: by an unsigned field it silently removes nothing
    builder.add_text_field("document", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("context", tokenizer_name="terms", index_option="freq")
    builder.add_text_field("body", tokenizer_name="terms", index_option="freq")
    return builder.build()
