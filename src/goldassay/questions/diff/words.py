"""What changed, in sentences."""

from __future__ import annotations

from goldassay.questions.diff.study import Change, DiffStudy
from goldassay.results import Estimate, Sentence

__all__ = ["sentences", "warnings"]

#: Sure changes that get a sentence of their own, largest first.
MOST_TOLD = 3
#: From so many changes on, some would seem sure by chance.
MANY = 10


def sentences(found: DiffStudy) -> tuple[Sentence, ...]:
    """How many numbers rose, fell or cannot be told, and the largest sure changes."""
    sure = [change for change in found.changes if change.direction in ("rose", "fell")]
    largest = sorted(sure, key=lambda change: -abs(_value(change)))[:MOST_TOLD]
    return (_counted(found), *(_told(change) for change in largest))


def _counted(found: DiffStudy) -> Sentence:
    words = [change.direction for change in found.changes]
    rose, fell = words.count("rose"), words.count("fell")
    unsure = words.count("cannot tell") + words.count("no interval")
    same, undefined = words.count("the same"), words.count("undefined")
    told = [f"{number} {word}" for number, word in ((rose, "rose"), (fell, "fell")) if number]
    told += [f"{unsure} cannot be told from no change"] if unsure else []
    told += [f"{same} are the same"] if same else []
    told += [f"{undefined} are undefined"] if undefined else []
    facts = {
        "numbers": len(words),
        "rose": rose,
        "fell": fell,
        "cannot_tell": unsure,
        "same": same,
        "undefined": undefined,
    }
    text = f"Of {len(words)} numbers in both documents, {', '.join(told)}."
    return Sentence("diff.counted", text, facts=facts)


def _value(change: Change) -> float:
    return change.result.value if isinstance(change.result, Estimate) else 0.0


def _told(change: Change) -> Sentence:
    result = change.result
    assert isinstance(result, Estimate)
    assert result.interval is not None
    was, now = change.old["value"], change.new["value"]
    low, high = result.interval.low, result.interval.high
    who = f" of {change.about}" if change.about else ""
    text = (
        f"{change.name.replace('_', ' ')}{who} {change.direction} from {was:.3g} to {now:.3g} "
        f"(change {low:+.3f} to {high:+.3f})."
    )
    facts = {
        "name": change.name,
        "direction": change.direction,
        "old": was,
        "new": now,
        "change": result.value,
        "low": low,
        "high": high,
    }
    about = {key: str(change.new[key]) for key in ("judge", "criterion") if change.new.get(key)}
    return Sentence("diff.change", text, about, facts)


def warnings(found: DiffStudy) -> tuple[str, ...]:
    """What makes the two documents hard to compare."""
    said = []
    if found.pairing.without_items:
        said.append(
            "The documents do not hold verdicts item by item; intervals are combined as if the "
            "items differed. Documents of goldassay report hold them."
        )
    said += [
        f"People's ratings differ on {number:,} shared items; paired changes hold both versions of "
        "a judge against the new ratings."
        for number in found.pairing.relabelled
    ]
    if found.declarations:
        keys = ", ".join(one.key for one in found.declarations)
        said.append(f"The tasks differ ({keys}): the numbers may mean other things.")
    if found.versions[0] != found.versions[1]:
        said.append(f"Made by goldassay {found.versions[0]} and {found.versions[1]}.")
    for count, side in ((found.only_old, "old"), (found.only_new, "new")):
        if count:
            said.append(f"{count} numbers are in the {side} document only.")
    sure = any(change.direction in ("rose", "fell") for change in found.changes)
    if sure and len(found.changes) > MANY:
        said.append(
            f"{len(found.changes)} changes are looked at; about one in twenty would seem sure by "
            "chance."
        )
    return tuple(said)
