"""One frozen Config with every number of the program; the only reader of the environment.

Vary it with `dataclasses.replace(config, k=12)`. Names of environment variables: `MULTIDOC_RAG_` and the
field in capitals (`MULTIDOC_RAG_CHUNK_SIZE=600`), and for keys also `HF_TOKEN` and `OPENAI_API_KEY`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import RetrievalMode

PREFIX = "MULTIDOC_RAG_"
_MAY_BE_ZERO = (
    "chunk_overlap",
    "chunk_min",
    "context_size",
    "unmappable_share",
    "checkpoint_share",
    "rrf_constant",
    "fusion_constant",
    "lexical_weight",
    "document_decay",
    "temperature",
    "retries",
)
"""Numbers that may be 0; every other one is above it."""


@dataclass(frozen=True)
class Config:
    """Every setting, in the order of the pipeline. Sizes are characters unless the name says otherwise."""

    # reading
    max_file_mb: int = 512
    max_text_mb: int = 64
    max_pages: int = 5000
    read_seconds: float = 60.0
    read_memory_mb: int = 2048
    picture_megapixels: float = 8.0
    unmappable_share: float = 0.10
    ocr: bool = False

    # chunking (the paper: 800 / 150)
    chunk_size: int = 800
    chunk_overlap: int = 150
    chunk_min: int = 100
    chunk_strategy: Literal["fixed", "sentence"] = "fixed"
    table_size: int = 1200
    context: bool = True
    context_size: int = 120

    # embedding
    embedding_model: str = "all-MiniLM-L6-v2"
    embedding_backend: Literal["auto", "openvino", "torch"] = "auto"
    embedding_batch: int = 8
    model_downloads: bool = True  # a hub model that is not on this computer may be fetched
    cache_dir: str = ""  # converted models; empty: the user's cache folder

    # store
    checkpoint_share: float = 0.10
    piece_chunks: int = 256

    # retrieval (the paper: dense, k = 6)
    mode: RetrievalMode = "hybrid"
    k: int = 6
    fetch: int = 100
    rrf_constant: int = 60
    fusion_constant: int = 20
    lexical_weight: float = 1.5
    document_decay: float = 0.9
    passages_total: int = 24
    passages_documents: int = 8
    passages_per_document: int = 8
    passage_characters: int = 1000
    synthesis_documents: int = 2
    synthesis_passages: int = 2
    question_limit: int = 4000

    # prompting and writing (the paper: temperature 0.1, 800 tokens)
    llm: str = "quotes"
    fallback: tuple[str, ...] = ("quotes",)
    reorder: bool = True
    strict: bool = False
    temperature: float = 0.1
    max_tokens: int = 800
    context_tokens: int = 8192
    quotes_sentences: int = 12
    quotes_candidates: int = 96
    request_seconds: float = 60.0
    answer_seconds: float = 180.0
    retries: int = 3
    cache_replies: bool = True

    # checking
    entailment_model: str = ""  # a cross-encoder trained on entailment: its folder or hub id; empty: none
    entailment_batch: int = 16

    # keys: never printed, never part of the fingerprint
    hf_token: str = field(default="", repr=False)
    openai_api_key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.chunk_size < 100:
            raise MultiDocError(f"chunk_size is {self.chunk_size}; it must be 100 characters or more.")
        if not 0 <= self.chunk_overlap < self.chunk_size:
            raise MultiDocError(f"chunk_overlap is {self.chunk_overlap}; it must be 0 or more and below chunk_size.")
        for name, kind in _kinds().items():
            value = getattr(self, name)
            if get_origin(kind) is Literal:
                if value not in get_args(kind):
                    raise MultiDocError(f"{name} is {value!r}; it must be one of {', '.join(get_args(kind))}.")
            elif kind in (int, float) and not (math.isfinite(value) and value >= (0 if name in _MAY_BE_ZERO else 1e-9)):
                least = "0 or more" if name in _MAY_BE_ZERO else "above 0"
                raise MultiDocError(f"{name} is {value}; it must be a number {least}.")

    @classmethod
    def paper(cls) -> Config:
        """The settings of the report this project starts from: dense, k = 6, no context in front of chunks."""
        return cls(mode="dense", k=6, context=False)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Config:
        """Defaults, then the environment, then `overrides`; raises MultiDocError on a value of the wrong type."""
        env = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for item in fields(cls):
            text = env.get(PREFIX + item.name.upper())
            if text is not None:
                values[item.name] = _parse(item.name, text, getattr(cls, item.name))
        values.setdefault("hf_token", env.get("HF_TOKEN", ""))
        values.setdefault("openai_api_key", env.get("OPENAI_API_KEY", ""))
        return replace(cls(**values), **overrides)

    @property
    def cache_folder(self) -> Path:
        """Where converted models are kept: `cache_dir`, else `multidoc_rag` in the user's cache folder."""
        if self.cache_dir:
            return Path(self.cache_dir)
        if os.environ.get("XDG_CACHE_HOME"):
            base = Path(os.environ["XDG_CACHE_HOME"])
        elif sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        else:
            base = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
        return base / "multidoc_rag"

    @property
    def fingerprint(self) -> str:
        """First 12 hex digits of the SHA-256 of all settings but the keys and the cache's place."""
        private = ("hf_token", "openai_api_key", "cache_dir")
        public = {name: value for name, value in asdict(self).items() if name not in private}
        return hashlib.sha256(json.dumps(public, sort_keys=True).encode()).hexdigest()[:12]


@cache
def _kinds() -> dict[str, Any]:
    return get_type_hints(Config)


def _parse(name: str, text: str, default: Any) -> Any:
    """`text` as the type of `default`; raises MultiDocError naming the variable."""
    try:
        if isinstance(default, bool):
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.lower()]
        if isinstance(default, tuple):
            return tuple(part.strip() for part in text.split(",") if part.strip())
        return type(default)(text)
    except (KeyError, ValueError) as error:
        raise MultiDocError(
            f"{PREFIX}{name.upper()} is {text!r}, which is not a {type(default).__name__}: correct or unset it."
        ) from error


def runtime_environment() -> dict[str, str]:
    """The environment a worker process gets: this one, with what the heavy libraries would send home turned off."""
    return os.environ | {
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONIOENCODING": "utf-8",
    }
