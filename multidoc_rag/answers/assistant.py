"""Assistant: a question on its way, told as typed events; every front-end translates these and decides nothing.

route -> retrieve -> group -> order -> prompt -> write -> cite, with a fallback chain of writers, cached replies and
conversations.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from multidoc_rag.answers import quotes
from multidoc_rag.answers.citations import Cited, resolve, without
from multidoc_rag.answers.prompts import REFUSAL, revision
from multidoc_rag.answers.reasoner import MultiDocReasoner
from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError, WriterCutOff, WriterError
from multidoc_rag.language import fold, one_line
from multidoc_rag.library import Library
from multidoc_rag.records import (
    LLM,
    Answer,
    Checked,
    Citation,
    Coverage,
    Done,
    Event,
    Evidence,
    FellBack,
    Place,
    Prompt,
    Retrieved,
    Searching,
    Sentence,
    Strategy,
    Token,
)
from multidoc_rag.search import queries
from multidoc_rag.search.retrieval import checked_question, select
from multidoc_rag.verdicts.verification import FAILING, grounding, quoted, verify
from multidoc_rag.writers.llm import open_writer

if TYPE_CHECKING:
    from multidoc_rag.verdicts.checking import Entailment

QUOTES = "quotes"
"""The writer that needs no model, and the last in every fallback chain."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Draft:
    """What a writer has given so far, and what was noticed on the way."""

    raw_text: str = ""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    conflicts: tuple[dict[str, Any], ...] = ()
    model: str = QUOTES
    prompt: Prompt | None = None
    cited: Cited | None = None
    writer: LLM | None = None
    refused: bool = False
    warnings: list[str] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)


