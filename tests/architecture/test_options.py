"""The command and the function of a question take the same options, with the same defaults."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import goldassay
from goldassay.questions.asking import Columns

SOURCE = Path(goldassay.__file__).parent
#: Every folder of a question, and `simulate`, which is asked in the same way.
QUESTIONS = (*sorted(path.parent.name for path in SOURCE.glob("questions/*/ask.py")), "simulate")
#: What a command does with findings: where they go and how they look.
DELIVERY = {"json", "out", "require", "format", "list", "write_task", "full"}
#: Arguments of a command -> of the function.
CALLED = {"ratings": "source"}


def of_command(verb: str) -> dict[str, Any]:
    """The options of a command by their long names, with their defaults."""
    command = import_module(f"goldassay.cli.{verb}").command
    hints = get_type_hints(command, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(command).parameters.items():
        declared = getattr(hints[name], "__metadata__", (None,))[0]
        words = (getattr(declared, "default", ""), *(getattr(declared, "param_decls", None) or ()))
        flags = [word for word in words if str(word).startswith("--")]
        # "--texts/--no-texts" is the option `texts`.
        plain_flag = flags[0].partition("/")[0].removeprefix("--") if flags else name
        long = plain_flag.replace("-", "_")
        if long not in DELIVERY:
            found[CALLED.get(long, long)] = plain(parameter.default)
    return found


def of_function(verb: str) -> dict[str, Any]:
    parameters = inspect.signature(getattr(goldassay, verb)).parameters
    found = {name: plain(parameter.default) for name, parameter in parameters.items()}
    if "columns" in found:  # any of those that declare what a source holds
        del found["columns"]
        found |= dict.fromkeys(Columns.__annotations__)
    return found


def plain(default: Any) -> Any:
    """A list that is not given is None on the command line and empty in Python."""
    return None if default in ((), [], inspect.Parameter.empty) else default


@pytest.mark.parametrize("verb", QUESTIONS)
def test_the_same_options_and_defaults(verb: str) -> None:
    assert of_function(verb) == of_command(verb)


@pytest.mark.parametrize("verb", QUESTIONS)
def test_options_are_given_by_name(verb: str) -> None:
    parameters = inspect.signature(getattr(goldassay, verb)).parameters
    positional = [p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in positional] in (["source", "task"], ["old", "new"], ["study"])


@pytest.mark.parametrize("verb", QUESTIONS)
def test_a_docstring_says_what_every_option_does(verb: str) -> None:
    function = getattr(goldassay, verb)
    text = inspect.getdoc(function) or ""
    for part in ("Parameters\n", "Returns\n"):
        assert part in text
    for name in inspect.signature(function).parameters:
        assert name in text.split("Parameters\n")[1].split("Returns\n")[0], name
