"""The story that a document tells, in the reader's order: one structure for HTML and Markdown.

The verdict and what may be claimed come first; then each question with its answer, pictures and
tables; then how every number was made, the declarations, the exclusions, the checklist and the
provenance. A document of any verb makes a story; one of `goldassay report` makes the longest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from goldassay.glossary import words
from goldassay.reference_words import renders, worded
from goldassay.rendering.appendix import appendix, tables_of
from goldassay.rendering.blocks import (
    Block,
    Bullets,
    Cell,
    Claim,
    Command,
    Grid,
    Heading,
    Prose,
    Section,
    Story,
)
from goldassay.rendering.first import beware, cards, section_of, subject, undeclared
from goldassay.rendering.how import Numbered, command, facts_of, found_row, how_anchor
from goldassay.rendering.outcomes import state_of
from goldassay.rendering.pictures import MAX_ROWS, families, grid, pictures
from goldassay.rendering.standing import summary_grid
from goldassay.rendering.ways import Ways
from goldassay.verbs import HEADINGS, heading
from goldassay.words import counted, named, number, visible

__all__ = ["story"]

Document = Mapping[str, Any]


@renders
def story(document: Document) -> Story:
    """The document as a reader meets it: the first screen, the questions, the appendix."""
    document = Numbered(document)
    parts = document.get("parts") or [document]
    claims = document.get("claims") or {}
    whole = bool(document.get("parts"))
    sections = [_gates(document), *([_beware(document)] if whole else [])]
    ways = Ways(document)
    sections += [_question(part, _results_of(document, part), document, ways) for part in parts]
    sections += [] if whole else [_assumed(document)]
    sections += [replace(section, folded=True) for section in appendix(document, parts, ways)]
    return Story(
        title=worded(subject(document)) if whole else _title(document),
        subtitle=_subtitle(document),
        cards=tuple(
            replace(c, anchor=section_of(c.anchor, document)) for c in worded(cards(document))
        ),
        verdict=_unsaid(document) if whole else (),
        may=_claims(claims.get("may", ()), document),
        may_not=_claims(claims.get("may_not", ()), document),
        beware=beware(document.get("first") or {}),
        undeclared=undeclared(document.get("first") or {}),
        sections=tuple(section for section in sections if section.blocks or section.details),
        provisional=bool(document.get("provisional")),
    )


def _title(document: Document) -> str:
    """The question; of a passport, whose it is."""
    judge = (document.get("passport") or {}).get("judge")
    return f"Passport of {named(judge)}" if judge else heading(document.get("verb"))


#: Sentences of the answer that the first screen's cards show as numbers.
_ON_CARDS = frozenset(
    {"report.trust", "report.rate", "report.mean", "report.rates_within", "report.people"}
)


def _unsaid(document: Document) -> tuple[str, ...]:
    """The answer's sentences that no card shows; all of them where there are no cards."""
    if not document.get("first"):
        return tuple(document.get("answer", ()))
    answer = set(document.get("answer", ()))
    said = [one for one in document.get("sentences", ()) if one["text"] in answer]
    claims = document.get("claims") or {}
    written = {one["text"].strip("“”") for one in claims.get("may", ())}
    return tuple(
        one["text"] for one in said if one["key"] not in _ON_CARDS and one["text"] not in written
    )


def _claims(said: Sequence[Document], document: Document) -> tuple[Claim, ...]:
    """Sentences, each with the question that it rests on and how its number was made."""
    claims = []
    for one in said:
        facts = one["facts"]
        verb = facts.get("verb", "") if facts.get("verb", "") in HEADINGS else ""
        numbers = (x for x in facts.values() if isinstance(x, Mapping) and "n_items" in x)
        shown = next((x for x in numbers if found_row(x, document, verb)), None)
        how = facts_of(shown, document, verb) if verb and shown else ()
        claims.append(Claim(one["text"], section_of(verb, document), how))
    return tuple(claims)


def _subtitle(document: Document) -> str:
    """The inputs, how many ratings were read from them all, and the scale."""
    inputs = document.get("provenance", {}).get("inputs", ())
    names = [str(visible(one.get("name"), 120)) for one in inputs]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    ratings = (document.get("rows") or {}).get("read")
    scale = document.get("task", {}).get("scale")
    told = [", ".join(names[:4]) + more, counted(ratings, "rating") if ratings else ""]
    return "; ".join(one for one in (*told, f"{scale} scale" if scale else "") if one)


def _results_of(document: Document, part: Document) -> list[Document]:
    rows = document.get("results", ())
    if part is document:
        return list(rows)
    return [row for row in rows if row.get("verb") == part.get("verb")]


def _read_as(document: Document) -> tuple[str, ...]:
    """What was guessed, what is asked, and how labels and raters were read."""
    assumed = (f"assumed: {one}" for one in document.get("assumed", ()))
    asked = (f"asked: {one}" for one in document.get("questions", ()))
    return (*assumed, *asked, *document.get("readings", ()))


