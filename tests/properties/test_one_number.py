"""One number, one place: all questions about one random study, and nothing that contradicts.

Two questions that show a result of one name about one thing (judge, criterion, system, level,
aggregation, option, ...) show the same value, ends and sizes, and the report shows them again.
Where sentences and tables of two questions speak of the same thing, they say the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest
from asked_studies import FEWEST, SLOW_FROM, SLOW_UNTIL, asked, of_studies
from internals import SHARED, Result, Row
from random_studies import RandomStudy, random_study

import goldassay as ga
from goldassay import Findings, InputError, Sentence

#: Question -> options. Estimate, plan and check draw nothing that could be drawn less often.
QUESTIONS: Mapping[str, Mapping[str, Any]] = {
    "check": {},
    "agree": FEWEST,
    "select": FEWEST,
    "estimate": {},
    "plan": {},
    "audit": FEWEST,
    "replace": {},
    "route": {},
    "rank": FEWEST,
    "monitor": {},
    "compare": {},
}
#: What a report does not ask.
NOT_REPORTED = {"check", "monitor"}
#: Audits are slow and share no name with others; a report asks everything again.
EVERY = {"audit": 10, "report": 10}
#: Rows that stand for the whole table: what these say of exclusions is the same.
PAIRED = ("check", "agree", "select", "report")


@dataclass(frozen=True)
class Contradiction:
    """What is contradicted, in which study, and how."""

    what: str
    study: int
    how: str


@dataclass(frozen=True)
class Asked:
    """A study and what each question found in it; a question that it does not allow is missing."""

    study: RandomStudy
    found: Mapping[str, Findings]

    def result(self, verb: str, name: str, about: Mapping[str, str]) -> Result | None:
        """The result of a name about something, all decisions taken together."""
        rows = self.found[verb].rows if verb in self.found else ()
        wanted = name, tuple(sorted(about.items()))
        return next((row.result for row in rows if subject(row) == wanted), None)

    def contradiction(self, what: str, how: object) -> Contradiction:
        return Contradiction(what, self.study.number, str(how))


def ask(number: int) -> Asked:
    """Everything that one study allows; the thorough questions now and then."""
    questions = {**QUESTIONS, "report": FEWEST}
    answers = {
        verb: asked(number, verb, **options)
        for verb, options in questions.items()
        if number % EVERY.get(verb, 1) == 0
    }
    found = {verb: one for verb, one in answers.items() if isinstance(one, Findings)}
    return Asked(random_study(number), found)


def subject(row: Row) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The name of a result and what it is about; the level of all decisions is micro."""
    about = {key: value for key, value in row.about.items() if value is not None}
    if about.get("level") == "micro":
        del about["level"]
    return row.result.name, tuple(sorted(about.items()))


def shown(result: Result) -> tuple[Any, ...]:
    """What a reader sees of a result: value, ends, level, sizes."""
    interval = result.interval
    ends = (interval.low, interval.high, interval.confidence_level) if interval else None
    sizes = result.n_items, getattr(result, "n_clusters", None)
    return getattr(result, "value", None), ends, *sizes


# --- what may be contradicted -------------------------------------------------------------------


def contradictions(asked: Asked) -> Iterator[Contradiction]:
    for rule in (
        results_of_two_questions,
        the_report_repeats,
        facts_of_sentences,
        other_choices,
        rows_read_used_and_excluded,
        who_is_told_apart,
        lengths,
        orders,
        who_may_stand_in,
        what_is_decided_alone,
        a_passport_and_its_report,
        a_document_and_itself,
    ):
        yield from rule(asked)


