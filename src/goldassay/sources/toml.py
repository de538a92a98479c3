"""Declarations: TOML files that a person writes, or that are written for one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goldassay.errors import InputError
from goldassay.sources.opening import read_bytes

__all__ = ["read_toml", "toml_text"]


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


def _inline(value: Any) -> str:
    """A value of a table, tables in one line."""
    if isinstance(value, Mapping):
        cells = [f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items() if v is not None]
        return "{ " + ", ".join(cells) + " }"
    return json.dumps(value, ensure_ascii=False)
