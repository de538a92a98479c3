"""Who each judge is: as declared, by a judges table, by a store of runs, or by another tool's log.

What is not known stays unknown; nothing is guessed from a judge's name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from goldassay.counts import JudgesFile, read_judges
from goldassay.credentials import looks_like_key, names_secret
from goldassay.errors import InputError, UsageError, nearest, shown
from goldassay.judges.identity import stored_identities
from goldassay.passport import FIELDS, Identity
from goldassay.results import Input
from goldassay.sources.importers import read_log
from goldassay.sources.opening import read_bytes, sha256_of
from goldassay.store import is_store_file
from goldassay.words import described, visible

__all__ = ["JudgesSource", "declared_identity", "identities_of", "judges_input", "judges_table"]

#: A file about judges, or who they are: name -> field -> value.
JudgesSource = str | os.PathLike[str] | JudgesFile | Mapping[str, Mapping[str, str]] | None

#: Values that say that nothing is known.
_NOTHING = frozenset({"", "unknown", "n/a", "na", "none", "null", "-", "?"})

#: Fields that are texts for a model, in which any word may stand before a colon.
_PROSE = frozenset({"prompt", "rubric"})


def identities_of(source: Any, judges: JudgesSource = None) -> dict[str, Identity]:
    """Who the judges are by `judges`, and what that does not say by the store they come from."""
    found: dict[str, Identity] = {}
    for path in _paths(source):
        if is_store_file(path):
            found |= stored_identities(path)
    for name, identity in _described(judges).items():
        found[name] = identity.over(found.get(name, Identity()))
    return found


def judges_input(judges: JudgesSource) -> tuple[Input, ...]:
    """The file about judges, for the provenance."""
    if judges is None or isinstance(judges, Mapping):
        return ()
    if isinstance(judges, JudgesFile):
        return (judges.input,)
    table, path = judges_table(judges), os.fspath(judges)
    if table is not None:
        return (table.input,)
    return (Input(Path(path).name, sha256_of(path, "store"), len(stored_identities(path))),)


def declared_identity(said: Mapping[str, str] | Sequence[str], where: str) -> Identity:
    """Fields that the user declares: a mapping, or texts `FIELD=VALUE`; `@FILE` reads a file."""
    if isinstance(said, Mapping):
        pairs = [(str(name), str(value)) for name, value in said.items()]
    else:
        pairs = [_pair(text, where) for text in ([said] if isinstance(said, str) else said)]
    known: dict[str, str] = {}
    for name, value in pairs:
        if name not in FIELDS:
            near = nearest(name, FIELDS)
            raise UsageError(
                where,
                f"has the fields {', '.join(FIELDS)}",
                found=shown(name),
                next_step=f"Did you mean {near!r}?" if near else None,
            )
        if name in known:
            raise UsageError(where, "says each field once", found=f"{name} twice")
        known[name] = value
    return _identity(known, "declared", where)


def _pair(text: str, where: str) -> tuple[str, str]:
    name, sign, value = str(text).partition("=")
    if not sign or not name.strip():
        raise UsageError(
            where, "must be FIELD=VALUE", found=shown(text), next_step="As --identity model=gpt-4o"
        )
    value = value.strip()
    if value.startswith("@"):
        content = read_bytes(value[1:], f"text of {name.strip()}")
        value = content.decode("utf-8", "replace").strip()
    return name.strip(), value


def _described(judges: JudgesSource) -> dict[str, Identity]:
    """Who judges are by what was given about them."""
    if judges is None:
        return {}
    if isinstance(judges, JudgesFile):
        return _of_rows(judges.about, judges.input.name)
    if isinstance(judges, Mapping):
        return _of_rows(judges, "declared")
    table = judges_table(judges)
    return (
        stored_identities(os.fspath(judges))
        if table is None
        else _of_rows(table.about, table.input.name)
    )


def judges_table(judges: JudgesSource) -> JudgesFile | None:
    """A table about judges, or what another tool's log says of them; None for a store of runs."""
    if judges is None or isinstance(judges, JudgesFile):
        return judges
    if isinstance(judges, Mapping):
        return JudgesFile(judges, Input("declared", None, len(judges)))
    path = os.fspath(judges)
    if is_store_file(path):
        return None
    try:
        # First: a log may have columns `judge` and `model`, and mean the judged system's model.
        log = read_log(path)
    except InputError:
        return read_judges(path)
    columns = list(log.judges.columns)
    rows = [dict(zip(columns, row, strict=True)) for row in log.judges.fetchall()]
    told = Input(Path(path).name, sha256_of(path, "log"), len(rows))
    known = [{key: str(one) for key, one in row.items() if one} for row in rows]
    return JudgesFile({row.pop("rater"): row for row in known}, told)


def _of_rows(about: Mapping[str, Mapping[str, Any]], origin: str) -> dict[str, Identity]:
    return {
        str(name): _identity({key: row.get(key) for key in FIELDS}, origin, origin)
        for name, row in about.items()
    }


def _identity(said: Mapping[str, Any], origin: str, where: str) -> Identity:
    """What is known; of long texts the digest. What looks like a key is refused."""
    known = {}
    for name, value in said.items():
        text = "" if value is None else str(value).strip()
        # A prompt may ask about passwords; a setting that is called one is one.
        secret = name not in _PROSE and names_secret(text)
        if secret or looks_like_key(text):
            raise UsageError(
                f"{where}, {name}",
                "seems to hold a key of a provider, which no passport and no report may hold",
                next_step="Leave it out",
            )
        if text.casefold() not in _NOTHING:
            known[name] = visible(described(text))
    return Identity(known, dict.fromkeys(known, visible(origin, 120)))


def _paths(source: Any) -> list[str]:
    if isinstance(source, str | os.PathLike):
        source = [source]
    if not isinstance(source, list | tuple):
        return []
    paths = [os.fspath(one) for one in source if isinstance(one, str | os.PathLike)]
    return [path.partition("::")[0] for path in paths]
