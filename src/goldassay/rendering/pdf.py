"""The page printed by a browser: PDF of the very HTML, with no layout of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goldassay.errors import MissingExtraError, SourceError
from goldassay.rendering.html import render_html

__all__ = ["render_pdf"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def render_pdf(document: Mapping[str, Any]) -> bytes:
    """The document as PDF, through Chromium's print.

    The browser is the one that the environment's GOLDASSAY_CHROMIUM names, one on the path, or
    Playwright's own. Scripts are off and nothing is fetched, as on the page itself.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise MissingExtraError("playwright", "pdf") from None
    named = os.environ.get("GOLDASSAY_CHROMIUM")
    path = named or next((found for name in BROWSERS if (found := shutil.which(name))), None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(render_html(document), encoding="utf-8")
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
                page = browser.new_context(java_script_enabled=False, offline=True).new_page()
                page.goto(file.as_uri())
                printed: bytes = page.pdf(
                    format="A4",
                    print_background=True,
                    margin={"top": "16mm", "right": "16mm", "bottom": "16mm", "left": "16mm"},
                )
                browser.close()
                return printed
        except Error as error:
            raise SourceError(
                "PDF",
                f"the browser could not print ({str(error).splitlines()[0][:200]})",
                next_step="Install Chromium, or name it in GOLDASSAY_CHROMIUM; or write .html "
                "and print it from any browser",
            ) from None
