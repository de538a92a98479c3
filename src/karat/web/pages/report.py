"""The report page: what `karat report` writes to a file, from the labels of the moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from karat.report.html import fragment
from karat.web.markup import Markup, el, trusted
from karat.web.pages.layout import message_page, page

__all__ = ["no_report_page", "report_page"]


def report_page(document: Mapping[str, Any], *, version: str, rater: str = "") -> Markup:
    again = el("a", {"href": "", "data-key": "r"}, "There are new labels: make the report again")
    newer = el("p", {"id": "newer", "role": "status", "hidden": True}, again)
    return page(
        "Report", (newer, trusted(fragment(document))), tab="report", rater=rater,
        style="report.css", live=version,
    )  # fmt: skip


def no_report_page() -> Markup:
    return message_page("Report", "This server was started without a way to make reports.")
