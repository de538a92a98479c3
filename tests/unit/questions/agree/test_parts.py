"""Modes, juries, repeats, biases and the checklist on small units, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.counts import By, Units
from goldassay.questions.agree.bias import length_bias, logistic, position_bias, shown_first
from goldassay.questions.agree.checklist import Facts, checklist
from goldassay.questions.agree.judges import Draw
from goldassay.questions.agree.juries import juries
from goldassay.questions.agree.modes import Mode, declared_mode, resolved
from goldassay.questions.agree.panels import (
    effective_number,
    error_correlation,
    inter_rater,
    mean_pairwise_kappa,
    one_verdict,
)
from goldassay.questions.agree.repeats import repeats
from goldassay.questions.agree.texts import Texts
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Undefined

DRAW = Draw(400, 1, 0.95)
BINARY = Task(scale="binary", options=("MET", "UNMET"), positive="MET")


def units(
    task: Task,
    human: list[list[int]],
    verdict: list[list[int]],
    n: list[int],
    judges: tuple[str, ...] = ("j",),
    orders: tuple[str, ...] | None = None,
    samples: tuple[str, ...] | None = None,
) -> Units:
    rows = len(n)
    width = len(task.options) + 3
    full = [[*row, *[0] * (width - len(row))] for row in human]
    names = judges if len(judges) == len(verdict[0]) else judges * len(verdict[0])
    return Units(
        options=task.options,
        judges=names,
        samples=samples or ("",) * len(names),
        orders=orders or ("",) * len(names),
        cluster=np.zeros(rows, np.int64),
        n_clusters=sum(n),
        single=True,
        by={},
        human=np.array(full),
        verdict=np.array(verdict),
        n=np.array(n),
        weight=np.ones(rows),
        exclusions=(),
        rows=0,
        task=task,
    )


def test_ties_half_exclude_class() -> None:
    task = Task(scale="pairwise", options=("A", "B", "tie"), tie="tie")
    # reference A, A, tie, tie against verdict A, tie, B, tie
    u = units(
        task, [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], [[0], [2], [1], [2]], [4, 3, 2, 1]
    )

    def table(rule: str) -> list[list[float]]:
        mode = Mode("m", "exclude", "exclude", rule, None, "")  # type: ignore[arg-type]
        return resolved(u, u.verdict, mode).total.tolist()

    assert table("class") == [[4, 0, 3], [0, 0, 0], [0, 2, 1]]
    assert table("exclude") == [[4, 0], [0, 0]]
    # A/tie: half AA, half AB; tie/B: half AB, half BB; two ties agree
    assert table("half") == [[4 + 1.5 + 0.5, 1.5 + 1], [0, 1 + 0.5]]


def test_invalid_as_wrong_is_the_other_answer() -> None:
    u = units(BINARY, [[1, 0], [0, 1]], [[3], [3]], [5, 7])
    mode = Mode("m", "exclude", "wrong", "class", None, "")
    assert resolved(u, u.verdict, mode).total.tolist() == [[0, 5], [7, 0]]
    three = Task(scale="nominal", options=("a", "b", "c"))
    u = units(three, [[1, 0, 0]], [[4]], [5])
    found = resolved(u, u.verdict, mode)
    assert found.labels == ("a", "b", "c", "invalid")
    assert found.total[0].tolist() == [0, 0, 0, 5]


def test_repeats_share_their_unit() -> None:
    u = units(BINARY, [[1, 0]], [[0, 0, 1, -1]], [6], samples=("1", "2", "3", "4"))
    total = resolved(u, u.verdict, declared_mode(BINARY)).total
    assert total.tolist() == [[pytest.approx(4), pytest.approx(2)], [0, 0]]


def test_noise_by_hand() -> None:
    # half of the units: 2 of 2 right; half: 1 of 2 right. Error 1/4; two samples agree 1/2 + 0
    u = units(BINARY, [[1, 0], [1, 0]], [[0, 0], [0, 1]], [50, 50], samples=("1", "2"))
    found = repeats(u, u.verdict, declared_mode(BINARY), DRAW)
    value = {r.name: r.value for r in found.results if isinstance(r, Estimate)}
    assert value["self_consistency"] == pytest.approx(0.5)
    # noise = (1 - .5) / 2 = .25 is all of the error
    assert value["noise_share"] == pytest.approx(1.0)
    assert found.table.rows[0][1] == pytest.approx(0.75)


def test_panels_by_hand() -> None:
    assert one_verdict(np.array([[0, 0, 1], [0, 1, -1], [-1, -1, -1]]), 2).tolist() == [0, -1, -1]
    codes = np.array([[0, 0], [1, 1], [0, 0], [1, 1]])
    reference = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    together = error_correlation(codes, reference, np.ones(4, np.int64))
    assert together[0, 1] == pytest.approx(1)  # they err on the same items
    assert effective_number(
        together[np.triu_indices(len(together), 1)], len(together)
    ) == pytest.approx(1)
    assert effective_number(np.array([0.0]), 2) == pytest.approx(2)
    assert np.isnan(effective_number(np.array([np.nan]), 2))


def test_inter_rater_covers_a_perfect_panel_with_width() -> None:
    u = units(BINARY, [[1, 0], [0, 1]], [[0], [1]], [10, 10])
    counts = np.array([[3, 0], [0, 3]])
    found = {r.name: r for r, _ in inter_rater(counts, u, DRAW, prefix="")}
    alpha = found["krippendorff_alpha"]
    assert alpha.value == 1
    assert alpha.interval.high == 1
    assert 0.5 < alpha.interval.low < 0.99
    alone = inter_rater(np.array([[1, 0], [0, 1]]), u, DRAW, prefix="")
    assert isinstance(alone[0][0], Undefined)


def test_position_by_hand() -> None:
    task = Task(scale="pairwise", options=("A", "B"))
    # 6 units: A in both orders; 4 units: whichever is shown first
    u = units(task, [[1, 0], [1, 0]], [[0, 0], [0, 1]], [6, 4], orders=("A", "B"))
    found = {r.name: r for r in position_bias(u, "j", DRAW)}
    assert found["position_consistency"].value == pytest.approx(0.6)
    # shown first wins: once in two for the 6, always for the 4
    assert found["first_position_rate"].value == pytest.approx((3 + 4) / 10)
    assert shown_first("swapped", ["A", "B"]) == 1
    assert shown_first("given", ["A", "B"]) == 0
    assert shown_first("monday", ["A", "B"]) is None


def test_length_bias_is_found_and_not_invented() -> None:
    rng = np.random.default_rng(0)
    size = 400
    truth = rng.random(size) < 0.5
    length = np.exp(rng.normal(5, 1, size))
    lengths = {(f"i{k}", ""): np.array([x]) for k, x in enumerate(length)}
    texts = Texts(dict.fromkeys(lengths, "..."), lengths)
    names = tuple(f"i{k}" for k in range(size))

    def value(verdict: np.ndarray) -> Estimate:
        u = units(
            BINARY, [[int(t), int(not t)] for t in truth], verdict[:, None].tolist(), [1] * size
        )
        u = Units(
            **{
                **{f: getattr(u, f) for f in u.__dataclass_fields__},
                "by": {"item": By(names, np.arange(size))},
            }
        )
        found = length_bias(u, verdict[:, None], u.human[:, :2].astype(float), texts, DRAW)
        assert isinstance(found, Estimate)
        return found

    fair = np.where(rng.random(size) < 0.85, ~truth, truth).astype(np.int64)
    assert 0 in value(fair).interval
    long = np.log2(length) + 2 * truth + rng.logistic(size=size) * 0.7 > 8.2
    assert value((~long).astype(np.int64)).interval.low > 0
    apart = np.column_stack([np.ones(4), [0, 0, 1, 1]])
    assert logistic(apart, np.array([0.0, 0, 1, 1]), np.arange(4)) is None


def test_every_point_of_the_checklist_can_be_missing_or_answered() -> None:
    task = Task(scale="ordinal", options=("1", "2", "3"), abstain=("NA",))
    facts = Facts(
        task=task,
        judges=("a", "b"),
        humans=1,
        n_units=10,
        n_clusters=10,
        rates={"a": {"coverage": 0.9}, "b": {"coverage": 1.0}},
    )
    status = {p.number: p.status for p in checklist(facts)}
    assert [n for n, s in status.items() if s == "missing"] == [8, 9, 11]
    done = Facts(
        task=BINARY,
        judges=("a",),
        humans=2,
        n_units=10,
        n_clusters=10,
        rates={"a": {"coverage": 1.0}},
    )
    assert "missing" not in {p.status for p in checklist(done)}


def test_pairs_of_many_raters_share_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    items, raters = 120, 8
    ease = rng.uniform(0.55, 1.0, (items, 1))
    codes = np.where(rng.random((items, raters)) < ease, rng.integers(0, 2, (items, 1)), 1)
    u = units(
        BINARY,
        [[0, 0]] * items,
        codes.tolist(),
        [1] * items,
        judges=tuple(f"r{k}" for k in range(raters)),
    )

    def width() -> float:
        found = mean_pairwise_kappa("kappa", u, codes, DRAW)
        assert isinstance(found, Estimate)
        return found.interval.high - found.interval.low

    together = width()
    monkeypatch.setattr("goldassay.questions.agree.panels.PAIRS_AT_ONCE", 4)
    assert width() == pytest.approx(together, rel=0.1)


def test_a_weighted_panel_votes_where_judges_beat_chance_among_many_options() -> None:
    task = Task(scale="nominal", options=("a", "b", "c", "d", "e"))
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 5, 600)
    codes = np.where(rng.random((600, 3)) < 0.4, truth[:, None], rng.integers(0, 5, (600, 3)))
    u = units(
        task,
        np.eye(5, dtype=int)[truth].tolist(),
        codes.tolist(),
        [1] * 600,
        judges=("x", "y", "z"),
    )
    _, weighted = juries(u, codes, ("x", "y", "z"), declared_mode(task), DRAW)
    assert weighted.tables.total.sum() > 500
    assert np.trace(weighted.tables.total) / weighted.tables.total.sum() > 0.45
