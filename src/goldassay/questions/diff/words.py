"""What changed, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from goldassay.glossary import is_central, is_rate
from goldassay.glossary import words as in_words
from goldassay.questions.diff.identities import IdentityChange
from goldassay.questions.diff.pairing import Relabelled
from goldassay.questions.diff.study import Change, DiffStudy
from goldassay.results import Estimate, Sentence
from goldassay.words import between, counted, decimal, listed, named, percent

__all__ = ["answer", "notes", "warnings"]

#: Sure changes that the answer tells, and those that the notes tell after them.
TOLD, MORE_TOLD = 2, 10
#: From so many changes on, some would seem sure by chance.
MANY = 10
#: Judges that a sentence names; of more it gives the count.
NAMED = 3
#: An interval shorter than this has no length: nothing is uncertain.
EXACT = 1e-9


def answer(found: DiffStudy) -> tuple[Sentence, ...]:
    """The largest sure changes of the central numbers, and how many rose, fell, cannot be told."""
    who = _lead(found)
    told = _sure_said(found)[: TOLD - len(who)]
    return (*who, *told, _counted(found))


def notes(found: DiffStudy) -> tuple[Sentence, ...]:
    """The other sure changes, the central and large ones first."""
    changed = [one for one in found.identities if one.changed]
    rest = [*changed[1:], *(one for one in found.identities if not one.changed)]
    first = TOLD - len(_lead(found))
    return (*(_who(one) for one in rest), *_sure_said(found)[first : TOLD + MORE_TOLD])


def _lead(found: DiffStudy) -> list[Sentence]:
    """What stands before all changes: whom they leave out, and who is another or none other."""
    said = [_other_names(found)] if found.gone and found.come else []
    changed = [_who(one) for one in found.identities if one.changed][:1]
    if found.same_input and not changed:
        return [*said, _same_input(found)]
    return [*said, *(changed or ([_unchanged(found)] if found.pairing.unchanged else []))]


def _other_names(found: DiffStudy) -> Sentence:
    """Judges of one document only, which may be one under two names."""
    gone, come = found.gone, found.come
    old, new = (
        listed([*map(named, one[:NAMED]), *([f"{len(one) - NAMED:,} more"] if one[NAMED:] else [])])
        for one in (gone, come)
    )
    one = len(gone) == len(come) == 1
    how = f"--judge {quote(f'{gone[0]}={come[0]}')}" if one else "--judge OLD=NEW"
    when = "If they are one judge" if one else "Where one of them has another name now"
    text = (
        f"{old} {'is' if len(gone) == 1 else 'are'} in the old document only and {new} in the new "
        f"one only: nothing is compared of {'either' if one else 'these'}. "
        f"{when}, give {named(how)}."
    )
    return Sentence("diff.other_names", text, facts={"gone": list(gone), "come": list(come)})


def _sure_said(found: DiffStudy) -> list[Sentence]:
    """The sure changes in words: each once, and of each judge one before its next."""
    said = {one.text: one for one in map(_told, _sure(found))}
    turn: dict[str, int] = {}
    turns = []
    for one in said.values():
        whose = one.about.get("judge", "")
        turn[whose] = turn.get(whose, -1) + 1
        turns.append(turn[whose])
    places = sorted(range(len(turns)), key=lambda place: turns[place])
    return [list(said.values())[place] for place in places]


def _who(one: IdentityChange) -> Sentence:
    """Whether a judge is the same as it was, as far as both documents say."""
    facts = one.to_json()
    if one.changed:
        each = [
            f"{name} is {named(one.now[name])}, was {named(one.was[name])}" for name in one.changed
        ]
        text = f"{named(one.judge)} is not the judge it was: {listed(each)}."
        return Sentence("diff.judge_changed", text, {"judge": one.judge}, facts)
    if one.same:
        text = f"{named(one.judge)} has the same {listed(list(one.same))} in both documents."
        return Sentence("diff.judge_same", text, {"judge": one.judge}, facts)
    text = f"Whether {named(one.judge)} is the judge it was is unknown: no field of it is in both."
    return Sentence("diff.judge_unknown", text, {"judge": one.judge}, facts)


def _same_input(found: DiffStudy) -> Sentence:
    """Both documents were made from the same files."""
    text = "Both documents are of the same input: the digests of their files are equal. "
    other = [one for one in found.changes if one.direction not in ("the same", "undefined")]
    if other:
        text += "What differs comes from the options, the seed or the version."
    else:
        text += "No number changed."
    return Sentence("diff.same_input", text, facts={"others": len(other)})


def _unchanged(found: DiffStudy) -> Sentence:
    """Judges that give the same verdict on the same items, under the same labels."""
    judges = found.pairing.unchanged
    items = max(one.items for one in judges)
    whose = listed([named(one.judge) for one in judges])
    text = (
        f"Nothing changed in the verdicts of {whose}, nor in people's labels: both documents hold "
        f"the same {counted(items, 'item')}. Intervals say how far other items might differ."
    )
    facts = {"judges": [one.judge for one in judges], "items": items}
    return Sentence("diff.unchanged", text, facts=facts)


def _sure(found: DiffStudy) -> list[Change]:
    """The changes beyond doubt, the central and large ones first, those of labels alone last.

    Judges come before panels that are made of them.
    """
    sure = [change for change in found.changes if change.direction in ("rose", "fell")]
    return sorted(
        sure,
        key=lambda change: (
            _by_labels(change),
            str(change.new.get("judge") or "").endswith(" panel"),
            not is_central(change.name),
            change.new.get("level") not in (None, "micro"),
            _FIRST.index(change.name) if change.name in _FIRST else len(_FIRST),
            -abs(_value(change)),
        ),
    )


#: Numbers that a reader looks for first.
_FIRST = ("accuracy", "balanced_accuracy", "weighted_kappa", "cohen_kappa", "pearson")


def _by_labels(change: Change) -> bool:
    """Whether a number is people's rate of items that all have a label: nothing is estimated."""
    lengths = [(row.get("high") or 0) - (row.get("low") or 0) for row in (change.old, change.new)]
    return change.name == "prevalence_of_pool" and max(lengths) < EXACT


