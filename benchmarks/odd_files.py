"""How drawn files in the shapes of public repositories are read without a task.

`python benchmarks/odd_files.py mend` draws files from one half of the words (`odd_words.toml`) and
counts by shape how they are read; `held` draws from the half that nothing was mended by. `--show`
prints what was not read right, `--keep FOLDER` keeps the files.

A file is read right where each rater has said in all what stands in its cells (by kind, system,
criterion and side), on a scale that fits. What is read in part is told where a question says so.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import odd_pairs
import odd_records
import odd_tables
from odd_drawing import Draw, File, Rating

from goldassay.errors import InputError
from goldassay.proposals.declared import Declared
from goldassay.proposals.draft import Draft
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["CLASSES", "Outcome", "drawn_file", "outcome"]

SHAPES = {
    shape.__name__: shape for shape in (*odd_pairs.SHAPES, *odd_tables.SHAPES, *odd_records.SHAPES)
}
#: From best to worst.
CLASSES = (
    "right",
    "right, asks",
    "asked",
    "part, told",
    "refused",
    "wrong, asks",
    "wrong",
    "crash",
)
#: An answer may lead to a further question so often.
_STEPS = 3


@dataclass(frozen=True)
class Outcome:
    """How a file was read, and why it is called so."""

    name: str
    why: str


def drawn_file(half: str, shape: str, seed: int) -> File:
    """The file of a shape that a seed gives."""
    return SHAPES[shape](Draw(half, seed, shape))


def written(file: File, folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in file.files.items():
        (folder / name).write_bytes(body)
    return [str(folder / name) for name in file.files]


def outcome(file: File, paths: Sequence[str]) -> Outcome:
    """What becomes of a file without a task."""
    source: Any = list(paths) if len(paths) > 1 else paths[0]
    try:
        ratings, draft = guessed_ratings(source)
    except InputError as error:
        try:
            offered = _offers(source, Declared())
        except InputError:
            return Outcome("refused", str(error))
        if any(_leads_to(file, source, part, _STEPS) for part in offered):
            return Outcome("asked", str(error))
        return Outcome("refused", str(error))
    except Exception as error:  # whatever it is, it is no answer
        return Outcome("crash", f"{type(error).__name__}: {error}")
    wrong = difference(file, ratings)
    asked = "; ".join(draft.questions)
    if not wrong:
        return Outcome("right, asks" if asked else "right", asked)
    if any(_leads_to(file, source, part, 1) for part in draft.offered):
        return Outcome("wrong, asks", f"{wrong} | {asked}")
    told = wrong.startswith("part") and "not read" in asked
    return Outcome("part, told" if told else "wrong", f"{wrong} | {asked} | {_short(draft)}")


def _short(draft: Draft) -> str:
    return "; ".join(draft.assumed)[:600]


def _offers(source: Any, said: Declared) -> list[Mapping[str, Any]]:
    missing = propose(source, None, said).missing
    return [one for one in missing[0].answers if not isinstance(one, str)] if missing else []


def _leads_to(file: File, source: Any, part: Mapping[str, Any], steps: int) -> bool:
    """Whether an answer ends in the right reading, with the answers to what is asked then."""
    said = Declared.of(part, "--task")
    try:
        return not difference(file, guessed_ratings(source, None, said)[0])
    except InputError:
        if steps <= 1:
            return False
        try:
            more = _offers(source, said)
        except InputError:
            return False
        return any(_leads_to(file, source, _both(part, one), steps - 1) for one in more)


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(one)
    for key, value in other.items():
        mine = made.get(key)
        made[key] = mine | value if isinstance(mine, dict) and isinstance(value, dict) else value
    return made


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _plain(value: str) -> str:
    try:
        return repr(float(value))
    except ValueError:
        return " ".join(value.casefold().replace("_", " ").replace("-", " ").split())


def difference(file: File, ratings: Ratings) -> str:
    """How a reading differs from what stands in the files; "" where it does not."""
    if ratings.task.scale not in file.scales:
        return f"scale {ratings.task.scale}"
    mine = list(_read(file, ratings))
    for kind in ("human", "judge"):
        wanted, found = _by_rater(file.ratings, kind), _by_rater(mine, kind)
        if len(wanted) != len(found):
            less = "part" if 0 < len(found) < len(wanted) else "raters"
            return f"{less}: {len(found)} {kind} raters, not {len(wanted)}"
    wanted, found = Counter(map(_fact, file.ratings)), Counter(map(_fact, mine))
    if wanted == found:
        return ""
    if not found - wanted:
        return f"part: {found.total()} of {wanted.total()} ratings"
    if Counter(map(_without_systems, wanted.elements())) == Counter(
        map(_without_systems, found.elements())
    ):
        return "part: the systems are not told"
    more, less = next(iter(found - wanted)), next(iter(wanted - found), None)
    return f"{(found - wanted).total()} ratings otherwise: {more} not {less}"


def _by_rater(ratings: Sequence[Rating], kind: str) -> set[str]:
    return {one.rater for one in ratings if _kind(one.kind) == kind}


def _kind(kind: str) -> str:
    """Labels of which nothing says who gave them may be people's or a reference's."""
    return "human" if kind in ("label", "reference") else kind


def _fact(one: Rating) -> tuple[str, ...]:
    """A rating without the names of raters and items, which may be written otherwise."""
    return (_kind(one.kind), _plain(one.value), one.criterion, one.system, one.opponent)


def _without_systems(fact: tuple[str, ...]) -> tuple[str, ...]:
    return fact[:3]


def _read(file: File, ratings: Ratings) -> Iterator[Rating]:
    frame = fetch(ratings.frame, place="")
    columns = {name: list(map(_text, frame[name])) for name in frame}
    pairs = ratings.task.scale == "pairwise"
    criteria = {one.criterion for one in file.ratings}
    systems = {one.system for one in file.ratings} | {one.opponent for one in file.ratings}
    for at, status in enumerate(columns["status"]):
        if status != "rated":
            continue
        cell = {name: values[at] for name, values in columns.items()}
        value = cell["value"]
        if pairs:
            value = ("first", "second", "tie")[min(int(cell["code"]), 2)]
        elif ratings.task.scale == "binary" and cell.get("code", "-1") in ("0", "1"):
            value = ratings.task.options[int(cell["code"])]
        yield Rating(
            cell["item"],
            cell["kind"],
            cell["rater"],
            value,
            _one_of(cell.get("criterion", ""), criteria),
            _one_of(cell.get("system", ""), systems),
            _one_of(cell.get("opponent", ""), systems),
        )


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _one_of(said: str, known: set[str]) -> str:
    """Which of the known names one is; what is not asked for is nothing."""
    if known == {""}:
        return ""
    mine = [one for one in known if one and _folded(one) in _folded(said)]
    return max(mine, key=len, default=said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=("mend", "held"))
    parser.add_argument("--each", type=int, default=5, help="files of each shape")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shape", choices=sorted(SHAPES))
    parser.add_argument("--show", action="store_true", help="tell what was not read right")
    parser.add_argument("--keep", type=Path, help="a folder for the files")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for shape in [asked.shape] if asked.shape else SHAPES:
            counts: Counter[str] = Counter()
            for seed in range(asked.seed, asked.seed + asked.each):
                file = drawn_file(asked.half, shape, seed)
                folder = (asked.keep or Path(temporary)) / asked.half / f"{shape}-{seed}"
                found = outcome(file, written(file, folder))
                counts[found.name] += 1
                if asked.show and found.name != "right":
                    print(f"    {shape}-{seed} {found.name}: {found.why[:900]}", flush=True)
            total += counts
            print(f"{shape:24}", _counted(counts), flush=True)
    print(f"{'all':24}", _counted(total))


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[name]} {name}" for name in CLASSES if counts[name])


if __name__ == "__main__":
    main()
