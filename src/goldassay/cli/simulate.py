"""`goldassay simulate`: ratings with known truth."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.common import SeedOption
from goldassay.cli.stages import stages
from goldassay.lab.simulate.ask import simulate
from goldassay.questions.asking import SEED
from goldassay.words import counted

__all__ = ["command"]


def command(
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Folder to write.")],
    study: Annotated[
        str | None, typer.Option("--study", metavar="TOML", help="Declared truths.")
    ] = None,
    prompts: Annotated[int, typer.Option(min=1, help="Number of prompts.")] = 200,
    response_sets: Annotated[
        bool, typer.Option("--response-sets", help="The rating model with response sets.")
    ] = False,
    options: Annotated[
        str, typer.Option(help="Options of --response-sets, separated by commas.")
    ] = "Yes,No",
    seed: SeedOption = SEED,
) -> None:
    """Draw ratings from declared truths: ratings.csv, task.toml, items.jsonl and truth.json.

    A study file declares systems with their true rates, judges with sensitivity and specificity
    (also by system), people and their errors, clusters, abstention, invalid answers, and the shift
    between the labelled and the unlabelled part.

    Examples:

        goldassay simulate --out study --prompts 300

        goldassay simulate --out study --study study.toml --seed 7

        goldassay simulate --out sets --response-sets --options Yes,Maybe,No
    """
    with stages("simulate"):
        drawn = simulate(
            study, prompts=prompts, response_sets=response_sets, options=options, seed=seed
        )
        folder = drawn.save(out)
    ratings, items = counted(len(drawn.rows), "rating"), counted(len(drawn.items), "item")
    print(f"{ratings} of {items} in {folder}/ratings.csv")
    print(f"Next: goldassay agree {folder}/ratings.csv --task {folder}/task.toml")
