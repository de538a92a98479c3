"""`karat agree`: does the judge agree with people, and how sure are we?"""

from __future__ import annotations

from karat.cli.common import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    JsonOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    TaskOption,
    finish,
    required_task,
)

__all__ = ["command"]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Does the judge agree with people, and how sure are we?

    Examples:

        karat agree ratings.csv --task task.toml

        karat agree ratings.csv --task task.toml --json --require 'cohen_kappa>=0.6'
    """
    import math

    from karat.coefficients import accuracy, cohen_kappa
    from karat.counts import confusion, count_units, pairing_exclusions
    from karat.ratings import read_ratings
    from karat.resample import percentile, replicates
    from karat.results import Estimate, Findings, Undefined

    declared = required_task(task, ratings)
    table = read_ratings(ratings, declared)
    units = count_units(table)
    findings = Findings()
    size = len(units.options)
    for judge in units.judge_names:
        counted = confusion(units, judge)
        counts = counted.counts[:, :size, :size]
        for name, statistic in (("accuracy", accuracy), ("cohen_kappa", cohen_kappa)):
            value = float(statistic(counted.square))
            if math.isnan(value):
                findings.add(Undefined(name, "0/0", counted.n_items), judge=judge, level="micro")
                continue
            drawn = replicates(
                counts, counted.multiplicity, statistic, resamples=resamples, seed=seed
            )
            interval = percentile(drawn, confidence_level=declared.confidence_level)
            estimate = Estimate(name, value, interval, counted.n_items, counted.n_clusters)
            findings.add(estimate, judge=judge, level="micro")
    finish(
        "agree", findings, task=declared, inputs=table.inputs, rows=table.census.rows,
        exclusions=(*units.exclusions, *pairing_exclusions(units)), seed=seed, as_json=as_json,
        out=out, require=require,
    )  # fmt: skip
