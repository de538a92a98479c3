"""Speed of `goldassay rank` against the ways people rank systems today.

`python benchmarks/bench_ranking.py [--all]`. CPU seconds of one thread, all in one run, on the same
scores: 63 systems x 500 prompts, 1,000 resamples, one judge. Peers that take minutes are timed on a
few resamples and carried on by the slope. With `--all` the JuStRank study's whole size, too.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from timing import carried_on, cpu, fresh, row

SYSTEMS, PROMPTS, RESAMPLES = 63, 500, 1000


def scores(seed: int = 0, *, likert: bool = False) -> np.ndarray:
    """One judge's scores: prompts of unequal ease, systems of unequal quality."""
    rng = np.random.default_rng(seed)
    values = (
        rng.normal(size=(PROMPTS, 1))
        + np.linspace(-1, 1, SYSTEMS)
        + rng.normal(0, 0.2, SYSTEMS)
        + rng.normal(size=(PROMPTS, SYSTEMS))
    )
    return np.clip(np.round(values + 3), 1, 5) if likert else values


def resampling_weights() -> np.ndarray:
    from goldassay.inference.bootstrap import multiplicities

    ones = np.ones(PROMPTS, np.int64)
    return np.concatenate(list(multiplicities(ones, RESAMPLES, np.random.default_rng(1))))


def rankings(matrix: np.ndarray, *, four: bool) -> None:
    """From scores to Bradley-Terry strengths with intervals over resampled prompts.

    With `four` also mean, median and win rate, as `goldassay rank` does by default.
    """
    from goldassay.formulas.comparisons import comparisons_from_scores
    from goldassay.formulas.strength import fit, fit_resamples
    from goldassay.questions.rank.aggregation import mean_scores, median_scores, win_rate_scores
    from goldassay.questions.rank.uncertainty import percentile_ends

    weights = resampling_weights()
    compared = comparisons_from_scores(matrix)
    fitted = fit(compared.pairs, compared.observed())
    drawn = compared.resampled(weights)
    replicates = [fit_resamples(compared.pairs, drawn, fitted)[0]]
    if four:
        replicates += [
            mean_scores(matrix, weights),
            median_scores(matrix, weights),
            win_rate_scores(compared.pairs, drawn),
        ]
    for one in replicates:
        percentile_ends(one, confidence_level=0.95, n_clusters=PROMPTS)


