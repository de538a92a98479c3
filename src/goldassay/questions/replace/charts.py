"""The judges' advantage over each person, drawn against the margin."""

from __future__ import annotations

from goldassay.charts import Chart, Dot, DotInterval, Reference
from goldassay.questions.replace.study import ReplaceStudy
from goldassay.words import decimal

__all__ = ["charts"]

#: A picture of more people than these is no picture.
MOST_DRAWN = 24


def charts(found: ReplaceStudy) -> tuple[Chart, ...]:
    """A dot for each person, of the best judges first, as far as they fit."""
    dots: list[Dot] = []
    for one in found.judges:
        if dots and len(dots) + len(one.people) > MOST_DRAWN:
            break
        for person in one.people[:MOST_DRAWN]:
            interval = person.advantage.interval
            low, high = (interval.low, interval.high) if interval else (None, None)
            group = one.judge if len(found.judges) > 1 else None
            dots.append(Dot(person.person, person.advantage.value, low, high, group))
    if not dots:
        return ()
    epsilon = found.settings.epsilon
    return (
        DotInterval(
            title="The judge against each person",
            x_label="advantage in closeness to the other people",
            rows=tuple(dots),
            references=(
                Reference(-epsilon, f"margin -{decimal(epsilon)}"),
                *([Reference(0.0, "equally close")] if epsilon else []),
            ),
            alt="Each dot is a person; right of the margin the judge is at least as close to the "
            "others as that person, less epsilon.",
        ),
    )
