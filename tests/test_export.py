"""Answers as files: what stands in them, and that an HTML page needs and runs nothing from anywhere."""

from __future__ import annotations

import base64
import io
import json
import re
from typing import Any

import pytest

from multidoc_rag import Library
from multidoc_rag.answers.export import answer_of, export_answer
from multidoc_rag.errors import MultiDocError

STORED: dict[str, Any] = {
    "id": "a1",
    "question": "Which <risks>?",
    "intent": "synthesis",
    "answer": "Fire [a.pdf p.3].",
    "model": "quotes",
    "sentences": [{"text": "Fire.", "citations": [1], "verdict": "partly", "reason": "no word of <smoke>"}],
    "citations": [
        {"n": 1, "document": "a.pdf", "document_id": "d", "page": 3, "quote": "Fire <&>", "places": [{"page": 3}]}
    ],
    "conflicts": [
        {
            "kind": "other_period",
            "subject": "Fires",
            "measure": "count",
            "sides": [
                {"document": "a.pdf", "page": 3, "quote": "two fires <b>", "value": "2"},
                {"document": "b.pdf", "page": 1, "quote": "no fire", "value": "0"},
            ],
        }
    ],
    "coverage": {"read": ["a.pdf"], "cited": ["a.pdf"], "nothing_found": ["c.pdf"]},
}


def test_a_stored_answer_is_a_record_again() -> None:
    answer = answer_of(STORED)
    assert answer.citations[0].label == "[a.pdf p.3]"
    assert (answer.sentences[0].verdict, answer.sentences[0].reason) == ("partly", "no word of <smoke>")
    assert answer.conflicts[0]["sides"][1]["value"] == "0"


def test_markdown_has_marks_reasons_conflicts_and_references() -> None:
    text, kind = export_answer(STORED, "md")
    assert kind == "text/markdown"
    assert text.startswith("# Which <risks>?\n\nFire [a.pdf p.3]. ◐\n\n## Checked\n\n- ◐ Fire. Partly supported")
    assert "\nRecall 0 %; 1 of 1 sentences cited.\n" in text
    assert (
        "\n## Where the documents differ\n\n"
        "- **Other period**, Fires · count. The values are for different periods: no conflict.\n"
        "  - 2 in a.pdf p.3: “two fires <b>”\n  - 0 in b.pdf p.1: “no fire”\n"
    ) in text
    assert "\n1. **a.pdf**, page 3: “Fire <&>”\n" in text
    assert "> Nothing found in: c.pdf." in text


def test_html_escapes_everything_and_points_nowhere() -> None:
    page, kind = export_answer(STORED, "html")
    assert kind == "text/html"
    assert "<h1>Which &lt;risks&gt;?</h1>" in page
    assert '<a class="cite" href="#citation-1" title="Fire &lt;&amp;&gt;">a.pdf p.3</a>' in page
    assert 'aria-label="Partly supported by what it cites: no word of &lt;smoke&gt;"' in page
    assert "two fires &lt;b&gt;" in page
    assert "default-src 'none'" in page
    assert re.findall(r"""(?:src|href)=["'](?!#|data:)|<script|url\(|@import""", page) == []


def test_json_is_the_answer_and_other_kinds_are_refused() -> None:
    text, _ = export_answer(STORED, "json")
    assert json.loads(text) == STORED
    with pytest.raises(MultiDocError, match="exported as md, html or json, not 'exe'"):
        export_answer(STORED, "exe")


def test_html_shows_each_quote_marked_on_its_page(library: Library) -> None:
    from PIL import Image

    document = library.document("economic-assessment.pdf")
    page = library.page(document.id, 5)
    start = page.clean.index("The largest risks in the programme")
    quote = page.clean[start : page.clean.index(".", start) + 1]
    cited = {"n": 1, "document": document.name, "document_id": document.id, "page": 5, "quote": quote}
    answer = STORED | {"citations": [cited | {"places": [{"page": 5}]}]}
    text, _ = export_answer(answer, "html", library)
    (data,) = re.findall(r'src="data:image/webp;base64,([^"]+)"', text)
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        width, height = picture.size
        colours = picture.convert("RGB").getcolors(width * height) or []
    assert width == 1100
    assert 60 < height < 300
    yellow = sum(count for count, (red, green, blue) in colours if red > 220 and green > 190 and blue < 160)
    assert yellow > 5_000


def test_every_kind_says_which_documents_were_removed_or_replaced_since(library: Library) -> None:
    earlier = STORED["citations"][0] | {"n": 2, "document": "economic-assessment.pdf", "document_id": "e" * 64}
    answer = STORED | {"citations": [*STORED["citations"], earlier]}
    text, _ = export_answer(answer, "html", library)
    assert "a.pdf was removed after this answer was written: only its quote is kept." in text
    assert (
        "economic-assessment.pdf was replaced after this answer was written: the quote is from the earlier version."
    ) in text
    assert "<img" not in text
    text, _ = export_answer(answer, "md", library)
    assert "“Fire <&>” (removed after this answer was written: only its quote is kept)" in text
    assert "“Fire <&>” (replaced after this answer was written: the quote is from the earlier version)" in text
    text, _ = export_answer(answer, "json", library)
    assert [citation["document_now"] for citation in json.loads(text)["citations"]] == ["removed", "replaced"]
