"""E3: flat against structured against scale only, and quotes-only for itself.

C1 naive: the top 6, flat, by score. C2 ours: the same 6 in the structured prompt, ordered against lost-in-the-middle.
C3 scale only: as many passages as fit the model's window, flat, by score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiment import (
    Check,
    Outcome,
    Question,
    Reply,
    Setting,
    gold_questions,
    paper_questions,
    rounded,
    table,
    write,
)

from multidoc_rag import Assistant, MultiDocReasoner
from multidoc_rag.answers.citations import Cited
from multidoc_rag.answers.prompts import REFUSAL, SCHEMAS
from multidoc_rag.answers.quotes import NO_DIRECT_ANSWER
from multidoc_rag.metrics import (
    coverage,
    evenness,
    facts_found,
    grounded_in,
    headings_followed,
    largest_share,
    mean,
    needles_found,
    share,
    token_scores,
)
from multidoc_rag.records import Answer, Citation, Done, Evidence, EvidenceGroup, Prompt, Strategy
from multidoc_rag.search.evidence import grouped

SCALE_K = 64
"""Passages offered to C3; the window decides how many are read."""
DOMINANT = 2 / 3
"""F1: more than this share of the citations goes to one document although others were read."""
SAME_ANSWER = 0.5
"""F2: two answers whose token F1 is below this, or that cite other documents, count as different."""
MODEL_QUESTIONS = 8
"""Gold questions in a run with a model, when no limit is given."""
FACTS_TARGET = 0.8


@dataclass(frozen=True, slots=True)
class Arm:
    """One design: how many passages, and how they are put to the model."""

    name: str
    what: str
    k: int
    strategy: Strategy
    reorder: bool


ARMS = (
    Arm("C1", "naive: top 6, flat", 6, "flat", False),
    Arm("C2", "ours: top 6, structured and ordered", 6, "structured", True),
    Arm("C3", "scale only: as many as fit, flat", SCALE_K, "flat", False),
)


# --- with a model ------------------------------------------------------------------------------


def model_questions(setting: Setting) -> list[Question]:
    """Q2 to Q4 of the report, and gold questions at even distances."""
    answerable = [question for question in gold_questions(setting.files) if question.facts]
    return [*paper_questions((2, 3, 4)), *setting.answered(answerable, MODEL_QUESTIONS)]


def run_model(setting: Setting) -> Outcome:
    """All arms on the same questions, each prompt in two orders."""
    rows: list[dict[str, Any]] = []
    questions = model_questions(setting)
    for number, question in enumerate(questions, 1):
        for arm in ARMS:
            setting.say(f"  E3 {number}/{len(questions)} {question.id} {arm.name}")
            rows.append(_one(setting, question, arm))
    arms = [_summary(arm, [row for row in rows if row["arm"] == arm.name]) for arm in ARMS]
    complete = len(rows) == len(questions) * len(ARMS)
    config = setting.config
    record = setting.stamp("E3", "Flat, structured and scale-only prompts") | {
        "retrieval": "dense, cosine, k = 6 (C3: as many as fit), the same hits for every arm",
        "questions": len(questions),
        "temperature": config.temperature,
        "max_tokens": config.max_tokens,
        "window_tokens": config.context_tokens,
        "definitions": DEFINITIONS,
        "arms": arms,
        "answers": rows,
    }
    shown = [name for name in arms[0] if name not in ("arm", "what", "second_orders")]
    tables = (
        table(
            ["E3", *(f"{arm.name} {arm.what.split(':')[0]}" for arm in ARMS)],
            [[n, *(a[n] for a in arms)] for n in shown],
        ),
    )
    checks = (Check("E3 every arm was measured on every question", complete, f"{len(rows)} answers"),)
    return Outcome("e3_answers", rounded(record), checks, tables)


DEFINITIONS = {
    "coverage": "documents cited / documents read",
    "citation_validity": "labels that name a document and page that was read / all labels; null without labels",
    "cited_sentences": "sentences that carry a valid label / sentences",
    "schema_followed": "headings of the intent's schema in order / headings wanted; null in the single-document prompt",
    "evenness": "Pielou's evenness of citations over the documents read (0 when nothing is cited)",
    "facts_said": "gold facts all of whose needles stand in one sentence, cited or not",
    "facts_cited": "the same, and the sentence cites the fact's document",
    "F1": f"answers with citations, from 2 documents or more, with over {DOMINANT:.2f} of the labels on one document",
    "F2": f"answers that differ when the passages' ranking is turned around: token F1 below {SAME_ANSWER}, "
    "or other documents cited",
    "F3": "cited sentences with a number that the cited passage lacks, or less than half of whose content words it has",
    "F4": "time-outs, rate limits, other failures: no answer; no fallback takes over here. A run that resumes asks "
    "again for what failed before, so it counts its own failures only",
    "cut_at_limit": "answers that reached max_tokens",
}


def evidence_for(setting: Setting, question: Question, k: int) -> Evidence:
    """The report's retrieval as evidence, grouped, with titles and with the documents in which nothing was found."""
    documents = setting.library.documents()
    return grouped(
        question.text,
        setting.reasoner.classify(question.text),
        setting.paper_hits(question.text, k),
        config=setting.config,
        titles={document.id: document.title for document in documents},
        searched={document.id: document.name for document in documents},
    )


