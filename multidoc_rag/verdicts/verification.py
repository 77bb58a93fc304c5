"""An answer held against its evidence: a verdict for each sentence and citation, and the scores under the answer.

Citation precision and recall follow Gao et al. 2023 (ALCE): precision is the share of citations (one for each
sentence that cites) whose passage bears its sentence out at least in part, recall the share of checkable sentences that
their citations bear out together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from multidoc_rag.records import Citation, Embedder, Passage, Sentence, Verdict

if TYPE_CHECKING:
    from multidoc_rag.verdicts.checking import Entailment, Judgement

FAILING: tuple[Verdict, ...] = ("unsupported", "contradicted")
"""Verdicts that strict mode does not let stand."""

_ORDER: tuple[Verdict, ...] = ("supported", "partly", "unsupported", "contradicted", "unchecked")


@dataclass(frozen=True, slots=True)
class Grounding:
    """Counts and shares over one answer; shares are 0..1, 1.0 where there is nothing to count."""

    supported: int
    partly: int
    unsupported: int
    contradicted: int
    unchecked: int
    citation_precision: float
    citation_recall: float
    cited_sentences: float


def verify(
    sentences: Sequence[Sentence],
    citations: Sequence[Citation],
    passages: Sequence[Passage],
    embedder: Embedder,
    *,
    titles: Mapping[str, str] | None = None,
    entailment: Entailment | None = None,
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The sentences and citations with their verdicts and reasons.

    titles: of the documents, by their names; sentences name a document where its passages do not.

    A sentence is checked against the passages it cites, one without citations against all of them; a citation against
    the sentence that cites it. A sentence without a citation is `partly` supported at best: right, but not shown to
    be.
    """
    from multidoc_rag.verdicts.checking import check_answer

    texts = [passage.text for passage in passages]
    at = {citation.n: _passages_of(citation, passages) for citation in citations}
    cited = [tuple({number for n in sentence.citations for number in at.get(n, ())}) for sentence in sentences]
    # each citation on its own, in the same call: the evidence is embedded once
    pairs = [(s, n) for s, sentence in enumerate(sentences) for n in dict.fromkeys(sentence.citations) if at.get(n)]
    judged = check_answer(
        [*(sentence.text for sentence in sentences), *(sentences[s].text for s, _ in pairs)],
        texts,
        embedder,
        cited=[*cited, *(at[n] for _, n in pairs)],
        names=[f"{passage.document_name} {(titles or {}).get(passage.document_name, '')}" for passage in passages],
        entailment=entailment,
    )
    verdicts: dict[int, Verdict] = {}
    for (s, n), judgement in zip(pairs, judged[len(sentences) :], strict=True):
        # one of several sources need not say everything: where the sentence stands, its part does
        whole = judged[s].verdict == "supported" and judgement.verdict == "unsupported"
        verdict: Verdict = "partly" if whole and judgement.score >= PART else judgement.verdict
        verdicts[n] = min(verdicts.get(n, "unchecked"), verdict, key=_ORDER.index)
    checked = tuple(
        replace(sentence, verdict=_verdict(sentence, judgement), reason=_reason(sentence, judgement, passages))
        for sentence, judgement in zip(sentences, judged[: len(sentences)], strict=True)
    )
    return checked, tuple(replace(c, verdict=verdicts.get(c.n, "unchecked")) for c in citations)


PART = 0.15
"""Score from which one of several citations counts as bearing out part of a supported sentence."""


def quoted(
    sentences: Sequence[Sentence], citations: Sequence[Citation]
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The verdicts of verbatim quotes: each is supported by being the document's own words."""
    return (
        tuple(replace(s, verdict="supported", reason="quoted verbatim") if s.citations else s for s in sentences),
        tuple(replace(citation, verdict="supported") for citation in citations),
    )


def grounding(sentences: Sequence[Sentence], citations: Sequence[Citation]) -> Grounding:
    """Counts of verdicts, citation precision and recall, share of checkable sentences that cite something.

    Of one answer, or of several whose citations have numbers of their own.
    """
    counts = {verdict: sum(s.verdict == verdict for s in sentences) for verdict in _ORDER}
    checkable = [sentence for sentence in sentences if sentence.verdict != "unchecked"]
    verdicts = {citation.n: citation.verdict for citation in citations if citation.verdict != "unchecked"}
    # a passage that bears out one sentence may be cited for another that it denies
    weighed = [(sentence, verdicts[n]) for sentence in checkable for n in sentence.citations if n in verdicts]
    good = sum(verdict in ("supported", "partly") and sentence.verdict not in FAILING for sentence, verdict in weighed)
    borne = sum(sentence.verdict == "supported" and bool(sentence.citations) for sentence in checkable)
    return Grounding(
        **{str(verdict): counts[verdict] for verdict in _ORDER},
        citation_precision=good / len(weighed) if weighed else 1.0,
        citation_recall=borne / len(checkable) if checkable else 1.0,
        cited_sentences=sum(bool(s.citations) for s in checkable) / len(checkable) if checkable else 1.0,
    )


def _passages_of(citation: Citation, passages: Sequence[Passage]) -> tuple[int, ...]:
    return tuple(
        number
        for number, passage in enumerate(passages)
        if passage.document_id == citation.document_id and passage.start < citation.end and citation.start < passage.end
    )


def _verdict(sentence: Sentence, judgement: Judgement) -> Verdict:
    return "partly" if judgement.verdict == "supported" and not sentence.citations else judgement.verdict


def _reason(sentence: Sentence, judgement: Judgement, passages: Sequence[Passage]) -> str:
    if judgement.verdict == "supported" and not sentence.citations:
        return f"no source is given; {_place(passages[judgement.passage])} says so" if judgement.passage >= 0 else ""
    if judgement.correction:
        places = ", ".join(_place(passages[number]) for number in judgement.correction)
        return f"{judgement.reason or 'the cited passage does not say so'}; {places} does"
    return judgement.reason


def _place(passage: Passage) -> str:
    return f"{passage.document_name} p.{passage.page_range}"
