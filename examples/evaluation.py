"""The experiments E1 to E6 on the sample collection, for quotes-only or for any model.

    python examples/evaluation.py                                                    quotes-only
    python examples/evaluation.py --llm openai:http://127.0.0.1:8080#smollm2 --out evaluation_outputs/smollm2

Builds the PDFs of evaluation_files/ into the collection `evaluation` (what is there already is not read again), writes
a JSON file for each experiment, the retrieved chunks that E1 to E4 share and, with a model, a blind rating sheet.
Exits 1 when a check fails.

E5 checks the answers that E3 left in --out, in this run or in an earlier one, and needs no model for it; its labelled
sets (--labelled) are skipped where they are not there, and take most of the time where they are.

With a model E3 runs on Q2 to Q4 and 8 gold questions (3 designs, 2 orders: 66 replies) and E4 on 8 questions (3
positions: 24 replies); --limit changes both numbers. Replies are written at temperature 0, so that a difference between
two answers comes from their prompts, and kept in the collection: an interrupted run goes on where it stopped, and the
same run again asks the model nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import experiment_answers  # noqa: E402
import experiment_checking  # noqa: E402
import experiment_conflicts  # noqa: E402
import experiment_order  # noqa: E402
import experiment_prompts  # noqa: E402
import experiment_routing  # noqa: E402
from experiment import PAPER_K, Check, Outcome, Setting, gold_questions, paper_questions, rounded  # noqa: E402
from labelled_sets import SHARED  # noqa: E402
from rating_sheet import Pair, key_text, rating_sheet  # noqa: E402

from multidoc_rag import Config, Library  # noqa: E402
from multidoc_rag.errors import MultiDocError  # noqa: E402
from multidoc_rag.writers.llm import open_writer  # noqa: E402

EXPERIMENTS = ("E1", "E2", "E3", "E4", "E5", "E6")
PROMPTED = {"E1", "E2", "E3", "E4"}
"""The experiments that share the retrieved chunks."""
COLLECTION = "evaluation"
WAIT_SECONDS = 600.0
"""How long to wait for another process that is adding to the collection."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for; 0 when every check holds, 1 when one fails or nothing could be run."""
    options = parsed(arguments)
    config = Config.from_env()
    try:
        with Library.open(options.index, collection=COLLECTION, config=config) as library:
            return evaluate(library, options)
    except MultiDocError as error:
        print(f"The evaluation stopped: {error}", file=sys.stderr)
        return 1


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options; ends with exit code 2 on wrong usage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llm", default="quotes", help="quotes, hf:MODEL, openai:URL#MODEL or local:FOLDER")
    parser.add_argument("--index", default=str(ROOT / "index_store"), help="the index store to build in")
    parser.add_argument("--out", type=Path, default=ROOT / "evaluation_outputs", help="where the results go")
    parser.add_argument(
        "--files", type=Path, default=ROOT / "evaluation_files", help="PDFs, gold.json, routing_*.jsonl"
    )
    parser.add_argument("--labelled", type=Path, default=SHARED, help="folder of wice, expertqa and scifact (E5)")
    parser.add_argument("--only", default="", help=f"some of {','.join(EXPERIMENTS)}")
    parser.add_argument("--limit", type=int, help="gold questions that are answered (default: all; 8 with a model)")
    parser.add_argument("--questions", default="", help="ids of the gold questions that E3 answers (q10,q30)")
    parser.add_argument("--context", type=int, default=4096, help="window for prompt and reply with a model, in tokens")
    parser.add_argument("--max-tokens", type=int, default=300, help="longest reply of a model in E3, in tokens")
    parser.add_argument("--seconds", type=float, default=240.0, help="longest time for one reply of a model")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the rating sheet")
    parser.add_argument("--date", default="", help="written into the results; left out when not given")
    options = parser.parse_args(arguments)
    options.only = tuple(part.strip().upper() for part in options.only.split(",") if part.strip()) or EXPERIMENTS
    options.questions = tuple(part.strip() for part in options.questions.split(",") if part.strip())
    unknown = sorted(set(options.only) - set(EXPERIMENTS))
    if unknown:
        parser.error(f"--only knows {', '.join(EXPERIMENTS)}, not {', '.join(unknown)}")
    if options.limit is not None and options.limit < 1:
        parser.error("--limit must be 1 or more")
    return options


