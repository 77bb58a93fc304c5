"""How good the quotes writer is, through the whole pipeline (Library, retrieval, compose), with baselines beside it.

    python benchmarks/quotes.py [gold] [chroma] [northwind] [--index index_store] [--limit N]

gold: share of the facts of evaluation_files/gold.json that stand, whole, in one quoted sentence of the answer that
cites their document; refusals of its unanswerable questions. chroma: token F1 of the quoted sentences against the
gold excerpts of chroma_chunking. northwind: right document and right page cited; refusals. The two public sets are
read from ../shared/data and skipped where it is absent. Latency of the writer everywhere.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from multidoc_rag import Assistant, Config, Library  # noqa: E402
from multidoc_rag.answers.quotable import units  # noqa: E402
from multidoc_rag.answers.quotes import NO_DIRECT_ANSWER, Composition, compose  # noqa: E402
from multidoc_rag.metrics import coverage, facts_found, mean, quantile, share, token_scores  # noqa: E402
from multidoc_rag.records import Citation, Embedder, Evidence, Retrieved  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
EVALUATION = ROOT / "evaluation_files"
ON_SUBJECT = 24
"""qa_dontknows.jsonl: its first 24 questions are about the PDFs' subjects (most can be answered), the rest are not."""


def main() -> None:
    """Run the parts asked for and print one block of figures for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["gold", "chroma", "northwind"])
    parser.add_argument("--index", default=str(ROOT / "index_store"))
    parser.add_argument("--limit", type=int, default=0, help="only the first N questions of each set")
    parser.add_argument("--missed", action="store_true", help="name the gold facts that the answers lack")
    options = parser.parse_args()
    parts = {"gold": gold, "chroma": chroma, "northwind": northwind}
    for name in options.parts:
        parts[name](options)


def gold(options: argparse.Namespace) -> None:
    """Gold facts in the answers, by intent and by half; unanswerable questions refused."""
    path = EVALUATION / "gold.json"
    if not path.exists():
        print("gold: evaluation_files/gold.json is not there, skipped")
        return
    questions = _limited(json.loads(path.read_text("utf-8"))["questions"], options)
    asker = Asker(options.index, "evaluation", sorted(EVALUATION.glob("*.pdf")))
    found: dict[str, list[bool]] = defaultdict(list)
    available: list[bool] = []
    documents: list[float] = []
    answered: list[Written] = []
    unanswerable: list[Written] = []
    for number, question in enumerate(questions):
        answer = asker(question["question"])
        if not question["facts"]:
            unanswerable.append(answer)
            continue
        answered.append(answer)
        names = {n: citation.document for n, citation in answer.cited.items()}
        facts = [(fact["document"], fact["needles"]) for fact in question["facts"]]
        said = facts_found([(s.text, [names[n] for n in s.citations]) for s in answer.composition.sentences], facts)
        for group in ("all", answer.evidence.intent.name, "odd questions" if number % 2 else "even questions"):
            found[group] += said
        # what no writer could have said: the fact is not in the evidence
        available += facts_found([(p.text, [p.document_name]) for p in answer.evidence.passages], facts)
        documents.append(coverage(names.values(), (document for document, _ in facts)))
        if options.missed:
            for (document, needles), there in zip(facts, said, strict=True):
                if not there:
                    print(f"  missed: {question['question']} | {document} | {needles}")
    most = asker.config.quotes_sentences
    print(f"gold: {len(found['all'])} facts of {len(documents)} questions, at most {most} sentences")
    for group, flags in found.items():
        print(f"  facts in the answer, {group:16s} {share(flags):.3f}  ({sum(flags)} of {len(flags)})")
    print(f"  facts in the evidence               {share(available):.3f}")
    print(f"  gold documents cited                {mean(documents):.3f}")
    _print_refusals("answerable questions", answered)
    _print_refusals("unanswerable questions", unanswerable)
    asker.print_latency()
    asker.close()


def chroma(options: argparse.Namespace) -> None:
    """Token F1 against the gold excerpts; each question is asked of its own corpus only."""
    folder = DATA / "chroma_chunking"
    if not folder.exists():
        print("chroma: ../shared/data/chroma_chunking is not there, skipped")
        return
    asker = Asker(options.index, "quotes_chroma", sorted((folder / "corpora").glob("*.md")))
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        rows = _limited(list(csv.DictReader(file)), options)
    scores: dict[str, list[Any]] = defaultdict(list)
    corpora: dict[str, list[float]] = defaultdict(list)
    answers = []
    for row in rows:
        excerpts = [reference["content"] for reference in json.loads(row["references"])]
        answer = asker(row["question"], [f"{row['corpus_id']}.md"])
        answers.append(answer)
        ours = token_scores([citation.quote for citation in answer.citations], excerpts)
        scores["quotes"].append(ours)
        corpora[row["corpus_id"]].append(ours.f1)
        for name, texts in baselines(answer, asker.embedder).items():
            scores[name].append(token_scores(texts, excerpts))
    print(f"chroma: {len(rows)} questions, quotes per answer {mean(len(a.citations) for a in answers):.1f}")
    for name, found in scores.items():
        print(
            f"  {name:28s} token F1 {mean(s.f1 for s in found):.3f}  precision {mean(s.precision for s in found):.3f}"
            f"  recall {mean(s.recall for s in found):.3f}"
        )
    print("  quotes by corpus: " + ", ".join(f"{name} {mean(values):.3f}" for name, values in corpora.items()))
    _print_refusals("answerable questions", answers)
    asker.print_latency()
    asker.close()


def baselines(answer: Written, embedder: Embedder) -> dict[str, list[str]]:
    """What simpler writers would quote from the same evidence."""
    passages = sorted(answer.evidence.passages, key=lambda passage: -passage.score)
    found = units(answer.evidence)
    similarity = (
        embedder.encode([unit.shown for unit in found]) @ embedder.encode_query(answer.question) if found else []
    )
    closest = sorted(range(len(found)), key=lambda i: -similarity[i])
    return {
        "best passage whole": [passage.text for passage in passages[:1]],
        "its first 3 sentences": [unit.text for unit in found if unit.rank == 0][:3],
        "3 sentences by cosine only": [found[i].text for i in closest[:3]],
        "1 sentence by cosine only": [found[i].text for i in closest[:1]],
    }


def northwind(options: argparse.Namespace) -> None:
    """Right document and right page among the citations; refusals of questions the PDFs cannot answer."""
    folder = DATA / "northwind_hr"
    if not folder.exists():
        print("northwind: ../shared/data/northwind_hr is not there, skipped")
        return
    asker = Asker(options.index, "quotes_northwind", sorted(folder.glob("*.pdf")))
    hits: dict[str, list[bool]] = defaultdict(list)
    answers = []
    for item in _limited(_json_lines(folder / "qa.jsonl"), options):
        document, page = re.findall(r"\[([^\[\]]+)#page=(\d+)\]", item["truth"])[-1]
        answer = asker(item["question"])
        answers.append(answer)
        first = {n for sentence in answer.composition.sentences[:3] for n in sentence.citations}
        cited = [(citation.document, citation.page) for citation in answer.citations]
        leading = [(citation.document, citation.page) for citation in answer.citations if citation.n in first]
        read = answer.evidence.passages
        hits["page in the evidence"].append(
            any(p.document_name == document and p.page_start <= int(page) <= p.page_end for p in read)
        )
        hits["document cited"].append(document in {name for name, _ in cited})
        hits["page cited"].append((document, int(page)) in cited)
        hits["document in first 3 bullets"].append(document in {name for name, _ in leading})
        hits["page in first 3 bullets"].append((document, int(page)) in leading)
    bullets = mean(len(answer.composition.sentences) for answer in answers)
    print(f"northwind: {len(answers)} questions, bullets per answer {bullets:.1f}")
    for name, flags in hits.items():
        print(f"  {name:28s} {share(flags):.3f}")
    _print_refusals("answerable questions", answers)
    unknown = [asker(item["question"]) for item in _limited(_json_lines(folder / "qa_dontknows.jsonl"), options)]
    _print_refusals("'don't knows' on the subject", unknown[:ON_SUBJECT])
    _print_refusals("'don't knows' off the subject", unknown[ON_SUBJECT:])
    asker.print_latency()
    asker.close()


@dataclass(frozen=True)
class Written:
    """One question, the evidence that the assistant selects for it, and what the writer made of it."""

    question: str
    evidence: Evidence
    composition: Composition

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of the answer."""
        return self.composition.citations

    @property
    def cited(self) -> dict[int, Citation]:
        """The citations by number."""
        return {citation.n: citation for citation in self.citations}