def _assumed(document: Document) -> Section:
    """Of a page of one question, whose warnings stand with it: what was assumed."""
    read_as = _read_as(document)
    blocks = (Bullets(read_as, "warnings"),) if read_as else ()
    return Section("beware", "What was assumed", blocks)


def _beware(document: Document) -> Section:
    """What to know before any of the questions: the warnings about the document as a whole."""
    warnings = (*_read_as(document), *document.get("warnings", ()))
    return Section("beware", "Beware", (Bullets(warnings, "warnings"),) if warnings else ())


def _gates(document: Document) -> Section:
    """What was required, and what came of it: the broken ones first."""
    order = ("not met", "inconclusive", "held")
    gates = sorted(document.get("gates", ()), key=lambda one: order.index(state_of(one)))
    rows = tuple(
        (
            Cell(state_of(one)),
            Cell(visible(one["gate"], 200), name=True),
            Cell(", ".join(visible(label, 120) for label in one["about"].values())),
            Cell(visible("; ".join(filter(None, (one["finding"], one.get("stands_on")))), 600)),
        )
        for one in gates[:MAX_ROWS]
    )
    broken, unknown = (sum(state_of(one) == state for one in gates) for state in order[:2])
    said = [f"{counted(broken, 'result does', 'results do')} not meet what was required."]
    more = f"{counted(unknown, 'result is', 'results are')} inconclusive: missing verdicts could "
    said = (said if broken else []) + ([f"{more}turn what was required."] if unknown else [])
    lead = " ".join(said) or "Everything that was required held."
    blocks: tuple[Block, ...] = ()
    if rows:
        blocks = (Prose((lead,)), Grid("", ("", "Required", "Of", "Found"), rows))
    return Section("gates", "Gates", blocks, lead=lead if rows else "")


def _is_lone(chart: Document) -> bool:
    return chart.get("kind") == "dot_interval" and len(chart.get("rows", ())) < 2


#: Tables that are the answer itself, by verb: they stand open.
_OPEN = frozenset(
    {("certify", "identity"), ("certify", "bound"), ("diff", "identities"), ("diff", "bound")}
)


#: Questions whose table says what one asks first; their picture opens on demand.
_FOLDED = frozenset({"compare", "plan", "audit", "replace", "route"})


def _question(part: Document, rows: Sequence[Document], document: Document, ways: Ways) -> Section:
    """One question: its answer, one picture and one table; everything else on demand."""
    verb, judges = str(part.get("verb")), _best_first(part, document)
    answer = tuple(part.get("answer", ()))
    blocks: list[Block] = [Prose(answer, "answer")] if answer else []
    found, drawn = pictures(part, rows, judges)
    # A lone dot says no more than its number in the table below it; coverage is no answer.
    told = found[: len(part.get("charts", ()))]
    first = next((one for one in told if not _is_lone(one.chart)), None)
    summary = part.get("summary")
    folded = verb in _FOLDED and bool(summary) and "parts" in document
    blocks += [first] if first and not folded else []
    if summary:
        blocks.append(summary_grid(summary, document, verb))
    details: list[Block] = []
    if warnings := tuple(dict.fromkeys(part.get("warnings", ()))):
        details.append(Bullets(warnings, "warnings"))
    shown = set(answer)
    notes = [one["text"] for one in part.get("sentences", ()) if one["text"] not in shown]
    if notes:
        details.append(Bullets(tuple(notes)))
    details += [first] if first and folded else []
    details += families([one for one in found if one is not first])
    kept, left = _of_the_best(tables_of(part), judges)
    opened = [one for one in kept if (verb, one[0]) in _OPEN]
    tables = [
        t for name, t in kept if name not in ("checklist", *drawn) and (name, t) not in opened
    ]
    details += [_explained(grid(table), verb, rows) for table in tables]
    blocks += [grid(table) for name, table in opened]
    if left:
        details.append(
            Prose((f"{counted(left, 'table')} of more judges are in the JSON document.",), "soft")
        )
    asked: dict[str, list[Document]] = {}  # a passport holds the results of several questions
    for row in rows:
        asked.setdefault(str(row.get("verb") or ""), []).append(row)
    for one, same in asked.items():
        details += [Heading(heading(one))] if len(asked) > 1 else []
        details += _result_grids(same, ways)
    if line := part.get("command") or command(document, verb):
        explained = rows and "parts" in document
        details.append(Command(str(line), how_anchor(verb, "") if explained else ""))
    blocks = [ways.told(block, verb) for block in blocks]
    details = [ways.told(block, verb) for block in details]
    if not part.get("summary") and verb not in HEADINGS:
        blocks, details = blocks + details, []
    return Section(verb, heading(verb), tuple(blocks), tuple(details), answer[0] if answer else "")


#: With more judges than this, tables of a single judge are those of the best ones.
MOST_TABLES = 8


def _best_first(part: Document, document: Document) -> list[str]:
    """The judges in the order of the question's summary, then the others."""
    lines = (part.get("summary") or {}).get("lines", ())
    judges = [str(judge) for judge in document.get("judges", ())]
    first = [str(line["label"]) for line in lines if line["label"] in judges]
    return list(dict.fromkeys([*first, *judges]))


