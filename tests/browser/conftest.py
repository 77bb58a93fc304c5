"""The app in a real Chromium: a server over a small index, a page that must not talk to anyone else.

Skipped, saying why, where there is no browser; with MULTIDOC_RAG_REQUIRE_BROWSER=1 that is a failure.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ("annual-report-2024.pdf", "economic-assessment.pdf", "procurement-handbook.pdf")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _missing(what: str) -> None:
    if os.environ.get("MULTIDOC_RAG_REQUIRE_BROWSER") == "1":
        pytest.fail(f"browser tests are required here, but {what}")
    pytest.skip(f"browser test: {what}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One Chromium for all tests."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        _missing("no Chromium is installed (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed (pip install -r requirements-dev.txt)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


def _environment() -> dict[str, str]:
    ours = ("MULTIDOC_RAG_", "HF_", "OPENAI_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RunningApp:
    """An `app.py` of its own; `url` is where it answers."""

    def __init__(self, index: Path, *arguments: str) -> None:
        self.index = index
        self.log = index.parent / f"{index.name}-{len(arguments)}.log"
        command = [sys.executable, "app.py", "--index", str(index), "--port", str(_free_port()), "--no-browser"]
        command += arguments
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=_environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.url = self._answering()

    def _answering(self) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            said = self.log.read_text()
            if " is at http" in said:
                url = said.split(" is at ", 1)[1].split()[0]
                with urllib.request.urlopen(url, timeout=10):
                    return url
            if self._process.poll() is not None:
                raise RuntimeError(f"the app ended at once: {said}")
            threading.Event().wait(0.1)
        raise RuntimeError(f"the app did not start: {self.log.read_text()}")

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.wait(20)


@pytest.fixture(scope="session")
def index(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index store with three of the sample documents."""
    folder = tmp_path_factory.mktemp("app") / "index"
    paths = [str(ROOT / "evaluation_files" / name) for name in SAMPLES]
    subprocess.run(
        [sys.executable, "-m", "multidoc_rag", "add", *paths, "--index", str(folder)],
        cwd=ROOT,
        env=_environment(),
        check=True,
        capture_output=True,
        timeout=120,
    )
    return folder


@pytest.fixture(scope="session")
def app(index: Path) -> Iterator[RunningApp]:
    """The app over that index, answering with quotes."""
    running = RunningApp(index)
    yield running
    running.close()


class ModelServer:
    """An OpenAI-compatible server on this machine that streams whatever `reply` holds, `pause` seconds a word."""

    def __init__(self) -> None:
        self.reply = "Nothing."
        self.pause = 0.0
        self.ending = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                body = json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode()
                self._begin("application/json")
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self._begin("text/event-stream")
                try:
                    for word in outer.reply.split(" "):
                        self._send({"index": 0, "delta": {"content": word + " "}, "finish_reason": None})
                        if outer.pause and outer.ending.wait(outer.pause):
                            return
                    self._send({"index": 0, "delta": {}, "finish_reason": "stop"})
                    self.wfile.write(b"data: [DONE]\n\n")
                except OSError:
                    self.close_connection = True  # the reader went away, as after Stop

            def _begin(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("connection", "close")
                self.end_headers()

            def _send(self, choice: dict[str, Any]) -> None:
                event: dict[str, Any] = {
                    "id": "1",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": "scripted",
                }
                event["choices"] = [choice]
                self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
                self.wfile.flush()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """End the server."""
        self.ending.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """A language model whose replies a test writes."""
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def app_with_model(index: Path, model: ModelServer) -> Iterator[RunningApp]:
    """The app over the same index, answering with that model."""
    running = RunningApp(index, "--llm", f"openai:{model.url}#scripted")
    yield running
    running.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens the app in a fresh browser profile; afterwards: no request left this machine, nothing broke the policy."""
    opened: list[tuple[Any, list[str], list[str]]] = []

    def go(app: RunningApp, *, width: int = 1280, height: int = 800, scheme: str = "light") -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        # the first page of a server waits for its start, which shares the machine with whatever else runs
        page.set_default_navigation_timeout(45_000)
        requests: list[str] = []
        trouble: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: trouble.append(f"page error: {error}"))
        page.on("dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on(
            "console",
            lambda message: (
                trouble.append(message.text)
                if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text
                else None
            ),
        )
        opened.append((context, requests, trouble))
        page.goto(app.url)
        page.wait_for_selector("#documents .document, #documents .empty", state="attached")
        # what an earlier test added is still listed: every page of one library shows it
        if page.locator("[data-do=dismiss-all]").count():
            page.locator("[data-do=dismiss-all]").click(force=True)
            page.wait_for_selector(".uploads", state="detached")
        return page

    yield go
    for context, requests, trouble in opened:
        context.close()
        hosts = {urlsplit(url).hostname for url in requests if urlsplit(url).scheme not in ("data", "blob")}
        assert hosts <= {"127.0.0.1"}, hosts
        assert trouble == []


def status_of(url: str, headers: dict[str, str] | None = None) -> int:
    """The HTTP status of a plain request."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
