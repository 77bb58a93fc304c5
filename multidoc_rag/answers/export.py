"""An answer as a file: Markdown, a self-contained HTML page with cut-outs of the cited pages, or JSON."""

from __future__ import annotations

import base64
import io
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from multidoc_rag.answers.markup import DIFFERENCES, VERDICTS, escape, pieces_of, render_pieces, verdict_words
from multidoc_rag.answers.places import quote_on_page, what_became
from multidoc_rag.errors import MultiDocError
from multidoc_rag.library import Library
from multidoc_rag.records import Answer, Citation, Coverage, Evidence, Intent, Place, Sentence
from multidoc_rag.verdicts.verification import grounding

KINDS = ("md", "html", "json")
WIDTH = 1100
"""Pixels across a page of which a cut-out is taken."""
AROUND = 0.035
"""How much of a page's height is shown above and below a quote."""
MOST_CUT_OUTS = 60
"""Cut-outs in one file; further citations are shown by their words."""

Pictures = dict[tuple[str, int], bytes]
"""Pages drawn for one file, by document id and page number: several quotes may stand on one."""

log = logging.getLogger(__name__)


def export_answer(
    answer: Mapping[str, Any],
    kind: str,
    library: Library | None = None,
    *,
    password: Callable[[str], str | None] = lambda _: None,
) -> tuple[str, str]:
    """The text of the file and its media type, from an answer as `ask --json` prints it.

    `kind` is md, html or json. With a `library` the HTML shows each quote as it stands on its page, and every kind says
    which cited documents were removed or replaced since (JSON: a citation's `document_now`); `password` gives the
    password of an encrypted document by its id. Raises MultiDocError for another kind.
    """
    answer = _as_of_now(answer, library)
    if kind == "json":
        return json.dumps(answer, ensure_ascii=False, indent=2), "application/json"
    if kind == "md":
        return _markdown(answer), "text/markdown"
    if kind == "html":
        return _page(answer, library, password), "text/html"
    raise MultiDocError(f"Answers are exported as md, html or json, not {kind!r}.")


def _as_of_now(answer: Mapping[str, Any], library: Library | None) -> dict[str, Any]:
    """The answer, its citations of documents that were removed or replaced since marked with `document_now`."""
    if library is None:
        return dict(answer)
    citations = []
    for citation in answer.get("citations", ()):
        became = what_became(library, citation["document_id"], citation["document"])
        citations.append({**citation, "document_now": became} if became else citation)
    return {**answer, "citations": citations}


_SINCE = {
    "replaced": "replaced after this answer was written: the quote is from the earlier version",
    "removed": "removed after this answer was written: only its quote is kept",
}


def _since(answer: Mapping[str, Any]) -> dict[int, str]:
    """By citation number, what happened to its document since."""
    return {c["n"]: _SINCE[c["document_now"]] for c in answer.get("citations", ()) if c.get("document_now") in _SINCE}


def answer_of(stored: Mapping[str, Any]) -> Answer:
    """A stored answer as a record, without the evidence and prompt that are not stored."""
    routing = stored.get("routing", {})
    intent = Intent(
        stored["intent"],
        float(routing.get("confidence", 0.0)),
        tuple(routing.get("reasons", ())),
        routing.get("second"),
    )
    citations = tuple(
        Citation(
            n=c["n"],
            document=c["document"],
            document_id=c["document_id"],
            places=tuple(Place(place["page"], tuple(map(tuple, place.get("boxes", ())))) for place in c["places"])
            or (Place(c["page"]),),
            quote=c["quote"],
            section=c.get("section", ""),
            score=float(c.get("score", 0.0)),
            start=int(c.get("start", 0)),
            end=int(c.get("end", 0)),
            verdict=c.get("verdict", "unchecked"),
        )
        for c in stored.get("citations", ())
    )
    sentences = tuple(
        Sentence(s["text"], tuple(s["citations"]), s.get("verdict", "unchecked"), s.get("reason", ""))
        for s in stored.get("sentences", ())
    )
    return Answer(
        id=stored["id"],
        question=stored["question"],
        intent=intent,
        text=stored["answer"],
        raw_text=stored.get("raw_answer", stored["answer"]),
        sentences=sentences,
        citations=citations,
        evidence=Evidence(stored["question"], intent, ()),
        coverage=Coverage(**{name: tuple(names) for name, names in stored.get("coverage", {}).items()}),
        model=stored.get("model", ""),
        refused=bool(stored.get("refused")),
        conflicts=tuple(stored.get("conflicts", ())),
        warnings=tuple(stored.get("warnings", ())),
        fallbacks=tuple(stored.get("fallbacks", ())),
        seconds=dict(stored.get("seconds", {})),
    )


