"""The worker process: light to start, bounded in time and memory, started again when it had to be ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from pdf_samples import changed, drawn, report, text_lines

from multidoc_rag.config import Config
from multidoc_rag.errors import DocumentRefused
from multidoc_rag.files.pdf_process import PdfProcess
from multidoc_rag.files.reading import Reader


def test_the_worker_imports_nothing_heavy() -> None:
    code = (
        "import sys, multidoc_rag.files.pdf_worker as w\n"
        "heavy = {'numpy', 'PIL', 'pypdf', 'docx', 'bs4', 'markdown_it', 'rapidocr', 'multidoc_rag.records'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def test_a_killed_worker_is_one_refusal_and_then_a_new_one(tmp_path: Path) -> None:
    path = report(tmp_path / "report.pdf")
    with Reader(Config()) as reader:
        first = reader.read(path)

        def kill(done: int, total: int) -> None:
            pid = reader._process.pid
            if done == 1 and pid is not None:
                os.kill(pid, signal.SIGSEGV)

        many = drawn(tmp_path / "many.pdf", *[text_lines(*["some words of text"] * 50)] * 300)
        with pytest.raises(DocumentRefused, match=r"many\.pdf was not read: the PDF reader crashed"):
            reader.read(many, on_page=kill)
        assert reader.read(path) == first


def test_a_file_that_takes_too_long_is_refused_in_time(tmp_path: Path) -> None:
    path = drawn(tmp_path / "slow.pdf", *[text_lines(*["some words of text that go on and on"] * 50)] * 400)
    with Reader(replace(Config(), read_seconds=0.2)) as reader:
        start = time.monotonic()
        with pytest.raises(DocumentRefused, match=r"longer than the 0\.2 seconds"):
            reader.read(path)
        assert time.monotonic() - start < 10


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is bounded on Linux")
def test_a_file_that_needs_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "big.pdf"
    path.write_bytes(report(tmp_path / "report.pdf").read_bytes() + b"\n%" + b"x" * (400 << 20))
    with Reader(replace(Config(), read_memory_mb=300)) as reader:
        with pytest.raises(DocumentRefused, match="300 MB"):
            reader.read(path)
        assert len(reader.read(tmp_path / "report.pdf").pages) == 2


def test_a_huge_page_is_drawn_small(tmp_path: Path) -> None:
    import io

    from PIL import Image

    path = drawn(tmp_path / "huge.pdf", text_lines("x"), size=(14_000, 14_000))
    with Reader(replace(Config(), picture_megapixels=1.0)) as reader:
        picture = Image.open(io.BytesIO(reader.picture(path, 1, width=100_000)))
    assert 0.9e6 < picture.width * picture.height <= 1e6


def test_threads_share_one_reader(tmp_path: Path) -> None:
    path = report(tmp_path / "report.pdf")
    with Reader(Config()) as reader:
        expected = reader.read(path)
        got: list[object] = []
        threads = [threading.Thread(target=lambda: got.append(reader.read(path))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert got == [expected] * 8


def test_what_pdfium_cannot_open_pypdf_rewrites(tmp_path: Path) -> None:
    path = changed(
        drawn(tmp_path / "owner.pdf", text_lines("read by the second reader")),
        lambda writer: writer.encrypt(user_password="secret", owner_password="", algorithm="AES-256"),
    )
    if pypdf.PdfReader(path).decrypt("") == pypdf.PasswordType.NOT_DECRYPTED:
        pytest.skip("this pypdf does not open files by an empty owner password")
    with Reader(Config()) as reader:
        reading = reader.read(path)
    assert reading.text == "read by the second reader"
    assert reading.warnings == ("PDFium could not open the file; a copy rewritten by pypdf was read.",)


def test_close_ends_the_process(tmp_path: Path) -> None:
    process = PdfProcess(Config())
    process.one({"op": "page_size", "path": str(report(tmp_path / "report.pdf")), "password": None, "page": 1})
    pid = process.pid
    assert pid is not None
    process.close()
    assert process.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
