"""What a document is about, in a few of its own sentences, found without a model.

The chunks nearest to the mean of all the document's vectors are its centre (centroid summaries, Radev et al. 2004);
from each the sentence that shares most with the document's own frequent words is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from multidoc_rag.language import content_words, sentence_spans
from multidoc_rag.records import Chunk

SENTENCES = 3
_SHORTEST, _LONGEST = 40, 400


def summary(chunks: Sequence[Chunk], vectors: np.ndarray, language: str = "en") -> tuple[str, np.ndarray | None]:
    """Up to three sentences in the document's order, and its unit vector, float32, shape (dimension,).

    `vectors` are the chunks' own, shape (len(chunks), dimension). ("", None) for a document without chunks.
    """
    if not chunks:
        return "", None
    mean = vectors.mean(axis=0, dtype=np.float32)
    centre = mean / max(float(np.linalg.norm(mean)), 1e-9)
    nearness = vectors @ centre
    prose = [i for i in np.argsort(-nearness, kind="stable").tolist() if chunks[i].kind == "text"]
    frequent = Counter(word for i in prose[:50] for word in set(content_words(chunks[i].text, language or "en")))
    chosen: dict[int, str] = {}
    for i in prose:
        sentence = _best_sentence(chunks[i].text, frequent, language or "en")
        if sentence and sentence not in chosen.values():
            chosen[chunks[i].start] = sentence
        if len(chosen) == SENTENCES:
            break
    return " ".join(chosen[start] for start in sorted(chosen)), centre.astype(np.float32)


def _best_sentence(text: str, frequent: Counter[str], language: str) -> str:
    """The whole sentence of a passage whose words are most at home in the document, "" without a fitting one."""
    best, best_score = "", 0.0
    spans = sentence_spans(text, language)
    # the first and the last may be cut by the chunk's edges
    for start, end in spans[1:-1] or spans:
        sentence = " ".join(text[start:end].split())
        if not _SHORTEST <= len(sentence) <= _LONGEST or sentence[-1] not in ".!?。！？":
            continue
        words = set(content_words(sentence, language))
        score = sum(frequent[word] for word in words) / (len(words) + 5)
        if score > best_score:
            best, best_score = sentence, score
    return best
