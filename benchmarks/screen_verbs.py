"""Wide worlds through the public functions: what an interval, and what a sentence, is worth.

    python benchmarks/screen_verbs.py VERB [--settings N] [--runs N] [--again N] [--seed S]
    python benchmarks/screen_verbs.py VERB --only K [--runs N] [--fresh N]    one setting, all of it

VERB is agree, estimate, compare, replace, certify, audit, plan, route, select, diff or monitor. A
setting draws 20 to 600 items on binary, nominal, ordinal and continuous scales, shares from .02,
clusters of equal, Poisson, Pareto and very unequal sizes, unequal weights, people of whom some
leave out much, judges from near chance to near perfect that err together, systems that are equal
or not, labels drawn at random, by verdict, as whole clusters or elsewhere. The truth is what the
same function says of 20 times as many items of that kind, 5,000 or more, which people rated all of
(of `audit` 40 people each). `certify` and `diff` ask a report of two questions, agree and estimate:
what they bind or compare of the others is what these say when they are asked alone.

Of each number with an interval are counted: held, truth below and above it, no interval, warned.
Sentences are counted too: how often one is said that is wrong. They are put where that is easiest:
`replace` is asked with the epsilon at which the judge just may not stand in, `certify` with a
demand that is just not met, `route` at its limit, `monitor` where nothing changes; `select` and
`compare` say who is better; a length that `plan` assures is reached or not. What looks low is run
again on other draws.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from unittest.mock import patch

import numpy as np
from coverage_verbs import Flags, Floats, Ints, Rng, Rows, level, rated, together
from scipy.special import expit

import goldassay
from goldassay.questions.report.ask import QUESTIONS
from goldassay.results import Estimate, Result, Undefined

#: Items that tell the truth: so many, and so many times those of a study.
MANY, TIMES = 5_000, 20
#: Numbers with an interval that speak of these very items, or of a rule made from these labels.
NOT_OF_ALL = {"chance_agreement", "coverage", "prevalence_of_pool", "winning_rate", "error_beyond"}
NOT_OF_ALL |= {"share_decided"}
#: Beginnings of the names of what other estimators say, shown for comparison, and of draws.
OTHERS = ("prevalence_", "mean_score_", "difference_")
#: Labels of a system with which it is hardly ever corrected with those of all.
LEAST_OWN = 60
#: The questions of a report that are asked for `certify` and `diff`.
OF_REPORT = {verb: QUESTIONS[verb] for verb in ("agree", "estimate")}
#: Draws of labels that are of other items, in which the options are as common as one another.
ELSEWHERE = ("by_label", "separate")


@dataclass(frozen=True)
class World:
    """Items, judges and people; `right` and `careful` are in logits, noise where there is order."""

    verb: str
    scale: str
    items: int
    clusters: int
    sizes: str
    tells: float
    shares: tuple[float, ...]
    alike: float
    hard: float
    right: tuple[float, ...]
    tilt: float
    silent: float
    people: int
    careful: float
    missing: float
    abstentions: str
    reference: str
    weights: float
    way: str
    labels: int
    systems: tuple[float, ...] = (0.0,)
    shared: bool = False
    speechless: float = 0.0
    times: int = 1

    @classmethod
    def drawn(cls, rng: Rng, verb: str) -> World:
        scales = {
            "audit": ("binary", "binary", "nominal", "ordinal"),
            "plan": ("binary",),
            "route": ("binary",),
            "select": ("binary", "binary", "nominal"),
            "monitor": ("binary",),
        }.get(verb, ("binary", "binary", "nominal", "ordinal", "continuous"))
        scale = str(rng.choice(scales))
        clusters = int(rng.choice((0, 0, 6, 10, 15, 25, 60, 120)))
        items = max(int(np.exp(rng.uniform(np.log(20), np.log(600)))), 3 * clusters)
        size = 2 if scale == "binary" else int(rng.choice((3, 4, 5)))
        rare = float(np.exp(rng.uniform(np.log(0.02), np.log(0.5))))
        rest = rng.dirichlet(np.full(size - 1, 2.0)) * (1 - rare)
        shares = (rare, *map(float, rest)) if rng.random() < 0.5 else (*map(float, rest), rare)
        people = int(rng.choice((1, 1, 2, 3, 5)))
        people = int(rng.integers(2, 7)) if verb in ("replace", "audit") else people
        judges = {"select": int(rng.integers(2, 5)), "diff": 2}.get(verb, 1)
        number = int(rng.integers(2, 5)) if verb == "compare" else 1
        right = np.clip(rng.uniform(0.2, 4.5) + rng.normal(0, 0.4, max(judges, number)), 0.1, 5)
        same = verb in ("select", "diff", "compare") and rng.random() < 0.5
        ways = {
            "agree": ("all", "random", "by_verdict", "clusters"),
            "estimate": ("random", "by_verdict", "clusters", *ELSEWHERE),
            "certify": ("all", "random", "by_verdict", "clusters"),
            "diff": ("all", "random", "by_verdict"),
            "compare": ("random", "by_verdict", "clusters", "all"),
            "plan": ("random", "by_verdict", "clusters"),
            "route": ("random", "random", "clusters", "all"),
        }.get(verb, ("all",))
        way = str(rng.choice(ways))
        numbers = scale == "continuous"
        references = {"continuous": ("mean",), "ordinal": ("majority", "each", "median")}
        references |= dict.fromkeys(("binary", "nominal"), ("majority", "each"))
        silent = 0.0 if numbers or verb == "plan" else float(rng.choice((0, 0, 0.05, 0.2)))
        one = cls(
            verb=verb,
            scale=scale,
            items=items,
            clusters=clusters,
            sizes=str(rng.choice(("equal", "Poisson", "Pareto", "few large"))),
            tells=float(rng.choice((0, 0, 0, 0.4))) if clusters else 0.0,
            shares=shares,
            alike=float(rng.choice((0, 0.5, 1.2))) if clusters else 0.0,
            hard=float(rng.choice((0, 0.7, 1.5))),
            right=tuple(float(right[0] if same else one) for one in right),
            tilt=float(rng.normal(0, 0.6)),
            silent=silent,
            people=people,
            careful=float(rng.uniform(1.5, 4)),
            missing=float(rng.choice((0, 0.3, 0.6))) if people > 1 else 0.0,
            abstentions=str(rng.choice(("exclude", "class"))) if silent else "exclude",
            reference=str(rng.choice(references[scale])) if people > 1 else "majority",
            weights=float(rng.choice((0, 0, 0.4, 0.8))) if verb not in ("audit",) else 0.0,
            way="random" if numbers and way == "by_verdict" else way,
            labels=int(np.exp(rng.uniform(np.log(20), np.log(250)))),
            systems=tuple(float(one) for one in rng.normal(0, 0 if same else 0.6, number)),
            shared=bool(verb == "compare" and same and scale == "binary" and rng.random() < 0.5),
        )
        return one._of_labels(rng) if verb in ("agree", "estimate", "certify", "diff") else one

    def _of_labels(self, rng: Rng) -> World:
        """What only questions about a judge's labels are asked of."""
        one, classes = self, self.scale in ("binary", "nominal")
        if one.way in ELSEWHERE:
            # A person who errs errs otherwise where options are otherwise common.
            one = replace(one, people=1, missing=0.0, careful=40.0, reference="majority")
            one = one if classes else replace(one, way="random")
        if one.silent and classes and rng.random() < 0.3:
            one = replace(one, abstentions="recode")
        alone = one.people == 1 and self.scale != "continuous" and one.verb != "estimate"
        return replace(one, speechless=float(rng.choice((0, 0.05))) if alone else 0.0)

    def alike_on_all(self) -> World:
        """Systems with few labels share them, which takes a judge that errs alike on all."""
        few = self.verb == "compare" and self.labels < LEAST_OWN
        return replace(self, right=self.right[:1] * len(self.right)) if few else self

    def many(self) -> World:
        """As many items as tell the truth."""
        times = max(TIMES, math.ceil(MANY / self.items))
        more = replace(self, items=self.items * times, clusters=self.clusters * times)
        return replace(more, times=times)

    @property
    def words(self) -> list[str]:
        names = {"binary": ["yes", "no"], "ordinal": list("12345")}
        return names.get(self.scale, list("abcde"))[: len(self.shares)]

    def task(self, **more: Any) -> dict[str, Any]:
        told: dict[str, Any] = {"scale": self.scale, "reference": self.reference}
        if self.scale != "continuous":
            told |= {"options": self.words, "abstain": [""], "abstentions": self.abstentions}
        if self.abstentions == "recode":
            told |= {"recode_to": self.words[-1]}
        if self.scale == "binary" or (self.scale == "nominal" and self.verb != "replace"):
            several = self.scale == "nominal" and self.verb == "compare"
            told |= {"positive": self.words[:2] if several else self.words[0]}
        told |= {"cluster": "cluster"} if self.clusters else {}
        drawn = {one: one for one in ("by_verdict", *ELSEWHERE)}
        needed = self.verb in ("compare", "plan") or self.way != "all"
        told |= {"calibration": drawn.get(self.way, "random")} if needed else {}
        return told | more


