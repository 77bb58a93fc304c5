"""Language models behind a server: Hugging Face's providers and endpoints, and anything OpenAI-compatible."""

from __future__ import annotations

import contextlib
import json
import logging
import random
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import httpx2
from huggingface_hub import InferenceClient, constants, get_token
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined]

from multidoc_rag.config import Config
from multidoc_rag.errors import WriterCutOff, WriterError, WriterRefused, WriterUnreachable
from multidoc_rag.records import Message
from multidoc_rag.writers.llm_failures import MAPPED, MISSHAPEN, Failure, Place, explain, nonsense
from multidoc_rag.writers.model_servers import NO_KEY, is_loopback, normal_url, secrets_of, served_models, shown_url
from multidoc_rag.writers.replies import BEAT_SECONDS, Ending, Piece, Reply, Source, WithoutThoughts

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0

Pause = Callable[[float], object]
"""Waits so many seconds."""


class ServedWriter:
    """A writer whose model runs behind a URL. Make one with `HubWriter` or `OpenAIWriter`.

    Requests are retried with exponential backoff while nothing has been written: on 429, 5xx, time-outs and
    connection errors, honouring Retry-After up to 30 seconds. `pause` replaces the waiting in tests.
    """

    def __init__(
        self,
        name: str,
        place: Place,
        config: Config,
        *,
        url: str = "",
        model: str = "",
        key: str = NO_KEY,
        provider: Any = None,
        notice: str = "",
        pause: Pause | None = None,
    ) -> None:
        self.name = name
        self.notice = notice
        self._place = place
        self._config = config
        self._url = url
        self._model = model
        self._key = key
        self._provider = provider
        self._text_to_text = False  # until an endpoint shows that it has no chat route
        self._pause = pause

    def __repr__(self) -> str:
        return f"ServedWriter({self.name})"

    @property
    def context_tokens(self) -> int:
        """Tokens the model reads: what the server says, else Config.context_tokens. Asks once, at most 5 seconds."""
        return self._context_tokens

    @cached_property
    def _context_tokens(self) -> int:
        if self._place.hosted or not self._url:
            return self._config.context_tokens
        try:
            listed = served_models(self._url, self._config)
        except WriterError as error:
            logger.info("context length not known, %d tokens assumed: %s", self._config.context_tokens, error)
            return self._config.context_tokens
        told = {model.name: model.context_tokens for model in listed}
        return told.get(self._model) or self._config.context_tokens

    def stream(self, messages: Sequence[Message], *, temperature: float, max_tokens: int) -> Reply:
        """The reply as it is written. Iterating raises WriterError; nothing is sent before the first `next`."""
        asked = [{"role": message.role, "content": message.content} for message in messages]

        def write(ending: Ending) -> Iterator[str]:
            return self._write(ending, asked, temperature, max_tokens)

        return Reply(write)

    # --- one reply: attempts, then pieces ------------------------------------------------------

    def _write(
        self, ending: Ending, messages: list[dict[str, str]], temperature: float, max_tokens: int
    ) -> Iterator[str]:
        deadline = time.monotonic() + self._config.answer_seconds
        for attempt in range(self._config.retries + 1):
            thoughts, started, finished = WithoutThoughts(), False, ""
            source = Source(lambda source: self._request(source, messages, temperature, max_tokens))
            ending.when_closed(source.stop)
            limit = self._config.request_seconds
            try:
                for piece in source.pieces(self._place.server, first=limit, between=limit, deadline=deadline):
                    finished = finished or piece.finish_reason
                    shown = thoughts.feed(piece.text)
                    started = started or bool(shown.strip())
                    yield shown if started else ""
                if ending.closed.is_set():
                    return
                if rest := thoughts.finish():
                    started = started or bool(rest.strip())
                    yield rest
                self._check_whole(started, finished, thoughts.thinking)
                ending.finish(finished)
                return
            except (*MAPPED, WriterError) as error:
                if ending.closed.is_set():
                    return
                failure = explain(error, self._place, started=started)
                wait = self._wait(failure, attempt, deadline)
                if started or wait is None:
                    if failure.error is error:
                        raise
                    raise failure.error from error
                logger.info("attempt %d failed, next in %.1f s: %s", attempt + 1, wait, failure.error)
            yield from self._rest(ending, wait)
            if ending.closed.is_set():
                return

    def _rest(self, ending: Ending, seconds: float) -> Iterator[str]:
        """Wait before the next attempt, in beats, ended at once by closing the reply."""
        if self._pause is not None:
            self._pause(seconds)
            return
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not ending.closed.wait(min(left, BEAT_SECONDS)):
            yield ""

    def _wait(self, failure: Failure, attempt: int, deadline: float) -> float | None:
        """Seconds before the next attempt, None where there shall be none."""
        if not failure.again or attempt >= self._config.retries:
            return None
        backoff = FIRST_PAUSE * 2**attempt * random.uniform(1.0, 1.5)
        wait = backoff if failure.wait is None else failure.wait
        return wait if wait <= min(LONGEST_PAUSE, deadline - time.monotonic()) else None

    def _check_whole(self, started: bool, finished: str, thinking: bool) -> None:
        """Raises WriterCutOff for a reply that is empty or lacks its end."""
        server = self._place.server
        if not finished and started:
            raise WriterCutOff(f"{server} ended its answer in the middle: ask again.")
        if not started and (thinking or finished == "length"):
            raise WriterCutOff(f"'{self._place.model}' used up its tokens before it wrote an answer: raise max_tokens.")
        if not started:
            raise WriterCutOff(
                f"{server} sent an empty answer: ask again, with fewer documents if the prompt may be longer than it "
                "reads, or choose another model."
            )

    # --- one request: runs in the source's thread ----------------------------------------------

    def _request(self, source: Source, messages: list[dict[str, str]], temperature: float, max_tokens: int) -> None:
        if not self._url and constants.is_offline_mode():
            raise WriterUnreachable(
                f"{self._place.server} was not asked because HF_HUB_OFFLINE is set: unset it or use a local model."
            )
        with self._connect(source) as connection:
            if not self._text_to_text:
                try:
                    self._chat(connection, source, messages, temperature, max_tokens)
                    return
                except StopIteration:  # what the library lets out when the list of providers is empty
                    raise WriterRefused(
                        f"No Hugging Face provider serves '{self._model}': check the name or choose another model."
                    ) from None
                except HfHubHTTPError as error:
                    if not (self._url and self._place.hosted and error.response.status_code in (404, 405, 422)):
                        raise
                    logger.info("%s has no chat route: asking it for plain text generation", self._place.server)
        with self._connect(source) as connection:
            self._generate(connection, source, messages, temperature, max_tokens)
            self._text_to_text = True

    def _connect(self, source: Source) -> _Connection:
        return _Connection(
            source,
            httpx2.Timeout(self._config.request_seconds, connect=min(CONNECT_SECONDS, self._config.request_seconds)),
            model=self._url or self._model,
            provider=self._provider,
            api_key=self._key,
            headers={"user-agent": "multidoc_rag"},
        )

    def _chat(
        self,
        connection: _Connection,
        source: Source,
        messages: list[dict[str, str]],
        temperature: float,
        max_tokens: int,
    ) -> None:
        """Emit a chat completion's pieces; reasoning fields are passed on as signs of life only."""
        chunks = connection.chat_completion(
            messages, model=self._model or None, stream=True, temperature=temperature, max_tokens=max_tokens
        )
        for piece in self._pieces(chunks):
            if not source.emit(piece) or piece.finish_reason:
                return
        if connection.said_done:
            source.emit(Piece("", "stop"))

    def _pieces(self, chunks: Iterable[Any]) -> Iterator[Piece]:
        """What the chunks hold; raises WriterCutOff at one that is none."""
        try:
            for chunk in chunks:
                for choice in (chunk.choices or ())[:1]:
                    content = choice.delta.content if choice.delta else None
                    yield Piece(_text(content), choice.finish_reason or "")
        except MISSHAPEN as error:
            raise nonsense(self._place) from error

    def _generate(
        self,
        connection: _Connection,
        source: Source,
        messages: list[dict[str, str]],
        temperature: float,
        max_tokens: int,
    ) -> None:
        """Emit a text2text endpoint's answer, which comes in one piece (google/flan-t5-large and its like)."""
        prompt = "\n\n".join(message["content"] for message in messages)
        sampling = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
        try:
            answer = connection.text_generation(prompt, model=self._url, max_new_tokens=max_tokens, **sampling)  # type: ignore[call-overload]
        except MISSHAPEN as error:
            raise nonsense(self._place) from error
        source.emit(Piece(str(answer), "stop"))


