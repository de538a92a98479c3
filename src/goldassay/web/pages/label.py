"""The label page: one item at a time, all its criteria, by keys alone, blind to the judges.

The page of an unlabelled unit holds no verdict at all, neither visible nor hidden; nor the names of
the systems, which would tell a person what to expect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from goldassay.rendering.markup import Child, Markup, el, joined, name
from goldassay.web.cases import Given, Unit
from goldassay.web.content import content
from goldassay.web.desk import Batch, Desk, Progress
from goldassay.web.pages.form import form
from goldassay.web.pages.layout import Frame, address, page, table
from goldassay.web.pages.panes import panes
from goldassay.web.pages.said import seen
from goldassay.words import percent

__all__ = ["batch_page", "done_page", "label_page"]


def label_page(
    desk: Desk, unit: Unit, *, rater: str, before: Unit | None = None, problem: str | None = None
) -> Markup:
    """The page on which `rater` labels `unit`; `before` is the unit labelled just now."""
    units = desk.sheet(unit)
    given = _given(desk, units, rater)
    panel = el(
        "aside",
        {"class": "panel card", "aria-label": "Your label"},
        _progress(desk.progress(rater)),
        el(
            "div",
            {"id": "notice", "role": "status", "class": "note bad", "hidden": not problem},
            problem,
        ),
        _standing(desk, units, rater),
        form(desk, units, rater, given),
        _steps(desk, unit, rater),
        _saved(desk, before, rater) if before else None,
        _help(desk, several=len(units) > 1, pair=desk.task.scale == "pairwise"),
    )
    item = el("div", {"class": "item"}, _heading(unit), panes(desk, unit, rater))
    body = el("div", {"class": "desk"}, item, panel)
    return page("Label", body, Frame(tab="label", rater=rater, shape="whole"))


def _given(desk: Desk, units: Sequence[Unit], rater: str) -> dict[str, Given]:
    """What the rater says of the units now, or said and took back."""
    found = {u.key: desk.own_label(rater, u) or desk.withdrawn(rater, u) for u in units}
    return {key: one for key, one in found.items() if one is not None}


def _standing(desk: Desk, units: Sequence[Unit], rater: str) -> Markup | None:
    """What stands of an earlier answer, or what was taken back."""
    own = [(u, one) for u in units if (one := desk.own_label(rater, u)) is not None]
    back = [(u, one) for u in units if (one := desk.withdrawn(rater, u)) is not None]
    if own:
        words = ("Your label now: ", _answers(desk, own, rater), ". A new one replaces it.")
        return el("p", {"class": "note"}, words)
    if back:
        with_comment = any(one.comment for _, one in back)
        kept = "Your choice and your comment are" if with_comment else "Your choice is"
        words = ("Taken back: ", _answers(desk, back, rater), f". {kept} still here; save again.")
        return el("p", {"class": "note", "id": "taken-back", "role": "status"}, words)
    return None


def _answers(desk: Desk, found: Sequence[tuple[Unit, Given]], rater: str) -> list[Child]:
    words: list[Child] = []
    for unit, one in found:
        words += [", " if words else None]
        words += [name(unit.criterion), " "] if unit.criterion else []
        words.append(seen(desk, unit, rater, one))
    return words


def done_page(desk: Desk, *, rater: str, before: Unit | None = None) -> Markup:
    """Nothing is left for this rater."""
    progress = desk.progress(rater)
    waiting = progress.total - progress.done
    rest = (
        f"The other {waiting:,} have enough labels, or somebody is labelling them now."
        if waiting
        else "You labelled every one."
    )
    card = el(
        "div",
        {"class": "card"},
        el("h1", None, "Nothing left to label"),
        _progress(progress),
        el("div", {"id": "notice", "role": "status", "class": "note bad", "hidden": True}),
        _saved(desk, before, rater) if before else None,
        el("p", None, rest),
        _judged(desk, tuple(desk.labelled_by(rater)), rater),
        el(
            "p",
            None,
            "Every label is saved. ",
            el("a", {"href": address("/mine", rater=rater), "data-key": "l"}, "Read your labels"),
            ", ",
            el("a", {"href": address("/watch", rater=rater)}, "see the estimate"),
            " or ",
            el("a", {"href": address("/explore", rater=rater)}, "read where judges differ"),
            ".",
        ),
        el("div", {"class": "row"}, _undo(rater)),
    )
    return page("Done", card, Frame(tab="label", rater=rater, shape="narrow"))


def batch_page(desk: Desk, batch: Batch, *, rater: str, before: Unit | None = None) -> Markup:
    """A batch is done: a moment to breathe, and to see what the judges said."""
    on = el(
        "a",
        {"class": "button primary", "href": address("/label", rater=rater), "data-key": "enter"},
        "Go on ",
        el("kbd", None, "Enter"),
    )
    card = el(
        "div",
        {"class": "card"},
        el("h1", None, f"Batch {batch.number:,} is done"),
        _progress(replace(desk.progress(rater), batch=len(batch.keys), of_batch=len(batch.keys))),
        el("div", {"id": "notice", "role": "status", "class": "note bad", "hidden": True}),
        _saved(desk, before, rater) if before else None,
        _judged(desk, batch.keys, rater),
        el("div", {"class": "row"}, _undo(rater), on),
    )
    return page("Batch", card, Frame(tab="label", rater=rater, shape="narrow"))


def _judged(desk: Desk, keys: Sequence[str], rater: str) -> Markup | None:
    """How often each judge said what the rater said."""
    rows: list[Sequence[Child]] = []
    if desk.settings.never_show:
        return None
    for judge in desk.cases.judges[:20]:
        answers = desk.cases.answers(judge)
        both = [
            (own.value, answers[key])
            for key in keys
            if answers.get(key)
            and (unit := desk.unit(key))
            and (own := desk.own_label(rater, unit))
            and own.status == "rated"
        ]
        if both:
            same = sum(one == other for one, other in both)
            rows.append((name(judge), f"{same:,} of {len(both):,}", percent(same / len(both))))
    if not rows:
        return None
    link = el("a", {"href": address("/explore", rater=rater)}, "Read where you differ")
    return joined(
        table(("judge", "said what you said", ""), rows, numbers=1), el("p", None, link, ".")
    )


def _progress(progress: Progress) -> Markup:
    words = f"{progress.done:,} of {progress.total:,} labelled"
    more: list[str] = []
    if progress.of_batch < progress.total:
        more.append(f"{progress.batch:,} of {progress.of_batch:,} in this batch")
    if progress.seconds is not None:
        more.append(f"{_duration(progress.seconds)} each")
        left = (progress.of_batch - progress.batch) * progress.seconds
        if left:
            more.append(f"{_duration(left)} to go")
    share = {"max": max(progress.of_batch, 1), "value": progress.batch}
    return el(
        "div",
        {"class": "progress"},
        el("span", {"id": "progress"}, words),
        el("span", {"class": "pace"}, " · ".join(more)) if more else None,
        el("progress", {**share, "aria-labelledby": "progress"}),
    )


def _duration(seconds: float) -> str:
    """A time as a person says it.

    >>> _duration(0.3), _duration(41), _duration(90), _duration(5400)
    ('1 s', '41 s', '2 min', '1.5 h')
    """
    if seconds < 60:
        return f"{max(seconds, 1):.0f} s"
    return f"{-(-seconds // 60):.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def _heading(unit: Unit) -> Markup:
    return el("h1", {"class": "quiet"}, "Item ", name(unit.item))


def _steps(desk: Desk, unit: Unit, rater: str) -> Markup:
    skip = el(
        "a",
        {
            "class": "button",
            "href": address("/label", rater=rater, after=unit.key),
            "data-key": "s",
        },
        el("kbd", None, "s"),
        "Skip",
    )
    listed = el(
        "a",
        {"class": "button", "href": address("/mine", rater=rater), "data-key": "l"},
        el("kbd", None, "l"),
        "My labels",
    )
    rows = ((_undo(rater), skip), (_flag(desk, unit, rater), listed))
    return el("div", {"class": "steps"}, [el("div", {"class": "row"}, row) for row in rows])


def _flag(desk: Desk, unit: Unit, rater: str) -> Markup:
    raised = unit.key in desk.flagged(rater)
    return el(
        "form",
        {"method": "post", "action": "/flag"},
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        el("input", {"type": "hidden", "name": "unit", "value": unit.key}),
        el("input", {"type": "hidden", "name": "raised", "value": "0" if raised else "1"}),
        el(
            "button",
            {"class": "button now" if raised else "button", "data-key": "f"},
            el("kbd", None, "f"),
            "Flagged" if raised else "Flag",
        ),
    )


def _undo(rater: str) -> Markup:
    return el(
        "form",
        {"method": "post", "action": "/undo"},
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        el("button", {"class": "button", "data-key": "u"}, el("kbd", None, "u"), "Undo last"),
    )


def _help(desk: Desk, *, several: bool, pair: bool) -> Markup:
    keys: list[tuple[str, str]] = [
        ("1 2 3 …", "add or take away an answer" if desk.several else "choose"),
        ("0", "cannot assess"),
        ("c", "write a comment; Esc leaves it"),
        ("Space", "read on; with Shift, back"),
        ("r", "show the text raw, or rendered"),
        ("u", "take back your last label"),
        ("s", "skip for now"),
        ("f", "flag for discussion"),
        ("l", "the list of your labels"),
        ("h", "open or close this list"),
    ]
    if several or desk.several or desk.task.scale == "continuous":
        keys.insert(1, ("Enter", "save"))
    if several:
        keys.insert(1, ("↓ ↑", "the next criterion, the one before"))
    if pair:
        keys.insert(-3, ("d", "show what differs between the two"))
    rows: Sequence[Child] = [
        (el("dt", None, el("kbd", None, key)), el("dd", None, words)) for key, words in keys
    ]
    guide: Markup | None = None
    if desk.settings.guide:
        words = el("div", {"class": "text small md", "tabindex": "0"}, content(desk.settings.guide))
        guide = el("details", {"open": True, "class": "guide"}, el("summary", None, "Guide"), words)
    listed = el("summary", None, "Keys ", el("kbd", None, "h")), el("dl", {"class": "keys"}, rows)
    return joined(guide, el("details", {"data-key": "h"}, listed))


def _saved(desk: Desk, before: Unit, rater: str) -> Markup | None:
    """What was saved just now, in the words that the rater saw."""
    found = [(u, one) for u in desk.sheet(before) if (one := desk.own_label(rater, u)) is not None]
    if not found:
        return None
    change = el("a", {"href": address("/label", rater=rater, unit=before.key)}, "change")
    return el(
        "div",
        {"class": "note", "id": "saved"},
        "Saved: ",
        name(before.item),
        " is ",
        _answers(desk, found, rater),
        " · ",
        change,
    )