def _counted(found: DiffStudy) -> Sentence:
    words = [change.direction for change in found.changes]
    rose, fell = words.count("rose"), words.count("fell")
    unsure, bare = words.count("cannot tell"), words.count("no interval")
    same, undefined = words.count("the same"), words.count("undefined")
    told = [f"{number:,} {word}" for number, word in ((rose, "rose"), (fell, "fell")) if number]
    told += [f"{unsure:,} cannot be told from no change"] if unsure else []
    told += [f"{bare:,} {'has' if bare == 1 else 'have'} no interval"] if bare else []
    told += [f"{same:,} {'is' if same == 1 else 'are'} the same"] if same else []
    told += [f"{undefined:,} {'is' if undefined == 1 else 'are'} undefined"] if undefined else []
    facts = {
        "numbers": len(words),
        "rose": rose,
        "fell": fell,
        "cannot_tell": unsure,
        "no_interval": bare,
        "same": same,
        "undefined": undefined,
    }
    text = f"Of {counted(len(words), 'number')} in both documents, {listed(told)}"
    if same and same + undefined == len(words):
        text = f"Nothing changed: o{text[1:]}"
    sure = bool(rose or fell)
    if sure and len(words) > MANY:
        text += "; about one in twenty would seem to change by chance"
    text += "."
    return Sentence("diff.counted", text, facts=facts)


def _value(change: Change) -> float:
    return change.result.value if isinstance(change.result, Estimate) else 0.0


