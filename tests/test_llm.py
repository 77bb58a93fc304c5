"""Writers against real loopback servers that misbehave in every way we know, and against tiny local models."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from multidoc_rag.config import Config
from multidoc_rag.errors import (
    WriterBusy,
    WriterCutOff,
    WriterError,
    WriterRefused,
    WriterTimeout,
    WriterUnreachable,
)
from multidoc_rag.records import LLM, Message
from multidoc_rag.writers import model_servers
from multidoc_rag.writers.llm import ScriptedLLM, known_models, list_models, open_writer
from multidoc_rag.writers.llm_failures import retry_after
from multidoc_rag.writers.model_servers import normal_url, shown_url
from multidoc_rag.writers.replies import WithoutThoughts
from multidoc_rag.writers.served_llm import HubWriter, OpenAIWriter

ASKED = (Message("system", "Answer from the passages."), Message("user", "How long is probation?"))
HF_SECRET = "hf_thisMustNeverLeaveTheMachine"
QUICK = Config(request_seconds=30.0, answer_seconds=60.0, hf_token=HF_SECRET)

Answering = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Records each request and answers it with the next step of the server's script (the last one repeats)."""

    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self._answer(json.loads(body))

    def do_GET(self) -> None:
        self._answer(None)

    def _answer(self, body: Any) -> None:
        script = self.server.script
        self.server.requests.append(Request(self.path, dict(self.headers.items()), body))
        step = script.pop(0) if len(script) > 1 else script[0]
        self.close_connection = True
        step(self)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the tests' output clean."""

    # what the steps are made of

    def reply(self, status: int, body: Any, **headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content_type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()

    def event(self, data: Any) -> None:
        self.wfile.write(b"data: " + (data if isinstance(data, bytes) else json.dumps(data).encode()) + b"\n\n")
        self.wfile.flush()

    def token(self, text: Any, finish: str | None = None, **delta: str) -> None:
        self.event(
            {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}],
            }
        )

    def wait_for_hang_up(self) -> None:
        """Note when the other side closes; gives up when the test is over."""
        self.connection.settimeout(0.05)
        while not self.server.over.is_set():
            try:
                if self.connection.recv(1) == b"":
                    self.server.hung_up.set()
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                self.server.hung_up.set()
                return


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: Any


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: list[Answering]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[Request] = []
        self.hung_up, self.over = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what several tests want."""


@contextmanager
def serving(*script: Answering) -> Iterator[ScriptedServer]:
    server = ScriptedServer(list(script))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Pauses:
    """Stands in for waiting: notes how long it would have been."""

    seconds: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def ask(server: ScriptedServer | str, config: Config = QUICK, *, pauses: Pauses | None = None) -> tuple[str, str]:
    """The whole reply and how it ended."""
    url = server if isinstance(server, str) else server.url
    writer = OpenAIWriter(f"{url}#m", config, pause=pauses or Pauses())
    with writer.stream(ASKED, temperature=0.1, max_tokens=80) as reply:
        return "".join(reply), reply.finish_reason


def good(handler: Handler) -> None:
    handler.begin()
    handler.token("", role="assistant")
    handler.token("Six ")
    handler.token("months.")
    handler.token("", "stop")
    handler.event(b"[DONE]")


def status(code: int, message: str = "", **headers: str) -> Answering:
    return lambda handler: handler.reply(code, {"error": {"message": message}} if message else {}, **headers)


# --- a good reply -------------------------------------------------------------------------------


def test_reply_is_streamed_and_request_says_what_was_asked() -> None:
    with serving(good) as server:
        assert ask(server) == ("Six months.", "stop")
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "m"
    assert request.body["messages"] == [{"role": m.role, "content": m.content} for m in ASKED]
    assert (request.body["temperature"], request.body["max_tokens"], request.body["stream"]) == (0.1, 80, True)


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_every_common_way_to_write_the_address_works(suffix: str) -> None:
    with serving(good) as server:
        assert ask(server.url + suffix)[0] == "Six months."
        assert server.requests[0].path == "/v1/chat/completions"


def test_length_is_no_error_and_is_known() -> None:
    def cut_by_limit(handler: Handler) -> None:
        handler.begin()
        handler.token("Six mon")
        handler.token("", "length")

    with serving(cut_by_limit) as server:
        assert ask(server) == ("Six mon", "length")


def test_a_server_that_only_says_done_has_finished() -> None:
    def only_done(handler: Handler) -> None:
        handler.begin()
        handler.token("Six months.")
        handler.event(b"[DONE]")

    with serving(only_done) as server:
        assert ask(server) == ("Six months.", "stop")


def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Six."}, "finish_reason": "stop"}]}
    with serving(lambda handler: handler.reply(200, whole)) as server:
        assert ask(server) == ("Six.", "stop")
    with serving(status(200, "model is loading")) as server, pytest.raises(WriterCutOff, match="model is loading"):
        ask(server)
    with (
        serving(lambda handler: handler.reply(200, b"oops")) as server,
        pytest.raises(WriterCutOff, match="not a chat"),
    ):
        ask(server)


def test_reasoning_is_not_part_of_the_answer() -> None:
    def thinker(handler: Handler) -> None:
        handler.begin()
        handler.token(None, reasoning="Let me see", reasoning_content="Let me see")
        handler.token([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": ""}])
        for piece in ("\n<thi", "nk>probation is", " in A</th", "ink>\n\n", "Six ", "months."):
            handler.token(piece)
        handler.token("", "stop")

    with serving(thinker) as server:
        assert ask(server)[0] == "Six months."


def test_thinking_until_the_limit_says_so() -> None:
    def thinker(handler: Handler) -> None:
        handler.begin()
        handler.token("<think>and on and on")
        handler.token("", "length")

    with serving(thinker) as server, pytest.raises(WriterCutOff, match="raise max_tokens"):
        ask(server)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["Six ", "months"], "Six months"),
        (["<", "think>x</think> ", "y"], "y"),
        (["<thinking>x</thinking>y"], "y"),
        (["a <think>quoted</think> b"], "a <think>quoted</think> b"),
        (["<", "b>bold"], "<b>bold"),
        (["<thi"], "<thi"),
        (["<think>x"], ""),
        (["<think>x</think>"], ""),
    ],
)
def test_without_thoughts(pieces: list[str], shown: str) -> None:
    thoughts = WithoutThoughts()
    assert "".join(thoughts.feed(piece) for piece in pieces) + thoughts.finish() == shown


# --- keys ---------------------------------------------------------------------------------------


def test_hugging_face_token_never_goes_to_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", HF_SECRET)
    models = {"data": [{"id": "m"}]}
    with serving(
        lambda handler: handler.reply(200, models), lambda handler: handler.reply(200, models), good
    ) as server:
        writer = open_writer(f"openai:{server.url}", QUICK)
        assert writer.context_tokens == QUICK.context_tokens
        assert "".join(writer.stream(ASKED, temperature=0.0, max_tokens=5)) == "Six months."
    assert len(server.requests) == 3
    for request in server.requests:
        assert HF_SECRET not in json.dumps([request.path, request.headers, request.body])
        authorization = {name.lower(): value for name, value in request.headers.items()}["authorization"]
        assert authorization == "Bearer not-needed"


def test_configured_key_is_sent_and_never_shown() -> None:
    config = Config(openai_api_key="sk-secret-1", hf_token=HF_SECRET, retries=0)
    with serving(status(400, f"bad key sk-secret-1 or {HF_SECRET}")) as server:
        writer = OpenAIWriter(f"{server.url.replace('//', '//ann:word-1@')}/v1?key=q#m", config)
        with pytest.raises(WriterRefused) as caught:
            "".join(writer.stream(ASKED, temperature=0.1, max_tokens=5))
    shown = f"{caught.value} {writer!r} {writer.name} {config!r}"
    for secret in ("sk-secret-1", HF_SECRET, "ann:", "word-1", "key=q"):
        assert secret not in shown
    assert "bad key *** or ***" in shown


def test_own_endpoint_gets_the_token_on_this_machine_only() -> None:
    with serving(good) as server:
        reply = HubWriter(server.url, QUICK).stream(ASKED, temperature=0.1, max_tokens=5)
        assert "".join(reply) == "Six months."
        assert server.requests[0].headers["authorization"] == f"Bearer {HF_SECRET}"
    assert HubWriter("http://example.org", QUICK)._key == "not-needed"


def test_no_token_for_hosted_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multidoc_rag.writers.served_llm.get_token", lambda: None)
    with pytest.raises(WriterRefused, match="needs a token: set HF_TOKEN"):
        open_writer("hf:openai/gpt-oss-20b", Config())


def test_hosted_models_go_through_the_router(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.inference._providers import CONVERSATIONAL_AUTO_ROUTER

    with serving(status(503), good) as server:
        monkeypatch.setattr(CONVERSATIONAL_AUTO_ROUTER, "base_url", server.url)
        writer = HubWriter("openai/gpt-oss-20b", QUICK, pause=Pauses())
        assert writer.name == "hf:openai/gpt-oss-20b"
        assert "".join(writer.stream(ASKED, temperature=0.1, max_tokens=5)) == "Six months."
        assert server.requests[1].body["model"] == "openai/gpt-oss-20b"
        assert server.requests[1].headers["authorization"] == f"Bearer {HF_SECRET}"


@pytest.mark.parametrize(
    ("rest", "token", "sentence"),
    [
        ("a/b:nowhere", HF_SECRET, "Hugging Face cannot be asked for 'a/b': Provider 'nowhere' not supported"),
        ("a/b", "sk-other", "Hugging Face cannot be asked for 'a/b': .*non-Hugging Face API key"),
    ],
)
def test_wrong_provider_or_key_for_hosted_models(rest: str, token: str, sentence: str) -> None:
    reply = HubWriter(rest, Config(hf_token=token)).stream(ASKED, temperature=0.1, max_tokens=5)
    with pytest.raises(WriterRefused, match=sentence):
        "".join(reply)


def test_offline_switch_stops_the_hub_but_not_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(WriterUnreachable, match="HF_HUB_OFFLINE is set"):
        "".join(HubWriter("a/b", QUICK).stream(ASKED, temperature=0.1, max_tokens=5))
    with serving(good) as server:
        assert ask(server)[0] == "Six months."


# --- the server says no -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "said", "sentence"),
    [
        (400, "temperature must be positive", r"refused the request .*\(400\).*temperature must be positive"),
        (400, "maximum context length is 512 tokens", r"longer than 'm' reads"),
        (401, "no", r"does not accept the key \(401\): check OPENAI_API_KEY"),
        (402, "", r"wants payment \(402\)"),
        (403, "", r"does not allow 'm'"),
        (404, "model not found", r"does not know the model 'm' \(404\)"),
        (422, "", r"refused the request"),
    ],
)
def test_refusals_are_final(code: int, said: str, sentence: str) -> None:
    pauses = Pauses()
    with serving(status(code, said)) as server, pytest.raises(WriterRefused, match=sentence):
        ask(server, pauses=pauses)
    assert len(server.requests) == 1
    assert pauses.seconds == []


def test_html_error_page_is_not_quoted() -> None:
    with serving(lambda handler: handler.reply(404, b"<html><h1>Not found</h1></html>")) as server:
        with pytest.raises(WriterRefused) as caught:
            ask(server)
        assert "<" not in str(caught.value)


def test_redirects_are_not_followed() -> None:
    with (
        serving(status(307, location="http://elsewhere.invalid/v1")) as server,
        pytest.raises(WriterRefused, match=r"sends us on to http://elsewhere\.invalid/v1"),
    ):
        ask(server)


# --- the server is busy -------------------------------------------------------------------------


def test_rate_limit_waits_as_long_as_asked_and_goes_on() -> None:
    pauses = Pauses()
    with serving(status(429, "slow down", retry_after="2"), good) as server:
        assert ask(server, pauses=pauses) == ("Six months.", "stop")
    assert pauses.seconds == [2.0]


def test_retry_after_beyond_our_patience_ends_it() -> None:
    pauses = Pauses()
    with serving(status(429, retry_after="3600")) as server, pytest.raises(WriterBusy, match="429"):
        ask(server, pauses=pauses)
    assert len(server.requests) == 1
    assert pauses.seconds == []


def test_server_errors_are_retried_with_growing_pauses_then_given_up() -> None:
    pauses = Pauses()
    with serving(status(500, "boom")) as server, pytest.raises(WriterBusy, match=r"\(500\).*boom"):
        ask(server, pauses=pauses)
    assert len(server.requests) == 1 + QUICK.retries
    assert [0.5 * 2**n <= s <= 0.75 * 2**n for n, s in enumerate(pauses.seconds)] == [True] * QUICK.retries


def test_closing_ends_the_waiting() -> None:
    with serving(status(429, retry_after="20")) as server:
        writer = OpenAIWriter(f"{server.url}#m", Config(answer_seconds=60.0))
        reply = writer.stream(ASKED, temperature=0.1, max_tokens=5)
        begun = time.monotonic()
        assert next(reply) == ""
        reply.close()
        assert list(reply) == []
        assert time.monotonic() - begun < 10
        assert reply.finish_reason == "closed"


@pytest.mark.parametrize(
    ("value", "seconds"), [("7", 7.0), ("0.5", 0.5), ("", None), ("soon", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)]
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    assert retry_after(formatdate(time.time() + 30, usegmt=True)) == pytest.approx(30, abs=2)


# --- the server is slow -------------------------------------------------------------------------


def silent(handler: Handler) -> None:
    handler.wait_for_hang_up()


def test_slow_first_token_is_tried_again() -> None:
    config = Config(request_seconds=1.0, answer_seconds=30.0, retries=1)
    with serving(silent, good) as server:
        assert ask(server, config)[0] == "Six months."
        assert server.hung_up.wait(10)


def test_keep_alive_comments_are_not_an_answer() -> None:
    def chatty(handler: Handler) -> None:
        handler.begin()
        while not handler.server.over.wait(0.02):
            handler.wfile.write(b": keep-alive\n\n")

    config = Config(request_seconds=1.0, answer_seconds=30.0, retries=0)
    with serving(chatty) as server, pytest.raises(WriterTimeout, match="did not begin to answer within 1 s"):
        ask(server, config)


def test_stall_in_mid_stream_keeps_what_came_and_says_so() -> None:
    def stall(handler: Handler) -> None:
        handler.begin()
        handler.token("Six ")
        handler.wait_for_hang_up()

    config = Config(request_seconds=1.0, answer_seconds=30.0)
    with serving(stall) as server:
        reply = OpenAIWriter(f"{server.url}#m", config).stream(ASKED, temperature=0.1, max_tokens=5)
        pieces: list[str] = []
        with pytest.raises(WriterTimeout, match="fell silent in the middle"):
            pieces.extend(iter_into(pieces, reply))
        assert "".join(pieces) == "Six "
        assert server.hung_up.wait(10)
    assert len(server.requests) == 1


def iter_into(pieces: list[str], reply: Iterator[str]) -> list[str]:
    for piece in reply:
        pieces.append(piece)
    return []


def test_whole_answer_is_bounded_even_while_tokens_drip() -> None:
    def drip(handler: Handler) -> None:
        handler.begin()
        while not handler.server.over.wait(0.02):
            handler.token("a ")

    config = Config(request_seconds=30.0, answer_seconds=0.5)
    begun = time.monotonic()
    with serving(drip) as server, pytest.raises(WriterTimeout, match="time for the whole answer"):
        ask(server, config)
    assert time.monotonic() - begun < 10


# --- the stream breaks --------------------------------------------------------------------------


def test_connection_lost_in_mid_stream_is_a_cut_off() -> None:
    def lost(handler: Handler) -> None:
        handler.begin()
        handler.token("Six mon")

    with serving(lost) as server, pytest.raises(WriterCutOff, match="ended its answer in the middle"):
        ask(server)
    assert len(server.requests) == 1


def test_chunked_stream_that_breaks_is_a_cut_off() -> None:
    def broken(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        data = b'data: {"choices":[{"index":0,"delta":{"content":"Six"}}]}\n\n'
        handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    with serving(broken) as server, pytest.raises(WriterCutOff, match="broke the connection in the middle"):
        ask(server)


def test_error_event_in_mid_stream() -> None:
    def failing(handler: Handler) -> None:
        handler.begin()
        handler.token("Six ")
        handler.event({"error": {"message": "CUDA out of memory", "code": 500}})

    with serving(failing) as server, pytest.raises(WriterError, match="CUDA out of memory"):
        ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"error": "wrong input", "error_type": "validation"}, WriterRefused),
        ({"error": "full", "error_type": "overloaded"}, WriterBusy),
        ({"error": "lost", "error_type": "incomplete_generation"}, WriterCutOff),
        ({"error": "broken", "error_type": "generation"}, WriterCutOff),
        ({"error": "what"}, WriterCutOff),
    ],
)
def test_error_events_by_kind(event: dict[str, str], kind: type[WriterError]) -> None:
    def failing(handler: Handler) -> None:
        handler.begin()
        handler.event(event)

    with serving(failing) as server, pytest.raises(kind, match=event["error"]):
        ask(server)


@pytest.mark.parametrize(
    "body", [b"", b"<html>hello</html>", b'data: {"choices": []}\n\n', b"data: [DONE]\n\n"], ids=range(4)
)
def test_empty_answers(body: bytes) -> None:
    with (
        serving(lambda handler: handler.reply(200, body, content_type="text/event-stream")) as server,
        pytest.raises(WriterCutOff, match="sent an empty answer"),
    ):
        ask(server)


@pytest.mark.parametrize(
    "event", [b"{not json", b"[1, 2]", b'"text"', b'{"choices": 3}', b'{"choices": [5]}', b"\xff\xfe"], ids=range(6)
)
def test_nonsense(event: bytes) -> None:
    def nonsense(handler: Handler) -> None:
        handler.begin()
        handler.event(event)

    with serving(nonsense) as server, pytest.raises(WriterCutOff, match="not a chat reply"):
        ask(server)


# --- nobody there -------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_connection_refused() -> None:
    pauses = Pauses()
    with pytest.raises(WriterUnreachable, match=r"The server at http://127.* cannot be reached: is Ollama"):
        ask(f"http://127.0.0.1:{free_port()}", pauses=pauses)
    assert len(pauses.seconds) == QUICK.retries


def test_unknown_host_is_not_tried_again() -> None:
    pauses = Pauses()
    with pytest.raises(WriterUnreachable, match="was not found: check the address"):
        ask("http://no-such-host.invalid", pauses=pauses)
    assert pauses.seconds == []


def test_https_to_a_plain_server() -> None:
    with serving(good) as server, pytest.raises(WriterUnreachable, match="check http or https"):
        ask(server.url.replace("http:", "https:"))


# --- stopping -----------------------------------------------------------------------------------


def test_closing_the_reply_hangs_up_at_once() -> None:
    def endless(handler: Handler) -> None:
        handler.begin()
        handler.token("Six ")
        handler.wait_for_hang_up()

    with serving(endless) as server:
        reply = OpenAIWriter(f"{server.url}#m", QUICK).stream(ASKED, temperature=0.1, max_tokens=5)
        assert next(piece for piece in reply if piece) == "Six "
        reply.close()
        assert server.hung_up.wait(10)
        assert reply.finish_reason == "closed"
        assert list(reply) == []


def test_closing_from_another_thread_before_the_first_byte() -> None:
    with serving(silent) as server:
        reply = OpenAIWriter(f"{server.url}#m", QUICK).stream(ASKED, temperature=0.1, max_tokens=5)
        ended = threading.Event()
        reader = threading.Thread(target=lambda: (list(reply), ended.set()))
        reader.start()
        while not server.requests:
            time.sleep(0.005)
        reply.close()
        assert ended.wait(10)
        assert server.hung_up.wait(10)
        reader.join()


def test_a_reply_that_is_dropped_hangs_up() -> None:
    def endless(handler: Handler) -> None:
        handler.begin()
        handler.token("Six ")
        handler.wait_for_hang_up()

    with serving(endless) as server:
        reply = OpenAIWriter(f"{server.url}#m", QUICK).stream(ASKED, temperature=0.1, max_tokens=5)
        assert next(piece for piece in reply if piece)
        del reply
        assert server.hung_up.wait(10)


# --- which models -------------------------------------------------------------------------------


LISTING = {"data": [{"id": "first", "max_model_len": 4096}, {"id": "second"}]}


def test_without_a_model_the_first_one_is_taken_and_named() -> None:
    with serving(lambda handler: handler.reply(200, LISTING)) as server:
        writer = open_writer(f"openai:{server.url}/v1", QUICK)
        assert writer.name == f"openai:{server.url}#first"
        assert "answers with first, the first of 2" in writer.notice  # type: ignore[attr-defined]
        assert writer.context_tokens == 4096
        assert isinstance(writer, LLM)
        assert list_models(server.url, QUICK) == ("first", "second")
        assert open_writer(f"openai:{server.url}#second", QUICK).context_tokens == QUICK.context_tokens
    assert {request.path for request in server.requests} == {"/v1/models"}


def test_listing_failures_are_sentences() -> None:
    with (
        serving(lambda handler: handler.reply(200, {"data": []})) as server,
        pytest.raises(WriterRefused, match="no model"),
    ):
        open_writer(f"openai:{server.url}", QUICK)
    with (
        serving(lambda handler: handler.reply(200, b"hello")) as server,
        pytest.raises(WriterRefused, match="lists no models"),
    ):
        list_models(server.url, QUICK)
    with serving(status(401)) as server, pytest.raises(WriterRefused, match="key"):
        list_models(server.url, QUICK)
    with pytest.raises(WriterUnreachable):
        list_models(f"127.0.0.1:{free_port()}", QUICK)


def test_a_listing_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_servers, "LISTING_SECONDS", 0.5)

    def trickle(handler: Handler) -> None:
        handler.begin()
        while not handler.server.over.wait(0.05):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    with serving(trickle) as server, pytest.raises(WriterTimeout):
        list_models(server.url, QUICK)


def test_text2text_endpoint_without_a_chat_route() -> None:
    answer = [{"generated_text": "six months"}]
    with serving(status(404), lambda handler: handler.reply(200, answer)) as server:
        writer = HubWriter(server.url, QUICK)
        reply = writer.stream(ASKED, temperature=0.0, max_tokens=9)
        assert "".join(reply) == "six months"
        assert reply.finish_reason == "stop"
        assert "".join(writer.stream(ASKED, temperature=0.0, max_tokens=9)) == "six months"
    assert [request.path for request in server.requests] == ["/v1/chat/completions", "/", "/"]
    request = server.requests[1]
    assert request.body["inputs"] == "Answer from the passages.\n\nHow long is probation?"
    assert request.body["parameters"]["max_new_tokens"] == 9


@pytest.mark.parametrize("spec", ["", "quotes", "gpt-4", "hf:", "openai:", "local: ", "ftp:x"])
def test_unknown_specs_list_the_forms(spec: str) -> None:
    with pytest.raises(WriterRefused, match="does not name a language model: use one of quotes, hf:MODEL"):
        open_writer(spec, QUICK)


def test_addresses() -> None:
    assert normal_url(" localhost:11434 ") == "http://localhost:11434"
    assert normal_url("https://h/v1/chat/completions/") == "https://h/v1"
    assert shown_url("https://u:p@h:1/v1?key=1") == "https://h:1"
    for wrong in ("ftp://h", "http://", "http://[", "http://h:port"):
        with pytest.raises(WriterRefused):
            normal_url(wrong)


def test_known_models_can_be_opened_by_their_spec() -> None:
    kinds = {model.spec.partition(":")[0] for model in known_models()}
    assert kinds == {"quotes", "hf", "openai", "local"}


# --- the scripted fake --------------------------------------------------------------------------


def test_scripted_llm_answers_from_its_queue() -> None:
    fake = ScriptedLLM(["one", ["two ", WriterCutOff("lost")], WriterBusy("busy")])
    assert "".join(fake.stream(ASKED, temperature=0.1, max_tokens=5)) == "one"
    second = fake.stream(ASKED, temperature=0.1, max_tokens=5)
    assert next(second) == "two "
    with pytest.raises(WriterCutOff, match="lost"):
        next(second)
    with pytest.raises(WriterBusy):
        next(fake.stream(ASKED, temperature=0.1, max_tokens=5))
    with pytest.raises(AssertionError, match=r"asked 4 times but has no reply left.*probation"):
        fake.stream(ASKED, temperature=0.1, max_tokens=5)
    assert fake.asked == [ASKED] * 4
    assert isinstance(fake, LLM)


# --- local models -------------------------------------------------------------------------------

WORDS = ("how", "long", "is", "probation", "six", "months", "answer", "from", "the", "passages", "user", "system", ".")
CHAT_TEMPLATE = "{% for m in messages %}{{ m.role }} {{ m.content }} {% endfor %}assistant"


@pytest.fixture(scope="module")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A causal chat model and a T5, each of a few thousand random weights, saved as real ones are."""
    torch = pytest.importorskip("torch")
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
        T5Config,
        T5ForConditionalGeneration,
    )

    words = [
        "<pad>",
        "</s>",
        "<unk>",
        *WORDS,
    ]
    inner = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=64
    )
    torch.manual_seed(1)
    ends = {"eos_token_id": 1, "pad_token_id": 0}
    causal = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words),
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=64,
            bos_token_id=None,
            **ends,
        )
    )
    t5 = T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(words),
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            decoder_start_token_id=0,
            **ends,
        )
    )
    folders = {}
    for name, model in (("causal", causal), ("t5", t5)):
        folders[name] = tmp_path_factory.mktemp(name)
        model.save_pretrained(folders[name])
        tokenizer.chat_template = CHAT_TEMPLATE if name == "causal" else None
        tokenizer.save_pretrained(folders[name])
    return folders


