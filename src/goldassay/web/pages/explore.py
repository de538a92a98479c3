"""The explore page: the units on which judge and people differ, beside the judge's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from goldassay.ratings.task import Task
from goldassay.rendering.markup import Child, Markup, block, cut, el, name
from goldassay.web.cases import Unit, Verdict
from goldassay.web.compare import RELATIONS, Case, Filters, compared
from goldassay.web.desk import MAX_COMMENT, Desk
from goldassay.web.pages.label import TEXT_LIMIT, said, texts
from goldassay.web.pages.layout import Frame, address, message_page, page, table

__all__ = ["PER_PAGE", "case_page", "explore_page", "hidden_page"]

PER_PAGE = 25
PREVIEW = 400
#: A relation in one or two words, beside what was said.
MARKS = {
    "differ": "differs",
    "same": "same",
    "divided": "people are divided",
    "no_verdict": "no verdict",
    "unlabelled": "not labelled",
}


def hidden_page() -> Markup:
    return message_page(
        "Explore is closed",
        "This server was started with --never-show-verdicts: what the judges said is not shown, "
        "so that it cannot colour a label.",
    )


def explore_page(
    desk: Desk, filters: Filters, *, rater: str = "", number: int = 1, query: Mapping[str, str]
) -> Markup:
    """The list of cases that pass the filters, and how many stand how.

    `query` is the address's own, from which the links to other pages are made.
    """
    everything, hidden = compared(desk, replace(filters, relation=""), rater=rater)
    counts = Counter(case.relation for case in everything)
    by_unit: dict[int, list[Case]] = {}  # by identity: a unit is one object, and hashing it is slow
    for case in everything:
        if filters.relation in ("", case.relation):
            by_unit.setdefault(id(case.unit), []).append(case)
    pages = max(1, -(-len(by_unit) // PER_PAGE))
    number = min(max(number, 1), pages)
    shown = list(by_unit.values())[(number - 1) * PER_PAGE : number * PER_PAGE]
    kept = (
        el("p", {"class": "note"}, f"{hidden:,} units are kept from you until you label them.")
        if hidden
        else None
    )
    nothing = None if shown else el("p", {"class": "card absent"}, "No case passes these filters.")
    body = (
        el("h1", None, "Where judge and people differ"),
        _filter_form(desk, filters, counts, rater),
        kept,
        nothing,
        el("ul", {"class": "cases"}, [_case(desk, case, rater) for case in shown]),
        _pager(query, number, pages),
    )
    return page("Explore", body, Frame(tab="explore", rater=rater))


def _filter_form(desk: Desk, filters: Filters, counts: Counter[str], rater: str) -> Markup:
    relations = [(name, f"{words} ({counts[name]:,})") for name, words in RELATIONS.items()]
    fields: list[Child] = [
        el("input", {"type": "hidden", "name": "rater", "value": rater}) if rater else None,
        _select("relation", "Agreement", filters.relation, relations),
    ]
    for field, word, values in (
        ("judge", "Judge", desk.cases.judges),
        ("system", "System", desk.cases.systems),
        ("criterion", "Criterion", desk.cases.criteria),
    ):
        if len(values) > 1:
            # Names are hostile and may not survive a form unchanged; their numbers do.
            choices = [(str(i), value) for i, value in enumerate(values)]
            chosen = getattr(filters, field)
            index = str(values.index(chosen)) if chosen in values else ""
            fields.append(_select(field, word, index, choices))
    button = el("button", {"class": "button"}, "Show")
    return el("form", {"method": "get", "action": "/explore", "class": "filters"}, fields, button)


def _select(field: str, word: str, chosen: str, choices: Sequence[tuple[str, str]]) -> Markup:
    options = [el("option", {"value": ""}, "all")]
    options += [
        el("option", {"value": value, "selected": value == chosen}, label[:80])
        for value, label in choices
    ]
    return el("label", None, word, el("select", {"name": field}, options))


def _case(desk: Desk, cases: Sequence[Case], rater: str) -> Markup:
    """A unit with what people and each judge said of it."""
    unit = cases[0].unit
    about = [
        unit.criterion,
        unit.system and f"system {unit.system}",
        unit.opponent and f"against {unit.opponent}",
    ]
    preview = " · ".join(desk.texts(unit).values())[:PREVIEW]
    link = address(f"/explore/{unit.key}", rater=rater)
    return el(
        "li",
        {"class": "case card"},
        el(
            "h2",
            None,
            el("a", {"href": link}, name(unit.item)),
            [el("span", {"class": "quiet"}, " · ", name(w)) for w in about if w],
        ),
        el("p", {"class": "preview", "dir": "auto"}, preview) if preview else None,
        el("div", {"class": "said"}, el("span", None, "people: ", _people(cases[0], desk.task))),
        [_line(case, desk.task) for case in cases],
    )


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


def _pager(query: Mapping[str, str], number: int, pages: int) -> Markup | None:
    if pages == 1:
        return None

    def to(other: int, word: str) -> Markup | None:
        link = address("/explore", **{**query, "page": str(other)})
        return el("a", {"href": link}, word) if 1 <= other <= pages else None

    return el(
        "nav",
        {"class": "pager", "aria-label": "More cases"},
        to(number - 1, "← before"),
        el("span", {"class": "quiet"}, f"page {number} of {pages}"),
        to(number + 1, "after →"),
    )


def case_page(desk: Desk, unit: Unit, *, rater: str = "") -> Markup:
    """One unit: its texts on the left, what everybody said on the right."""
    people, shown = desk.people(unit), desk.told_apart()
    rows: list[Sequence[Child]] = [
        (
            name(shown.get(one.rater, one.rater)),
            said(one, desk.task),
            el("span", {"dir": "auto"}, cut(one.comment, MAX_COMMENT)),
        )
        for one in people
    ]
    verdicts = enumerate(desk.verdicts_with_answers(unit))
    judges = [_judge(desk.task, one, number, unit, rater) for number, one in verdicts]
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
            texts(desk, unit, rater),
        ),
        el(
            "div",
            None,
            el(
                "section",
                {"class": "card"},
                el("h2", None, "People"),
                table(("rater", "label", "comment"), rows)
                if rows
                else el("p", {"class": "absent"}, "Nobody has labelled it."),
                el("p", None, label) if rater else None,
            ),
            judges or el("p", {"class": "absent"}, "No judge has rated it."),
        ),
    )
    back = el("p", None, el("a", {"href": address("/explore", rater=rater)}, "← all cases"))
    return page("Case", (back, body), Frame(tab="explore", rater=rater))


def _judge(task: Task, one: Verdict, number: int, unit: Unit, rater: str) -> Markup:
    """What a judge said, and its own words."""
    about = [f"sample {cut(one.sample, 40)}" if one.sample else "", cut(one.order, 40)]
    head = [el("span", {"class": "quiet"}, f" · {word}") for word in about if word]
    whole = address(f"/text/{unit.key}", verdict=str(number), rater=rater)
    words = (
        block(one.raw, limit=TEXT_LIMIT, rest=whole)
        if one.raw
        else el("p", {"class": "absent"}, "No raw answer is stored.")
    )
    title = el("h2", None, name(one.judge), " said ", said(one, task), head)
    return el("section", {"class": "card raw"}, title, words)
