"""Tasks with many options: the numbers are those of whole tables, and memory stays small."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from goldassay.counts import Units, count_units
from goldassay.inference.draw import Draw
from goldassay.metrics import accuracy, cohen_kappa, macro_f1, mean_pairwise_kappa
from goldassay.questions.agree.study import study
from goldassay.questions.select.study import Settings
from goldassay.questions.select.study import study as select
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate


def labelled(size: int, items: int, seed: int = 2) -> dict[str, list[int]]:
    """Two people's and two judges' options, right two times of three."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(size, size=items)
    return {
        rater: np.where(rng.random(items) < 2 / 3, truth, rng.integers(size, size=items)).tolist()
        for rater in ("ann", "j1", "j2")
    }


def units_of(path: Path, said: dict[str, list[int]], size: int, scale: str = "nominal") -> Units:
    lines = ["item,rater,kind,value"]
    for rater, options in said.items():
        kind = "judge" if rater.startswith("j") else "human"
        lines += [f"i{k},{rater},{kind},o{option}" for k, option in enumerate(options)]
    file = path / "ratings.csv"
    file.write_text("\n".join(lines) + "\n")
    options = [f"o{k}" for k in range(size)]
    return count_units(read_ratings(file, Task.from_mapping({"scale": scale, "options": options})))


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_agree_says_what_the_metrics_say_of_the_labels(tmp_path: Path, scale: str) -> None:
    said = labelled(20, 150)
    found = study(units_of(tmp_path, said, 20, scale), draw=Draw(300, 1, 0.95))
    (judge, _), size = found.judges, range(20)
    micro = {one.name: one for one in judge.micro}
    for metric in (accuracy, cohen_kappa, macro_f1):
        own = metric(said["ann"], said["j1"], labels=size, draws=300, seed=1)
        theirs = micro[own.name]
        assert isinstance(own, Estimate)
        assert isinstance(theirs, Estimate)
        assert theirs.value == pytest.approx(own.value, rel=1e-12)
        assert own.interval is not None
        assert theirs.interval is not None
        ends = (own.interval.low, own.interval.high)
        assert (theirs.interval.low, theirs.interval.high) == pytest.approx(ends, rel=1e-9)
    assert all(isinstance(one, Estimate) and one.interval for one in judge.micro)


def test_kappas_of_many_raters_and_options_share_their_weights() -> None:
    # 12 raters are 66 pairs, two blocks; all say the same but one: kappa is 1 or nearly so.
    rng = np.random.default_rng(1)
    same = rng.integers(20, size=80)
    raters = [same.tolist() for _ in range(11)]
    raters.append(np.where(rng.random(80) < 0.9, same, rng.integers(20, size=80)).tolist())
    found = mean_pairwise_kappa(raters, labels=range(20), draws=200)
    assert isinstance(found, Estimate)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
    assert 0.9 < found.interval.low < found.interval.high <= 1


def test_many_options_take_little_memory(tmp_path: Path) -> None:
    units = units_of(tmp_path, labelled(60, 1200), 60)
    tracemalloc.start()
    study(units, draw=Draw(400, 1, 0.95))
    select(units, Settings(draws=400))
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    # A table of 60 x 60 for each of some 1,100 patterns is 30 MB, for each judge and panel.
    assert peak < 150