def turned_around(prompt: Prompt) -> Evidence:
    """The passages this prompt holds with their ranking upside down: the weakest counts as the strongest."""
    ranked = sorted(prompt.passages, key=lambda passage: passage.score)
    scores = sorted((passage.score for passage in ranked), reverse=True)
    new = {id(passage): replace(passage, score=score) for passage, score in zip(ranked, scores, strict=True)}
    groups = [
        EvidenceGroup(g.document_id, g.document_name, g.title, tuple(new[id(p)] for p in g.passages if id(p) in new))
        for g in prompt.evidence.groups
    ]
    return Evidence(prompt.evidence.question, prompt.evidence.intent, tuple(groups))


def schema_headings(prompt: Prompt) -> list[str]:
    """The headings that the intent's schema asks for, the documents' names in the place of `name.pdf`."""
    if prompt.single_document:
        return []
    schema = SCHEMAS[prompt.evidence.intent.name]
    headings = re.findall(r"(?m)^(?:### (.+)|(Overview):)", schema)
    names = [first or second for first, second in headings]
    if names == ["name.pdf"]:
        return list(dict.fromkeys(passage.document_name for passage in prompt.passages))
    return names


def _one(setting: Setting, question: Question, arm: Arm) -> dict[str, Any]:
    reasoner = MultiDocReasoner(config=setting.config)
    evidence = evidence_for(setting, question, arm.k)
    prompt = reasoner.build_prompt(question.text, evidence, strategy=arm.strategy, reorder=arm.reorder)
    again = reasoner.build_prompt(question.text, turned_around(prompt), strategy=arm.strategy, reorder=arm.reorder)
    first, second = write(setting, prompt), write(setting, again)
    row: dict[str, Any] = {"arm": arm.name, "id": question.id, "question": question.text}
    row |= {"labelled": question.intent, "routed": evidence.intent.name, "single_document": prompt.single_document}
    row |= {
        "passages": len(prompt.passages),
        "left_out": len(prompt.left_out),
        "prompt_tokens_estimated": prompt.tokens,
    }
    row |= measured(first, prompt, question)
    comparable = not first.failure and not second.failure
    similarity = token_scores([first.text], [second.text]).f1 if comparable else None
    other = comparable and documents_cited(first.cited.citations) != documents_cited(second.cited.citations)
    row["order_token_f1"] = similarity
    row["order_other_documents_cited"] = other if comparable else None
    row["F2"] = (other or (similarity or 0.0) < SAME_ANSWER) if comparable else None
    row["F4"] = bool(first.failure) + bool(second.failure)
    row["answer"], row["answer_in_other_order"] = first.text, second.text
    row["failures"] = [reply.failure for reply in (first, second) if reply.failure]
    return row


def measured(reply: Reply, prompt: Prompt, question: Question) -> dict[str, Any]:
    """Every measure of one answer; None where there is nothing to measure."""
    cited, read = reply.cited, prompt.evidence.documents_with_evidence
    if reply.failure:
        return dict.fromkeys(MEASURES)
    counts = label_counts(cited)
    valid = sum(counts.values())
    labels = valid + len(cited.unknown)
    headings = schema_headings(prompt)
    by_number = {citation.n: citation for citation in cited.citations}
    grounding = [
        grounded_in(sentence.text, " ".join(_cited_text(by_number[n], prompt) for n in sentence.citations))
        for sentence in cited.sentences
        if sentence.citations
    ]
    facts = [(fact.document, fact.needles) for fact in question.facts]
    said = [(s.text, [by_number[n].document for n in s.citations]) for s in cited.sentences]
    return {
        "refused": REFUSAL in reply.text and not cited.citations,
        "sentences": len(cited.sentences),
        "documents_read": len(read),
        "documents_cited": len(counts),
        "coverage": coverage(counts, read),
        "labels": labels,
        "labels_valid": valid,
        "citation_validity": valid / labels if labels else None,
        "cited_sentences": share(bool(s.citations) for s in cited.sentences),
        "schema_followed": headings_followed(reply.text, headings) if headings else None,
        "evenness": evenness(counts, len(read)),
        "largest_share": largest_share(counts) if valid else None,
        "facts": len(facts),
        "facts_said": sum(any(all(needles_found(s.text, n)) for s in cited.sentences) for _, n in facts),
        "facts_cited": sum(facts_found(said, facts)),
        "F1": largest_share(counts) > DOMINANT if valid and len(read) > 1 else None,
        "F3": sum(not grounded for grounded in grounding),
        "F3_of": len(grounding),
        "cut_at_limit": reply.finish_reason == "length",
    }


