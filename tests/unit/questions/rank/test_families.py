"""Who is kin to whom."""

from __future__ import annotations

from goldassay.questions.rank.families import kin_systems

SYSTEMS = ("gpt", "llama", "llama-small")


def test_families_names_and_descriptions() -> None:
    judges = ("gpt", "llama-judge", "other", "told")
    kin = kin_systems(
        judges,
        SYSTEMS,
        {"llama-judge": "meta", "llama": "meta", "llama-small": "meta"},
        {"told": {"family": "meta"}, "other": {"model": "x"}},
    )
    assert kin == {"gpt": (0,), "llama-judge": (1, 2), "told": (1, 2)}


def test_the_declared_family_goes_before_the_described_one() -> None:
    families = {"a": "house", "gpt": "house", "llama": "meta"}
    assert kin_systems(("a",), SYSTEMS, families, {"a": {"family": "meta"}}) == {"a": (0,)}


def test_an_own_system_is_all_of_the_kin() -> None:
    families = {"a": "meta", "llama": "meta", "llama-small": "meta"}
    assert kin_systems(("a",), SYSTEMS, families, {"a": {"system": "gpt"}}) == {"a": (0,)}


def test_a_family_of_all_systems_is_no_family() -> None:
    families = dict.fromkeys(("a", *SYSTEMS), "all")
    assert kin_systems(("a",), SYSTEMS, families, {}) == {}
