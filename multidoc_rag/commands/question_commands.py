"""Commands that ask: search, route, prompt, ask, conversations."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from multidoc_rag.commands.command_options import STORE, AsJson, Collection, Documents, Index, open_library, print_json
from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import RetrievalMode, Strategy

if TYPE_CHECKING:
    from multidoc_rag.library import Library

IntentChoice = Literal["auto", "synthesis", "comparison", "extraction"]


def search(
    question: Annotated[str, typer.Argument()],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many passages.")] = 6,
    mode: Annotated[RetrievalMode, typer.Option(help="How to search.")] = "hybrid",
    document: Documents = None,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Find the passages closest to a question."""
    import time

    with open_library(index, collection) as library:
        started = time.perf_counter()
        hits = library.search(question, k=k, mode=mode, documents=document)
        seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "question": question,
                "seconds": round(seconds, 4),
                "hits": [
                    {
                        "rank": rank,
                        "score": hit.score,
                        "document": hit.chunk.document_name,
                        "pages": [hit.chunk.page_start, hit.chunk.page_end],
                        "chunk_id": hit.chunk.id,
                        "text": hit.chunk.text,
                        "ranks": hit.ranks,
                    }
                    for rank, hit in enumerate(hits, 1)
                ],
            }
        )
        return
    for rank, hit in enumerate(hits, 1):
        print(f"{rank}. {hit.chunk.document_name} p.{hit.chunk.page_range}  {hit.score:.3f}  {hit.chunk.section}")
        print("   " + " ".join(hit.chunk.text.split())[:300] + "\n")
    if not hits:
        print("nothing found")


def route(
    questions: Annotated[list[str] | None, typer.Argument(help="Questions.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A question a line.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say which kind of answer a question wants, and why."""
    from multidoc_rag.answers.reasoner import MultiDocReasoner

    asked = list(questions or [])
    if file is not None:
        try:
            asked += [line.strip() for line in file.read_text("utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise MultiDocError(f"The questions in {file} could not be read: {error}") from error
    if not asked:
        raise typer.BadParameter("give a question, or --file with a question a line")
    reasoner = MultiDocReasoner()
    routed = [(question, reasoner.classify(question)) for question in asked]
    if as_json:
        print_json(
            [
                {
                    "question": question,
                    "intent": intent.name,
                    "confidence": intent.confidence,
                    "reasons": list(intent.reasons),
                    "second": intent.second,
                }
                for question, intent in routed
            ]
        )
        return
    for question, intent in routed:
        print(f"{intent.name}  {intent.confidence:.2f}  {question}\n    {'; '.join(intent.reasons)}")


def prompt(
    question: Annotated[str, typer.Argument()],
    strategy: Annotated[Strategy, typer.Option(help="How the prompt is built.")] = "structured",
    no_reorder: Annotated[bool, typer.Option("--no-reorder", help="Keep passages in order of strength.")] = False,
    document: Documents = None,
    intent: Annotated[IntentChoice, typer.Option(help="The shape of the answer.")] = "auto",
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Print the exact prompt a model would get, without asking one."""
    from multidoc_rag.answers.assistant import Assistant
    from multidoc_rag.records import Retrieved

    with open_library(index, collection) as library:
        events = Assistant(library).ask(
            question,
            documents=document,
            intent=intent,
            strategy=strategy,
            reorder=False if no_reorder else None,
        )
        retrieved = next(event for event in events if isinstance(event, Retrieved))
        events.close()  # type: ignore[attr-defined]
    built = retrieved.prompt
    if as_json:
        print_json(
            {
                "intent": built.evidence.intent.name,
                "strategy": built.strategy,
                "messages": [{"role": message.role, "content": message.content} for message in built.messages],
                "left_out": [
                    {"document": p.document_name, "pages": [p.page_start, p.page_end], "text": p.text}
                    for p in built.left_out
                ],
            }
        )
        return
    for message in built.messages:
        print(f"=== {message.role} ===\n{message.content}\n")


def ask(
    question: Annotated[str, typer.Argument()],
    document: Documents = None,
    intent: Annotated[IntentChoice, typer.Option(help="The shape of the answer.")] = "auto",
    strategy: Annotated[Strategy, typer.Option(help="How the prompt is built.")] = "structured",
    no_reorder: Annotated[bool, typer.Option("--no-reorder", help="Keep passages in order of strength.")] = False,
    llm: Annotated[
        str | None, typer.Option(help="quotes, hf:MODEL, openai:URL#MODEL or local:PATH.", metavar="WRITER")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Ask a model once more for what does not stand, then drop it.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the answer to this file too: .md, .html or .json.", metavar="FILE")
    ] = None,
    conversation: Annotated[str | None, typer.Option(help="Id of the conversation this question belongs to.")] = None,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Ask a question and read a cited answer."""
    from multidoc_rag.answers.assistant import Assistant, answer_json
    from multidoc_rag.records import Done, FellBack, Token

    with open_library(index, collection) as library:
        answer = None
        streamed = False
        config = replace(library.config, strict=strict or library.config.strict)
        for event in Assistant(library, llm=llm, config=config).ask(
            question,
            documents=document,
            intent=intent,
            strategy=strategy,
            reorder=False if no_reorder else None,
            conversation=conversation,
        ):
            if isinstance(event, Token) and not as_json:
                print(event.text, end="", flush=True)
                streamed = True
            elif isinstance(event, FellBack) and not as_json:
                print(
                    f"\n[{event.failed} failed: {event.reason} Going on with {event.next}.]\n" if streamed else "",
                    end="",
                )
                print(f"{event.failed}: {event.reason}", file=sys.stderr)
            elif isinstance(event, Done):
                answer = event.answer
        assert answer is not None  # Done is always the last event
        if export is not None:
            _export(answer_json(answer), export, library)
    if as_json:
        print_json(answer_json(answer))
        return
    if config.strict and answer.text != answer.raw_text:
        print(f"\n\n--- after checking ---\n{answer.text}")
    print(f"\n\n{answer.intent.name}, written by {answer.model}, {answer.seconds['total']:.2f} s")
    if answer.citations:
        print("\nReferences")
        for citation in answer.citations:
            print(f"  {citation.n}. {citation.document} p.{citation.page}")
    for sentence in answer.sentences:
        if sentence.verdict not in ("supported", "unchecked"):
            print(f"{sentence.verdict}: {sentence.text}" + (f" ({sentence.reason})" if sentence.reason else ""))
    for conflict in answer.conflicts:
        if conflict["kind"] == "conflict":
            sides = "; ".join(f"{side['value']} [{side['document']} p.{side['page']}]" for side in conflict["sides"])
            print(f"the documents disagree on {conflict['subject']}: {sides}")
    for line in (*answer.warnings, *answer.fallbacks):
        print(f"note: {line}")


def conversations(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List the kept conversations."""
    with open_library(index, collection, any_model=True) as library:
        kept = library.store.conversations()
    if as_json:
        print_json([asdict(conversation) for conversation in kept])
        return
    for conversation in kept:
        print(f"{conversation.id}  {conversation.updated_at}  {conversation.questions} questions  {conversation.title}")


def _export(answer: dict[str, Any], path: Path, library: Library) -> None:
    """Writes the answer in the form that the file's ending names."""
    from multidoc_rag.answers.export import export_answer

    text, _ = export_answer(answer, path.suffix.lower().lstrip("."), library)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MultiDocError(
            f"The answer was not written to {path}: {error.strerror}. It is kept in the store."
        ) from error
