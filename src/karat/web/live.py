"""The table and the store together, for what is computed from all ratings while labels arrive."""

from __future__ import annotations

from karat.web.desk import Desk
from karat.web.markup import Markup
from karat.web.pages.layout import message_page

__all__ = ["Live"]


class Live:
    """What the report page shows."""

    def report_page(self, desk: Desk, *, rater: str = "") -> Markup:
        return message_page("Report", "There is no report yet.")
