"""The explore page: the units on which judge and people differ, beside the judge's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from goldassay.frozen import dataclass
from goldassay.ratings.task import Task
from goldassay.rendering.markup import Child, Markup, block, cut, el, name
from goldassay.web.answers import MAX_COMMENT
from goldassay.web.cases import Unit, Verdict
from goldassay.web.compare import RELATIONS, Case, Filters, Found, Index
from goldassay.web.content import TEXT_LIMIT
from goldassay.web.desk import Desk
from goldassay.web.pages.layout import Frame, address, message_page, page, pager, table
from goldassay.web.pages.panes import panes
from goldassay.web.pages.said import by_people, said, seen
from goldassay.words import counted

__all__ = ["Look", "case_page", "explore_page", "hidden_page"]

PER_PAGE, PER_TABLE = 25, 100
PREVIEW = 400
#: A relation in one or two words, beside what was said.
MARKS = {
    "differ": "differs",
    "same": "same",
    "divided": "people are divided",
    "no_verdict": "no verdict",
    "unlabelled": "not labelled",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How the list is looked at: by whom, which page of it, as cards or as a table."""

    #: What an address may hold, from which the links to other pages are made.
    QUERY: ClassVar = ("rater", "judge", "system", "criterion", "relation", "q", "view")

    rater: str = ""
    number: int = 1
    table: bool = False
    query: Mapping[str, str] = field(default_factory=dict)


def hidden_page() -> Markup:
    return message_page(
        "Explore is closed",
        "This server was started with --never-show-verdicts: what the judges said is not shown, "
        "so that it cannot colour a label.",
    )


