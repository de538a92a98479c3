"""`goldassay demo`: a simulated study with known truth, through the ten questions."""

from __future__ import annotations

from textwrap import fill
from typing import Annotated

import typer

from goldassay.cli.common import SeedOption
from goldassay.cli.screen import screen_width
from goldassay.cli.stages import stages
from goldassay.questions.asking import SEED
from goldassay.words import counted

__all__ = ["command"]


def command(
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Folder to write.")] = (
        "goldassay-demo"
    ),
    seed: SeedOption = SEED,
) -> None:
    """A simulated study, taken through the ten questions, and what is true beside what is found.

    Writes DIR/ratings.csv, task.toml, items.jsonl, truth.json, weeks.csv, results/VERB.json and
    report.html.

    Examples:

        goldassay demo

        goldassay demo --out /tmp/study --seed 7
    """
    from goldassay.lab.demo import demo

    with stages("demo"):
        made = demo(out, seed=seed)
    print(f"Simulated {counted(len(made.drawn.rows), 'rating')} with known truth in {out}/")
    print()
    said = made.compared()
    said += [(one["verb"], f"was not asked: {one['reason']}") for one in made.report["not_run"]]
    for verb, text in said:
        first, after = f"  {verb:<9} ", " " * 12
        print(fill(text, screen_width(), initial_indent=first, subsequent_indent=after))
    print()
    print(f"Read {out}/report.html, or ask one question yourself:")
    print(f"  goldassay agree {made.ratings} --task {made.task}")
