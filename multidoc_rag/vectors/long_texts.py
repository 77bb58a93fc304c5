"""Texts longer than a model's limit: cut into windows of whole words whose vectors are averaged.

Measured with all-MiniLM-L6-v2 (`benchmarks/long_chunks.py`): where the answer stands behind the 256th token, cutting
finds .65 of it, windows .84, the model's untrained positions up to 512 .75.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

POLICY = "windows averaged 1"
"""Part of a model's fingerprint: another treatment of long texts gives other vectors."""

_WORD_ROOM = 16  # tokens a window gives up so that it can end where a word does


@dataclass(frozen=True, slots=True)
class Window:
    """A text, or a part of one, that fits the model; `owner` is the text's index."""

    owner: int
    text: str
    ids: list[int]


def windows(texts: Sequence[str], tokenizer: Any, limit: int, prompt: str = "") -> list[Window]:
    """One window for each text of up to `limit` tokens, several of like length for a longer one.

    `tokenizer` is a tokenizers.Tokenizer that neither pads nor truncates; `prompt` stands before every window.
    """
    found: list[Window] = []
    encodings = tokenizer.encode_batch_fast([prompt + text for text in texts])
    for owner, (text, encoding) in enumerate(zip(texts, encodings, strict=True)):
        if len(encoding.ids) <= limit:
            found.append(Window(owner, prompt + text, encoding.ids))
            continue
        room = max(limit - len(tokenizer.encode(prompt).ids), 2 * _WORD_ROOM)
        for part in _parts(text, tokenizer, room):
            found.append(Window(owner, prompt + part, tokenizer.encode(prompt + part).ids))
    return found


def average(vectors: np.ndarray, found: Sequence[Window], texts: int) -> np.ndarray:
    """Unit vectors of the texts, float32 (texts, dimension): windows weighted by their number of tokens."""
    if len(found) == texts:
        return vectors
    weights = np.array([[len(window.ids)] for window in found], dtype=np.float32)
    sums = np.zeros((texts, vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, [window.owner for window in found], vectors * weights)
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


def _parts(text: str, tokenizer: Any, room: int) -> list[str]:
    """The text in parts of at most `room` tokens, as equal as whole words allow."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    total, words = len(encoding.ids), encoding.word_ids
    count = -(-total // (room - _WORD_ROOM))
    cuts = [0]
    for number in range(1, count):
        token = number * total // count
        begin = token
        while begin > token - _WORD_ROOM and words[begin] is not None and words[begin] == words[begin - 1]:
            begin -= 1
        cuts.append(encoding.offsets[begin if words[begin] != words[begin - 1] else token][0])
    return [text[start:end] for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]
