"""What tau depends on."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.drivers import drivers
from goldassay.questions.rank.record import Aggregated, Behaviour, Judged, RankAgreement
from goldassay.results import Estimate, Undefined


def judge(name: str, tau: float, shape: float | None, delta: float) -> Judged:
    result = Estimate("kendall_tau", tau)
    agreement = RankAgreement(result, result, None)
    scores = np.zeros(2)
    decided = (
        Undefined("decisiveness", "one half") if shape is None else Estimate("decisiveness", shape)
    )
    error = Estimate("win_rate_mse", 1 - tau)
    behaviour = Behaviour(result, error, decided, Estimate("bias_delta", delta), None)
    return Judged(name, {"mean": Aggregated(scores, scores[None], agreement=agreement)}, behaviour)


def test_traits_of_judges_that_have_all_of_them() -> None:
    # Tau rises with decisiveness and falls with delta, in a line; the last judge has no shape.
    judges = [judge(f"j{i}", 0.1 * i, 1.0 + i, 1.0 - 0.1 * i) for i in range(5)]
    judges.append(judge("silent", 0.9, None, 0.9))
    found = drivers(judges, {}, "mean", confidence_level=0.95)
    values = {one.traits: one.correlation.value for one in found.traits}
    taus, deltas = [0, 0.1, 0.2, 0.3, 0.4, 0.9], [1, 0.9, 0.8, 0.7, 0.6, 0.9]
    assert values == {
        ("kendall_tau", "decisiveness"): pytest.approx(1),
        ("kendall_tau", "bias_delta"): pytest.approx(np.corrcoef(taus, deltas)[0, 1]),
        ("decisiveness", "bias_delta"): pytest.approx(-1),
        # The agreement of win rates is tau itself here, the error its negative (Appendix E).
        ("kendall_tau", "win_rate_accuracy"): pytest.approx(1),
        ("kendall_tau", "win_rate_mse"): pytest.approx(-1),
    }
    numbers = {one.traits[1]: one.correlation.declared["judges"] for one in found.traits[:2]}
    assert numbers == {"decisiveness": 5, "bias_delta": 6}
    assert (found.factors, found.realizations) == (None, ())
    assert drivers(judges[:4], {}, "mean", confidence_level=0.95).traits == ()


def test_realizations_compared() -> None:
    # Eight pipelines; the realization alone moves tau, by .2, beside a little noise.
    rng = np.random.default_rng(0)
    names = [(model, how) for model in "abcd" for how in ("likert", "numeric")]
    judges = [
        judge(f"{model} {how}", 0.5 + 0.2 * (how == "numeric") + rng.normal(0, 0.01), 1.0, 0.1)
        for model, how in names
    ]
    described = {f"{model} {how}": {"model": model, "realization": how} for model, how in names}
    found = drivers(judges, described, "mean", confidence_level=0.95)
    assert found.factors is not None
    # The interaction of both leaves no error and is left out: 8 - 1 - 3 - 1 degrees are left.
    assert [effect.term for effect in found.factors.effects] == ["model", "realization"]
    assert found.factors.error_degrees == 3
    (pair,) = found.realizations
    assert (pair.one, pair.two) == ("numeric", "likert")
    assert pair.difference == pytest.approx(0.2, abs=0.02)
    assert pair.p < 0.01
    del described["a likert"]  # seven are too few
    assert drivers(judges, described, "mean", confidence_level=0.95).factors is None
