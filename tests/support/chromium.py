"""A real headless Chromium for tests; it notes what a page runs, fetches and complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import patience

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


@dataclass(frozen=True)
class Patient:
    """A browser whose pages wait for what happens, however long a busy machine takes."""

    running: Any

    def new_context(self, **settings: Any) -> Any:
        context = self.running.new_context(**settings)
        context.set_default_timeout(patience.PATIENCE * 1000)
        return context

    def new_page(self, **settings: Any) -> Any:
        return self.new_context(**settings).new_page()


@contextmanager
def browser() -> Iterator[Any]:
    """A running Chromium, closed at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(ARGUMENTS), timeout=patience.PATIENCE * 1000
        )
        try:
            yield Patient(running)
        finally:
            running.close()


def until(page: Any, happened: Callable[[], object]) -> None:
    """Waits until something has happened on a page (or on the server behind it)."""
    patience.until(happened, lambda seconds: page.wait_for_timeout(1000 * seconds))


def settled(page: Any) -> None:
    """Waits until a page has done what it had to do by itself, as long as a busy machine takes.

    A timer of the page's own, and then a moment in which it is idle: events, timers and scripts
    that were there before come first, whatever the clock says.
    """
    page.evaluate(
        "new Promise(done => setTimeout(() => requestIdleCallback(() => done(true)), 300))"
    )


def axe_script() -> str:
    """The source of axe, which finds barriers."""
    import axe_playwright_python

    here = Path(axe_playwright_python.__file__)
    return here.with_name("axe.min.js").read_text(encoding="utf-8")


def barriers(page: Any, script: str, rules: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """What axe finds on a page, by rule: some elements of each.

    By all rules, or some. Only violations come with all their elements: describing the
    thousands that pass takes most of axe's time. Rules that passed are counted, or a page on which
    axe could look at nothing would pass.
    """
    page.evaluate(script)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = page.evaluate("options => axe.run(options)", options)
    assert len(found["passes"]) >= (1 if rules else 10)
    return {v["id"]: [n["html"][:200] for n in v["nodes"][:3]] for v in found["violations"]}


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
