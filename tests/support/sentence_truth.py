"""What makes a sentence true: its facts, the numbers in its text, its comparisons.

`wrong_facts` holds each fact against `naive_ratings`, `wrong_numbers` each number of the text
against the facts as `goldassay.words` writes them, `wrong_comparisons` each comparative word
against the interval that must support it, and `contradictions` one sentence against another.
Each yields one line for each thing that is false.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from internals import Result, words
from naive_audit import BETAS, NaiveAudit
from naive_persons import NaivePersons
from naive_ratings import NaiveStudy, Number, enough
from naive_routes import NaiveRoute

from goldassay import Estimate, Findings, Sentence

__all__ = [
    "NOT_RECOMPUTED",
    "Told",
    "contradictions",
    "people_in",
    "sentences_of",
    "wrong_comparisons",
    "wrong_facts",
    "wrong_forms",
    "wrong_numbers",
]

CLOSE = 1e-9


@dataclass(frozen=True)
class Told:
    """A study's rows and what each question said of them."""

    naive: NaiveStudy
    found: Mapping[str, Findings]
    #: Questions that refused the table, and what they said.
    refused: Mapping[str, str] = field(default_factory=dict)

    def result(self, verb: str, name: str, **about: str | None) -> Result | None:
        """The result of a name about exactly this, all decisions taken together."""
        for row in self.found[verb].rows if verb in self.found else ():
            told = {k: v for k, v in row.about.items() if v is not None and k != "level"}
            level = row.about.get("level") in (None, "micro")
            if row.result.name == name and level and told == about:
                return row.result
        return None

    def sentence(self, verb: str, key: str) -> Sentence | None:
        said = sentences_of(self.found[verb]) if verb in self.found else []
        return next((one for one in said if one.key == key), None)


def sentences_of(found: Findings) -> list[Sentence]:
    """The answer, the notes, and what a report says may and may not be written."""
    claims = found.more.get("claims", {})
    more = [
        Sentence(one["key"], one["text"], one["about"], one["facts"])
        for kind in ("may", "may_not")
        for one in claims.get(kind, ())
    ]
    return [*found.answer, *found.notes, *more]


#: That a reference is no independent person, or how many people are wanted, may be said.
_NO_PEOPLE = re.compile(
    r"`[^`]*`|independent persons?|(?:two|three|several|many|more|most) people", re.IGNORECASE
)


def people_in(text: str) -> list[str]:
    """Words for people in a text; none of them may stand where there are only references."""
    return re.findall(r"\b(?:people|persons?|humans?)\b", _NO_PEOPLE.sub("", text), re.IGNORECASE)


def wrong_forms(found: Findings) -> Iterator[str]:
    """At most three sentences answer, and each has a key of its question and its facts."""
    if len(found.answer) > 3:
        yield f"{found.verb} answers in {len(found.answer)} sentences"
    # A report that knows nothing of its own gives its questions' answers.
    verbs = {found.verb, *(part["verb"] for part in found.more.get("parts", ()))}
    if found.verb == "certify":  # a passport holds its report's sentences
        verbs |= {"report", "agree", "estimate", "plan", "rank", "audit", "replace", "route"}
    if "standing" in found.more:
        verbs.add("passport")
    for one in sentences_of(found):
        if found.references and (wrong := people_in(one.text)):
            yield f"{one.key} speaks of {wrong}, where references stand for people: {one.text}"
        if one.key.partition(".")[0] not in verbs or not one.text.strip():
            yield f"{one.key}: no sentence of {found.verb}: {one.text!r}"
        if not one.facts and one.key not in WITHOUT_FACTS:
            yield f"{one.key} carries no facts: {one.text}"


#: Sentences that claim nothing but an absence.
WITHOUT_FACTS = frozenset({"agree.no_people", "rank.no_gold"})


# --- facts --------------------------------------------------------------------------------------

Measure = Callable[[Told, Sentence], Any]


def _judge(said: Sentence) -> str:
    return said.about["judge"]


def _of_table(name: str) -> Measure:
    def measured(told: Told, said: Sentence) -> Number:
        naive = told.naive.within(said.about)
        found: Number = getattr(naive, name)(naive.table(_judge(said)))
        return found

    return measured


def _of_judge(name: str) -> Measure:
    return lambda told, said: getattr(told.naive, name)(_judge(said))


def _of_people(name: str) -> Measure:
    return lambda told, said: getattr(told.naive, name)()


def _beside(name: str) -> Measure:
    return lambda told, said: told.naive.beside(_judge(said)).get(name)


def _ranges(told: Told, said: Sentence) -> list[list[float]]:
    """The lowest and highest of the judge's scores and of people's, on what both score."""
    pairs = told.naive.paired(_judge(said))
    sides = [[pair[k] for pair in pairs] for k in (1, 0)]
    return [[min(one), max(one)] for one in sides]


def _tau(told: Told, said: Sentence) -> Number:
    if said.facts.get("aggregation", "mean") != "mean" or told.naive.scale == "pairwise":
        raise NotImplementedError
    return told.naive.tau_by_mean(_judge(said))


def _pairs_in_order(judge: Callable[[Sentence], str]) -> Measure:
    """The share of pairs of systems in people's order; no fact where a pair is level."""

    def share(told: Told, said: Sentence) -> Number:
        if told.naive.scale == "pairwise":
            raise NotImplementedError
        return told.naive.pairs_in_order(judge(said))

    return share


def _option(told: Told, said: Sentence) -> str:
    return str(said.facts.get("option") or said.about.get("option") or told.naive.positive)


def _rate(told: Told, said: Sentence) -> Number:
    """The true rate by the estimator that the sentence or its result names."""
    naive, option = told.naive.within(said.about), _option(told, said)
    estimator = said.facts.get("estimator") or _estimator(told, said)
    if estimator == "by_system":
        return _by_system(told, said)
    if said.facts.get("strata") or estimator not in (
        "stratified",
        "calibration_only",
        "rogan_gladen",
    ):
        raise NotImplementedError
    beside = {one for given in naive.verdicts[_judge(said)].values() for one in given}
    if estimator == "rogan_gladen" and (
        len(naive.options) > 2 or not beside <= {*naive.options, "failed"}
    ):
        raise NotImplementedError  # a whole confusion matrix is inverted
    name = "by_errors" if said.facts.get("shared_labels") else estimator
    found: Number = getattr(naive, name)(_judge(said), option)
    return found


def _by_system(told: Told, said: Sentence) -> Number:
    """Rates of systems, each by its items."""
    naive, judge, option = told.naive.within(said.about), _judge(said), _option(told, said)
    total = weight = 0.0
    for system in sorted({row.get("system", "") for row in naive.rows}):
        rows = [row for row in naive.rows if row.get("system", "") == system]
        part = NaiveStudy(rows, naive.task)
        rate = part.stratified(judge, option)
        if rate is None:
            return None
        test, labelled, _ = part.pool(judge)
        whole = part.everything(judge)
        items = sum((whole or test).values()) + (0.0 if whole else sum(labelled.values()))
        total, weight = total + items * rate, weight + items
    return total / weight


def _estimator(told: Told, said: Sentence) -> str | None:
    about = {k: v for k, v in said.about.items() if k in ("judge", "criterion")}
    if len(told.naive.options) > 2 and said.about.get("option"):
        about["option"] = said.about["option"]
    result = told.result("estimate", "prevalence", **about)
    return result.declared.get("estimator") if isinstance(result, Estimate) else None


def _called(told: Told, said: Sentence) -> Number:
    naive = told.naive.within(said.about)
    if naive.scale == "continuous":
        own = naive.scores("judge", _judge(said))
        return sum(own.values()) / len(own)
    return naive.called(_judge(said), _option(told, said))


def _mean_called(told: Told, said: Sentence) -> Number:
    """The mean of a judge's scores, or of its grades."""
    naive = told.naive.within(said.about)
    if naive.scale == "continuous":
        return _called(told, said)
    grades = naive.grades(_judge(said))
    return sum(grade * n for grade, n in grades.items()) / sum(grades.values())


def _mean_scored(told: Told, said: Sentence) -> Number:
    """Items that a judge scored, or graded."""
    naive = told.naive.within(said.about)
    if naive.scale == "continuous":
        return len(naive.scores("judge", _judge(said)))
    return round(sum(naive.grades(_judge(said)).values()))


def _mean_labelled(told: Told, said: Sentence) -> Number:
    naive = told.naive.within(said.about)
    if naive.scale == "continuous":
        return len(naive.behind_mean(_judge(said)))
    return naive.labelled(_judge(said))


def _mean_grade(part: NaiveStudy) -> Number:
    """People's mean of grades of items that are all labelled."""
    widest = _widest(part)
    shares = {one: part.calibration_only(widest, one) for one in part.options}
    return sum(float(one) * share for one, share in shares.items() if share is not None)


def _all_inside(told: Told, said: Sentence) -> bool:
    """Whether each share that a judge gives lies in the interval of the true rate, as written."""
    naive = told.naive.within(said.about)
    for option in naive.options:
        rate = told.result("estimate", "prevalence", **{**said.about, "option": option})
        own = naive.called(_judge(said), option)
        if rate is not None and rate.interval is not None and own is not None:
            low, high = rate.interval.low, rate.interval.high
            written = [f"{100 * one:.1f}" for one in (low, own, high)]
            if not low <= own <= high and written[1] not in (written[0], written[2]):
                return False
    return True


def _other_scale(told: Told, judge: str) -> bool:
    """Ranges of scores that hardly overlap, or of which one is ten times the other."""
    theirs = sorted(told.naive.scores("human").values())
    own = sorted(told.naive.scores("judge", judge).values())
    short, long = sorted((theirs[-1] - theirs[0], own[-1] - own[0]))
    both = min(theirs[-1], own[-1]) - max(theirs[0], own[0])
    return both < 0 if short == 0 else both < 0.05 * short or long > 10 * short


def _called_of(labelled: bool) -> Measure:
    """The share of the labelled items, or of the others, that a judge calls an option."""

    def share(told: Told, said: Sentence) -> float:
        within = ("criterion", "system")
        naive = told.naive.within({k: v for k, v in said.about.items() if k in within})
        test, with_label, _ = naive.pool(_judge(said))
        given: dict[str, float] = dict(test)
        if labelled:
            given = {}
            for (_, verdict), much in with_label.items():
                given[verdict] = given.get(verdict, 0.0) + much
        return given.get(said.facts["option"], 0.0) / sum(given.values())

    return share


#: Verbs that say what they do with weights.
VERBS = ("agree", "select", "estimate", "rank", "audit", "replace", "route", "compare", "plan")


def _weights(naive: NaiveStudy) -> dict[Any, list[float]]:
    """The weights of each unit's rows; a row without one weighs 1."""
    found: dict[Any, list[float]] = {}
    for row in naive.rows:
        weight = row.get("weight")
        found.setdefault(naive.unit(row), []).append(1.0 if weight in (None, "") else float(weight))
    return found


_WEIGHED: Mapping[str, Measure] = {
    "least": lambda told, said: min(map(min, _weights(told.naive).values())),
    "most": lambda told, said: max(map(max, _weights(told.naive).values())),
    "differ_within_items": lambda told, said: any(
        len(set(one)) > 1 for one in _weights(told.naive).values()
    ),
}


def _best_judge(told: Told, said: Sentence) -> Number:
    """The number of the judge that `compare` takes, on the items that all compared ones decide."""
    if told.naive.scale == "continuous":
        raise NotImplementedError
    return _by_criterion(told, _judge(said), _own_name(said))


def _known_by(told: Told, said: Sentence) -> int:
    """How many of the compared judges have the number."""
    if told.naive.scale == "continuous":
        raise NotImplementedError
    name = _own_name(said)
    return sum(_by_criterion(told, one, name) is not None for one in told.naive.shared()[0])


def _as_high(told: Told, said: Sentence) -> int:
    """How many of the compared judges have the highest number."""
    if told.naive.scale == "continuous":
        raise NotImplementedError
    values = [_by_criterion(told, one, _own_name(said)) for one in told.naive.shared()[0]]
    return sum(one is not None and _same(one, said.facts["value"]) for one in values)


def _own_name(said: Sentence) -> str:
    return str(said.facts["name"]).removesuffix("_on_shared_items")


def _widest(naive: NaiveStudy) -> str:
    """The judge of most items."""
    return max(naive.judges, key=naive.rated_items)


def _labelled_rate(told: Told, said: Sentence) -> Number:
    """People's rate of the option where every item is labelled."""
    return told.naive.calibration_only(_widest(told.naive), said.facts["option"])


