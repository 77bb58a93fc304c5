"""The command line: `python -m multidoc_rag COMMAND ...`. It translates calls and events, and decides nothing.

`--json` prints one JSON document on standard output and nothing else there. Exit 0: done; 1: nothing could be done;
2: wrong usage. Errors go to standard error, one line.
"""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Sequence

import typer
from typer.exceptions import TyperException

from multidoc_rag.commands import checking_commands, library_commands, question_commands
from multidoc_rag.errors import MultiDocError

app = typer.Typer(
    name="multidoc_rag",
    help="Ask questions across your documents and read answers with their evidence.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
)

COMMANDS: dict[str, Callable[..., None]] = {
    "add": library_commands.add,
    "list": library_commands.list_documents,
    "remove": library_commands.remove,
    "doctor": library_commands.doctor,
    "reembed": library_commands.reembed,
    "search": question_commands.search,
    "route": question_commands.route,
    "prompt": question_commands.prompt,
    "ask": question_commands.ask,
    "conflicts": checking_commands.conflicts,
    "check": checking_commands.check,
    "conversations": question_commands.conversations,
}
for name, command in COMMANDS.items():
    app.command(name)(command)

INTERRUPTED = 130
"""What typer returns after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    logging.basicConfig(level=logging.ERROR, format="%(message)s", stream=sys.stderr)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # whatever the terminal's encoding: JSON is UTF-8, and a file name's stray byte is written as \udcff
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        outcome = app(
            args=None if arguments is None else list(arguments),
            standalone_mode=False,
            prog_name="python -m multidoc_rag",
        )
        if outcome == INTERRUPTED:
            raise KeyboardInterrupt
        return outcome if isinstance(outcome, int) else 0
    except typer.Exit as stop:
        return stop.exit_code
    except TyperException as error:
        # wrong usage: a line that says so; the bare program name gets its help
        message = getattr(error, "format_message", error.__str__)()
        wanted_help = message.startswith("Usage:")
        print(message if wanted_help else f"usage error: {' '.join(message.split())}", file=sys.stderr)
        return 2
    except MultiDocError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        print("Stopped; what was finished is kept.", file=sys.stderr)
        return 1