def is_same(one: Any, two: Any) -> bool:
    """Equal but for what adding up in another order changes, which a processor may."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(is_same, one, two))
    if isinstance(one, float) and isinstance(two, float):
        # Rates of strata are put together from sums, whose differences have the error of the sums.
        return math.isclose(one, two, rel_tol=1e-13, abs_tol=1e-12)
    return bool(one == two)


def results_of_two_questions(asked: Asked) -> Iterator[Contradiction]:
    """One name about one thing has one value, in one document and in two."""
    seen: dict[str, dict[Any, Any]] = {}
    for verb in QUESTIONS:
        rows = asked.found[verb].rows if verb in asked.found else ()
        mine: dict[Any, Any] = {}
        for row in rows:
            if mine.setdefault(subject(row), shown(row.result)) != shown(row.result):
                yield asked.contradiction(f"{row.result.name} twice in {verb}", subject(row))
        seen[verb] = mine
    for one, two in combinations(QUESTIONS, 2):
        for key in seen[one].keys() & seen[two].keys():
            if not is_same(seen[one][key], seen[two][key]):
                both = f"{key}: {seen[one][key]} and {seen[two][key]}"
                yield asked.contradiction(f"{key[0]} of {one} and {two}", both)


def the_report_repeats(asked: Asked) -> Iterator[Contradiction]:
    """Each part of a report is what its question says alone."""
    if "report" not in asked.found:
        return
    report = asked.found["report"]
    parts = {part["verb"]: part for part in report.more["parts"]}
    for verb in QUESTIONS.keys() & asked.found.keys() - NOT_REPORTED:
        alone, rows = asked.found[verb].document(), report.rows_where(verb=verb)
        again = [{k: v for k, v in row.to_json().items() if k != "verb"} for row in rows]
        if again != alone["results"]:
            yield asked.contradiction(f"results of {verb} in the report", verb)
        for key in ("answer", "sentences", "tables", "warnings"):
            if parts[verb][key] != alone[key]:
                yield asked.contradiction(f"{key} of {verb} in the report", parts[verb][key])
    if len(parts) + len(report.more["not_run"]) != len(QUESTIONS.keys() - NOT_REPORTED):
        yield asked.contradiction("questions of the report", report.more["not_run"])


def facts_of_sentences(asked: Asked) -> Iterator[Contradiction]:
    """A number in a sentence is the result of that name, whoever shows it."""
    for verb in QUESTIONS.keys() & asked.found.keys():
        for one in asked.found[verb].answer:
            name, value = one.facts.get("name"), one.facts.get("value")
            by = {"aggregation": one.facts["aggregation"]} if "aggregation" in one.facts else {}
            for other in QUESTIONS if value is not None else ():
                result = asked.result(other, str(name), {**one.about, **by})
                if result is not None and getattr(result, "value", None) != value:
                    yield asked.contradiction(f"{name} in {one.key} and {other}", one)


def other_choices(asked: Asked) -> Iterator[Contradiction]:
    """What select says that other metrics are is what agree says, on the same items."""
    table = asked.found["select"].tables.get("choices") if "select" in asked.found else None
    if table and any(row.result.name.endswith(SHARED) for row in asked.found["select"].rows):
        return  # its candidates decide different items, and are compared on those of all
    for metric, judge, value, _ in table.rows if table else ():
        result = asked.result("agree", metric, {"judge": judge})
        if result is not None and getattr(result, "value", None) != value:
            yield asked.contradiction(f"{metric} among select's choices and agree", (value, result))


def rows_read_used_and_excluded(asked: Asked) -> Iterator[Contradiction]:
    """Rows read = used + excluded; questions that pair judges with people leave out the same."""
    read = asked.study.frame.height
    for verb, findings in asked.found.items():
        counted = findings.document()["rows"]
        if counted["read"] != read or counted["used"] + counted["excluded"] != read:
            yield asked.contradiction(f"rows of {verb}", counted)
        if not 0 <= counted["used"] <= read:
            yield asked.contradiction(f"rows used by {verb}", counted)
        for one in findings.exclusions:
            if any(sum(spread.values()) != one.rows for spread in one.by.values()):
                yield asked.contradiction(f"spread of exclusions of {verb}", one)
    paired = [verb for verb in PAIRED if verb in asked.found]
    if asked.study.task["scale"] == "continuous":
        return  # scores are paired by agree alone
    for one, two in combinations(paired, 2):
        if asked.found[one].exclusions != asked.found[two].exclusions:
            both = asked.found[one].exclusions, asked.found[two].exclusions
            yield asked.contradiction(f"exclusions of {one} and {two}", both)


def level_with_the_best(answer: Iterable[Sentence]) -> tuple[str | None, list[str]]:
    """The judge that select puts first, and those that it cannot tell from it."""
    best, others = None, []
    for one in answer:
        if one.key == "select.best":
            best = one.about["judge"]
        elif one.key == "select.told_apart":
            others += one.facts["cannot_be_told_from"]
    return best, others


def who_is_told_apart(asked: Asked) -> Iterator[Contradiction]:
    """Select's sentences, its table and the report name the same judges."""
    if "select" not in asked.found:
        return
    select = asked.found["select"]
    best, others = level_with_the_best(select.answer)
    if best is None:
        return
    table = select.tables["judges"]
    apart = table.columns.index("told apart")
    listed = [row[0] for row in table.rows[1:] if row[apart] == "no"]
    if table.rows[0][0] != best or sorted(listed) != sorted(others):
        yield asked.contradiction("told apart: select's sentences and table", (others, listed))
    if "report" not in asked.found:
        return
    report = asked.found["report"]
    said = [one.text for one in report.answer] + report.more["claims"]["may"]
    if others and any(" is the best of " in one for one in said):
        yield asked.contradiction("told apart: select and report", said)
    level = [one.split(" cannot be told apart")[0] for one in said if "cannot be told ap" in one]
    for one in level:
        everyone = f"The {len(report.more['judges'])} judges" in one
        named = [judge for judge in report.more["judges"] if everyone or judge in one]
        if sorted(named) != sorted([best, *others]):
            yield asked.contradiction("told apart: select and report", (one, best, others))


