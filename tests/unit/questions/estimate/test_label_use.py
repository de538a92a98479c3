"""Whose labels correct a system: its own, or those of all where that is declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sample_cells import sample_of_cells

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.systems import labelled_together, system_rates
from goldassay.results import Estimate

RANDOM = drawing("random", apart=False)
#: Rows negative, positive, not labelled; columns called negative, called positive.
WHOLE = [[70, 10], [4, 16], [0, 0]]
MANY = [[12, 3], [2, 13], [40, 30]]
FEW = [[1, 0], [0, 2], [50, 47]]
OTHER_FEW = [[2, 1], [0, 1], [60, 36]]
TASK = {"scale": "binary", "options": ["no", "yes"], "positive": "yes", "calibration": "random"}


def ends(result: Any) -> tuple[float, float, float]:
    assert isinstance(result, Estimate)
    assert result.interval is not None
    return result.value, result.interval.low, result.interval.high


def rates_of(*groups: list[list[int]], shared: bool = False) -> Any:
    found = system_rates(sample_of_cells(*groups), RANDOM, shared=shared, confidence_level=0.95)
    assert found is not None
    return found


def test_labels_of_one_system_say_nothing_of_another_unless_shared() -> None:
    one, other = rates_of(WHOLE, MANY, FEW), rates_of(WHOLE, MANY, OTHER_FEW)
    assert [ends(rate) for rate in one.rates[:2]] == [ends(rate) for rate in other.rates[:2]]
    assert one.rates[0].value == pytest.approx(0.2)
    assert {rate.interval.method.split(", ")[1] for rate in one.rates} == {"own labels"}
    first, second = (rates_of(WHOLE, MANY, some, shared=True) for some in (FEW, OTHER_FEW))
    assert ends(first.rates[1]) != ends(second.rates[1])
    methods = {rate.interval.method.split(", ")[1] for rate in first.rates}
    assert methods == {"labels of all systems"}
    assert first.board.shared
    assert not one.board.shared


@pytest.mark.parametrize("shared", [False, True])
def test_where_all_is_labelled_nothing_is_corrected(shared: bool) -> None:
    use = LabelUse.of(sample_of_cells(WHOLE, WHOLE).total, RANDOM, shared=shared)
    assert (use.complete, use.shared) == (True, False)
    part = LabelUse.of(sample_of_cells(WHOLE, FEW).total, RANDOM, shared=shared)
    assert (part.complete, part.shared) == (False, shared)


def rows_of(labels: dict[str, int], seed: int = 3) -> list[dict[str, str]]:
    """200 items of each system, so many of them labelled; the judge is right in nine of ten."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, str]] = []
    for system, number in labels.items():
        for k in range(200):
            item = {"item": f"{system}{k}", "system": system}
            yes = bool(rng.random() < 0.6)
            said = yes if rng.random() < 0.9 else not yes
            rows.append(item | {"rater": "bot", "kind": "judge", "value": "yes" if said else "no"})
            if k < number:
                rows.append(
                    item | {"rater": "ann", "kind": "human", "value": "yes" if yes else "no"}
                )
    return rows


def rate(found: Any, system: str) -> Any:
    rows = (row for row in found.rows if row.result.name == "prevalence")
    return next(row.result for row in rows if row.about.get("system") == system)


@pytest.mark.parametrize("number", [3, 8, 14, 15, 40])
@pytest.mark.parametrize("verb", [ga.estimate, ga.compare])
def test_each_systems_rate_is_that_of_its_own_table(number: int, verb: Any) -> None:
    rows = rows_of({"A": number, "B": 60, "C": 25})
    found = verb(rows, TASK)
    for system in "ABC":
        alone = [row for row in rows if row["system"] == system]
        own = ga.estimate(alone, TASK)["prevalence", "bot"]
        assert ends(rate(found, system)) == pytest.approx(ends(own))