def _labelled_rates(told: Told, said: Sentence) -> dict[str, Any]:
    """People's rates by criterion, by option, or both."""
    option, rates = said.facts.get("option"), said.facts["rates"]
    if option is not None:
        parts = {name: told.naive.within({"criterion": name}) for name in rates}
        return {name: part.calibration_only(_widest(part), option) for name, part in parts.items()}
    if all(isinstance(one, Mapping) for one in rates.values()):
        parts = {name: told.naive.within({"criterion": name}) for name in rates}
        return {
            name: {one: part.calibration_only(_widest(part), one) for one in rates[name]}
            for name, part in parts.items()
        }
    return {one: told.naive.calibration_only(_widest(told.naive), one) for one in rates}


def _means_of_people(told: Told, said: Sentence) -> dict[str, float]:
    """People's mean of each system (and criterion) that they scored."""
    found = {}
    if told.naive.scale == "ordinal":
        criteria = said.facts["means"]
        return {
            name: _mean_grade(told.naive.within({"criterion": name} if name else {}))
            for name in criteria
        }
    for row in told.naive.rows:
        about = {key: row[key] for key in ("system", "criterion") if row.get(key)}
        label = " · ".join(about.values())
        if label not in found:
            own = told.naive.within(about).scores("human")
            found[label] = sum(own.values()) / len(own) if own else None
    told_of = said.facts["means"]  # a system of which an item has no label is not among them
    return {label: mean for label, mean in found.items() if label in told_of and mean is not None}


def _difference(own: str) -> Measure:
    """A system's rate less its opponent's, by the named way or the one that the sentence names."""

    def measure(told: Told, said: Sentence) -> Number:
        naive, about = told.naive, dict(said.about)
        if naive.scale == "pairwise":
            raise NotImplementedError
        judge, opponent, criterion = _judge(said), about.pop("opponent"), about.get("criterion")
        rates = []
        estimator = said.facts.get("estimator") if own == "estimator" else own
        for system in (about["system"], opponent):
            where = {"system": system, **({"criterion": criterion} if criterion else {})}
            part = naive.within(where)
            part.draw = naive.draw  # labels were drawn from the table, not within a system
            if part.drawn and part.drawn_judges != (judge,) and criterion:
                raise NotImplementedError  # how another judge's draw weighs: unit tests of compare
            if own == "estimator" and said.facts["shared_labels"]:
                if naive.task.get("calibration") != "random" or part.marked:
                    raise NotImplementedError  # labels weigh as the verdicts of the pool
                lenders = naive.within({"criterion": criterion} if criterion else {})
                rates.append(part.by_errors(judge, naive.positive, of=lenders))
            elif len(naive.options) == 2 and estimator is not None:
                rates.append(getattr(part, estimator)(judge, naive.positive))
            elif naive.scale == "continuous" and own == "called":
                scores = part.scores("judge", judge)
                rates.append(sum(scores.values()) / len(scores))
            else:
                raise NotImplementedError  # means: tests/unit/questions/compare
        return rates[0] - rates[1]

    return measure


def _verdict(told: Told, said: Sentence) -> str:
    """What the interval says of the margin."""
    low, high, margin = (said.facts.get(key) for key in ("low", "high", "margin"))
    if low is None or high is None:
        return "cannot tell"
    if low > 0:
        return "better"
    if margin is not None and low > -margin:
        return "no worse"
    return "worse" if high < 0 else "cannot tell"


#: Name of a result -> how it is computed again from the rows.
MEASURES: Mapping[str, Measure] = {
    **{
        name: _of_table(name)
        for name in (
            "accuracy",
            "balanced_accuracy",
            "chance_agreement",
            "cohen_kappa",
            "decision_consistency",
            "false_positive_rate",
            "kappa_phi_gap",
            "positive_rate_difference",
            "reference_rate",
            "sensitivity",
            "verdict_rate",
            "weighted_kappa",
            "youden_j",
        )
    },
    **{
        name: _of_judge(name)
        for name in ("average_precision", "lin_concordance", "pearson", "roc_auc", "tie_rate")
    },
    "ranges": _ranges,
    **{
        name: _of_people(name)
        for name in ("human_observed_agreement", "human_krippendorff_alpha", "human_tie_rate")
    },
    **{
        name: _beside(name)
        for name in ("agreement_with_a_person", "agreement_of_two_people", "gap_to_people")
    },
    "kendall_tau": _tau,
    "prevalence": _rate,
    "prevalence_naive": _called,
    "prevalence_of_pool": lambda told, said: told.naive.within(said.about).stratified(
        _judge(said), _option(told, said)
    ),
}


def _coverage(told: Told, said: Sentence) -> Number:
    return told.naive.coverage(_judge(said))


def _asked_again(told: Told, said: Sentence) -> bool:
    """Whether any unit has several answers of the judge, or several that share its place."""
    return any(len(one) > 1 for one in told.naive.verdicts[_judge(said)].values())


def _compared(told: Told, said: Sentence) -> list[Any]:
    """Units that all compared judges decide (of scores: that all scored, and people)."""
    if told.naive.scale != "continuous":
        return told.naive.shared()[1]
    people = told.naive.scores("human")
    own = {j: people.keys() & told.naive.scores("judge", j).keys() for j in told.naive.judges}
    kept = [own[judge] for judge in enough({judge: len(units) for judge, units in own.items()})]
    return list(set.intersection(*map(set, kept)))


def _silences(told: Told, said: Sentence) -> dict[str, Any]:
    """Of judges that leave out a label of people's, what they decide of both."""
    found = {}
    for judge, one in said.facts["silences"].items():
        shares = {
            f"{which}_share": told.naive.of_label(judge, one[which])
            / told.naive.of_label(None, one[which])
            for which in ("least", "most")
        }
        found[judge] = {"least": one["least"], "most": one["most"], **shares}
    return found


def _silent_on(which: str) -> Measure:
    """The share without a verdict of a label of people's, or of a criterion or system."""

    def share(told: Told, said: Sentence) -> Number:
        by, label = said.facts["by"], said.facts[which]
        if by in ("criterion", "system"):
            covered = told.naive.within({by: label}).coverage(_judge(said))
            return None if covered is None else 1 - covered
        return told.naive.silent_on(_judge(said), label)

    return share


def _not_compared(told: Told, said: Sentence) -> list[str]:
    """The judges that select, or agree, does not compare."""
    for verb, keys in (("select", ("told_apart", "only")), ("agree", ("told_apart",))):
        for key in keys:
            one = told.sentence(verb, f"{verb}.{key}")
            if one is not None:
                left = one.facts.get("not_compared", ())
                return [judge for judge in told.naive.judges if judge in left]
    return []


def _by_criterion(told: Told, judge: str, criterion: str) -> Number:
    """A candidate's criterion on the units that all compared ones decide."""
    units = told.naive.shared()[1]
    alone = len(told.naive.judges) == 1
    found: Number = getattr(told.naive, criterion)(
        told.naive.table(judge, None if alone else units)
    )
    return found


def _select_value(told: Told, said: Sentence) -> Number:
    if said.facts["criterion"] == "ranking_agreement":
        raise NotImplementedError
    return _by_criterion(told, _judge(said), said.facts["criterion"])


def _select_items(told: Told, said: Sentence) -> Number:
    if said.facts["criterion"] == "ranking_agreement":
        raise NotImplementedError
    alone = len(told.naive.judges) == 1
    return len(told.naive.decided(_judge(said)) if alone else told.naive.shared()[1])


def _select_difference(told: Told, said: Sentence) -> Number:
    criterion = said.facts["criterion"]
    if criterion == "ranking_agreement":
        raise NotImplementedError
    own, other = (_by_criterion(told, said.about[k], criterion) for k in ("judge", "other"))
    assert own is not None
    assert other is not None
    return own - other


def _decided(told: Told, said: Sentence) -> int:
    return len(told.naive.decided(_judge(said)))


def _decisions(name: str) -> Measure:
    return lambda told, said: told.naive.decisions(
        _judge(said), said.facts["options"], said.facts["threshold"]
    ).get(name)


def _bounds(told: Told, said: Sentence) -> Number:
    """The middle of what the rate over all items may be, whatever the missing ones are."""
    naive, main = told.naive.within(said.about), _main_rate(told, said)
    missing = naive.missing_weight(_judge(said))
    judged = naive.pool(_judge(said))[2]
    return (main * judged + missing / 2) / (judged + missing)


def _over_all(told: Told, said: Sentence) -> Number:
    """The labelled rate within each verdict, none being one of them, weighted by all items."""
    naive = told.naive.within(said.about)
    if said.facts["option"] is None or not naive.from_pool():
        raise NotImplementedError  # a mean by PPI++, or a whole confusion matrix
    return naive.whole().stratified(_judge(said), said.facts["option"])


def _undecided(of: str) -> Measure:
    """Outputs of each system that the judge was asked about, and those without a verdict."""

    def recompute(told: Told, said: Sentence) -> dict[str, float]:
        naive, judge = told.naive.within(said.about), _judge(said)
        without, found = set(naive.undecided(judge)), {}
        for system in said.facts[of]:
            here = {
                naive.unit(row)
                for row in naive.rows
                if system in (row.get("system"), row.get("opponent"))
            }
            asked = [unit for unit in naive.whole().pool_units(judge) if unit in here]
            number = sum(unit in without for unit in asked)
            found[system] = {
                "asked": len(asked),
                "undecided": number,
                "shares": number / len(asked) if asked else 0.0,
            }[of]
        return found

    return recompute


def _of_decided(told: Told, said: Sentence) -> bool:
    naive, judge = told.naive.within(said.about), _judge(said)
    if naive.scale != "continuous":
        return bool(naive.without_verdict(judge))
    return bool(naive.scores("human").keys() - naive.scores("judge", judge).keys())


def _main_rate(told: Told, said: Sentence) -> float:
    about = {k: v for k, v in said.about.items() if k in ("judge", "criterion")}
    result = told.result("estimate", "prevalence", **about)
    assert isinstance(result, Estimate)
    return result.value


def _paired_units(told: Told, said: Sentence) -> int:
    naive = told.naive
    if naive.scale == "continuous":
        raise NotImplementedError
    return sum(sum(naive.votes(unit).values()) > 1 for unit in naive.units)


def _rated_units(told: Told) -> list[Any]:
    """All units; of scores those that have one."""
    if told.naive.scale != "continuous":
        return told.naive.units
    scored = {*told.naive.scores("human"), *told.naive.scores("judge")}
    return [unit for unit in told.naive.units if unit in scored]


def _people_of(told: Told) -> int:
    return len({row["rater"] for row in told.naive.rows if row["kind"] == "human"})


def _raters_of(told: Told) -> int:
    """People; of scores those who gave one."""
    if told.naive.scale != "continuous":
        return _people_of(told)
    names = {row["rater"] for row in told.naive.rows if row["kind"] == "human"}
    return sum(bool(told.naive.scores("human", name)) for name in names)


def _systems(told: Told, said: Sentence) -> int:
    """The systems that people and the judge have in order: where ties are left out, of those that
    both decide a battle of."""
    naive = told.naive
    names = {row.get(key) for row in naive.rows for key in ("system", "opponent")}
    if naive.scale != "pairwise" or naive.task.get("ties") != "exclude":
        return len(names - {None, ""})
    return len(naive.systems_in_battles() & naive.systems_in_battles(_judge(said)))


def _systems_with_a_rate(told: Told, said: Sentence) -> int:
    """Systems of which a true rate is known, beside the judge's own."""
    names = {row.get("system") for row in told.naive.rows} - {None, ""}
    about = {key: value for key, value in said.about.items() if key in ("judge", "criterion")}
    rates = [told.result("estimate", "prevalence", **about, system=name) for name in names]
    return sum(isinstance(one, Estimate) for one in rates)


def _gold_systems(told: Told, said: Sentence) -> int:
    naive = told.naive
    if naive.scale != "pairwise" or naive.task.get("ties") != "exclude":
        return _systems(told, said)
    return len(naive.systems_in_battles())


#: Fewest items of a person that `replace` is asked with, and those of a report.
MIN_ITEMS, USUAL_ITEMS = 5, 30


def _persons(told: Told) -> NaivePersons:
    key = ("persons",)
    return told.naive.known.setdefault(key, NaivePersons(told.naive))


def _fewest_items(told: Told, said: Sentence) -> int:
    """As asked: a report has nobody's options."""
    asked = told.found.get("replace")
    alone = asked is not None and any(said is one for one in sentences_of(asked))
    return MIN_ITEMS if alone else USUAL_ITEMS


def _compared_people(told: Told, said: Sentence) -> int:
    found = len(_persons(told).enough(_judge(said), _fewest_items(told, said)))
    return found if found > 1 else 0


def _left_out(told: Told, said: Sentence) -> dict[str, int]:
    return _persons(told).left_out(_judge(said), _fewest_items(told, said))


def _routed(fact: str) -> Measure:
    """What a rule's thresholds come to on the rows."""

    def measured(told: Told, said: Sentence) -> Any:
        rule = next(
            one
            for one in sentences_of(told.found["route"])
            if one.key == "route.rule" and one.about == said.about
        )
        naive = NaiveRoute(told.naive, _judge(said), rule.facts["signal"])
        return naive.facts(rule.facts["thresholds"])[fact]

    return measured


