"""The site, built: the gallery's reports rendered from their results, then every page.

    python scripts/site.py [--clean]

Warnings are errors. `site/` has no request to the outside in it, and may be served from any folder.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import gallery  # noqa: E402


def main(options: list[str]) -> int:
    gallery.render(gallery.GALLERY)
    words = [sys.executable, "-m", "zensical", "build", "--strict", *options]
    return subprocess.run(words, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
