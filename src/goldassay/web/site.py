"""What the pages are made from."""

from __future__ import annotations

from functools import cached_property

from goldassay.frozen import dataclass
from goldassay.web.compare import Index
from goldassay.web.desk import Desk
from goldassay.web.live import Live
from goldassay.web.news import News

__all__ = ["Site"]


@dataclass(frozen=True)
class Site:
    """The desk, where labels are given, the report of the moment, and who looks for verdicts."""

    desk: Desk
    live: Live
    news: News | None = None

    @cached_property
    def index(self) -> Index:
        """The cases, ready to be filtered."""
        return Index(self.desk)

    def close(self) -> None:
        """Let go of the store."""
        if self.news is not None:
            self.news.close()
        self.desk.close()
