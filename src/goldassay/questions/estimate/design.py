"""How the labelled items were drawn: declared (`task.calibration`), as no data can show it.

- `random`      at random from the pool whose rate is wanted;
- `by_verdict`  at random within each verdict of that pool, in numbers of one's own choosing;
- `by_label`    so many of each true label, from anywhere the judge errs alike;
- `separate`    from another source, where the true rate may differ but the judge errs alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from goldassay.frozen import dataclass

__all__ = ["DESIGNS", "ERRS_ALIKE", "Design", "Drawing", "drawing", "if_errs_alike"]

#: What a rate takes for granted that labels of another set correct.
ERRS_ALIKE = "the judge errs there as here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What a way of drawing the labelled items makes true of them."""

    name: str
    #: They are part of the pool whose rate is wanted.
    from_pool: bool
    #: They may stand apart from the test items, as a split of their own.
    apart: bool
    #: The judge errs on them as on the pool's items of the same true label.
    tells_errors: bool
    #: They get verdicts as the test items do, which can be tested.
    same_verdicts: bool


DESIGNS: Mapping[str, Design] = {
    one.name: one
    for one in (
        Design(name="random", from_pool=True, apart=True, tells_errors=True, same_verdicts=True),
        Design(
            name="by_verdict", from_pool=True, apart=False, tells_errors=False, same_verdicts=False
        ),
        Design(
            name="by_label", from_pool=False, apart=True, tells_errors=True, same_verdicts=False
        ),
        Design(name="separate", from_pool=False, apart=True, tells_errors=True, same_verdicts=True),
    )
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """The declared design; where none is declared, those that the labelled items may come from."""

    declared: str | None
    possible: tuple[Design, ...]

    @property
    def from_pool(self) -> bool:
        return all(one.from_pool for one in self.possible)

    @property
    def tells_errors(self) -> bool:
        return any(one.tells_errors for one in self.possible)

    @property
    def maybe_by_verdict(self) -> bool:
        """The numbers of labels within verdicts may have been chosen."""
        return any(one.from_pool and not one.tells_errors for one in self.possible)

    @property
    def same_verdicts(self) -> bool:
        return any(one.same_verdicts for one in self.possible)


def if_errs_alike(assumptions: Iterable[str]) -> str:
    """What stands before a number in a sentence where its row says that it takes this for granted.

    >>> if_errs_alike(["the judge errs there as here: as often"])
    'if the judge errs there as here, '
    """
    return f"if {ERRS_ALIKE}, " if any(ERRS_ALIKE in one for one in assumptions) else ""


def drawing(declared: str | None, *, apart: bool) -> Drawing:
    """What is known of the drawing; `apart`: the labelled items are marked as a split."""
    if declared is not None:
        return Drawing(declared, (DESIGNS[declared],))
    fitting = (one for one in DESIGNS.values() if (one.apart if apart else one.from_pool))
    return Drawing(None, tuple(fitting))
