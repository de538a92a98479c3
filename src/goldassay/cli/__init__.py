"""The command `goldassay`: one small module per verb, loaded only when it is called."""

from __future__ import annotations

import codecs
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, TextIO

from goldassay.verbs import VERBS, Verb

__all__ = ["command_line", "main"]


START = """Start with:
  goldassay demo
  goldassay report results.csv --out report.html
  goldassay check results.csv --write-task task.toml"""


_GENERAL = "  --version, --install-completion, --show-completion; --debug shows a traceback"

#: Signs of goldassay's own that a terminal without Unicode shows as these.
_PLAIN = str.maketrans({"─": "-", "━": "=", "●": "o", "·": ".", "…": "...", "–": "-", "≥": ">="})


#: Former options, and what stands for them.
_FORMER = {
    "--labels": "--labels: declare in the task whose labels correct a system: its own do, or with "
    "shared_labels = true those of all systems.",
    "--top": "--top: tau (kendall_tau) says how far orders agree; there is no other number for the "
    "first k systems.",
    "--sums-of-squares": "--sums-of-squares: the analysis of variance has type II; "
    "`goldassay reproduce justrank` has that of the paper, type III.",
}

#: Options that name a file to be written.
_WRITES = frozenset(("--out", "-o", "--list", "--next", "--panel-out", "--sets-out"))

#: Verbs that run no code of the user's: a process of theirs is goldassay's alone.
_ALONE = frozenset(
    (
        *("agree", "select", "audit", "replace", "route", "estimate", "rank", "compare", "plan"),
        *("monitor", "check", "diff", "certify", "report"),
    )
)

#: Where the libraries that NumPy may multiply matrices with look for their number of threads.
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Terminated(BaseException):
    """Somebody asked the process to end (SIGTERM)."""


class _Raised(Exception):  # noqa: N818
    """Carries what the command-line library would answer for itself: its cause is what happened."""


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: see `command_line` for the codes."""
    _steady_streams()
    signal.signal(signal.SIGTERM, _terminated)
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] and arguments[0] in _ALONE:
        # The embedded engine looks for pandas whenever it is given a constant, and to import it
        # costs more than the whole answer; no frame of it ever comes in by a command line.
        sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]
        _one_thread()
    sys.exit(command_line(arguments))


def _one_thread() -> None:
    """Matrices are multiplied by one thread, unless somebody asked for a number of them.

    They are small and many: several threads wait for one another most of the time, which costs
    more than they save, and the more the busier the machine is. NumPy is not imported yet.
    """
    if "OMP_NUM_THREADS" not in os.environ:  # the others would overrule it
        for name in _THREADS:
            os.environ.setdefault(name, "1")


def command_line(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code.

    0 done; 1 a gate not met, 4 inconclusive; 2 wrong usage or input; 3 a fault of goldassay, or
    output lost; 130 and 143 ended by a signal; 141 the reader of the output went away.
    """
    words, debug = _without_debug(arguments)
    try:
        code = _called(words)
    except _Raised as carried:
        code = _told(carried.__cause__ or carried, words, debug)
    except BaseException as error:
        code = _told(error, words, debug)
    try:
        sys.stdout.flush()
    except OSError as error:  # the last words did not arrive: nothing else went right either
        code = _told(error, words, debug)
    return code


