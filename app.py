"""Start the app: `python app.py [--index DIR] [--port 7860] [--llm SPEC] [--no-browser]`."""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace

from multidoc_rag.config import Config, runtime_environment
from multidoc_rag.errors import MultiDocError

LOCAL = ("127.0.0.1", "localhost", "::1")


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="app.py", description="Ask questions across your documents in the browser.")
    parser.add_argument("--index", default="index_store", help="folder of the index store")
    parser.add_argument("--collection", default="default", help="collection inside the index store")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; other than 127.0.0.1 lets others in, without a login"
    )
    parser.add_argument("--port", type=int, default=7860, help="port; the next free one if it is taken")
    parser.add_argument("--llm", default=None, help="quotes, hf:MODEL, openai:URL#MODEL or local:FOLDER")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    return parser.parse_args(arguments)


def free_port(host: str, first: int, tries: int = 100) -> int:
    """The first free port from `first` on; raises MultiDocError when none of `tries` is."""
    for port in range(first, first + tries):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise MultiDocError(f"No port from {first} to {first + tries - 1} is free on {host}: choose another with --port.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page until interrupted; 1 when it could not be started."""
    chosen = options(arguments)
    os.environ.update(runtime_environment())
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        config = Config.from_env()
        if chosen.llm:
            config = replace(config, llm=chosen.llm)
        port = free_port(chosen.host, chosen.port)

        from multidoc_rag.ui import make_app

        app = make_app(chosen.index, chosen.collection, config, local_only=chosen.host in LOCAL)
        app.launch(server_name=chosen.host, server_port=port, prevent_thread_lock=True)
    except MultiDocError as error:
        print(error, file=sys.stderr)
        return 1
    url = f"http://{'127.0.0.1' if chosen.host in ('0.0.0.0', '::') else chosen.host}:{port}/"
    print(f"multidoc_rag is at {url} (Ctrl+C ends it)", flush=True)
    if chosen.host not in LOCAL:
        print("Everybody who reaches this address can read and change the library: there is no login.", file=sys.stderr)
    # the first question should not wait for the model
    threading.Thread(target=app.desk.warm, name="warm", daemon=True).start()
    if not chosen.no_browser:
        webbrowser.open(url)
    try:
        app.page.block_thread()
    finally:
        app.desk.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