class Asker:
    """A collection with its files added, and the time each answer took to write."""

    def __init__(self, index: str, collection: str, files: Sequence[Path]) -> None:
        self.config = Config.from_env(llm="quotes")
        self.library = Library.open(index, collection=collection, config=self.config)
        for report in self.library.add([str(file) for file in files]):
            if report.status == "refused":
                raise SystemExit(f"{report.path}: {report.reason}")
        self.embedder = self.library.embedder
        self.assistant = Assistant(self.library)
        self.seconds: list[float] = []
        self.wrote: list[float] = []

    def __call__(self, question: str, documents: Sequence[str] | None = None) -> Written:
        """The assistant's own steps up to its evidence, then the writer; nothing is kept in the history."""
        started = time.perf_counter()
        events = self.assistant.ask(question, documents=documents)
        evidence = next(event.evidence for event in events if isinstance(event, Retrieved))
        selected = time.perf_counter()
        composition = compose(
            evidence,
            embedder=self.embedder,
            config=self.config,
            page_of=self.library.page_of,
            text_between=self.library.store.text_between,
        )
        self.wrote.append(time.perf_counter() - selected)
        self.seconds.append(time.perf_counter() - started)
        return Written(question, evidence, composition)

    def print_latency(self) -> None:
        """Median and 95th percentile of writing and of the whole question, in milliseconds."""
        for name, values in (("writing", self.wrote), ("whole question", self.seconds)):
            milliseconds = [1000 * quantile(values, q) for q in (0.5, 0.95)]
            print(f"  {name:28s} median {milliseconds[0]:.0f} ms, 95th percentile {milliseconds[1]:.0f} ms")

    def close(self) -> None:
        """Close the library."""
        self.library.close()


def _print_refusals(name: str, answers: Sequence[Written]) -> None:
    refused = sum(answer.composition.refused for answer in answers)
    hedged = sum(NO_DIRECT_ANSWER in answer.composition.text for answer in answers)
    rest = len(answers) - refused - hedged
    print(f"  {name}: refused {refused}, 'nearest passages' {hedged}, answered {rest} of {len(answers)}")


def _limited(items: list[Any], options: argparse.Namespace) -> list[Any]:
    return items[: options.limit] if options.limit else items


def _json_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
