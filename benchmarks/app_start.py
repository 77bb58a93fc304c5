"""How long the app takes to be usable, against a bare Gradio page, in the same run.

Each start is a process of its own: from the start of `python` to the first DOM that can be used in Chromium (a text box
that takes input and, for the app, the list of documents of an existing index). The two take turns; medians are
compared.

    python benchmarks/app_start.py [--runs 5] [--index DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 1.5
BARE = """
import os, sys
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
import gradio as gr
with gr.Blocks(analytics_enabled=False) as page:
    box = gr.Textbox()
    out = gr.Textbox()
    box.submit(lambda text: text, box, out)
page.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
"""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def usable_after(browser: Any, command: list[str], port: int, selectors: list[str]) -> float:
    """Seconds from starting `command` until every selector is on the page it serves."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=os.environ.copy())
        context = browser.new_context()
        try:
            while True:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if process.poll() is not None or time.perf_counter() - started > 120:
                    log.seek(0)
                    raise SystemExit(f"{command} did not start: {log.read().decode(errors='replace')[-2000:]}")
                time.sleep(0.01)
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}/")
            for selector in selectors:
                page.wait_for_selector(selector, timeout=60_000)
            return time.perf_counter() - started
        finally:
            context.close()
            process.terminate()
            process.wait()


def main() -> int:
    """Print both medians and their ratio; 1 when the app takes more than 1.5 times as long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--index", type=Path, help="an existing index store; made from the sample library otherwise")
    chosen = parser.parse_args()
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        print("There is no Chromium here: nothing was measured.", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        index = chosen.index or Path(scratch) / "index"
        if chosen.index is None:
            samples = sorted(map(str, (ROOT / "evaluation_files").glob("*.pdf")))
            add = [sys.executable, "-m", "multidoc_rag", "add", *samples, "--index", str(index)]
            subprocess.run(add, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        bare = Path(scratch) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        ours: list[float] = []
        theirs: list[float] = []
        # one start of each first, unmeasured: compiled modules and the browser's code cache
        for run in range(-1, chosen.runs):
            port = free_port()
            other = usable_after(browser, [sys.executable, str(bare), str(port)], port, ["textarea"])
            port = free_port()
            command = [sys.executable, "app.py", "--index", str(index), "--port", str(port), "--no-browser"]
            own = usable_after(browser, command, port, ["#box textarea", "#documents .document"])
            if run >= 0:
                theirs.append(other)
                ours.append(own)
        browser.close()
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"bare Gradio page  median {statistics.median(theirs):.2f} s  ({', '.join(f'{s:.2f}' for s in theirs)})")
    print(f"app.py            median {statistics.median(ours):.2f} s  ({', '.join(f'{s:.2f}' for s in ours)})")
    print(f"ratio             {ratio:.2f}  (at most {LIMIT})")
    print(json.dumps({"bare": theirs, "app": ours, "ratio": round(ratio, 3)}))
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
