"""The end of a story: who the judges are, what was not asked, how every number was made, what was
declared and left out, the checklist and the provenance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldassay.glossary import method_of, words
from goldassay.rendering.blocks import (
    PRINTED,
    Block,
    Bullets,
    Cell,
    Facts,
    Grid,
    Heading,
    How,
    Made,
    Prose,
    Section,
)
from goldassay.rendering.how import how_anchor
from goldassay.rendering.pictures import cell, grid
from goldassay.rendering.ways import Ways
from goldassay.verbs import heading
from goldassay.words import counted, number, value_text, visible

__all__ = ["appendix", "not_run_by_reason", "tables_of"]

Document = Mapping[str, Any]


def appendix(document: Document, parts: Sequence[Document], ways: Ways) -> list[Section]:
    """What stands behind the questions, in the reader's order."""
    checklists = [table for part in parts for name, table in tables_of(part) if name == "checklist"]
    return [
        _who(document.get("identities")),
        _not_run(document),
        _how(document.get("results", ()), parts, ways),
        _declarations(document.get("task", {})),
        _exclusions(document),
        *(_checklist(table) for table in checklists[:1]),
        _provenance(document),
    ]


def tables_of(part: Document) -> list[tuple[str, Document]]:
    return list((part.get("tables") or {}).items())


def not_run_by_reason(document: Document) -> dict[str, list[str]]:
    """Why questions were not answered -> their verbs: what keeps several is said once."""
    found: dict[str, list[str]] = {}
    for one in document.get("not_run", ()):
        found.setdefault(str(one["reason"]), []).append(str(one["verb"]))
    return found


def _not_run(document: Document) -> Section:
    rows = tuple(
        (Cell(" ".join(map(heading, verbs))), Cell(visible(reason)))
        for reason, verbs in not_run_by_reason(document).items()
    )
    blocks = (Grid("", ("Question", "Why not"), rows),) if rows else ()
    return Section("not-asked", "Questions that this data cannot answer", blocks)


def _how(rows: Iterable[Document], parts: Sequence[Document], ways: Ways) -> Section:
    """For each number on the page: meaning, formula, reference, interval, assumptions, command.

    Last come the ways in which the numbers were made, to which tables lead.
    """
    commands = {part.get("verb"): part.get("command") for part in parts}
    by_name: dict[tuple[str, str], list[Document]] = {}
    for row in rows:
        by_name.setdefault((str(row.get("verb") or ""), str(row["name"])), []).append(row)
    blocks: list[Block] = []
    under = ""
    verbs = list(dict.fromkeys(verb for verb, _ in by_name))
    for (verb, name), same in sorted(by_name.items(), key=lambda one: verbs.index(one[0][0])):
        known = method_of(name, verb)
        facts: list[tuple[str, str]] = []
        if known:
            facts += [("Means", known.meaning), ("Formula", known.formula)]
            facts += [("Reference", known.reference)]
        facts.append((PRINTED, str(commands.get(same[0].get("verb")) or "")))
        if verb != under:
            under = verb
            blocks.append(Heading(heading(verb), how_anchor(verb, "")))
        own = tuple(dict.fromkeys(ways.of_result(row) for row in same))
        anchor, said = how_anchor(verb, name), words(name, verb)
        blocks.append(How(anchor, said, _kept(facts), _kept(_shared(same)), own))
    if listed := ways.listed():
        blocks.append(Made("Ways in which numbers were made", tuple(listed)))
    return Section("how", "How each number was made", tuple(blocks))


def _kept(facts: Iterable[tuple[str, str]]) -> Facts:
    return tuple((word, text) for word, text in facts if text)


def _shared(rows: Sequence[Document]) -> Facts:
    """What the results of one name have in common with others: how all of them were made."""
    levels = {row["confidence_level"] for row in rows if row.get("confidence_level")}
    return (
        ("Interval", _several(row.get("method") for row in rows)),
        ("Confidence level", ", ".join(f"{level:g}" for level in sorted(levels))),
        ("Declared", _declared(rows)),
        ("Assumes", _several(a for row in rows for a in row.get("assumptions") or ())),
        ("Beware", _several(w for row in rows for w in row.get("warnings") or ())),
    )


def _declared(rows: Sequence[Document]) -> str:
    """What the results of one name had declared; what differs row by row is in the JSON."""
    values: dict[str, list[str]] = {}
    for row in rows:
        for key, value in (row.get("declared") or {}).items():
            values.setdefault(str(key), []).append(value_text(value))
    said = []
    for key, texts in values.items():
        distinct = list(dict.fromkeys(texts))
        if len(distinct) <= 3:
            said.append(f"{visible(key, 80)} = {' or '.join(distinct)}")
    return "; ".join(said)


