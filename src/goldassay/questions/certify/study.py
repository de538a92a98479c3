"""What a passport binds together: the results of a report, and who, on what, when."""

from __future__ import annotations

from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.passport import Passport
from goldassay.results import Row, Sentence

__all__ = ["CertifyStudy"]

#: Questions of a report that speak of labels to come or of other judges, not of this one.
_NOT_BOUND = frozenset({"plan", "select"})


@dataclass(frozen=True)
class CertifyStudy:
    """A passport before it is sealed, and the report of its judge alone."""

    passport: Passport
    report: Findings
    #: The judges that `--judges` describes; None without it.
    described: tuple[str, ...] | None = None

    def rows(self) -> tuple[Row, ...]:
        """The report's results as they stand there."""
        return tuple(r for r in self.report.rows if r.about.get("verb") not in _NOT_BOUND)

    def said(self, *keys: str) -> tuple[Sentence, ...]:
        """Sentences of the report's answer, by key; all where none is named."""
        return tuple(one for one in self.report.answer if not keys or one.key in keys)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the questions warn of that are bound."""
        parts = [p for p in self.report.more["parts"] if p["verb"] not in _NOT_BOUND]
        told = [one for part in parts for one in part["warnings"]]
        return tuple(dict.fromkeys([*self.report.warnings, *told]))
