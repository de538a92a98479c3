"""One judge, one human, one item, one class, all abstained, no overlap, more judges than items.

Each is a clear answer, or one message and exit code 2, on every scale and for both verbs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldassay.cli import command_line as run

SCALES = {
    "binary": (("MET", "UNMET"), 'positive = "MET"'),
    "nominal": (("a", "b", "c"), ""),
    "ordinal": (("1", "2", "3"), 'weights = "quadratic"'),
    "pairwise": (("A", "B", "T"), 'tie = "T"'),
    "continuous": (("0.1", "0.5", "0.9"), ""),
}
N = 12

#: Case -> rows (item, rater, kind, index of the option; None abstains).
CASES = {
    "one of each": [
        row
        for i in range(N)
        for row in ((i, "ann", "human", i % 2), (i, "gpt", "judge", (i // 2) % 2))
    ],
    "no human": [(i, "gpt", "judge", i % 2) for i in range(N)],
    "no judge": [(i, "ann", "human", i % 2) for i in range(N)],
    "one item": [(0, "ann", "human", 0), (0, "gpt", "judge", 0)],
    "one class": [
        row for i in range(N) for row in ((i, "ann", "human", 0), (i, "gpt", "judge", 0))
    ],
    "judge abstained": [
        row for i in range(N) for row in ((i, "ann", "human", i % 2), (i, "gpt", "judge", None))
    ],
    "people abstained": [
        row for i in range(N) for row in ((i, "ann", "human", None), (i, "gpt", "judge", i % 2))
    ],
    "no overlap": [
        row
        for i in range(N)
        for row in ((i, "ann", "human", i % 2), (100 + i, "gpt", "judge", i % 2))
    ],
    "more judges than items": [
        row
        for i in range(3)
        for row in (
            (i, "ann", "human", i % 2),
            *((i, f"j{k}", "judge", (i + k) % 2) for k in range(8)),
        )
    ],
}

#: What `agree` says, for verdicts and for scores; the exit code is 0 unless it is a message.
AGREE = {
    "one of each": (
        "agrees with people on 50 % [22, 78] of 12 items",
        "correlate with people's at 0.00",
    ),
    "no human": ("There is no human rating", "There is no human score"),
    "no judge": ("found no rating of kind judge", "found no rating of kind judge"),
    "one item": ("on 100 % [5, 100] of 1 item", "one item has a score of people and of the judge"),
    "one class": (
        "kappa is undefined: people and judge use one and the same option only",
        "one side's scores are equal",
    ),
    "judge abstained": (
        "no item has both a counted verdict and a reference",
        "None of the 12 ratings of `gpt` is a score",
    ),
    "people abstained": (
        "no item has both a counted verdict and a reference",
        "There is no human score",
    ),
    "no overlap": (
        "no item has both a counted verdict and a reference",
        "no item has a score of people and of the judge",
    ),
    "more judges than items": (
        "cannot be told from any of the other 7 judges",
        "cannot be told from any of the other 7 judges",
    ),
}

SELECT = {
    "one of each": "`gpt` is the only judge",
    "no judge": "found no rating of kind judge",
    "one item": "balanced accuracy is undefined, the reference has one class only",
    "one class": "balanced accuracy is undefined, the reference has one class only",
    "more judges than items": "It cannot be told from any of the other 7",
}


def written(folder: Path, scale: str, case: str) -> list[str]:
    options, more = SCALES[scale]
    lines = ["item,rater,kind,value"]
    for item, rater, kind, code in CASES[case]:
        lines.append(f"i{item},{rater},{kind},{'?' if code is None else options[code]}")
    table, task = folder / "ratings.csv", folder / "task.toml"
    table.write_text("\n".join(lines) + "\n")
    named = "" if scale == "continuous" else f"options = {json.dumps(options)}"
    task.write_text(f'scale = "{scale}"\n{named}\n{more}\nabstain = ["?"]\n')
    return [str(table), "--task", str(task), "--resamples", "100"]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", CASES)
def test_agree(tmp_path, capsys, scale: str, case: str) -> None:
    code = run(["agree", *written(tmp_path, scale, case), "--full"])
    shown = capsys.readouterr()
    said = " ".join((shown.out + shown.err).split())
    assert AGREE[case][scale == "continuous"] in said
    assert code == (2 if case == "no judge" else 0)
    assert "nan" not in said.lower().split()
    if code == 0:
        assert "ratings read" in said
        assert "Reporting checklist" in said


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", CASES)
def test_select(tmp_path, capsys, scale: str, case: str) -> None:
    code = run(["select", *written(tmp_path, scale, case), "--full"])
    shown = capsys.readouterr()
    said = " ".join((shown.out + shown.err).split())
    if scale == "continuous":
        assert "no verdicts to count" in said
    else:
        nobody = "no item has both a reference from people and a verdict of a judge that counts"
        assert SELECT.get(case, nobody) in said
    answered = case in SELECT and case != "no judge" and scale != "continuous"
    assert code == (0 if answered else 2)
    assert "nan" not in said.lower().split()
