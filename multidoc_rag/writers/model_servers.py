"""Addresses of model servers, and what a server says about the models it has (GET /v1/models)."""

from __future__ import annotations

import ipaddress
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2

from multidoc_rag.config import Config
from multidoc_rag.errors import WriterRefused
from multidoc_rag.writers.llm_failures import MAPPED, MISSHAPEN, Place, explain

NO_KEY = "not-needed"
"""Sent where no key is configured: without any, InferenceClient would send the user's Hugging Face token."""

LISTING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server lists; `context_tokens` where it tells."""

    name: str
    context_tokens: int | None = None


def served_models(url: str, config: Config) -> tuple[ServedModel, ...]:
    """The models that GET /v1/models lists, in the server's order; raises WriterError."""
    url = normal_url(url)
    place = Place(f"The server at {shown_url(url)}", "", secrets=secrets_of(config))
    try:
        with httpx2.Client(timeout=LISTING_SECONDS, trust_env=not is_loopback(url)) as http:
            headers = {"authorization": f"Bearer {config.openai_api_key or NO_KEY}", "user-agent": "multidoc_rag"}
            with http.stream("GET", _models_url(url), headers=headers) as stream:
                response = _received(stream)
            response.raise_for_status()
            entries = json.loads(response.content)["data"]
            return tuple(ServedModel(str(entry["id"]), _context_tokens(entry)) for entry in entries)
    except MISSHAPEN as error:
        raise WriterRefused(f"{place.server} lists no models: check that it is OpenAI-compatible.") from error
    except MAPPED as error:
        raise explain(error, place, started=False).error from error


def _received(stream: httpx2.Response) -> httpx2.Response:
    """The whole response; raises ReadTimeout after LISTING_SECONDS, also where bytes keep trickling in."""
    until, content = time.monotonic() + LISTING_SECONDS, bytearray()
    for block in stream.iter_bytes():
        content += block
        if time.monotonic() > until:
            raise httpx2.ReadTimeout("the list of models did not end", request=stream.request)
    return httpx2.Response(stream.status_code, content=bytes(content), request=stream.request)


def _context_tokens(entry: dict[str, Any]) -> int | None:
    """What vLLM, OpenRouter, Groq, LM Studio and llama.cpp call the context length of a listed model."""
    meta = entry["meta"] if isinstance(entry.get("meta"), dict) else {}
    for value in (
        *(entry.get(key) for key in ("max_model_len", "context_length", "context_window", "max_context_length")),
        meta.get("n_ctx"),
    ):
        if isinstance(value, int) and value > 0:
            return value
    return None


# --- addresses ---------------------------------------------------------------------------------


def normal_url(address: str) -> str:
    """The address with a scheme and without `/chat/completions`; raises WriterRefused where it has no host."""
    address = address.strip()
    if "://" not in address:
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that make no sense
        usable = False
    if not usable:
        raise WriterRefused(f"'{address}' is no http address of a server: write it like http://localhost:11434.")
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return urlunsplit(parts._replace(path=path, fragment=""))


def shown_url(url: str) -> str:
    """The address without user, password, query and `/v1`: what may be shown and kept."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")).removesuffix("/v1")


def is_loopback(url: str) -> bool:
    """True for an address on this machine, which no proxy is asked for."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _models_url(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path if parts.path.endswith("/v1") else f"{parts.path}/v1"
    return urlunsplit(parts._replace(path=f"{path}/models"))


def secrets_of(config: Config) -> tuple[str, ...]:
    """The keys that no message may show."""
    return tuple(key for key in (config.openai_api_key, config.hf_token) if key)
