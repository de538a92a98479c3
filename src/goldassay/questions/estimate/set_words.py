"""The sets of single items in words, and as a table."""

from __future__ import annotations

from typing import Any

from goldassay.questions.estimate.item_sets import JudgeSets
from goldassay.results import Estimate, Sentence, Table
from goldassay.words import counted, decimal, named, percent

__all__ = ["set_sentence", "set_table"]


def set_sentence(one: JudgeSets) -> Sentence:
    """How often a judge leaves one option, and what its sets promise."""
    about = {"judge": one.judge}
    facts: dict[str, Any] = {"error": one.error, "options": len(one.options)}
    if one.sets is None:
        text = f"No set of options can be told from {named(one.judge)}: {one.reason}."
        return Sentence("estimate.sets", text, about, {**facts, "reason": one.reason})
    size, single = (float(result.value) for result in one.results if isinstance(result, Estimate))
    facts |= {
        "mean_set_size": size,
        "single_option_share": single,
        "n_items": one.n_items,
        "labels": one.calibrated,
        "from": "probability" if one.scored else "verdict",
    }
    of = f"{counted(one.n_items, 'item')}{' without a label' if one.unlabelled else ''}"
    sure = percent(1 - one.error)
    if one.endless:
        needed = counted(one.labels_needed, "label")
        if one.cluster is not None:
            needed = f"{counted(one.labels_needed, one.cluster)} with labels"
        text = (
            f"{counted(one.calibrated, 'label')} do not let {named(one.judge)} leave an option out "
            f"with an error of {percent(one.error)}: that takes at least "
            f"{needed} that calibrate, and a judge that tells options apart."
        )
        return Sentence("estimate.sets", text, about, {**facts, "labels_needed": one.labels_needed})
    text = (
        f"By its {facts['from']} {named(one.judge)} leaves one option on {percent(single)} of "
        f"{of}, and {decimal(size)} of {len(one.options)} on average; such sets hold people's "
        f"label on {sure} or more of all items like the labelled ones."
    )
    return Sentence("estimate.sets", text, about, facts)


def set_table(one: JudgeSets) -> Table | None:
    """What set goes with which verdict; of probabilities, with which range of them."""
    if one.sets is None or one.verdict is None:
        return None
    names = (*one.options, "abstained", "invalid", "failed")
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, kept in enumerate(one.sets):
        members = ", ".join(option for option, has in zip(one.options, kept, strict=True) if has)
        key = (members,) if one.scored else (names[int(one.verdict[place])], members)
        groups.setdefault(key, []).append(place)
    note = f"people's label is in the set of an item with probability {1 - one.error:g} or more"
    if one.scored and one.score is not None:
        score = one.score
        rows = [
            (key[0], float(score[at].min()), float(score[at].max()), len(at))
            for key, at in groups.items()
        ]
        rows.sort(key=lambda row: -row[1])
        columns: tuple[str, ...] = ("set", "lowest score", "highest score", "items")
        return Table(f"Sets of options: {one.judge}", columns, tuple(rows), (note,))
    by_verdict = sorted(groups, key=lambda key: names.index(key[0]))
    lines = tuple((*key, len(groups[key])) for key in by_verdict)
    return Table(f"Sets of options: {one.judge}", ("verdict", "set", "items"), lines, (note,))