def evaluate(library: Library, options: argparse.Namespace) -> int:
    """Build the collection, run the experiments, write and print their results."""
    checks = [built(library, options.files)]
    setting = set_up(library, options)
    options.out.mkdir(parents=True, exist_ok=True)
    if set(options.only) & PROMPTED:
        save(options.out / "evaluation_chunks.json", shared_chunks(setting))
    print(f"Answers are written by {setting.model}. Settings {setting.config.fingerprint}.\n", flush=True)
    for name in EXPERIMENTS:
        if name not in options.only:
            continue
        outcome = run(name, setting, options)
        checks += outcome.checks
        save(options.out / f"{outcome.name}.json", outcome.as_json())
        print(f"{name}  {outcome.record['title']}  (model: {outcome.record['model']})\n")
        print("\n\n".join(outcome.tables) + "\n", flush=True)
        if name == "E3" and setting.llm is not None:
            write_rating_sheet(outcome, options.out, options.seed)
    failed = [check for check in checks if not check.passed and not check.target]
    for check in checks:
        if not check.passed:
            print(f"{'missed' if check.target else 'FAILED'}  {check.name}  {check.detail}")
    noted = [check for check in checks if check.passed and check.detail and not check.name.startswith("E2")]
    for check in noted:
        print(f"passed  {check.name}  {check.detail}")
    passed = sum(check.passed for check in checks)
    print(f"{passed} of {len(checks)} checks and targets passed; results in {options.out}")
    return 1 if failed else 0


def built(library: Library, files: Path) -> Check:
    """Bring the collection up to the PDFs of the folder."""
    reports = library.add(files, include="*.pdf", sync=True, wait=WAIT_SECONDS)
    counts: dict[str, int] = {}
    for report in reports:
        counts[report.status] = counts.get(report.status, 0) + 1
    refused = [f"{report.path}: {report.reason}" for report in reports if report.status == "refused"]
    said = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    print(f"Collection {COLLECTION}: {said}; {sum(d.chunks for d in library.documents())} chunks.", flush=True)
    return Check("the sample collection is indexed", not refused and bool(reports), "; ".join(refused) or said)


def set_up(library: Library, options: argparse.Namespace) -> Setting:
    """The run's setting: with a model, its window, reply length and time bound; raises WriterError for a bad one."""
    unknown = sorted(set(options.questions) - {question.id for question in gold_questions(options.files)})
    if unknown:
        raise MultiDocError(f"gold.json has no question {', '.join(unknown)}: use the ids that stand in it.")
    config, llm = library.config, None
    if options.llm != "quotes":
        config = replace(config, temperature=0.0, max_tokens=options.max_tokens, context_tokens=options.context)
        config = replace(config, answer_seconds=options.seconds, request_seconds=options.seconds)
        llm = open_writer(options.llm, config)
        config = replace(config, context_tokens=min(options.context, llm.context_tokens))
    say = lambda line: print(line, file=sys.stderr, flush=True)  # noqa: E731
    return Setting(library, config, options.files, llm, options.limit, options.questions, options.date, say)


def run(name: str, setting: Setting, options: argparse.Namespace) -> Outcome:
    """One experiment by its name."""
    if name == "E1":
        return experiment_routing.run(setting)
    if name == "E2":
        return experiment_prompts.run(setting)
    if name == "E3":
        return experiment_answers.run_model(setting) if setting.llm else experiment_answers.run_quotes(setting)
    if name == "E5":
        return experiment_checking.run(setting, options.out, options.labelled)
    if name == "E6":
        return experiment_conflicts.run(setting)
    return experiment_order.run(setting)


def shared_chunks(setting: Setting) -> dict[str, Any]:
    """The chunks that every experiment's prompts are made from: the report's retrieval for each question."""
    questions = [*paper_questions(), *gold_questions(setting.files)]
    rows = []
    for question in questions:
        hits = setting.paper_hits(question.text)
        chunks = [
            {
                "chunk_id": hit.chunk.chunk_id,
                "source_pdf": hit.chunk.source_pdf,
                "page_range": hit.chunk.page_range,
                "score": hit.score,
                "text": hit.chunk.text,
            }
            for hit in hits
        ]
        rows.append({"id": question.id, "question": question.text, "chunks": chunks})
    head: dict[str, Any] = {"retrieval": {"mode": "dense", "k": PAPER_K, "score": "cosine"}}
    head |= {"embedding_model": setting.library.store.model, "config_fingerprint": setting.config.fingerprint}
    if setting.date:
        head["date"] = setting.date
    return head | {"questions": rounded(rows)}


def write_rating_sheet(outcome: Outcome, folder: Path, seed: int) -> None:
    """C1 against C2 for people, and the key beside it."""
    answers: dict[str, dict[str, Any]] = {}
    for row in outcome.record["answers"]:
        if row["arm"] in ("C1", "C2") and row["answer"]:
            answers.setdefault(row["id"], {"question": row["question"]})[row["arm"]] = row["answer"]
    pairs = [
        Pair(name, row["question"], (("C1", row["C1"]), ("C2", row["C2"])))
        for name, row in answers.items()
        if "C1" in row and "C2" in row
    ]
    page, key = rating_sheet(pairs, seed=seed)
    (folder / "rating_sheet.html").write_text(page, encoding="utf-8")
    (folder / "rating_sheet.key").write_text(key_text(key), encoding="utf-8")
    print(f"Blind rating sheet: {len(pairs)} pairs (C1 against C2) in {folder / 'rating_sheet.html'}\n")


def save(path: Path, data: Any) -> None:
    """Write JSON that is the same for the same results."""
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
