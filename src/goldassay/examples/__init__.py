"""Small simulated tables, to try a question on in two lines.

    >>> import goldassay as ga
    >>> ga.estimate(ga.examples.answers())["prevalence", "strict match"].n_items
    1500

The same from a shell: `python -m goldassay.examples answers` writes `answers.csv` and its task,
`answers.toml`. Nothing here is anybody's data: the truths are known (`answers.truth`), and
`scripts/make_examples.py` draws every table again.
"""

from goldassay.examples.tables import (
    Example,
    answers,
    every,
    grades,
    named,
    pairs,
    plain,
    rubric,
    safety,
    scores,
    versions,
)

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