# --- a world's items and what is said of them -------------------------------------------------


@dataclass(frozen=True)
class Items:
    """Items one by one: what is true (a code or a number), how hard each is, its weight."""

    cluster: Ints
    true: Floats
    hard: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.true)


def clusters_of(one: World, rng: Rng) -> Ints:
    """Sizes of the clusters have the same law however many there are."""
    if not one.clusters:
        return np.arange(one.items)
    mean, number = one.items / one.clusters, one.clusters
    if one.sizes == "equal":
        size = np.full(number, round(mean))
    elif one.sizes == "Poisson":
        size = 1 + rng.poisson(mean - 1, number)
    elif one.sizes == "Pareto":
        size = np.ceil(np.minimum(rng.pareto(1.3, number) + 0.3, 40) * mean / 3).astype(int)
    else:
        size = np.where(rng.random(number) < 0.1, 6 * mean, 0.45 * mean).round().astype(int)
    return np.repeat(np.arange(number), np.maximum(size, 1))


def items_of(one: World, rng: Rng) -> Items:
    cluster = clusters_of(one, rng)
    n = len(cluster)
    large = np.log(np.bincount(cluster))[cluster] * one.tells
    hard = one.hard * (0.7 * rng.standard_normal(n) + level(rng, cluster, 0.7)) + large
    weight = np.exp(one.weights * (rng.standard_normal(n) + 0.3 * hard)).round(6)
    if one.scale in ("ordinal", "continuous"):
        true = level(rng, cluster, one.alike) + rng.standard_normal(n) - large
    else:
        held = np.stack([level(rng, cluster, one.alike) for _ in one.shares], 1)
        held[:, 0] += large
        true = (held + rng.gumbel(size=held.shape) + np.log(one.shares)).argmax(1).astype(float)
    return Items(cluster, true, hard, weight)