def HubWriter(rest: str, config: Config, *, pause: Pause | None = None) -> ServedWriter:  # noqa: N802 - reads as a class
    """A model on Hugging Face: `MODEL`, `MODEL:PROVIDER`, or the https address of an endpoint of one's own."""
    token = config.hf_token or get_token() or ""
    secrets = (token,) if token else ()
    if rest.startswith(("http://", "https://")):
        url = normal_url(rest)
        # The token goes out encrypted or to this machine, never in the clear.
        key = token if token and (url.startswith("https://") or is_loopback(url)) else NO_KEY
        shown = shown_url(url)
        place = Place(f"The endpoint {shown}", shown, hosted=True, secrets=secrets)
        return ServedWriter(f"hf:{shown}", place, config, url=url, key=key, pause=pause)
    model, _, provider = rest.partition(":")
    if not token:
        raise WriterRefused(
            f"'{model}' on Hugging Face needs a token: set HF_TOKEN or enter it in the settings, or use quotes."
        )
    place = Place("Hugging Face", model, hosted=True, secrets=secrets)
    return ServedWriter(f"hf:{rest}", place, config, model=model, key=token, provider=provider or None, pause=pause)


def OpenAIWriter(rest: str, config: Config, *, pause: Pause | None = None) -> ServedWriter:  # noqa: N802
    """A model behind an OpenAI-compatible server: `URL#MODEL`, or `URL` for the first model it lists."""
    address, _, model = rest.partition("#")
    url, notice = normal_url(address), ""
    if not model:
        listed = served_models(url, config)
        if not listed:
            raise WriterRefused(f"The server at {shown_url(url)} lists no model: load one there (ollama pull MODEL).")
        model = listed[0].name
        others = "" if len(listed) == 1 else f", the first of {len(listed)}: name another with openai:URL#MODEL"
        notice = f"The server at {shown_url(url)} was not asked for a model by name and answers with {model}{others}."
    place = Place(f"The server at {shown_url(url)}", model, secrets=secrets_of(config))
    key = config.openai_api_key or NO_KEY
    return ServedWriter(
        f"openai:{shown_url(url)}#{model}", place, config, url=url, model=model, key=key, notice=notice, pause=pause
    )


