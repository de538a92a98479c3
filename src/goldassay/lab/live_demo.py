"""A real judge for a newcomer: a small model on this machine over a few dozen answers.

The questions and answers are written here, half of them wrong on purpose, so the truth is known.
The model's verdicts are real. The people are simulated, and every label says so.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.judges.flow import Budget
from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import Judge, read_judge
from goldassay.lab.local_model import MODEL_NAME, cores, local_model
from goldassay.sources.writing import made_folder, write_atomically
from goldassay.store import Label, add_label, open_store
from goldassay.words import counted, duration, percent

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

#: Both prompts end with the item: what stands before it is evaluated once, not in every call.
#: The second needs no fence around the item's text, which is written above.
JUDGES = {
    "token-probs": 'realization = "token_probs"\n',
    "in-words": """\
realization = "binary"
structured = true
abstain = []
options = ["yes", "no"]
parameters = { temperature = 0, max_tokens = 64 }
prompt = '''
Does the response answer the question in the input correctly? {format}

Input: {input}

Response: {output}'''
""",
}

PEOPLE = 3
SLIPS = 0.08
#: More threads than this do not make so small a model faster.
MOST_THREADS = 4
#: Seconds after which no further call is begun.
TIME_LIMIT = 240.0


@dataclass(frozen=True, slots=True)
class LiveDemo:
    """What was made: the store, the task file, how the run went, and that in sentences."""

    ratings: Path
    task: Path
    outcome: Outcome
    sentences: tuple[str, ...]


def live_demo(
    folder: str | Path,
    *,
    seed: int = 1,
    time_limit: float = TIME_LIMIT,
    on_message: Callable[[str], None] = lambda text: None,
    on_progress: Callable[[Sequence[Tally], Mapping[str, Gate]], None] | None = None,
) -> LiveDemo:
    """Run the small model as two judges, add simulated people, and leave files to look at.

    Ctrl-C or the time limit (in seconds) ends it with what was answered until then, and the people
    label these answers alone. Raises `KeyboardInterrupt` or `InputError` where nothing was.
    """
    folder = made_folder(folder)
    items, task, store = folder / "items.jsonl", folder / "task.toml", folder / "ratings.db"
    rows = _rows(QUESTIONS)
    write_atomically(items, "".join(json.dumps(row) + "\n" for row in rows))
    write_atomically(task, TASK)
    on_message(f"Starting {MODEL_NAME} on this machine, once for each of {len(JUDGES)} judges.")
    with ExitStack() as servers:
        threads = max(1, min(MOST_THREADS, cores() // len(JUDGES)))
        judges = [
            _judge(folder, name, servers.enter_context(local_model(threads=threads)))
            for name in JUDGES
        ]
        on_message(f"Each judges {len(rows)} answers; Ctrl-C stops and reports what there is.")
        outcome = run_judges(
            judges,
            items,
            store,
            budget=Budget(max_seconds=time_limit),
            on_progress=on_progress,
            on_message=on_message,
        )
    if outcome.total_failure is not None:
        raise outcome.total_failure
    given = sum(tally.calls - tally.failures.total() for tally in outcome.tallies)
    if not given and outcome.reason == "interrupted":
        raise KeyboardInterrupt
    if not given:
        raise InputError(
            "--time-limit",
            "leaves time for one answer at least",
            found=f"none in {time_limit:g} s",
            next_step="Give more seconds",
        )
    judged = _add_people(store, rows, random.Random(seed))
    sentences = [
        f"{MODEL_NAME}, run on this machine and asked in two ways, judged "
        f"{counted(judged, 'answer')} ({counted(given, 'verdict')} in "
        f"{duration(outcome.seconds)}). Its verdicts are real.",
        f"The {PEOPLE} people are simulated: they know the truth and slip on {percent(SLIPS)} of "
        "items.",
    ]
    if stopped := _stopped(outcome.reason, time_limit):
        planned = len(JUDGES) * len(rows)
        sentences.append(f"{stopped} after {given} of {planned} verdicts: the report is of these.")
    return LiveDemo(store, task, outcome, tuple(sentences))


def _judge(folder: Path, name: str, base_url: str) -> Judge:
    path = folder / f"{name}.toml"
    head = f'name = "{name}"\nmodel = "{MODEL_NAME}"\nbase_url = "{base_url}"\nconcurrency = 1\n'
    write_atomically(path, head + JUDGES[name])
    return read_judge(path)


def _stopped(reason: str, time_limit: float) -> str | None:
    """What ended a run before its end; None for a run that was complete."""
    if reason == "complete":
        return None
    if reason == "time":
        return f"Stopped by the time limit of {time_limit:g} s"
    return "Stopped by Ctrl-C"


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


def _add_people(store: Path, rows: Sequence[dict[str, str]], rng: random.Random) -> int:
    """Labels of simulated people for the answers that a judge has judged; the number of these.

    A person's slips are drawn for all answers, so that they do not depend on where a run stopped.
    """
    connection = open_store(store)
    judged = {
        item
        for (item,) in connection.execute(
            "SELECT DISTINCT item FROM ratings WHERE kind = 'judge' AND status <> 'failed'"
        )
    }
    for person in range(1, PEOPLE + 1):
        for row in rows:
            slip = rng.random() < SLIPS
            if row["item"] not in judged:
                continue
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
    return len(judged)
