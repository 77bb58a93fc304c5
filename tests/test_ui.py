"""What the front-end does with text and places, without a browser; tests/browser has the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from stored import WordEmbedder

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.library import Library
from multidoc_rag.records import Answer, Citation, Coverage, Evidence, Intent, Place, Sentence, Verdict
from multidoc_rag.ui.answer_view import answer_html, checked_html
from multidoc_rag.ui.conflicts_view import chosen_of, conflicts_block, documents_of, kinds_of, ledger_html
from multidoc_rag.ui.desk import Desk, Options
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.html import answer_body, draft_body, shorten, shorten_front
from multidoc_rag.ui.intake import safe_name
from multidoc_rag.ui.library_pane import remaining
from multidoc_rag.ui.page_view import view
from multidoc_rag.ui.web import Addresses

INTENT = Intent("synthesis", 0.8, ("asks for risks",))


def an_answer(text: str, citations: tuple[Citation, ...], numbers: tuple[int, ...]) -> Answer:
    return Answer(
        id="a1",
        question="Which risks?",
        intent=INTENT,
        text=text,
        raw_text=text,
        sentences=(Sentence(text, numbers),),
        citations=citations,
        evidence=Evidence("Which risks?", INTENT, ()),
        coverage=Coverage(),
        model="quotes",
    )


def test_each_label_becomes_the_pill_of_its_own_citation() -> None:
    quote = 'say "<i>"'
    citations = tuple(Citation(n, "a.pdf", "d", (Place(3),), quote) for n in (1, 2))
    body = answer_body(an_answer("One [a.pdf p.3]. Two [a.pdf p.3].", citations, (1, 2)), {1: "x.1", 2: "x.2"}, {})
    assert body.index('value="x.1"') < body.index('value="x.2"')
    assert "say &quot;&lt;i&gt;&quot;" in body
    assert "<i>" not in body


def test_a_draft_opens_only_passages_that_were_read() -> None:
    body = draft_body("It is so [a.pdf p.3] and [b.pdf p.9].", {"a.pdf p.3": "p-1"})
    assert '<button type="button" class="cite" value="p-1" title="a.pdf p.3">a.pdf p.3</button>' in body
    assert '<span class="cite draft">b.pdf p.9</span>' in body


def test_a_model_cannot_write_our_placeholders() -> None:
    assert draft_body("a \ue0000\ue001 b", {}).strip() == "<p>a 0 b</p>"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\work\\plan.docx", "plan.docx"),
        ("a\x00b\nc.txt", "a_b_c.txt"),
        (".hidden.pdf", "hidden.pdf"),
        ("", "file"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("ü" * 150 + ".pdf", "ü" * 98 + ".pdf"),
    ],
)
def test_names_from_a_browser_are_made_safe(name: str, expected: str) -> None:
    assert safe_name(name) == expected


def test_long_names_keep_their_ending_and_long_text_whole_words() -> None:
    assert shorten("a-very-long-name-of-a-report-2024.pdf", 24) == "a-very-long-n…t-2024.pdf"
    assert shorten("one two three four", 12) == "one two…"
    assert shorten_front("one two three four", 12) == "…three four"


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (59, "59 s"), (61, "1 min"), (3900, "1 h 5 min")])
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert remaining(seconds) == words


def test_a_key_goes_only_to_the_kind_of_model_it_is_for() -> None:
    options = Options.of(Config())
    hosted = Options(**{**vars(options), "llm": "hf:some/model", "api_key": "secret"}).applied_to(Config())
    assert (hosted.hf_token, hosted.openai_api_key) == ("secret", "")
    served = Options(**{**vars(options), "llm": "openai:http://h#m", "api_key": "secret"}).applied_to(Config())
    assert (served.hf_token, served.openai_api_key) == ("", "secret")
    assert "secret" not in repr(hosted)


TEXTS = {
    "berth.txt": "The alpha berth opens at six. The crane lifts 40 tonnes. The crane is blue.",
    "pier.txt": "The crane lifts 45 tonnes. Nobody knows why.",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk over two text files."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    with Library.open(tmp_path / "index", embedder=WordEmbedder()) as library:
        library.add([tmp_path / name for name in TEXTS])
        yield Desk(tmp_path / "index", "default", Config(), library=library)


def cited(desk: Desk, n: int, name: str, quote: str, verdict: Verdict = "unchecked") -> Citation:
    start = TEXTS[name].index(quote)
    places = (Place(1),)
    identity = desk.library().document(name).id
    return Citation(n, name, identity, places, quote, start=start, end=start + len(quote), verdict=verdict)


def a_checked_answer(desk: Desk) -> Answer:
    citations = (
        cited(desk, 1, "berth.txt", "The crane lifts 40 tonnes.", "supported"),
        cited(desk, 2, "berth.txt", "The crane is blue.", "supported"),
        cited(desk, 3, "pier.txt", "The crane lifts 45 tonnes.", "contradicted"),
    )
    sides = [
        {"document": c.document, "page": 1, "quote": c.quote, "value": c.quote.split()[3]}
        for c in (citations[0], citations[2])
    ]
    return replace(
        an_answer(
            "It lifts 40 [berth.txt p.1]. It is blue [berth.txt p.1]. It lifts 21 [pier.txt p.1].", citations, ()
        ),
        sentences=(
            Sentence("It lifts 40.", (1,), "supported"),
            Sentence("It is blue.", (2,), "partly", "no <hue>"),
            Sentence("It lifts 21.", (3,), "contradicted", "the passage says 45"),
        ),
        coverage=Coverage(("berth.txt", "pier.txt", "quay.txt"), ("berth.txt", "pier.txt"), ("x.txt",)),
        conflicts=({"kind": "conflict", "subject": "crane", "measure": "lift <t>", "sides": sides},),
    )


def test_each_verdict_is_a_button_named_by_its_reason(desk: Desk) -> None:
    body = answer_body(a_checked_answer(desk), {}, {})
    assert re.findall(r'class="verdict (\w+)" value="verdict"><span class="unseen">([^<]*)</span>', body) == [
        ("supported", "Supported by what it cites"),
        ("partly", "Partly supported by what it cites: no &lt;hue&gt;"),
        ("contradicted", "Contradicted by what it cites: the passage says 45"),
    ]


def test_the_line_under_an_answer_counts_what_holds(desk: Desk) -> None:
    answer = a_checked_answer(desk)
    line = re.sub(r"<[^>]*>", " ", checked_html(answer))
    assert re.findall(r"\d+ (?:partly )?[a-z]+", line)[:3] == ["1 supported", "1 partly supported", "1 contradicted"]
    assert re.findall(r"> ?((?:citation|recall|\d of)[^<]+)<", checked_html(answer))[:3] == [
        "citation precision 67 %",
        "recall 33 %",
        "3 of 3 sentences cited",
    ]
    assert "It lifts 21." in line
    assert "It lifts 40." not in line
    unchecked = tuple(replace(sentence, verdict="unchecked") for sentence in answer.sentences)
    assert checked_html(replace(answer, sentences=unchecked)) == ""
    whole = answer_html(desk, Addresses(), answer)
    assert "Documents read: 3, cited: 2, nothing found in 1" in whole
    assert "<dt>Read but not cited</dt><dd>quay.txt</dd><dt>Nothing found in</dt><dd>x.txt</dd>" in whole


def test_a_conflict_shows_both_sides_and_each_opens_its_page(desk: Desk) -> None:
    answer = a_checked_answer(desk)
    shown = conflicts_block(answer.conflicts, "a1.c")
    assert "The documents disagree" in shown
    assert "lift &lt;t&gt;" in shown
    assert re.findall(r'value="(a1[^"]+)"', shown) == ["a1.c0.0", "a1.c0.1"]
    desk.remember(answer)
    assert desk.shown("a1.c0.1").target.quote == "The crane lifts 45 tonnes."
    near = [dict(conflict, kind="rounding") for conflict in answer.conflicts]
    assert "The documents disagree" not in conflicts_block(near, "a1.c")
    assert ">Rounding<" in conflicts_block(near, "a1.c")


def test_the_ledger_is_chosen_by_kind_and_document(desk: Desk) -> None:
    (conflict,) = a_checked_answer(desk).conflicts
    other = {"kind": "rounding", "subject": "x", "measure": "y", "sides": [{"document": "z.txt", "page": 1}]}
    found = [dict(conflict), other]
    assert chosen_of(found, "", "") == found
    assert chosen_of(found, "rounding", "berth.txt") == []
    assert chosen_of(found, "conflict", "pier.txt") == [conflict]
    assert kinds_of(found) == [("Every kind (2)", ""), ("Conflict (1)", "conflict"), ("Rounding (1)", "rounding")]
    assert documents_of(found)[1:] == [("berth.txt", "berth.txt"), ("pier.txt", "pier.txt"), ("z.txt", "z.txt")]
    assert 'value="l-1.0.1"' in ledger_html(found, 2, "l-1.")


def test_the_viewer_marks_the_quote_and_the_others_of_its_page(desk: Desk) -> None:
    desk.remember(a_checked_answer(desk))
    shown = desk.shown("a1.1")
    page = view(desk, Addresses(), shown)
    assert '<mark class="mark">The crane lifts 40 tonnes.</mark>' in page
    assert '<mark class="mark other" data-step="1" title="Citation 2">The crane is blue.</mark>' in page
    assert "1 other citation on this page" in page
    assert 'aria-label="Previous citation" title="Previous citation (k or [)" disabled' in page
    following = shown.step(2)
    assert following.target.pill == "a1.3"
    assert '<mark class="mark">The crane lifts 45 tonnes.</mark>' in view(desk, Addresses(), following)
    assert following.step(3) == following


@pytest.mark.parametrize("pill", ["", "a1.9", "a1.c0.7", "a1.c9.0", "zz.1", "../x.1", "a1.1.1"])
def test_a_pill_that_was_not_given_out_opens_nothing(desk: Desk, pill: str) -> None:
    desk.remember(a_checked_answer(desk))
    with pytest.raises(MultiDocError, match="That citation does not exist"):
        desk.shown(pill)


def test_a_citation_of_a_document_that_left_says_so(desk: Desk, tmp_path: Path) -> None:
    answer = a_checked_answer(desk)
    desk.remember(answer)
    desk.library().remove(["pier.txt"])
    page = view(desk, Addresses(), desk.shown("a1.3"))
    assert "pier.txt was removed from the library after this answer was written: only its quote is kept." in page
    assert '<mark class="mark">The crane lifts 45 tonnes.</mark>' in page
    (tmp_path / "berth.txt").write_text("The crane was sold.")
    desk.library().add([tmp_path / "berth.txt"])
    page = view(desk, Addresses(), desk.shown("a1.1"))
    assert "berth.txt was replaced after this answer was written: the quote is from the earlier version." in page
    assert f'data-open="{desk.library().document("berth.txt").id}"' in page
    whole = answer_html(desk, Addresses(), answer)
    assert "berth.txt was replaced after this answer was written" in whole
    assert "pier.txt was removed after this answer was written" in whole


def test_evaluation_results_are_shown_as_tables_and_damaged_ones_named(tmp_path: Path) -> None:
    assert "No evaluation results yet" in evaluation_html(tmp_path)
    (tmp_path / "e1.json").write_text('{"accuracy": 0.91234, "rows": [{"question": "<b>", "ok": true}]}')
    (tmp_path / "e2.json").write_text("{")
    shown = evaluation_html(tmp_path)
    assert '<td class="number">0.912</td>' in shown
    assert "<td>&lt;b&gt;</td>" in shown
    assert "e2.json could not be read" in shown


def test_a_side_of_a_conflict_is_known_by_its_id_also_after_its_name_went_to_another(
    desk: Desk, tmp_path: Path
) -> None:
    answer = replace(a_checked_answer(desk), citations=())
    ids = {document.name: document.id for document in desk.library().documents()}
    sides = [{**side, "document_id": ids[side["document"]]} for side in answer.conflicts[0]["sides"]]
    answer = replace(answer, conflicts=({**answer.conflicts[0], "sides": sides},))
    desk.remember(answer)
    assert "after this answer was written" not in answer_html(desk, Addresses(), answer)
    (tmp_path / "pier.txt").write_text("The crane lifts 50 tonnes.")
    desk.library().add([tmp_path / "pier.txt"])
    assert "pier.txt was replaced after this answer was written" in answer_html(desk, Addresses(), answer)
    page = view(desk, Addresses(), desk.shown("a1.c0.1"))
    assert '<mark class="mark">The crane lifts 45 tonnes.</mark>' in page
    assert "earlier version" in page