def shifted(one: World, rng: Rng, items: Items, by: float) -> Items:
    """The answers of a system to the same prompts: better by so much, else like the prompt's."""
    n = len(items)
    if one.scale in ("ordinal", "continuous"):
        return replace(items, true=0.7 * items.true + 0.7 * rng.standard_normal(n) + by)
    share = np.array(one.shares) * np.exp(by * (np.arange(len(one.shares)) == 0))
    fresh = rng.choice(len(share), n, p=share / share.sum())
    return replace(items, true=np.where(rng.random(n) < 0.4, items.true, fresh))


def given(one: World, rng: Rng, items: Items, right: float, tilt: float = 0.0) -> Floats:
    """What somebody says who is so often right: a code of an option, or a number."""
    n, options = len(items), len(one.shares)
    if one.scale in ("ordinal", "continuous"):
        noise = np.exp(0.3 * items.hard - right / 2) * rng.standard_normal(n)
        said = items.true + tilt / 2 + noise
        if one.scale == "continuous":
            return np.round(said, 3)
        from scipy.special import ndtri

        spread = math.sqrt(1 + one.alike**2)
        cuts = spread * ndtri(np.cumsum(one.shares)[:-1].clip(1e-6, 1 - 1e-6))
        return np.digitize(said, cuts).astype(float)
    chance = expit(right + tilt * (items.true == 0) - items.hard)
    other = (items.true + rng.integers(1, options, n)) % options
    return np.where(rng.random(n) < chance, items.true, other)


def told(one: World, value: Floats) -> np.ndarray:
    """Values as they are written; -1 is an abstention."""
    if one.scale == "continuous":
        return np.char.mod("%.3f", value)
    return np.append(np.asarray(one.words), "")[value.astype(int)]


def judged(one: World, rng: Rng, items: Items, right: float) -> Floats:
    said = given(one, rng, items, right, one.tilt)
    if not one.silent:
        return said
    quiet = expit(np.log(one.silent / (1 - one.silent)) + 0.7 * items.hard)
    return np.where(rng.random(len(items)) < quiet, -1.0, said)


