"""How the labelled items of a plain file were drawn, by what people rated."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldassay as ga
from goldassay.proposals.propose import guessed_ratings


def _table(path: Path, rows: list[tuple[str, str, str, str]]) -> str:
    lines = [",".join(row) for row in rows]
    path.write_text("\n".join(["prompt_id,model,human,judge", *lines]) + "\n")
    return str(path)


def _rows(labelled: dict[str, int], prompts: int = 120) -> list[tuple[str, str, str, str]]:
    """Of each system the first so many prompts are labelled; the judge errs on every sixth, and
    `b` is right more often than `a`."""
    rows = []
    for n in range(prompts):
        for system, number in labelled.items():
            truth = n % 3 == 0 if system == "a" else n % 3 != 0
            verdict = truth if n % 6 else not truth
            human = ("yes" if truth else "no") if n < number else ""
            rows.append((f"p{n}", system, human, "yes" if verdict else "no"))
    return rows


def test_even_shares_are_a_random_draw(tmp_path: Path) -> None:
    ratings, draft = guessed_ratings(_table(tmp_path / "t.csv", _rows({"a": 60, "b": 60})))
    assert ratings.task.calibration == "random"
    assert not ratings.task.strata
    assert draft.assumed[0].startswith("the 120 labelled items were drawn at random from the 240")


def _flagged(path: Path, of_flagged: int, of_others: int) -> str:
    """100 items are flagged, 200 are not; so many of each have a label."""
    lines = ["id,judge,human"]
    for n in range(300):
        flagged = n % 3 == 0
        labelled = n // 3 < of_flagged if flagged else n // 3 < of_others / 2
        label = ("yes" if flagged == (n % 7 > 0) else "no") if labelled else ""
        lines.append(f"q{n},{'yes' if flagged else 'no'},{label}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_draw_that_is_seldom_so_uneven_is_asked_about_and_not_assumed(tmp_path: Path) -> None:
    """22 of 100 and 10 of 200: chi-square is 18.6, as one random draw in 60,000."""
    ratings, draft = guessed_ratings(_flagged(tmp_path / "t.csv", 22, 10))
    assert ratings.task.calibration == "random"
    (asked,) = (one for one in draft.questions if "chosen by the verdict" in one)
    assert "22 of 100" in asked
    assert "10 of 200" in asked
    assert "as hardly one random draw in a thousand" in asked
    assert asked.endswith('then: calibration = "by_verdict"')
    assert {"calibration": "by_verdict"} in draft.offered


def test_a_draw_that_may_well_be_random_is_not_asked_about(tmp_path: Path) -> None:
    """17 of 100 and 14 of 200: one random draw in 100 is as uneven."""
    _, draft = guessed_ratings(_flagged(tmp_path / "t.csv", 17, 14))
    assert not draft.questions


def test_a_draw_that_no_random_one_is_as_uneven_as_is_assumed(tmp_path: Path) -> None:
    ratings, draft = guessed_ratings(_flagged(tmp_path / "t.csv", 40, 10))
    assert ratings.task.calibration == "by_verdict"
    assert not draft.questions


def test_uneven_shares_of_systems_are_draws_within_systems(tmp_path: Path) -> None:
    table = _table(tmp_path / "t.csv", _rows({"a": 120, "b": 18}))
    ratings, draft = guessed_ratings(table)
    assert (ratings.task.calibration, ratings.task.strata) == ("random", ("system",))
    assert "120 of 120 of `a` and 18 of 120 of `b`" in draft.assumed[0]
    rate = ga.estimate(table)["prevalence", "judge"]
    assert isinstance(rate, ga.Estimate)
    assert rate.value == pytest.approx(0.5, abs=0.06)  # 40 of 120 and 80 of 120
    assert rate.interval is not None
    assert "own labels" in rate.interval.method


def test_a_system_with_hardly_a_label_is_told(tmp_path: Path) -> None:
    ratings, draft = guessed_ratings(_table(tmp_path / "t.csv", _rows({"a": 120, "b": 3})))
    assert not ratings.task.strata
    assert "the rate of all is that of the systems, each by its own labels" in draft.assumed[0]


def test_flags_that_were_checked_are_a_draw_by_verdict_whatever_the_system(tmp_path: Path) -> None:
    rows = [
        (prompt, system, truth if verdict == "yes" else "", verdict)
        for prompt, system, truth, verdict in _rows({"a": 120, "b": 120})
    ]
    ratings, _ = guessed_ratings(_table(tmp_path / "t.csv", rows))
    assert ratings.task.calibration == "by_verdict"


def test_a_rate_of_all_is_that_of_its_systems_where_one_has_hardly_a_label(tmp_path: Path) -> None:
    """60 of 240 and 160 of 240; the judge errs on every seventh prompt, whatever the system."""
    rows = []
    for n in range(240):
        for system, truth in (("a", n % 4 == 0), ("b", n % 3 != 0)):
            verdict = truth != (n % 7 == 0)
            human = ("yes" if truth else "no") if system == "a" or n < 3 else ""
            rows.append((f"p{n}", system, human, "yes" if verdict else "no"))
    found = ga.estimate(_table(tmp_path / "t.csv", rows))
    each = [row for row in found.rows_where(name="prevalence") if row.about.get("system")]
    (rate,) = (r.result for r in found.rows_where(name="prevalence") if not r.about.get("system"))
    systems = [row.result.value for row in each]
    assert len(systems) == 2
    assert systems[0] == 0.25  # labelled whole: people's own
    assert rate.value == pytest.approx(sum(systems) / 2, abs=1e-9)
    assert 220 / 480 in rate.interval
    of_b = each[1].result.interval
    assert of_b.length > 0.5  # three labels say little of `b`, and so does the rate of all
    assert rate.interval.length > 0.4 * of_b.length


def test_labels_where_judges_differ_are_a_draw_by_both(tmp_path: Path) -> None:
    lines = ["id,judge_a,judge_b,human"]
    for n in range(300):
        one, two = n % 3 == 0, (n % 3 == 0) != (n % 5 == 0)
        label = ("yes" if n % 3 == 0 else "no") if one != two or n % 11 == 0 else ""
        lines.append(f"q{n},{'yes' if one else 'no'},{'yes' if two else 'no'},{label}")
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.task.calibration == "by_verdict"
    assert len(ratings.task.drawn_by) == 2
    assert "on which they differ" in draft.assumed[0]


def test_labels_of_unsure_scores_are_told(tmp_path: Path) -> None:
    lines = ["id,judge,judge_score,human"]
    for n in range(500):
        score = (n * 37 % 500) / 500
        label = ("yes" if n % 4 else "no") if abs(score - 0.5) < 0.1 else ""
        lines.append(f"q{n},{'yes' if score >= 0.5 else 'no'},{score},{label}")
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    _, draft = guessed_ratings(str(path))
    assert "chosen by the score of" in draft.assumed[0]


def test_what_whole_prompts_explain_is_no_draw_by_verdict(tmp_path: Path) -> None:
    """Fifty prompts of four answers in each fifth of the scores, of which so many are labelled
    whole: one by one no random draw gives these shares of verdicts, by prompts many do, and the
    question about scores offers no draw by verdict."""
    of_fifths = (4, 4, 12, 24, 8)
    lines = ["prompt_id,model,judge,judge_score,human"]
    for n in range(250):
        fifth, place = divmod(n, 50)
        labelled = place * 7 % 50 < of_fifths[fifth]
        for at, model in enumerate("abcd"):
            score = (n + at / 10) / 250
            label = ("yes" if (n + at) % 5 else "no") if labelled else ""
            lines.append(f"p{n},{model},{'yes' if score >= 0.5 else 'no'},{score:.4f},{label}")
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.task.calibration == "random"
    (asked,) = (one for one in draft.questions if "chosen by the score" in one)
    assert asked.endswith("then numbers are of items chosen so")
    assert {"calibration": "by_verdict"} not in draft.offered


def test_what_is_not_asked_within_systems_says_that_labels_were_drawn_so(tmp_path: Path) -> None:
    table = _table(tmp_path / "t.csv", _rows({"a": 120, "b": 18}))
    found = ga.agree(table, resamples=200)
    assert "Labels were drawn within `system`" in found.readings[-1]
    even = _table(tmp_path / "even.csv", _rows({"a": 60, "b": 60}))
    assert not [one for one in ga.agree(even, resamples=200).readings if "drawn within" in one]
