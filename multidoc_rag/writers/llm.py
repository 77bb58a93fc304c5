"""Language models behind one small door: `open_writer("hf:..." | "openai:..." | "local:...", config)`.

Each writer offers `.name`, `.context_tokens` and `.stream(messages, temperature=..., max_tokens=...)`, which
returns a `Reply` (replies.py). The quotes-only writer needs no model and is not opened here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from multidoc_rag.config import Config
from multidoc_rag.errors import WriterRefused
from multidoc_rag.records import LLM, Message
from multidoc_rag.writers.replies import Ending, Reply

SPEC_FORMS = "quotes, hf:MODEL, hf:MODEL:PROVIDER, hf:https://ENDPOINT, openai:URL#MODEL, openai:URL or local:FOLDER"


def open_writer(spec: str, config: Config) -> LLM:
    """The writer that `spec` names.

    `hf:MODEL[:PROVIDER]` Hugging Face's inference providers, `hf:https://...` an endpoint of one's own there;
    `openai:URL#MODEL` any OpenAI-compatible server (Ollama, vLLM, llama.cpp, LM Studio), without `#MODEL` the
    first model it lists (asked now; `.notice` says which); `local:FOLDER` a transformers model on this machine.

    Raises WriterRefused for a spec of no known form or a folder without a model, and WriterUnreachable (or
    another WriterError) where the server has to be asked for its models and does not answer.
    """
    kind, colon, rest = spec.strip().partition(":")
    if colon and rest.strip():
        if kind == "hf":
            from multidoc_rag.writers.served_llm import HubWriter

            return HubWriter(rest.strip(), config)
        if kind == "openai":
            from multidoc_rag.writers.served_llm import OpenAIWriter

            return OpenAIWriter(rest.strip(), config)
        if kind == "local":
            from multidoc_rag.writers.local_llm import LocalWriter

            return LocalWriter(rest.strip(), config)
    raise WriterRefused(f"'{spec}' does not name a language model: use one of {SPEC_FORMS}.")


def list_models(url: str, config: Config) -> tuple[str, ...]:
    """Names of the models an OpenAI-compatible server offers (GET /v1/models), in its order.

    Raises WriterUnreachable, WriterTimeout, WriterRefused or WriterBusy, each saying what to do.
    """
    from multidoc_rag.writers.model_servers import served_models

    return tuple(model.name for model in served_models(url, config))


@dataclass(frozen=True, slots=True)
class ModelSuggestion:
    """A model worth offering in the settings: its spec, a line about it, what it needs."""

    spec: str
    title: str
    needs: str


def known_models() -> tuple[ModelSuggestion, ...]:
    """Suggestions for the settings page; asks nobody."""
    hosted = "A Hugging Face token (HF_TOKEN) and credits; questions and passages leave this machine."
    return (
        ModelSuggestion("quotes", "Verbatim quotes, no language model", "Nothing."),
        ModelSuggestion("hf:openai/gpt-oss-20b", "gpt-oss 20B, hosted by Hugging Face's providers", hosted),
        ModelSuggestion("hf:Qwen/Qwen2.5-7B-Instruct", "Qwen 2.5 7B, hosted by Hugging Face's providers", hosted),
        ModelSuggestion("openai:http://127.0.0.1:11434", "A model served by Ollama here", "Ollama running."),
        ModelSuggestion("openai:http://127.0.0.1:8000", "A model served by vLLM or llama.cpp here", "The server."),
        ModelSuggestion("local:google/flan-t5-large", "FLAN-T5 large, run in this program", "3 GB, downloaded before."),
    )


class ScriptedLLM:
    """A writer that answers from a queue: for tests and demonstrations, never a real model.

    A reply is a string, a sequence of pieces (an exception among them is raised there, in mid-stream) or an
    exception to raise before the first piece. `asked` keeps the messages of each request, oldest first.
    """

    def __init__(
        self,
        replies: Iterable[str | BaseException | Sequence[str | BaseException]] = (),
        *,
        name: str = "scripted",
        context_tokens: int = 8192,
        finish_reason: str = "stop",
    ) -> None:
        self.name = name
        self.context_tokens = context_tokens
        self.finish_reason = finish_reason
        self.asked: list[tuple[Message, ...]] = []
        self._replies = deque(replies)

    def stream(self, messages: Sequence[Message], *, temperature: float, max_tokens: int) -> Reply:
        """The next reply of the queue; raises AssertionError at once when there is none left."""
        self.asked.append(tuple(messages))
        if not self._replies:
            raise AssertionError(
                f"{self.name} was asked {len(self.asked)} times but has no reply left; the last message was: "
                f"{messages[-1].content[:200] if messages else '(no message)'}"
            )
        reply = self._replies.popleft()
        pieces = (reply,) if isinstance(reply, str | BaseException) else tuple(reply)

        def write(ending: Ending) -> Iterator[str]:
            for piece in pieces:
                if isinstance(piece, BaseException):
                    raise piece
                if ending.closed.is_set():
                    return
                yield piece
            ending.finish(self.finish_reason)

        return Reply(write)

    def __repr__(self) -> str:
        return f"ScriptedLLM({len(self._replies)} replies left)"
