"""The tables: each an `Example`, called by its name."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldassay.errors import UsageError, listed
from goldassay.frozen import dataclass

if TYPE_CHECKING:
    from goldassay.ratings.table import Ratings

__all__ = [
    "Example",
    "answers",
    "every",
    "grades",
    "named",
    "pairs",
    "plain",
    "rubric",
    "safety",
    "scores",
    "versions",
]


@dataclass(frozen=True, slots=True)
class Example:
    """A simulated table with its task; called, it gives the ratings that every question takes.

    >>> from goldassay.examples import plain
    >>> plain
    Example: plain, a file as it lies about: a column for the person, one for the judge
    >>> plain.path.name, plain.task.name
    ('plain.csv', 'plain.toml')
    """

    name: str
    about: str
    #: The verbs that it is made for.
    verbs: tuple[str, ...]

    def __call__(self) -> Ratings:
        """The ratings, read under the task."""
        from goldassay.ratings.table import read_ratings
        from goldassay.ratings.task import read_task

        return read_ratings(str(self.path), read_task(str(self.task)))

    @property
    def path(self) -> Path:
        """The table, as CSV."""
        return self._file("csv")

    @property
    def task(self) -> Path:
        """The task that declares what its values mean."""
        return self._file("toml")

    @property
    def truth(self) -> dict[str, Any]:
        """What is true of it: what a question should find."""
        text = files("goldassay").joinpath("examples", "truths.toml").read_text(encoding="utf-8")
        found: dict[str, Any] = tomllib.loads(text)[self.name]
        return found

    def save(self, folder: str | Path = ".") -> tuple[Path, Path]:
        """Write the table and its task into a folder; a file of other content is not replaced."""
        from goldassay.sources.writing import made_folder, write_atomically

        where = made_folder(folder)
        for file in (self.path, self.task):
            there = where / file.name
            text = file.read_text(encoding="utf-8")
            if there.exists() and there.read_text(encoding="utf-8", errors="replace") != text:
                raise UsageError(
                    str(there),
                    "is there already, with other content",
                    next_step="Move it away, or write into another folder",
                )
        for file in (self.path, self.task):
            write_atomically(where / file.name, file.read_text(encoding="utf-8"))
        return where / self.path.name, where / self.task.name

    def __repr__(self) -> str:
        return f"Example: {self.name}, {self.about}"

    def _file(self, suffix: str) -> Path:
        return Path(str(files("goldassay").joinpath("examples", f"{self.name}.{suffix}")))


plain = Example(
    "plain",
    "a file as it lies about: a column for the person, one for the judge",
    ("check", "agree"),
)
answers = Example(
    "answers",
    "five systems on 300 questions, judged by a strict match; people labelled 80 of the questions",
    ("estimate", "plan", "agree", "rank"),
)
rubric = Example(
    "rubric",
    "two criteria, three people on each answer, three judges that score and abstain",
    ("agree", "select"),
)
safety = Example(
    "safety",
    "is a reply unsafe: ten people on each, who differ; two judges, asked four times",
    ("audit", "replace"),
)
pairs = Example(
    "pairs",
    "which of two answers is better, or a tie: six systems, three people, two judges",
    ("rank", "agree"),
)
grades = Example("grades", "marks from 1 to 5 by two people and two judges", ("agree",))
scores = Example(
    "scores",
    "scores of eight systems on 50 prompts by people and three judges, one of them partial",
    ("rank",),
)
versions = Example(
    "versions",
    "one judge over eight weeks, with labels of each; it grows laxer after the fourth",
    ("agree", "estimate"),
)


def every() -> tuple[Example, ...]:
    """All of them.

    >>> [example.name for example in every()][:3]
    ['plain', 'answers', 'rubric']
    """
    return (plain, answers, rubric, safety, pairs, grades, scores, versions)


def named(name: str) -> Example:
    """The example of this name.

    >>> named("pairs").verbs
    ('rank', 'agree')
    """
    known = {example.name: example for example in every()}
    if name not in known:
        raise UsageError(
            "the example",
            f"must be one of {listed(known)}",
            found=name,
            next_step="python -m goldassay.examples lists them",
        )
    return known[name]
