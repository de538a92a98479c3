"""The first screen of a report: one large number with its picture for each thing one asks first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.charts import Dot, DotInterval, Move, Moves, Reference
from goldassay.glossary import is_rate, words
from goldassay.rendering.blocks import Card
from goldassay.rendering.how import facts_of
from goldassay.words import counted, decimal, interval_text, named, percent, visible

__all__ = ["beware", "cards", "section_of", "subject", "undeclared"]

Document = Mapping[str, Any]
Shown = Mapping[str, Any]


def subject(document: Document) -> str:
    """What was judged, by whom, on how many labels."""
    first = document.get("first") or {}
    judges = list(document.get("judges", ()))
    who = named(judges[0]) if len(judges) == 1 else counted(len(judges), "judge")
    items, labelled = first.get("items") or 0, first.get("labelled") or 0
    of = counted(items, first.get("unit") or "item")
    if not judges or not items:
        return "Judge report"
    if not labelled:
        return f"{who} on {of}, none labelled by people"
    label = "all labelled by people" if labelled >= items else f"{labelled:,} labelled by people"
    return f"{who} on {of}, {label}"


def cards(document: Document) -> tuple[Card, ...]:
    """The true rate; agreement, or the best of several judges; systems; whether it will do."""
    first = document.get("first")
    if not first:
        return ()
    made = (_rate(first, document), _judges(first, document), _systems(first), _use(first))
    return tuple(card for card in made if card is not None)


def beware(first: Document) -> str:
    """Diagnostics as a count, to be read below."""
    said = []
    if undefined := first.get("undefined"):
        said.append(f"{counted(undefined, 'main number')} cannot be given")
    if warnings := first.get("warnings"):
        said.append(counted(warnings, "warning"))
    return " and ".join(said)


def undeclared(first: Document) -> str:
    """Why the page says neither yes nor no, and how to have it say so."""
    if not first or first.get("use"):
        return ""
    return (
        "Whether the judge is good enough is not said, because the task does not declare what is: "
        "`[use]` with `metric` and `at_least`."
    )


def _rate(first: Document, document: Document) -> Card | None:
    strips = first.get("strips") or []
    if not strips:
        return None
    several, one = len(strips) > 1, strips[0]
    judge = named(first.get("judge") or "the judge")
    option = named(one["option"]) if one["option"] else "the positive option"
    kind = "option" if several and one["criterion"] is None else "criterion"
    chart = Moves(
        title="",
        x_label="",
        rows=[_move(strip, _strip_name(strip, strips), several) for strip in strips],
        names=("judge itself", *_names(one)),
        alt=" ".join(_strip_words(strip, strips) for strip in strips),
    )
    if several:
        in_all = first.get("strips_in_all") or len(strips)
        shown = f"{len(strips)} of {in_all}" if in_all > len(strips) else f"{in_all}"
        title = f"rates, {shown} {'options' if kind == 'option' else 'criteria'}"
        if kind == "criterion" and one["option"] and len({s["option"] for s in strips}) == 1:
            title = f"rates of {option}, {shown} criteria"
        title += ", furthest off first" if in_all > len(strips) else ""
        if (mean := first.get("mean")) is None:
            return Card(f"True {title}", "", said=(), chart=chart.to_json(), anchor="estimate")
        number, aside = _parts(mean["true"], rate=False)
        ends = mean["true"]["low"], mean["true"]["high"]
        given = f"{judge} gives {decimal(mean['called']['value'], ends)} on average"
        how = facts_of(mean["true"], document, "estimate")
        title = f"People's mean score, and true {title}"
        return Card(title, number, aside, (given,), chart.to_json(), how, "estimate")
    number, aside = _parts(one["true"], rate=True)
    said = (f"{judge} says {percent(one['called']['value'])}",) if one.get("called") else ()
    how = facts_of(one["true"], document, "estimate")
    if one["true"]["declared"].get("without_verdict"):
        said = (f"of what {judge} decides", *said)
    title = f"True rate of {option}"
    title += ", were labels drawn at random" if one.get("refuted") else ""
    return Card(title, number, aside, said, chart.to_json(), how, "estimate")


def _names(strip: Document) -> tuple[str, str]:
    level = strip["true"].get("confidence_level")
    corrected = f"true rate, {percent(level)} interval" if level else "true rate"
    return corrected, "people's labels alone"


def _strip_name(strip: Document, strips: Sequence[Document]) -> str:
    """The criterion, with the option where that is not the same on every one; or the option."""
    criterion, option = str(strip["criterion"] or ""), str(strip["option"] or "")
    several = len({one["option"] for one in strips}) > 1
    return f"{criterion}: {option}" if criterion and several else criterion or option


def _strip_words(strip: Document, strips: Sequence[Document]) -> str:
    what = _strip_name(strip, strips)
    own = f"; the judge says {percent(strip['called']['value'])}" if strip.get("called") else ""
    number, aside = _parts(strip["true"], rate=True)
    return f"{visible(what or 'The rate', 60)}: {number} {aside}{own}."


def _move(strip: Document, label: str, several: bool) -> Move:
    true, called, labels = strip["true"], strip.get("called"), strip.get("labels")
    aside = None
    if labels and labels.get("low") is not None and labels.get("high") is not None:
        aside = (labels["low"], labels["high"])
    start = called["value"] if called else None
    return Move(label if several else "", start, true["value"], true["low"], true["high"], aside)


def section_of(verb: str, document: Document) -> str:
    """The section of a page that has the numbers of a question.

    Where it was not answered (`select` of scores), the one whose table the report shows first.
    """
    parts = {part["verb"]: part.get("summary") for part in document.get("parts", ())}
    if not verb or verb in parts:
        return verb if parts else ""
    shown = document.get("summary")
    return next((name for name, table in parts.items() if table and table == shown), "")


def _judges(first: Document, document: Document) -> Card | None:
    """Of several judges the best eight by the number that decides; of one, its agreement."""
    field = first.get("field")
    if not field:
        return _agreement(first, document)
    name = field["columns"][0]
    rate = is_rate(name)
    lines = [line for line in field["lines"] if isinstance(line["cells"][0], Mapping)]
    rows = [
        Dot(line["label"], *(line["cells"][0][k] for k in ("value", "low", "high")))
        for line in lines
    ]
    tied = first.get("tied") or 1
    many = first.get("compared") or first.get("judges") or len(rows)
    chart = DotInterval(
        title="",
        x_label=words(name),
        rows=rows,
        rate=rate,
        tied=tied if tied > 1 else None,
        alt=f"{words(name)} of the first {len(rows)} of {many} judges, best first"
        + (f"; {tied} tied." if tied > 1 else "."),
    )
    some = f" (the first {len(rows)} are drawn)" if len(rows) < many else ""
    every = f"{many}" if many == (first.get("judges") or many) else f"{many} that are compared"
    if tied > 1:
        which = "" if tied == many else f" as the best of {every}"
        said: tuple[str, ...] = (f"cannot be told apart{which} by {words(name)}{some}",)
        return Card("Which judge?", f"{tied} tied", "", said, chart.to_json(), (), "select")
    number, aside = _parts(lines[0]["cells"][0], rate=rate)
    said = (f"{words(name)} {number} {aside}: the best of {every}{some}",)
    best = visible(lines[0]["label"], 60)
    return Card("Which judge?", best, "", said, chart.to_json(), (), "select")


def _agreement(first: Document, document: Document) -> Card | None:
    both = first.get("agreement")
    if not both:
        return _order(first)
    agreed, chance, people = both["agreed"], both.get("chance"), both.get("people")
    number, aside = _parts(agreed, rate=True)
    shown = [("judge and people", agreed), ("judge and a person", both.get("person"))]
    shown = [*shown, ("two people", people)] if people else shown[:1]
    chart = DotInterval(
        title="",
        x_label="how often they agree",
        rows=[Dot(what, one["value"], one["low"], one["high"]) for what, one in shown if one],
        references=[Reference(chance["value"], "chance")] if chance else [],
        rate=True,
        alt=f"Agreement with people: {number} {aside}.",
    )
    ends = agreed["low"], agreed["high"]
    said = (f"chance would give {percent(chance['value'], ends)}",) if chance else ()
    said = ("of what both decide", *said) if both.get("of_decided") else said
    how = facts_of(agreed, document, "agree")
    return Card("Agreement with people", number, aside, said, chart.to_json(), how, "agree")


def _order(first: Document) -> Card | None:
    tau = first.get("order")
    if not tau:
        return None
    number, aside = _parts(tau, rate=False)
    said = ("Kendall's tau of the judge's and people's order of systems; 1 is the same order",)
    return Card("Order of systems", number, aside, said, None, (), "rank")


def _systems(first: Document) -> Card | None:
    systems = first.get("systems") or []
    if len(systems) < 2:
        return None
    said = _of_how_many(first)
    if not any(one.get("called") for one in systems):
        return _compared(systems, said)
    chart = Moves(
        title="",
        x_label="",
        rows=[_move(one, str(one["system"]), True) for one in systems],
        names=("judge itself", "corrected", ""),
        alt="Rates of systems as the judge has them, and corrected: "
        + "; ".join(
            f"{visible(one['system'], 40)} {percent(one['true']['value'])}" for one in systems
        ),
    )
    return Card("Systems, corrected", "", said=said, chart=chart.to_json(), anchor="estimate")


def _of_how_many(first: Document) -> tuple[str, ...]:
    """How many of the systems are drawn, and how many cannot be told from the first."""
    shown, level = len(first["systems"]), len(first.get("systems_level") or ())
    every = first.get("systems_in_all") or shown
    said = f"{shown:,} of {counted(every, 'system')}, best first" if shown < every else ""
    if level:
        tied = f"{counted(level, 'system')} cannot be told from the first"
        said = f"{said}; {tied}" if said else tied
    return (said,) if said else ()


def _compared(systems: Sequence[Document], told: tuple[str, ...]) -> Card:
    """How often systems win, or their means, by labels and a judge's verdicts together."""
    true = [one["true"] for one in systems]
    name = f"true {words(true[0]['name']).removeprefix('true ')}"
    rate = is_rate(true[0]["name"])
    said = [f"{visible(one['system'], 40)} {_parts(one['true'], rate=rate)[0]}" for one in systems]
    chart = DotInterval(
        title="",
        x_label=name,
        rows=[
            Dot(str(one["system"]), *(of[key] for key in ("value", "low", "high")))
            for one, of in zip(systems, true, strict=True)
        ],
        rate=rate,
        alt=f"{name}: {'; '.join(said)}.",
    )
    return Card("Which system is better", "", said=told, chart=chart.to_json(), anchor="compare")


def _use(first: Document) -> Card | None:
    """Yes or no only against what the task declares as good enough."""
    use = first.get("use")
    if not use:
        return None
    rate = is_rate(use["metric"])
    wanted = percent(use["at_least"]) if rate else decimal(use["at_least"])
    said = [f"wanted: {words(use['metric'])} at least {wanted}"]
    if use["found"].get("value") is not None:
        said.append(f"found: {' '.join(_parts(use['found'], rate=rate))}")
    return Card("Good enough?", use["word"], said=tuple(said))


def _parts(shown: Shown, *, rate: bool) -> tuple[str, str]:
    """A number and its interval in brackets."""
    ends = (shown.get("low"), shown.get("high"))
    number = percent(shown["value"], ends) if rate else decimal(shown["value"], ends)
    return number, "" if ends == (None, None) else f"[{interval_text(*ends, rate=rate)}]"
