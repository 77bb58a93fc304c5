"""A transformers model in this process: chat models, and Seq2Seq ones such as google/flan-t5-large (the paper's)."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from multidoc_rag.config import Config
from multidoc_rag.errors import MissingExtra, WriterCutOff, WriterError, WriterRefused
from multidoc_rag.records import Message
from multidoc_rag.writers.replies import Ending, Piece, Reply, Source, WithoutThoughts

logger = logging.getLogger(__name__)

SEED = 0
"""Sampling starts from it in every reply, so that the same prompt gets the same answer."""


class LocalWriter:
    """Writes with the model in a folder, or with one of the Hugging Face cache (never downloaded from here).

    The folder is looked at now, the weights are loaded with the first reply and then kept, one copy for the
    whole process. One reply is generated at a time. Raises WriterRefused where there is no model.
    """

    def __init__(self, path: str, config: Config) -> None:
        self._config = config
        self._folder = _model_folder(path)
        self._settings = _json(self._folder / "config.json")
        self.name = f"local:{self._folder.name if Path(path).expanduser().exists() else path}"

    def __repr__(self) -> str:
        return f"LocalWriter({self.name})"

    @property
    def context_tokens(self) -> int:
        """The model's own limit (of prompt and reply together; of the prompt for Seq2Seq), else the config's."""
        text = self._settings.get("text_config", {})
        told = [
            holder.get(key)
            for holder in (self._settings, text)
            for key in ("max_position_embeddings", "n_positions", "n_ctx", "max_source_positions")
        ]
        tokenizer = self._folder / "tokenizer_config.json"
        told.append(_json(tokenizer).get("model_max_length") if tokenizer.exists() else None)
        # Tokenizers without a limit say so with a number of thirty digits.
        return min((n for n in told if isinstance(n, int) and 0 < n < 10**8), default=self._config.context_tokens)

    def stream(self, messages: Sequence[Message], *, temperature: float, max_tokens: int) -> Reply:
        """The reply as it is generated; iterating raises WriterError. Closing it ends the generation."""

        def write(ending: Ending) -> Iterator[str]:
            return self._write(ending, tuple(messages), temperature, max_tokens)

        return Reply(write)

    def _write(
        self, ending: Ending, messages: tuple[Message, ...], temperature: float, max_tokens: int
    ) -> Iterator[str]:
        started, finished, thoughts = False, "", WithoutThoughts()
        source = Source(lambda source: self._generate(source, messages, temperature, max_tokens))
        ending.when_closed(source.stop)
        deadline = time.monotonic() + self._config.answer_seconds
        # Loading and reading the prompt may take long; the time for the whole answer bounds them.
        limits = {"first": self._config.answer_seconds, "between": self._config.request_seconds}
        for piece in source.pieces(f"The model {self.name}", deadline=deadline, **limits):
            finished = finished or piece.finish_reason
            shown = thoughts.feed(piece.text)
            started = started or bool(shown.strip())
            yield shown if started else ""
        if ending.closed.is_set():
            return
        if rest := thoughts.finish().strip():
            started = True
            yield rest
        if not started:
            why = "used up its tokens thinking: raise max_tokens" if thoughts.thinking else "wrote an empty answer"
            raise WriterCutOff(f"The model {self.name} {why}, or choose another model.")
        ending.finish(finished)

    def _generate(self, source: Source, messages: tuple[Message, ...], temperature: float, max_tokens: int) -> None:
        """Load, generate and emit; runs in the source's thread."""
        try:
            loaded = _load(self._folder)
            with loaded.lock:
                if not source.stopped.is_set():
                    loaded.generate(source, messages, temperature, max_tokens, self.context_tokens, self.name)
        except WriterError:
            raise
        except ImportError as error:
            missing = MissingExtra(error.name or "transformers", "A local language model", _INSTALL)
            raise WriterRefused(str(missing)) from error
        except MemoryError as error:
            raise WriterRefused(f"{self.name} does not fit into memory: choose a smaller model.") from error
        except (RuntimeError, ValueError, IndexError) as error:
            memory = "out of memory" in str(error).lower() or "can't allocate" in str(error).lower()
            what = "does not fit into memory" if memory else f"failed ({_first_line(error)})"
            raise WriterRefused(f"{self.name} {what}: choose a smaller or another model.") from error


_INSTALL = "pip install -r requirements.txt"


