"""What the pages are made from."""

from __future__ import annotations

from dataclasses import dataclass

from karat.web.desk import Desk
from karat.web.live import Live

__all__ = ["Site"]


@dataclass(frozen=True)
class Site:
    """The desk, where labels are given, and the ratings and report of the moment."""

    desk: Desk
    live: Live
