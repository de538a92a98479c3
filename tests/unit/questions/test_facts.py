"""Results as facts, by hand."""

from __future__ import annotations

from goldassay.questions.facts import by_name, facts_of, further, named_facts, numbers_of
from goldassay.results import Estimate, Interval, Undefined

KNOWN = Estimate("accuracy", 0.7, Interval(0.6, 0.8, 0.95, "by hand"), 40)
BARE = Estimate("accuracy", 0.7, None, 40)
NONE = Undefined("cohen_kappa", "one option only", 12)


def test_a_result_is_its_name_value_ends_and_items() -> None:
    assert named_facts(KNOWN) == {"name": "accuracy", "value": 0.7, "low": 0.6, "high": 0.8}
    assert facts_of(KNOWN, unit="item") == {**named_facts(KNOWN), "n_items": 40, "unit": "item"}
    assert numbers_of(BARE) == (0.7, None, None)


def test_what_is_undefined_says_why() -> None:
    assert numbers_of(NONE) == (None, None, None)
    assert facts_of(NONE)["undefined"] == "one option only"
    assert "undefined" not in facts_of(KNOWN)


def test_a_further_result_stands_under_its_own_name() -> None:
    assert further(KNOWN) == {"accuracy": 0.7, "accuracy_low": 0.6, "accuracy_high": 0.8}
    assert further(NONE) == {"cohen_kappa": None, "cohen_kappa_undefined": "one option only"}
    assert by_name([KNOWN, NONE]) == {"accuracy": KNOWN, "cohen_kappa": NONE}