class _Loaded:
    """Tokenizer and weights of one folder."""

    def __init__(self, folder: Path) -> None:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

        settings = AutoConfig.from_pretrained(folder, local_files_only=True)
        self.seq2seq = bool(settings.is_encoder_decoder)
        kind = AutoModelForSeq2SeqLM if self.seq2seq else AutoModelForCausalLM
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        # Only safetensors: the older format runs code found in the file.
        self.model: Any = kind.from_pretrained(folder, local_files_only=True, use_safetensors=True, dtype="auto")
        self.model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        self.lock = threading.Lock()

    def prompt(self, messages: Sequence[Message]) -> Any:
        """Token ids and mask of the messages, as this model wants them."""
        chat = [{"role": message.role, "content": message.content} for message in messages]
        if self.seq2seq:
            return self.tokenizer("\n\n".join(message.content for message in messages), return_tensors="pt")
        if not self.tokenizer.chat_template:
            lines = [f"{message.role.capitalize()}: {message.content}" for message in messages]
            return self.tokenizer("\n\n".join([*lines, "Assistant:"]), return_tensors="pt")
        from jinja2 import TemplateError

        form = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True}
        try:
            return self.tokenizer.apply_chat_template(chat, **form)
        except TemplateError:
            # Some templates know no system role: its text goes in front of the first question.
            system = "\n\n".join(item["content"] for item in chat if item["role"] == "system")
            rest = [dict(item) for item in chat if item["role"] != "system"]
            if rest:
                rest[0]["content"] = f"{system}\n\n{rest[0]['content']}".strip()
            return self.tokenizer.apply_chat_template(rest, **form)

    def generate(
        self,
        source: Source,
        messages: Sequence[Message],
        temperature: float,
        max_tokens: int,
        context_tokens: int,
        name: str,
    ) -> None:
        """Emit the reply piece by piece; raises WriterRefused for a prompt longer than the model reads."""
        import torch
        from transformers import StoppingCriteria, StoppingCriteriaList, TextStreamer

        class Emitter(TextStreamer):  # type: ignore[misc]
            def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
                source.emit(Piece(text))

        class Stopped(StoppingCriteria):  # type: ignore[misc]
            def __call__(self, ids: Any, scores: Any, **_: Any) -> Any:
                return torch.full((ids.shape[0],), source.stopped.is_set(), dtype=torch.bool, device=ids.device)

        inputs = self.prompt(messages).to(self.model.device)
        length = int(inputs["input_ids"].shape[1])
        room = context_tokens - (0 if self.seq2seq else length)
        if length > context_tokens or room < 1:
            raise WriterRefused(
                f"The question with its passages is {length} tokens and {name} reads {context_tokens}: choose "
                "fewer documents or a model with a longer context."
            )
        sampling = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
        fed = {key: inputs[key] for key in ("input_ids", "attention_mask") if key in inputs}
        with torch.inference_mode(), torch.random.fork_rng():
            torch.manual_seed(SEED)
            output = self.model.generate(
                **fed,
                **sampling,
                max_new_tokens=min(max_tokens, room),
                streamer=Emitter(self.tokenizer, skip_prompt=True, skip_special_tokens=True),
                stopping_criteria=StoppingCriteriaList([Stopped()]),
                pad_token_id=self.tokenizer.pad_token_id or self.tokenizer.eos_token_id,
            )
        ends = self.model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        source.emit(Piece("", "stop" if int(output[0, -1]) in ends else "length"))


_loading = threading.Lock()


def _load(folder: Path) -> _Loaded:
    """The model of the folder, loaded once; raises WriterRefused where files are missing or damaged."""
    with _loading:
        return _load_once(folder)


@lru_cache(maxsize=1)
def _load_once(folder: Path) -> _Loaded:
    from safetensors import SafetensorError

    try:
        return _Loaded(folder)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise WriterRefused(
            f"The model in {folder} could not be loaded ({_first_line(error)}): it needs config.json, a tokenizer "
            "and model.safetensors, all whole."
        ) from error


def _model_folder(path: str) -> Path:
    """The folder with config.json that `path` names: a folder, or a model id in the Hugging Face cache."""
    folder = Path(path).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise WriterRefused(
                f"{folder} is not a model's folder: it has no config.json; give the folder with config.json, "
                "the tokenizer and model.safetensors."
            )
        return folder.resolve()
    if folder.exists():
        raise WriterRefused(f"{folder} is a file: give the folder of a transformers model (GGUF files want a server).")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(path, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError) as error:
        raise WriterRefused(
            f"'{path}' is neither a folder nor a model downloaded before: check it, or run `hf download {path}`."
        ) from error


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WriterRefused(f"{path} cannot be read ({_first_line(error)}): get the model again.") from error
    if not isinstance(content, dict):
        raise WriterRefused(f"{path} does not describe a model: get the model again.")
    return content


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
