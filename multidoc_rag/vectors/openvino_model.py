"""A sentence model compiled by OpenVINO: converted once from its own PyTorch graph, kept in the cache folder.

The conversion runs in a process of its own (`python -m multidoc_rag.vectors.openvino_model SOURCE TARGET`), so that the
program itself never holds PyTorch. It puts pooling and normalisation inside the graph and is kept only if
its vectors agree with those of sentence-transformers.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from multidoc_rag.config import runtime_environment
from multidoc_rag.vectors.long_texts import average, windows

CONVERSION = "1"
"""Raised when the conversion changes, so that older conversions are made again."""

AGREEMENT = 0.9999
"""Least cosine between converted and original vectors for a conversion to be kept."""

GROUP = 1024  # texts tokenised and sorted by length at a time; bounds the memory of a long document
LENGTH_STEP = 16  # batches are padded to a multiple of it: fewer shapes to compile kernels for
MAX_STREAMS = 8

# Short, wide, accented and longer, so that padding inside a batch is met; none as long as a model's limit.
SAMPLES = (
    "Employees accrue 25 days of annual leave.",
    "Qu'est-ce que le façonnage ? 年假为二十五天。",
    "The deductible of $1,500 applies to out-of-network care. " * 3,
)


class ConversionFailed(Exception):
    """The model cannot be used through OpenVINO; the message says why."""


def open_converted(source: Path, fingerprint: str, cache: Path) -> OpenVinoModel:
    """The converted form of the model in folder `source`, made and kept under `cache` where it is missing or damaged.

    Raises ConversionFailed (OpenVINO is absent, the model cannot be converted, or its vectors would disagree).
    """
    try:
        version = metadata.version("openvino")
    except metadata.PackageNotFoundError:
        raise ConversionFailed("the package 'openvino' is not installed") from None
    _openvino()
    kept = cache / "openvino" / f"{fingerprint[:20]}-{version}-{CONVERSION}"
    if not _is_whole(kept):
        try:
            _convert_into(source, kept)
        except OSError as error:
            raise ConversionFailed(f"the converted model could not be written to {kept.parent} ({error})") from error
    return OpenVinoModel(kept)


def _is_whole(folder: Path) -> bool:
    """Whether the manifest, which is written last, is there and every file has the hash it names."""
    try:
        files: dict[str, str] = json.loads((folder / "manifest.json").read_text())["files"]
        return all(_sha256(folder / name) == expected for name, expected in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _convert_into(source: Path, kept: Path) -> None:
    """Convert in a process of its own, into a folder beside `kept` that then takes its place in one step."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="converting-", dir=kept.parent))
    try:
        environment = runtime_environment()
        roots = [str(Path(__file__).parents[2]), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, roots))
        command = [sys.executable, "-m", __name__, str(source), str(fresh)]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
        except subprocess.TimeoutExpired:
            raise ConversionFailed("the conversion took longer than 15 minutes") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise ConversionFailed(lines[-1] if lines else f"the conversion ended with status {done.returncode}")
        if kept.exists() and not _is_whole(kept):
            shutil.rmtree(kept)
        try:
            fresh.rename(kept)
        except OSError:
            if not _is_whole(kept):  # else another process was first, and its conversion serves as well
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


# --- the conversion, in its own process ---------------------------------------------------------


