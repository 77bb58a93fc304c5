"""Multi-document question answering with evidence, on your own machine.

The public names, grouped by stage. Importing this package stays light: a name loads its module on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multidoc_rag.answers.assistant import Assistant, answer_json
    from multidoc_rag.answers.reasoner import MultiDocReasoner
    from multidoc_rag.config import Config
    from multidoc_rag.errors import MultiDocError
    from multidoc_rag.files.chunking import chunk
    from multidoc_rag.files.reading import Reader
    from multidoc_rag.library import Library
    from multidoc_rag.questions.routing import classify
    from multidoc_rag.vectors.embedding import load_embedder
    from multidoc_rag.writers.llm import ScriptedLLM, open_writer

__version__ = "0.1.0"

_HOMES = {
    # settings and errors
    "Config": "config",
    "MultiDocError": "errors",
    # a file becomes chunks and vectors
    "Reader": "files.reading",
    "chunk": "files.chunking",
    "load_embedder": "vectors.embedding",
    # a folder becomes a library
    "Library": "library",
    # a question becomes an answer
    "classify": "questions.routing",
    "MultiDocReasoner": "answers.reasoner",
    "open_writer": "writers.llm",
    "ScriptedLLM": "writers.llm",
    "Assistant": "answers.assistant",
    "answer_json": "answers.assistant",
}

__all__ = [
    "Assistant",
    "Config",
    "Library",
    "MultiDocError",
    "MultiDocReasoner",
    "Reader",
    "ScriptedLLM",
    "answer_json",
    "chunk",
    "classify",
    "load_embedder",
    "open_writer",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
