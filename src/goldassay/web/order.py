"""In which order units are labelled.

At random, so that the labels so far are always a random sample of all units; by a list; or as
`plan` allocates them: drawn at random within the verdicts of a judge, more of them where labels
tell most. The last is valid only for a task that declares `calibration = "by_verdict"`.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from goldassay.errors import SourceError, TaskError, UsageError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.questions.plan.allocation import next_labels
from goldassay.ratings.task import Task
from goldassay.sources.spreadsheet import plain
from goldassay.web.cases import Cases, Given
from goldassay.web.reference import mode

__all__ = ["ByVerdict", "Order", "listed", "shuffled"]

BATCH = 10
#: From everybody's ratings and the units queued so far to the units that come next.
Planner = Callable[[Mapping[str, Sequence[Given]], Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Order:
    """The units that may be labelled, as they come; a planner chooses among them."""

    keys: tuple[str, ...]
    planner: Planner | None = None


def shuffled(keys: Iterable[str], *, seed: int) -> list[str]:
    """A random order that is the same on every start, whatever was labelled."""
    return sorted(keys, key=lambda key: hashlib.blake2b(f"{seed} {key}".encode()).digest())


def listed(path: str | Path, cases: Cases) -> list[str]:
    """The units of the items that a file names, in its order.

    The file has an item on each line, or is a table with the column `item` (and maybe `criterion`,
    `system`, `opponent`), as `goldassay plan --next` writes it.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        near = nearest(str(path), ("plan", "random", "given"))
        raise UsageError(
            "--order",
            "is plan, random, given, or a file with a list",
            found=shown(str(path)),
            next_step=f"Did you mean {near!r}?" if near else None,
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise SourceError(str(path), f"cannot be read ({reason})") from None
    columns = ("item", "criterion", "system", "opponent")
    table = csv.DictReader(io.StringIO(text, newline=""))
    try:
        head = table.fieldnames or []
        if "item" in head:
            rows = [{n: row[n] or "" for n in columns if n in head} for row in table]
        else:
            rows = [{"item": line.strip()} for line in text.splitlines() if line.strip()]
    except csv.Error as error:
        raise SourceError(str(path), f"is not a readable table ({error})") from None
    by_item: dict[str, list[str]] = {}
    for key, unit in cases.units.items():
        by_item.setdefault(unit.item, []).append(key)
    found: dict[str, None] = {}
    for number, words in enumerate(rows, start=1):
        known = words["item"] in by_item
        row = words if known else {name: plain(word) for name, word in words.items()}
        keys = [
            key
            for key in by_item.get(row["item"], ())
            if all(getattr(cases.units[key], name) == word for name, word in row.items() if word)
        ]
        if not keys:
            near = nearest(row["item"], list(by_item)[:10_000])
            raise SourceError(
                f"{path}, entry {number}",
                "names an item of the ratings or the items table",
                found=shown(row["item"]),
                next_step=f"Did you mean {near!r}?" if near and near != row["item"] else None,
            )
        found.update(dict.fromkeys(keys))
    if not found:
        raise SourceError(str(path), "names no item")
    return list(found)


class ByVerdict:
    """The next units by need: a batch at a time, shared among the verdicts of one judge.

    Within a batch the verdicts are mixed at random, so that the order tells a person nothing.
    """

    def __init__(
        self, cases: Cases, task: Task, *, judge: str, seed: int, batch: int = BATCH
    ) -> None:
        if task.calibration != "by_verdict":
            raise TaskError(
                "--order plan",
                'draws by the judge\'s verdict; the task then declares calibration = "by_verdict"',
                found=f"calibration = {task.calibration!r}",
                next_step="Declare it, or use --order random",
            )
        if judge not in cases.judges:
            raise UsageError("--judge", "must be a judge of the ratings", found=shown(judge))
        self.positive = task.positive
        self.batch = batch
        self.seed = seed
        self.strata: dict[str, list[str]] = {}
        for key in shuffled(cases.units, seed=seed):
            verdicts = [v for v in cases.verdicts.get(key, ()) if v.judge == judge]
            value = mode(v.value for v in verdicts if v.status == "rated")
            self.strata.setdefault(value or "", []).append(key)

    def __call__(self, people: Mapping[str, Sequence[Given]], queued: Sequence[str]) -> list[str]:
        taken = set(queued)
        names = sorted(self.strata)
        references = {
            key: mode(one.value for one in given if one.status == "rated")
            for key, given in people.items()
        }
        counts = next_labels(
            [len(self.strata[name]) for name in names],
            [sum(key in taken for key in self.strata[name]) for name in names],
            [
                sum(references.get(k) == self.positive for k in self.strata[n] if k in taken)
                for n in names
            ],
            self.batch,
        )
        chosen = [
            key
            for name, count in zip(names, counts.tolist(), strict=True)
            for key in [key for key in self.strata[name] if key not in taken][:count]
        ]
        return shuffled(chosen, seed=self.seed + len(queued))
