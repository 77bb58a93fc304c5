"""What a citation opens, in a real browser: a scanned page, and documents that are no longer what was cited."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, ModelServer, RunningApp, _environment
from reportlab.pdfgen.canvas import Canvas
from test_app import ask, finished, one_page_pdf, remove, titled, upload, uploads_done

SCAN = ROOT / "evaluation_files" / "tern-quay-safety-review.pdf"
QUOTE = "The second engine comes from Station 5 and needs 26 minutes."
BERTH = "The berth opens at six in the morning and closes at nine in the evening."

Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def app_with_scan(model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The app over a file whose last page is a scanned letter, read by OCR; a scripted model answers."""
    if importlib.util.find_spec("rapidocr") is None:
        pytest.skip("OCR is not installed (pip install -r requirements-ocr.txt)")
    folder = tmp_path_factory.mktemp("scan") / "index"
    command = [sys.executable, "-m", "multidoc_rag", "add", str(SCAN), "--ocr", "--index", str(folder)]
    subprocess.run(command, cwd=ROOT, env=_environment(), check=True, capture_output=True, timeout=180)
    running = RunningApp(folder, "--llm", f"openai:{model.url}#scripted")
    yield running
    running.close()


def test_a_quote_on_a_scanned_page_is_marked_where_it_stands(
    app_with_scan: RunningApp, model: ModelServer, visit: Visit, tmp_path: Path
) -> None:
    model.reply, model.pause = f'<cite doc="{SCAN.name}" page="9">{QUOTE}</cite>', 0.0
    page = visit(app_with_scan)
    ask(page, "How soon does the second engine of the fire brigade come from Station 5?")
    page.wait_for_selector("#chat .answer .actions", timeout=90_000)  # the page is recognised anew on slow machines
    page.locator(".answer .body .cite").first.click()
    page.wait_for_selector("#viewer .sheet .mark:not(.other)", timeout=90_000)
    page.wait_for_function("document.querySelector('#viewer .sheet img').naturalWidth > 500")
    assert page.locator("#viewer .where b").inner_text() == "9"
    assert page.locator("#viewer .passage mark").inner_text() == QUOTE
    # one box, over most of the line's width, in the middle third of the letter
    places = page.locator("#viewer .sheet .mark:not(.other)").evaluate_all(
        "marks => marks.map(m => [parseFloat(m.style.left), parseFloat(m.style.top), parseFloat(m.style.width)])"
    )
    page.locator("#viewer").screenshot(path=tmp_path / "scan.png")
    assert len(places) == 1, places
    ((left, top, width),) = places
    assert 5 < left < 15
    assert 30 < top < 60
    assert 50 < width < 80


def test_a_document_removed_or_replaced_after_the_answer(
    app_with_model: RunningApp, model: ModelServer, visit: Visit
) -> None:
    model.reply = f'<cite doc="berth.pdf" page="1">{BERTH}</cite> The mole opens at seven [mole.pdf p.1].'
    model.pause = 0.0
    page = visit(app_with_model)
    files = [upload("berth.pdf", one_page_pdf(BERTH)), upload("mole.pdf", one_page_pdf("The mole opens at seven."))]
    page.set_input_files(".pick-files", files)
    uploads_done(page, 2)
    question = "When do the berth and the mole open in the morning?"
    ask(page, question)
    finished(page)
    pills = page.locator(".answer .body .cite")
    assert pills.count() == 2
    pills.first.click()
    page.wait_for_selector("#viewer .sheet .mark:not(.other)")
    page.click("[data-do=dismiss-all]")
    page.wait_for_selector(".uploads", state="detached")

    remove(page, "mole.pdf")
    pills.nth(1).click()
    gone = page.locator("#viewer .viewer.gone")
    gone.get_by_text("mole.pdf was removed from the library after this answer was written").wait_for()
    assert gone.locator("mark").inner_text() == "The mole opens at seven."
    assert gone.locator("[data-open]").count() == 0

    page.set_input_files(
        ".pick-files", [upload("berth.pdf", one_page_pdf("The berth opens at noon, and at noon only."))]
    )
    uploads_done(page)
    page.click(".upload [data-do=replace]")
    page.get_by_text("Replaced the earlier version").wait_for(timeout=45_000)
    pills.first.click()
    gone.get_by_text("berth.pdf was replaced after this answer was written: the quote is from the earlier").wait_for()
    assert gone.locator("mark").inner_text() == BERTH
    gone.locator("[data-open]").click()
    page.wait_for_selector("#viewer .sheet img")

    # the kept conversation and the saved file say the same
    again = visit(app_with_model)
    again.locator(".conversations .open", has_text=question).first.click()
    again.wait_for_selector(".answer .actions")
    notes = " ".join(again.locator(".answer .note.warning").all_inner_texts())
    assert "berth.pdf was replaced after this answer was written" in notes
    assert "mole.pdf was removed after this answer was written" in notes
    with again.expect_download() as saved:
        again.locator(".actions a", has_text="HTML").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert "mole.pdf was removed after this answer was written: only its quote is kept." in text
    titled(again, "berth.pdf").wait_for()
    remove(again, "berth.pdf")


def test_a_quote_over_a_pages_end_is_marked_on_both_pages(
    app_with_model: RunningApp, model: ModelServer, visit: Visit, tmp_path: Path
) -> None:
    path = tmp_path / "tide.pdf"
    canvas = Canvas(str(path))
    for line in ("The tide gauge at the mole was read every", "morning until the storm of 1996."):
        canvas.drawString(72, 760, line)
        canvas.showPage()
    canvas.save()
    quote = "The tide gauge at the mole was read every morning until the storm of 1996."
    model.reply, model.pause = f'<cite doc="tide.pdf" page="1">{quote}</cite>', 0.0
    page = visit(app_with_model)
    page.set_input_files(".pick-files", str(path))
    uploads_done(page)
    ask(page, "Until when was the tide gauge at the mole read?")
    finished(page)
    page.locator(".answer .body .cite").first.click()
    passage = page.locator("#viewer .passage")
    passage.get_by_text("The quote continues on page 2").wait_for()
    assert passage.locator("mark").inner_text() == "The tide gauge at the mole was read every"
    assert page.locator("#viewer .sheet .mark:not(.other)").count() == 1
    passage.locator("[data-go]").click()
    passage.get_by_text("The quote begins on page 1").wait_for()
    assert passage.locator("mark").inner_text() == "morning until the storm of 1996."
    assert page.locator("#viewer .sheet .mark:not(.other)").count() == 1
    remove(page, "tide.pdf")
