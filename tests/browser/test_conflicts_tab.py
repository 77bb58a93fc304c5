"""Conflicts and verdicts as a user meets them: found after adding, gone after removing, told by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import ModelServer, RunningApp

Visit = Callable[..., Any]
FEE = "# Fees of the harbour\n\nWelcome to all.\n\nThe fee for a house is EUR {} a year.\n\nBring a pen of your own.\n"


@pytest.fixture(scope="module")
def own_app(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """An app over a library of its own, empty at first."""
    running = RunningApp(tmp_path_factory.mktemp("own") / "index")
    yield running
    running.close()


def add(page: Any, *files: tuple[str, int]) -> None:
    """Uploads texts (name, fee), and waits until they are added and compared."""
    sent = [{"name": name, "mimeType": "text/markdown", "buffer": FEE.format(fee).encode()} for name, fee in files]
    page.set_input_files(".pick-files", sent)
    page.wait_for_selector(".uploads [data-do=dismiss-all]", timeout=60_000)
    page.wait_for_selector(".comparing", state="detached", timeout=60_000)
    page.locator("[data-do=dismiss-all]").click()
    page.wait_for_selector(".uploads", state="detached")


def remove(page: Any, name: str) -> None:
    row = page.locator(f"li.document:has(.open[title*={name!r}])")
    row.hover()
    row.locator("[data-do=ask-remove]").click()
    row.locator(".danger").click()
    row.wait_for(state="detached")


def open_ledger(page: Any) -> None:
    page.get_by_role("tab", name="Conflicts").click()
    page.wait_for_selector("#ledger :is(.ledger > li, .empty)", timeout=60_000)


def test_conflicts_come_with_documents_and_leave_with_them(own_app: RunningApp, visit: Visit) -> None:
    page = visit(own_app)
    open_ledger(page)
    assert page.locator("#ledger .empty h3").inner_text() == "No conflicts found"
    page.get_by_role("tab", name="Ask").click()
    add(page, ("north.md", 400), ("south.md", 250))
    open_ledger(page)
    page.wait_for_selector("#ledger .ledger > li", timeout=60_000)
    assert page.locator("#ledger [role=status]").inner_text() == "1 difference, 1 conflict among them."
    assert sorted(page.locator("#ledger .value").all_inner_texts()) == ["EUR 250 a year", "EUR 400 a year"]

    page.get_by_role("tab", name="Ask").click()
    remove(page, "south.md")
    page.get_by_role("tab", name="Conflicts").click()
    page.wait_for_selector("#ledger .empty")
    page.get_by_role("tab", name="Ask").click()
    remove(page, "north.md")


def test_each_side_opens_its_own_document_also_of_two_with_one_name(own_app: RunningApp, visit: Visit) -> None:
    page = visit(own_app)
    add(page, ("fees.md", 400))
    add(page, ("fees.md", 250))
    open_ledger(page)
    page.wait_for_selector("#ledger .ledger > li", timeout=60_000)
    values = page.locator("#ledger .value").all_inner_texts()
    assert sorted(values) == ["EUR 250 a year", "EUR 400 a year"]
    page.locator("#ledger .cite").first.click()
    page.wait_for_selector("#viewer .sheet mark.mark")
    assert values[0] in page.locator("#viewer .sheet mark.mark").inner_text()
    page.keyboard.press("j")
    page.wait_for_function(
        "value => document.querySelector('#viewer .sheet mark.mark').textContent.includes(value)", arg=values[1]
    )

    # a side of a document that another page removed meanwhile keeps its quote, and says so
    page.get_by_role("tab", name="Conflicts").click()
    page.wait_for_selector("#ledger .ledger > li")
    other = visit(own_app)
    remove(other, "fees (2).md")
    page.locator("#ledger .cite[title*='(2)']").click()
    page.wait_for_selector("#viewer .viewer.gone")
    assert "fees (2).md was removed" in page.locator("#viewer .note").inner_text()
    assert "EUR 250 a year" in page.locator("#viewer .sheet mark").inner_text()
    remove(other, "fees.md")


def test_by_keyboard_every_verdict_tells_its_reason_also_below_the_fold(
    app_with_model: RunningApp, model: ModelServer, visit: Visit
) -> None:
    model.reply = "\n\n".join(f"Crane number {n} was painted blue by {n + 20} people." for n in range(12))
    page = visit(app_with_model, height=460)
    page.fill("#box textarea", "Who painted the cranes of the harbour?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat .answer .actions", state="attached", timeout=30_000)
    marks = page.locator("#chat .answer .body .verdict")
    assert marks.count() == 12
    marks.first.focus()
    for number in range(12):
        page.wait_for_function(
            """number => {
                const mark = document.activeElement, tip = document.querySelector('.tip');
                const all = [...document.querySelectorAll('#chat .answer .body .verdict')];
                const place = mark.getBoundingClientRect(), at = tip.getBoundingClientRect();
                const beside = Math.min(Math.abs(at.top - place.bottom), Math.abs(place.top - at.bottom)) < 20;
                return all.indexOf(mark) === number && !tip.hidden && beside && at.top >= 0 && at.bottom <= innerHeight
                    && mark.textContent.startsWith(tip.firstChild.textContent);
            }""",
            arg=number,
        )
        if number < 11:
            page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()
    # read or not, every document is named, and the scores are said in words too
    page.locator("#chat .coverage summary").click()
    assert page.locator("#chat .coverage dt").all_inner_texts() == ["Read but not cited"]
    page.locator("#chat details.checked summary").click()
    assert page.locator("#chat .checked dt").all_inner_texts() == ["recall 0 %", "0 of 12 sentences cited"]