def _notes(answer: Mapping[str, Any]) -> list[str]:
    coverage = answer.get("coverage", {})
    read = [
        f"{words}: {', '.join(coverage[name])}."
        for name, words in (("read", "Read"), ("cited", "Cited"), ("nothing_found", "Nothing found in"))
        if coverage.get(name)
    ]
    return [*answer.get("fallbacks", ()), *answer.get("warnings", ()), *read]


def scores(answer: Answer) -> tuple[tuple[str, str], ...]:
    """(score in words, what it means) of a checked answer: citation precision, recall, sentences with a citation."""
    checked = [sentence for sentence in answer.sentences if sentence.verdict in VERDICTS]
    if not checked:
        return ()
    found = grounding(answer.sentences, answer.citations)
    cited = sum(bool(sentence.citations) for sentence in checked)
    precise = (
        f"citation precision {100 * found.citation_precision:.0f} %",
        "share of the citations whose passage bears out the sentence that cites it, at least in part",
    )
    return (
        *([precise] if any(citation.verdict != "unchecked" for citation in answer.citations) else []),
        (
            f"recall {100 * found.citation_recall:.0f} %",
            "share of the sentences that are wholly borne out by what they cite",
        ),
        (f"{cited} of {len(checked)} sentences cited", "sentences that name at least one source that was read"),
    )


def _about(conflict: Mapping[str, Any]) -> str:
    return " · ".join(dict.fromkeys(str(conflict[key]) for key in ("subject", "measure") if conflict.get(key)))


# --- Markdown ---------------------------------------------------------------------------------------

_SIGNS = {"supported": "✓", "partly": "◐", "unsupported": "?", "contradicted": "✗"}


def _markdown(answer: Mapping[str, Any]) -> str:
    record = answer_of(answer)
    text = "".join(
        piece if isinstance(piece, str) else piece.label if isinstance(piece, Citation) else f" {_SIGNS[piece.verdict]}"
        for piece in pieces_of(record)
    )
    lines = [f"# {' '.join(record.question.split())}", "", text, ""]
    checked = [sentence for sentence in record.sentences if sentence.verdict in _SIGNS]
    if checked:
        lines += ["## Checked", "", *(f"- {_checked(sentence)}" for sentence in checked), ""]
        lines += [f"{'; '.join(score for score, _ in scores(record))}.".capitalize(), ""]
    if record.conflicts:
        lines += ["## Where the documents differ", ""]
    for conflict in record.conflicts:
        name, means = DIFFERENCES.get(conflict["kind"], (conflict["kind"], ""))
        lines.append(f"- **{name}**, {_about(conflict)}. {means}".rstrip())
        lines += [
            f"  - {side.get('value', '')} in {side['document']} p.{side['page']}: “{_one_line(side.get('quote', ''))}”"
            for side in conflict["sides"]
        ]
    if record.conflicts:
        lines.append("")
    if record.citations:
        lines += ["## References", ""]
        since = _since(answer)
        lines += [
            f"{c.n}. **{c.document}**, page {c.page}: “{_one_line(c.quote)}”"
            + (f" ({since[c.n]})" if c.n in since else "")
            for c in record.citations
        ]
        lines.append("")
    lines += ["\n>\n".join(f"> {note}" for note in _notes(answer)), ""]
    return "\n".join([*lines, f"Written by {record.model}.", ""])


def _checked(sentence: Sentence) -> str:
    return f"{_SIGNS[sentence.verdict]} {_one_line(sentence.text)} {verdict_words(sentence)}"


def _one_line(text: object) -> str:
    return " ".join(str(text).split())


