"""An entailment cross-encoder, where one is configured: (premise, hypothesis) to three probabilities.

Any sequence classification model trained on natural language inference works (three labels, or two: entailed or not);
which output is which is read from the model's own labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import EmbeddingError


class EntailmentModel:
    """A loaded cross-encoder; call it with pairs."""

    def __init__(self, model: Any, columns: Sequence[int], batch: int) -> None:
        self._model = model
        self._columns = tuple(columns)
        self._batch = batch

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """float32 (len(pairs), 3): how likely the first text entails, leaves open, contradicts the second."""
        if not pairs:
            return np.empty((0, 3), dtype=np.float32)
        logits = np.asarray(
            self._model.predict(
                [list(pair) for pair in pairs],
                batch_size=self._batch,
                show_progress_bar=False,
                convert_to_numpy=True,
                activation_fn=_identity,
            ),
            dtype=np.float64,
        )
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        ordered = np.zeros((len(pairs), 3), dtype=np.float32)
        for place, column in enumerate(self._columns):
            if column >= 0:
                ordered[:, place] = shares[:, column]
        return ordered


def load_entailment(config: Config) -> EntailmentModel:
    """The model of `config.entailment_model`, from its folder or the hub's cache on this computer (from the hub itself
    only where `model_downloads` allows it). Raises EmbeddingError."""
    from sentence_transformers import CrossEncoder

    name = config.entailment_model
    local = Path(name).is_dir() or not config.model_downloads
    try:
        model = CrossEncoder(name, device="cpu", local_files_only=local, token=config.hf_token or False)
    except Exception as error:  # whatever a strange folder, or a hub that is out of reach, provokes
        raise EmbeddingError(
            f"The entailment model '{name}' cannot be loaded ({type(error).__name__}); nothing was checked: name a "
            "folder or hub id of a sequence classification model, or unset entailment_model."
        ) from error
    return EntailmentModel(model, _columns(name, model.model.config.id2label), config.entailment_batch)


def _columns(name: str, labels: dict[int, str]) -> tuple[int, int, int]:
    """Which outputs mean entailment, neutral and contradiction; -1 for one the model does not have."""
    found = {"entail": -1, "neutral": -1, "contradict": -1}
    for number, label in labels.items():
        text = str(label).casefold()
        key = "neutral" if text.startswith(("not_entail", "not entail", "non")) else ""
        key = key or next((each for each in found if each in text), "")
        if key:
            found[key] = int(number)
    if found["entail"] < 0 or len(labels) < 2:
        raise EmbeddingError(
            f"The model '{name}' does not say which of its outputs means entailment (its labels are "
            f"{', '.join(map(str, labels.values()))}); name one that was trained for entailment."
        )
    return found["entail"], found["neutral"], found["contradict"]


def _identity(logits: Any) -> Any:
    return logits
