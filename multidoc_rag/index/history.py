"""What people asked and were told: conversations, answers, cached replies, thumbs. Short writes that need no lock."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from multidoc_rag.errors import MultiDocError
from multidoc_rag.index.database import Database
from multidoc_rag.records import Conversation, Turn

TITLE_CHARACTERS = 80


class History:
    """The conversations of one collection; `Store` is one, with the documents beside."""

    _database: Database

    def save_answer(
        self, conversation_id: str | None, question: str, answer: Mapping[str, Any], *, answer_id: str | None = None
    ) -> str:
        """Keeps one answer (the JSON `ask` prints) and returns its conversation's id; None begins a conversation.

        The answer's id is `answer_id`, else `answer["id"]`. Raises MultiDocError for an unknown conversation.
        """
        if conversation_id is not None:
            self.conversation(conversation_id)
        conversation, now = conversation_id or new_id(), timestamp()
        identity = answer_id or str(answer.get("id") or new_id())
        title = " ".join(question.split())
        title = title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1].rstrip() + "…"
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at",
                (conversation, title, now, now),
            )
            connection.execute(
                "INSERT INTO answers (id, conversation, question, answer, asked_at) VALUES (?, ?, ?, ?, ?)",
                (identity, conversation, question, json.dumps(answer, ensure_ascii=False), now),
            )
        return conversation

    def answer(self, answer_id: str) -> dict[str, Any]:
        """One kept answer, the JSON that `ask` prints; raises MultiDocError when there is none with this id."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT answer FROM answers WHERE id = ?", (answer_id,)).fetchone()
        if row is None:
            raise MultiDocError(
                f"There is no answer {answer_id!r} in this collection: `conversations` lists what is kept."
            )
        kept: dict[str, Any] = json.loads(row[0])
        return kept

    def conversations(self) -> tuple[Conversation, ...]:
        """All conversations, the latest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT c.id, c.title, count(a.id), c.updated_at FROM conversations c "
                "LEFT JOIN answers a ON a.conversation = c.id "
                "GROUP BY c.id ORDER BY c.updated_at DESC, max(a.number) DESC"
            ).fetchall()
        return tuple(Conversation(*row) for row in rows)

    def conversation(self, conversation_id: str) -> Conversation:
        """One conversation; raises MultiDocError when there is none with this id."""
        for conversation in self.conversations():
            if conversation.id == conversation_id:
                return conversation
        raise MultiDocError(
            f"There is no conversation {conversation_id!r} in this collection: `conversations` lists what is kept."
        )

    def turns(self, conversation_id: str) -> tuple[Turn, ...]:
        """The questions and answers of one conversation in order; raises MultiDocError when there is none such."""
        self.conversation(conversation_id)
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, question, answer, asked_at FROM answers WHERE conversation = ? ORDER BY number",
                (conversation_id,),
            ).fetchall()
        return tuple(map(_turn, rows))

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        """Gives a conversation another title; raises MultiDocError when there is none with this id."""
        self.conversation(conversation_id)
        with self._database.writing() as connection:
            connection.execute("UPDATE conversations SET title = ? WHERE id = ?", (title.strip(), conversation_id))

    def delete_conversation(self, conversation_id: str) -> None:
        """Removes a conversation with its answers; raises MultiDocError when there is none with this id."""
        self.conversation(conversation_id)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))

    def keep_feedback(self, answer_id: str, value: Literal[-1, 1]) -> None:
        """Keeps a thumb up (1) or down (-1) for an answer, in place of an earlier one; raises MultiDocError."""
        if value not in (-1, 1):
            raise MultiDocError(f"Feedback is 1 or -1, not {value!r}: nothing was kept.")
        self.answer(answer_id)
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO feedback VALUES (?, ?, ?)", (answer_id, value, timestamp()))

    def feedback(self, answer_id: str) -> int:
        """1, -1, or 0 where none was given."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT value FROM feedback WHERE answer = ?", (answer_id,)).fetchone()
        return int(row[0]) if row else 0

    def cached_reply(self, key: str) -> str | None:
        """A language model's reply kept under this key (of model and prompt); None where there is none."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT text FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep_reply(self, key: str, text: str) -> None:
        """Keeps a language model's reply; raises StoreError."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (key, text, timestamp()))


def timestamp() -> str:
    """Now in UTC, ISO 8601, to the microsecond: it also orders."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def new_id() -> str:
    """A new random id, 16 hex digits."""
    return secrets.token_hex(8)


def _turn(row: tuple[str, str, str, str]) -> Turn:
    identity, question, answer, asked_at = row
    return Turn(identity, question, json.loads(answer), asked_at)