# --- HTML -------------------------------------------------------------------------------------------

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--quiet:#5b6675;--line:#e0e5ec;--good:#18794e;--warn:#93590b;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--ink:#dfe5ee;--quiet:#94a0b1;--line:#2a323d;--good:#4cc38a;--warn:#f1c27a;
--bad:#ff9592}body{background:#0d1117}}
body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:var(--ink);
overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.1rem;margin-top:2rem}h3,h4,h5,h6{font-size:1rem}
small,.quiet{color:var(--quiet);font-size:.85rem}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .5rem}
.cite{display:inline-block;max-width:100%;box-sizing:border-box;line-height:1.5;font-size:.8rem;border:1px solid
var(--line);border-radius:1rem;padding:0 .5rem;color:inherit}
a{text-decoration:none}
.verdict{font-weight:700;cursor:help}.supported{color:var(--good)}.partly{color:var(--warn)}
.unsupported,.contradicted,.broken{color:var(--bad)}
.checked{list-style:none;padding-left:0}.checked li{margin:.7rem 0}.sides{list-style:none;padding-left:0}
.references{padding-left:1.6rem}.references li{margin:1rem 0}q{color:var(--quiet)}
figure{margin:.5rem 0;border:1px solid var(--line);background:#fff}figure img{display:block;width:100%}
"""


def _page(answer: Mapping[str, Any], library: Library | None, password: Callable[[str], str | None]) -> str:
    record = answer_of(answer)

    def shown(piece: Citation | Sentence) -> str:
        if isinstance(piece, Citation):
            name = f"{escape(piece.document)} p.{piece.page}"
            return f'<a class="cite" href="#citation-{piece.n}" title="{escape(piece.quote)}">{name}</a>'
        words = verdict_words(piece)
        return (
            f'<span class="verdict {piece.verdict}" role="img" title="{escape(words)}" '
            f'aria-label="{escape(words)}">{_SIGNS[piece.verdict]}</span>'
        )

    body = render_pieces(pieces_of(record), shown)
    checked = "".join(
        f'<li><span class="verdict {sentence.verdict}" aria-hidden="true">{_SIGNS[sentence.verdict]}</span> '
        f'{escape(_one_line(sentence.text))}<br><span class="quiet">{escape(verdict_words(sentence))}</span></li>'
        for sentence in record.sentences
        if sentence.verdict in _SIGNS and sentence.verdict != "supported"
    )
    checked = f'<h2>Sentences to look at</h2><ul class="checked">{checked}</ul>' if checked else ""
    measured = "".join(f"<li>{escape(score)}: {escape(means)}</li>" for score, means in scores(record))
    measured = f'<h2>How it was checked</h2><ul class="quiet">{measured}</ul>' if measured else ""
    pictures: Pictures = {}
    since = _since(answer)
    references = "".join(
        _reference(citation, library, password, pictures, since.get(citation.n, ""), drawn=index < MOST_CUT_OUTS)
        for index, citation in enumerate(record.citations)
    )
    references = f'<h2>References</h2><ol class="references">{references}</ol>' if references else ""
    notes = "".join(f'<p class="quiet">{escape(note)}</p>' for note in _notes(answer))
    title = escape(record.question)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"img-src data:; style-src 'unsafe-inline'\"><title>{title}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{title}</h1>{body}{_conflicts(record, library, password, pictures)}{checked}{references}{measured}{notes}"
        f"<p><small>Written by {escape(record.model)}.</small></p></body></html>"
    )


def _conflicts(
    answer: Answer, library: Library | None, password: Callable[[str], str | None], pictures: Pictures
) -> str:
    rows = []
    for index, conflict in enumerate(answer.conflicts):
        name, means = DIFFERENCES.get(conflict["kind"], (conflict["kind"], ""))
        drawn = library if index < MOST_CUT_OUTS // 2 else None
        sides = "".join(_side(side, drawn, password, pictures) for side in conflict["sides"])
        rows.append(
            f'<li><b>{escape(name)}</b> · {escape(_about(conflict))} <span class="quiet">{escape(means)}</span>'
            f'<ul class="sides">{sides}</ul></li>'
        )
    real = any(conflict["kind"] == "conflict" for conflict in answer.conflicts)
    title = "Where the documents disagree" if real else "Where the documents differ"
    return f'<h2>{title}</h2><ul class="references">{"".join(rows)}</ul>' if rows else ""


def _side(
    side: Mapping[str, Any],
    library: Library | None,
    password: Callable[[str], str | None],
    pictures: Pictures,
) -> str:
    """One side of a conflict, as it stands on its page where that can be shown."""
    shown, identity = "", str(side.get("document_id", ""))
    places = tuple(Place(int(place["page"])) for place in side.get("places", ())) or (Place(int(side["page"])),)
    quote, start, end = str(side.get("quote", "")), int(side.get("start", -1)), int(side.get("end", -1))
    cited = Citation(0, str(side["document"]), identity, places, quote, start=start, end=end)
    if library is not None and identity:
        if library.store.find(id=identity) is None:
            shown = f'<p class="quiet">{escape(cited.document)} was removed or replaced since; its quote is kept.</p>'
        else:
            shown = _cut_outs(cited, library, password, pictures)
    return (
        f"<li><b>{escape(side.get('value', ''))}</b> <q>{escape(_one_line(quote))}</q> "
        f'<span class="quiet">{escape(cited.document)} p.{escape(side["page"])}</span>{shown}</li>'
    )


def _reference(
    citation: Citation,
    library: Library | None,
    password: Callable[[str], str | None],
    pictures: Pictures,
    since: str,
    *,
    drawn: bool,
) -> str:
    if since:
        shown = f'<p class="quiet">{escape(citation.document)} was {since}.</p>'
    else:
        shown = "" if library is None or not drawn else _cut_outs(citation, library, password, pictures)
    n, name = citation.n, escape(citation.document)
    return (
        f'<li value="{n}" id="citation-{n}"><b>{name}</b>, page {citation.page}: '
        f"<q>{escape(citation.quote)}</q>{shown}</li>"
    )


def _cut_outs(citation: Citation, library: Library, password: Callable[[str], str | None], pictures: Pictures) -> str:
    """The quote as it stands on its pages; a sentence where a page cannot be shown, "" for files without pages."""
    try:
        secret = password(citation.document_id)
        pages = [place.page for place in citation.places]
        return "".join(_cut_out(citation, number, library, secret, pictures) for number in dict.fromkeys(pages))
    except MultiDocError as error:
        log.info("no cut-out of citation %d: %s", citation.n, error)
        # the reason names a folder of this machine, which is nobody's business where the file is sent to
        return '<p class="quiet">Its page cannot be shown: the file is gone, was changed or is encrypted.</p>'


def _cut_out(citation: Citation, number: int, library: Library, password: str | None, pictures: Pictures) -> str:
    from PIL import Image, ImageChops, ImageDraw

    identity = citation.document_id
    page = library.page(identity, number)
    span = quote_on_page(library, identity, page, citation.quote, citation.start, citation.end)
    if not page.width or span is None:
        return ""
    size = library.page_size(identity, number, password=password)
    boxes = [size.percent(box) for box in library.boxes(identity, number, *span, password=password)]
    if not boxes:
        return ""
    if (identity, number) not in pictures:
        pictures[identity, number] = library.picture(identity, number, WIDTH, password=password)
    with Image.open(io.BytesIO(pictures[identity, number])) as picture:
        drawn = picture.convert("RGB")
    width, height = drawn.size
    marks = Image.new("RGB", drawn.size, "white")
    pen = ImageDraw.Draw(marks)
    for left, top, across, down in boxes:
        pen.rectangle(
            (left * width / 100, top * height / 100, (left + across) * width / 100, (top + down) * height / 100),
            fill=(255, 226, 120),
        )
    first = max(0.0, min(top for _, top, _, _ in boxes) / 100 - AROUND)
    last = min(1.0, max(top + down for _, top, _, down in boxes) / 100 + AROUND)
    cut = ImageChops.multiply(drawn, marks).crop((0, int(first * height), width, max(1, int(last * height))))
    data = io.BytesIO()
    cut.save(data, "WEBP", quality=80)
    source = f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"
    says = escape(f"{citation.document}, page {number}")
    return f'<figure><img src="{source}" alt="The quote on its page: {says}"></figure>'