def _text(content: Any) -> str:
    """A delta's text; some servers send a list of parts, of which those of type text are the answer."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(str(part["text"]) for part in content if part["type"] == "text")


# --- the connection ----------------------------------------------------------------------------


class _Connection(InferenceClient):
    """InferenceClient on a connection of its own, which can be shut from another thread in every phase.

    The library's own session is shared, has no limit for connecting, obeys HF_HUB_OFFLINE even for this
    machine, and cannot be interrupted before the first byte. Only the sending is replaced.
    """

    def __init__(self, source: Source, timeout: httpx2.Timeout, **options: Any) -> None:
        super().__init__(**options)
        self._source = source
        self._limits = timeout
        self.said_done = False

    def _inner_post(self, request_parameters: Any, *, stream: bool = False) -> Any:
        url = request_parameters.url
        http = self.exit_stack.enter_context(httpx2.Client(timeout=self._limits, trust_env=not is_loopback(url)))
        response = self.exit_stack.enter_context(
            http.stream(
                "POST",
                url,
                json=request_parameters.json,
                headers=request_parameters.headers,
                extensions={"trace": self._on_trace},
            )
        )
        if not response.is_success:
            response.read()
            hf_raise_for_status(response)
            response.raise_for_status()
        return self._lines(response) if stream else response.read()

    def _lines(self, response: httpx2.Response) -> Iterator[str]:
        """The stream's lines. A server that does not stream sends one JSON document: it becomes one event."""
        if response.headers.get("content-type", "").startswith("application/json"):
            whole = json.loads(response.read())
            for choice in whole.get("choices") or ():
                choice["delta"] = choice.pop("message", {})
            yield f"data: {json.dumps(whole)}"
            return
        for line in response.iter_lines():
            self.said_done = self.said_done or line.strip() == "data: [DONE]"
            yield line

    def _on_trace(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith("connect_tcp.complete"):
            connected = info["return_value"].get_extra_info("socket")
            self._source.when_stopped(lambda: _shut(connected))


def _shut(connected: socket.socket) -> None:
    """Wake whoever reads from the socket; only its own thread closes it, so that no other file takes its number."""
    with contextlib.suppress(OSError):  # it is closed already
        socket.socket.shutdown(connected, socket.SHUT_RDWR)