def _fewest(told: Told, said: Sentence) -> int:
    """Labels without an error that show it, of all verdicts or of each of several."""
    level = 1 - said.facts["confidence"]
    sides = len(said.facts["thresholds"])
    return next(n for n in range(1, 10_000) if 0.95**n <= level / sides + 1e-12)


def _voters(told: Told, said: Sentence) -> int:
    if said.facts["signal"] == "repeats":
        raise NotImplementedError
    return len(told.naive.judges) if said.facts["signal"] == "judges" else 0


def _audited(told: Told) -> NaiveAudit:
    """The audit of the options that are counted: declared, the upper grades, or the first."""
    naive = told.naive
    if ("audit",) not in naive.known:
        options, positive = naive.options, naive.task.get("positive")
        counted = [str(positive)] if positive else options[:1]
        if naive.scale == "ordinal" and not positive:
            counted = options[(len(options) + 1) // 2 :]
        naive.known["audit",] = NaiveAudit(naive, counted)
    found: NaiveAudit = naive.known["audit",]
    return found


def _audit_of_shared(told: Told) -> NaiveAudit:
    """The same on the units that every judge decides, where judges are compared."""
    if ("audit compared",) not in told.naive.known:
        told.naive.known["audit compared",] = _audited(told).compared()
    found: NaiveAudit = told.naive.known["audit compared",]
    return found


def _of_compared(measured: Callable[[NaiveAudit], Any]) -> Measure:
    return lambda told, said: measured(_audit_of_shared(told))


def _of_audit(measured: Callable[[NaiveAudit], Any]) -> Measure:
    return lambda told, said: measured(_audited(told))


def _selected_by(told: Told, said: Sentence) -> dict[str, int]:
    return {judge: n for judge, n in _audit_of_shared(told).selections().items() if n}


def _dearest(told: Told, said: Sentence, place: int) -> Any:
    """What the worst selection is said to be, where it costs as much as the worst one does."""
    costs = _audit_of_shared(told).costs()
    there = said.facts["beta"], said.facts["definition"]
    worst = max(costs, key=lambda at: costs[at])
    return (there if costs.get(there, 0.0) > costs[worst] - CLOSE else worst)[place]


def _flip(place: int) -> Measure:
    return lambda told, said: _audit_of_shared(told).first_flip(said.facts["up_to"])[place]


def _jury_tau(told: Told, said: Sentence) -> Number:
    return told.naive.tau_by_mean(said.facts["members"])


def _best_member(told: Told, said: Sentence) -> str:
    """The member with the highest tau, the first of equal ones."""
    taus = {one: told.naive.tau_by_mean(one) for one in said.facts["members"]}
    return max(taus, key=lambda one: -2.0 if (tau := taus[one]) is None else round(tau, 12))


def _jury_gain(told: Told, said: Sentence) -> float:
    own, best = _jury_tau(told, said), told.naive.tau_by_mean(said.facts["best"])
    assert own is not None
    assert best is not None
    return own - best


def _of_slice(told: Told, said: Sentence, label: str) -> Number:
    """Tau of the rows with a label alone."""
    column = said.facts["column"]
    rows = [row for row in told.naive.rows if row.get(column) == label]
    part, judge = NaiveStudy(rows, told.naive.task), _judge(said)
    if judge in told.naive.judges:
        return part.tau_by_mean(judge)
    return part.tau_by_mean([one for one in part.judges if part.answers("judge", one)])


def _slice_taus(told: Told, said: Sentence) -> dict[str, list[Number]]:
    return {
        label: [_of_slice(told, said, label), low, high]
        for label, (_, low, high) in said.facts["slices"].items()
    }


def _slice_gap(told: Told, said: Sentence) -> float:
    taus = [tau for tau, _, _ in _slice_taus(told, said).values() if tau is not None]
    return max(taus) - min(taus)


#: What a plan is asked for without options: the length of an interval, and how sure.
LENGTH, ASSURANCE = 0.1, 0.8


def _level(told: Told, said: Sentence) -> float:
    return float(told.naive.task.get("confidence_level", 0.95))


def _criteria(told: Told) -> list[str]:
    return sorted({row["criterion"] for row in told.naive.rows if row.get("criterion")})


def _plan_labelled(told: Told, said: Sentence) -> int:
    """Labels, which a plan counts by items; where items have weights they weigh otherwise."""
    if any(row.get("weight") for row in told.naive.rows):
        raise NotImplementedError
    return math.floor(told.naive.within(said.about).labelled(_judge(said)) + CLOSE)


def _plan_items(told: Told, said: Sentence) -> list[Any]:
    """Items of the pool; of a separate set, those beside it."""
    naive = told.naive.within(said.about)
    pool = naive.pool_units(_judge(said))
    if naive.task.get("calibration") not in ("separate", "by_label"):
        return pool
    return [unit for unit in pool if not naive.label_of(naive._options_of(unit))]


def _plan_unsettled(told: Told, said: Sentence) -> int:
    """Items of the pool that people rated without a label."""
    naive = told.naive.within(said.about)
    if any(row.get("split") == "calibration" for row in naive.rows):
        return 0
    rated = {naive.unit(row) for row in naive.rows if row["kind"] == "human"}
    pool = naive.pool_units(_judge(said))
    return sum(unit in rated and not naive.label_of(naive._options_of(unit)) for unit in pool)


def _length_now(told: Told, said: Sentence) -> Number:
    """As long as the interval that `estimate` gives."""
    about = {key: said.about[key] for key in ("judge", "criterion") if key in said.about}
    rate = told.result("estimate", "prevalence", **about)
    if not isinstance(rate, Estimate) or rate.interval is None:
        raise NotImplementedError
    return rate.interval.high - rate.interval.low


def _planned(told: Told, said: Sentence) -> int:
    """The labels that the same judge's and criterion's sentence asks for."""
    return next(
        int(one.facts["value"])
        for one in sentences_of(told.found["plan"])
        if one.key == "plan.labels_needed" and one.about == said.about and "drawn" in one.facts
    )


#: A sentence's fact -> how it is computed again; for facts that are not named like a result.
FACTS: Mapping[str, Measure] = {
    "agree.accuracy.coverage": _coverage,
    "agree.accuracy.n_items": _decided,
    "agree.accuracy.of_decided": lambda told, said: (_coverage(told, said) or 0.0) < 1,
    "agree.coverage.by_answer": _asked_again,
    **{
        f"report.{key}.{fact}": measure
        for key in ("trust", "may_agree")
        for fact, measure in (
            ("missing", lambda told, said: 1 - (_coverage(told, said) or 0.0)),
            ("asked", lambda told, said: len(told.naive.seen(_judge(said)))),
        )
    },
    "agree.accuracy.tied": lambda told, said: sum(
        bool(told.naive.votes(u)) and not told.naive.label(u) for u in told.naive.units
    ),
    "agree.accuracy.ties": lambda told, said: told.naive.ties,
    "agree.accuracy.weights": lambda told, said: told.naive.task.get("weights"),
    "agree.accuracy.unit": lambda told, said: _unit(told),
    "agree.accuracy.by_weight": lambda told, said: (
        len(
            {
                round(told.naive.weights[u] * told.naive.drawn.get(u, 1.0), 9)
                for u in told.naive.people
            }
        )
        > 1
    ),
    "agree.correlation.unit": lambda told, said: _unit(told),
    "agree.beside_people.n_items": _beside("n_items"),
    "agree.correlation.n_items": lambda told, said: len(told.naive.paired(_judge(said))),
    "agree.coverage.missing": lambda told, said: 1 - (_coverage(told, said) or 0.0),
    "agree.coverage.value": _coverage,
    "agree.coverage.given": lambda told, said: round(
        (_coverage(told, said) or 0.0) * len(told.naive.seen(_judge(said)))
    ),
    "agree.coverage.n_items": lambda told, said: len(told.naive.seen(_judge(said))),
    "agree.methods.judges": lambda told, said: told.naive.judges,
    "agree.methods.n_units": lambda told, said: len(_rated_units(told)),
    "agree.methods.n_labelled": lambda told, said: (
        len(told.naive.scores("human"))
        if told.naive.scale == "continuous"
        else sum(bool(told.naive.label(unit)) for unit in told.naive.units)
    ),
    "agree.methods.raters": lambda told, said: _raters_of(told),
    "agree.methods.coverage": lambda told, said: [
        _coverage(told, Sentence("", "", {"judge": judge})) for judge in told.naive.judges
    ],
    "agree.methods.confidence_level": lambda told, said: told.naive.task.get(
        "confidence_level", 0.95
    ),
    "agree.option.elsewhere": lambda told, said: told.naive.right_elsewhere(
        told.naive.table(_judge(said)), said.facts["option"]
    ),
    "agree.option.n_items": _decided,
    "agree.option.people": lambda told, said: round(
        sum(
            n
            for (one, _), n in told.naive.table(_judge(said)).items()
            if one == said.facts["option"]
        )
    ),
    "agree.option.value": lambda told, said: told.naive.recall(
        told.naive.table(_judge(said)), said.facts["option"]
    ),
    "agree.people.n_items": _paired_units,
    "agree.people.units": _paired_units,
    "agree.people.pairs": lambda told, said: len(told.naive.pairs()),
    "agree.scores.by_chance": lambda told, said: (
        sum(up for _, up in told.naive.ranked(_judge(said))) / len(told.naive.ranked(_judge(said)))
    ),
    "agree.scores.n_items": lambda told, said: len(told.naive.ranked(_judge(said))),
    "agree.scores.positive": lambda told, said: told.naive.positive,
    "agree.strictness.n_items": _decided,
    "agree.strictness.positive": lambda told, said: told.naive.positive,
    "agree.told_apart.judges": lambda told, said: len(told.naive.judges),
    "agree.told_apart.n_items": lambda told, said: len(_compared(told, said)),
    "audit.downstream.all_alike": _decisions("all_alike"),
    "audit.downstream.decision_consistency": _decisions("decision_consistency"),
    "audit.downstream.estimation_bias": _decisions("estimation_bias"),
    "audit.downstream.judge_rate": _decisions("judge_rate"),
    "audit.downstream.level_votes": lambda told, said: any(
        told.naive.decisions(judge, said.facts["options"], said.facts["threshold"]).get("level")
        for judge in told.naive.judges
    ),
    "audit.downstream.n_items": _decisions("n_items"),
    "audit.downstream.people_rate": _decisions("people_rate"),
    "audit.best_by_beta.from_betas": _of_compared(
        lambda audit: [beta for beta, _, _ in audit.winners_by_beta()]
    ),
    "audit.best_by_beta.judges": _of_compared(
        lambda audit: [judge for _, judge, _ in audit.winners_by_beta()]
    ),
    "audit.best_by_beta.level": _of_compared(
        lambda audit: [level for _, _, level in audit.winners_by_beta()]
    ),
    "audit.lapses.level": lambda told, said: _of_compared(
        lambda audit: audit.level_despite_lapses(said.facts["up_to"])
    )(told, said),
    "audit.best_by_beta.measure": _of_audit(lambda audit: audit.measure),
    "audit.best_by_beta.up_to": lambda told, said: BETAS[-1],
    "audit.best_by_beta.by_sets": lambda told, said: False,
    "audit.lapses.by_sets": lambda told, said: False,
    "audit.lapses.from_rate": _flip(1),
    "audit.lapses.judge": _of_compared(lambda audit: audit.without_lapses(0.0, 0.0).winner()),
    "audit.lapses.leaning": _flip(2),
    "audit.lapses.leanings": lambda told, said: [0.0, 1.0, -1.0],
    "audit.lapses.measure": _of_audit(lambda audit: audit.measure),
    "audit.lapses.other": _flip(0),
    "audit.people.asked": lambda told, said: ["single choices"],
    "audit.people.n_items": _of_audit(lambda audit: len(audit.people)),
    "audit.people.ratings_per_item": _of_audit(lambda audit: audit.median),
    "audit.prevalence_by_beta.betas": lambda told, said: [BETAS[0], BETAS[-1]],
    "audit.prevalence_by_beta.n_items": _of_audit(lambda audit: len(audit.people)),
    "audit.prevalence_by_beta.options": _of_audit(lambda audit: list(audit.counted)),
    "audit.prevalence_by_beta.prevalence": _of_audit(
        lambda audit: [audit.prevalence(BETAS[0]), audit.prevalence(BETAS[-1])]
    ),
    "audit.raters.ratings_per_item": _of_audit(lambda audit: audit.median),
    "audit.same_order.definitions": _of_compared(
        lambda audit: [audit.label(key) for key in audit.same_order()]
    ),
    "audit.selection.definitions": _of_compared(lambda audit: list(audit.chosen()[1].values())),
    "audit.selection.judges": _of_compared(lambda audit: list(audit.chosen()[1])),
    "audit.selection.n_definitions": lambda told, said: sum(_selected_by(told, said).values()),
    "audit.selection.selected_by": _selected_by,
    "audit.selection.n_items": _of_compared(lambda audit: len(audit.people)),
    "audit.selection.n_judges": lambda told, said: len(told.naive.judges),
    "audit.selection.level": _of_compared(lambda audit: audit.level_with(audit.chosen()[0])),
    "audit.selection.share": _of_compared(
        lambda audit: audit.selections()[audit.chosen()[0]] / sum(audit.selections().values())
    ),
    "audit.selection_cost.by_sets": lambda told, said: False,
    "audit.selection_cost.beta": lambda told, said: _dearest(told, said, 0),
    "audit.selection_cost.cost": _of_compared(lambda audit: max(audit.costs().values())),
    "audit.selection_cost.definition": lambda told, said: _dearest(told, said, 1),
    "audit.selection_cost.measure": _of_audit(lambda audit: audit.measure),
    "audit.split_evenly.ratings_per_item": _of_audit(lambda audit: audit.median),
    "audit.people.n_judges": lambda told, said: len(told.naive.judges),
    "check.clusters.clusters": lambda told, said: len(
        {row[told.naive.task.get("cluster", "item")] for row in told.naive.rows}
    ),
    "check.read.judges": lambda told, said: len(told.naive.judges),
    "check.read.options": lambda told, said: told.naive.options,
    "check.read.people": lambda told, said: _people_of(told),
    "check.read.ratings": lambda told, said: len(told.naive.rows),
    "check.read.scale": lambda told, said: told.naive.scale,
    "check.read.units": lambda told, said: len(told.naive.units),
    "check.read.unit": lambda told, said: _unit(told),
    "compare.beside.judge": _difference("called"),
    "compare.beside.labels": _difference("calibration_only"),
    "compare.leaders.systems": lambda told, said: sorted(
        {row["system"] for row in told.naive.rows if row.get("system")}
        | {row["opponent"] for row in told.naive.rows if row.get("opponent")}
    ),
    "compare.verdict.value": _difference("estimator"),
    "compare.verdict.verdict": _verdict,
    **{f"compare.undecided.{of}": _undecided(of) for of in ("asked", "undecided", "shares")},
    "estimate.mean_score.of_decided": _of_decided,
    "estimate.prevalence.of_decided": _of_decided,
    "estimate.over_all.value": _over_all,
    "estimate.over_all.n_items": lambda told, said: len(
        told.naive.within(said.about).whole().pool_units(_judge(said))
    ),
    "estimate.over_all.undecided": lambda told, said: len(
        told.naive.within(said.about).undecided(_judge(said))
    ),
    "estimate.labels_without_verdict.labelled": lambda told, said: told.naive.within(
        said.about
    ).labels_without_verdict(_judge(said), said.facts["option"])[0],
    "estimate.labels_without_verdict.positive": lambda told, said: told.naive.within(
        said.about
    ).labels_without_verdict(_judge(said), said.facts["option"])[1],
    **{f"{verb}.weights.{fact}": one for verb in VERBS for fact, one in _WEIGHED.items()},
    "compare.judge.value": _best_judge,
    "plan.judge.value": _best_judge,
    "estimate.all_labelled.means": _means_of_people,
    "estimate.all_labelled.rates": _labelled_rates,
    "estimate.all_labelled.value": _labelled_rate,
    "estimate.mean_score.called": _mean_called,
    "estimate.mean_score.labelled": _mean_labelled,
    "estimate.mean_score.scored": _mean_scored,
    "estimate.option.called": _called,
    "estimate.option.all_inside": _all_inside,
    "estimate.mean_score.other_scale": lambda told, said: (
        told.naive.scale == "continuous" and _other_scale(told, _judge(said))
    ),
    "estimate.other_scale.judges": lambda told, said: [
        judge for judge in said.facts["judges"] if _other_scale(told, judge)
    ],
    "estimate.options_of_judges.judges": lambda told, said: len(told.naive.judges),
    "estimate.options_of_judges.all_inside": lambda told, said: sum(
        bool(one.facts["all_inside"])
        for one in sentences_of(told.found["estimate"])
        if one.key == "estimate.option"
    ),
    "estimate.option.n_items": lambda told, said: told.naive.within(said.about).rated_items(
        _judge(said)
    ),
    "estimate.prevalence.called": _called,
    "estimate.prevalence.labelled": lambda told, said: told.naive.within(said.about).labelled(
        _judge(said)
    ),
    "estimate.prevalence.n_items": lambda told, said: told.naive.within(said.about).rated_items(
        _judge(said)
    ),
    "estimate.prevalence_bounds.value": _bounds,
    "estimate.prevalence_bounds.without_verdict": lambda told, said: told.naive.within(
        said.about
    ).without_verdict(_judge(said)),
    "estimate.prevalence_of_pool.labelled": lambda told, said: told.naive.within(
        said.about
    ).labelled(_judge(said)),
    "estimate.prevalence_of_pool.n_items": lambda told, said: told.naive.within(
        said.about
    ).rated_items(_judge(said)),
    "estimate.ranking.systems": _systems_with_a_rate,
    "plan.anytime.anytime_labels": lambda told, said: round(
        said.facts["factor"] * said.facts["labels"]
    ),
    "plan.anytime.labels": lambda told, said: _plan_labelled(told, said) + _planned(told, said),
    "plan.by_verdict.labels": lambda told, said: sum(n for _, n in said.facts["strata"]),
    "plan.judge.judges": lambda told, said: (
        len(told.naive.judges) if said.facts["value"] is None else _known_by(told, said)
    ),
    "compare.judge.of": _known_by,
    "compare.judge.highest": _as_high,
    "plan.judge.highest": _as_high,
    "plan.judge.n_items": lambda told, said: len(told.naive.shared()[1]),
    **{
        f"{verb}.not_random.{name}": _called_of(name == "labelled")
        for verb in ("compare", "estimate")
        for name in ("labelled", "others")
    },
    "plan.labels_needed.assurance": lambda told, said: ASSURANCE,
    "plan.labels_needed.beyond": lambda told, said: [
        one for one in _criteria(told) if one not in said.facts["criteria"]
    ],
    "plan.labels_needed.confidence_level": _level,
    "plan.labels_needed.labelled": _plan_labelled,
    "plan.labels_needed.least": lambda told, said: said.facts["least"],  # held by _plan_needed
    "plan.labels_needed.length": lambda told, said: LENGTH,
    "plan.labels_needed.length_now": _length_now,
    "plan.labels_needed.most": lambda told, said: (
        max(said.facts["n_items"] - _plan_labelled(told, said), 0)
        if said.facts["drawn"] in ("random", "by_verdict")
        else said.facts["most"]
    ),
    "plan.labels_needed.undecided": lambda told, said: (
        len(told.naive.within(said.about).units)
        - len(told.naive.within(said.about).pool_units(_judge(said)))
    ),
    "plan.labels_needed.unsettled": _plan_unsettled,
    "plan.anytime.items": lambda told, said: len(
        told.naive.within(said.about).pool_units(_judge(said))
    ),
    "plan.labels_needed.n_items": lambda told, said: len(_plan_items(told, said)),
    "plan.length_now.confidence_level": _level,
    "plan.length_now.labelled": _plan_labelled,
    "plan.length_now.value": _length_now,
    "rank.jury.best": _best_member,
    "rank.jury.best_tau": lambda told, said: told.naive.tau_by_mean(said.facts["best"]),
    "rank.jury.members": lambda told, said: told.naive.judges,
    "rank.jury.n_members": lambda told, said: len(told.naive.judges),
    "rank.jury.tau": _jury_tau,
    "rank.jury.value": _jury_gain,
    "rank.slices.slices": _slice_taus,
    "rank.slices.value": _slice_gap,
    "rank.kendall_tau.n_judges": lambda told, said: len(told.naive.judges),
    "rank.kendall_tau.n_systems": _systems,
    "rank.kendall_tau.n_gold_systems": _gold_systems,
    "replace.advantage_probability.items": lambda told, said: _persons(told).units_of(
        _judge(said), _fewest_items(told, said)
    ),
    "replace.advantage_probability.value": lambda told, said: _persons(told).advantage_probability(
        _judge(said), _fewest_items(told, said)
    ),
    "replace.left_out.min_items": _fewest_items,
    "replace.left_out.items": lambda told, said: list(_left_out(told, said).values()),
    "replace.left_out.people": lambda told, said: list(_left_out(told, said)),
    "replace.verdict.epsilon": lambda told, said: 0.15,
    "replace.verdict.items": lambda told, said: _persons(told).units_of(
        _judge(said), _fewest_items(told, said)
    ),
    "replace.verdict.decided": lambda told, said: _persons(told).decided(_judge(said)),
    "replace.verdict.silent": lambda told, said: _persons(told).silent(_judge(said)),
    "replace.verdict.min_items": _fewest_items,
    "replace.verdict.most": lambda told, said: max(_left_out(told, said).values(), default=0),
    "replace.verdict.needed": lambda told, said: -(-_compared_people(told, said) // 2),
    "replace.verdict.people": _compared_people,
    **{
        f"route.{key}": _routed(key.partition(".")[2])
        for key in (
            "evidence.errors",
            "evidence.labels_beyond",
            "evidence.left",
            "evidence.left_unlabelled",
            "rule.decided",
            "rule.holds",
            "rule.items",
            "rule.labels",
        )
    },
    "route.rule.confidence": lambda told, said: told.naive.task.get("confidence_level", 0.95),
    "route.rule.fewest": _fewest,
    "route.rule.risk": lambda told, said: 0.05,
    "route.rule.voters": _voters,
    **{
        f"report.{key}.pairs": _pairs_in_order(_judge)
        for key in ("order", "order_unknown", "may_rank", "other_ranker", "trust")
    },
    "report.other_ranker.other_pairs": _pairs_in_order(lambda said: str(said.facts["other"])),
    "report.trust.ties": lambda told, said: told.naive.ties,
    "report.may_agree.ties": lambda told, said: told.naive.ties,
    "report.trust.unit": lambda told, said: _unit(told),
    "report.trust.judges": lambda told, said: len(told.naive.judges),
    "report.may_best.judges": lambda told, said: len(told.naive.judges),
    "select.best.coverage": _coverage,
    "select.best.n_items": _select_items,
    "select.best.value": _select_value,
    "select.best.n_candidates": lambda told, said: len(told.naive.shared()[0]),
    "select.silent.value": lambda told, said: told.naive.with_no_verdict_wrong(
        said.about["other"], said.facts["criterion"]
    ),
    "select.silent.leader_value": lambda told, said: told.naive.with_no_verdict_wrong(
        _judge(said), said.facts["criterion"]
    ),
    **{f"{key}.silences": _silences for key in ("agree.told_apart", "select.told_apart")},
    "select.only.silences": _silences,
    **{
        f"{verb}.silent.{which}_rate": _silent_on(which)
        for verb in ("agree", "report")
        for which in ("most", "least")
    },
    "report.trust.not_compared": _not_compared,
    "select.only.n_items": _select_items,
    "select.only.value": _select_value,
    "select.cannot_tell.difference": _select_difference,
    "select.cannot_tell.n_items": _select_items,
    "select.guessing.n_candidates": lambda told, said: len(told.naive.shared()[0]),
    "select.guessing.n_items": lambda told, said: len(
        told.naive.shared()[1] if len(told.naive.judges) > 1 else told.naive.decided(_judge(said))
    ),
    "select.guessing.guessing": lambda told, said: 1 / len(_resolved_options(told)),
    "select.guessing.value": lambda told, said: _by_criterion(
        told, _judge(said), "balanced_accuracy"
    ),
    "select.told_apart.n_items": _select_items,
    "select.told_apart.confidence_level": lambda told, said: told.naive.task.get(
        "confidence_level", 0.95
    ),
}


def _resolved_options(told: Told) -> list[str]:
    naive = told.naive
    return [one for one in naive.options if one != naive.tie or naive.ties == "class"]


def _unit(told: Told) -> str:
    rows = told.naive.rows
    if len({row.get("criterion") for row in rows}) > 1:
        return "decision"
    systems = len({row.get("system") for row in rows})
    pairs = told.naive.task["scale"] == "pairwise"
    return "item" if systems < 2 else "comparison" if pairs else "output"


_NAMES = "names, held against intervals by the rules of comparison"
_DECLARED = "a declaration or a choice of words, no number"
_FORECAST = "a forecast from a model: held by tests/unit/questions/plan and tests/coverage"
_AUDIT = "counts of an audit's definitions and sweeps: held by tests/unit/questions/audit"
_ESTIMATED = "no closed form: held by tests/oracle and tests/unit"

#: Facts that the naive program does not compute, each with the reason. A fact that is neither here
#: nor in `FACTS` nor named like a result in `MEASURES` fails the test.
NOT_RECOMPUTED: Mapping[str, str] = {
    "agree.accuracy.single_option": _DECLARED,
    "select.best.level": _NAMES,
    "select.only.not_compared": _NAMES,
    **dict.fromkeys(
        (f"rank.kendall_tau.{one}" for one in ("pairs", "apart", "same", "turned", "unsure")),
        "the differences of compare: tests/unit/questions/rank/test_few_systems.py",
    ),
    "select.silent.criterion": _DECLARED,
    "agree.silent.by": _DECLARED,
    "agree.silent.most": _NAMES,
    "agree.silent.least": _NAMES,
    "agree.silent.p_value": "a test: tests/unit/questions/agree/test_abstention.py",
    "report.silent.*": "that of agree or select, which are",
    "select.guessing.on_own": _NAMES,
    "agree.accuracy.several": "ratings of several options: tests/unit/counts/test_units.py",
    "agree.accuracy.tie_rate_difference": "a mean over units: tests/unit/questions/agree",
    "agree.accuracy.tie_rate_beside": _DECLARED,
    "agree.at_prevalence.*": "declared shares: tests/unit/questions/agree/test_words.py",
    "agree.beside_people.lean": _NAMES,
    "agree.beside_people.left_out": "raters of a selected subset: tests/unit/questions/agree",
    "agree.option.option": _DECLARED,
    "agree.option.share": "held by tests/truth/test_second_reading.py",
    "agree.people.selected": "raters of a selected subset: tests/unit/questions/agree",
    "agree.people.left_out": "raters of a selected subset: tests/unit/questions/agree",
    "agree.item.*": "declared rules of items: tests/unit/questions/agree/test_rubric.py",
    "agree.juries.judges": _NAMES,
    "agree.juries.juries": _NAMES,
    "agree.juries.verdicts": _NAMES,
    "agree.juries.best": _NAMES,
    "agree.juries.gains": "votes of panels: tests/unit/questions/agree/test_juries.py",
    "agree.juries.items": "votes of panels: tests/unit/questions/agree/test_juries.py",
    "agree.juries.effective_judges": _ESTIMATED,
    "agree.length.*": _ESTIMATED,
    "agree.methods.n_clusters": _DECLARED,
    "agree.methods.interval_methods": _DECLARED,
    "agree.methods.results": "results of the document, held against its rows",
    "agree.methods.among_judges": "a result of the document, held against its rows",
    "agree.methods.criteria": _DECLARED,
    "agree.methods.seed": _DECLARED,
    "agree.methods.draws": _DECLARED,
    "agree.methods.version": _DECLARED,
    "agree.no_score.ratings": "a count of rows, held by tests/unit",
    "agree.not_computed.*": "why there is no number",
    "agree.position.*": "needs orders of presentation: tests/unit/questions/agree/test_bias.py",
    "agree.repeats.*": "noise between repeats: tests/unit/questions/agree/test_repeats.py",
    "agree.strictness.lean": _NAMES,
    "agree.told_apart.metric": _DECLARED,
    "agree.told_apart.cannot_be_told_from": _NAMES,
    "agree.told_apart.better_than": _NAMES,
    "agree.told_apart.not_compared": _NAMES,
    "agree.told_apart.all_alike": _DECLARED,
    "agree.unlike_judges.*": "rates of panels: tests/unit/questions/agree/test_juries.py",
    "audit.downstream.options": _DECLARED,
    "audit.downstream.threshold": _DECLARED,
    "audit.downstream.told": "the length of an interval: tests/unit/questions/audit",
    "audit.group_difference.*": _AUDIT,
    "audit.groups.*": _AUDIT,
    "audit.implied_beta.*": _AUDIT,
    "audit.lapses.up_to": "the largest rate that is tried, bounded by people's agreement",
    "audit.prevalence_by_beta.threshold": _DECLARED,
    "audit.raters.enough": _DECLARED,
    "audit.raters.ratings_for_90": "a fitted population of raters: tests/truth/test_forecasts.py",
    "audit.raters.same_decision": "a fitted population of raters: tests/truth/test_forecasts.py",
    "audit.rater_error.*": "a bound by raters who differ: tests/truth/test_forecasts.py",
    "audit.selection_effect.*": _AUDIT,
    "audit.selection.tied": "a bootstrap of differences: tests/unit/questions/audit",
    "compare.not_random.option": _DECLARED,
    "compare.not_random.p_value": "Pearson's test: tests/unit/questions/estimate/test_study.py",
    "compare.not_random.tests": "judges that were tested: tests/unit/questions/estimate",
    "estimate.not_random.option": _DECLARED,
    "estimate.not_random.p_value": "Pearson's test: tests/unit/questions/estimate/test_study.py",
    "estimate.not_random.tests": "judges that were tested: tests/unit/questions/estimate",
    "report.not_drawn.p_value": "as estimate.not_random says",
    "report.not_random.*": "as estimate.not_random says",
    "audit.split_evenly.split_evenly": "a likelihood of raters: tests/unit/questions/audit",
    "check.answers.*": "verbs, held by tests/unit/questions/check",
    "check.clusters.*": _DECLARED,
    "check.next.command": _DECLARED,
    "diff.*.*": "two documents, held by tests/unit/questions/diff",
    "compare.apart.*": "counted by _compare_apart",
    "compare.assumed.*": _DECLARED,
    "compare.beside.sign_differs": "held by _compare_beside",
    "compare.beside.turned": "held by _compare_beside",
    "compare.beside.value": "what compare.verdict says",
    "compare.criteria.*": "verdicts and leaders of compare.verdict and compare.leaders: "
    "tests/unit/questions/compare",
    "compare.family.*": "counted by _compare_apart",
    "compare.against.shared_labels": _DECLARED,
    "compare.if_shared.*": "lengths of declared ones: tests/unit/questions/estimate",
    "compare.leaders.shared_labels": _DECLARED,
    "compare.leaders.first": "held by _compare_leaders",
    "compare.leaders.tied": "held by _compare_leaders",
    "compare.same.by": "names whose sentences are the same: tests/unit/questions/compare",
    "compare.same.more": "a count of these names",
    "compare.leaders.unknown": "systems whose result is undefined, held against its rows",
    "compare.leaders.value": _ESTIMATED,
    "compare.needed.*": "a forecast: tests/unit/questions/compare",
    "compare.spent.*": "where variance is largest: tests/unit/questions/compare",
    "compare.turned.*": "held by _compare_turned",
    "compare.verdict.confidence_level": _DECLARED,
    "compare.verdict.estimator": _DECLARED,
    "compare.verdict.shared_labels": _DECLARED,
    "compare.verdict.lower": "what value, low and high say, turned round",
    "compare.verdict.margin": _DECLARED,
    "compare.verdict.opponent": _DECLARED,
    "compare.verdict.p_no_worse": "inverts the interval: tests/unit/inference/test_contrasts",
    "compare.verdict.p_value": "inverts the interval: tests/unit/inference/test_contrasts",
    "compare.verdict.reason": _DECLARED,
    "compare.verdict.system": _DECLARED,
    **{f"{verb}.weights.used": _DECLARED for verb in VERBS},
    "compare.judge.n_items": "held by tests/unit/questions/compare",
    "estimate.all_labelled.*": "how many they are: held by tests/unit/questions/estimate",
    "estimate.option.decided": "held by tests/truth/test_read_aloud.py",
    "report.may_rate.all_labelled": "held by tests/truth/test_read_aloud.py",
    "report.may_rate.judged": "held by tests/truth/test_second_reading.py",
    "estimate.mean_score.furthest": _DECLARED,
    "estimate.if_shared.*": "lengths of declared ones: tests/unit/questions/estimate",
    "estimate.interval.*": "why another interval: tests/unit/questions/estimate/test_words.py",
    "estimate.labelled_test_items.*": "labels that are not used: tests/unit/questions/estimate",
    "estimate.labels_without_verdict.option": _DECLARED,
    "estimate.over_all.option": _DECLARED,
    "estimate.over_all.undefined": _DECLARED,
    "estimate.mean_score.value": _ESTIMATED,
    "estimate.mean_score.n_items": _ESTIMATED,
    "estimate.mean_score.undefined": _DECLARED,
    "estimate.option.option": _DECLARED,
    "estimate.option.undefined": _DECLARED,
    "estimate.no_rate.*": "why none can be told: tests/unit/questions/estimate/test_words.py",
    "estimate.prevalence.option": _DECLARED,
    "estimate.prevalence.estimator": _DECLARED,
    "estimate.prevalence.strata": _DECLARED,
    "estimate.prevalence.shared_labels": _DECLARED,
    "estimate.prevalence.undefined": _DECLARED,
    "estimate.prevalence_bounds.n_items": _ESTIMATED,
    "estimate.prevalence_bounds.undefined": _DECLARED,
    "estimate.prevalence_of_pool.option": _DECLARED,
    "estimate.prevalence_of_pool.undefined": _DECLARED,
    "estimate.ranking.moved": "corrected rates of systems: tests/unit/questions/estimate",
    "estimate.ranking.shared_labels": _DECLARED,
    "estimate.ranking.told_apart": "corrected rates of systems: tests/unit/questions/estimate",
    "estimate.ranking.turned": "corrected rates of systems: tests/unit/questions/estimate",
    "estimate.sets.*": "sets that are asked for: tests/unit/questions/estimate/test_sets.py",
    "estimate.strata.*": "a test of strata: tests/unit/questions/estimate",
    "plan.anytime.factor": "a band that holds at all moments: tests/unit/inference",
    "plan.beyond.*": "held by the criteria of plan.labels_needed",
    "plan.budget.*": _FORECAST,
    "plan.by_verdict.strata": "shares that lower the variance: tests/unit/questions/plan",
    "plan.costs.*": _FORECAST,
    "plan.design.*": _FORECAST,
    "plan.labels_needed.criteria": "held by _plan_needed, of each criterion",
    "plan.labels_needed.drawn": _DECLARED,
    "plan.labels_needed.strata": "held by _plan_needed",
    "plan.labels_needed.value": "bounded by _plan_needed, played out in test_forecasts.py",
    "plan.length_after.*": _FORECAST,
    "plan.length_now.labels_for_even_chance": "a forecast, bounded by _plan_needed",
    "plan.next.*": _FORECAST,
    "plan.people.*": _FORECAST,
    "plan.region.*": _FORECAST,
    "plan.told_apart.*": _FORECAST,
    "rank.bias.*": _ESTIMATED,
    "rank.decisiveness.*": _ESTIMATED,
    "rank.jury.aggregation": _DECLARED,
    "rank.jury.than_best": _NAMES,
    "rank.slices.column": _DECLARED,
    "rank.slices.differ": _NAMES,
    "rank.slices.high_label": _NAMES,
    "rank.slices.low_label": _NAMES,
    "rank.slices.without_tau": _NAMES,
    "rank.style.*": "a regression over systems: tests/unit/questions/rank/test_style.py",
    "rank.items_and_systems.*": "preferences between answers: tests/unit/questions/rank",
    "rank.kendall_tau.agree": _NAMES,
    "rank.kendall_tau.anything": _NAMES,
    "select.distortion.option": _DECLARED,
    "rank.kendall_tau.aggregation": _DECLARED,
    "rank.kendall_tau.gold": _DECLARED,
    "rank.kendall_tau.level_with": _NAMES,
    "rank.kendall_tau.confidence_level": _DECLARED,
    "rank.not_comparable.reason": "why there is no number",
    "rank.split_half.*": "random halves: tests/unit/questions/rank",
    "rank.told_apart.*": _NAMES,
    "rank.top.*": _NAMES,
    "replace.others.*": _NAMES,
    "replace.slices.*": _NAMES,
    "replace.verdict.constant": _NAMES,
    "replace.verdict.always": "a rater of one answer: tests/unit/questions/replace",
    "replace.verdict.items_needed": "a forecast: tests/unit/inference",
    "replace.verdict.items_about": "the same, rounded",
    "replace.verdict.more_than": "the same, bounded",
    "replace.verdict.matched": "a test of each person: tests/unit/questions/replace",
    "replace.verdict.verdict": "a test of each person: tests/unit/questions/replace",
    "replace.verdict.who": _NAMES,
    "replace.verdict.worse": "a test of each person: tests/unit/questions/replace",
    "report.*.*": "results of the questions, held against their rows",
    "route.left_out.judges": "why there is no number",
    "route.others.*": _NAMES,
    "route.rule.labels_about": "labels_instead in two digits",
    "route.rule.labels_instead": "a forecast: tests/unit/questions/route",
    "route.rule.risk_instead": "a forecast: tests/unit/questions/route",
    "route.rule.signal": _DECLARED,
    "route.rule.thresholds": "tests of thresholds: tests/unit/questions/route",
    "route.shift.*": "a test of a difference: tests/unit/questions/route",
    "route.sides.*": "tests of thresholds: tests/unit/questions/route",
    "select.best.all_alike": _DECLARED,
    "select.best.criterion": _DECLARED,
    "select.cannot_tell.criterion": _DECLARED,
    "select.cannot_tell.items_that_would_do": "a forecast: tests/unit/inference",
    "select.like_a_coin.judges": _NAMES,
    "select.worse_than_a_coin.judges": _NAMES,
    "select.only.criterion": _DECLARED,
    "select.otherwise.judges": _NAMES,
    "select.otherwise.metrics": _NAMES,
    "select.threshold.*": "folds of a tuned threshold: tests/unit/questions/select",
    "select.told_apart.better_than": _NAMES,
    "select.told_apart.cannot_be_told_from": _NAMES,
    "select.told_apart.criterion": _DECLARED,
    "select.told_apart.differences": _NAMES,
    "select.told_apart.items_that_would_do": "a forecast: tests/unit/inference",
    "select.told_apart.n_differences": _NAMES,
    "select.told_apart.not_compared": _NAMES,
    "select.undefined.*": "why there is no number",
}

_END = re.compile(r"(^|_)(low|high|lows|highs|undefined)$")


def wrong_facts(told: Told, said: Sentence) -> Iterator[str]:
    """Facts that are not what the rows say, and facts of which nobody knows."""
    name = said.facts.get("name")
    for fact, value in said.facts.items():
        if fact == "name" or (_END.search(fact) and fact != "undefined"):
            continue
        key = f"{said.key}.{fact}"
        measure = FACTS.get(key)
        if measure is None and _excused(said.key, fact):
            continue
        measure = measure or MEASURES.get(name if fact == "value" else fact)
        if measure is None:
            yield f"{key} is in no table of facts: {value!r}"
            continue
        if value is None:
            continue
        try:
            expected = measure(told, said)
        except NotImplementedError:
            continue
        if not _same(value, expected):
            yield f"{key} is {value!r}, the rows say {expected!r}: {said.text}"
    yield from _outside(said)


def _excused(key: str, fact: str) -> bool:
    verb = key.split(".", maxsplit=1)[0]
    return bool({f"{key}.{fact}", f"{key}.*", f"{verb}.*.*"} & NOT_RECOMPUTED.keys())


def _same(value: Any, expected: Any) -> bool:
    if isinstance(value, bool | str) or isinstance(expected, str | None):
        return bool(value == expected)
    if isinstance(value, Mapping):
        return value.keys() == expected.keys() and all(
            _same(one, expected[key]) for key, one in value.items()
        )
    if isinstance(value, list | tuple):
        return len(value) == len(expected) and all(map(_same, value, expected))
    return math.isclose(value, expected, rel_tol=CLOSE, abs_tol=CLOSE)


def _outside(said: Sentence) -> Iterator[str]:
    """An estimate lies within its own interval."""
    for value, low, high in _intervals(said.facts):
        if value is None:
            continue
        if (low is not None and low > value + 1e-9) or (high is not None and high < value - 1e-9):
            yield f"{said.key}: {value} lies outside [{low}, {high}]"


Ends = tuple[float | None, float | None, float | None]


def _intervals(facts: Mapping[str, Any]) -> Iterator[Ends]:
    """Every value with its two ends, wherever in the facts they stand."""
    for key, low in facts.items():
        if isinstance(low, Mapping):
            yield from _intervals(low)
        if key == "low" and "high" in facts:
            value = facts.get("value", facts.get("difference"))
            yield value, low, facts["high"]
        elif key.endswith("_low") and isinstance(low, Mapping):  # several, by name
            value, high = facts[key[:-4]], facts[f"{key[:-4]}_high"]
            yield from ((value[name], low[name], high[name]) for name in low)
        elif key.endswith("_low") and f"{key[:-4]}_high" in facts:
            yield facts.get(key[:-4]), low, facts[f"{key[:-4]}_high"]
        elif key == "lows":
            middle = facts.get("gains") or facts.get("betas") or [None] * len(low)
            yield from zip(middle, low, facts["highs"], strict=True)
        elif key == "differences":
            yield from (tuple(one) for one in low.values())


# --- numbers in the text ------------------------------------------------------------------------

_TOKEN = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?")
#: Numbers that belong to words, not to facts.
_WORDS = re.compile(r"F1\b|AC1\b|tau-b\b|goldassay \S+|calibration = \S+|cut = \S+|Among these")
#: Numbers that a sentence says whatever the data are.
CONSTANTS: Mapping[str, frozenset[str]] = {
    "compare.apart": frozenset({"0"}),
    "compare.needed": frozenset({"8", "10"}),
    "compare.turned": frozenset({"0"}),
    "compare.verdict": frozenset({"30"}),  # labels of each system, where one has none
    "rank.decisiveness": frozenset({"1"}),
    "replace.verdict": frozenset({"8", "10"}),  # 8 times in 10
    "select.like_a_coin": frozenset({"0"}),
    "select.worse_than_a_coin": frozenset({"0"}),
}


def wrong_numbers(told: Told, said: Sentence) -> Iterator[str]:
    """Numbers of the text that no fact, written by `goldassay.words`, contains."""
    text = _WORDS.sub(" ", re.sub(words.NAMED, " ", said.text))
    written = set(_written(said.facts)) | CONSTANTS.get(said.key, frozenset())
    for token in _TOKEN.findall(text):
        if token.rstrip(",") not in written:
            yield f"{said.key}: {token} is no fact of {said.facts}: {said.text}"


def _tokens(text: str) -> Iterator[str]:
    yield from (one.rstrip(",") for one in _TOKEN.findall(text))


def _written(facts: Any) -> Iterator[str]:
    """All tokens that the facts give, written in any of the ways that words has."""
    if isinstance(facts, Mapping):
        numbers = [one for one in facts.values() if _is_number(one)]
        for value, low, high in _intervals(facts):
            for rate in (True, False):
                yield from _tokens(words.interval_text(low, high, rate=rate))
                if value is not None:
                    yield from _tokens(words.figure_text(value, (low, high), rate=rate))
                for one in numbers:  # another value written with the digits of this interval
                    yield from _tokens(words.figure_text(one, (low, high), rate=rate))
        beside = [one for one in facts.values() if isinstance(one, Mapping)]
        for one in beside:  # a number with the digits of the interval that it is held against
            for _, low, high in _intervals(one):
                for other in beside:
                    if _is_number(other.get("value")):
                        yield from _tokens(
                            words.figure_text(other["value"], (low, high), rate=True)
                        )
        for one in facts.values():
            yield from _written(one)
        yield from _counts(facts)
    elif isinstance(facts, list | tuple):
        for one in facts:
            yield from _written(one)
    elif _is_number(facts):
        yield from _number_texts(facts)
    elif isinstance(facts, str):
        yield from _tokens(facts)


def _number_texts(value: float) -> Iterator[str]:
    shown = [words.percent(value), words.decimal(value), words.number(value, 2), f"{value:,.0f}"]
    shown += [words.number(value), words.p_value(value), f"{value:.3g}"]
    for one in shown:
        yield from _tokens(one)


def _counts(facts: Mapping[str, Any]) -> Iterator[str]:
    """Lengths of lists and of two of them together; of more names than are told, the rest."""
    lengths = [len(one) for one in facts.values() if isinstance(one, list | Mapping)]
    for one in lengths:
        yield from (f"{number:,}" for number in range(max(one - 5, 0), one + 1))
        yield from (f"{one + other:,}" for other in lengths)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


# --- comparative words --------------------------------------------------------------------------

_COMPARES = re.compile(
    r"\b(better|best|worse|more than|more often|less often|more like|agrees more|beats|highest"
    r"|closest|first|decisive|cannot be told|ahead|most like|nearest|as good as|apart|furthest"
    r"|leans|chance|guessing)\b"
)

Rule = Callable[[Told, Sentence], Iterator[str]]


def wrong_comparisons(told: Told, said: Sentence) -> Iterator[str]:
    """Comparative words that no interval supports, and comparing sentences that have no rule."""
    text = re.sub(words.NAMED, " ", said.text)
    if rule := RULES.get(said.key):
        yield from (f"{said.key}: {wrong}: {said.text}" for wrong in rule(told, said))
    elif (found := _COMPARES.search(text)) and said.key not in NOT_COMPARING:
        yield f"{said.key} says {found.group()!r} and has no rule: {said.text}"


#: Sentences with such a word that compare nothing, or points only and say so.
NOT_COMPARING: Mapping[str, str] = {
    "agree.accuracy": "chance agreement is a number beside another",
    "agree.methods": "a paragraph on methods",
    "agree.not_computed": "why there is no number",
    "audit.lapses": "names the highest value",
    "audit.best_by_beta": "names the highest value",
    "audit.rater_error": "why there is no number",
    "audit.selection_cost": "a cost at one setting",
    "audit.selection_effect": "held by tests/unit/questions/audit",
    "compare.needed": "a forecast",
    "compare.spent": "where variance is largest",
    "estimate.no_rate": "why there is no rate",
    "estimate.option": "the largest distance of points",
    "estimate.options_of_judges": "counts judges",
    "estimate.other_scale": "names judges",
    "estimate.prevalence": "why there is no rate",
    "plan.region": "a forecast",
    "replace.slices": "verdicts by name",
    "report.definitions": "counts definitions",
    "select.otherwise": "names the highest values",
    "select.undefined": "why there is no number",
}


def _sides(low: float | None, high: float | None) -> str:
    """On which side of 0 an interval lies: above, below, or both."""
    if low is None or high is None:
        return "both"
    return "above" if low > 0 else "below" if high < 0 else "both"


def _all_named(told: Told, said: Sentence, names: Sequence[str]) -> Iterator[str]:
    if sorted([_judge(said), *names]) != told.naive.judges:
        yield f"names {sorted(names)} of {told.naive.judges}"


def _agree_told_apart(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    tied, worse = facts["cannot_be_told_from"], facts["better_than"]
    yield from _all_named(told, said, [*tied, *worse, *facts["not_compared"]])
    for other in (*tied, *worse):
        name = f"{facts['metric']}_difference"
        gap = told.result("agree", name, judge=_judge(said), other=other)
        ends = gap.interval if gap is not None else None
        side = _sides(ends.low, ends.high) if ends else "both"
        if (side == "above") != (other in worse):
            yield f"{other} is {side} by {gap}"
    yield from _says_level(said, tied, worse)


def _says_level(said: Sentence, tied: Sequence[str], worse: Sequence[str]) -> Iterator[str]:
    level = "cannot be told" in said.text
    better = bool(re.search(r"better than|agrees more than|more like people than", said.text))
    if level != bool(tied) and (tied or worse):
        yield f"{'says' if level else 'does not say'} that judges are level: {tied}"
    if better != bool(worse):
        yield f"{'says' if better else 'does not say'} that one is better: {worse}"


def _agree_beside(told: Told, said: Sentence) -> Iterator[str]:
    side = _sides(said.facts["low"], said.facts["high"])
    claims = {
        "above": "A person agrees more often with",
        "below": "Two people agree with each other more often",
        "both": "which is more cannot be told",
    }
    if claims[side] not in said.text:
        yield f"the difference lies {side}"


def _agree_strictness(told: Told, said: Sentence) -> Iterator[str]:
    side = _sides(said.facts["low"], said.facts["high"])
    claim = {
        "above": " more often than people: ",
        "below": " less often than people: ",
        "both": " more or less often than people cannot be told: ",
    }
    if claim[side] not in said.text:
        yield f"the difference lies {side}"
    rates = re.findall(r" on ((?:under |over )?[\d.]+ %)", said.text)
    apart = round(said.facts["verdict_rate"], 3) != round(said.facts["reference_rate"], 3)
    if side != "both" and apart and len(rates) == 2 and rates[0] == rates[1]:
        yield f"two rates that differ are both written {rates[0]}"


def _agree_juries(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    claim = {"above": "beats", "below": "is worse than", "both": "cannot be told from"}
    for verdict, low, high in zip(facts["verdicts"], facts["lows"], facts["highs"], strict=True):
        if verdict != claim[_sides(low, high)] or verdict not in said.text:
            yield f"{verdict} with [{low}, {high}]"


def _leaning(zero: float) -> Rule:
    def rule(told: Told, said: Sentence) -> Iterator[str]:
        low, high = said.facts["low"], said.facts["high"]
        if low <= zero <= high:
            yield f"{zero} lies within [{low}, {high}]"

    return rule


def _select_best(told: Told, said: Sentence) -> Iterator[str]:
    criterion = said.facts["criterion"]
    if criterion == "ranking_agreement":
        return
    level = []
    for judge in told.naive.shared()[0]:
        value = _by_criterion(told, judge, criterion)
        if value is not None and value > said.facts["value"] + CLOSE:
            yield f"{judge} has {value}"
        if value is not None and judge != _judge(said) and _same(value, said.facts["value"]):
            level.append(judge)
    if level != sorted(said.facts["level"]) or bool(level) != ("the same" in said.text):
        yield f"{level} have the same"


def _select_told_apart(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    tied, worse = facts["cannot_be_told_from"], facts["better_than"]
    yield from _all_named(told, said, [*tied, *worse, *facts["not_compared"]])
    for other, (_, low, high) in facts["differences"].items():
        if (_sides(low, high) == "above") != (other in worse):
            yield f"{other} differs by [{low}, {high}]"
    yield from _says_level(said, tied, worse)


def _select_silent(told: Told, said: Sentence) -> Iterator[str]:
    if said.facts["value"] <= said.facts["leader_value"]:
        yield "the other is not ahead"


def _report_silent(told: Told, said: Sentence) -> Iterator[str]:
    yield from (_select_silent if said.facts["verb"] == "select" else _agree_silent)(told, said)


def _select_only(told: Told, said: Sentence) -> Iterator[str]:
    """Nothing is told of judges that are not compared, and there are such."""
    others = sorted(set(told.naive.judges) - {_judge(said)})
    if sorted(said.facts.get("not_compared", ())) != others:
        yield f"not compared are {others}"


def _agree_silent(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    sure = facts["p_value"] <= 0.01 or facts["most_rate"] == 1
    if not sure or facts["most_rate"] <= facts["least_rate"]:
        yield "it may give as many verdicts on both"


def _select_cannot_tell(told: Told, said: Sentence) -> Iterator[str]:
    if _sides(said.facts["low"], said.facts["high"]) != "both":
        yield "the interval excludes 0"


def _select_guessing(told: Told, said: Sentence) -> Iterator[str]:
    if said.facts["low"] > said.facts["guessing"]:
        yield "its interval lies above"
    own = []
    for judge in told.naive.judges:
        found = told.result("select", "balanced_accuracy", judge=judge)
        if found is not None and found.interval and found.interval.low > said.facts["guessing"]:
            own.append(judge)
    if "No judge" in said.text and own:
        yield f"{own} do better on all that they decide"
    if sorted(said.facts["on_own"]) != sorted({*own} - {_judge(said)}):
        yield f"{own} do better on all that they decide, not {said.facts['on_own']}"


def _select_coins(told: Told, said: Sentence) -> Iterator[str]:
    for judge in said.facts["judges"]:
        found = told.result("select", "youden_j", judge=judge)
        ends = found.interval if found is not None else None
        side = _sides(ends.low, ends.high) if ends else "both"
        if side != ("below" if said.key.startswith("select.worse") else "both"):
            yield f"J of {judge} is {found}"


def _rank_tau(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    for judge in told.naive.judges:
        about = {"judge": judge, "aggregation": facts["aggregation"]}
        tau = told.result("rank", "kendall_tau", **about)
        if isinstance(tau, Estimate) and tau.value > facts["value"] + CLOSE:
            yield f"{judge} has {tau.value}"
    if facts["value"] <= 0 and re.search(r"closest|most like", said.text):
        yield "an order that is not people's"
    whole = facts["low"] is not None and facts["low"] < -0.995 and facts["high"] > 0.995
    pairs = facts.get("pairs")
    if pairs is not None and facts["same"] + facts["turned"] + facts["unsure"] != facts["apart"]:
        yield f"{facts['apart']} pairs are told apart"
    if pairs is None and whole != ("do not tell how far the orders" in said.text):
        yield f"[{facts['low']}, {facts['high']}] and what may be"


def _rank_told_apart(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    for other, (_, low, high) in facts["differences"].items():
        if (_sides(low, high) == "above") != (other in facts["better_than"]):
            yield f"{other} differs by [{low}, {high}]"
    unsure = [one for one in facts["cannot_tell"] if one not in facts["level_with"]]
    if unsure or facts["better_than"]:
        yield from _says_level(said, unsure, facts["better_than"])
    elif "cannot be told" in said.text:
        yield "what is equal is said twice"
    for other in facts["level_with"]:
        if facts["differences"][other][0] != 0:
            yield f"{other} is not equal"


def _rank_jury(told: Told, said: Sentence) -> Iterator[str]:
    side = _sides(said.facts["low"], said.facts["high"])
    words = {"above": "more like people", "below": "less like people"}
    expected = words.get(side, "cannot be told apart from its best member")
    if expected not in said.text:
        yield f"the difference lies {side}, and the text does not say {expected!r}"


def _rank_slices(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    told_apart = _sides(facts["low"], facts["high"]) == "above"
    if told_apart != facts["differ"] or told_apart == ("no labels of" in said.text):
        yield f"slices differ by [{facts['low']}, {facts['high']}]"
    taus = {label: value for label, (value, _, _) in facts["slices"].items()}
    if taus[facts["high_label"]] < max(taus.values()) or taus[facts["low_label"]] > min(
        taus.values()
    ):
        yield "another label has a higher or a lower tau"


def _rank_top(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    if " ahead of " in said.text and facts.get("low") is not None and facts["low"] <= 0:
        yield "the lead may be none"
    level = set(facts["level_with"])
    if not level <= set(facts["cannot_tell"]):
        yield "a system of the same score that is told apart"
    if level and " first" in said.text:
        yield "a first of systems that have one score"
    if ("cannot be told apart" in said.text) != bool(set(facts["cannot_tell"]) - level):
        yield "levels that the facts do not have"


def _rank_decisiveness(told: Told, said: Sentence) -> Iterator[str]:
    low, high = said.facts["low"], said.facts["high"]
    if said.facts["no_upper_limit"]:
        high = math.inf
        if "no upper limit" not in said.text and "with no limits" not in said.text:
            yield "an open end that is not said"
    if low == 0 and "no lower limit" not in said.text and "with no limits" not in said.text:
        yield "an open end that is not said"
    claim = {
        "unknown": "cannot be told",
        "more": "more decisive",
        "less": "less decisive",
        "alike": "between half and twice as decisive",
    }[said.facts["than_people"]]
    if claim not in said.text:
        yield "words and facts differ"
    if low is None or high is None:
        if claim != "cannot be told":
            yield "there is no interval"
    elif (low > 1) != (claim == "more decisive") or (high < 1) != (claim == "less decisive"):
        yield f"1 and [{low}, {high}]"
    elif claim == "between half and twice as decisive" and (low < 0.5 or high > 2):
        yield f"[{low}, {high}] holds half and twice as decisive"


def _rank_items(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    if facts["value"] <= facts["leader_value"] or facts["tau"] >= facts["leader_tau"]:
        yield "the same judge is best on both"


def _report_standing(told: Told, said: Sentence) -> Iterator[str]:
    """The best only where nobody is level with it in the question that was asked for that."""
    first = _level_with_the_best(told)
    if first is None:
        return
    best, others = first
    if _judge(said) != best:
        yield f"the best is {best}"
    if re.search(r" is the best of ", said.text) and others:
        yield f"level with {others}"
    level = "cannot be told apart" in said.text or said.key == "report.not_best"
    if level and sorted(said.facts["rivals"]) != sorted(others):
        yield f"names {said.facts['rivals']}, level are {others}"


def _level_with_the_best(told: Told) -> tuple[str, list[str]] | None:
    """The judge that comes first, and those that cannot be told from it."""
    keys = (
        ("select", "cannot_be_told_from"),
        ("rank", "cannot_tell"),
        ("agree", "cannot_be_told_from"),
    )
    if told.naive.scale == "continuous":  # by how scores go with people's, unless to rank
        keys = (keys[2], keys[1]) if told.naive.task.get("goal") != "ranking" else keys
    for verb, key in keys:
        said = told.sentence(verb, f"{verb}.told_apart")
        if said is not None and (verb != "agree" or "select" not in told.found):
            return _judge(said), list(said.facts[key])
        equal = told.sentence("rank", "rank.kendall_tau") if verb == "rank" else None
        if equal is not None and equal.facts["level_with"]:  # all that is said of the others
            return _judge(equal), list(equal.facts["level_with"])
    return None


def _report_chance(told: Told, said: Sentence) -> Iterator[str]:
    for judge in said.facts.get("judges") or [_judge(said)]:
        kappa = told.result("agree", "cohen_kappa", judge=judge)
        if kappa is None or kappa.interval is None or kappa.interval.low > 0:
            yield f"kappa of {judge} is {kappa}"
        near = told.result("agree", "weighted_kappa", judge=judge)
        if isinstance(near, Estimate) and near.interval and near.interval.low > 0:
            yield f"weighted kappa of {judge} is {near}"


def _report_as_people(told: Told, said: Sentence) -> Iterator[str]:
    if said.facts["gap"]["high"] >= 0:
        yield "people may agree less with one another"


def _report_other_ranker(told: Told, said: Sentence) -> Iterator[str]:
    if said.facts["other_tau"]["value"] <= said.facts["tau"]["value"]:
        yield "the other does not order systems better"


def _plan_needed(told: Told, said: Sentence) -> Iterator[str]:
    """No label where the interval is short enough, and else no more than there are items."""
    facts, value = said.facts, said.facts["value"]
    if "criteria" in facts:  # of all criteria together: the sum of their own
        each = [one for one in sentences_of(told.found["plan"]) if "drawn" in one.facts]
        known = [one for one in each if one.facts["value"] is not None]
        if sorted(facts["criteria"]) != sorted(one.about["criterion"] for one in known):
            yield f"criteria with a number are {[one.about for one in known]}"
        if known and value != sum(one.facts["value"] for one in known):
            yield f"{value} in all"
        return
    if ("decides" in said.text) > (facts["undecided"] > 0):
        yield "it decides every item"
    now = _length_of(told, said)
    if now is not None and (value == 0) != (now <= facts["length"] + CLOSE):
        yield f"the interval is {now} long"
    weighted = any(row.get("weight") for row in told.naive.rows)
    left = facts["n_items"] - (0 if weighted else _plan_labelled(told, said))
    if value and facts["drawn"] in ("random", "by_verdict") and value > left:
        yield f"{left} items are left"
    if value and facts.get("strata") and sum(n for _, n in facts["strata"]) != value:
        yield f"{facts['strata']} are not {value}"
    even = told.result("plan", "labels_for_even_chance", **said.about)
    if value and isinstance(even, Estimate) and even.value > value:
        yield f"an even chance takes {even.value}"
    if value is None and facts.get("least") is not None and facts["least"] <= facts["length"]:
        yield f"all items give {facts['least']}"


def _length_of(told: Told, said: Sentence) -> float | None:
    try:
        return _length_now(told, said)
    except NotImplementedError:
        return None


def _gaps(told: Told, said: Sentence) -> dict[tuple[str, str], Estimate]:
    """The differences of a judge and criterion, both ways round."""
    about = {key: said.about.get(key) for key in ("judge", "criterion")}
    rows = told.found["compare"].rows if "compare" in told.found else ()
    found = {}
    for row in rows:
        if row.result.name != "difference" or not isinstance(row.result, Estimate):
            continue
        if all(row.about.get(key) == value for key, value in about.items()):
            found[str(row.about["system"]), str(row.about["opponent"])] = row.result
    return found


def _report_system(told: Told, said: Sentence) -> Iterator[str]:
    """What may be written of systems is what `compare` says, and tells them apart; what may not
    be, their differences leave open."""
    if said.key != "report.not_system":
        if said.text.strip("“”") not in [one.text for one in told.found["compare"].answer]:
            yield "compare does not say so"
        if said.key == "report.may_system" and "cannot" in said.text:
            yield "it is not told"
        return
    first, level = said.facts["first"], set(said.facts["tied"])
    for pair, gap in _gaps(told, said).items():
        other = next((one for one in pair if one != first), None)
        ends = gap.interval if first in pair and other in level else None
        if ends is not None and _sides(ends.low, ends.high) != "both":
            yield f"{first} and {other} are told apart"


def _compare_verdict(told: Told, said: Sentence) -> Iterator[str]:
    low, high, margin = (said.facts.get(key) for key in ("low", "high", "margin"))
    text = re.sub(words.NAMED, " ", said.text)
    side = _sides(low, high)
    if ("is better than" in text) != (side == "above"):
        yield f"better, and the interval is {low} to {high}"
    if "is worse than" in text and side != "below":
        yield f"worse, and the interval is {low} to {high}"
    if "is no worse than" in text and not (margin is not None and low > -margin):
        yield f"no worse than a margin of {margin}, and the interval starts at {low}"
    if "cannot be told" in text and side != "both":
        yield f"not told, and the interval is {low} to {high}"
    told_apart = (said.facts["p_value"] or 1) < 1 - said.facts["confidence_level"]
    if low is not None and (side != "both") != told_apart:
        yield f"p = {said.facts['p_value']} and the interval is {low} to {high}"


def _compare_beside(told: Told, said: Sentence) -> Iterator[str]:
    facts = said.facts
    differs = facts["judge"] * facts["value"] < 0
    if differs != facts["sign_differs"] or ("sign of the judge" in said.text and not differs):
        yield "signs differ, or do not"
    if ("wrong way round" in said.text) != facts["turned"] or (facts["turned"] and not differs):
        yield "turned, or not"


def _compare_leaders(told: Told, said: Sentence) -> Iterator[str]:
    first, gaps = said.facts["first"], _gaps(told, said)
    for (system, opponent), gap in gaps.items():
        if first not in (system, opponent) or gap.interval is None:
            continue
        other, sign = (opponent, 1) if first == system else (system, -1)
        if sign * gap.value < -CLOSE:
            yield f"{other} has a higher value than {first}"
        tied = _sides(gap.interval.low, gap.interval.high) == "both"
        if tied != (other in said.facts["tied"]):
            yield f"{other} is {'not ' * (not tied)}level with {first}"


def _compare_apart(told: Told, said: Sentence) -> Iterator[str]:
    gaps = [gap for gap in _gaps(told, said).values() if gap.interval is not None]
    if not gaps:
        return
    apart = sum(_sides(g.interval.low, g.interval.high) != "both" for g in gaps if g.interval)
    if apart != said.facts["apart"]:
        yield f"{apart} are told from 0"


def _compare_turned(told: Told, said: Sentence) -> Iterator[str]:
    gaps = _gaps(told, said)
    for system, opponent in said.facts["turned"]:
        gap = gaps.get((system, opponent))
        if gap is not None and gap.interval is not None and 0 in gap.interval:
            yield f"{system} and {opponent} are not told apart"


def _agree_option(told: Told, said: Sentence) -> Iterator[str]:
    if said.facts["high"] >= said.facts["elsewhere"]:
        yield "it may be as good on this option as on the others"


def _audit_downstream(told: Told, said: Sentence) -> Iterator[str]:
    """Worth is not told exactly where its interval holds every share, or nearly, or is none."""
    facts = said.facts
    low, high = facts["decision_consistency_low"], facts["decision_consistency_high"]
    nothing = low is None or high is None or high - low > 0.99
    untold = "cannot be told" in said.text or "cannot tell" in said.text
    if not nothing == untold == (not facts["told"]):
        yield f"the interval is {low} to {high}"


def _replace_verdict(told: Told, said: Sentence) -> Iterator[str]:
    """Yes and no need as many people as are needed; what is neither cannot be told."""
    facts, text = said.facts, said.text
    unsure = "cannot be told" in text or text.startswith("Too few")
    if unsure != (facts["verdict"] in ("unknown", "few")):
        yield f"the verdict is {facts['verdict']}"
    if facts["verdict"] == "yes" and len(facts["matched"]) < facts["needed"]:
        yield f"{len(facts['matched'])} are matched"
    if facts["verdict"] == "no" and len(facts["worse"]) <= facts["people"] - facts["needed"]:
        yield f"{len(facts['worse'])} are closer"


def _route_shift(told: Told, said: Sentence) -> Iterator[str]:
    if ("cannot be told apart" in said.text) != (said.facts["p_value"] >= 0.05):
        yield f"p is {said.facts['p_value']}"


def _estimate_furthest(told: Told, said: Sentence) -> Iterator[str]:
    """On no other system (or criterion) is the judge's mean further from people's."""
    if ("furthest" in said.text) != said.facts["furthest"]:
        yield "words and facts differ"
    if not said.facts["furthest"]:
        return

    def off(about: Mapping[str, str]) -> float:
        part = told.naive.within(about)
        if part.scale == "ordinal":
            return abs(
                _mean_called(told, replace(said, about={**said.about, **about})) - _mean_grade(part)
            )
        people, own = part.behind_mean(_judge(said)), part.scores("judge", _judge(said))
        if not people or not own:
            return 0.0
        return abs(sum(own.values()) / len(own) - sum(people.values()) / len(people))

    mine = off(said.about)
    for row in told.naive.rows:
        keys = ("criterion",) if told.naive.scale == "ordinal" else ("system", "criterion")
        about = {key: row[key] for key in keys if row.get(key)}
        if off(about) > mine + CLOSE:
            yield f"further off on {about}"
            return


def _judge_taken(told: Told, said: Sentence) -> Iterator[str]:
    """No other compared judge has a higher number."""
    if told.naive.scale == "continuous" or said.facts["value"] is None:
        return
    for judge in told.naive.shared()[0]:
        value = _by_criterion(told, judge, _own_name(said))
        if value is not None and value > said.facts["value"] + CLOSE:
            yield f"{judge} has {value}"
    if (_as_high(told, said) > 1) != ("one of" in said.text):
        yield f"{_as_high(told, said)} have the highest"


def _audit_selection(told: Told, said: Sentence) -> Iterator[str]:
    """Judges that cannot be told from the chosen one are marked so in the table, and named."""
    table = told.found["audit"].summary if "audit" in told.found else None
    if table is None:
        return
    marked = {line.label for line in table.lines if line.tied}
    if not set(said.facts["tied"]) <= marked:
        yield f"{said.facts['tied']} are told from the first in the table"
    if ("cannot be told" in said.text) > bool(said.facts["tied"]):
        yield "nobody is level"


def _not_random(told: Told, said: Sentence) -> Iterator[str]:
    """Labels that are not drawn at random, though declared so, by a test that is surely passed."""
    if told.naive.task.get("calibration") != "random":
        yield "nothing was declared"
    if said.facts["p_value"] * said.facts["tests"] >= 0.05:
        yield f"p is {said.facts['p_value']} of {said.facts['tests']} tests"
    if "option" in said.facts and _same(said.facts["labelled"], said.facts["others"]):
        yield "both are called alike"


def _estimate_ranking(told: Told, said: Sentence) -> Iterator[str]:
    """An order is said to be unknown where no difference lies off 0, and only there."""
    facts = said.facts
    if (" tell apart" in said.text) != (not facts["told_apart"] and not facts["moved"]):
        yield "words and facts differ"
    judge, criterion = (said.about.get(key) for key in ("judge", "criterion"))
    spans = [
        row.result.interval
        for row in told.found["estimate"].rows
        if row.result.name == "prevalence_difference"
        and (row.about.get("judge"), row.about.get("criterion")) == (judge, criterion)
        and isinstance(row.result, Estimate)
        and row.result.interval is not None
    ]
    if spans and any(one.low > 0 or one.high < 0 for one in spans) != facts["told_apart"]:
        yield f"the differences lie in {[(one.low, one.high) for one in spans]}"


RULES: Mapping[str, Rule] = {
    "estimate.ranking": _estimate_ranking,
    "audit.selection": _audit_selection,
    "compare.not_random": _not_random,
    "estimate.not_random": _not_random,
    "report.not_random": _not_random,
    "compare.judge": _judge_taken,
    "estimate.mean_score": _estimate_furthest,
    "audit.downstream": _audit_downstream,
    "compare.apart": _compare_apart,
    "compare.beside": _compare_beside,
    "compare.leaders": _compare_leaders,
    "compare.turned": _compare_turned,
    "compare.verdict": _compare_verdict,
    "replace.verdict": _replace_verdict,
    "route.shift": _route_shift,
    "agree.beside_people": _agree_beside,
    "agree.juries": _agree_juries,
    "agree.length": _leaning(0.0),
    "agree.option": _agree_option,
    "agree.position": _leaning(0.5),
    "agree.strictness": _agree_strictness,
    "agree.told_apart": _agree_told_apart,
    "agree.unlike_judges": _leaning(0.0),
    "plan.judge": _judge_taken,
    "plan.labels_needed": _plan_needed,
    "rank.decisiveness": _rank_decisiveness,
    "rank.items_and_systems": _rank_items,
    "rank.kendall_tau": _rank_tau,
    "rank.jury": _rank_jury,
    "rank.slices": _rank_slices,
    "rank.told_apart": _rank_told_apart,
    "rank.top": _rank_top,
    "report.chance": _report_chance,
    "report.may_best": _report_standing,
    "report.not_as_people": _report_as_people,
    "report.not_best": _report_standing,
    "report.not_chance": _report_chance,
    "report.other_ranker": _report_other_ranker,
    "report.may_system": _report_system,
    "report.not_system": _report_system,
    "report.systems": _report_system,
    "report.trust": _report_standing,
    "select.best": _select_best,
    "select.cannot_tell": _select_cannot_tell,
    "select.guessing": _select_guessing,
    "select.like_a_coin": _select_coins,
    "select.told_apart": _select_told_apart,
    "select.silent": _select_silent,
    "select.only": _select_only,
    "report.silent": _report_silent,
    "agree.silent": _agree_silent,
    "select.worse_than_a_coin": _select_coins,
}


# --- one sentence and another ---------------------------------------------------------------------


def contradictions(told: Told) -> Iterator[str]:
    """One thing that two sentences say differently, in one document or in two."""
    seen: dict[tuple[Any, ...], tuple[Any, str]] = {}
    for found in told.found.values():
        for said in sentences_of(found):
            for name, value in _named_facts(said):
                about = {k: v for k, v in said.about.items() if k != "option"}
                option = _option(told, said) if name.startswith("prevalence") else None
                key = (name, tuple(sorted(about.items())), option)
                known, by = seen.setdefault(key, (value, said.key))
                if not _same(value, known):
                    yield f"{name} of {about} is {known} in {by} and {value} in {said.key}"
    yield from _two_leaders(told)
    yield from _rates_to_write(told)
    yield from _report_numbers(told)
    yield from _answerable(told)


def _rates_to_write(told: Told) -> Iterator[str]:
    """A judge's rate that may not be written lies, as it is written, outside what may be."""
    may, may_not = (
        told.sentence("report", f"report.{key}") for key in ("may_rate", "not_own_rate")
    )
    if may is None or may_not is None or may.about != may_not.about or not may_not.facts["apart"]:
        return
    ends = re.search(r" CI ([\d.]+) to ([\d.]+) %", may.text)
    own = re.match(r"“([\d.]+) %", may_not.text)
    if ends and own and float(ends[1]) <= float(own[1]) <= float(ends[2]):
        yield f"{may_not.text} beside {may.text}"


#: Questions that refuse what only a look at all numbers tells: scores that run against the
#: verdicts, people who never differ.
LOOKED_AT = frozenset({"route", "replace"})


def _answerable(told: Told) -> Iterator[str]:
    """A check says which questions the table answers, and those do; the others refuse it."""
    said = told.sentence("check", "check.answers")
    if said is None:
        return
    for verb in said.facts["now"]:
        if verb in told.refused and verb not in LOOKED_AT:
            yield f"check says that {verb} answers, which says: {told.refused[verb]}"
    for verb in said.facts["not_yet"]:
        if verb in told.found and not told.found[verb].answer[0].key.endswith(".undefined"):
            yield f"check says that {verb} does not answer yet, and it does"


def _named_facts(said: Sentence) -> Iterator[tuple[str, Any]]:
    """Facts that are a result of a name about what the sentence is about."""
    facts = said.facts
    if said.key.startswith("report."):
        for key, one in facts.items():
            if isinstance(one, Mapping) and "name" in one and key != "other_tau":
                yield one["name"], one["value"]
        return
    if facts.get("name") and facts.get("value") is not None:
        yield facts["name"], facts["value"]
    for name in MEASURES.keys() & facts.keys():
        if said.key not in (
            "audit.downstream",
            "audit.prevalence_by_beta",  # of decisions, at each of several shares
            "select.threshold",
            "plan.region",
        ):
            yield name, facts[name]


def _two_leaders(told: Told) -> Iterator[str]:
    """Agree and select, where they go by one number, have one order and one group of level ones."""
    agree, select = (told.sentence(verb, f"{verb}.told_apart") for verb in ("agree", "select"))
    if agree is None or select is None:
        return
    if (agree.facts["metric"], select.facts["criterion"]) != ("accuracy", "decision_consistency"):
        return
    if len(told.naive.options) > 2:
        return  # decisions are for or against the positive option, agreement is on all of them
    if agree.facts["n_items"] != select.facts["n_items"]:
        yield f"agree compares on {agree.facts['n_items']}, select on {select.facts['n_items']}"
    if _judge(agree) != _judge(select):
        yield f"agree puts {_judge(agree)} first, select {_judge(select)}"
    for key in ("cannot_be_told_from", "better_than"):
        if sorted(agree.facts[key]) != sorted(select.facts[key]):
            yield f"{key}: agree {agree.facts[key]}, select {select.facts[key]}"


def _report_numbers(told: Told) -> Iterator[str]:
    """What a report says is what its question found of that judge."""
    if "report" not in told.found:
        return
    for said in sentences_of(told.found["report"]):
        verb = said.facts.get("verb")
        for key, one in said.facts.items():
            if not isinstance(one, Mapping) or "name" not in one:
                continue
            judge = said.facts["other"] if key == "other_tau" else said.about.get("judge")
            rows = told.found[verb].rows_where(name=one["name"], judge=judge)
            if one["value"] not in [getattr(row.result, "value", None) for row in rows]:
                yield f"{said.key}.{key} is {one['value']}, which {verb} does not say of {judge}"
