"""The command line: `python -m multidoc_rag COMMAND ...`. It translates calls and events, and decides nothing.

`--json` prints one JSON document on standard output and nothing else there. Exit 0: done; 1: nothing could be done;
2: wrong usage. Errors go to standard error, one line.
"""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.exceptions import TyperException

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.language import one_line
from multidoc_rag.records import RetrievalMode, Strategy

if TYPE_CHECKING:
    from multidoc_rag.library import Library
    from multidoc_rag.records import AddReport, Progress

app = typer.Typer(
    name="multidoc_rag",
    help="Ask questions across your documents and read answers with their evidence.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
)

Index = Annotated[Path, typer.Option("--index", help="Folder of the index store.")]
Collection = Annotated[str, typer.Option("--collection", help="Collection inside the index store.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Only this document (name or id); may be repeated.")
]

IntentChoice = Literal["auto", "synthesis", "comparison", "extraction"]

STORE = Path("index_store")
INTERRUPTED = 130
"""What typer returns after Ctrl-C."""


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", readable=False)],
    include: Annotated[str | None, typer.Option(help="Files of a folder to take, as a glob: '**/*.pdf'.")] = None,
    sync: Annotated[
        bool, typer.Option("--sync", help="Remove documents whose files are gone from the folder.")
    ] = False,
    password: Annotated[str | None, typer.Option(help="Password of encrypted files.")] = None,
    ocr: Annotated[bool, typer.Option("--ocr", help="Read pages without readable text by OCR.")] = False,
    replace_named: Annotated[
        bool, typer.Option("--replace", help="Take the place of another document of the same name.")
    ] = False,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Read, chunk, embed and store documents; unchanged files are skipped."""
    with _library(index, collection) as library:
        show = None if as_json or not sys.stderr.isatty() else _progress_line
        reports = library.add(
            list(paths),
            include=include,
            sync=sync,
            password=password,
            ocr=ocr or None,
            replace=replace_named,
            on_progress=show,
        )
        if show:
            sys.stderr.write("\r\033[K")
    if as_json:
        _print_json([_report_json(report) for report in reports])
    else:
        for report in reports:
            what = f"{report.pages} pages, {report.chunks} chunks" if report.status in ("added", "replaced") else ""
            unread = f"unreadable pages: {_page_list(report.unreadable_pages)}" if report.unreadable_pages else ""
            details = "; ".join(part for part in (what, unread, report.reason) if part)
            name = report.document or one_line(report.path)
            print(f"{report.status:9}  {name}" + (f"  ({details})" if details else ""))
        if not reports:
            print("nothing to add")
    if not reports or all(report.status == "refused" for report in reports):
        raise typer.Exit(1)


@app.command("list")
def list_documents(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List the documents of the collection."""
    with _library(index, collection, any_model=True) as library:
        documents = library.documents()
    if as_json:
        names = ("name", "id", "title", "pages", "chunks", "status", "added_at")
        _print_json([{name: getattr(document, name) for name in names} for document in documents])
        return
    for document in documents:
        print(f"{document.name}  {document.pages} pages, {document.chunks} chunks, {document.status}  {document.title}")
    if not documents:
        print("no documents yet: add some with `python -m multidoc_rag add FOLDER`")