def lengths(asked: Asked) -> Iterator[Contradiction]:
    """The length with the labels so far is that of the interval that these labels give."""
    if not {"plan", "estimate"} <= asked.found.keys():
        return
    task = asked.study.task
    of_option = {} if len(task.get("options", ())) == 2 else {"option": str(task.get("positive"))}
    for row in asked.found["plan"].rows_where(name="length_now"):
        about = {key: str(value) for key, value in row.about.items()}
        rate = asked.result("estimate", "prevalence", {**about, **of_option})
        now = getattr(row.result, "value", None)
        if rate is None or rate.interval is None or now is None:
            continue
        if not math.isclose(rate.interval.length, now, rel_tol=1e-9):
            yield asked.contradiction("length: plan and estimate", (rate, now))


def orders(asked: Asked) -> Iterator[Contradiction]:
    """A tau without ties and the share of pairs in people's order are one number on two scales."""
    if not {"rank", "select"} <= asked.found.keys():
        return
    try:
        chosen = ga.select(asked.study.frame, asked.study.task, goal="ranking", **FEWEST)
    except InputError:
        return
    for row in chosen.rows_where(name="ranking_agreement"):
        about = {"judge": row.about["judge"], "aggregation": "mean"}
        taus = asked.found["rank"].rows_where(name="kendall_tau", **about)
        tau = getattr(taus[0].result, "value", None) if taus else None
        share = getattr(row.result, "value", None)
        # Two or three systems in a strict order on both sides: 1 or 3 pairs, all of them untied.
        if tau is None or share is None or 6 * share % 2 or not math.isclose(3 * tau % 2, 1):
            continue
        if not math.isclose(share, (1 + tau) / 2, abs_tol=1e-9):
            yield asked.contradiction("order: rank and select", (row, taus))


def said_by(asked: Asked, verb: str, key: str) -> list[Sentence]:
    found = asked.found.get(verb)
    return [one for one in (*found.answer, *found.notes) if one.key == key] if found else []


def who_may_stand_in(asked: Asked) -> Iterator[Contradiction]:
    """What replace says of a judge is what its table says, and so is what it says of the others."""
    if "replace" not in asked.found:
        return
    summary = asked.found["replace"].summary
    assert summary is not None
    place = summary.columns.index("may stand in")
    listed = {line.label: line.cells[place] for line in summary.lines}
    for one in said_by(asked, "replace", "replace.verdict"):
        shown = listed[one.about["judge"]]
        if (" may stand in for one of" in one.text and "whether" not in one.text) != (
            shown == "yes"
        ) or (" may not stand in" in one.text) != (shown == "no"):
            yield asked.contradiction("may stand in: sentence and table", (one.text, shown))
    for one in said_by(asked, "replace", "replace.others"):
        also = [judge for judge in one.facts["judges"] if listed[judge] == "yes"]
        if sorted(also) != sorted(one.facts["may"]):
            yield asked.contradiction("may stand in: the others", (one.text, also))