def _without_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """The arguments without `--debug`, which stands before or after the verb."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    kept = [word for word in arguments[:end] if word != "--debug"]
    return [*kept, *arguments[end:]], len(kept) < end


def _called(arguments: Sequence[str]) -> int:
    completing = "_GOLDASSAY_COMPLETE" in os.environ
    if not completing and (not arguments or arguments[0] in ("-h", "--help", "help")):
        print(_help())
        return 0
    if list(arguments[:1]) == ["--version"]:
        from goldassay import __version__

        print(f"goldassay {__version__}")
        return 0
    _check_outputs(arguments)
    app = _loaded(arguments)
    outcome = app(args=list(arguments), prog_name="goldassay", standalone_mode=False)
    return outcome if isinstance(outcome, int) else 0


def _check_outputs(arguments: Sequence[str]) -> None:
    """Refuse to write over a file that is read: what people rated is not to be had again."""
    read: set[Path | None] = set()
    written = []
    words = iter(arguments)
    for word in words:
        option, given, value = word.partition("=")
        if option in _WRITES:
            written.append(value if given else next(words, ""))
        elif not word.startswith("-"):
            read.add(_file(word))
    for path in written:
        if _file(path) in read - {None}:
            from goldassay.errors import UsageError

            raise UsageError(path, "is read by this command", next_step="Write to another file")


def _file(word: str) -> Path | None:
    """The file that a word names; None where it names none, or cannot."""
    with suppress(OSError, ValueError):  # too long, or with a sign that no name has
        return Path(word).resolve() if Path(word).is_file() else None
    return None


def _told(error: BaseException, words: Sequence[str], debug: bool) -> int:
    """Say in one line what ended the command, and return its exit code."""
    from goldassay.errors import GoldassayError

    if isinstance(error, BrokenPipeError):
        _abandon_output()
        return 141
    if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
        _abandon_output()  # while the library printed help
        return 141
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    if isinstance(error, KeyboardInterrupt):
        _say("interrupted")
        return 130
    if isinstance(error, Terminated):
        _say("terminated")
        return 143
    if isinstance(error, GoldassayError):
        as_command = getattr(error, "as_command", None)  # a question, with the command to answer it
        _say(as_command(words) if as_command else str(error))
        return error.exit_code
    if (former := _FORMER.get(getattr(error, "option_name", ""))) is not None:
        _say(former)
        return 2
    if show := getattr(error, "show", None):  # the usage errors of the command-line library
        show()
        return int(getattr(error, "exit_code", 2))
    if debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, OSError) and error.filename is None and _is_lost(error):
        _abandon_output()
        _say(f"standard output: output was lost ({error.strerror}).")
    else:
        _say(_report_this(error, debug))
    return 3


def _is_lost(error: OSError) -> bool:
    from goldassay.sources.writing import LOST

    return error.errno in LOST


def _report_this(error: BaseException, debug: bool) -> str:
    """The last resort: what nobody foresaw, where it happened, and what to do."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    from goldassay.errors import Fault

    step = "Please" if debug else "Run the same command with --debug, and"
    return (
        f"{Fault.of(error)}. {step} report the lines it prints to the project, without data you "
        "may not share."
    )


def _say(text: str) -> None:
    """One line on stderr, whatever is in it; a stderr that is gone changes nothing."""
    from goldassay.words import visible

    with suppress(OSError, ValueError):
        print(f"goldassay: {' '.join(visible(text).split())}", file=sys.stderr, flush=True)


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


# --- the streams ----------------------------------------------------------------------------------


def _steady_streams() -> None:
    """Standard streams that take every character, and of which none is missing.

    A closed stream is taken by a descriptor that refuses to be written to: else the next file to be
    opened would get its number, and whatever is printed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    codecs.register_error("goldassay", _replaced)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        _take_every_character(stream)


def _take_every_character(stream: TextIO) -> None:
    if configure := getattr(stream, "reconfigure", None):
        configure(errors="goldassay")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """A sign that the terminal cannot show: its plain form, or its number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(_PLAIN)
    return found.encode("ascii", "backslashreplace").decode(), error.end


def _abandon_output() -> None:
    """Nobody reads on: what is still buffered must not fail again when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --- the verbs ------------------------------------------------------------------------------------


def _help() -> str:
    """The first screen: the verbs, grouped by the question they answer."""
    lines = [
        "goldassay: how much gold is in an LLM judge, and what may be reported with it.",
        "Usage: goldassay VERB ...   goldassay VERB --help shows its options and examples",
    ]
    for panel in dict.fromkeys(verb.panel for verb in VERBS):
        lines += ["", panel]
        lines += [f"  {v.name:<10} {v.help}" for v in _present() if v.panel == panel]
    return "\n".join([*lines, "", START, _GENERAL])


def _present() -> list[Verb]:
    return [verb for verb in VERBS if find_spec(f"goldassay.cli.{verb.module}") is not None]


def _loaded(arguments: Sequence[str]) -> Any:
    """The application, loaded while nobody looks for garbage.

    What is imported stays until the process ends: to go through it over and over costs a tenth of
    a small table's answer.
    """
    gc.disable()
    try:
        return _app(arguments)
    finally:
        gc.freeze()
        gc.enable()


def _app(arguments: Sequence[str]) -> Any:
    import typer

    from goldassay.cli.helping import Verb as OneVerb

    app = typer.Typer(
        name="goldassay",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    everything = "_GOLDASSAY_COMPLETE" in os.environ
    for verb in _present():
        real = everything or verb.name == wanted
        command = _bare(
            import_module(f"goldassay.cli.{verb.module}").command if real else _stub(verb)
        )
        # A verb's own docstring is its long help; the list shows the question it answers.
        app.command(verb.name, cls=OneVerb, short_help=verb.help)(command)
    return app


def _bare(command: Callable[..., None]) -> Callable[..., None]:
    """The command, whose faults come out as they are: the library has answers of its own to them.

    It exits 1 on a closed pipe and ends the line on an interrupt.
    """

    @wraps(command)
    def called(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except (OSError, EOFError, KeyboardInterrupt) as error:
            raise _Raised from error

    return called


def _stub(verb: Verb) -> Callable[[], None]:
    def stub() -> None: ...

    stub.__doc__ = verb.help
    return stub


def _root() -> None:
    """How much gold is in an LLM judge, and what may honestly be reported with it."""
