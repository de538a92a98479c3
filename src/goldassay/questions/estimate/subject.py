"""Whom an estimate is about."""

from __future__ import annotations

from goldassay.frozen import dataclass

__all__ = ["Subject"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A judge; the criterion and the system, where these are told apart."""

    judge: str
    criterion: str | None = None
    system: str | None = None

    @property
    def named(self) -> dict[str, str]:
        """What there is of judge, criterion and system."""
        parts = {"judge": self.judge, "criterion": self.criterion, "system": self.system}
        return {key: value for key, value in parts.items() if value}

    @property
    def label(self) -> str:
        return " · ".join(self.named.values())
