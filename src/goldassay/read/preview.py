"""A reading as a person checks it, before anything is computed."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from goldassay.read.arguments import options_of
from goldassay.read.decision import Answer, Decision
from goldassay.read.profile import Profile, profiles
from goldassay.read.records import opened
from goldassay.read.table import Rating, Table
from goldassay.words import named, visible

__all__ = ["arguments_said", "document", "preview"]

PEOPLE = {"human": "people", "judge": "judge", "reference": "reference"}
MOST_RATERS, MOST_VALUES, CASES, MOST_UNUSED, WIDTH = 12, 5, 3, 12, 22


def arguments_said(decision: Decision) -> str:
    """The options that say the reading, to be pasted."""
    return shlex.join(options_of(decision.arguments))


def preview(decision: Decision, verb: str = "agree", *, waits: bool = False) -> str:
    """The whole text that is shown; `waits` says that somebody can answer."""
    files = ", ".join(one.name for one in decision.sources)
    if decision.answer is Answer.refuse or decision.table is None:
        return f"{files} {decision.why}."
    lines = ["Is this right? Nothing is computed before you answer.", ""]
    lines += _facts(decision, decision.table)
    lines += ["", *_cases(decision.table), ""]
    lines += [f"Open: {one.text}" for one in decision.open]
    if waits:
        lines.append("[Enter] yes   [q] quit")
    else:
        paths = shlex.join([one.path for one in decision.sources])
        lines.append("Nobody can answer here. If it is right, run:")
        lines.append(f"  goldassay {verb} {paths} {arguments_said(decision)}")
    return "\n".join(lines)


def _facts(decision: Decision, table: Table) -> Iterator[str]:
    keys = [one.split(",") if isinstance(one, str) else one for one in decision.arguments.item]
    item = " / ".join(" and ".join(map(named, one)) for one in keys if list(one) != ["#"])
    yield f"  {'item':<9}  {item or 'the row'}, {table.items:,} of them"
    raters: dict[tuple[str, str | None], Counter[str]] = {}
    for (kind, rater, _), counts in table.counts().items():
        raters.setdefault((kind, rater), Counter()).update(counts)
    before = ""
    for at, ((kind, rater), counts) in enumerate(sorted(raters.items(), key=_order)):
        if at == MOST_RATERS:
            yield f"  {'':<9}  and {len(raters) - at:,} more raters"
            break
        role = PEOPLE[kind] if kind != before else ""
        before = kind
        yield f"  {role:<9}  {named(rater or 'without a name')}  {_counted(counts)}"
    criteria = list(dict.fromkeys(one.criterion for one in table.ratings if one.criterion))
    if criteria:
        yield f"  {'criteria':<9}  {', '.join(map(named, criteria[:8]))}"
    systems = {one.system for one in table.ratings if one.system}
    if systems:
        yield f"  {'systems':<9}  {len(systems):,}: {', '.join(map(named, sorted(systems)[:5]))}"
    if unused := _unused(decision, table):
        yield f"  {'unused':<9}  {unused}"
    for why, count in table.left_out.items():
        yield f"  {'left out':<9}  {count:,}: {why}"
    for line in table.said:
        yield f"  {'':<9}  {line}"


def _order(one: tuple[tuple[str, str | None], Counter[str]]) -> tuple[int, str]:
    (kind, rater), _ = one
    return list(PEOPLE).index(kind), rater or ""


def _counted(counts: Counter[str]) -> str:
    if len(counts) > 2 * MOST_VALUES:
        try:
            numbers = [float(value) for value in counts]
        except ValueError:
            pass
        else:
            return f"{counts.total():,} from {min(numbers):g} to {max(numbers):g}"
    shown = [f"{visible(value)} {n:,}" for value, n in counts.most_common(MOST_VALUES)]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f", {more:,} more values" if more > 0 else "")


def _unused(decision: Decision, table: Table) -> str:
    """Every column that is not used, with what it holds."""
    shown = []
    for content in decision.sources:
        columns = table.unused.get(content.name, ())
        if not columns:
            continue
        known: Mapping[str, Profile] = profiles(opened(content, decision.arguments.rows))
        shown += [_held(name, known.get(name)) for name in columns]
    more = len(shown) - MOST_UNUSED
    return ", ".join(shown[:MOST_UNUSED]) + (f" and {more:,} more" if more > 0 else "")


def _held(name: str, one: Profile | None) -> str:
    if one is None:
        return named(name)
    if one.numbers:
        said = f"{min(one.numbers):g} to {max(one.numbers):g}"
    elif one.kind in ("label", "bool"):
        said = f"{one.distinct} words"
    else:
        said = {"constant": "one value", "name": "texts"}.get(one.kind, one.kind)
    return f"{named(name)} ({said})"


def _cases(table: Table) -> Iterator[str]:
    """The first items, with what each rater says of them."""
    several = len({one.criterion for one in table.ratings}) > 1
    names: dict[tuple[str | None, str | None], None] = {}
    cases: dict[object, dict[tuple[str | None, str | None], Rating]] = {}
    for one in table.ratings:
        who = (one.rater, one.criterion)
        names.setdefault(who)
        cases.setdefault(one.unit, {}).setdefault(who, one)
    shown = list(names)[:6]
    most = sorted(cases.values(), key=lambda case: -sum(who in case for who in shown))[:CASES]
    heads = [f"{r or '?'}{f'/{c}' if several and c else ''}"[-WIDTH:] for r, c in shown]
    rows = [[case[who].value if who in case else "" for who in shown] for case in most]
    yield from _laid_out([["", *heads], *([f"case {n}", *row] for n, row in enumerate(rows, 1))])


def _laid_out(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    cells = [[visible(cell)[:WIDTH] for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()


def document(decision: Decision) -> dict[str, object]:
    """The decision as JSON: one of read, ask, refuse, with roles, open points and arguments."""
    table = decision.table
    raters = [
        {"kind": kind, "rater": rater, "criterion": criterion, "values": dict(counts)}
        for (kind, rater, criterion), counts in (table.counts().items() if table else ())
    ]
    return {
        "answer": decision.answer.value,
        "why": decision.why,
        "raters": raters,
        "items": table.items if table else 0,
        "unused": {name: list(some) for name, some in (table.unused if table else {}).items()},
        "open": [{"type": one.type, "text": one.text} for one in decision.open],
        "arguments": options_of(decision.arguments),
    }
