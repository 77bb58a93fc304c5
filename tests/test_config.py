"""The one Config: what the environment may say, and what it is told where that makes no sense."""

import pytest

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError


def test_the_environment_comes_after_the_defaults_and_before_overrides() -> None:
    env = {"MULTIDOC_RAG_K": "9", "MULTIDOC_RAG_REORDER": "no", "MULTIDOC_RAG_FALLBACK": "a, quotes", "HF_TOKEN": "t"}
    config = Config.from_env(env, fetch=50)
    assert (config.k, config.reorder, config.fallback, config.hf_token, config.fetch) == (
        9,
        False,
        ("a", "quotes"),
        "t",
        50,
    )
    assert Config.from_env({}) == Config()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CHUNK_SIZE", "abc", "MULTIDOC_RAG_CHUNK_SIZE is 'abc', which is not a int"),
        ("CHUNK_SIZE", "5", "chunk_size is 5; it must be 100 characters or more"),
        ("CHUNK_OVERLAP", "-1", "chunk_overlap is -1"),
        ("CONTEXT", "maybe", "MULTIDOC_RAG_CONTEXT is 'maybe'"),
        ("MODE", "psychic", "mode is 'psychic'; it must be one of dense, lexical, rrf, hybrid"),
        ("EMBEDDING_BACKEND", "cuda", "must be one of auto, openvino, torch"),
        ("EMBEDDING_BATCH", "0", "embedding_batch is 0; it must be a number above 0"),
        ("K", "-5", "k is -5; it must be a number above 0"),
        ("READ_SECONDS", "nan", "read_seconds is nan; it must be a number above 0"),
        ("TEMPERATURE", "inf", "temperature is inf; it must be a number 0 or more"),
        ("RETRIES", "-1", "retries is -1; it must be a number 0 or more"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(name: str, value: str, says: str) -> None:
    with pytest.raises(MultiDocError, match=says):
        Config.from_env({f"MULTIDOC_RAG_{name}": value})
