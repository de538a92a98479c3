"""What a second look takes back of a reading, and how it is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import some
from goldassay.words import listed, named

__all__ = ["ENOUGH", "UNANSWERED", "Doubts"]

#: The fewest items of which something can be said.
ENOUGH = 10


#: What a machine does that was asked and gives no answer.
UNANSWERED = frozenset(["refusal", "refused", "refuse", "refuses", "timeout", "garbage"])


@dataclass(frozen=True)
class Doubts:
    """What a second look takes back."""

    #: Column that is no rater's and no rating -> why, as a sentence.
    left_out: Mapping[str, str] = field(default_factory=dict)
    #: Folded words for "no rating" that are options, and how raters write them.
    options: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.left_out or self.options)

    def __or__(self, other: Doubts) -> Doubts:
        return Doubts({**self.left_out, **other.left_out}, {**self.options, **other.options})

    def left(self, columns: Mapping[str, Column]) -> dict[str, Column]:
        """The columns that may hold ratings still."""
        return {name: column for name, column in columns.items() if name not in self.left_out}

    def ask(self, draft: Draft) -> None:
        """One question for each reason."""
        for why in dict.fromkeys(self.left_out.values()):
            names = [name for name, one in self.left_out.items() if one == why]
            verb = "Does" if len(names) == 1 else "Do"
            draft.ask(f"{verb} {some(names)} hold ratings? {why}: not read", left_out=names)
        for unanswered in (False, True):
            spelled = [s for word, s in self.options.items() if (word in UNANSWERED) == unanswered]
            why = (
                "People say it of what they rate"
                if unanswered
                else "Raters give it to the same items"
            )
            if spelled:
                draft.ask(
                    f"Is {listed([named(one) for one in spelled], 'or')} no rating? {why}: it is "
                    "read as an option. If it is none",
                    {"invalid": spelled},
                )
