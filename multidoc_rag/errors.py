"""Errors that are meant for the person at the screen; anything else that is raised is a bug.

MultiDocError                 base: one clear sentence (what happened, what was kept, what to do)
├── DocumentRefused           a file could not be read; nothing of it was indexed
│   └── PasswordNeeded        the file is encrypted and the password is missing or wrong
├── UnknownDocument           a name or id that is not in the collection
├── BadQuestion               an empty or overlong question
├── StoreError                the index store could not be opened, read or written
│   ├── StoreBusy             another process is adding or removing documents
│   └── ModelMismatch         the index was made with another embedding model
├── EmbeddingError            the embedding model could not be loaded or failed
├── WriterError               a language model gave no usable answer
│   ├── WriterUnreachable     no connection, unknown host
│   ├── WriterTimeout         no answer within the time allowed
│   ├── WriterRefused         key, model name or request not accepted: trying again will not help
│   ├── WriterBusy            rate limit or overload (429, 5xx) that retries did not outlast
│   └── WriterCutOff          the stream ended early, or the reply was empty or not to be used
└── MissingExtra              an optional package is not installed; names the install line
"""

from __future__ import annotations


class MultiDocError(Exception):
    """Base of every error that is shown to the user as one sentence."""


class DocumentRefused(MultiDocError):
    """A file could not be read; nothing of it was indexed."""


class PasswordNeeded(DocumentRefused):
    """The file is encrypted and the password is missing or wrong."""


class UnknownDocument(MultiDocError):
    """A document name or id that is not in the collection."""


class BadQuestion(MultiDocError):
    """The question is empty or longer than `Config.question_limit` characters."""


class StoreError(MultiDocError):
    """The index store could not be opened, read or written."""


class StoreBusy(StoreError):
    """Another process is adding or removing documents in this collection."""


class ModelMismatch(StoreError):
    """The collection was embedded with another model than the one configured."""


class EmbeddingError(MultiDocError):
    """The embedding model could not be loaded, or its weights are not the expected ones."""


class WriterError(MultiDocError):
    """A language model gave no usable answer."""


class WriterUnreachable(WriterError):
    """No connection to the language model's server."""


class WriterTimeout(WriterError):
    """The language model did not answer within the time allowed."""


class WriterRefused(WriterError):
    """The server refused the request (key, model name, content); trying again will not help."""


class WriterBusy(WriterError):
    """The server kept answering that it is busy (429 or 5xx)."""


class WriterCutOff(WriterError):
    """The reply ended early, was empty, or could not be used."""


class MissingExtra(MultiDocError):
    """An optional package is not installed."""

    def __init__(self, package: str, purpose: str, install: str) -> None:
        super().__init__(f"{purpose} needs the package '{package}', which is not installed: run `{install}`.")
        self.package = package