@app.command()
def remove(
    documents: Annotated[list[str], typer.Argument(help="Names or ids.")],
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Remove documents; they cannot be cited from then on."""
    with _library(index, collection, any_model=True) as library:
        outcome = library.remove(documents)
    if as_json:
        _print_json([{"document": name, "removed": removed} for name, removed in outcome])
    else:
        for name, removed in outcome:
            print(f"{'removed' if removed else 'not found'}  {name}")
    if not any(removed for _, removed in outcome):
        raise typer.Exit(1)


@app.command()
def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended.")] = False,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Check the index store against itself, and mend it."""
    from multidoc_rag.library import examine

    outcome = examine(index, collection=collection, config=Config.from_env(), repair=repair)
    if as_json:
        _print_json(outcome)
    else:
        for finding in outcome["findings"]:
            print(f"{'repaired' if finding['repaired'] else 'found'}: {finding['what']}")
        advice = "what is not said to be repaired needs you" if repair else "`doctor --repair` mends what it can"
        print("all is well" if outcome["ok"] else f"not well: {advice}")
    if not outcome["ok"]:
        raise typer.Exit(1)


@app.command()
def reembed(
    model: Annotated[str | None, typer.Option(help="SBERT model id or folder; the configured one by default.")] = None,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Embed every chunk anew, with another model if you name one."""
    with _library(index, collection, any_model=True) as library:
        outcome = library.reembed(model=model)
    if as_json:
        _print_json(outcome)
    else:
        print(f"{outcome['chunks']} chunks embedded with {outcome['model']} in {outcome['seconds']:.1f} s")


@app.command()
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

    with _library(index, collection) as library:
        started = time.perf_counter()
        hits = library.search(question, k=k, mode=mode, documents=document)
        seconds = time.perf_counter() - started
    if as_json:
        _print_json(
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


@app.command()
def route(
    questions: Annotated[list[str] | None, typer.Argument(help="Questions.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A question a line.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say which kind of answer a question wants, and why."""
    from multidoc_rag.reasoner import MultiDocReasoner

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
        _print_json(
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


@app.command()
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
    from multidoc_rag.assistant import Assistant
    from multidoc_rag.records import Retrieved

    with _library(index, collection) as library:
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
        _print_json(
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


@app.command()
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
    from multidoc_rag.assistant import Assistant, answer_json
    from multidoc_rag.records import Done, FellBack, Token

    with _library(index, collection) as library:
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
        _print_json(answer_json(answer))
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


@app.command()
def conflicts(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List where documents disagree, and what only looks like it; documents that are new are compared first."""
    with _library(index, collection) as library:
        show = None if as_json or not sys.stderr.isatty() else _progress_line
        found = library.conflicts(on_progress=show, boxes=as_json)
        if show:
            sys.stderr.write("\r\033[K")
    if as_json:
        _print_json(list(found))
        return
    for finding in found:
        print(f"{finding['kind'].replace('_', ' ')}: {finding['subject']} / {finding['measure']}")
        for side in finding["sides"]:
            print(f"  {side['document']} p.{side['page']}  {side['value']}\n    {' '.join(side['quote'].split())}")
    if not found:
        print("no two documents disagree on anything that can be compared")


@app.command()
def check(
    file: Annotated[Path, typer.Option("--file", help='JSON lines: {"id", "answer", "passages": [{"text"}]}.')],
    as_json: AsJson = False,
) -> None:
    """Hold answers that any tool wrote against the passages they were written from.

    A sentence that cites passages, by number from 1 or by document, is held against these.
    """
    from multidoc_rag.checking import CUT, check_text
    from multidoc_rag.embedding import load_embedder
    from multidoc_rag.entailment import load_entailment

    try:
        with file.open(encoding="utf-8-sig") as source:
            rows = [_answer_row(line, number, file) for number, line in enumerate(source, 1) if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise MultiDocError(f"The answers in {file} could not be read: {error}") from error
    if not rows:
        raise MultiDocError(f"There are no answers in {file}; nothing was checked.")
    config = Config.from_env()
    embedder = load_embedder(config)
    entailment = load_entailment(config) if config.entailment_model else None
    checked = []
    for name, answer, passages, documents in rows:
        found = check_text(answer, passages, embedder, names=documents, entailment=entailment)
        sentences, judgements, unsupported = found
        checked.append(
            {
                "id": name,
                "unsupported": unsupported,
                "sentences": [
                    {"text": text, "verdict": judged.verdict, "score": judged.score, "reason": judged.reason}
                    for text, judged in zip(sentences, judgements, strict=True)
                ],
            }
        )
    if as_json:
        _print_json(checked)
        return
    for each in checked:
        word = "unsupported" if each["unsupported"] >= CUT else "supported"
        print(f"{each['id']}: {word} ({each['unsupported']:.2f})")
        for sentence in each["sentences"]:
            why = f"  ({sentence['reason']})" if sentence["reason"] else ""
            print(f"  {sentence['verdict']:12} {sentence['score']:.2f}  {sentence['text']}{why}")


@app.command()
def conversations(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List the kept conversations."""
    with _library(index, collection, any_model=True) as library:
        kept = library.store.conversations()
    if as_json:
        _print_json([asdict(conversation) for conversation in kept])
        return
    for conversation in kept:
        print(f"{conversation.id}  {conversation.updated_at}  {conversation.questions} questions  {conversation.title}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    logging.basicConfig(level=logging.ERROR, format="%(message)s", stream=sys.stderr)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # whatever the terminal's encoding: JSON is UTF-8, and a file name's stray byte is written as \udcff
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        outcome = app(
            args=None if arguments is None else list(arguments),
            standalone_mode=False,
            prog_name="python -m multidoc_rag",
        )
        if outcome == INTERRUPTED:
            raise KeyboardInterrupt
        return outcome if isinstance(outcome, int) else 0
    except typer.Exit as stop:
        return stop.exit_code
    except TyperException as error:
        # wrong usage: a line that says so; the bare program name gets its help
        message = getattr(error, "format_message", error.__str__)()
        wanted_help = message.startswith("Usage:")
        print(message if wanted_help else f"usage error: {' '.join(message.split())}", file=sys.stderr)
        return 2
    except MultiDocError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        print("Stopped; what was finished is kept.", file=sys.stderr)
        return 1


def _library(index: Path, collection: str, *, any_model: bool = False) -> Library:
    """The collection; `any_model` opens it whatever model it was made with: to list, remove, repair, embed anew."""
    from multidoc_rag.library import Library

    return Library.open(index, collection=collection, config=Config.from_env(), check_model=not any_model)


def _export(answer: dict[str, Any], path: Path, library: Library) -> None:
    """Writes the answer in the form that the file's ending names."""
    from multidoc_rag.export import export_answer

    text, _ = export_answer(answer, path.suffix.lower().lstrip("."), library)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MultiDocError(
            f"The answer was not written to {path}: {error.strerror}. It is kept in the store."
        ) from error


def _answer_row(line: str, number: int, file: Path) -> tuple[Any, str, list[str], list[str]]:
    """(id, answer, passages' texts, their documents' names) of one JSON line; raises MultiDocError naming the line."""
    try:
        row = json.loads(line)
        passages = [{"text": passage} if isinstance(passage, str) else passage for passage in row["passages"]]
        texts = [passage["text"] for passage in passages]
        if not isinstance(row["answer"], str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("answer and passages must be text")
        return row.get("id", number), row["answer"], texts, [str(passage.get("document", "")) for passage in passages]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MultiDocError(
            f"Line {number} of {file} is not an answer with passages ({type(error).__name__}: {error}); nothing was "
            'checked: write {"id", "answer", "passages": [{"document", "text"}]} on each line.'
        ) from error


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _report_json(report: AddReport) -> dict[str, Any]:
    return asdict(replace(report, unreadable_pages=tuple(report.unreadable_pages)))


def _page_list(pages: Sequence[int]) -> str:
    shown = ", ".join(map(str, pages[:12]))
    return shown + (f" and {len(pages) - 12} more" if len(pages) > 12 else "")


def _progress_line(progress: Progress) -> None:
    """One line on the terminal that is written over: file, stage, share done, time left."""
    share = progress.done / progress.total if progress.total else 0.0
    left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
    name = one_line(Path(progress.path).name)
    line = f"{progress.file_index}/{progress.file_count} {progress.stage} {name} {share:.0%}{left}"
    sys.stderr.write(f"\r\033[K{line[:120]}")
    sys.stderr.flush()