@pytest.mark.parametrize("kind", ["causal", "t5"])
def test_local_models_write(tiny_models: dict[str, Path], kind: str) -> None:
    writer = open_writer(f"local:{tiny_models[kind]}", Config())
    assert writer.context_tokens == 64
    assert isinstance(writer, LLM)
    replies = []
    for _ in range(2):
        reply = writer.stream(ASKED, temperature=0.7, max_tokens=6)
        replies.append("".join(reply))
        assert reply.finish_reason in ("stop", "length")  # type: ignore[attr-defined]
    assert replies[0].strip()
    assert replies[0] == replies[1]


def test_local_generation_ends_when_closed(tiny_models: dict[str, Path]) -> None:
    from multidoc_rag.writers import local_llm

    writer = open_writer(f"local:{tiny_models['causal']}", Config())
    reply = writer.stream(ASKED, temperature=0.0, max_tokens=50)
    next(reply)
    reply.close()  # type: ignore[attr-defined]
    assert list(reply) == []
    # The lock is free again as soon as the generation has noticed.
    assert local_llm._load(tiny_models["causal"].resolve()).lock.acquire(timeout=5)
    local_llm._load(tiny_models["causal"].resolve()).lock.release()


def test_local_prompt_beyond_the_context_is_refused(tiny_models: dict[str, Path]) -> None:
    writer = open_writer(f"local:{tiny_models['causal']}", Config())
    long = (Message("user", "probation " * 100),)
    with pytest.raises(WriterRefused, match=r"is 102 tokens and local:.* reads 64"):
        "".join(writer.stream(long, temperature=0.0, max_tokens=5))


def test_local_folders_without_a_model(tmp_path: Path, tiny_models: dict[str, Path]) -> None:
    with pytest.raises(WriterRefused, match=r"no config\.json"):
        open_writer(f"local:{tmp_path}", Config())
    with pytest.raises(WriterRefused, match="neither a folder nor a model downloaded before"):
        open_writer("local:google/no-such-model-here", Config())
    with pytest.raises(WriterRefused, match="neither a folder"):
        open_writer("local:/no/such/folder", Config())
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(WriterRefused, match="is a file"):
        open_writer(f"local:{file}", Config())
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for source in tiny_models["causal"].iterdir():
        content = source.read_bytes()
        (damaged / source.name).write_bytes(content[:200] if source.suffix == ".safetensors" else content)
    with pytest.raises(WriterRefused, match="could not be loaded"):
        "".join(open_writer(f"local:{damaged}", Config()).stream(ASKED, temperature=0.0, max_tokens=5))
    (damaged / "config.json").write_text("{")
    with pytest.raises(WriterRefused, match="cannot be read"):
        open_writer(f"local:{damaged}", Config())
