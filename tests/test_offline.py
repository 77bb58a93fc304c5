"""With the network cut everything works, and nothing tries to leave.

The program runs in a network namespace of its own. A pair of virtual cards gives it a default route, so that whatever
it might send, by Python or by a compiled library, would be counted as a packet.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NAMESPACE = """
set -e
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 2>/dev/null || true
ip link set lo up
ip link add out0 type veth peer name out1
ip link set out0 up
ip link set out1 up
ip addr add 10.99.0.1/24 dev out0
ip route add default via 10.99.0.2
ip neigh add 10.99.0.2 lladdr 02:00:00:00:00:01 dev out0
sent() { awk -F'[: ]+' '/out0/ {print $12}' /proc/net/dev; }
before=$(sent)
"$@"
echo "packets: $(( $(sent) - before ))"
"""

JOB = """
import json, socket, subprocess, sys, time, urllib.request
from pathlib import Path
folder, store = Path(sys.argv[1]), Path(sys.argv[2])

def run(*arguments):
    command = [sys.executable, "-m", "multidoc_rag", *arguments, "--index", str(store), "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, (arguments, result.stdout, result.stderr)
    return json.loads(result.stdout)

assert [report["status"] for report in run("add", str(folder))] == ["added", "added"]
assert run("search", "How long does the reserve last?")["hits"][0]["document"] == "plan.txt"
answer = run("ask", "How long does the reserve last?", "--llm", "hf:some/model")
assert answer["model"] == "quotes", answer
assert "14 days" in answer["answer"], answer
print("model unreachable:", answer["fallbacks"][0])

free = socket.socket(); free.bind(("127.0.0.1", 0)); port = free.getsockname()[1]; free.close()
app = subprocess.Popen([sys.executable, "app.py", "--index", str(store), "--port", str(port), "--no-browser"])
try:
    for attempt in range(600):
        try:
            page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read().decode()
            break
        except OSError:
            assert app.poll() is None, "the app ended"
            time.sleep(0.1)
    assert "<html" in page
finally:
    app.terminate()
    app.wait(30)
print("done")
"""


def in_namespace(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["unshare", "--net", "--map-root-user", "sh", "-c", NAMESPACE, "sh", *command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
    )


@pytest.fixture(scope="module")
def _namespaces() -> None:
    for tool in ("unshare", "ip", "awk"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed: the network cannot be cut here")
    if in_namespace("true").returncode:
        pytest.skip("network namespaces are not allowed here")


@pytest.mark.usefixtures("_namespaces")
def test_the_namespace_counts_what_tries_to_leave() -> None:
    send = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))"
    assert in_namespace(sys.executable, "-c", send).stdout.strip() == "packets: 1"


@pytest.mark.slow
@pytest.mark.usefixtures("_namespaces")
def test_add_search_ask_and_the_app_work_and_send_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "plan.txt").write_text("The reserve lasts 14 days. It is refilled each spring.\n" * 5)
    (folder / "costs.txt").write_text("Costs rise by three percent a year. The board reviews them in autumn.\n" * 3)
    result = in_namespace(sys.executable, "-c", JOB, str(folder), str(tmp_path / "store"))
    assert "done" in result.stdout, result.stdout + result.stderr
    # a hosted model was asked for by the user: its name look-up is the one thing that may leave
    assert "unreachable" in result.stdout
    assert result.stdout.strip().splitlines()[-1] == "packets: 0"