def battles(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every battle of two systems on one prompt: first, second, outcome (1, 0, one half)."""
    first, second = np.triu_indices(SYSTEMS, 1)
    left, right = matrix[:, first].reshape(-1), matrix[:, second].reshape(-1)
    outcome = np.where(left > right, 1.0, np.where(left < right, 0.0, 0.5))
    return np.tile(first, PROMPTS), np.tile(second, PROMPTS), outcome


def notebook(frame: Any, times: int) -> None:
    """The Arena notebook's way: sample the battles, pivot them, regress, once per resample."""
    import pandas as pd
    from sklearn.linear_model import LogisticRegression

    for seed in range(times):
        drawn = frame.sample(frac=1.0, replace=True, random_state=seed)
        won = np.zeros((SYSTEMS, SYSTEMS))
        for winner, share in (("model_a", (1, 0)), ("model_b", (0, 1)), ("tie", (0.5, 0.5))):
            some = drawn[drawn["winner"] == winner]
            if some.empty:
                continue
            table = pd.pivot_table(
                some, index="model_a", columns="model_b", aggfunc="size", fill_value=0
            )
            names = sorted({*frame["model_a"], *frame["model_b"]})
            square = table.reindex(index=names, columns=names, fill_value=0).to_numpy(float)
            won += share[0] * square + share[1] * square.T
        a, b = np.nonzero(won)
        design = np.zeros((2 * len(a), SYSTEMS))
        rows = np.arange(len(a))
        design[rows, a], design[rows, b] = 1, -1
        design[len(a) + rows, a], design[len(a) + rows, b] = -1, 1
        model = LogisticRegression(fit_intercept=False, C=np.inf, tol=1e-6, max_iter=1000)
        model.fit(design, np.repeat([1, 0], len(a)), sample_weight=np.tile(won[a, b], 2))


def battle_frame(matrix: np.ndarray) -> Any:
    """The battles as the notebook has them: a row each, with names."""
    import pandas as pd

    first, second, outcome = battles(matrix)
    names = np.array([f"system {i:02d}" for i in range(SYSTEMS)], dtype=object)
    winner = np.where(outcome == 1, "model_a", np.where(outcome == 0, "model_b", "tie"))
    return pd.DataFrame({"model_a": names[first], "model_b": names[second], "winner": winner})


def evalica_resamples(matrix: np.ndarray, times: int) -> None:
    """evalica's Bradley-Terry on resampled battles."""
    import evalica
    from evalica import Winner

    first, second, outcome = battles(matrix)
    names = np.array([f"s{i:02d}" for i in range(SYSTEMS)])
    kinds = {1.0: Winner.X, 0.0: Winner.Y, 0.5: Winner.Draw}
    winners = np.array([kinds[o] for o in outcome], dtype=object)
    rng = np.random.default_rng(3)
    for _ in range(times):
        pick = rng.integers(0, len(outcome), len(outcome))
        evalica.bradley_terry(
            names[first[pick]].tolist(), names[second[pick]].tolist(), winners[pick].tolist()
        )


def fast_battle_bootstrap(matrix: np.ndarray) -> None:
    """Battle-level way: multinomial over the distinct battles, then a fit each.

    The distinct (pair, outcome) cells are drawn anew and each draw is solved by SciPy's L-BFGS to a
    gradient of 1e-6, as FastChat does. It resamples battles, so its intervals are too short.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    first, second, outcome = battles(matrix)
    cells, number = np.unique(np.column_stack([first, second, outcome]), axis=0, return_counts=True)
    a, b, won = cells[:, 0].astype(int), cells[:, 1].astype(int), cells[:, 2]
    draws = np.random.default_rng(4).multinomial(number.sum(), number / number.sum(), RESAMPLES)

    def loss(strength: np.ndarray, weight: np.ndarray) -> tuple[float, np.ndarray]:
        chance = expit(strength[a] - strength[b])
        value = -(weight * (won * np.log(chance) + (1 - won) * np.log1p(-chance))).sum()
        pull = weight * (won - chance)
        gradient = np.bincount(b, pull, SYSTEMS) - np.bincount(a, pull, SYSTEMS)
        return value, gradient

    start = np.zeros(SYSTEMS)
    for weight in draws:
        minimize(
            loss,
            start,
            (weight,),
            jac=True,
            method="L-BFGS-B",
            options={"gtol": 1e-6, "maxiter": 100},
        )


def run(*, whole: bool = False) -> list[dict[str, Any]]:
    """Rows: work, goldassay's seconds, the peer and its seconds, the ratio, the target."""
    matrix = scores()
    rankings(matrix[:, :5], four=True)  # imports and caches, outside the clock
    ours = cpu(lambda: rankings(matrix, four=True))
    only = cpu(lambda: rankings(matrix, four=False))
    likert = cpu(lambda: rankings(scores(likert=True), four=True))
    frame = battle_frame(matrix)
    notebook(frame, 1)
    regression = carried_on(lambda times: notebook(frame, times), RESAMPLES, (1, 3))
    evalica = carried_on(lambda times: evalica_resamples(matrix, times), RESAMPLES, (1, 3))
    fast = cpu(lambda: fast_battle_bootstrap(matrix), 1)
    tied = cpu(lambda: fast_battle_bootstrap(scores(likert=True)), 1)
    size = f"{SYSTEMS} systems x {PROMPTS} prompts"
    work = f"{size}, from scores: four aggregations with {RESAMPLES:,} prompt resamples"
    alone = f"{size}, from scores: Bradley-Terry alone with {RESAMPLES:,} prompt resamples"
    scaled = (
        f"scikit-learn notebook, from battles: Bradley-Terry alone with {RESAMPLES:,} battle "
        "resamples (from 1 and 3)"
    )
    fastchat = (
        f"FastChat's way, from battles: Bradley-Terry alone with {RESAMPLES:,} battle resamples "
        "(a multinomial over distinct battles, L-BFGS each)"
    )
    rows = [
        row(work, ours, scaled, regression, 1000),
        row(work + ", Likert scores", likert, scaled, regression, 1000),
        row(
            work,
            ours,
            "evalica, from battles: the same as the notebook (from 1 and 3)",
            evalica,
            None,
        ),
        row(work, ours, fastchat, fast, 10),
        row(work + ", Likert scores", likert, fastchat + ", with ties", tied, 10),
        row(alone, only, fastchat, fast, 10),
    ]
    if whole:
        seconds, memory = whole_study()
        rows.append(
            {
                "work": "48 judges, 1,512,000 scores from Parquet, every result, 1,000 resamples",
                "goldassay_seconds": seconds,
                "peer": f"limit 120 s and 1,000 MB; peak {memory:.0f} MB",
                "peer_seconds": 120.0,
                "ratio": 120 / seconds,
                "target": 1,
            }
        )
    return rows


WHOLE = """
import sys
from goldassay.cli import command_line
ratings, task, gold, out = sys.argv[1:]
options = ["--task", task, "--gold", gold, "--resamples", "1000", "--out", out]
assert command_line(["rank", ratings, *options]) == 0
print(told())
"""


def whole_study() -> tuple[float, float]:
    """`goldassay rank` on a table of JuStRank's size in a process of its own: CPU s, peak MB."""
    import tempfile

    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        connection = duckdb.connect()
        rng = np.random.default_rng(5)
        item = np.repeat(np.arange(PROMPTS), SYSTEMS)
        system = np.tile(np.arange(SYSTEMS), PROMPTS)
        for judge in range(48):
            value = scores(judge, likert=judge % 4 == 1).reshape(-1)
            frame = {"i": item, "s": system, "v": value}
            connection.execute(
                ("create table t as " if judge == 0 else "insert into t ")
                + "select 'q' || i as item, 'system ' || s as system, "
                + f"'judge {judge:02d}' as rater, 'judge' as kind, v::varchar as value from frame"
            )
        connection.execute(f"copy t to '{path / 'ratings.parquet'}' (format parquet)")
        quality = np.linspace(-1, 1, SYSTEMS)
        a, b = rng.integers(0, SYSTEMS, 113_000), rng.integers(1, SYSTEMS, 113_000)
        b = (a + b) % SYSTEMS
        won = rng.random(len(a)) < 1 / (1 + np.exp(quality[b] - quality[a]))
        frame = {"a": a, "b": b, "w": np.where(won, a, b)}  # noqa: F841 - read by name
        connection.execute(
            "copy (select 'system ' || a as system, 'system ' || b as opponent, "
            f"'system ' || w as winner from frame) to '{path / 'gold.csv'}' (header)"
        )
        (path / "task.toml").write_text('scale = "continuous"\n')
        used = fresh(
            WHOLE, str(path / "ratings.parquet"), str(path / "task.toml"), str(path / "gold.csv"),
            str(path / "rank.json"),
        )  # fmt: skip
        document = json.loads((path / "rank.json").read_text())
        assert len({r["judge"] for r in document["results"] if r["name"] == "decisiveness"}) == 48
    return used


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    for line in run(whole="--all" in sys.argv):
        print(json.dumps(line))
