"""`audit`: counts and a task in, findings out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from goldassay.counts import Distributions, ElicitationPairs
from goldassay.errors import TaskError, UsageError, nearest, shown
from goldassay.formulas.distributions import Definition, downstream, table_1, win_rate_bias
from goldassay.formulas.rating_model import specification
from goldassay.questions.audit import describe
from goldassay.questions.audit.bounds import Bounds, bounds
from goldassay.questions.audit.describe_sensitivity import sensitivity
from goldassay.questions.audit.sensitivity import Family, hidden_options
from goldassay.questions.audit.study import Study, prepare
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Interval, Result, Undefined

__all__ = ["BETAS", "HEADLINE", "audit"]

BETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)

#: The definitions that a reader sees first, and that select judges in the tables.
HEADLINE = (
    ("hit_rate", "h/h"),
    ("cohen_kappa", "h/h"),
    ("krippendorff_alpha", "h/h"),
    ("kl_divergence", "s/s"),
    ("reverse_kl_divergence", "s/s"),
    ("jensen_shannon", "s/s"),
    ("mean_squared_error", "s/s"),
    ("coverage", "h/hrs"),
    ("mean_squared_error", "srs/srs"),
    ("decision_consistency", "s/s"),
    ("decision_consistency", "srs/srs"),
    ("estimation_bias", "s/s"),
    ("estimation_bias", "srs/srs"),
    ("win_rate_bias", "s/s"),
)


def audit(
    counted: Distributions,
    task: Task,
    *,
    pairs: ElicitationPairs | None = None,
    option: str | None = None,
    thresholds: Sequence[float] = (0.5,),
    set_threshold: float = 0.5,
    smoothing: float | None = None,
    betas: Sequence[float] = BETAS,
    resamples: int = 2000,
    panel_draws: int = 20,
    seed: int = 1,
) -> Gathered:
    """Do conclusions survive that people disagree?

    Every definition of performance (table 1 of Guerdan et al. 2025, and the downstream measures)
    for every judge, which judge each selects, what forced choices may hide (beta), how many raters
    decide, how often definitions order the judges differently, and whether groups of raters differ.
    `smoothing` is the share of even ratings mixed in so that logarithms of 0 do not occur; without
    it, KL divergence and cross-entropy are undefined where they would need one.
    """
    _check_shares(thresholds, betas, smoothing)
    study = prepare(counted, task, pairs=pairs, threshold=set_threshold)
    chosen = _option(task, option)
    definitions = _definitions(task, chosen, tuple(thresholds), smoothing or 0.0)
    draws = _affordable(study, panel_draws)
    found = bounds(study, definitions, resamples=resamples, seed=seed, panel_draws=draws)
    findings = Gathered()
    head = _headline(study, definitions)
    _add_rows(findings, study, definitions, found, smoothing, head)
    rng = np.random.default_rng(seed + 1)
    describe.opening(findings, study)
    describe.selection(findings, study, definitions, found, head)
    describe.rank_consistency(findings, study, definitions, found, head)
    aims = ["decision_consistency", "estimation_bias"]
    aims = aims if task.goal != "prevalence" else aims[::-1]
    targets = [
        next(o for o in definitions if (o.name, o.aggregation) == (aim, "srs/srs")) for aim in aims
    ]
    sensitivity(
        findings,
        study,
        [definitions[d] for d in head],
        targets,
        chosen,
        Family(counted.options, counted.sets, hidden_options(task, task.options[chosen])),
        betas=betas,
        thresholds=thresholds,
        pairs=pairs,
        resamples=min(resamples, 500),
        rng=rng,
    )
    describe.raters(findings, study, chosen, thresholds[0], rng)
    describe.groups(findings, study, definitions, head, rng)
    _add_warnings(findings, study)
    silent = [name for name in pairs.judges if name not in counted.judges] if pairs else []
    if silent:
        findings.warnings.append(f"without a rated verdict, and left out: {', '.join(silent)}")
    return findings


def _check_shares(
    thresholds: Sequence[float], betas: Sequence[float], smoothing: float | None
) -> None:
    if not thresholds or not all(0 < one <= 1 for one in thresholds):
        raise UsageError("--threshold", "lies above 0 and at most at 1", found=shown(thresholds))
    if not betas or not all(0 <= one <= 1 for one in betas):
        raise UsageError("--beta", "is a probability", found=shown(betas))
    if smoothing is not None and not 0 < smoothing < 1:
        raise UsageError("--smoothing", "lies between 0 and 1, as 0.01", found=shown(smoothing))


def _option(task: Task, option: str | None) -> int:
    """The option whose prevalence and decisions are audited."""
    name = option or task.positive or (task.options[0] if task.scale == "pairwise" else None)
    name = name or (task.options[-1] if task.scale == "ordinal" else task.options[0])
    if name not in task.options:
        near = nearest(name, task.options)
        raise TaskError(
            "--option",
            f"must be one of the options {', '.join(task.options)}",
            found=shown(name),
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    return task.options.index(name)


def _definitions(
    task: Task, option: int, thresholds: tuple[float, ...], smoothing: float
) -> tuple[Definition, ...]:
    out = table_1(smoothing=smoothing)
    pairs = (("h", "h"), ("s", "s"), ("srs", "srs"))
    out += downstream(option, task.options[option], thresholds, pairs)
    if task.scale == "pairwise":
        tie = task.options.index(task.tie) if task.tie else None
        metric = partial(win_rate_bias, option=option, tie=tie)
        out += (Definition("win_rate_bias", "s", "s", "zero", metric),)
    return out


def _headline(study: Study, definitions: Sequence[Definition]) -> list[int]:
    """The definitions shown first. Without any response set, srs is s again: shown once."""
    asked = study.sets_asked or any(not one.startswith("assumed") for one in study.judge_sets)
    return [
        d
        for d, one in enumerate(definitions)
        if (one.name, one.aggregation) in HEADLINE and (asked or one.aggregation != "srs/srs")
    ]


def _affordable(study: Study, draws: int) -> int:
    """Fewer draws for large tables, whose many items need them less."""
    size = study.judge.forced.size
    return draws if size < 100_000 else max(4, min(draws, 2_000_000 // size))


def _add_rows(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    found: Bounds,
    smoothing: float | None,
    head: Sequence[int],
) -> None:
    raters = study.raters[study.raters > 0]
    spread = (
        f"{raters.min():g}"
        if raters.min() == raters.max()
        else (f"{np.median(raters):g} ({raters.min():g} to {raters.max():g})")
    )
    samples = [f"{n:g}" if n else "probabilities" for n in study.samples]
    for j, judge in enumerate(study.counted.judges):
        for d, one in enumerate(definitions):
            declared: dict[str, object] = {**(one.declared or {}), "raters_per_item": spread}
            declared["samples_per_item"] = samples[j]
            if "hrs" in (one.judge, one.human):
                declared["set_threshold"] = study.threshold
            if "h" in (one.judge, one.human):
                declared["tied_modes"] = study.task.reference_ties
            if one.name in LOGARITHMS:
                declared["smoothing"] = smoothing
            assumed = _assumptions(study, one, j)
            result = _result(one, found, d, j, declared, assumed, study)
            about = {key: str(value) for key, value in (one.declared or {}).items()}
            more = None if d in head else "more"
            findings.add(
                result,
                judge=judge,
                aggregation=one.aggregation,
                detail=more,
                option=about.get("option"),
                threshold=about.get("threshold"),
            )


LOGARITHMS = frozenset(
    (
        "kl_divergence",
        "reverse_kl_divergence",
        "cross_entropy",
        "reverse_cross_entropy",
        "binary_cross_entropy",
    )
)


def _assumptions(study: Study, one: Definition, j: int) -> tuple[str, ...]:
    out = []
    if one.human in ("hrs", "srs"):
        out.append(f"people's response sets: {study.human_sets}")
    if one.judge in ("hrs", "srs"):
        out.append(f"the judge's response sets: {study.judge_sets[j]}")
    if study.samples[j] == 1:
        out.append("the judge would answer alike if asked again: it was sampled once")
    return tuple(out)


def _result(
    one: Definition,
    found: Bounds,
    d: int,
    j: int,
    declared: dict[str, object],
    assumptions: tuple[str, ...],
    study: Study,
) -> Result:
    value, items = float(found.value[d, j]), round(float(found.found.items[d, j]))
    if found.found.infinite[d, j]:
        reason = (
            f"a probability of 0 in a logarithm on {int(found.found.infinite[d, j])} items; give "
            "--smoothing 0.01 to mix in 1 % of even ratings"
        )
        return Undefined(one.name, reason, items)
    if np.isnan(value):
        return Undefined(one.name, _why(one, items, study), items)
    low, high = float(found.low[d, j]), float(found.high[d, j])
    interval = None
    if np.isfinite(low) and np.isfinite(high) and items > 1:
        interval = Interval(low, high, study.task.confidence_level, found.method)
    population = float(found.population[d, j])
    if np.isfinite(population):
        declared["population_value"] = population if found.identified else None
    clusters = study.counted.n_clusters
    return Estimate(one.name, value, interval, items, clusters, declared, assumptions)


def _why(one: Definition, items: int, study: Study) -> str:
    if items == 0:
        if "h" in (one.judge, one.human) and study.task.reference_ties == "exclude":
            return f"no item has a {one.judge} rating of the judge and a {one.human} one of people"
        return "no item has both ratings that it needs (forced choices were not asked on one side)"
    return "judge and people use one and the same option only (0/0)"


def _add_warnings(findings: Gathered, study: Study) -> None:
    text = specification(study.counted.options, study.counted.sets).sentence(study.sets_asked)
    if text:
        findings.warnings.append(text)
    raters = study.raters[study.raters > 0]
    if (raters < 2).all():
        findings.warnings.append(
            "One rating by people per item: nothing tells disagreement from difficulty. Intervals "
            "span everything from full agreement on each item to none; a second rating of some "
            "items narrows them most."
        )
    elif raters.min() != raters.max():
        findings.warnings.append(
            f"Items have different numbers of ratings by people ({raters.min():g} to "
            f"{raters.max():g}); each item counts once, whatever its number."
        )
    once = [name for j, name in enumerate(study.counted.judges) if _one_answer(study, j)]
    if once:
        findings.warnings.append(
            f"{', '.join(once)} gave one answer per item (sampled once, or always alike): the soft "
            "rating is that verdict, and distributional metrics say how a judge without doubt "
            "compares; how its answers vary is not in the intervals. Sample several times, or give "
            "probabilities as weights."
        )
    for judge, source in zip(study.counted.judges, study.judge_sets, strict=True):
        if source.startswith("assumed") and study.sets_asked:
            findings.warnings.append(
                f"{judge} was not asked for response sets while people were: its sets are taken "
                "to be its forced choices alone."
            )


def _one_answer(study: Study, j: int) -> bool:
    rated = study.counted.judge_forced[j].sum(-1) > 0
    return bool(rated.any() and (study.judge.forced[j][rated].max(-1) > 1 - 1e-9).all())