def labelled(one: World, rng: Rng, items: Items, said: Floats) -> Flags:
    """Which items people rate."""
    n, mix = len(items), rng.permutation(len(items))
    known = np.zeros(n, bool)
    if one.way == "all":
        return ~known
    if one.way == "random":
        known[mix[: one.labels]] = True
    elif one.way == "clusters":
        for cluster in rng.permutation(int(items.cluster.max()) + 1):
            if known.sum() < one.labels:
                known |= items.cluster == cluster
    else:
        kinds = np.unique(said)
        for kind in kinds:
            number = max(5, one.labels // len(kinds)) * one.times
            known[mix[said[mix] == kind][:number]] = True
    return known


def rows_of(
    one: World,
    rng: Rng,
    items: Items,
    verdicts: Mapping[str, Floats],
    known: Flags,
    *,
    first: int = 0,
    scores: Floats | None = None,
    **more: Any,
) -> Rows:
    """The table: each judge of all items, each person of those that are labelled and not missed."""
    n = len(items)
    where: dict[str, Any] = {"item": np.arange(n) + first, "cluster": items.cluster, **more}
    if one.weights:
        where["weight"] = items.weight
    nothing = {} if scores is None else {"score": np.full(n, "")}
    score = {} if scores is None else {"score": np.char.mod("%.3f", scores)}
    parts = [
        rated(name, "judge", told(one, said), **where, **score) for name, said in verdicts.items()
    ]
    unlike = one.people > 1 and one.verb != "audit"  # where a few speak for all people
    each = np.linspace(-0.4, 0.4, one.people) if unlike else np.zeros(one.people)
    missed = np.linspace(0, 2 * one.missing, one.people).clip(0, 0.9)
    for k in range(one.people):
        heard = given(one, rng, items, one.careful + float(each[k]))
        if one.speechless:
            heard = np.where(rng.random(n) < one.speechless, -1.0, heard)
        value = told(one, heard)
        at = known & (rng.random(n) >= missed[k])
        columns = {name: np.asarray(column)[at] for name, column in (where | nothing).items()}
        parts.append(rated(f"p{k}", "human", value[at], **columns))
    return together(*(part for part in parts if part["item"]))


# --- verbs ------------------------------------------------------------------------------------

Key = tuple[str, ...]


@dataclass
class Seen:
    """What a study says: numbers with intervals, and sentences that are wrong or not."""

    numbers: dict[Key, Result] = field(default_factory=dict)
    #: Each sentence: whether it was said, and whether it is wrong.
    claims: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    #: Differences that hold at once.
    family: list[Key] = field(default_factory=list)


Truth = Mapping[Key, float]


def turned(result: Result) -> Result:
    """The same difference from the other side."""
    if not isinstance(result, Estimate):
        return result
    found = result.interval
    if found is not None:
        found = replace(found, low=-found.high, high=-found.low)
    return replace(result, value=-result.value, interval=found)


def seen(found: goldassay.Findings) -> Seen:
    told = Seen()
    for row in found.rows:
        about = {k: v for k, v in row.about.items() if v is not None}
        name, result = row.result.name, row.result
        of = name.removesuffix("_change")
        if of in NOT_OF_ALL or of.startswith(OTHERS):
            continue
        system, opponent = about.get("system"), about.get("opponent")
        if opponent is not None and str(opponent) < str(system):
            about |= {"system": opponent, "opponent": system}
            result = turned(result)
        key = (name, *(f"{n}={v}" for n, v in sorted(about.items())))
        told.numbers.setdefault(key, result)
        if name == "difference":
            told.family.append(key)
    return told


def agreed(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    items = items_of(one, rng)
    said = judged(one, rng, items, one.right[0])
    known = np.ones(len(items), bool) if truth is None else labelled(one, rng, items, said)
    task = one.task(calibration="random") if truth is None else one.task()
    return seen(goldassay.agree(rows_of(one, rng, items, {"j": said}, known), task, resamples=600))


def estimated(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    items = items_of(one, rng)
    said = judged(one, rng, items, one.right[0])
    if truth is None:
        rows = rows_of(one, rng, items, {"j": said}, np.ones(len(items), bool))
        return seen(goldassay.estimate(rows, one.task(calibration="random")))
    if one.way not in ELSEWHERE:
        rows = rows_of(one, rng, items, {"j": said}, labelled(one, rng, items, said))
        return seen(goldassay.estimate(rows, one.task()))
    even = replace(one, shares=tuple(1 / len(one.shares) for _ in one.shares), alike=0.0)
    clusters = max(6, one.clusters // 2) if one.clusters else 0
    even = replace(even, clusters=clusters, items=max(one.labels, 3 * clusters))
    other = items_of(even, rng)
    other = replace(other, cluster=other.cluster + 10**6)
    apart = judged(even, rng, other, one.right[0])
    parts = [
        rows_of(one, rng, part, {"j": by}, known, first=first, split=np.full(len(part), split))
        for part, by, known, first, split in (
            (items, said, np.zeros(len(items), bool), 0, "test"),
            (other, apart, np.ones(len(other), bool), 10**6, "calibration"),
        )
    ]
    return seen(goldassay.estimate(together(*parts), one.task()))


def compared(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """Systems on the same prompts; each has labels of its own, and a judge as good or not."""
    prompts, parts = items_of(one, rng), []
    for s, by in enumerate(one.systems):
        items = shifted(one, rng, prompts, by)
        said = judged(one, rng, items, one.right[s % len(one.right)])
        known = np.ones(len(items), bool) if truth is None else labelled(one, rng, items, said)
        parts.append(
            rows_of(
                one,
                rng,
                items,
                {"j": said},
                known,
                first=s * 10**6,
                prompt=np.arange(len(items)),
                system=np.full(len(items), f"s{s}"),
            )
        )
    rows = together(*parts)
    if truth is None:
        return seen(goldassay.compare(rows, one.task(calibration="random")))
    found = goldassay.compare(rows, one.task(**({"shared_labels": True} if one.shared else {})))
    shown = seen(found)
    wrong, said_any = False, False
    for pair in found.more["comparisons"]:
        first, second = sorted((pair["system"], pair["opponent"]))
        key = ("difference", "judge=j", f"opponent={second}", f"system={first}")
        gap = truth.get(key, 0.0) * (1 if first == pair["system"] else -1)
        if pair["verdict"] in ("better", "worse"):
            said_any = True
            wrong |= gap <= 0 if pair["verdict"] == "better" else gap >= 0
    shown.claims["any better or worse"] = (said_any, bool(wrong))
    return shown


def instead(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """The epsilon is that at which the judge just may not stand in for half of the people."""
    items = items_of(one, rng)
    rows = rows_of(
        one, rng, items, {"j": judged(one, rng, items, one.right[0])}, np.ones(len(items), bool)
    )
    if truth is None:
        return seen(goldassay.replace(rows, one.task()))
    lags = sorted((v for k, v in truth.items() if k[0] == "advantage"), reverse=True)
    least = lags[math.ceil(len(lags) / 2) - 1] if lags else 0.0
    epsilon = min(max(-least - 0.002, 0.0), 0.9)
    found = goldassay.replace(rows, one.task(), epsilon=epsilon)
    shown = seen(found)
    yes = any(a.facts.get("verdict") == "yes" for a in found.answer)
    if least < 0:
        shown.claims["may stand in"] = (yes, yes)
    return shown


def certified(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """Asked is for an accuracy that the judge just does not have; of one in five for less, which
    shows that it can be said."""
    items = items_of(one, rng)
    said = judged(one, rng, items, one.right[0])
    known = np.ones(len(items), bool) if truth is None else labelled(one, rng, items, said)
    rows, task = rows_of(one, rng, items, {"j": said}, known), one.task()
    if truth is None:
        task |= {"calibration": "random"}
    true = (truth or {}).get(("accuracy", "judge=j", "level=micro", "verb=agree"), 1.0)
    asked, rightly = true < 0.998, bool(rng.random() < 0.2)
    if asked:
        least = max(true - 0.15, 0.0) if rightly else true + 0.002
        task |= {"use": {"metric": "accuracy", "at_least": least}}
    with patch.dict(QUESTIONS, OF_REPORT, clear=True):
        found = goldassay.certify(rows, task, resamples=500, date="2026-01-31")
    shown = seen(found)
    if asked:
        yes = found.more["first"]["use"]["word"] == "yes"
        shown.claims["good enough by .15" if rightly else "good enough"] = (
            yes,
            yes and not rightly,
        )
    return shown


def audited(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """People are as careful as each other; all of them is 40 of them."""
    items = items_of(one, rng)
    if truth is None:
        one = replace(one, people=40, missing=0.0)
    said = judged(one, rng, items, one.right[0])
    rows = rows_of(one, rng, items, {"j": said}, np.ones(len(items), bool))
    options = {"panel_draws": 0, "resamples": 20} if truth is None else {"resamples": 1000}
    return seen(goldassay.audit(rows, one.task(reference="majority"), **options))


def length_of(result: Result) -> float:
    interval = result.interval if isinstance(result, Estimate) else None
    return math.inf if interval is None else interval.high - interval.low


def planned(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """A pilot, a plan, the labels that it lists, and the interval after them.

    A plan that assures no number must say why.
    """
    if truth is None:
        return Seen()
    pool = replace(one, items=max(one.items, 150), labels=max(20, min(one.labels, 80)))
    pool = replace(pool, people=1, missing=0.0, reference="majority", weights=0.0)
    items = items_of(pool, rng)
    said = judged(pool, rng, items, pool.right[0])
    known = labelled(pool, rng, items, said)
    given_all = rows_of(pool, rng, items, {"j": said}, np.ones(len(items), bool))
    human = np.array(given_all["kind"]) == "human"
    item = np.array(given_all["item"]).astype(int)

    def table(mine: Flags) -> Rows:
        keep = ~human | mine[item]
        return {name: list(np.asarray(column)[keep]) for name, column in given_all.items()}

    shown, task = Seen(), pool.task()
    now = length_of(goldassay.estimate(table(known), task)["prevalence"])
    if not math.isfinite(now):
        return shown
    length = round(now * (0.55 + 0.3 * rng.random()), 3)
    plan = goldassay.plan(table(known), task, length=length, assurance=0.8)
    needed = next((r.result for r in plan.rows if r.result.name == "labels_needed"), None)
    none = isinstance(needed, Undefined)
    shown.claims["no length assured, for no reason"] = (none, none and not needed.reason)
    if not isinstance(needed, Estimate) or not needed.value:
        shown.claims["length not reached"] = (False, False)
        return shown
    listed = goldassay.plan(
        table(known), task, length=length, assurance=0.8, next=int(needed.value)
    ).more["next"]
    at = listed["columns"].index("item")
    more = known.copy()
    more[[int(row[at]) for row in listed["rows"]]] = True
    after = length_of(goldassay.estimate(table(more), task)["prevalence"])
    shown.claims["length not reached"] = (True, after > length + 1e-9)
    return shown


RISKS = (0.05, 0.1, 0.2)


def routed(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """The score says how sure a verdict is; the error beyond any threshold is the population's."""
    # People are right, so that what an error is does not hang on them.
    one = replace(one, people=1, missing=0.0, careful=40.0, reference="majority")
    one = replace(one, abstentions="exclude")
    items = items_of(one, rng)
    said = judged(one, rng, items, one.right[0])
    wrong, noise = said != items.true, rng.standard_normal(len(items))
    sure = np.round(expit(one.right[0] - items.hard - 1.2 * wrong + 0.8 * noise), 2)
    known = np.ones(len(items), bool) if truth is None else labelled(one, rng, items, said)
    rows = rows_of(one, rng, items, {"j": said}, known, scores=sure)
    rows["score"] = [s if v else "" for s, v in zip(rows["score"], rows["value"], strict=True)]
    risk = RISKS[one.items % 3]
    if truth is None:
        shown = seen(goldassay.route(rows, one.task(calibration="random"), signal="confidence"))
        for at in np.unique(sure[said >= 0]):
            weight = items.weight * ((said >= 0) & (sure >= at))
            error = float((weight * wrong).sum() / weight.sum())
            shown.numbers[("beyond", f"{at:.2f}")] = Estimate("beyond", error, None, len(sure))
        return shown
    found = goldassay.route(rows, one.task(), signal="confidence", risk=risk)
    shown = seen(found)
    least = next(
        row.result
        for row in found.rows
        if row.result.name == "threshold" and "option" not in row.about
    )
    broken = False
    if isinstance(least, Estimate):
        beyond = sorted((float(k[1]), v) for k, v in truth.items() if k[0] == "beyond")
        broken = next((v for at, v in beyond if at >= least.value - 1e-9), 0.0) > risk
    shown.claims["limit broken"] = (isinstance(least, Estimate), broken)
    return shown


def selected(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    items = items_of(one, rng)
    said = {f"j{k}": judged(one, rng, items, right) for k, right in enumerate(one.right)}
    rows = rows_of(one, rng, items, said, np.ones(len(items), bool))
    found = goldassay.select(rows, one.task(), resamples=200 if truth is None else 600)
    shown = seen(found)
    if truth is None:
        return shown
    any_said, wrong = False, False
    for answer in found.answer:
        if answer.key == "select.told_apart":
            best = str(answer.about.get("judge") or found.answer[0].about.get("judge"))
            for other in answer.facts["better_than"]:
                mine, its = (
                    truth.get(("balanced_accuracy", f"judge={name}"), math.nan)
                    for name in (best, other)
                )
                any_said, wrong = True, wrong | (mine <= its)
    shown.claims["is better than"] = (any_said, bool(wrong))
    return shown


def changed(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """Two versions of a judge on the same items.

    Of labels drawn by verdict a paired change is of items chosen so: so is its truth.
    """
    items = items_of(one, rng)
    old, new = (judged(one, rng, items, right) for right in one.right)
    if one.scale != "continuous":  # most verdicts stay
        new = np.where(rng.random(len(items)) < 0.5, old, new)
    if truth is not None or one.way == "by_verdict":
        known = labelled(one, rng, items, old)
    else:
        known = np.ones(len(items), bool)
    task = (
        one.task(calibration="random") if truth is None and one.way != "by_verdict" else one.task()
    )
    # Labels that were drawn by the old verdicts: the new table has these too, to say so.
    both = {"j": old, "k": new} if one.way == "by_verdict" else {"k": new}
    seed = int(rng.integers(1 << 30))
    with patch.dict(QUESTIONS, OF_REPORT, clear=True):
        documents = [
            goldassay.report(
                rows_of(one, np.random.default_rng(seed), items, verdicts, known),
                task,
                resamples=200,
            )
            for verdicts in ({"j": old}, both)
        ]
    return seen(goldassay.diff(*documents, judge={"j": "k"}))


def watched(one: World, rng: Rng, *, truth: Truth | None) -> Seen:
    """Nothing changes over 8 to 30 batches."""
    items = items_of(replace(one, items=max(one.items, 200)), rng)
    batches = 8 + one.labels % 23
    number = int(items.cluster.max()) + 1
    batch = np.sort(rng.integers(0, batches, number))[items.cluster]
    said = judged(one, rng, items, one.right[0])
    known = rng.random(len(items)) < 0.3
    rows = rows_of(one, rng, items, {"j": said}, known, batch=batch)
    found = goldassay.monitor(rows, one.task())
    alarms = [r.result for r in found.rows if r.result.name == "unchanged"]
    alarm = any(isinstance(a, Estimate) and a.value == 0.0 for a in alarms)
    shown = seen(found)
    for key in [key for key in shown.numbers if not key[0].endswith("_change")]:
        del shown.numbers[key]
    if truth is None:
        zero = Estimate("nothing changes", 0.0, None, len(items))
        return Seen(dict.fromkeys(shown.numbers, zero))
    shown.claims["alarm"] = (alarm, alarm)
    return shown


ASKED: Mapping[str, Callable[..., Seen]] = {
    "agree": agreed,
    "estimate": estimated,
    "compare": compared,
    "replace": instead,
    "certify": certified,
    "audit": audited,
    "plan": planned,
    "route": routed,
    "select": selected,
    "diff": changed,
    "monitor": watched,
}


# --- counting ---------------------------------------------------------------------------------


@dataclass
class Tally:
    runs: int = 0
    held: int = 0
    below: int = 0
    above: int = 0
    none: int = 0
    warned: int = 0
    silent_held: int = 0
    length: float = 0.0

    def add(self, result: Result, truth: float) -> None:
        interval = result.interval if isinstance(result, Estimate) else None
        if not isinstance(result, Estimate) or interval is None:
            self.none += 1
            return
        below, above = truth < interval.low - 1e-9, truth > interval.high + 1e-9
        held, warned = not (below or above), bool(result.warnings)
        self.runs, self.held = self.runs + 1, self.held + held
        self.below, self.above = self.below + below, self.above + above
        self.warned += warned
        self.silent_held += held and not warned
        self.length += interval.high - interval.low

    @property
    def silent(self) -> int:
        return self.runs - self.warned

    def short(self, errors: float) -> bool:
        """Samples without a warning hold less than .93, by so many Monte Carlo errors."""
        if self.silent < 40:
            return False
        error = math.sqrt(0.05 * 0.95 / self.silent)
        return self.silent_held / self.silent + errors * error < 0.93

    def told(self) -> str:
        quiet = f"{self.silent_held / self.silent:.3f} of {self.silent}" if self.silent else "-"
        return (
            f"{self.held / self.runs:.3f} of {self.runs} (truth below {self.below}, above"
            f" {self.above}, none {self.none}), warned {self.warned / self.runs:.2f}, without"
            f" {quiet}, length {self.length / self.runs:.3f}"
        )


@dataclass
class Said:
    """A sentence: in how many studies it could be said, was said, and was wrong."""

    runs: int = 0
    said: int = 0
    wrong: int = 0


#: Which share of studies may have a wrong sentence; of a plan's those that promise.
ALLOWED = {"good enough": 0.025, "length not reached": 0.2}


@dataclass
class Measured:
    tallies: dict[Key, Tally] = field(default_factory=dict)
    claims: dict[str, Said] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    def add(self, shown: Seen, truth: Truth) -> None:
        for key, result in shown.numbers.items():
            if key in truth:
                self.tallies.setdefault(key, Tally()).add(result, truth[key])
        for name, (was, wrong) in shown.claims.items():
            one = self.claims.setdefault(name, Said())
            one.runs, one.said, one.wrong = one.runs + 1, one.said + was, one.wrong + wrong
        family = [(shown.numbers[key], truth[key]) for key in shown.family if key in truth]
        known = [(one, true) for one, true in family if isinstance(one, Estimate) and one.interval]
        if known:
            missed = any(
                not one.interval.low - 1e-9 <= true <= one.interval.high + 1e-9
                for one, true in known
                if one.interval
            )
            tally = self.tallies.setdefault(("all differences at once",), Tally())
            tally.runs, tally.held = tally.runs + 1, tally.held + (not missed)
            warned = any(one.warnings for one, _ in known)
            tally.warned += warned
            tally.silent_held += not missed and not warned

    def short(self, errors: float = 2.0) -> list[Key]:
        return [key for key, tally in self.tallies.items() if tally.short(errors)]

    def too_often(self) -> list[str]:
        found = []
        for name, one in self.claims.items():
            allowed = ALLOWED.get(name, 0.05)
            of = one.said if name == "length not reached" else one.runs
            if of and one.wrong / of - 2 * math.sqrt(allowed * (1 - allowed) / of) > allowed:
                found.append(name)
        return found


def measured(one: World, truth: Truth, runs: int, seed: int) -> Measured:
    rng, found = np.random.default_rng(seed), Measured()
    for _ in range(runs):
        try:
            found.add(ASKED[one.verb](one, rng, truth=truth), truth)
        except goldassay.errors.GoldassayError as refused:
            text = str(refused)[:110]
            found.refused[text] = found.refused.get(text, 0) + 1
    return found


def truth_of(one: World, seed: int) -> Truth:
    whole = ASKED[one.verb](one.many(), np.random.default_rng(seed), truth=None)
    return {k: r.value for k, r in whole.numbers.items() if isinstance(r, Estimate)}


def screened(asked: argparse.Namespace) -> Iterator[str]:
    rng = np.random.default_rng(asked.seed)
    coverages: dict[str, list[float]] = {}
    said: dict[str, list[tuple[int, int, int]]] = {}
    for k in range(asked.settings if asked.only is None else asked.only + 1):
        one = World.drawn(rng, asked.verb)
        one = one if asked.unlike else one.alike_on_all()
        one = replace(one, weights=0.0) if asked.unweighted else one
        if k < asked.skip or (asked.only is not None and k != asked.only):
            continue
        try:
            truth = truth_of(one, k)
        except goldassay.errors.GoldassayError as refused:
            yield f"{k} refused: {str(refused)[:200]}"
            continue
        found = measured(one, truth, asked.runs, 1000 * k + asked.seed + asked.fresh)
        for text, number in found.refused.items():
            if number > asked.runs / 5:
                yield f"{k} refused {number} times: {text}"
        again = found
        doubtful = [*map(" ".join, found.short(1.0)), *found.too_often()]
        print(
            f"setting {k}; again: {'; '.join(doubtful) or 'nothing'}", file=sys.stderr, flush=True
        )
        if asked.again and doubtful:
            again = measured(one, truth, asked.again, 1000 * k + asked.seed + asked.fresh + 7)
        low = [key for key in again.short() if key in found.short(1.0)]
        bad = [name for name in found.too_often() if name in again.too_often()]
        if asked.only is not None:
            low, bad = list(again.tallies), list(again.claims)
        if low or bad:
            yield f"{k} {asdict(one)}"
        for key in low:
            if again.tallies[key].runs:
                name, true = " ".join(key), truth.get(key, 0.0)
                yield f"    {name}: truth {true:.3f}, {again.tallies[key].told()}"
        for name in bad:
            yield f"    {name}: {again.claims[name]}"
        for key, tally in found.tallies.items():
            kept = again.tallies.get(key, tally) if key in found.short(1.0) else tally
            if kept.silent >= 30:
                share = kept.silent_held / kept.silent
                coverages.setdefault(key[0], []).append(share)
        for name, first in found.claims.items():
            claim = again.claims[name] if name in found.too_often() else first
            said.setdefault(name, []).append((claim.runs, claim.said, claim.wrong))
    yield "| Interval, samples without a warning | Number | Lowest | Mean |"
    yield "| --- | --- | --- | --- |"
    for name, shares in coverages.items():
        yield f"| `{name}` | {len(shares)} | {min(shares):.3f} | {np.mean(shares):.3f} |"
    yield "| Sentence | Settings | Studies | Said | Wrong | Most often |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, counts in said.items():
        runs, was, wrong = np.array(counts).T
        of = was if name == "length not reached" else runs
        worst = max((w / o for w, o in zip(wrong, of, strict=True) if o >= 20), default=math.nan)
        yield (
            f"| {name} | {len(runs)} | {runs.sum()} | {was.sum()} | {wrong.sum()} | {worst:.3f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=list(ASKED))
    parser.add_argument("--settings", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0, help="so many settings are drawn only")
    parser.add_argument("--only", type=int, help="this setting alone, with all its numbers")
    parser.add_argument("--unlike", action="store_true", help="judges of few labels too")
    parser.add_argument("--unweighted", action="store_true", help="items that all weigh alike")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--again", type=int, default=1000)
    parser.add_argument("--fresh", type=int, default=0, help="other draws of the same settings")
    parser.add_argument("--seed", type=int, default=1)
    asked, start = parser.parse_args(), time.process_time()
    for line in screened(asked):
        print(line, flush=True)
    print(f"{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
