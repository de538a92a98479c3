"""The watch page: the interval narrows as labels arrive."""

from __future__ import annotations

from collections.abc import Sequence

from karat.report.svg import NARROW, WIDE, draw
from karat.web.desk import Desk
from karat.web.exports import FORMATS
from karat.web.markup import Child, Markup, el, trusted
from karat.web.pages.layout import address, page, table
from karat.web.trace import Pair, Trace, pairs, trace

__all__ = ["watch_page"]


def watch_page(desk: Desk, *, rater: str = "", judge: str = "") -> Markup:
    """The estimate so far, how it came to be, how far people agree, and who has done what."""
    judge = judge or (desk.cases.judges[0] if desk.cases.judges else "")
    found = trace(desk, judge) if judge else None
    rated = {unit.key for unit, label in desk.labels() if label.status == "rated"}
    body = (
        el("h1", None, "The estimate so far"),
        _judges(desk, judge, rater),
        el("div", {"class": "figures"}, _figures(desk, found, len(rated))),
        _chart(desk, found) if found else _nothing(judge),
        el("section", {"class": "card"}, el("h2", None, "Do people agree with one another?"),
           _pairs(pairs(desk))),
        el("section", {"class": "card"}, el("h2", None, "Who has labelled"), _raters(desk)),
    )  # fmt: skip
    return page("Watch", body, tab="watch", rater=rater, live=desk.version())


def _judges(desk: Desk, judge: str, rater: str) -> Markup | None:
    names = desk.cases.judges
    if len(names) < 2:
        return None
    links: list[Child] = [
        el("a", {"href": address("/watch", rater=rater, judge=str(index)),
                 "aria-current": name == judge and "true"}, el("bdi", None, name))
        for index, name in enumerate(names)
    ]  # fmt: skip
    return el("nav", {"class": "choose", "aria-label": "Judges"}, "Judge: ", links)


def _figures(desk: Desk, found: Trace | None, rated: int) -> list[Child]:
    cards: list[Child] = [
        _figure("units labelled", f"{rated:,}", f"of {len(desk.order):,}", id_="labelled")
    ]
    if found is None:
        return cards
    level = f"{found.confidence_level:.0%} interval {found.low[-1]:.1%} to {found.high[-1]:.1%}"
    names = {"agreement": "judge and people say the same", "prevalence": "true rate"}
    cards.append(_figure(names[found.name], f"{found.value[-1]:.1%}", level, id_="estimate"))
    target = desk.settings.target
    wanted = "" if target is None else f"wanted: {target * 100:.1f} points"
    cards.append(_figure("length of the interval", f"{found.length * 100:.1f}",
                         f"points {wanted}", id_="length"))  # fmt: skip
    return cards


def _figure(name: str, value: str, note: str, *, id_: str) -> Markup:
    return el("div", {"class": "card", "id": id_}, el("div", {"class": "figure-name"}, name),
              el("div", {"class": "figure"}, value, " ", el("small", None, note)))  # fmt: skip


def _chart(desk: Desk, found: Trace) -> Markup:
    words = {"agreement": "Share of units on which judge and people say the same",
             "prevalence": "True rate"}[found.name]  # fmt: skip
    chart = {
        "kind": "line", "title": words, "x_label": "units labelled", "y_label": "",
        "series": [{"label": "", "x": found.labels, "y": found.value, "low": found.low,
                    "high": found.high}],
        "references": [],
        "alt": f"{words} after {found.labels[0]:,} to {found.labels[-1]:,} labelled units: now "
               f"{found.value[-1]:.1%}, between {found.low[-1]:.1%} and {found.high[-1]:.1%}.",
    }  # fmt: skip
    caution = (
        "The interval holds for a number of labels that was decided beforehand. Stopping at the "
        "moment when it looks good makes it too short."
    )
    return el(
        "section",
        {"class": "card"},
        el("h2", None, f"{words}, as labels arrived"),
        el("div", {"class": "chart"},
           el("div", {"class": "desk-wide"}, trusted(draw(chart, width=WIDE))),
           el("div", {"class": "phone"}, trusted(draw(chart, width=NARROW)))),
        el("p", {"class": "hint"},
           f"Band: {found.confidence_level:.0%} interval ({found.method}). {caution}"),
    )  # fmt: skip


def _nothing(judge: str) -> Markup:
    words = (
        "An estimate appears with the second unit that both this judge and a person have rated."
        if judge
        else "No judge has rated these units yet, so that there is nothing to estimate."
    )
    return el("p", {"class": "card absent"}, words)


def _pairs(found: Sequence[Pair]) -> Markup:
    if not found:
        return el("p", {"class": "absent"}, "No unit has been rated by two people yet.")
    rows: list[Sequence[Child]] = [
        (
            el("bdi", None, one.first), el("bdi", None, one.second), f"{one.common:,}",
            f"{one.same / one.common:.0%}",
            "undefined" if one.kappa is None else f"{one.kappa:.2f}",
        )
        for one in found
    ]  # fmt: skip
    note = "Kappa is undefined when both always gave the same one answer, or response sets."
    return Markup(
        table(("one", "other", "units in common", "same answer", "Cohen's kappa"), rows, numbers=2)
        + el("p", {"class": "hint"}, note)
    )


def _raters(desk: Desk) -> Markup:
    names = desk.raters()
    rows: list[Sequence[Child]] = [
        (el("bdi", None, name), f"{done:,}", f"{len(desk.order):,}") for name, done in names.items()
    ]
    links: list[Child] = []
    for name in FORMATS:
        links += [" · " if links else None, el("a", {"href": f"/export/{name}"}, name)]
    who = table(("rater", "labelled", "of"), rows, numbers=1) if rows else el(
        "p", {"class": "absent"}, "Nobody yet.")  # fmt: skip
    return Markup(who + el("p", {"class": "hint"}, "Take the labels along: ", links))