def what_is_decided_alone(asked: Asked) -> Iterator[Contradiction]:
    """Route's sentence, its share and its error: what is decided alone keeps the limit."""
    for one in said_by(asked, "route", "route.rule"):
        facts, about = one.facts, {"judge": one.about["judge"]}
        share = asked.result("route", "share_decided", about)
        value = getattr(share, "value", None)
        if value is not None and not math.isclose(value, facts["decided"] / facts["items"]):
            yield asked.contradiction("decided alone: sentence and share", (one.text, share))
        if facts["holds"] != (facts["decided"] > 0) and facts["items"]:
            yield asked.contradiction("decided alone: holds, and nothing is", one.text)


def a_passport_and_its_report(asked: Asked) -> Iterator[Contradiction]:
    """A passport of the report's judge says of it what the report's questions say."""
    judge = asked.found["report"].more.get("judge") if "report" in asked.found else None
    if not judge:
        return
    try:
        passport = ga.certify(asked.study.frame, asked.study.task, judge=judge, **FEWEST)
    except InputError:
        return
    for name in ("accuracy", "cohen_kappa", "balanced_accuracy"):
        mine = [row for row in passport.rows if subject(row) == (name, (("judge", judge),))]
        agree = asked.result("agree", name, {"judge": judge})
        for row in mine if agree is not None else ():
            if shown(row.result)[0] != shown(agree)[0]:
                yield asked.contradiction(f"{name} of a passport and agree", (row, agree))


def a_document_and_itself(asked: Asked) -> Iterator[Contradiction]:
    """Nothing rose or fell between a report and the same report."""
    if "report" not in asked.found:
        return
    found = ga.diff(asked.found["report"], asked.found["report"])
    counted = next(one for one in found.answer if one.key == "diff.counted")
    if counted.facts["rose"] or counted.facts["fell"]:
        yield asked.contradiction("a report and itself", counted.text)


# --- the tests ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[of_studies(first), *[pytest.mark.slow] * (first >= SLOW_FROM)])
        for first in range(0, SLOW_UNTIL, 10)
    ],
)
def test_no_number_has_two_values(first: int) -> None:
    found = [one for number in range(first, first + 10) for one in contradictions(ask(number))]
    assert not found, "\n".join(map(str, {one.what: one for one in found}.values()))


def test_the_studies_have_everything() -> None:
    """Every scale, way to handle, design and column occurs, or equality above would say little."""
    studies = [random_study(number) for number in range(SLOW_FROM)]
    weighed = {random_study(number).task.get("weights") for number in range(SLOW_UNTIL)}
    assert {"unweighted", "linear", "quadratic"} <= weighed
    for key, values in {
        "scale": {"binary", "nominal", "ordinal", "continuous", "pairwise"},
        "abstentions": {"exclude", "recode", "class"},
        "invalids": {"exclude", "wrong", "class"},
        "reference": {"each", "majority", "soft"},
        "ties": {"half", "exclude", "class"},
        "cluster": {"item", "cluster"},
        "calibration": {"random", "by_verdict", "by_label", "separate"},
    }.items():
        assert values <= {study.task.get(key) for study in studies}
    columns = {name for study in studies for name in study.frame.columns}
    assert {"criterion", "system", "opponent", "sample", "split", "weight", "score"} <= columns


def test_a_wrong_number_is_found() -> None:
    """The test of the test: move one number of agree, and it says where it stood."""
    asked = next(
        one for one in map(ask, range(0, SLOW_FROM, 10)) if {"report", "select"} <= {*one.found}
    )
    moved = tuple(
        Row(replace(row.result, n_items=row.result.n_items + 1), row.about)
        if row.result.name == "youden_j"
        else row
        for row in asked.found["agree"].rows
    )
    agree = replace(asked.found["agree"], rows=moved)
    found = contradictions(Asked(asked.study, {**asked.found, "agree": agree}))
    assert {"youden_j of agree and select", "results of agree in the report"} <= {
        one.what for one in found
    }
