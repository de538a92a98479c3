"""Declarations: TOML files that a person writes, or that are written for one."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goldassay.errors import InputError
from goldassay.sources.opening import read_bytes

__all__ = ["dotted", "lines_to_add", "read_inline", "read_toml", "toml_text"]


def read_toml(
    path: str | Path, *, called: str, wrong: type[InputError], next_step: str | None = None
) -> dict[str, Any]:
    """What a TOML file says. A file that says nothing readable is `wrong`.

    `called` is what the file is to people ("task file"), `next_step` what to do when it cannot be
    read.
    """
    place = str(path)
    content = read_bytes(path, called, next_step=next_step)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise wrong(place, f"a {called} is UTF-8", found=f"a wrong byte at {error.start}") from None
    except RecursionError:
        raise wrong(place, "is not valid TOML (nested too deeply)") from None
    except ValueError as error:  # not TOML, or a number with thousands of digits
        digits = "a number has too many digits" if "digits" in str(error) else str(error)
        raise wrong(place, f"is not valid TOML ({digits})") from None


def toml_text(values: Mapping[str, Any]) -> str:
    """A declaration as TOML: single keys first, then tables of one level.

    TOML's basic strings and lists are written as JSON's are.
    """
    lines: list[str] = []
    tables: list[str] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            tables.append(f"\n[{key}]")
            tables += [
                f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items() if v not in ([], None)
            ]
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines + tables) + "\n"


def read_inline(text: str, *, called: str, wrong: type[InputError]) -> dict[str, Any]:
    """What a text says that is no file: keys with dots, and commas between them.

    >>> read_inline('columns.item = "id", scale = "binary"', called="task", wrong=InputError)
    {'columns': {'item': 'id'}, 'scale': 'binary'}
    """
    try:
        said: dict[str, Any] = tomllib.loads(f"said = {{ {text} }}")["said"]
    except (ValueError, RecursionError):
        raise wrong(
            text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…",
            f"is neither a file nor part of a {called}",
            next_step='Write it as columns.item = "id", scale = "binary", in quotes',
        ) from None
    return said


#: How much of a text that cannot be read is shown.
_LONGEST = 80


def dotted(values: Mapping[str, Any]) -> list[str]:
    """A declaration as single lines, each of which may stand alone: keys with dots.

    >>> dotted({"columns": {"item": "id"}, "cells": {"a b": {"kind": "judge"}}})
    ['columns.item = "id"', 'cells."a b".kind = "judge"']
    """
    lines = []
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            lines += [f"{_bare(key)}.{line}" for line in dotted(value)]
        else:
            lines.append(f"{_bare(key)} = {_inline(value)}")
    return lines


def lines_to_add(text: str, values: Mapping[str, Any]) -> dict[str, list[str]]:
    """Lines that add a declaration to a TOML text, by the table under whose name they stand: it is
    written once, and what it holds cannot be said before it. Those of "" stand above all tables.

    >>> lines_to_add("[columns]\\nitem = 'id'", {"columns": {"rater": "who"}, "scale": "binary"})
    {'columns': ['rater = "who"'], '': ['scale = "binary"']}
    """
    lines: dict[str, list[str]] = {}
    for key, value in values.items():
        head = rf"(?m)^[ \t]*\[[ \t]*{re.escape(_bare(key))}[ \t]*\]"
        if isinstance(value, Mapping) and value and re.search(head, text):
            lines.setdefault(key, []).extend(dotted(value))
        else:
            lines.setdefault("", []).extend(dotted({key: value}))
    return lines


def _bare(key: str) -> str:
    """A key, in quotes where it needs them."""
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isascii() and plain.isalnum() else json.dumps(key, ensure_ascii=False)


def _inline(value: Any) -> str:
    """A value of a table, tables in one line."""
    if isinstance(value, Mapping):
        cells = [f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items() if v is not None]
        return "{ " + ", ".join(cells) + " }"
    return json.dumps(value, ensure_ascii=False)
