"""Pairs in a real Chromium: what is chosen by what is visible is what is stored, whatever the
items' fields are called and whoever they say answered."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chromium
import pytest
from serving import served

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("labelling"),  # one browser for all
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
]
pytest.importorskip("playwright")

TASK = 'scale = "pairwise"\noptions = ["A", "B", "tie"]\ntie = "tie"\n'
#: What a system's own answer and its opponent's say of themselves, for the test alone.
FIRST, SECOND = "An answer with Oak.", "An answer with Elm."


@dataclass
class Way:
    """One way in which a study holds its pairs."""

    #: The rows of the items for pair k.
    items: Callable[[int], list[dict[str, Any]]]
    #: The unit that a judge's rating of pair k names: columns beside the item.
    unit: Callable[[int], dict[str, str]] = lambda k: {}
    task: str = TASK
    options: tuple[str, str, str] = ("A", "B", "tie")
    settings: dict[str, Any] = field(default_factory=dict)
    #: Ratings of a judge, or the items alone.
    rated: bool = True
    suffix: str = ".jsonl"


def named(first: str, second: str, **more: Any) -> Callable[[int], list[dict[str, Any]]]:
    return lambda k: [
        {"item": f"q{k}", "input": "Which tree?", first: FIRST, second: SECOND, **more}
    ]


def turned(k: int) -> list[dict[str, Any]]:
    """The items name the opponent's answer first in every other row."""
    system, opponent = "xi", "rho"
    if k % 2:
        about = {"system": opponent, "opponent": system, "output_a": SECOND, "output_b": FIRST}
    else:
        about = {"system": system, "opponent": opponent, "output_a": FIRST, "output_b": SECOND}
    return [{"item": f"q{k}", "input": "Which tree?", **about}]


def by_system(k: int) -> list[dict[str, Any]]:
    rows = [
        {"item": f"q{k}", "system": "xi", "output": FIRST},
        {"item": f"q{k}", "system": "rho", "output": SECOND},
        {"item": f"q{k}", "system": "phi", "output": "A third one."},
    ]
    return rows[k % 3 :] + rows[: k % 3]


def contests(k: int) -> list[dict[str, Any]]:
    """Three systems against one another on each item: whose answers they are is in the rows."""
    found = [("rho", "phi"), ("xi", "phi"), ("xi", "rho")]
    return [
        {
            "item": f"q{k}",
            "system": one,
            "opponent": two,
            "answer_1": FIRST if (one, two) == ("xi", "rho") else f"Of {one}.",
            "answer_2": SECOND if (one, two) == ("xi", "rho") else f"Of {two}.",
        }
        for one, two in found
    ]


def two_systems(k: int) -> dict[str, str]:
    return {"system": "xi", "opponent": "rho"}


