"""What the front-end does with text and places, without a browser; tests/browser has the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.export import answer_of, export_answer
from multidoc_rag.places import span_on_page
from multidoc_rag.records import Answer, Citation, Coverage, Evidence, Intent, Place, Sentence
from multidoc_rag.ui.desk import Options
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.html import answer_body, draft_body, render_markdown, shorten, shorten_front
from multidoc_rag.ui.intake import safe_name
from multidoc_rag.ui.library_pane import remaining

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>"),
        ("![x](http://h/i.png)", "<p>![x](http://h/i.png)</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<http://h/>", "<p>&lt;http://h/&gt;</p>"),
        ("**a** `b < c`", "<p><strong>a</strong> <code>b &lt; c</code></p>"),
        ("# Head", "<h3>Head</h3>"),
        ("```\na\n\n<i>\n```", "<pre><code>a&#10;&#10;&lt;i&gt;&#10;</code></pre>"),
    ],
)
def test_markdown_becomes_one_line_without_links_images_or_raw_html(text: str, expected: str) -> None:
    assert render_markdown(text).strip() == expected


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


@pytest.mark.parametrize(
    ("page", "quote", "expected"),
    [
        ("The crane lifts 40 tonnes.", "lifts 40", (10, 18)),
        ("The crane\nlifts 40  tonnes.", "crane lifts 40 tonnes", (4, 26)),
        ("It begins here: the very long sentence", "the very long sentence goes on", (16, 38)),
        ("sentence goes on and ends.", "the very long sentence goes on", (0, 16)),
        ("Nothing of it.", "the very long sentence", None),
        ("Text.", "", None),
    ],
)
def test_a_quote_is_found_on_its_page_or_not_at_all(page: str, quote: str, expected: tuple[int, int] | None) -> None:
    assert span_on_page(page, quote) == expected


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


STORED = {
    "id": "a1",
    "question": "Which <risks>?",
    "intent": "synthesis",
    "answer": "Fire [a.pdf p.3].",
    "model": "quotes",
    "sentences": [{"text": "Fire.", "citations": [1]}],
    "citations": [
        {"n": 1, "document": "a.pdf", "document_id": "d", "page": 3, "quote": "Fire", "places": [{"page": 3}]}
    ],
    "coverage": {"read": ["a.pdf"], "cited": ["a.pdf"], "nothing_found": []},
}


def test_a_stored_answer_is_shown_again_with_its_citations() -> None:
    answer = answer_of(STORED)
    assert answer.citations[0].label == "[a.pdf p.3]"
    assert 'value="a1.1"' in answer_body(answer, {1: "a1.1"}, {"d": "Title"})


def test_exports() -> None:
    text, kind = export_answer(STORED, "md")
    assert kind == "text/markdown"
    assert text.startswith("# Which <risks>?\n\nFire [a.pdf p.3].\n\n## References\n\n1. **a.pdf**, page 3: “Fire”")
    page, _ = export_answer(STORED, "html")
    assert "<h1>Which &lt;risks&gt;?</h1>" in page
    with pytest.raises(MultiDocError, match="exported as md, html or json"):
        export_answer(STORED, "exe")


def test_evaluation_results_are_shown_as_tables_and_damaged_ones_named(tmp_path: Path) -> None:
    assert "No evaluation results yet" in evaluation_html(tmp_path)
    (tmp_path / "e1.json").write_text('{"accuracy": 0.91234, "rows": [{"question": "<b>", "ok": true}]}')
    (tmp_path / "e2.json").write_text("{")
    shown = evaluation_html(tmp_path)
    assert '<td class="number">0.912</td>' in shown
    assert "<td>&lt;b&gt;</td>" in shown
    assert "e2.json could not be read" in shown