def _of_the_best(
    tables: Sequence[tuple[str, Document]], judges: Sequence[str]
) -> tuple[list[tuple[str, Document]], int]:
    """Tables without those of any but the best judges, and how many were left out."""
    rest = judges[MOST_TABLES:]
    known = sorted(judges, key=len, reverse=True)
    kept = []
    for name, table in tables:
        about = next((judge for judge in known if judge in name), None) if rest else None
        if about not in rest:
            kept.append((name, table))
    return kept, len(tables) - len(kept)


_NOT_SUBJECT = frozenset(
    {
        "name",
        "value",
        "low",
        "high",
        "confidence_level",
        "method",
        "n_items",
        "n_clusters",
        "declared",
        "assumptions",
        "warnings",
        "undefined",
        "verb",
    }
)


def _result_grids(rows: Sequence[Document], ways: Ways) -> list[Block]:
    """All results, one row per number and one column per subject, or turned when there are many."""
    verb = str(rows[0].get("verb") or "")
    keys = [key for key in rows[0] if key not in _NOT_SUBJECT]
    keys += [key for row in rows for key in row if key not in _NOT_SUBJECT and key not in keys]
    keys = list(dict.fromkeys(keys))
    varying = [key for key in keys if len({_key(row.get(key)) for row in rows}) > 1]
    fixed = [
        f"{key}: {visible(rows[0][key])}"
        for key in keys
        if key not in varying and rows[0].get(key) is not None
    ]
    names = list(dict.fromkeys(str(row["name"]) for row in rows))
    subjects = list(dict.fromkeys(tuple(_key(row.get(k)) for k in varying) for row in rows))
    found: dict[tuple[str, tuple[str, ...]], Document] = {}
    for row in rows:
        found.setdefault((row["name"], tuple(_key(row.get(k)) for k in varying)), row)
    notes = [f"For all of them, {'; '.join(fixed)}."] if fixed else []
    undefined = {
        f"{words(row['name'])}: {row['undefined']}." for row in rows if row.get("undefined")
    }
    notes += sorted(undefined)[:20]
    summary = f"All {len(rows):,} results" if len(rows) > 1 else "The result"

    anchors: tuple[str, ...] = ()
    filled = len(found) / (len(subjects) * len(names))
    body: Iterable[tuple[Cell, ...]]  # made as far as it is shown: there may be thousands
    if len(subjects) <= 4:
        columns = ("", *(" · ".join(filter(None, subject)) or "value" for subject in subjects))
        length = len(names)
        body = (
            (_name_cell(name, verb), *(_result_cell(found.get((name, s)), ways) for s in subjects))
            for name in names
        )
    elif len(names) <= 8 and filled > 0.5:
        columns = (*varying, *(words(name, verb) for name in names))
        anchors = (*("" for _ in varying), *(how_anchor(verb, name) for name in names))
        length = len(subjects)
        body = (
            (*(Cell(part) for part in s), *(_result_cell(found.get((n, s)), ways) for n in names))
            for s in subjects
        )
    else:
        columns = (*varying, "result", "value")
        length = len(found)
        body = (
            (*(Cell(part) for part in subject), _name_cell(name, verb), _result_cell(row, ways))
            for (name, subject), row in found.items()
        )
    if length > MAX_ROWS:
        notes.append(f"{length - MAX_ROWS:,} more rows are in the JSON document.")
    shown = tuple(islice(body, MAX_ROWS))
    return [Grid("", columns, shown, tuple(notes), summary, anchors=anchors)]


def _explained(table: Grid, verb: str, rows: Sequence[Document]) -> Grid:
    """The table with links from columns and first cells that name a result to how it was made."""
    names = {str(row["name"]) for row in rows}
    anchors = {
        word: how_anchor(verb, name)
        for name in sorted(names)
        for word in (name, name.replace("_", " "), words(name, verb))
    }
    body = tuple(
        (replace(row[0], anchor=anchors.get(row[0].text, "")), *row[1:]) if row else row
        for row in table.rows
    )
    return replace(table, rows=body, anchors=tuple(anchors.get(name, "") for name in table.columns))


def _key(value: Any) -> str:
    return "" if value is None else visible(value, 200)


def _name_cell(name: str, verb: str) -> Cell:
    return Cell(words(name, verb), anchor=how_anchor(verb, name))


def _result_cell(row: Document | None, ways: Ways) -> Cell:
    if row is None:
        return Cell("")
    if row.get("value") is None:
        return Cell("undefined", way=ways.of_result(row))
    low, high = row.get("low"), row.get("high")
    aside = ""
    if low is not None or high is not None:
        below = number(low) if low is not None else "unbounded"
        aside = f"{below} to {number(high) if high is not None else 'unbounded'}"
    return Cell(number(row["value"]), aside, numeric=True, way=ways.of_result(row))
