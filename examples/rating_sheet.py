"""A blind rating sheet: two answers side by side for each question, which is which in a key file of its own.

One HTML file without any outside resource; ratings leave it as JSON through a button.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

CRITERIA = (
    ("overall", "Which answer would you rather have?"),
    ("organisation", "Which is organised better for this question?"),
    ("documents", "Which tells better what each document says?"),
    ("citations", "In which are the citations more useful?"),
)
CHOICES = (("left", "left"), ("same", "no difference"), ("right", "right"))

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
body { color: #1e293b; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.pair div { border: 1px solid #cbd5e1; border-radius: 6px; padding: .75rem 1rem }
.pair div { white-space: pre-wrap; overflow-wrap: anywhere }
fieldset { border: 0; padding: 0; margin: .6rem 0 } label { margin-right: 1.2rem }
legend { float: left; width: 24rem; max-width: 100% }
button { font: inherit; padding: .5rem 1rem; margin-top: 2rem }
@media (max-width: 45rem) { .pair { grid-template-columns: 1fr } legend { float: none } }
"""

SCRIPT = """
document.getElementById("export").addEventListener("click", () => {
  const ratings = [...document.querySelectorAll("input[type=radio]:checked")].map(box => (
    { question: box.dataset.question, criterion: box.dataset.criterion, choice: box.value }));
  const asked = document.querySelectorAll("fieldset").length;
  const result = { sheet: document.body.dataset.sheet, rater: document.getElementById("rater").value, asked, ratings };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(result, null, 1)], { type: "application/json" }));
  link.download = "ratings.json";
  link.click();
  URL.revokeObjectURL(link.href);
  document.getElementById("state").textContent = ratings.length + " of " + asked + " ratings exported.";
});
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """One question and two answers by the names of their designs, which the sheet does not show."""

    id: str
    question: str
    answers: tuple[tuple[str, str], tuple[str, str]]


def rating_sheet(pairs: Sequence[Pair], *, seed: int) -> tuple[str, dict[str, Any]]:
    """The sheet's HTML and its key: {"sheet", "seed", "order": [{"question", "left", "right"}]}.

    Questions and sides are shuffled by the seed. `sheet` is a hash of what is shown: it ties ratings to their key.
    """
    dice = random.Random(seed)
    shuffled = dice.sample(list(pairs), len(pairs))
    order, parts = [], []
    for number, pair in enumerate(shuffled, 1):
        left, right = dice.sample(pair.answers, 2)
        order.append({"question": pair.id, "left": left[0], "right": right[0]})
        parts.append(_question(number, pair, left[1], right[1]))
    body = "\n".join(parts)
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Rating sheet</title>
<style>{STYLE}</style>
</head>
<body data-sheet="{digest}">
<h1>Two answers to the same question</h1>
<p>Both were written from the same collection of documents. Rate each pair, then export. Which answer came from which
design is not shown, and the sides change from question to question.</p>
<p><label>Your name or initials <input id="rater" type="text"></label></p>
{body}
<p><button id="export" type="button">Export ratings</button> <span id="state" role="status"></span></p>
<script>{SCRIPT}</script>
</body>
</html>
"""
    return page, {"sheet": digest, "seed": seed, "order": order}


def _question(number: int, pair: Pair, left: str, right: str) -> str:
    fields = []
    for criterion, text in CRITERIA:
        boxes = "".join(
            f'<label><input type="radio" name="{escape(pair.id)}-{criterion}" value="{value}" '
            f'data-question="{escape(pair.id)}" data-criterion="{criterion}"> {label}</label>'
            for value, label in CHOICES
        )
        fields.append(f"<fieldset><legend>{text}</legend>{boxes}</fieldset>")
    return (
        f"<section>\n<h2>{number}. {escape(pair.question)}</h2>\n"
        f'<div class="pair"><div>{escape(left)}</div><div>{escape(right)}</div></div>\n{"".join(fields)}\n</section>'
    )


def tally(key: Mapping[str, Any], ratings: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Exported ratings opened with their key: votes by criterion and design ("same" for no difference).

    Raises ValueError for ratings of another sheet.
    """
    if ratings["sheet"] != key["sheet"]:
        raise ValueError(f"these ratings are of sheet {ratings['sheet']}, the key is of sheet {key['sheet']}")
    sides = {row["question"]: row | {"same": "same"} for row in key["order"]}
    votes: dict[str, dict[str, int]] = {}
    for rating in ratings["ratings"]:
        design = sides[rating["question"]][rating["choice"]]
        counts = votes.setdefault(rating["criterion"], {})
        counts[design] = counts.get(design, 0) + 1
    return votes


def key_text(key: Mapping[str, Any]) -> str:
    """The key as it is written to its file."""
    return json.dumps(key, indent=1) + "\n"
