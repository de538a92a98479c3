from __future__ import annotations

import numpy as np

from goldassay.questions.estimate.counting import estimate_exclusions, sample_of

from .conftest import rated, study

M, U = "MET", "UNMET"
LABELLED = {(M, M): 4, (M, U): 1, (U, M): 2, (U, U): 3}


def test_labelled_and_unlabelled_items_become_cells(units_of) -> None:  # type: ignore[no-untyped-def]
    sample = sample_of(units_of(study(LABELLED, {M: 7, U: 5})), "j")
    np.testing.assert_array_equal(sample.calibration, [[3, 2], [1, 4]])
    np.testing.assert_array_equal(sample.test, [5, 7])
    assert sample.options == (U, M)
    assert sample.independent
    assert not sample.apart
    assert sample.n_items == 22


def test_a_split_keeps_test_labels_out(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {}, split="calibration") + [
        row for i in range(3) for row in rated(f"t{i}", M, U, split="test")
    ]
    rows += rated("t9", U, split="test") + rated("c9", U, split="calibration")
    units = units_of(rows)
    sample = sample_of(units, "j")
    assert sample.apart
    np.testing.assert_array_equal(sample.test, [1, 3])
    np.testing.assert_array_equal(sample.test_labels, [3, 0])
    assert sample.n_labelled == 10
    left_out = {one.reason: one.rows for one in estimate_exclusions(units)}
    assert left_out == {"label of a test item": 3, "calibration item without a label": 1}


def test_modes_for_verdicts_that_are_not_options(units_of) -> None:  # type: ignore[no-untyped-def]
    labelled = {**LABELLED, (M, "abstained"): 2, (U, "invalid"): 1}
    rows = study(labelled, {M: 3, "abstained": 4, "failed": 1})
    excluded = sample_of(units_of(rows), "j")
    assert excluded.without_verdict == {"abstained": 6, "invalid": 1, "failed": 1}
    np.testing.assert_array_equal(excluded.labels_without_verdict, [1, 2])
    classes = sample_of(units_of(rows, abstentions="class", invalids="class"), "j")
    assert classes.verdicts == (U, M, "abstained", "invalid")
    np.testing.assert_array_equal(classes.calibration, [[3, 2, 0, 1], [1, 4, 2, 0]])
    np.testing.assert_array_equal(classes.test, [0, 3, 4, 0])
    recoded = sample_of(units_of(rows, abstentions="recode", recode_to=U), "j")
    np.testing.assert_array_equal(recoded.test, [4, 3])


def test_rows_in_are_rows_used_and_rows_excluded(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study({**LABELLED, (M, "abstained"): 2}, {M: 3, "invalid": 2})
    units = units_of(rows)
    sample = sample_of(units, "j")
    used = sample.n_items + sample.n_labelled  # a judge's row each, and a person's if labelled
    assert units.rows == used + sum(one.rows for one in estimate_exclusions(units))


def test_several_people_make_one_reference(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = []
    for index, votes in enumerate(["MMU", "MUU", "MU"]):
        rows += rated(f"i{index}", M)
        for person, vote in enumerate(votes):
            row = rated(f"i{index}", None, M if vote == "M" else U)[0]
            rows.append({**row, "rater": f"p{person}"})
    sample = sample_of(units_of(rows), "j")
    np.testing.assert_array_equal(sample.calibration, [[0, 1], [0, 1]])
    np.testing.assert_array_equal(sample.test, [0, 1])  # the tied vote is no label
    soft = sample_of(units_of(rows, reference="soft"), "j")
    np.testing.assert_allclose(soft.calibration[:, 1], [1 / 3 + 2 / 3 + 1 / 2] * 2)


def test_clusters_inflate(units_of) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    rows = []
    for cluster in range(60):
        positive = rng.random() < 0.5
        for index in range(8):
            label = M if positive else U
            verdict = label if rng.random() < 0.9 else (U if positive else M)
            rows += rated(
                f"{cluster}-{index}", verdict, label if index < 3 else None, prompt=f"c{cluster}"
            )
    sample = sample_of(units_of(rows, cluster="prompt"), "j")
    assert not sample.independent
    assert sample.n_clusters == 60

    def rate(cells: np.ndarray) -> np.ndarray:
        verdicts = cells.sum((-3, -2))
        return verdicts[..., 1] / verdicts.sum(-1)

    found = sample.inflation(rate, confidence_level=0.95)
    assert 4 < found < 8  # eight copies in nine tenths agreement


def test_weights_count_as_design(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {M: 20, U: 20})
    rows = [{**row, "weight": "3" if "M" in row["item"] else "1"} for row in rows]
    sample = sample_of(units_of(rows), "j")
    assert not sample.independent
    assert sample.total.sum() == sample.n_items


def test_an_item_that_a_repeat_decides_has_a_verdict(units_of) -> None:  # type: ignore[no-untyped-def]
    """Three silent answers make an item without a verdict, of the commonest reason; two do not."""
    given = [[M, M, M], [M, "abstained", "invalid"], ["abstained", "invalid", "invalid"]]
    given += [["failed", "abstained", "failed"], ["abstained"] * 3]
    rows = [
        {**row, "sample": str(sample) if row["kind"] == "judge" else ""}
        for item, verdicts in enumerate(given)
        for sample, verdict in enumerate(verdicts)
        for row in rated(f"i{item}", verdict, None if sample else M)
    ]
    sample = sample_of(units_of(rows), "j")
    assert sample.without_verdict == {"abstained": 1, "invalid": 1, "failed": 1}
    assert (sample.n_items, sample.missing) == (2, 3)
