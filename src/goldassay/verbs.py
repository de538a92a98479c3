"""The verbs, each as one record: its name, its place in the help, and the question it answers."""

from __future__ import annotations

from keyword import iskeyword

from goldassay.frozen import dataclass
from goldassay.reference_words import worded

__all__ = ["HEADINGS", "VERBS", "Verb", "heading"]

ASK, GATHER, TELL, MORE = (
    "Questions about judges",
    "Ratings: gather and check",
    "Reports",
    "Simulation and papers",
)


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: its name, the panel of the help, its one line, and the heading of its page."""

    name: str
    panel: str
    help: str
    #: Above its results in a document; a verb that makes none has no heading.
    heading: str = ""

    @property
    def module(self) -> str:
        """Its module in `goldassay.cli`."""
        return f"{self.name}_" if iskeyword(self.name) else self.name


VERBS = (
    Verb(
        "agree",
        ASK,
        "Does the judge agree with people, and how sure are we?",
        "Does the judge agree with people?",
    ),
    Verb(
        "select",
        ASK,
        "Which of my judges (or which threshold) should I use?",
        "Which judge should be used?",
    ),
    Verb(
        "estimate",
        ASK,
        "What is the true rate behind the judge's rate?",
        "What is the true rate behind the judge's rate?",
    ),
    Verb(
        "plan",
        ASK,
        "How many human labels do I need, and on which items?",
        "How many human labels are needed?",
    ),
    Verb(
        "audit",
        ASK,
        "Do my conclusions survive that people disagree?",
        "Do the conclusions survive that people disagree?",
    ),
    Verb(
        "replace",
        ASK,
        "May the judge stand in for a person?",
        "May the judge stand in for a person?",
    ),
    Verb("route", ASK, "Where may the judge decide alone?", "Where may the judge decide alone?"),
    Verb(
        "rank",
        ASK,
        "Does the judge rank systems as people do?",
        "Does the judge rank systems as people do?",
    ),
    Verb("compare", ASK, "Is system B better than A?", "Which system is better?"),
    Verb(
        "monitor",
        ASK,
        "Did the systems change, or the judge?",
        "Did the systems change, or the judge?",
    ),
    Verb(
        "check",
        GATHER,
        "What is in a table of ratings; propose a task file.",
        "What is in the table?",
    ),
    Verb("run", GATHER, "Run judges over items; resumes, never pays twice."),
    Verb("runs", GATHER, "What a journal of runs holds."),
    Verb("judges", GATHER, "The built-in kinds of judges and their prompts."),
    Verb("reparse", GATHER, "Read stored answers again with a mended parser."),
    Verb("import", GATHER, "Other tools' logs to a ratings table."),
    Verb("serve", GATHER, "Label and explore in a browser."),
    Verb("export", GATHER, "People's labels as a file; results to MLflow or Langfuse."),
    Verb("report", TELL, "Everything the data allows, in one page."),
    Verb(
        "certify",
        TELL,
        "Bind what was found to who the judge is: a passport.",
        "Who the judge is, and what its passport holds",
    ),
    Verb("diff", TELL, "What changed between two reports.", "What changed?"),
    Verb("demo", MORE, "A simulated study with known truth, through the ten questions."),
    Verb("simulate", MORE, "Draw ratings from declared truths."),
    Verb("reproduce", MORE, "The papers' tables and figures, computed again."),
)

#: A verb that makes documents -> the heading of its results.
HEADINGS = {verb.name: verb.heading for verb in VERBS if verb.heading}


def heading(verb: object) -> str:
    """The heading of a verb's results; the name of one that has none.

    >>> heading("diff"), heading("reproduce")
    ('What changed?', 'reproduce')
    """
    return worded(HEADINGS.get(str(verb), str(verb)))