def test_shared_labels_are_declared_and_what_they_would_give_is_said() -> None:
    rows = rows_of({"A": 8, "B": 8, "C": 8})
    declared = TASK | {"shared_labels": True}
    for verb, key, name in (
        (ga.estimate, "estimate.if_shared", "prevalence"),
        (ga.compare, "compare.if_shared", "difference"),
    ):
        own, shared = verb(rows, TASK), verb(rows, declared)
        (said,) = [one for one in (*own.answer, *own.notes) if one.key == key]

        def length(found: Any, name: str = name) -> float:
            results = [row.result for row in found.rows if row.result.name == name]
            of_systems = results[-3:]  # the rate of everything comes first
            return float(np.mean([one.interval.length for one in of_systems]))

        # Ends of differences are at the level of each one's own family.
        tolerance = 0.02 if key.startswith("compare") else 1e-9
        assert said.facts["own"] == pytest.approx(length(own))
        assert said.facts["shared"] == pytest.approx(length(shared), abs=tolerance)
        assert said.facts["shared"] < said.facts["own"]
        assert not [one for one in (*shared.answer, *shared.notes) if one.key == key]
        assert "If `bot` errs alike on every system, " in said.text
        assert "f `bot` errs alike on every system, " in str(ga.compare(rows, declared))


def test_a_system_without_a_label_is_unknown_and_what_would_tell_is_said() -> None:
    found = ga.estimate(rows_of({"A": 40, "B": 40, "C": 0}), TASK)
    unknown = rate(found, "C")
    assert "shared_labels = true" in unknown.reason
    # The labelled items are no random part of all: what the rate of all is hangs on C.
    assert "`C`: no item of it is labelled" in found["prevalence"].reason
    shared = ga.estimate(rows_of({"A": 40, "B": 40, "C": 0}), TASK | {"shared_labels": True})
    assert isinstance(rate(shared, "C"), Estimate)
    assert isinstance(shared["prevalence"], Estimate)
    assert "if it errs alike on every system" in shared.answer[0].text
    # Compared, too: the system is said to lack labels.
    (pair,) = ga.compare(rows_of({"A": 40, "C": 0}), TASK).rows_where(name="difference")
    assert "shared_labels = true" in pair.result.reason


def test_the_former_option_says_what_to_declare(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("estimate", "compare"):
        assert run([verb, "ratings.csv", "--labels", "shared"]) == 2
        assert "shared_labels = true" in capsys.readouterr().err


def test_a_whole_system_counts_items_on_which_the_judge_is_silent() -> None:
    """A's 40 items are labelled, 20 of them yes; on five of these the judge says nothing."""
    rows: list[dict[str, str]] = []

    def add(system: str, k: int, rater: str, kind: str, value: str) -> None:
        item = {"item": f"{system}{k}", "system": system}
        rows.append({**item, "rater": rater, "kind": kind, "value": value})

    for system, labels in (("A", 40), ("B", 3)):
        for k in range(40):
            true = "yes" if k % 2 else "no"
            wrong = "no" if k % 2 else "yes"
            if system == "B" or k % 8 != 1:
                add(system, k, "bot", "judge", wrong if k % 5 == 0 else true)
            if k < labels:
                add(system, k, "ann", "human", true)
    found = ga.estimate(rows, TASK)
    whole, few = rate(found, "A"), rate(found, "B")
    assert (whole.value, whole.n_items) == (0.5, 40)
    # The headline is the mean of the two, by their items: labels were drawn by system.
    assert found["prevalence"].value == pytest.approx((whole.value + few.value) / 2)
    assert found["prevalence"].declared["estimator"] == "by_system"
    compared = ga.compare(rows, TASK)
    (pair,) = [row.result for row in compared.rows if row.result.name == "difference"]
    assert pair.value == pytest.approx(few.value - whole.value)


@pytest.mark.parametrize(("systems", "prompts", "together"), [(1, 10, 10), (3, 1, 1), (3, 10, 10)])
def test_how_many_items_are_labelled_together(systems: int, prompts: int, together: float) -> None:
    """Every other cluster is labelled whole: `prompts` of each of its systems."""
    cells = np.zeros((8, systems, 3, 2))
    cells[::2, :, 0, 0] = cells[1::2, :, 2, 0] = prompts
    sample = replace(
        sample_of_cells(*[FEW] * systems),
        cells=cells,
        multiplicity=np.ones(8, np.int64),
        n_items=8 * systems * prompts,
    )
    assert labelled_together(sample) == pytest.approx(together)