def explore_page(desk: Desk, index: Index, filters: Filters, look: Look) -> Markup:
    """The list of cases that pass the filters, and how many stand how."""
    found = index.find(filters, look.rater)
    per_page = PER_TABLE if look.table else PER_PAGE
    pages = max(1, -(-len(found.units) // per_page))
    number = min(max(look.number, 1), pages)
    shown = [
        (desk.cases.units[key], _cases(index, key, filters))
        for key in found.units[(number - 1) * per_page : number * per_page]
    ]
    kept = None
    if found.hidden and filters.relation != "waiting":
        who = "you until you label them" if look.rater else "everybody until they are labelled"
        batch = " and the batch is done" if desk.settings.batch else ""
        words = f"The verdicts of {counted(found.hidden, 'unit')} are kept from {who}{batch}."
        kept = el("p", {"class": "note"}, words)
    if look.table:
        listed = _table(desk, shown, look.rater) if shown else None
    else:
        listed = el("ul", {"class": "cases"}, [_case(desk, *one, look.rater) for one in shown])
    body = (
        el("h1", None, "Where judge and people differ"),
        _filter_form(desk, filters, found, look),
        kept,
        el("p", {"class": "quiet", "id": "found"}, counted(len(found.units), "unit"), _views(look)),
        None if shown else el("p", {"class": "card absent"}, "No case passes these filters."),
        listed,
        pager("/explore", look.query, number, pages),
        el("p", {"class": "hint"}, _keys()),
    )
    return page("Explore", body, Frame(tab="explore", rater=look.rater))


def _cases(index: Index, key: str, filters: Filters) -> list[Case]:
    return [] if filters.relation == "waiting" else index.cases_of(key, filters)


def _keys() -> list[Child]:
    keys = (("/", "search"), ("j k", "next, before"), ("o", "open"), ("t", "table or cards"))
    return [(el("kbd", None, key), f" {words}  ") for key, words in keys]


def _views(look: Look) -> list[Child]:
    view = {**look.query, "view": "" if look.table else "table"}
    link = el(
        "a",
        {"href": address("/explore", **view), "data-key": "t"},
        "as ",
        ("cards" if look.table else "a table"),
    )
    return [" · ", link]


def _filter_form(desk: Desk, filters: Filters, found: Found, look: Look) -> Markup:
    relations = [
        (name, f"{words} ({found.counts['relation'].get(name, 0):,})")
        for name, words in RELATIONS.items()
        if name != "unlabelled"
    ]
    search: dict[str, str | int] = {
        "type": "search",
        "name": "q",
        "value": filters.search,
        "maxlength": 200,
        "data-key": "/",
    }
    fields: list[Child] = [
        el("input", {"type": "hidden", "name": "rater", "value": look.rater})
        if look.rater
        else None,
        el("input", {"type": "hidden", "name": "view", "value": "table"}) if look.table else None,
        el("label", None, "Text ", el("kbd", None, "/"), el("input", search)),
        _select("relation", "Agreement", filters.relation, relations),
    ]
    for field_, word, values in (
        ("judge", "Judge", desk.cases.judges),
        ("system", "System", desk.cases.systems),
        ("criterion", "Criterion", desk.cases.criteria),
    ):
        if len(values) > 1:
            # Names are hostile and may not survive a form unchanged; their numbers do.
            counts = found.counts[field_]
            choices = [
                (str(i), f"{value[:80]} ({counts.get(value, 0):,})")
                for i, value in enumerate(values)
            ]
            chosen = getattr(filters, field_)
            index = str(values.index(chosen)) if chosen in values else ""
            fields.append(_select(field_, word, index, choices))
    button = el("button", {"class": "button"}, "Show")
    return el("form", {"method": "get", "action": "/explore", "class": "filters"}, fields, button)


def _select(field: str, word: str, chosen: str, choices: Sequence[tuple[str, str]]) -> Markup:
    options = [el("option", {"value": ""}, "all")]
    options += [
        el("option", {"value": value, "selected": value == chosen}, label[:100])
        for value, label in choices
    ]
    return el("label", None, word, el("select", {"name": field}, options))


def _title(unit: Unit, link: str | None) -> list[Child]:
    about = [
        unit.criterion,
        unit.system and f"system {unit.system}",
        unit.opponent and f"against {unit.opponent}",
    ]
    head = el("a", {"href": link}, name(unit.item)) if link else name(unit.item)
    return [head, *(el("span", {"class": "quiet"}, " · ", name(w)) for w in about if w)]


def _link(unit: Unit, cases: Sequence[Case], rater: str) -> str | None:
    """Where a unit is read; one that waits for its label is labelled first."""
    if cases:
        return address(f"/explore/{unit.key}", rater=rater)
    return address("/label", rater=rater, unit=unit.key) if rater else None


def _case(desk: Desk, unit: Unit, cases: Sequence[Case], rater: str) -> Markup:
    """A unit with what people and each judge said of it."""
    preview = _preview(desk, unit)
    lines: Child = el("p", {"class": "quiet"}, "Verdicts are hidden until it is labelled.")
    if cases:
        people = el("span", None, "people: ", _people(cases[0], desk.task))
        lines = [el("div", {"class": "said"}, people), [_line(case, desk.task) for case in cases]]
    return el(
        "li",
        {"class": "case card"},
        el("h2", None, _title(unit, _link(unit, cases, rater))),
        el("p", {"class": "preview", "dir": "auto"}, preview) if preview else None,
        lines,
    )


def _preview(desk: Desk, unit: Unit, limit: int = PREVIEW) -> str:
    return " · ".join(desk.texts(unit).values())[:limit]


def _table(desk: Desk, shown: Sequence[tuple[Unit, Sequence[Case]]], rater: str) -> Markup:
    rows: list[Sequence[Child]] = []
    for unit, cases in shown:
        judges = [
            el(
                "span",
                {"class": {"same": "same", "differ": "differs"}.get(case.relation, "quiet")},
                name(case.judge, 40),
                ": ",
                _verdicts(case, desk.task),
                el("br"),
            )
            for case in cases
        ]
        rows.append(
            (
                el("span", {"class": "case"}, _title(unit, _link(unit, cases, rater))),
                el("span", {"dir": "auto"}, _preview(desk, unit, 160)),
                _people(cases[0], desk.task) if cases else "",
                judges or el("i", None, "hidden"),
            )
        )
    return table(("item", "text", "people", "judges"), rows)


def _line(case: Case, task: Task) -> Markup:
    kind = {"same": "same", "differ": "differs"}.get(case.relation, "quiet")
    return el(
        "div",
        {"class": "said"},
        el("span", None, name(case.judge), ": ", _verdicts(case, task)),
        el("span", {"class": kind}, MARKS[case.relation]),
    )


def _people(case: Case, task: Task) -> Child:
    return _counted([said(one, task) for one in case.people]) if case.people else "nobody yet"


def _verdicts(case: Case, task: Task) -> Child:
    return _counted([said(one, task) for one in case.verdicts])


def _counted(words: Sequence[Markup]) -> list[Child]:
    """Each answer once, with how often it was given."""
    found: list[Child] = []
    for word, count in Counter(words).most_common(12):
        found += [", " if found else None, word, f" × {count}" if count > 1 else None]
    return found


def case_page(desk: Desk, unit: Unit, *, rater: str = "") -> Markup:
    """One unit: its texts on the left, what everybody said on the right."""
    people = by_people(desk, unit, rater)
    verdicts = enumerate(desk.verdicts_with_answers(unit))
    judges = [_judge(desk, one, number, unit, rater) for number, one in verdicts]
    about = [
        f"criterion {unit.criterion}" if unit.criterion else "",
        f"system {unit.system}" if unit.system else "",
        f"against {unit.opponent}" if unit.opponent else "",
    ]
    label = el("a", {"href": address("/label", rater=rater, unit=unit.key)}, "Change my label")
    body = el(
        "div",
        {"class": "sides"},
        el(
            "div",
            {"class": "item"},
            el("h1", None, "Item ", name(unit.item)),
            [el("p", {"class": "quiet", "dir": "auto"}, cut(word, 400)) for word in about if word],
            panes(desk, unit, rater),
        ),
        el(
            "div",
            None,
            el(
                "section",
                {"class": "card"},
                el("h2", None, "People"),
                people or el("p", {"class": "absent"}, "Nobody has labelled it."),
                _resolved(desk, unit, rater),
                el("p", None, label) if rater else None,
            ),
            judges or el("p", {"class": "absent"}, "No judge has rated it."),
        ),
    )
    back = el(
        "p",
        None,
        el("a", {"href": address("/explore", rater=rater), "data-key": "escape"}, "← all cases"),
    )
    return page("Case", (back, body), Frame(tab="explore", rater=rater))


def _resolved(desk: Desk, unit: Unit, rater: str) -> Markup | None:
    found = desk.resolution(unit.key)
    if found is None:
        return None
    words = ("Resolved as ", seen(desk, unit, rater, found), " by ", name(found.rater), ": ")
    return el("p", None, words, el("span", {"dir": "auto"}, cut(found.comment, MAX_COMMENT)))


def _judge(desk: Desk, one: Verdict, number: int, unit: Unit, rater: str) -> Markup:
    """What a judge said, and its own words."""
    about = [f"sample {cut(one.sample, 40)}" if one.sample else "", cut(one.order, 40)]
    head = [el("span", {"class": "quiet"}, f" · {word}") for word in about if word]
    whole = address(f"/text/{unit.key}", verdict=str(number), rater=rater)
    words = (
        block(one.raw, limit=TEXT_LIMIT, rest=whole)
        if one.raw
        else el("p", {"class": "absent"}, "No raw answer is stored.")
    )
    title = el("h2", None, name(one.judge), " said ", seen(desk, unit, rater, one), head)
    return el("section", {"class": "card raw"}, title, words)