SIDES = 'scale = "pairwise"\noptions = ["left", "right", "tie"]\ntie = "tie"\n'
TOLD = (
    'scale = "pairwise"\ntie = "tie"\n[options.A]\ntext = "The first wins"\n'
    '[options.B]\ntext = "The second wins"\n[options.tie]\ntext = "Neither"\n'
)
SETS = TASK + 'reference = "response_set"\n'
CRITERIA = TASK + '[criteria.clear]\ntext = "Clear?"\n[criteria.kind]\ntext = "Kind?"\n'
PRE = ("preferred", "other", "tie")
WAYS = {
    "output, output_b": Way(named("output", "output_b")),
    "the second first": Way(
        lambda k: [{"item": f"q{k}", "output_b": SECOND, "input": "?", "output": FIRST}]
    ),
    "output_a, output_b": Way(named("output_a", "output_b")),
    "response_a, response_b": Way(named("response_a", "response_b"), two_systems),
    "answer_1, answer_2": Way(named("answer_1", "answer_2"), task=TOLD),
    "response1, response2": Way(named("response1", "response2"), suffix=".csv"),
    "Completion A, Completion B": Way(named("Completion A", "Completion B"), suffix=".csv"),
    "chosen, rejected": Way(named("chosen", "rejected")),
    "options left, right": Way(
        named("left_output", "right_output"), task=SIDES, options=("left", "right", "tie")
    ),
    "fields called as the options": Way(
        lambda k: [{"item": f"q{k}", "other": SECOND, "preferred": FIRST}],
        task=TASK.replace('"A", "B"', '"preferred", "other"'),
        options=PRE,
    ),
    "said by --sides": Way(
        named("draft", "final", output_a="no", output_b="no"),
        settings={"sides": ("draft", "final")},
    ),
    "turned round by --sides": Way(
        named("text_b", "text_a"), settings={"sides": ("text_b", "text_a")}
    ),
    "rows that name the opponent first": Way(turned, two_systems),
    "a row for each system": Way(by_system, two_systems),
    "several contests of an item": Way(contests, two_systems),
    "items alone": Way(named("output_a", "output_b"), rated=False),
    "response sets": Way(named("output_a", "output_b"), task=SETS),
    "criteria on one page": Way(named("output_a", "output_b"), task=CRITERIA),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


def written(folder: Path, way: Way, number: int) -> tuple[Path | None, Path, Path]:
    folder.mkdir()
    ratings, task = folder / "ratings.csv", folder / "task.toml"
    items = folder / f"items{way.suffix}"
    rows = [row for k in range(number) for row in way.items(k)]
    if way.suffix == ".csv":
        head = ",".join(rows[0])
        items.write_text("\n".join([head, *(",".join(row.values()) for row in rows)]) + "\n")
    else:
        items.write_text("".join(json.dumps(row) + "\n" for row in rows))
    task.write_text(way.task)
    criteria = [*("clear", "kind")] if "criteria" in way.task else [""]
    lines = ["item,rater,kind,value,criterion,system,opponent"]
    for k in range(number):
        about = way.unit(k)
        pair = f"{about.get('system', '')},{about.get('opponent', '')}"
        lines += [f"q{k},gpt,judge,{way.options[k % 3]},{one},{pair}" for one in criteria]
    ratings.write_text("\n".join(lines) + "\n")
    return (ratings if way.rated else None), task, items


def chosen(page: Any, wanted: str) -> str:
    """The key of the choice that says that this text is the better one, by what is visible."""
    panes = [pane.inner_text() for pane in page.locator(".sides .pane").all()]
    (place,) = [word for word in ("Left", "Right") for pane in panes
                if pane.startswith(word) and wanted in pane]  # fmt: skip
    words = page.locator("fieldset").first.locator("label.choice, button.choice").all_inner_texts()
    (said,) = [word for word in words if f"The {place.lower()} one is better" in word]
    return said.split()[0]


@pytest.mark.parametrize(
    "number", [pytest.param(2, id="short"), pytest.param(12, marks=pytest.mark.slow, id="long")]
)
def test_what_is_stored_is_what_was_visibly_chosen(
    browser: Any, tmp_path: Path, number: int
) -> None:
    rng = random.Random(5)
    stored = wrong = 0
    orders: set[str] = set()
    for place, (name, way) in enumerate(WAYS.items()):
        ratings, task, items = written(tmp_path / str(place), way, number)
        meant: dict[str, str] = {}
        with served(ratings, task, items, order="given", batch=0, **way.settings) as server:
            context = browser.new_context()
            seen = chromium.watched(context, allow=server.base)
            page = seen.page
            page.goto(server.link)
            page.wait_for_url(f"{server.base}/")
            page.goto(f"{server.base}/label?rater=anna-{place}")
            for _ in range(number):
                item = page.locator("#label").get_attribute("data-unit")
                wish = rng.choice((0, 0, 1, 1, 2))
                key = "3" if wish == 2 else chosen(page, (FIRST, SECOND)[wish])
                meant[item] = way.options[wish]
                keys = [key] * (2 if "criteria" in way.task else 1)
                keys += ["Enter"] if way.task in (CRITERIA, SETS) else []
                for one in keys[:-1]:
                    page.keyboard.press(one)
                with page.expect_navigation():
                    page.keyboard.press(keys[-1])
            assert page.locator("h1").inner_text() == "Nothing left to label", name
            assert seen.complaints == [], name
            context.close()
            units = server.site.desk.cases.units
        (labels,) = (tmp_path / str(place)).glob("*.labels.db")
        with sqlite3.connect(labels) as store:
            rows = store.execute(
                'SELECT item, value, "order", sides FROM current_labels'
            ).fetchall()
        by_item = {units[key].item: value for key, value in meant.items()}
        stored += len(rows)
        wrong += sum(by_item[item] != value for item, value, _, _ in rows)
        assert {item for item, *_ in rows} == set(by_item), name
        for _, _, order, sides in rows:
            left, right = json.loads(sides)
            assert left != right, name
            orders.add(order)
    assert orders == {"system_first", "opponent_first"}
    assert wrong == 0
    assert stored >= number * len(WAYS)
