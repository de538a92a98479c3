"""`goldassay simulate`: ratings with known truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.common import SeedOption
from goldassay.questions.asking import SEED
from goldassay.sources.writing import write_atomically

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
    import dataclasses

    from goldassay.lab.simulate import (
        RatingModel,
        Study,
        read_study,
        simulate,
        simulate_response_sets,
    )
    from goldassay.results import dumps

    if response_sets:
        names = tuple(name.strip() for name in options.split(","))
        drawn = simulate_response_sets(RatingModel(options=names, items=prompts), seed=seed)
    else:
        declared = read_study(study) if study else dataclasses.replace(Study(), prompts=prompts)
        drawn = simulate(declared, seed=seed)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "ratings.csv", drawn.to_csv())
    write_atomically(folder / "task.toml", drawn.task.to_toml())
    write_atomically(folder / "items.jsonl", drawn.items_jsonl())
    write_atomically(folder / "truth.json", dumps(drawn.truth))
    print(f"{len(drawn.rows):,} ratings of {len(drawn.items):,} items in {folder}/ratings.csv")
    print(f"Next: goldassay agree {folder}/ratings.csv --task {folder}/task.toml")