def _told(change: Change) -> Sentence:
    result = change.result
    assert isinstance(result, Estimate)
    assert result.interval is not None
    was, now = change.old["value"], change.new["value"]
    low, high = result.interval.low, result.interval.high
    rate = is_rate(change.name)
    write = percent if rate else decimal
    ends = between(low, high, rate=rate).removesuffix(" %") + (" points" if rate else "")
    name = in_words(change.name).partition(" (")[0]
    subject = f"{name[0].upper()}{name[1:]}{_of(change)} {change.direction}"
    if _by_labels(change):
        text = (
            "By people's labels of these very items, all of which have one, the rate "
            f"{change.direction} from {write(was)} to {write(now)}: the labels are others."
        )
    elif low <= now - was <= high:
        text = f"{subject} from {write(was)} to {write(now)} (a change of {ends})."
    else:  # the documents' own numbers are of other items, or of other labels
        text = (
            f"{subject} on the {counted(result.n_items, 'item')} of both documents (a change of "
            f"{ends}); on its own items each says {write(was)} and {write(now)}."
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


#: Numbers of people's labels: of a judge they are as far as it decides the items.
_OF_PEOPLE = ("reference_rate", "prevalence_calibration_only", "agreement_of_two_people")


def _of(change: Change) -> str:
    """Whom a number is about, as the end of its name."""
    row = change.new
    whose = " on the items of" if change.name in _OF_PEOPLE else " of"
    parts = [(whose, "judge"), (" on", "criterion"), (" for", "system"), (" by", "level")]
    known = [(word, row[key]) for word, key in parts if row.get(key) and row[key] != "micro"]
    return "".join(f"{word} {named(value)}" for word, value in known)


def warnings(found: DiffStudy) -> tuple[str, ...]:
    """What makes the two documents hard to compare, and intervals that may be too short."""
    told = []
    if found.passports and found.pairing.without_items:
        told.append(
            "Passports do not hold verdicts item by item; intervals are combined as if the items "
            "differed. The two reports would tell changes more sharply."
        )
    elif found.pairing.without_items:
        told.append(
            "The documents do not hold verdicts item by item; intervals are combined as if the "
            "items differed. Documents of goldassay report hold them, of items that count alike "
            "and are not too many."
        )
    if moved := found.pairing.others:
        told.append(
            f"{_differ(moved)}: the numbers are compared as of other items, by their intervals "
            "alone."
        )
    if moved := found.pairing.relabelled:
        told.append(
            f"{_differ(moved)}; changes on these items hold both versions of a judge against the "
            "new labels."
        )
    if found.drawn_by_verdict and not found.pairing.without_items:
        told.append(
            "Labels were drawn by a judge's verdict; a change on the items of both documents "
            "counts each label once: it is of items chosen so, not of all."
        )
    if found.declarations:
        keys = listed([named(one.key) for one in found.declarations])
        told.append(f"The tasks differ ({keys}): the numbers may mean other things.")
    if found.versions[0] != found.versions[1]:
        told.append(f"Made by goldassay {found.versions[0]} and {found.versions[1]}.")
    for count, side in ((found.only_old, "old"), (found.only_new, "new")):
        if count:
            are = "is" if count == 1 else "are"
            told.append(f"{counted(count, 'number')} {are} in the {side} document only.")
    told += _at_numbers(found)
    return tuple(told)


def _differ(moved: Sequence[Relabelled]) -> str:
    """The labels that differ, of the judge or criterion where most of them do."""
    most = max(moved, key=lambda one: (one.share, one.of))
    return f"Labels differ on {most.differ:,} of {counted(most.of, 'item')} in both documents"


def _at_numbers(found: DiffStudy) -> list[str]:
    """Warnings that stand at changes, each once, with the numbers that it concerns."""
    concerned: dict[str, list[str]] = {}
    for change in found.changes:
        for warning in change.result.warnings if isinstance(change.result, Estimate) else ():
            concerned.setdefault(warning, []).append(f"{in_words(change.name)}{_of(change)}")
    return [
        f"{listed(names[:3] + ([f'{len(names) - 3} more'] if len(names) > 3 else []))}: {warning}."
        for warning, names in concerned.items()
    ]
