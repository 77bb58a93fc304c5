"""MultiDocReasoner: the reasoning layer between retrieval and a writer, usable on its own.

Route the question, group and order the evidence, build the prompt. It holds no index, no model and no state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multidoc_rag.answers import prompts
from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.questions import routing
from multidoc_rag.records import INTENTS, Evidence, Hit, Intent, Prompt, Strategy
from multidoc_rag.search.evidence import grouped


class MultiDocReasoner:
    """Classifies questions and turns retrieved hits into structured prompts."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()

    def classify(self, question: str) -> Intent:
        """The intent of a question with its reasons (`routing.classify`)."""
        return routing.classify(question)

    def group(self, question: str, hits: Sequence[Hit], *, intent: Intent | str | None = None) -> Evidence:
        """All hits as evidence, grouped by document; nothing is dropped but repeated chunks."""
        return grouped(question, self.intent(question, intent), hits, config=self.config)

    def build_prompt(
        self,
        question: str,
        hits: Sequence[Hit] | Evidence,
        *,
        strategy: Strategy = "structured",
        reorder: bool | None = None,
        intent: Intent | str | None = None,
        conflicts: Sequence[Mapping[str, Any]] = (),
    ) -> Prompt:
        """The exact messages for these hits (or this evidence); `reorder` defaults to `Config.reorder`.
        `conflicts` between the passages, as `Library.conflicts_among` gives them, are named in it."""
        evidence = hits if isinstance(hits, Evidence) else self.group(question, hits, intent=intent)
        reorder = self.config.reorder if reorder is None else reorder
        return prompts.build(evidence, strategy=strategy, reorder=reorder, config=self.config, conflicts=conflicts)

    def intent(self, question: str, override: Intent | str | None = None) -> Intent:
        """The given intent, or the classified one; an intent's name counts as chosen by the user."""
        if isinstance(override, Intent):
            return override
        if override is None or override == "auto":
            return self.classify(question)
        for name in INTENTS:
            if override == name:
                return Intent(name, 1.0, ("chosen by the user",))
        raise MultiDocError(f"The intent {override!r} is not known: use auto, {', '.join(INTENTS)}.")