def _several(texts: Iterable[str | None], limit: int = 6) -> str:
    distinct = list(dict.fromkeys(visible(text, 400) for text in texts if text))
    rest = f"; and {len(distinct) - limit} more" if len(distinct) > limit else ""
    return "; ".join(distinct[:limit]) + rest


#: With more judges than this, each has a row; else a column.
MOST_COLUMNS = 3


def _who(identities: Any) -> Section:
    """Who the judges of a report are, as far as it is known."""
    if not isinstance(identities, Mapping) or not identities:
        return Section("who", "", ())
    title = "Who the judge is" if len(identities) == 1 else "Who the judges are"
    fields = list(dict.fromkeys(name for one in identities.values() for name in one))
    known = [name for name in fields if any(one.get(name) for one in identities.values())]
    rest = [name for name in fields if name not in known]
    if not known:
        said = "Unknown: nothing says which model, prompt or parameters are behind the verdicts."
        return Section("who", title, (Prose((said, "A judges table says it: --judges FILE.")),))

    def cell(judge: str, name: str) -> Cell:
        one = identities[judge].get(name)
        return (
            Cell(visible(one["value"], 200), visible(one["from"], 80)) if one else Cell("unknown")
        )

    if len(identities) <= MOST_COLUMNS:
        columns = ("", *(visible(judge, 200) for judge in identities))
        rows = tuple((Cell(name), *(cell(judge, name) for judge in identities)) for name in known)
    else:
        columns = ("judge", *known)
        rows = tuple(
            (Cell(visible(judge, 200), name=True), *(cell(judge, name) for name in known))
            for judge in identities
        )
    notes = (f"Unknown of all: {', '.join(rest)}.",) if rest and len(identities) > 1 else ()
    notes = (f"Unknown: {', '.join(rest)}.",) if rest and len(identities) == 1 else notes
    return Section("who", title, (Grid("", columns, rows, notes),))


def _declarations(task: Document) -> Section:
    rows = tuple(
        (Cell(visible(key)), Cell(value_text(value)))
        for key, value in task.items()
        if value not in (None, [], {}, ())
    )
    blocks = (Grid("", ("Declared", "Value"), rows),) if rows else ()
    return Section("declarations", "What was declared", blocks)


def _exclusions(document: Document) -> Section:
    """Every rating that was read and not used, by reason, and how they spread."""
    exclusions = document.get("exclusions", ())
    ratings = document.get("rows")
    if not ratings and not exclusions:
        return Section("exclusions", "What was left out", ())
    said = "The number of ratings read is not recorded."
    if ratings:
        read, used, out = (number(ratings[key]) for key in ("read", "used", "excluded"))
        left_out = f"{used} used and {out} left out" if ratings["excluded"] else "all of them used"
        said = f"{read} ratings were read; {left_out}."
    blocks: list[Block] = [Prose((said,))]
    if exclusions:
        rows = tuple(
            (Cell(visible(one["reason"])), cell(one["rows"]), Cell(_spread(one.get("by") or {})))
            for one in exclusions
        )
        blocks.append(Grid("", ("Reason", "Ratings", "Where"), rows))
    return Section("exclusions", "What was left out", tuple(blocks))


def _spread(by: Mapping[str, Mapping[str, int]]) -> str:
    said = []
    for column, counts in by.items():
        most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        shown = ", ".join(f"{visible(label, 60)} {number(count)}" for label, count in most[:6])
        rest = f", {len(most) - 6} more" if len(most) > 6 else ""
        said.append(f"by {visible(column, 60)}: {shown}{rest}")
    return "; ".join(said)


def _checklist(table: Document) -> Section:
    return Section("checklist", "Reporting checklist", (grid({**table, "title": ""}),))


def _provenance(document: Document) -> Section:
    made = document.get("provenance", {})
    rows = [("goldassay", made.get("version")), ("seed", made.get("seed"))]
    rows += [("command", " ".join(made.get("argv", ())))]
    for one in made.get("inputs", ()):
        digest = f"SHA-256 {one['sha256']}" if one.get("sha256") else "in memory"
        # Of a table of ratings what was read is known, which a row may hold several of.
        many, read = one.get("rows") or 0, (document.get("rows") or {}).get("read")
        told = f"{counted(many, 'rating' if many == read else 'row')}, " if many else ""
        rows.append((f"input {one.get('name')}", f"{told}{digest}"))
    cells = tuple(
        (Cell(visible(key)), Cell(str(visible(value))))
        for key, value in rows
        if value not in (None, "")
    )
    blocks: list[Block] = [Grid("", ("What", "Value"), cells)] if made else []
    if held := tuple(document.get("holds", ())):
        blocks += [Heading("What this document holds"), Bullets(held)]
    return Section("provenance", "Provenance", tuple(blocks))
