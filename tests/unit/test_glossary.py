"""Every name that a result may carry is described, in words."""

from __future__ import annotations

import pytest

from goldassay.glossary import is_rate, method_of, methods, words


def test_every_method_is_described_once_and_in_words() -> None:
    for name, method in methods().items():
        assert method.words, name
        assert method.meaning, name
        assert method.formula, name
    assert words("human_krippendorff_alpha") == "Krippendorff's alpha among people"
    assert words("cohen_kappa_change") == "change of Cohen's kappa"
    assert method_of("coverage", "audit") != method_of("coverage", "agree")


@pytest.mark.parametrize("name", ["", "__proto__", "no such number"])
def test_an_unknown_name_is_shown_as_it_is(name: str) -> None:
    assert words(name) == name.replace("_", " ")


def test_a_rate_is_known_by_its_name_and_what_is_derived_from_it() -> None:
    assert is_rate("accuracy")
    assert is_rate("human_observed_agreement")
    assert not is_rate("cohen_kappa")
    assert not is_rate("no such number")
