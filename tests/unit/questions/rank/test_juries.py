"""Judges taken together, ranked beside the judges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from lookup import some
from scipy import stats

from goldassay.errors import UsageError
from goldassay.findings import Findings
from goldassay.questions.rank.ask import rank
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.juries import jury_scores, named_juries, with_juries
from goldassay.questions.rank.study import Options, RankStudy, study
from goldassay.questions.rank.words import answer
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval
from tests.support.contests import contest

JUDGES = ("a", "b", "c")


def test_how_a_jury_is_named() -> None:
    assert named_juries(["b,a"], JUDGES) == {"jury of b, a": ("b", "a")}
    assert named_juries(["trio = a, b ,c", "all"], JUDGES) == {
        "trio": JUDGES,
        "jury of all judges": JUDGES,
    }
    assert named_juries(["m=1,m=2"], ["m=1", "m=2"]) == {"jury of m=1, m=2": ("m=1", "m=2")}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["a,bb"], r"'bb' is not a judge of the ratings"),
        (["a,a"], r"a jury has at least two judges"),
        (["a=b,c"], r"the name 'a' is taken"),
        (["a,b", "a,b"], r"the name 'jury of a, b' is taken"),
    ],
)
def test_what_is_no_jury(asked: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        named_juries(asked, JUDGES)


def test_scores_are_averaged_on_one_scale() -> None:
    # Of 0 to 100 and of 0 to 1: with spread 1 both count alike. Mean 50, spread 50; .5 and .5.
    scores = np.array([[[0.0, 100.0], [100.0, 0.0]], [[0.0, 1.0], [np.nan, 0.5]]])
    second = (np.array([0.0, 1.0, 0.5]) - 0.5) / np.sqrt(1 / 6)
    expected = [[(-1 + second[0]) / 2, (1 + second[1]) / 2], [1.0, (-1 + second[2]) / 2]]
    assert jury_scores(scores) == pytest.approx(np.array(expected))
    same = np.array([[[1.0, 2.0]], [[7.0, 7.0]]])  # the second tells nothing apart
    assert jury_scores(same).tolist() == [[-0.5, 0.5]]


#: Three systems on three items, in the order of people a, b, c; each judge errs on one of them.
TABLE = {
    "ann": {"a": (3, 3, 3), "b": (2, 2, 2), "c": (1, 1, 1)},
    "one": {"a": (10, 20, 30), "b": (20, 30, 40), "c": (0, 10, 5)},
    "two": {"a": (0.9, 0.8, 0.9), "b": (0.2, 0.1, 0.4), "c": (0.3, 0.2, 0.6)},
}


def asked(**options: object) -> Findings:
    rows = [
        (f"{item}", system, rater, "human" if rater == "ann" else "judge", f"{value}")
        for rater, systems in TABLE.items()
        for system, values in systems.items()
        for item, value in enumerate(values)
    ]
    frame = pl.DataFrame(rows, schema=["item", "system", "rater", "kind", "value"], orient="row")
    return rank(frame, {"scale": "continuous"}, aggregation=["mean"], resamples=100, **options)  # type: ignore[arg-type]


def test_tau_of_averaged_judges_is_that_by_hand() -> None:
    found = asked(jury=["all"])
    taus = {
        row.about["judge"]: row.result.value
        for row in found.rows_where(name="kendall_tau")
        if isinstance(row.result, Estimate)
    }
    people = [np.mean(TABLE["ann"][s]) for s in "abc"]
    averaged = np.zeros(3)
    for judge in ("one", "two"):
        cells = np.array([TABLE[judge][s] for s in "abc"], float)
        averaged += ((cells - cells.mean()) / cells.std()).mean(axis=1) / 2
    by_hand = stats.kendalltau(averaged, people).statistic
    # `one` puts b before a, `two` c before b; together they are right.
    assert taus == pytest.approx({"one": 1 / 3, "two": 1 / 3, "jury of all judges": by_hand})
    assert by_hand == pytest.approx(1)
    (row,) = found.rows_where(name="jury_gain")
    assert row.about["judge"] == "jury of all judges"
    assert isinstance(row.result, Estimate)
    assert row.result.value == pytest.approx(2 / 3)
    assert any(one.key == "rank.jury" for one in found.answer)


def test_the_judges_own_numbers_stay_as_they_are() -> None:
    alone, beside = asked(), asked(jury=["one,two"])
    for row in some(alone.rows_where(name="kendall_tau")):
        (same,) = beside.rows_where(name="kendall_tau", judge=row.about["judge"])
        assert same.result == row.result


def test_battles_are_every_members_verdicts() -> None:
    one = contest(judges=2, prompts=5, systems=3)
    fought = Contest(
        one.judges,
        one.systems,
        one.cluster,
        one.n_clusters,
        one.n_prompts,
        battles=tuple(one.comparisons(j) for j in range(2)),
    )
    jury = with_juries(fought, {"both": one.judges})
    assert jury.judges == (*one.judges, "both")
    seen = jury.comparisons(2).observed()
    parts = [jury.comparisons(j).observed() for j in range(2)]
    assert seen.wins.tolist() == (parts[0].wins + parts[1].wins).tolist()
    assert seen.losses.tolist() == (parts[0].losses + parts[1].losses).tolist()


@pytest.fixture(scope="module")
def found() -> RankStudy:
    made = with_juries(contest(judges=5, noise=2.0), {"trio": ("judge 0", "judge 1", "judge 2")})
    return study(made, Task(scale="continuous"), options=Options(resamples=100))


def test_a_jury_is_a_candidate_and_no_new_judge(found: RankStudy) -> None:
    assert found.people is not None
    assert {one.judge.name for one in found.people.standings} == set(found.contest.judges)
    assert found.people.explained is not None
    assert found.people.explained.n_judges == 5


@pytest.mark.parametrize(
    ("ends", "than", "words"),
    [
        ((0.1, 0.3), "more", "`trio` orders systems more like people than its best member, "),
        ((-0.3, -0.1), "less", "`trio` orders systems less like people than its best member, "),
        ((-0.1, 0.3), "unknown", "`trio` cannot be told apart from its best member, "),
    ],
)
def test_words(found: RankStudy, ends: tuple[float, float], than: str, words: str) -> None:
    people = found.people
    assert people is not None
    gain = Estimate("jury_gain", sum(ends) / 2, Interval(*ends, 0.95, "made"))
    jury = replace(people.juries[0], gain=gain)
    changed = replace(found, people=replace(people, juries=(jury,)))
    told = next(one for one in answer(changed) if one.key == "rank.jury")
    assert told.text.startswith(f"{words}`{jury.best}`: tau ")
    assert told.facts["than_best"] == than
    assert told.facts["members"] == ["judge 0", "judge 1", "judge 2"]
