"""The labelled sets of ../shared/data: claims, their evidence and what people said of them. No text of theirs is kept.

expertqa (MIT, Malaviya et al. 2024): claims of real assistants' answers with the passages they cite. wice (annotations
ODC-BY, Kamoi et al. 2023): claims of Wikipedia. scifact (claims CC BY 4.0, Wadden et al. 2020): scientific claims.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@dataclass(frozen=True)
class Example:
    """One labelled claim with its evidence; `group` is what cross-validation keeps together, `answer` its answer."""

    group: str
    answer: str
    claim: str
    passages: tuple[str, ...]
    label: str
    good: bool


def expertqa(folder: Path = SHARED) -> list[Example]:
    """Claims of real assistants whose evidence has text, with the experts' Complete, Partial or Incomplete."""
    examples = []
    for number, line in enumerate((folder / "expertqa" / "rand_val.jsonl").read_text("utf-8").splitlines()):
        for model, answer in json.loads(line)["answers"].items():
            for claim in answer["claims"]:
                # "[1] URL", a blank line, then the passage; a bare URL is no evidence
                parts = [str(entry).partition("\n\n")[2].strip() for entry in claim["evidence"]]
                passages = tuple(part for part in parts if part)
                if passages and claim["support"] in ("Complete", "Partial", "Incomplete"):
                    good = claim["support"] == "Complete"
                    key = f"{number}/{model}"
                    examples.append(Example(str(number), key, claim["claim_string"], passages, claim["support"], good))
    return examples


def wice(folder: Path = SHARED) -> list[Example]:
    """Claims of Wikipedia with sentences of the cited page: supported, partially_supported, not_supported."""
    examples = []
    for line in (folder / "wice" / "oracle_chunks_dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        group = row["meta"]["id"]
        passages = ("\n".join(row["evidence"]),)
        examples.append(Example(group, row["claim"], row["claim"], passages, row["label"], row["label"] == "supported"))
    return examples


def scifact(folder: Path = SHARED) -> list[Example]:
    """Scientific claims with the abstract that supports or contradicts them."""
    with (folder / "scifact" / "corpus_train.csv").open(encoding="utf-8", newline="") as file:
        abstracts = {row["doc_id"]: f"{row['title']}\n{_listed(row['abstract'])}" for row in csv.DictReader(file)}
    examples = []
    with (folder / "scifact" / "claims_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["evidence_label"] in ("SUPPORT", "CONTRADICT"):
                label = row["evidence_label"]
                passages = (abstracts[row["evidence_doc_id"]],)
                examples.append(Example(row["id"], row["id"], row["claim"], passages, label, label == "SUPPORT"))
    return examples


def without_a_passage(examples: Sequence[Example]) -> list[Example]:
    """Answers written by a model over passages it was given (expertqa's retrieve-and-read), with one passage taken
    away: claims that cite nothing else lose their ground and are bad, Complete claims of other passages stay good.

    All that is left of an answer's passages is the evidence of each claim.
    """
    answers: dict[str, list[Example]] = {}
    for example in examples:
        if "/rr_" in example.answer:
            answers.setdefault(example.answer, []).append(example)
    made = []
    for answer, members in answers.items():
        passages = tuple(dict.fromkeys(passage for example in members for passage in example.passages))
        for number, gone in enumerate(passages):
            rest = tuple(passage for passage in passages if passage != gone)
            for example in members:
                lost = set(example.passages) == {gone}
                if rest and (lost or (gone not in example.passages and example.good)):
                    label = "lost" if lost else "kept"
                    made.append(Example(example.group, f"{answer} -{number}", example.claim, rest, label, not lost))
    return made


def _listed(text: str) -> str:
    """The sentences of a printed array of strings."""
    inside = text.strip().removeprefix("[").removesuffix("]").replace("\\n", " ")
    return " ".join(re.sub(r"""['"]\s+['"]""", " ", inside.strip("'\"")).split())
