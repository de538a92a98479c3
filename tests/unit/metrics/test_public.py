"""Every public metric has a record, a whole docstring, an entry in the glossary and in the page."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from goldassay import metrics
from goldassay.glossary import method_of
from goldassay.metrics import registry
from goldassay.questions.asking import RESAMPLES, SEED

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
SECTIONS = ("Parameters", "Returns", "Notes", "References", "Examples")
NAMES = sorted(metrics.__all__)


def test_a_record_for_each_function_and_a_function_for_each_record() -> None:
    records = [record for name in registry.__all__ for record in getattr(registry, name)]
    assert set(records) == set(NAMES)


def test_a_record_is_kept_under_its_name() -> None:
    for kind in registry.__all__:
        assert all(record.name == name for name, record in getattr(registry, kind).items())


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_is_whole(name: str) -> None:
    function = getattr(metrics, name)
    text = inspect.getdoc(function) or ""
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.M)
    own, sections = parts[0], dict(zip(parts[1::2], parts[2::2], strict=True))
    assert tuple(sections) == SECTIONS
    summary, _, estimand = own.partition("\n\n")
    assert summary.endswith(".")
    assert "\n" not in summary
    assert estimand.strip(), "what is estimated, and what it depends on"
    described = re.findall(r"^(\w+)$", sections["Parameters"], flags=re.M)
    assert described == list(inspect.signature(function).parameters)
    assert "{" not in sections["Parameters"]
    assert re.search(r"\(\d{4}\)", sections["References"])
    assert f">>> {name}(" in sections["Examples"] or f"= {name}(" in sections["Examples"]


@pytest.mark.parametrize("name", NAMES)
def test_options_are_keywords_with_the_defaults_of_the_verbs(name: str) -> None:
    parameters = inspect.signature(getattr(metrics, name)).parameters
    given = ("reference", "verdicts", "scores", "probabilities", "ratings")
    positional = [p.name for p in parameters.values() if p.kind is not p.KEYWORD_ONLY]
    assert set(positional) <= set(given)
    defaults = {p.name: p.default for p in parameters.values()}
    expected = {"confidence_level": 0.95, "seed": SEED, "draws": RESAMPLES}
    assert {key: defaults.get(key, value) for key, value in expected.items()} == expected
    assert getattr(metrics, name).__annotations__["return"] == "Estimate | Undefined"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_in_the_glossary_and_in_the_page(name: str) -> None:
    known = method_of(name, "agree")
    assert known is not None
    assert known.reference
    assert f"`{name}`" in PAGE


def test_what_the_verbs_show_is_what_the_scales_say() -> None:
    """From Python only: records without a scale."""
    alone = {name for name, record in registry.TABLE_METRICS.items() if not record.scales}
    assert alone == {"gwet_ac2"}
