"""A real headless Chromium for tests; it notes what a page runs, fetches and complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path() -> str | None:
    """Where Chromium is, or None."""
    return os.environ.get("GOLDASSAY_CHROMIUM") or shutil.which("chromium")


@contextmanager
def browser() -> Iterator[Any]:
    """A running Chromium, closed at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            yield running
        finally:
            running.close()


@dataclass
class Watched:
    """A page and what happened on it: requests beyond its own address, dialogs, complaints."""

    page: Any
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def ran(self) -> bool:
        """Whether a payload's script has run."""
        return bool(self.page.evaluate("window.__goldassay_ran === 1"))


def watched(context: Any, *, allow: str) -> Watched:
    """A page on which every request that does not start with `allow` is refused and noted."""
    page = context.new_page()
    seen = Watched(page)

    def decide(route: Any) -> None:
        if route.request.url.startswith(allow):
            route.continue_()
        else:
            seen.requests.append(route.request.url)
            route.abort()

    def dismiss(dialog: Any) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    page.route("**/*", decide)
    page.on("dialog", dismiss)
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on(
        "console",
        lambda line: (
            seen.complaints.append(line.text) if line.type in ("error", "warning") else None
        ),
    )
    return seen
