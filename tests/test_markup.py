"""Answers as safe HTML, with citations in the place of their labels and a mark behind each checked sentence."""

from __future__ import annotations

import html
import re
import time
from dataclasses import replace

import pytest

from multidoc_rag.answers.markup import pieces_of, render_markdown, render_pieces
from multidoc_rag.records import Answer, Citation, Coverage, Evidence, Intent, Place, Sentence

INTENT = Intent("synthesis", 0.8)


def an_answer(text: str, *sentences: Sentence, pages: tuple[int, ...] = (3, 5)) -> Answer:
    citations = tuple(Citation(n, "a.pdf", "d", (Place(page),), "quote") for n, page in enumerate(pages, 1))
    evidence = Evidence("Why?", INTENT, ())
    return Answer("a1", "Why?", INTENT, text, text, sentences, citations, evidence, Coverage(), "quotes")


def shown(answer: Answer) -> str:
    """The pieces in a row: `<n>` for a citation, `{verdict}` for the end of a sentence."""
    return "".join(
        piece if isinstance(piece, str) else f"<{piece.n}>" if isinstance(piece, Citation) else f"{{{piece.verdict}}}"
        for piece in pieces_of(answer)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. [a.pdf p.3] Two. [a.pdf p.5]", "One. <1>{supported} Two. <2>{partly}"),
        ("One [a.pdf p.3]. Two [a.pdf p.5].", "One <1>.{supported} Two <2>.{partly}"),
        ("- “One.” [a.pdf p.3]\n- **Two.** [a.pdf p.5]\n", "- “One.” <1>{supported}\n- **Two.** <2>{partly}\n"),
        ("| One [a.pdf p.3] | Two [a.pdf p.5] |", "| One <1>{supported} | Two <2>{partly} |"),
        ("1. One [a.pdf p.3]\n2. `Two` [a.pdf p.5]", "1. One <1>{supported}\n2. `Two` <2>{partly}"),
        ("# Head\n\nOne? [a.pdf p.3]\n\nTwo [a.pdf p.5]", "# Head\n\nOne? <1>{supported}\n\nTwo <2>{partly}"),
    ],
)
def test_a_mark_stands_behind_its_sentence_and_its_labels(text: str, expected: str) -> None:
    answer = an_answer(text, Sentence("One.", (1,), "supported"), Sentence("Two", (2,), "partly"))
    assert shown(answer) == expected


def test_a_sentence_with_two_labels_and_one_in_its_middle() -> None:
    text = "It was so [a.pdf p.3] in the end [a.pdf p.5]. More."
    answer = an_answer(text, Sentence("It was so in the end.", (1, 2), "contradicted"))
    assert shown(answer) == "It was so <1> in the end <2>.{contradicted} More."


def test_unchecked_sentences_and_those_not_in_the_text_get_no_mark() -> None:
    answer = an_answer(
        "One. [a.pdf p.3]", Sentence("Never written.", (), "unsupported"), Sentence("One.", (1,), "unchecked")
    )
    assert shown(answer) == "One. <1>"


def test_labels_that_point_to_nothing_are_marked_as_such() -> None:
    answer = an_answer("So it is [unknown source: b <x>.pdf p.9].", Sentence("So it is.", (), "unsupported"), pages=())
    rendered = render_pieces(pieces_of(answer), lambda piece: f"<i>{getattr(piece, 'verdict', '')}</i>")
    assert '<span class="cite broken" title="The answer cites b &lt;x&gt;.pdf p.9, which was not read">' in rendered
    assert rendered.strip().endswith(".\u00a0<i>unsupported</i></p>")


def test_a_bold_sentence_stays_bold_before_its_mark() -> None:
    answer = an_answer("**Two.**", Sentence("Two.", (), "supported"), pages=())
    rendered = render_pieces(pieces_of(answer), lambda _: "<i></i>")
    assert rendered.strip() == "<p><strong>Two.</strong>\u00a0<i></i></p>"


def test_a_model_cannot_write_our_placeholders() -> None:
    answer = an_answer("a \ue0000\ue001 b [a.pdf p.3]", Sentence("a 0 b", (1,)))
    assert render_pieces(pieces_of(answer), lambda _: "<i></i>").strip() == "<p>a 0 b <i></i></p>"


def test_a_long_answer_is_marked_in_no_time() -> None:
    lines = [f"Sentence {n} says that berth {n} is {n} metres long." for n in range(1000)]
    text = " [a.pdf p.3]\n".join(lines)
    answer = an_answer(text, *(Sentence(line, (1,), "supported") for line in lines))
    assert len(text) > 50_000
    assert sum(isinstance(piece, Sentence) for piece in pieces_of(answer)) == 1000


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


def test_signs_in_a_verbatim_quote_are_shown_as_they_stand() -> None:
    quote = "The p* of `x' and **q** is <b>5</b> &amp; snake_case | [12] [a.pdf p.9] \\ ~~so~~."
    text = f"### What *all* say\n\n- “{quote}” [a.pdf p.3]\n- “Two `y'.” [a.pdf p.5]\n"
    sentences = Sentence(quote, (1,), "supported"), Sentence("Two `y'.", (2,), "supported")
    rendered = render_pieces(pieces_of(an_answer(text, *sentences)), lambda piece: "<i></i>")
    assert html.unescape(re.sub("<[^>]*>", "", rendered)).split() == f"What all say “{quote}” “Two `y'.”".split()


def test_code_in_a_models_answer_holds_no_pills() -> None:
    text = "Write `[a.pdf p.3]` or\n\n```\n[a.pdf p.3]\n```\n\nas here [a.pdf p.3]."
    answer = replace(an_answer(text, Sentence("as here.", (1,), "supported")), model="scripted")
    assert shown(answer) == text.replace("here [a.pdf p.3].", "here <1>.{supported}")
    rendered = render_pieces(pieces_of(answer), lambda piece: "<i></i>")
    assert "<code>[a.pdf p.3]</code>" in rendered
    assert "<pre><code>[a.pdf p.3]&#10;</code></pre>" in rendered


def test_fifty_thousand_characters_are_rendered_in_seconds() -> None:
    line = "- “The reserve * covers [12] of `it'.” [a.pdf p.3]\n"
    sentence = Sentence("The reserve * covers [12] of `it'.", (1,), "supported")
    count = 50_000 // len(line)
    answer = an_answer(line * count, *[sentence] * count)
    began = time.process_time()
    rendered = render_pieces(pieces_of(answer), lambda piece: "<i></i>")
    assert time.process_time() - began < 5
    assert rendered.count("<i></i>") == 2 * count
