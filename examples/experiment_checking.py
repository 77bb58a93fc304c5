"""E5: are the verdicts right, and do the answers of E3 stand on what they cite?

The labelled sets say how far verdicts can be believed (`verdict_agreement.py`). The answers are read from E3's result
file, so that E5 needs neither E3 in the same run nor the model that wrote them; what a citation claims is looked up in
the collection, whatever the answer says about itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import verdict_agreement
from experiment import Check, Outcome, Question, Setting, gold_questions, paper_questions, rounded, table
from experiment_answers import ARMS, evidence_for

from multidoc_rag.answers.citations import resolve
from multidoc_rag.errors import MultiDocError, UnknownDocument
from multidoc_rag.library import Library
from multidoc_rag.metrics import mean
from multidoc_rag.records import Citation, Passage, Place, Sentence
from multidoc_rag.verdicts.verification import grounding, verify

ANSWERS = "e3_answers.json"
"""What E5 reads of E3."""
NEEDED = {"model", "answers", "collection", "config_fingerprint"}
"""What stands in it whoever wrote the answers."""


@dataclass(frozen=True)
class Written:
    """One answer of E3 with the passages that it is held against.

    `unknown` counts labels that point to nothing that was read, `read` the documents that were; `rebuilt` says whether
    the passages are those of the prompt that was sent.
    """

    arm: str
    id: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    unknown: int
    read: int
    rebuilt: bool = True


def run(setting: Setting, folder: Path, labelled: Path) -> Outcome:
    """The labelled sets of `labelled`, then E3's answers as `folder` keeps them."""
    kept = answers_in(folder)
    sets = verdict_agreement.figures(setting.library.embedder, labelled, setting.say)
    record = setting.stamp("E5", "Verdicts and grounding") | {"definitions": DEFINITIONS}
    record |= {
        "labelled_sets": verdict_agreement.rows(sets),
        "verdicts_by_label": verdict_agreement.verdicts_by_label(sets),
    }
    if isinstance(sets["scifact"], dict):
        record["scifact"] = verdict_agreement.outcomes(sets["scifact"]["verdicts"])
    tables = [_table(record[name]) for name in ("labelled_sets", "verdicts_by_label", "scifact") if record.get(name)]
    checks = verdict_agreement.targets(sets)
    answers = written(setting, kept) if kept else []
    if answers:
        record["model"], record["answers_written_with"] = kept["model"], kept["config_fingerprint"]
        summaries = []
        for arm in dict.fromkeys(answer.arm for answer in answers):
            setting.say(f"  E5 answers: {arm}")
            summary, by_answer, faults = held(setting, arm, [answer for answer in answers if answer.arm == arm])
            summaries.append(summary)
            record["by_answer"] = record.get("by_answer", []) + by_answer
            record["not_as_they_should_be"] = record.get("not_as_they_should_be", []) + faults
        record["answers"] = summaries
        lines = [[name, *(row[name] for row in summaries)] for name in list(summaries[0])[1:]]
        tables.append(table(["E5 answers", *(row["arm"] for row in summaries)], lines))
        checks += _contracts(setting, kept, summaries, answers)
    else:
        said = "E3 answered nothing" if kept else f"{ANSWERS} is not in the folder of results: run E3 into it first"
        record["answers"] = f"none: {said}"
        tables.append(f"E5 answers: none: {said}")
        checks.append(Check("E5 the answers of E3 are there", False, said, target=True))
    return Outcome("e5_verification", rounded(record), tuple(checks), tuple(tables))


DEFINITIONS = {
    "AUC, bal. acc.": "with the package's coefficients, fitted to wice and expertqa: no held-out figure there",
    "held out": "coefficients fitted anew, as they were, without the fold that is scored: by claim in wice, by "
    "question in expertqa",
    "alone": "the same, fitted to this set alone",
    "good": "wice: supported; expertqa: Complete; scifact: SUPPORT; every other label counts as bad",
    "grounding rate": "labels that name a page of a document of this collection on which their quote stands word for "
    "word, white space aside / all labels, those that point to nothing included; looked up in the collection",
    "citation precision": "citations whose passage bears the sentence out at least in part / citations with a verdict",
    "citation recall": "sentences that their citations bear out together / sentences that state something checkable",
    "cited sentences": "sentences with a citation / sentences that state something checkable",
    "documents cited / read": "mean over the answers",
    "verdicts": "of `verification.verify`, taken anew. Quotes-only sentences are held against the chunks that their "
    "quotes stand in: what is not called supported there is the checker's error, not the answer's",
    "exact quotes": "quotes-only sentences that are, word for word, the quote of a grounded citation of theirs / "
    "sentences of answers that are no refusal",
}


