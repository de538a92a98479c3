"""`karat import`: other tools' files to a ratings table."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["command"]


def command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="See --list.")] = None,
    path: Annotated[str | None, typer.Argument(metavar="PATH", help="The file or folder.")] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Write .parquet or .csv.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="What can be imported.")] = False,
) -> None:
    """Other tools' files to a ratings table (or to gold for `karat rank`).

    Examples:

        karat import --list

        karat import justrank justrank_judge_scores/ --out ratings.parquet

        karat import arena-battles clean_battle_20240814_public.json --out gold.csv
    """
    from karat.errors import UsageError
    from karat.sources.importers import IMPORTERS, import_table

    if listing or name is None:
        width = max(len(one) for one in IMPORTERS)
        for one, known in IMPORTERS.items():
            print(f"{one:<{width}}  {known.reads} -> {known.gives}")
        return
    if path is None or out is None:
        raise UsageError(
            "karat import", "needs a file and where to write",
            next_step=f"karat import {name} PATH --out ratings.parquet",
        )  # fmt: skip
    rows = import_table(name, path, out)
    print(f"{rows:,} rows written: {out}")