MEASURES = (
    "refused", "sentences", "documents_read", "documents_cited", "coverage", "labels", "labels_valid",
    "citation_validity", "cited_sentences", "schema_followed", "evenness", "largest_share", "facts", "facts_said",
    "facts_cited", "F1", "F3", "F3_of", "cut_at_limit",
)  # fmt: skip


def _summary(arm: Arm, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One arm over its questions: means of shares, sums of counts."""

    def values(name: str) -> list[float]:
        return [float(row[name]) for row in rows if row[name] is not None]

    def average(name: str) -> float | None:
        return mean(values(name)) if values(name) else None

    def counted(name: str) -> str:
        return f"{int(sum(values(name)))} of {len(values(name))}"

    labels, valid = sum(values("labels")), sum(values("labels_valid"))
    facts = int(sum(values("facts")))
    return {
        "arm": arm.name,
        "what": arm.what,
        "answers": len(values("sentences")),
        "passages (mean)": average("passages"),
        "left out for space (mean)": average("left_out"),
        "documents read (mean)": average("documents_read"),
        "coverage (mean)": average("coverage"),
        "labels": int(labels),
        "citation validity (all labels)": valid / labels if labels else None,
        "cited sentences (mean)": average("cited_sentences"),
        "schema followed (mean)": average("schema_followed"),
        "evenness (mean)": average("evenness"),
        "facts said": f"{int(sum(values('facts_said')))} of {facts}",
        "facts cited": f"{int(sum(values('facts_cited')))} of {facts}",
        "refused": counted("refused"),
        "cut at limit": counted("cut_at_limit"),
        "F1 one document dominates": counted("F1"),
        "F2 other order, other answer": counted("F2"),
        "token F1 between orders (mean)": average("order_token_f1"),
        "F3 ungrounded cited sentences": f"{int(sum(values('F3')))} of {int(sum(values('F3_of')))}",
        "F4 failures": f"{int(sum(values('F4')))} of {2 * len(rows)}",
    }


def label_counts(cited: Cited) -> dict[str, int]:
    """Valid labels by document."""
    names = {citation.n: citation.document for citation in cited.citations}
    return dict(Counter(names[n] for sentence in cited.sentences for n in sentence.citations))


def documents_cited(citations: Sequence[Citation]) -> set[str]:
    """Names of the documents cited."""
    return {citation.document for citation in citations}


def _cited_text(citation: Citation, prompt: Prompt) -> str:
    for passage in prompt.evidence.passages:
        if passage.document_id == citation.document_id and passage.start <= citation.start < passage.end:
            return passage.text
    return citation.quote


# --- quotes-only -------------------------------------------------------------------------------


def run_quotes(setting: Setting) -> Outcome:
    """What the writer without a model gives on the gold questions, through the whole of `ask`."""
    assistant = Assistant(setting.library, "quotes", config=setting.config)
    everything = gold_questions(setting.files)
    answerable = setting.answered([q for q in everything if q.facts], None)
    unanswerable = setting.answered([q for q in everything if not q.facts], None)
    rows = []
    for number, question in enumerate((*answerable, *unanswerable), 1):
        setting.say(f"  E3 {number}/{len(answerable) + len(unanswerable)} {question.id}")
        rows.append(_quoted(_asked(assistant, question.text), question))
    asked = [row for row in rows if row["facts"]]
    found, wanted = sum(row["facts_found"] for row in asked), sum(row["facts"] for row in asked)
    longest = max((row["sentences"] for row in rows), default=0)
    empty = [row for row in rows if not row["facts"]]
    summary = {
        "answerable questions": len(asked),
        "gold facts": wanted,
        "gold facts found": found,
        "gold facts found (share)": found / wanted if wanted else 0.0,
        "gold facts in the evidence (share)": sum(r["facts_in_evidence"] for r in asked) / wanted if wanted else 0.0,
        "gold documents cited (mean share)": mean(row["gold_documents_cited"] for row in asked),
        "documents read (mean)": mean(row["documents_read"] for row in asked),
        "documents cited (mean)": mean(row["documents_cited"] for row in asked),
        "evenness of citations (mean)": mean(row["evenness"] for row in asked),
        "sentences (mean)": mean(row["sentences"] for row in asked),
        "sentences (most)": longest,
        "answerable questions refused": sum(row["refused"] for row in asked),
        "answerable questions hedged": sum(row["hedged"] for row in asked),
        "unanswerable questions": len(empty),
        "unanswerable questions refused": sum(row["refused"] for row in empty),
        "unanswerable questions hedged": sum(row["hedged"] for row in empty),
    }
    by_intent = _shares(asked, "labelled")
    by_wording = _shares(asked, "wording")
    limit = setting.config.quotes_sentences
    checks = (
        Check(
            f"E3 quotes-only finds {FACTS_TARGET} of the gold facts",
            wanted > 0 and found >= FACTS_TARGET * wanted,
            f"{found} of {wanted} = {found / max(wanted, 1):.3f}",
            target=True,
        ),
        Check(f"E3 quotes-only keeps to {limit} sentences", longest <= limit, f"at most {longest}"),
    )
    record = setting.stamp("E3", "Quotes-only for itself") | {
        "flat against structured": "not applicable: quotes-only reads no prompt",
        "retrieval": f"{setting.config.mode}, as `ask` selects it",
        "definitions": {
            "gold facts found": "all needles in one sentence of the answer that cites the fact's document",
            "hedged": f"answered under the words {NO_DIRECT_ANSWER!r}",
        },
        "summary": summary,
        "by_intent": by_intent,
        "by_wording": by_wording,
        "answers": rows,
    }
    tables = (
        table(["E3 quotes-only", ""], summary.items()),
        table(["labelled intent", "questions", "facts", "found", "share"], [list(row.values()) for row in by_intent]),
        table(["wording", "questions", "facts", "found", "share"], [list(row.values()) for row in by_wording]),
    )
    return Outcome("e3_answers", rounded(record), checks, tables)


def _asked(assistant: Assistant, question: str) -> Answer:
    *_, last = assistant.ask(question)
    if not isinstance(last, Done):
        raise RuntimeError(f"the assistant ended with {type(last).__name__}")
    return last.answer


def _shares(rows: Sequence[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Questions, facts and facts found for each value of a key, in the order of the questions."""
    shares = []
    for value in dict.fromkeys(row[key] for row in rows):
        part = [row for row in rows if row[key] == value]
        facts, found = sum(row["facts"] for row in part), sum(row["facts_found"] for row in part)
        shares.append({key: value, "questions": len(part), "facts": facts, "found": found, "share": found / facts})
    return shares


def _quoted(answer: Answer, question: Question) -> dict[str, Any]:
    names = {citation.n: citation.document for citation in answer.citations}
    counts = Counter(names[n] for sentence in answer.sentences for n in sentence.citations)
    facts = [(fact.document, fact.needles) for fact in question.facts]
    read = answer.evidence.documents_with_evidence
    found = facts_found([(s.text, [names[n] for n in s.citations]) for s in answer.sentences], facts)
    in_evidence = facts_found([(p.text, [p.document_name]) for p in answer.evidence.passages], facts)
    return {
        "id": question.id,
        "question": question.text,
        "labelled": question.intent,
        "wording": question.wording,
        "routed": answer.intent.name,
        "facts": len(facts),
        "facts_found": sum(found),
        "facts_in_evidence": sum(in_evidence),
        "gold_documents_cited": coverage(counts, (document for document, _ in facts)),
        "documents_read": len(read),
        "documents_cited": len(counts),
        "evenness": evenness(counts, len(read)),
        "sentences": len(answer.sentences),
        "refused": answer.refused,
        "hedged": NO_DIRECT_ANSWER in answer.text,
        "answer": answer.text,
        "said": [{"text": sentence.text, "citations": list(sentence.citations)} for sentence in answer.sentences],
        "citations": [
            {
                "n": citation.n,
                "document": citation.document,
                "pages": [place.page for place in citation.places],
                "start": citation.start,
                "end": citation.end,
                "quote": citation.quote,
            }
            for citation in answer.citations
        ],
    }