def answers_in(folder: Path) -> dict[str, Any]:
    """E3's results in the folder, empty where there are none; raises MultiDocError for what cannot be read."""
    path = folder / ANSWERS
    if not path.exists():
        return {}
    again = f"run E3 into {folder} again"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MultiDocError(f"{path} is no JSON ({error}): {again}.") from error
    quotes = isinstance(kept, dict) and kept.get("model") == "quotes"
    if (
        not isinstance(kept, dict)
        or not (NEEDED if quotes else NEEDED | {"window_tokens", "max_tokens"}) <= kept.keys()
    ):
        raise MultiDocError(f"{path} holds no results of E3: {again}.")
    if quotes and not all("said" in row for row in kept["answers"]):
        raise MultiDocError(f"{path} was written before answers were kept with their citations: {again}.")
    return kept


def written(setting: Setting, kept: Mapping[str, Any]) -> list[Written]:
    """The answers of a result file of E3; refusals and failures are left out."""
    rows = [row for row in kept["answers"] if not row["refused"] and row["answer"]]
    if kept["model"] == "quotes":
        chunks = _Chunks(setting.library)
        return [_quoted(row, chunks) for row in rows]
    # the window decides what fits into a prompt
    config = replace(setting.config, context_tokens=kept["window_tokens"], max_tokens=kept["max_tokens"])
    asked = {question.id: question for question in (*paper_questions(), *gold_questions(setting.files))}
    gone = sorted({row["id"] for row in rows} - asked.keys())
    if gone:
        raise MultiDocError(f"{ANSWERS} answers {', '.join(gone)}, which gold.json no longer has: run E3 again.")
    return [_replied(replace(setting, config=config), row, asked[row["id"]]) for row in rows]


class _Chunks:
    """Chunks of the collection as passages, by document."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.kept: dict[str, tuple[str, tuple[Passage, ...]]] = {}

    def __call__(self, name: str) -> tuple[str, tuple[Passage, ...]]:
        """Id and chunks of a document; empty for one that the collection does not have."""
        if name not in self.kept:
            self.kept[name] = self._read(name)
        return self.kept[name]

    def _read(self, name: str) -> tuple[str, tuple[Passage, ...]]:
        try:
            document = self.library.document(name)
        except UnknownDocument:
            return "", ()
        return document.id, tuple(
            Passage(
                document_id=chunk.document_id,
                document_name=chunk.document_name,
                page_start=chunk.page_start,
                page_end=chunk.page_end,
                start=chunk.start,
                end=chunk.end,
                text=chunk.text,
                section=chunk.section,
                score=0.0,
                chunk_ids=(chunk.chunk_id,),
                kind=chunk.kind,
            )
            for chunk in self.library.store.chunks(document.id)
        )


def _quoted(row: Mapping[str, Any], chunks: _Chunks) -> Written:
    citations, passages = [], dict[tuple[str, int], Passage]()
    for cited in row["citations"]:
        identity, among = chunks(cited["document"])
        start, end = cited["start"], cited["end"]
        passages |= {(identity, p.start): p for p in among if p.start < end and start < p.end}
        places = tuple(Place(page) for page in cited["pages"])
        citations.append(
            Citation(cited["n"], cited["document"], identity, places, cited["quote"], start=start, end=end)
        )
    sentences = tuple(Sentence(said["text"], tuple(said["citations"])) for said in row["said"])
    read = row["documents_read"]
    return Written("quotes", row["id"], sentences, tuple(citations), tuple(passages.values()), 0, read)


def _replied(setting: Setting, row: Mapping[str, Any], question: Question) -> Written:
    """A model's reply held anew against the evidence of its prompt, which is built again."""
    arm = next(arm for arm in ARMS if arm.name == row["arm"])
    evidence = evidence_for(setting, question, arm.k)
    prompt = setting.reasoner.build_prompt(question.text, evidence, strategy=arm.strategy, reorder=arm.reorder)
    cited = resolve(row["answer"], prompt.evidence, page_of=setting.library.page_of)
    same = (len(prompt.passages), prompt.tokens) == (row["passages"], row["prompt_tokens_estimated"])
    passages, read = prompt.evidence.passages, len(prompt.evidence.documents_with_evidence)
    return Written(row["arm"], row["id"], cited.sentences, cited.citations, passages, len(cited.unknown), read, same)


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    return table(list(rows[0]), [list(row.values()) for row in rows])


# --- one arm -----------------------------------------------------------------------------------


