"""Further wordings of a question: its own documents named in it, its parts, the question a follow-up leans on.

A question that names documents ("how does the Standard plan differ from Health Plus?") mostly matches their titles,
which stand in front of every chunk. So what is asked is searched once more without the names, inside each named
document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from multidoc_rag.language import content_words, fold, stem, words
from multidoc_rag.records import Document, Turn

NAMED = 0.5
"""Share of a document's distinctive name words that have to stand in a question for it to name the document."""

_POINTERS = {
    "it",
    "its",
    "they",
    "them",
    "their",
    "that",
    "this",
    "those",
    "these",
    "he",
    "she",
    "there",
    "one",
    "ones",
}
_POINTERS |= {"same", "such", "former", "latter"}
"""Words by which a question points back to the one before it."""


def named_documents(question: str, documents: Iterable[Document]) -> tuple[Document, ...]:
    """The documents that a question names, by words of their title or file name that few other documents share.

    All of them when every document is named, too: a question about all documents is a question about none in
    particular, so then nothing is returned.
    """
    asked = set(content_words(question))
    names = {document: _name_words(document) for document in documents}
    spread = Counter(word for found in names.values() for word in found)
    named = []
    for document, found in names.items():
        own = {word for word in found if spread[word] == 1}
        if own and len(own & asked) >= max(1, NAMED * len(own)):
            named.append(document)
    return tuple(named) if len(named) < len(names) else ()


def without_names(question: str, named: Sequence[Document]) -> str:
    """The question less the words of these documents' names; unchanged where fewer than one content word would be
    left."""
    dropped = {word for document in named for word in _name_words(document)}
    kept = [word for word in re.findall(r"\S+", question) if not (set(map(stem, words(word))) & dropped)]
    rest = " ".join(kept)
    return rest if content_words(rest) else question


def parts(question: str) -> tuple[str, ...]:
    """The questions inside a question of several sentences or clauses after semicolons; () for a plain one."""
    found = [part.strip() for part in re.split(r"(?<=[?;])\s+|\s*;\s*", question)]
    found = [part for part in found if len(content_words(part)) >= 2]
    return tuple(found[:3]) if len(found) > 1 else ()


def follow_up(question: str, earlier: Sequence[Turn]) -> tuple[str, ...]:
    """The question with the one before it in front, where it is too short or points back; () where it stands alone."""
    if not earlier:
        return ()
    if len(content_words(question)) > 4 and not _POINTERS & set(fold(question).split()):
        return ()
    return (f"{earlier[-1].question} {question}",)


def _name_words(document: Document) -> frozenset[str]:
    stems = content_words(f"{re.sub(r'[_.-]+', ' ', document.name.rsplit('.', 1)[0])} {document.title}")
    return frozenset(word for word in stems if not word.isdigit())
