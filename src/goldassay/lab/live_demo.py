"""A real judge for a newcomer: a small model on this machine over a few dozen answers.

The questions and answers are written here, half of them wrong on purpose, so the truth is known.
The model's verdicts are real. The people are simulated, and every label says so.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import read_judge
from goldassay.lab.local_model import MODEL_NAME, local_model
from goldassay.sources.writing import made_folder, write_atomically
from goldassay.store import Label, add_label, open_store

if TYPE_CHECKING:
    from goldassay.judges.flow import Gate
    from goldassay.judges.run import Tally

__all__ = ["LiveDemo", "live_demo"]

#: Question, a right answer, a wrong one.
QUESTIONS = (
    ("What is the capital of France?", "Paris.", "Lyon."),
    ("How many legs does a spider have?", "Eight.", "Six."),
    ("What is 7 times 8?", "56", "54"),
    ("Which planet is closest to the Sun?", "Mercury.", "Venus."),
    ("What gas do plants take in to grow?", "Carbon dioxide.", "Pure nitrogen."),
    ("Is ice lighter than water?", "Yes: ice floats on water.", "No, ice sinks in water."),
    ("Who wrote Hamlet?", "William Shakespeare.", "Charles Dickens."),
    ("What is the boiling point of water at sea level?", "100 degrees Celsius.", "80 degrees."),
    ("How many continents are there?", "Seven, as usually counted.", "Four."),
    ("What is the opposite of cold?", "Hot.", "Blue."),
    ("How many days has a leap year?", "366 days.", "364 days."),
    ("What is the largest ocean?", "The Pacific Ocean.", "The Arctic Ocean."),
    ("Which animal barks?", "A dog barks.", "A goldfish barks."),
    ("What is 15 minus 9?", "6", "7"),
    ("What do bees make?", "Honey.", "Milk."),
    ("In which direction does the Sun rise?", "In the east.", "In the north."),
    ("What is the square root of 81?", "9", "8"),
    ("What colour do you get from blue and yellow paint?", "Green.", "Purple."),
    ("How many minutes are in two hours?", "120 minutes.", "90 minutes."),
    ("Which metal is liquid at room temperature?", "Mercury.", "Iron."),
    ("What is the first month of the year?", "January.", "March."),
    ("How many sides has a hexagon?", "Six.", "Five."),
    ("What is frozen water called?", "Ice.", "Steam."),
    ("What language is spoken in Brazil?", "Portuguese.", "Danish."),
)

TASK = """\
# Is the answer good? The people here are simulated; the judges are a real model.
scale = "binary"
options = ["yes", "no"]
positive = "yes"
cluster = "prompt"
reference = "majority"
calibration = "random"
"""

JUDGES = {
    "token-probs": 'realization = "token_probs"\n',
    "in-words": 'realization = "binary"\nstructured = true\nabstain = []\n'
    'options = ["yes", "no"]\n'
    'question = "The response answers the question in the input correctly."\n'
    "parameters = { temperature = 0, max_tokens = 64 }\n",
}

PEOPLE = 3
SLIPS = 0.08


@dataclass(frozen=True, slots=True)
class LiveDemo:
    """What was made: the store, the task file, and how the run went."""

    ratings: Path
    task: Path
    outcome: Outcome
    sentences: tuple[str, ...]


def live_demo(
    folder: str | Path,
    *,
    seed: int = 1,
    on_message: Callable[[str], None] = lambda text: None,
    on_progress: Callable[[Sequence[Tally], Mapping[str, Gate]], None] | None = None,
) -> LiveDemo:
    """Run the small model as two judges, add simulated people, and leave files to look at."""
    folder = made_folder(folder)
    items = folder / "items.jsonl"
    rows = _rows(QUESTIONS)
    write_atomically(items, "".join(json.dumps(row) + "\n" for row in rows))
    write_atomically(folder / "task.toml", TASK)
    store = folder / "ratings.db"
    on_message(f"Starting {MODEL_NAME} on this machine.")
    with local_model() as base_url:
        paths = []
        for name, lines in JUDGES.items():
            path = folder / f"{name}.toml"
            head = f'name = "{name}"\nmodel = "{MODEL_NAME}"\nbase_url = "{base_url}"\n'
            write_atomically(path, head + lines + "concurrency = 2\n")
            paths.append(path)
        on_message(f"{len(JUDGES)} judges over {len(rows)} answers.")
        show = on_progress
        outcome = run_judges(
            [read_judge(path) for path in paths],
            items,
            store,
            on_progress=show,
            on_message=on_message,
        )
    _add_people(store, rows, random.Random(seed))
    calls = sum(tally.calls for tally in outcome.tallies)
    sentences = (
        f"{MODEL_NAME}, run on this machine, judged {len(rows)} answers in two ways "
        f"({calls} calls in {outcome.seconds:.0f} s). Its verdicts are real.",
        f"The {PEOPLE} people are simulated: they know the truth and slip on {SLIPS:.0%} of items.",
    )
    return LiveDemo(store, folder / "task.toml", outcome, sentences)


def _rows(questions: Sequence[tuple[str, str, str]]) -> list[dict[str, str]]:
    return [
        {
            "item": f"q{number:02d}-{system}",
            "system": system,
            "prompt": f"q{number:02d}",
            "input": question,
            "output": answer,
            "truth": truth,
        }
        for number, (question, right, wrong) in enumerate(questions, start=1)
        for system, answer, truth in (("careful", right, "yes"), ("careless", wrong, "no"))
    ]


def _add_people(store: Path, rows: Sequence[dict[str, str]], rng: random.Random) -> None:
    connection = open_store(store)
    for person in range(1, PEOPLE + 1):
        for row in rows:
            slip = rng.random() < SLIPS
            value = {"yes": "no", "no": "yes"}[row["truth"]] if slip else row["truth"]
            label = Label(
                item=row["item"],
                rater=f"simulated-{person}",
                value=value,
                system=row["system"],
                prompt=row["prompt"],
                comment="simulated",
                sample="1",
            )
            add_label(connection, label)
    connection.close()
