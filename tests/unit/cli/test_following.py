"""What is asked next can be answered, and is not what was just answered."""

from __future__ import annotations

from goldassay.cli.following import Asked, following
from goldassay.findings import Findings
from goldassay.results import Estimate, Row, Sentence, Undefined

FILES = Asked(["r.csv"], "t.toml")


def asked_next(verb: str, scale: str, columns: tuple[str, ...] = (), **more: object) -> str:
    found = Findings(verb, task={"scale": scale}, columns=columns, **more)  # type: ignore[arg-type]
    (line,) = following(found, FILES, 200)
    return line.removeprefix("next: goldassay ").split()[0]


def rows(*judges: str) -> tuple[Row, ...]:
    return tuple(Row(Estimate("accuracy", 0.9), {"judge": judge}) for judge in judges)


def test_systems_are_ranked_only_where_the_table_names_them() -> None:
    assert asked_next("select", "pairwise", ("item", "system", "opponent")) == "rank"
    assert asked_next("select", "pairwise", ("item",)) == "report"


def test_a_comparison_is_followed_by_the_order_not_by_the_rate_of_all() -> None:
    assert asked_next("compare", "binary", ("item", "system")) == "rank"


def test_labels_are_listed_only_where_some_are_needed() -> None:
    needed = Sentence("plan.labels_needed", "Label 40 more.", {}, {"value": 40})
    enough = Sentence("plan.labels_needed", "No more.", {}, {"value": 0})
    assert asked_next("plan", "binary", answer=(needed,)) == "plan"
    assert asked_next("plan", "binary", answer=(enough,)) == "report"


def test_where_all_is_labelled_no_plan_follows() -> None:
    people = Sentence("estimate.all_labelled", "All items are labelled.", {}, {"labelled": 9})
    assert asked_next("estimate", "binary") == "plan"
    assert asked_next("estimate", "binary", answer=(people,)) == "report"
    assert asked_next("estimate", "binary", ("item", "score"), answer=(people,)) == "route"


def test_a_check_leads_to_what_the_table_answers() -> None:
    def told(*now: str) -> tuple[Sentence, ...]:
        return (Sentence("check.answers", "It answers.", {}, {"now": list(now)}),)

    assert asked_next("check", "binary", answer=told("agree", "plan")) == "agree"
    assert asked_next("check", "binary", answer=told("plan")) == "plan"


def test_of_several_judges_one_is_selected() -> None:
    assert asked_next("agree", "binary", rows=rows("a", "b")) == "select"
    assert asked_next("agree", "ordinal", ("item", "sample"), rows=rows("a")) == "route"


def test_no_judge_is_selected_where_people_use_one_option() -> None:
    """What selects would answer that nothing can be chosen, and lead back."""
    one_class = Row(Undefined("balanced_accuracy", "one class only"), {"judge": "a"})
    assert asked_next("agree", "nominal", rows=(*rows("a", "b"), one_class)) == "report"