def held(
    setting: Setting, arm: str, answers: Sequence[Written]
) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """(the arm's summary, a row for each answer, everything that is not as it should be)."""
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    rows: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    for answer in answers:
        wrong = {c.n: why for c in answer.citations if (why := ungrounded(setting.library, c))}
        checked, weighed = verify(answer.sentences, answer.citations, answer.passages, setting.library.embedder)
        above = max((citation.n for citation in citations), default=0)  # numbers of their own for each answer's
        sentences += [replace(each, citations=tuple(n + above for n in each.citations)) for each in checked]
        citations += [replace(each, n=each.n + above) for each in weighed]
        labels = sum(len(sentence.citations) for sentence in checked)
        row: dict[str, Any] = {
            "arm": arm,
            "id": answer.id,
            "sentences": len(checked),
            "labels": labels + answer.unknown,
        }
        row["labels to nothing"] = answer.unknown
        row["grounded"] = sum(n not in wrong for sentence in checked for n in sentence.citations)
        row["documents cited / read"] = len({c.document for c in weighed}) / answer.read if answer.read else None
        row["exact quotes"] = sum(_exact(sentence, answer.citations, wrong) for sentence in checked)
        rows.append(row | _scores(checked, weighed))
        head = {"arm": arm, "id": answer.id}
        faults += [
            head | {"what": "citation", "document": c.document, "page": c.page, "text": c.quote, "why": wrong[c.n]}
            for c in answer.citations
            if c.n in wrong
        ]
        faults += [
            head | {"what": sentence.verdict, "text": sentence.text, "why": sentence.reason}
            for sentence in checked
            if sentence.verdict in ("unsupported", "contradicted")
        ]
    total = {name: sum(row[name] for row in rows) for name in ("sentences", "labels", "labels to nothing", "grounded")}
    shares = [row["documents cited / read"] for row in rows if row["documents cited / read"] is not None]
    summary: dict[str, Any] = {"arm": arm, "answers": len(answers)} | total
    summary["grounding rate"] = total["grounded"] / total["labels"] if total["labels"] else None
    summary |= _scores(sentences, citations)
    summary["documents cited / read"] = mean(shares) if shares else None
    if arm == "quotes":
        summary["exact quotes"] = sum(row["exact quotes"] for row in rows)
    return summary, rows, faults


def _scores(sentences: Sequence[Sentence], citations: Sequence[Citation]) -> dict[str, Any]:
    """Shares and counts of verdicts; None where there is nothing to count."""
    found = grounding(sentences, citations)
    weighed = any(citation.verdict != "unchecked" for citation in citations)
    checkable = any(sentence.verdict != "unchecked" for sentence in sentences)
    return {
        "citation precision": found.citation_precision if weighed else None,
        "citation recall": found.citation_recall if checkable else None,
        "cited sentences": found.cited_sentences if checkable else None,
        "supported": found.supported,
        "partly": found.partly,
        "unsupported": found.unsupported,
        "contradicted": found.contradicted,
        "unchecked": found.unchecked,
    }


def ungrounded(library: Library, citation: Citation) -> str:
    """Why a citation does not stand: the collection lacks its document, page or words; "" where it stands."""
    try:
        document = library.document(citation.document)
    except UnknownDocument:
        return "no document of this name"
    pages = [place.page for place in citation.places]
    if not pages or any(not 1 <= page <= document.pages for page in pages):
        return "no page of this number"
    text = " ".join(library.page(document.id, page).clean for page in pages)
    return "" if plain(citation.quote) and plain(citation.quote) in plain(text) else "the page has no such words"


def plain(text: str) -> str:
    """The words, one blank between them."""
    return " ".join(text.split())


def _exact(sentence: Sentence, citations: Iterable[Citation], wrong: Mapping[int, str]) -> bool:
    """Whether the sentence is nothing but the quote of a grounded citation of its own."""
    said = plain(sentence.text.strip("… ")).removeprefix("“").removesuffix("”")
    return any(c.n in sentence.citations and c.n not in wrong and plain(c.quote) == said for c in citations)


def _contracts(
    setting: Setting, kept: Mapping[str, Any], summaries: Sequence[Mapping[str, Any]], answers: Sequence[Written]
) -> list[Check]:
    """What the program promises of every citation, and whether E3's answers could be held against what they read."""
    labels = sum(row["labels"] - row["labels to nothing"] for row in summaries)
    grounded = sum(row["grounded"] for row in summaries)
    name = "E5 every citation that is not marked as unknown stands on its page, word for word"
    checks = [Check(name, grounded == labels, f"{grounded} of {labels}")]
    if kept["model"] == "quotes":
        exact, sentences = (sum(row[name] for row in summaries) for name in ("exact quotes", "sentences"))
        checks.append(
            Check("E5 every sentence of quotes-only is an exact quote", exact == sentences, f"{exact} of {sentences}")
        )
    name = "E5 the answers were written on the collection as it is"
    chunks = sum(document.chunks for document in setting.library.documents())
    same = kept["collection"]["chunks"] == chunks and all(answer.rebuilt for answer in answers)
    checks.append(Check(name, same, "" if same else f"run E3 again: {ANSWERS} is of another state of it", target=True))
    return checks
