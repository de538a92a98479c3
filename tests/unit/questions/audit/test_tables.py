"""The tables of an audit are functions of its study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from audit_counts import TASK, judged

from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.populations import Groups, GroupTest
from goldassay.questions.audit.rank_consistency import Orders
from goldassay.questions.audit.sensitivity import ImpliedBeta
from goldassay.questions.audit.study import AuditStudy, RankConsistency, study
from goldassay.questions.audit.tables import tables
from goldassay.results import Estimate, Undefined

HITS, KAPPA, FLEISS, *_ = table_1()


@pytest.fixture(scope="module")
def found() -> AuditStudy:
    return study(judged(), TASK, draws=Draws(resamples=100, panels=2))


def test_which_tables_there_are(found: AuditStudy) -> None:
    assert list(tables(found)) == [
        "definitions",
        "rank_consistency",
        "sensitivity_consistency",
        "sensitivity_bias",
        "prevalence",
        "rater_error",
        "raters",
        "ceiling",
    ]


def test_definitions_show_results_and_whom_they_select(found: AuditStudy) -> None:
    table = tables(found)["definitions"]
    assert table.columns == ("definition", "good", "bad", "selects")
    for row, one in zip(table.rows, found.compared, strict=True):
        values = [r.value if isinstance(r, Estimate) else None for r in one.results]
        assert row == (one.definition.label, *values, one.selects)
    kl = next(row for row in table.rows if row[0] == "kl_divergence s/s")
    assert kl[1:] == (None, None, None)  # a logarithm of 0
    assert "Empty: undefined" in table.notes[0]
    whole = tuple(
        one for one in found.compared if not any(isinstance(r, Undefined) for r in one.results)
    )
    assert "Empty" not in tables(replace(found, compared=whole))["definitions"].notes[0]


def test_pairs_that_differ_most_come_first(found: AuditStudy) -> None:
    nan = np.nan
    discordance = np.array([[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])
    low, high = discordance - 0.25, discordance + 0.25
    low[1, 2] = high[1, 2] = nan
    otherwise = np.array([[0, 0.1, 0.2], [0.1, 0, nan], [0.2, nan, 0]])
    orders = Orders(discordance, low, high, otherwise)
    changed = replace(found, rank_consistency=RankConsistency((HITS, KAPPA, FLEISS), orders))
    assert tables(changed)["rank_consistency"].rows == (
        ("hit_rate h/h", "cohen_kappa h/h", 0.5, "25, 75", 0.1),
        ("cohen_kappa h/h", "fleiss_kappa h/h", 0.5, None, None),  # undefined in every resample
        ("hit_rate h/h", "fleiss_kappa h/h", 0.0, "-25, 25", 0.2),
    )
    same = replace(orders, discordance=np.zeros((3, 3)))
    alike = replace(found, rank_consistency=RankConsistency((HITS, KAPPA, FLEISS), same))
    assert "rank_consistency" not in tables(alike)


def test_selections_run_over_stretches_of_beta(found: AuditStudy) -> None:
    hidden = found.hidden
    assert hidden is not None
    sweep = replace(
        hidden.sweeps[0],
        steps=(0.0, 0.1, 0.2),
        definitions=(HITS,),
        winner=np.array([0, 1, 1]),
        selected=np.array([[0], [0], [-1]]),
        best=np.array([0.9, 0.8, 0.9]),
        reached=np.array([[0.9], [0.7], [np.nan]]),
        stability=np.array([0.8, 0.6, 0.7]),
    )
    table = tables(replace(found, hidden=replace(hidden, sweeps=(sweep,))))
    rows = table["sensitivity_consistency"].rows
    assert rows[0] == ("(the best)", "0 %", "good", "90 %", None, "80 %")
    assert rows[1] == ("(the best)", "10 to 20 %", "bad", "80 to 90 %", None, "60 %")
    assert rows[2][:4] == ("hit_rate h/h", "0 to 10 %", "good", "70 to 90 %")
    assert rows[2][4] == "10 points"
    assert len(rows) == 3  # undefined at beta = .2
    undefined = replace(sweep, winner=np.array([0, 1, -1]))
    without = replace(found, hidden=replace(hidden, sweeps=(undefined,)))
    assert "sensitivity_consistency" not in tables(without)


def test_implied_betas(found: AuditStudy) -> None:
    assert found.hidden is not None
    implied = (ImpliedBeta("people", 0.25, 0.1, 0.4, 40),)
    table = tables(replace(found, hidden=replace(found.hidden, implied=implied)))["implied_beta"]
    assert table.rows == (("people", "25 %", "10, 40", 40),)


def test_groups(found: AuditStudy) -> None:
    values = {"crowd": np.array([[0.5, np.nan]]), "expert": np.array([[0.7, 0.6]])}
    test = GroupTest("crowd", "expert", "good", HITS, -0.2, 0.01, 0.02, 30)
    groups = Groups((HITS,), values, (), (), (test,), 499)
    made = tables(replace(found, groups=groups))
    assert made["groups"].rows == (
        ("crowd", "good", "hit_rate h/h", 0.5),
        ("crowd", "bad", "hit_rate h/h", None),
        ("expert", "good", "hit_rate h/h", 0.7),
        ("expert", "bad", "hit_rate h/h", 0.6),
    )
    assert made["group_differences"].rows == (
        ("crowd against expert", "good", "hit_rate h/h", -0.2, 0.01, 0.02, 30),
    )
    assert "groups" not in tables(replace(found, groups=Undefined("group_differences", "one")))
