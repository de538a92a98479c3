"""What is public says what it is, takes and gives, and shows it in an example that runs.

The examples themselves are doctests. The questions and the metrics estimate something: they say
under which assumptions (Notes), and after whom (References).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import goldassay
from goldassay import metrics

#: Functions that read or draw: nothing is estimated.
READERS = {"check", "read_log", "read_ratings", "read_study", "read_task", "simulate"}
PUBLIC = {
    name: getattr(goldassay, name)
    for name in goldassay.__all__
    if name not in ("__version__", "metrics")
} | {f"metrics.{name}": getattr(metrics, name) for name in metrics.__all__}
FUNCTIONS = {name: one for name, one in PUBLIC.items() if inspect.isfunction(one)}
CLASSES = {name: one for name, one in PUBLIC.items() if inspect.isclass(one)}


def lacking(name: str, function: Callable[..., Any]) -> list[str]:
    """What the docstring of a function does not have."""
    text = inspect.getdoc(function) or ""
    first, *_ = text.split("\n\n")
    parts = dict(zip(*[iter(re.split(r"^(\w+)\n-+$", text, flags=re.M)[1:])] * 2, strict=True))
    wanted = ["Parameters", "Returns", "Examples"]
    wanted += [] if name in READERS else ["Notes", "References"]
    wrong = [part for part in wanted if not parts.get(part, "").strip()]
    # A name alone on its line, or several with commas.
    listed = re.findall(r"^[\w, ]+$", parts.get("Parameters", ""), flags=re.M)
    named = {word for line in listed for word in re.findall(r"\w+", line)}
    wrong += [one for one in inspect.signature(function).parameters if one not in named]
    wrong += [] if first.endswith(".") else ["a first sentence"]
    return wrong + ([] if ">>> " in parts.get("Examples", "") else ["an example"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_everything(name: str) -> None:
    assert not lacking(name, FUNCTIONS[name])


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_shows_itself(name: str) -> None:
    text = inspect.getdoc(CLASSES[name]) or ""
    assert text.split("\n")[0].endswith((".", ":"))
    assert ">>> " in text or issubclass(CLASSES[name], Exception)


def test_what_is_missing_is_found() -> None:
    def share(hits: int, *, of: int) -> float:
        """The share.

        Parameters
        ----------
        hits
            How many.

        Examples
        --------
        None yet.
        """
        return hits / of

    assert lacking("share", share) == ["Returns", "Notes", "References", "of", "an example"]


def test_tab_shows_what_is_public() -> None:
    """Modules that happen to be loaded are private: they stay reachable, and are not listed."""
    from goldassay.questions.agree import study  # noqa: F401

    assert dir(goldassay) == sorted(goldassay.__all__)
    assert dir(metrics) == sorted(metrics.__all__)
    assert not [name for name in dir(goldassay) if name.startswith("_") and name != "__version__"]
