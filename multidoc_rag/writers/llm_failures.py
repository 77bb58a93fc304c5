"""What can go wrong while a language model's server answers, said in one sentence each.

The exceptions are huggingface_hub's and httpx2's; the table is complete for what InferenceClient 2.4 raises.
"""

from __future__ import annotations

import email.utils
import json
import re
import socket
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass

import httpx2
from huggingface_hub.errors import (
    GenerationError,
    HfHubHTTPError,
    IncompleteGenerationError,
    InferenceTimeoutError,
    OfflineModeIsEnabled,
    OverloadedError,
    TextGenerationError,
    ValidationError,
)

from multidoc_rag.errors import (
    WriterBusy,
    WriterCutOff,
    WriterError,
    WriterRefused,
    WriterTimeout,
    WriterUnreachable,
)

MAPPED = (httpx2.HTTPError, httpx2.InvalidURL, TextGenerationError, OSError, ValueError)
"""What `explain` knows: catch these, let anything else pass as the bug it is."""

MISSHAPEN = (ValueError, KeyError, IndexError, TypeError, AttributeError)
"""What a reply of the wrong shape makes of the client that reads it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whom we ask: `server` as a user knows it (without keys), the model's name, and what must never be shown."""

    server: str
    model: str
    hosted: bool = False
    secrets: tuple[str, ...] = ()

    def clean(self, text: str, limit: int = 300) -> str:
        """`text` on one line, without secrets, cut at `limit` characters."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        text = " ".join(text.split())
        return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Failure:
    """The error for the user, whether asking again can help, and how long the server wants us to wait."""

    error: WriterError
    again: bool = False
    wait: float | None = None


def explain(error: BaseException, place: Place, *, started: bool) -> Failure:
    """The failure that `error` means; `started` tells that part of the reply is out already."""
    if isinstance(error, WriterTimeout):
        return Failure(error, again=True)
    if isinstance(error, WriterError):
        return Failure(error)
    if isinstance(error, HfHubHTTPError | httpx2.HTTPStatusError):
        return _status(error.response, place)
    if isinstance(error, TextGenerationError):
        return _event(error, place)
    if isinstance(error, OfflineModeIsEnabled):
        return Failure(WriterUnreachable(_offline(place)))
    if isinstance(error, httpx2.ConnectTimeout):
        return Failure(
            WriterUnreachable(f"{place.server} could not be reached in time: check the address and the network."), True
        )
    if isinstance(error, httpx2.TimeoutException | InferenceTimeoutError):
        when = "fell silent in the middle of its answer" if started else "did not begin to answer in time"
        return Failure(
            WriterTimeout(f"{place.server} {when}: try again, choose a faster model or raise request_seconds."), True
        )
    if isinstance(error, httpx2.ConnectError):
        return _connection(error, place)
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return Failure(WriterRefused(f"{place.server} is not an address that can be asked: {place.clean(str(error))}"))
    if isinstance(error, httpx2.DecodingError):
        return Failure(nonsense(place))
    if isinstance(error, httpx2.TransportError):
        if started:
            return Failure(WriterCutOff(f"{place.server} broke the connection in the middle of its answer: ask again."))
        return Failure(WriterUnreachable(f"{place.server} closed the connection without answering: ask again."), True)
    if isinstance(error, ValueError):
        return Failure(WriterRefused(f"{place.server} cannot be asked for '{place.model}': {place.clean(str(error))}"))
    return Failure(WriterUnreachable(f"{place.server} could not be asked: {place.clean(str(error))}"))


def nonsense(place: Place) -> WriterCutOff:
    """The error for a reply that is none."""
    return WriterCutOff(
        f"{place.server} sent something that is not a chat reply: check that the address leads to an "
        "OpenAI-compatible server."
    )


def _offline(place: Place) -> str:
    return f"{place.server} was not asked because HF_HUB_OFFLINE is set: unset it or choose a local model."


def _connection(error: httpx2.ConnectError, place: Place) -> Failure:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            message = f"{place.server} was not found: check the address for a slip and that there is a network."
            return Failure(WriterUnreachable(message))
        if isinstance(cause, ssl.SSLError):
            message = f"{place.server} has no valid certificate, or does not speak https: check http or https."
            return Failure(WriterUnreachable(message))
        cause = cause.__cause__ or cause.__context__
    if place.hosted:
        message = f"{place.server} could not be reached: check the network connection."
    else:
        message = f"{place.server} cannot be reached: is Ollama, vLLM or another server running there?"
    return Failure(WriterUnreachable(message), again=True)


def _status(response: httpx2.Response, place: Place) -> Failure:
    status = response.status_code
    said = _server_message(response, place)
    tail = f" It said: {said}" if said else ""
    if status in (408, 504):
        return Failure(WriterTimeout(f"{place.server} ran out of time ({status}): try again or later.{tail}"), True)
    if status == 429 or status >= 500:
        what = "limits how often it can be asked" if status == 429 else "is overloaded or broken"
        wait = retry_after(response.headers.get("retry-after", ""))
        return Failure(WriterBusy(f"{place.server} {what} ({status}): wait and ask again.{tail}"), True, wait)
    if 300 <= status < 400:
        target = place.clean(response.headers.get("location", "an address it does not name"))
        message = f"{place.server} sends us on to {target}: use that address if you trust it."
    elif status == 401:
        which = "HF_TOKEN" if place.hosted else "OPENAI_API_KEY"
        message = f"{place.server} does not accept the key (401): check {which} in the settings.{tail}"
    elif status == 402:
        message = f"{place.server} wants payment (402): the account's credits are used up; choose another model.{tail}"
    elif status == 403:
        message = f"{place.server} does not allow '{place.model}' with this key (403): check its rights.{tail}"
    elif status in (404, 405):
        message = (
            f"{place.server} does not know the model '{place.model}' ({status}): check the name and address.{tail}"
        )
    elif re.search(r"context|too long|too many tokens|maximum.{0,20}length", said, re.IGNORECASE) or status == 413:
        message = (
            f"The question with its passages is longer than '{place.model}' reads ({status}): choose fewer "
            f"documents, a model with a longer context, or a lower context_tokens.{tail}"
        )
    else:
        message = f"{place.server} refused the request for '{place.model}' ({status}): check model and settings.{tail}"
    return Failure(WriterRefused(message))


def _event(error: TextGenerationError, place: Place) -> Failure:
    """An error event inside the stream; its payload may be a sentence or an object with a code."""
    payload = error.args[0] if error.args else ""
    code = payload.get("code") if isinstance(payload, dict) else None
    said = place.clean(_sentence(payload))
    if isinstance(error, OverloadedError) or str(code) in ("429", "500", "502", "503", "504"):
        return Failure(WriterBusy(f"{place.server} is overloaded: wait and ask again. It said: {said}"), True)
    if isinstance(error, ValidationError) or str(code) in ("400", "401", "402", "403", "404", "422"):
        return Failure(WriterRefused(f"{place.server} refused the request: check model and settings. It said: {said}"))
    when = "stopped early" if isinstance(error, IncompleteGenerationError) else "failed"
    doing = "generating" if isinstance(error, GenerationError) else "answering"
    return Failure(WriterCutOff(f"{place.server} {when} while {doing}: ask again. It said: {said or 'nothing'}"))


def _server_message(response: httpx2.Response, place: Place) -> str:
    """The server's own words, "" when it sent none or a page of HTML."""
    try:
        text = response.text
    except httpx2.StreamError:  # the body was never read
        return ""
    try:
        said = _sentence(json.loads(text))
    except ValueError:
        said = "" if text.lstrip().startswith("<") else text
    return place.clean(said)


def _sentence(payload: object) -> str:
    """The message inside the shapes servers use: {"error": {"message": ...}}, {"error": ...}, {"detail": ...}."""
    if isinstance(payload, dict):
        for key in ("error", "message", "detail"):
            if payload.get(key):
                return _sentence(payload[key])
        return json.dumps(payload)
    if isinstance(payload, Sequence) and not isinstance(payload, str):
        return "; ".join(_sentence(item) for item in payload)
    return str(payload)


def retry_after(value: str) -> float | None:
    """Seconds that a Retry-After header asks for (a number or an HTTP date), None where it says nothing usable."""
    value = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())
