"""The watch page: the interval narrows as labels arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.glossary import method_of
from goldassay.rendering.charts.svg import NARROW, WIDE, draw
from goldassay.rendering.markup import Child, Markup, el, joined, name
from goldassay.web.desk import Desk
from goldassay.web.exports import FORMATS
from goldassay.web.pages.layout import Frame, address, page, table
from goldassay.web.trace import Need, Pair, Trace, pairs, trace
from goldassay.words import counted, decimal, interval_text, percent, visible

__all__ = ["watch_page"]


def watch_page(desk: Desk, *, rater: str = "", judge: str = "") -> Markup:
    """The estimate so far, how it came to be, how far people agree, and who has done what."""
    # Before anything is read: a label that arrives meanwhile is news to the page, not part of it.
    version = desk.version()
    judge = judge or (desk.cases.judges[0] if desk.cases.judges else "")
    found = trace(desk, judge) if judge else None
    rated = [
        key for key in desk.labelled() if any(one.status == "rated" for one in desk.people_of(key))
    ]
    body = (
        el("h1", None, "The estimate so far"),
        _judges(desk, judge, rater),
        el("div", {"class": "figures"}, _figures(desk, found, len(rated))),
        _chart(desk, found) if found else _nothing(judge),
        el(
            "section",
            {"class": "card"},
            el("h2", None, "Do people agree with one another?"),
            _pairs(pairs(desk), desk.told_apart()),
        ),
        el("section", {"class": "card"}, el("h2", None, "Who has labelled"), _raters(desk)),
    )
    return page("Watch", body, Frame(tab="watch", rater=rater, shape="medium", live=version))


def _judges(desk: Desk, judge: str, rater: str) -> Markup | None:
    names = desk.cases.judges
    if len(names) < 2:
        return None
    links: list[Child] = [
        el(
            "a",
            {
                "href": address("/watch", rater=rater, judge=str(index)),
                "aria-current": one == judge and "true",
            },
            name(one),
        )
        for index, one in enumerate(names)
    ]
    return el("nav", {"class": "choose", "aria-label": "Judges"}, "Judge: ", links)


def _figures(desk: Desk, found: Trace | None, rated: int) -> list[Child]:
    cards: list[Child] = [
        _figure("units labelled", f"{rated:,}", f"of {len(desk.order):,}", id_="labelled")
    ]
    if found is None:
        return cards
    ends = (found.low[-1], found.high[-1])
    level = f"{percent(found.confidence_level)} interval: {_ends(found)}"
    value = percent(found.value[-1], ends)
    how = _how(desk, found)
    cards.append(_figure(_subject(desk, found), value, level, id_="estimate", how=how))
    wanted = ""
    if desk.settings.target is not None:
        wanted = f"(wanted: {_points(desk.settings.target)})"
    length = _points(found.length, desk.settings.target)
    cards.append(_figure("length of the interval", length, f"points {wanted}", id_="length"))
    if found.need is not None:
        cards.append(_left(found.need, found.labels[-1], desk.settings.target))
    return cards


def _left(need: Need, now: int, target: float | None) -> Markup:
    if need.units is None:
        shortest = f"all units together give {_points(need.shortest, target)} points"
        return _figure("labels left to the target", "out of reach", shortest, id_="left")
    left = max(need.units - now, 0)
    note = "if the rest is like the first" if left else "the target is reached"
    return _figure("labels left to the target", f"{left:,}", note, id_="left")


def _points(length: float, target: float | None = None) -> str:
    """The length of an interval in points, with a decimal where it is short or near the target.

    >>> _points(0.313), _points(0.0313), _points(0.303, 0.3), _points(0.3, 0.3)
    ('31', '3.1', '30.3', '30')
    """
    near = target is not None and length != target and round(100 * length) == round(100 * target)
    return f"{length * 100:.0f}" if length >= 0.1 and not near else f"{length * 100:.1f}"


def _figure(
    title: str, value: str, note: str, *, id_: str, how: Sequence[tuple[str, str]] = ()
) -> Markup:
    told = [el("li", None, el("b", None, f"{word}:"), f" {text}") for word, text in how if text]
    return el(
        "div",
        {"class": "card", "id": id_},
        el("div", {"class": "figure-name"}, title),
        el("div", {"class": "figure"}, value, " ", el("small", None, note)),
        el("details", None, el("summary", None, "how?"), el("ul", None, told)) if told else None,
    )


def _how(desk: Desk, found: Trace) -> tuple[tuple[str, str], ...]:
    """The estimate's own declaration: what it is of, how it was handled, and a command."""
    task, given = desk.task, desk.settings.command
    verb = "estimate" if found.name == "prevalence" else "agree"
    known = method_of("prevalence" if verb == "estimate" else "accuracy", verb)
    handled = {
        "reference": task.reference,
        "abstentions": task.abstentions,
        "invalids": task.invalids,
    }
    apart = "each unit counts for itself, clusters are not counted; the command counts them"
    return (
        ("means", known.meaning if known else ""),
        ("about", f"judge {visible(found.judge, 60)}"),
        ("number", counted(found.labels[-1], "labelled unit")),
        ("interval", f"{percent(found.confidence_level)}, {found.method}"),
        ("handled", "; ".join(f"{key} = {value}" for key, value in handled.items())),
        ("beware", apart if _clustered(desk) else ""),
        ("command", f"goldassay {verb} {given}" if given else ""),
    )