def convert(source: Path, target: Path) -> None:
    """Write graph, tokenizer and manifest of the sentence-transformers model in `source` into folder `target`."""
    openvino = _openvino()
    import torch
    from sentence_transformers import SentenceTransformer

    # The eager attention has no branch on the mask's content that tracing would freeze.
    model = SentenceTransformer(
        str(source), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
    ).eval()

    class Graph(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            features = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
            return torch.nn.functional.normalize(features["sentence_embedding"], dim=1)

    example = model.tokenizer(list(SAMPLES[:2]), padding=True, return_tensors="pt")
    with torch.no_grad():
        graph = openvino.convert_model(Graph(), example_input=(example["input_ids"], example["attention_mask"]))
    graph.reshape({name: openvino.PartialShape([-1, -1]) for name in graph.inputs})
    openvino.save_model(graph, target / "model.xml", compress_to_fp16=True)
    model.tokenizer.backend_tokenizer.save(str(target / "tokenizer.json"))

    prompts = {name: text or "" for name, text in model.prompts.items()}
    default = prompts.get(model.default_prompt_name or "", "")
    manifest: dict[str, Any] = {
        "source": source.name,
        "dimension": model.get_embedding_dimension(),
        "max_length": min(model.max_seq_length or 512, 512),
        "query_prompt": prompts.get("query") or default,
        "document_prompt": prompts.get("document") or prompts.get("passage") or default,
        "files": {name: _sha256(target / name) for name in ("model.xml", "model.bin", "tokenizer.json")},
    }
    _write_manifest(target, manifest)

    converted = OpenVinoModel(target)
    original = model.encode_document(list(SAMPLES), normalize_embeddings=True)
    ids = [window.ids for window in windows(SAMPLES, converted.tokenizer, 512, manifest["document_prompt"])]
    ours = converted.vectors([row[: converted.max_length] for row in ids], exact=True)
    agreement = float((original * ours).sum(axis=1).min())
    if not agreement >= AGREEMENT:
        raise ConversionFailed(f"its converted vectors disagree with sentence-transformers (cosine {agreement:.5f})")
    _write_manifest(target, manifest | {"agreement": agreement})


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _openvino() -> Any:
    """OpenVINO, without the module that reports every import and conversion to an analytics host."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    try:
        import openvino
    except ImportError as error:
        raise ConversionFailed(f"OpenVINO cannot be loaded ({error})") from error
    return openvino


# --- the compiled model -------------------------------------------------------------------------


class OpenVinoModel:
    """Texts to unit vectors through the converted graph; needs `openvino` and `tokenizers`, never PyTorch."""

    def __init__(self, folder: Path) -> None:
        """Load the tokenizer; the graph is compiled at the first text, once for documents and once for queries."""
        from tokenizers import Tokenizer

        self._folder = folder
        self._manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
        self.dimension: int = self._manifest["dimension"]
        self.max_length: int = self._manifest["max_length"]
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self._compiled: dict[bool, Any] = {}
        self._lock = threading.Lock()
        self._busy = {False: threading.Lock(), True: threading.Lock()}
        # One stream a core beats all cores on one batch; a stream has its own buffers, which is why batches are small.
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.streams = min(cores, MAX_STREAMS)

    def encode(self, texts: Sequence[str], *, batch: int) -> np.ndarray:
        """Unit vectors of document texts, float32 (len(texts), dimension), in the CPU's fastest precision."""
        prompt = self._manifest["document_prompt"]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), GROUP):
            group = texts[start : start + GROUP]
            vectors[start : start + len(group)] = self._encode(group, prompt, batch=batch)
        return vectors

    def encode_query(self, text: str) -> np.ndarray:
        """Unit vector of a question, float32 (dimension,), computed in float32 whatever the CPU prefers."""
        vector: np.ndarray = self._encode([text], self._manifest["query_prompt"], exact=True)[0]
        return vector

    def _encode(self, texts: Sequence[str], prompt: str, *, batch: int = 8, exact: bool = False) -> np.ndarray:
        found = windows(texts, self.tokenizer, self.max_length, prompt)
        vectors = self.vectors([window.ids[: self.max_length] for window in found], batch=batch, exact=exact)
        return average(vectors, found, len(texts))

    def vectors(self, ids: Sequence[Sequence[int]], *, batch: int = 8, exact: bool = False) -> np.ndarray:
        """Unit vectors of token id sequences, float32 (len(ids), dimension), longest first through the model.

        `exact` computes in float32; otherwise the CPU's bf16 is used where it has it, and a vector depends (by less
        than 1e-3) on the texts that share its batch.
        """
        compiled = self.compiled(exact)
        # Two threads in one compiled graph can stop each other for good: one holds Python's lock and waits for the
        # graph, which the other's inference holds while it waits for Python's lock to let go of its arrays.
        with self._busy[exact]:
            return self._inferred(compiled, ids, batch, 1 if exact else self.streams)

    def _inferred(self, compiled: Any, ids: Sequence[Sequence[int]], batch: int, streams: int) -> np.ndarray:
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        requests = [compiled.create_infer_request() for _ in range(streams)]
        running: list[list[int]] = [[] for _ in requests]

        def collect(slot: int) -> None:
            requests[slot].wait()
            vectors[running[slot]] = requests[slot].get_output_tensor().data
            running[slot] = []

        # a few texts are spread over all streams, two batches each, so that no core waits for another
        size = min(batch, max(2, -(-len(ids) // (2 * streams))))
        for number, (rows, tokens, mask) in enumerate(batches(ids, size, self.max_length)):
            slot = number % len(requests)
            if running[slot]:
                collect(slot)
            requests[slot].start_async([tokens, mask])
            running[slot] = rows
        for slot, rows in enumerate(running):
            if rows:
                collect(slot)
        return vectors

    def compiled(self, exact: bool = False) -> Any:
        """The graph compiled for throughput over documents, or for one exact query at a time."""
        with self._lock:
            if exact not in self._compiled:
                settings: dict[str, Any] = {"NUM_STREAMS": 1 if exact else self.streams}
                if exact:
                    settings["INFERENCE_PRECISION_HINT"] = "f32"
                try:
                    model = _openvino().compile_model(self._folder / "model.xml", "CPU", settings)
                except RuntimeError as error:
                    raise ConversionFailed(f"OpenVINO cannot compile it ({str(error).splitlines()[-1]})") from error
                self._compiled[exact] = model
            return self._compiled[exact]


def batches(ids: Sequence[Sequence[int]], batch: int, limit: int) -> Iterator[tuple[list[int], np.ndarray, np.ndarray]]:
    """Rows, padded token ids and attention mask of batches of like lengths; padding goes to `limit` at most."""
    order = sorted(range(len(ids)), key=lambda row: -len(ids[row]))
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        longest = len(ids[rows[0]])
        width = max(longest, min(-(-longest // LENGTH_STEP) * LENGTH_STEP, limit))
        tokens = np.zeros((len(rows), width), dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for line, row in enumerate(rows):
            tokens[line, : len(ids[row])] = ids[row]
            mask[line, : len(ids[row])] = 1
        yield rows, tokens, mask


if __name__ == "__main__":
    try:
        convert(Path(sys.argv[1]), Path(sys.argv[2]))
    except ConversionFailed as failure:
        sys.exit(str(failure))