class Assistant:
    """Answers questions over one Library with one writer.

    `llm` is a specification (`quotes`, `hf:MODEL`, `openai:URL#MODEL`, `local:PATH`) or any object with the LLM
    protocol; it defaults to `Config.llm`.
    """

    def __init__(self, library: Library, llm: str | LLM | None = None, *, config: Config | None = None) -> None:
        self.library = library
        self.config = config or library.config
        self.llm = llm if llm is not None else self.config.llm
        self.reasoner = MultiDocReasoner(config=self.config)
        self._entailment: Entailment | None = None

    def ask(
        self,
        question: str,
        *,
        documents: Sequence[str] | None = None,
        intent: str | None = None,
        strategy: Strategy = "structured",
        reorder: bool | None = None,
        conversation: str | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Iterator[Event]:
        """Searching, Retrieved, Token..., Checked..., Done; FellBack where a writer failed and the next took over.

        `documents` are names or ids (all when None), `conversation` an id: its earlier questions help to find what a
        follow-up means. Raises BadQuestion, UnknownDocument, StoreError, EmbeddingError, MultiDocError when there is
        nothing to ask.
        """
        started = time.perf_counter()
        clock: dict[str, float] = {}
        trace: list[str] = []
        question = checked_question(question, self.config)
        library = self.library
        chosen = None if documents is None else [library.document(name) for name in documents]
        searched = chosen if chosen is not None else list(library.store.documents())
        if not searched:
            raise MultiDocError(
                "There are no documents to ask yet: add some first (`python -m multidoc_rag add FOLDER`)."
            )

        library.warm()  # beside the routing rules, which take a while to compile the first time
        earlier = library.store.turns(conversation) if conversation else ()
        routed = self.reasoner.intent(question, intent)
        trace.append(f"routed as {routed.name} ({routed.confidence:.2f}): {'; '.join(routed.reasons)}")
        wordings = queries.follow_up(question, earlier)
        yield Searching(question, routed, (question, *wordings))

        selection = select(
            library.store,
            library.embedder,
            question,
            routed,
            searched=searched,
            chosen=None if chosen is None else [document.id for document in chosen],
            config=self.config,
            wordings=wordings,
        )
        evidence = selection.evidence
        conflicts = library.conflicts_among(evidence.passages)
        prompt = self.reasoner.build_prompt(question, evidence, strategy=strategy, reorder=reorder, conflicts=conflicts)
        clock["retrieve"] = time.perf_counter() - started
        trace.append(_counted("retrieved", len(selection.hits), (hit.chunk.document_name for hit in selection.hits)))
        trace.append(_counted("selected", len(prompt.passages), (p.document_name for p in prompt.passages)))
        if prompt.left_out:
            trace.append(
                _counted("left out for space", len(prompt.left_out), (p.document_name for p in prompt.left_out))
            )
        yield Retrieved(evidence, selection.hits, prompt, clock["retrieve"])

        draft = _Draft(conflicts=conflicts)
        yield from self._write(evidence, prompt, reorder, draft, cancelled or (lambda: False))
        prompt = draft.prompt or prompt
        clock["write"] = time.perf_counter() - started - clock["retrieve"]
        self._check(evidence, prompt, draft)
        clock["check"] = time.perf_counter() - started - clock["retrieve"] - clock["write"]
        draft.citations = self._placed(draft.citations)
        conflicts = () if draft.refused else library.placed(conflicts)
        clock["places"] = time.perf_counter() - started - sum(clock.values())

        for sentence in draft.sentences:
            yield Checked(sentence)
        cited = tuple(dict.fromkeys(citation.document for citation in draft.citations))
        trace.append(_counted("cited", len(draft.citations), (citation.document for citation in draft.citations)))
        with_evidence = evidence.documents_with_evidence
        if not draft.refused and len(with_evidence) > 1 and not prompt.single_document and len(cited) < 2:
            draft.warnings.append(
                f"The answer cites {len(cited)} of the {len(with_evidence)} documents that were read: "
                "it may not speak for the others."
            )
        if prompt.left_out:
            draft.warnings.append(f"{len(prompt.left_out)} of the weakest passages did not fit the model's window.")
        clock["total"] = time.perf_counter() - started
        answer = Answer(
            id=uuid.uuid4().hex[:16],
            question=question,
            intent=routed,
            text=draft.text,
            raw_text=draft.raw_text,
            sentences=draft.sentences,
            citations=draft.citations,
            evidence=evidence,
            coverage=Coverage(
                read=with_evidence,
                cited=cited,
                nothing_found=tuple(group.document_name for group in evidence.groups if not group.passages),
            ),
            model=draft.model,
            refused=draft.refused,
            conflicts=conflicts,
            warnings=tuple(draft.warnings),
            fallbacks=tuple(draft.fallbacks),
            settings={
                "mode": self.config.mode,
                "strategy": strategy,
                "reorder": self.config.reorder if reorder is None else reorder,
                "documents": None if chosen is None else [document.name for document in chosen],
                "intent": intent or "auto",
                "temperature": self.config.temperature,
                "max_tokens": self.config.max_tokens,
            },
            config_fingerprint=self.config.fingerprint,
            trace=tuple(trace),
            seconds={stage: round(seconds, 4) for stage, seconds in clock.items()},
            prompt=prompt,
        )
        for line in trace:
            log.info(line)
        self._keep(answer, conversation, draft)
        yield Done(answer)

    # --- writing ---------------------------------------------------------------------------------

    def _write(
        self, evidence: Evidence, prompt: Prompt, reorder: bool | None, draft: _Draft, cancelled: Callable[[], bool]
    ) -> Iterator[Event]:
        """Tries each writer of the chain; the first that finishes fills the draft."""
        if not evidence.passages:
            draft.text = draft.raw_text = REFUSAL
            draft.refused = True
            yield Token(REFUSAL)
            return
        chain: list[str | LLM] = [self.llm]
        chain += [spec for spec in self.config.fallback if spec != self.llm]
        if QUOTES not in chain:
            chain.append(QUOTES)
        for index, spec in enumerate(chain):
            try:
                if spec == QUOTES:
                    yield from self._quote(evidence, draft)
                else:
                    yield from self._generate(spec, evidence, prompt, reorder, draft, cancelled)
                return
            except WriterError as error:
                if index + 1 == len(chain):
                    raise
                name, following = _spec_name(spec), _spec_name(chain[index + 1])
                draft.fallbacks.append(f"{name}: {error} Answered by {following} instead.")
                log.warning("%s failed (%s); %s takes over", name, error, following)
                yield FellBack(name, str(error), following)

    def _quote(self, evidence: Evidence, draft: _Draft) -> Iterator[Event]:
        composed = quotes.compose(
            evidence,
            embedder=self.library.embedder,
            config=self.config,
            page_of=self.library.page_of,
            text_between=self.library.store.text_between,
        )
        draft.text = draft.raw_text = composed.text
        draft.sentences, draft.citations = composed.sentences, composed.citations
        draft.refused, draft.model = composed.refused, QUOTES
        for line in composed.text.splitlines(keepends=True):
            yield Token(line)

    def _generate(
        self,
        spec: str | LLM,
        evidence: Evidence,
        prompt: Prompt,
        reorder: bool | None,
        draft: _Draft,
        cancelled: Callable[[], bool],
    ) -> Iterator[Event]:
        model = open_writer(spec, self.config) if isinstance(spec, str) else spec
        if model.context_tokens < self.config.context_tokens:
            # a smaller window than configured: what does not fit is left out and said
            smaller = replace(self.config, context_tokens=model.context_tokens)
            prompt = MultiDocReasoner(smaller).build_prompt(
                evidence.question, evidence, strategy=prompt.strategy, reorder=reorder, conflicts=draft.conflicts
            )
        draft.prompt = prompt
        key = _reply_key(model.name, prompt, self.config)
        pieces: list[str] = []
        finish_reason = ""
        cached = self.library.store.cached_reply(key) if self.config.cache_replies else None
        if cached is not None:
            pieces.append(cached)
            yield Token(cached)
        else:
            stream = model.stream(
                prompt.messages, temperature=self.config.temperature, max_tokens=self.config.max_tokens
            )
            for piece in stream:
                if cancelled():
                    close = getattr(stream, "close", None)
                    if close is not None:
                        close()
                    raise AnswerStopped("The answer was stopped; the question and its evidence are kept.")
                pieces.append(piece)
                if piece:
                    yield Token(piece)
            finish_reason = getattr(stream, "finish_reason", "")
        raw = "".join(pieces).strip()
        if not raw:
            raise WriterCutOff(f"{model.name} answered with nothing.")
        if self.config.cache_replies and cached is None:
            self.library.store.keep_reply(key, raw)
        cited = resolve(raw, evidence, passages=prompt.passages, page_of=self.library.page_of)
        draft.raw_text, draft.text = raw, cited.text
        draft.sentences, draft.citations, draft.cited = cited.sentences, cited.citations, cited
        draft.writer, draft.model = model, model.name
        draft.refused = fold(REFUSAL).rstrip(".") in fold(raw) and not cited.citations
        if cached is not None:
            draft.warnings.append("This reply was kept from an earlier run of the same question on the same evidence.")
        if finish_reason == "length":
            draft.warnings.append(f"The reply reached its limit of {self.config.max_tokens} tokens and may end early.")
        if cited.unknown:
            shown = "; ".join(cited.unknown[:5])
            draft.warnings.append(f"Citations that point to nothing that was read: {len(cited.unknown)} ({shown}).")
        if not cited.citations and not draft.refused:
            draft.warnings.append("The model cited nothing: its sentences were held against all that was read.")

    # --- checking --------------------------------------------------------------------------------

    def _check(self, evidence: Evidence, prompt: Prompt, draft: _Draft) -> None:
        """Verdicts for the draft; in strict mode failing sentences are asked for once more, then dropped."""
        if draft.refused or not draft.sentences:
            return
        if draft.cited is None:
            draft.sentences, draft.citations = quoted(draft.sentences, draft.citations)
            return
        cited = self._verified(draft.cited, evidence)
        failing = _failing(cited)
        if self.config.strict and failing:
            cited = self._mended(cited, evidence, prompt, draft)
            still = _failing(cited)
            gone = [cited.sentences[number] for number in still]
            if still:
                cited = without(cited, still)
            draft.text = cited.text
            draft.warnings.append(
                f"Strict mode: {len(failing)} sentence{'s' * (len(failing) > 1)} did not stand on what was cited; "
                f"{len(still)} of the second try did not either and {'was' if len(still) == 1 else 'were'} dropped."
            )
            draft.warnings += [f"Dropped: “{one_line(each.text)}” ({each.reason})." for each in gone]
        draft.sentences, draft.citations = cited.sentences, cited.citations

    def _verified(self, cited: Cited, evidence: Evidence) -> Cited:
        if self.config.entailment_model and self._entailment is None:
            from multidoc_rag.verdicts.entailment import load_entailment

            self._entailment = load_entailment(self.config)
        sentences, found = verify(
            cited.sentences,
            cited.citations,
            evidence.passages,
            self.library.embedder,
            titles={group.document_name: group.title for group in evidence.groups},
            entailment=self._entailment,
        )
        return replace(cited, sentences=sentences, citations=found)

    def _mended(self, cited: Cited, evidence: Evidence, prompt: Prompt, draft: _Draft) -> Cited:
        """The answer after one more try; the old one where the writer fails."""
        assert draft.writer is not None
        failing = [(cited.sentences[i].text, cited.sentences[i].reason) for i in _failing(cited)]
        messages = revision(prompt.messages, draft.raw_text, failing)
        stream = draft.writer.stream(messages, temperature=self.config.temperature, max_tokens=self.config.max_tokens)
        try:
            again = "".join(stream).strip()
        except WriterError as error:
            draft.warnings.append(f"The second try of strict mode failed: {error}")
            return cited
        if not again:
            return cited
        resolved = resolve(again, evidence, passages=prompt.passages, page_of=self.library.page_of)
        return self._verified(resolved, evidence)

    def _placed(self, found: Sequence[Citation]) -> tuple[Citation, ...]:
        """The citations with their exact places, looked up page by page: each page is opened once."""
        places: dict[int, tuple[Place, ...]] = {}
        for citation in sorted(found, key=lambda citation: (citation.document_id, citation.start)):
            places[citation.n] = self.library.places(citation.document_id, citation.start, citation.end)
        return tuple(replace(citation, places=places[citation.n] or citation.places) for citation in found)

    def _keep(self, answer: Answer, conversation: str | None, draft: _Draft) -> None:
        """Stores the answer; a store that cannot be written (read-only folder) costs the history, not the answer."""
        try:
            self.library.store.save_answer(conversation, answer.question, answer_json(answer), answer_id=answer.id)
        except MultiDocError as error:
            log.warning("the answer was not kept: %s", error)


class AnswerStopped(MultiDocError):
    """The user stopped the answer."""


def _failing(cited: Cited) -> list[int]:
    return [number for number, sentence in enumerate(cited.sentences) if sentence.verdict in FAILING]


def answer_json(answer: Answer) -> dict[str, Any]:
    """The JSON of one answer, as `ask --json` prints it and the store keeps it."""
    return {
        "id": answer.id,
        "question": answer.question,
        "intent": answer.intent.name,
        "refused": answer.refused,
        "answer": answer.text,
        "model": answer.model,
        "warnings": list(answer.warnings),
        "fallbacks": list(answer.fallbacks),
        "trace": list(answer.trace),
        "sentences": [
            {"text": s.text, "citations": list(s.citations), "verdict": s.verdict, "reason": s.reason}
            for s in answer.sentences
        ],
        "citations": [
            {
                "n": c.n,
                "document": c.document,
                "document_id": c.document_id,
                "page": c.page,
                "quote": c.quote,
                "places": [{"page": place.page, "boxes": [list(box) for box in place.boxes]} for place in c.places],
                "section": c.section,
                "score": c.score,
                "start": c.start,
                "end": c.end,
                "verdict": c.verdict,
            }
            for c in answer.citations
        ],
        "grounding": asdict(grounding(answer.sentences, answer.citations)),
        "conflicts": [dict(conflict) for conflict in answer.conflicts],
        "coverage": {name: list(values) for name, values in asdict(answer.coverage).items()},
        "seconds": dict(answer.seconds),
        "routing": {
            "confidence": answer.intent.confidence,
            "reasons": list(answer.intent.reasons),
            "second": answer.intent.second,
        },
        "raw_answer": answer.raw_text,
        "settings": dict(answer.settings),
        "config_fingerprint": answer.config_fingerprint,
    }


def _reply_key(model: str, prompt: Prompt, config: Config) -> str:
    payload: list[Any] = [model, config.temperature, config.max_tokens, [[m.role, m.content] for m in prompt.messages]]
    return hashlib.sha256(json.dumps(payload).encode()).hexdigest()


def _spec_name(spec: str | LLM) -> str:
    return spec if isinstance(spec, str) else spec.name


def _counted(what: str, count: int, names: Iterator[str] | Any) -> str:
    counts: Mapping[str, int] = {}
    tally: dict[str, int] = {}
    for name in names:
        tally[name] = tally.get(name, 0) + 1
    counts = tally
    listed = ", ".join(f"{name} x{n}" if n > 1 else name for name, n in counts.items())
    return f"{what}: {count} ({listed})" if listed else f"{what}: {count}"