def _clustered(desk: Desk) -> bool:
    """Whether units of one cluster go together, which the band does not count."""
    items = {unit.item for unit in desk.cases.units.values()}
    return desk.task.cluster != "item" or len(items) < len(desk.cases.units)


def _subject(desk: Desk, found: Trace) -> str:
    if found.name == "prevalence":
        return f"true rate of {str(desk.task.positive)[:60]}"
    return "judge and people say the same"


def _chart(desk: Desk, found: Trace) -> Markup:
    subject = _subject(desk, found)
    title = subject[:1].upper() + subject[1:]
    ends = (found.low[-1], found.high[-1])
    chart = {
        "kind": "line",
        "title": title,
        "x_label": "units labelled",
        "y_label": "%",
        "series": [
            {
                "label": "",
                "x": found.labels,
                "y": _hundredths(found.value),
                "low": _hundredths(found.low),
                "high": _hundredths(found.high),
            }
        ],
        "references": [],
        "alt": f"{title} after {found.labels[0]:,} to {found.labels[-1]:,} labelled units: now "
        f"{percent(found.value[-1], ends)}, {percent(found.confidence_level)} interval "
        f"{_ends(found)}.",
    }
    return el(
        "section",
        {"class": "card"},
        el("h2", None, f"{title}, as labels arrived"),
        el(
            "div",
            {"class": "chart"},
            el("div", {"class": "desk-wide"}, draw(chart, width=WIDE)),
            el("div", {"class": "phone"}, draw(chart, width=NARROW)),
        ),
        el("p", {"class": "hint"}, _cautions(desk, found)),
    )


def _ends(found: Trace) -> str:
    return interval_text(found.low[-1], found.high[-1], rate=True).replace(", ", " to ") + "\xa0%"


def _hundredths(shares: Sequence[float]) -> list[float]:
    return [100 * share for share in shares]


def _cautions(desk: Desk, found: Trace) -> str:
    """What the interval is, and when it is not what it claims."""
    words = [f"Band: {percent(found.confidence_level)} interval ({found.method})."]
    if desk.task.reference == "adjudicated":
        words.append("Where people differ, the resolution counts.")
    if found.divided:
        units = "unit does" if found.divided == 1 else "units do"
        words.append(f"{found.divided:,} labelled {units} not count: people are divided there.")
    if not desk.settings.drawn:
        words.append(
            "The units were not drawn at random, so that this speaks of the labelled ones; of all "
            "units only if those are like the rest."
        )
    if _clustered(desk):
        words.append(f"Clusters by {desk.task.cluster} are not counted here; the report does.")
    if desk.settings.anytime:
        words.append("The band holds at all moments at once: stop whenever it is short enough.")
    else:
        words.append(
            "The band holds for a number of labels that was decided beforehand: stopping at the "
            "moment when it looks good makes it too short. goldassay serve --anytime draws a "
            "longer band that allows it."
        )
    return " ".join(words)


def _nothing(judge: str) -> Markup:
    words = (
        "An estimate appears with the second unit that both this judge and a person have rated."
        if judge
        else "No judge has rated these units yet, so that there is nothing to estimate."
    )
    return el("p", {"class": "card absent"}, words)


def _pairs(found: Sequence[Pair], shown: Mapping[str, str]) -> Markup:
    if not found:
        return el("p", {"class": "absent"}, "No unit has been rated by two people yet.")
    rows: list[Sequence[Child]] = [
        (
            name(shown.get(one.first, one.first)),
            name(shown.get(one.second, one.second)),
            f"{one.common:,}",
            percent(one.same / one.common),
            "undefined" if one.kappa is None else decimal(one.kappa),
        )
        for one in found
    ]
    note = "Kappa is undefined when both always gave the same one answer, or response sets."
    return joined(
        table(("one", "other", "units in common", "same answer", "Cohen's kappa"), rows, numbers=2),
        el("p", {"class": "hint"}, note),
    )


def _raters(desk: Desk) -> Markup:
    names, shown = desk.raters(), desk.told_apart()
    rows: list[Sequence[Child]] = [
        (name(shown.get(one, one)), f"{done:,}", f"{len(desk.order):,}")
        for one, done in names.items()
    ]
    links: list[Child] = []
    for file in FORMATS:
        links += [" · " if links else None, el("a", {"href": f"/export/{file}"}, file)]
    who = (
        table(("rater", "labelled", "of"), rows, numbers=1)
        if rows
        else el("p", {"class": "absent"}, "Nobody yet.")
    )
    return joined(who, el("p", {"class": "hint"}, "Take the labels along: ", links))
