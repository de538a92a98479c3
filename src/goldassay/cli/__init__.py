"""The command `goldassay`: one small module per verb, loaded only when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from goldassay.verbs import VERBS, Verb

__all__ = ["command_line", "main"]


START = """Start with:
  goldassay demo
  goldassay check ratings.csv --write-task task.toml
  goldassay agree ratings.csv --task task.toml"""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; exits 0 done, 1 a gate not met, 2 wrong usage or input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    sys.exit(command_line(arguments))


def command_line(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    from goldassay.errors import GoldassayError

    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_help())
        return 0
    if arguments[0] == "--version":
        from goldassay import __version__

        print(f"goldassay {__version__}")
        return 0
    try:
        outcome = _app(arguments)(
            args=list(arguments), prog_name="goldassay", standalone_mode=False
        )
        return outcome if isinstance(outcome, int) else 0
    except GoldassayError as error:
        print(f"goldassay: {_one_line(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("goldassay: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        show = getattr(error, "show", None)  # the usage errors of the command-line library
        if show is None:
            raise
        show()
        return int(getattr(error, "exit_code", 2))


def _help() -> str:
    """The first screen: the verbs, grouped by the question they answer."""
    lines = [
        "goldassay: how much gold is in an LLM judge, and what may honestly be reported with it.",
        "",
        "Usage: goldassay VERB ...      goldassay VERB --help shows a verb's options and examples",
    ]
    for panel in dict.fromkeys(verb.panel for verb in VERBS):
        lines += ["", panel]
        lines += [f"  {v.name:<10} {v.help}" for v in _present() if v.panel == panel]
    return "\n".join(
        [*lines, "", START, "", "  --version, --install-completion, --show-completion"]
    )


def _present() -> list[Verb]:
    return [verb for verb in VERBS if find_spec(f"goldassay.cli.{verb.module}") is not None]


def _app(arguments: Sequence[str]) -> Any:
    import typer

    app = typer.Typer(
        name="goldassay",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    everything = "_GOLDASSAY_COMPLETE" in os.environ
    for verb in _present():
        real = everything or verb.name == wanted
        command = import_module(f"goldassay.cli.{verb.module}").command if real else _stub(verb)
        # A verb's own docstring is its long help; the list shows the question it answers.
        app.command(verb.name, short_help=verb.help)(command)
    return app


def _stub(verb: Verb) -> Callable[[], None]:
    def stub() -> None: ...

    stub.__doc__ = verb.help
    return stub


def _root() -> None:
    """How much gold is in an LLM judge, and what may honestly be reported with it."""


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
