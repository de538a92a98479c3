"""The gallery of published data sets: results made where the data are at hand, pages from results.

    python scripts/gallery.py all                # the four below, about three minutes
    python scripts/gallery.py make [SET...]      # needs the data: docs/gallery/SET.json.gz, digests
    python scripts/gallery.py pictures [SET...]  # needs Chromium: docs/gallery/SET.png
    python scripts/gallery.py page               # docs/gallery/index.md, from the results
    python scripts/gallery.py render [FOLDER]    # SET.html and SET.json, for the site

The data stay where they are (GOLDASSAY_SHARED, or `../shared`). Committed are results without texts
and without names of items or people, as `goldassay report --no-texts --pseudonyms` writes them, and
the SHA-256 of every file that was read. The reports of the site are rendered from these results
when it is built (`scripts/site.py`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support"), str(ROOT / "scripts")]

from goldassay.rendering.html import render_html  # noqa: E402
from goldassay.words import counted  # noqa: E402

GALLERY = ROOT / "docs" / "gallery"
DIGESTS = GALLERY / "digests.toml"


@dataclass(frozen=True)
class Set:
    """A published set: what it is, how it becomes a table, and what stands above its finding."""

    name: str
    title: str
    #: The finding, as a heading: what was learned, without a figure.
    heading: str
    about: str
    source: str
    licence: str
    example: str
    #: What its converter reads, within the folder of data.
    data: str
    task: str = "task.toml"
    table: str = "ratings.csv"
    more: tuple[str, ...] = ()
    judges: bool = False


SETS = (
    Set(
        "evouna",
        "EVOUNA-NQ",
        "A strict check reports far too little",
        "Five systems answer 3,020 questions of Natural Questions; lexical match judges, people's "
        "labels of 200 questions are used. The labels of all of them, which the report has not "
        "seen, say 73 %.",
        "github.com/wangcunxiang/QA-Eval",
        "Apache-2.0",
        "estimate_evouna",
        "evouna_qaeval/EVOUNA/NQ.json",
    ),
    Set(
        "llmbar",
        "LLMBar",
        "The best of nine judges, and what the order of answers does to them",
        "419 pairs of answers with one that follows the instruction; nine judges, each asked in "
        "both orders.",
        "github.com/princeton-nlp/LLMBar",
        "MIT",
        "agree_llmbar",
        "llmbar/Dataset/LLMBar",
    ),
    Set(
        "pandalm",
        "PandaLM",
        "Two judges that people's labels cannot tell apart",
        "999 pairs of answers of five systems, three people on each, ties allowed; two judges, one "
        "of which gives answers that cannot be read.",
        "github.com/WeOpenML/PandaLM",
        "Apache-2.0",
        "agree_pandalm",
        "pandalm/data",
    ),
    Set(
        "dices",
        "DICES-350",
        "An expert is one voice among people who differ",
        "350 conversations with a chatbot, 123 people on each, who say whether an answer is safe; "
        "one expert stands in the place of a judge.",
        "github.com/dmg-illc/JUDGE-BENCH",
        "CC BY 4.0",
        "audit_dices",
        "dices_judgebench",
    ),
    Set(
        "llm_rubric",
        "LLM-Rubric",
        "On nine questions of a rubric the judge is hardly better than chance",
        "223 real conversations, nine questions answered from 1 to 4 by people and by a sampled "
        "answer of GPT-3.5; 0 means not applicable.",
        "github.com/microsoft/LLM-Rubric",
        "MIT",
        "agree_llm_rubric",
        "llm_rubric/data/real_data",
        task="task_verdict.toml",
    ),
    Set(
        "wmt22",
        "WMT22 zh-en, GEMBA",
        "32 judges rank translation systems, and the top cannot be told apart",
        "28 LLM judges and four metrics score the output of 14 translation systems on 1,875 "
        "segments; people's MQM scores are the gold.",
        "github.com/MicrosoftTranslator/GEMBA",
        "CC BY-SA 4.0; Apache-2.0",
        "rank_wmt22",
        "wmt22_zhen_gemba",
        table="ratings.parquet",
        judges=True,
    ),
    Set(
        "composo",
        "RewardBench 2, scored eight times",
        "A judge that scores in whole numbers ties with itself",
        "Four judges score four responses to about 1,730 prompts eight times each; the first "
        "response is the one that people preferred.",
        "github.com/composo-ai/llm-judge-criteria-ensembling",
        "MIT",
        "agree_composo",
        "composo_rb2",
        more=("samples",),
    ),
)


def shared() -> Path:
    return Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"


def chosen(names: list[str]) -> list[Set]:
    known = {one.name: one for one in SETS}
    return [known[name] for name in names] if names else list(SETS)


def results(name: str) -> dict[str, Any]:
    """The committed document of a set."""
    found: dict[str, Any] = json.loads(gzip.decompress((GALLERY / f"{name}.json.gz").read_bytes()))
    return found


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_files(one: Set) -> dict[str, str]:
    """The SHA-256 of what a converter may read."""
    place = shared() / one.data
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    kept = [p for p in files if p.name not in ("NOTE.txt", "LICENSE", "LICENSE.md", "README.md")]
    return {str(p.relative_to(shared())): digest(p.read_bytes()) for p in kept}


def made(one: Set) -> bytes:
    """The document of a set, as `goldassay report` writes it, on one line."""
    example = ROOT / "examples" / one.example
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with tempfile.TemporaryDirectory() as folder:
        converter = [sys.executable, str(example / "convert.py"), str(shared() / one.data)]
        words = [*converter, one.table, *one.more]
        subprocess.run(words, cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
        report = [sys.executable, "-m", "goldassay", "report", one.table]
        report += ["--task", str(example / one.task), "--no-texts", "--pseudonyms"]
        report += ["--judges", str(example / "judges.csv")] if one.judges else []
        report += ["--out", "report.json"]
        subprocess.run(report, cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
        document = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def make(names: list[str]) -> None:
    kept = tomllib.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    for one in chosen(names):
        data = made(one)
        (GALLERY / f"{one.name}.json.gz").write_bytes(gzip.compress(data, 9, mtime=0))
        kept[one.name] = {"results": digest(data), "read": read_files(one)}
        print(f"{one.name}: {len(data):,} bytes")
    lines = [
        "# SHA-256 of the committed results, unpacked, and of the published files they rest on."
    ]
    for one in SETS:
        if one.name in kept:
            entry = kept[one.name]
            lines += ["", f"[{one.name}]", f'results = "{entry["results"]}"', ""]
            lines += [f"[{one.name}.read]"]
            lines += [f'"{file}" = "{value}"' for file, value in entry["read"].items()]
    DIGESTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def command(one: Set) -> str:
    folder = f"examples/{one.example}"
    judges = f" --judges {folder}/judges.csv" if one.judges else ""
    words = " ".join([one.table, *one.more])
    return (
        f"python {folder}/convert.py {Path(one.data).name} {words}\n"
        f"goldassay report {one.table} --task {folder}/{one.task}{judges} --out report.html"
    )


def section(one: Set, document: Mapping[str, Any]) -> str:
    """A set on the page: the finding, a picture, how it was made, and the whole report."""
    said = "\n".join(f"> {text}\n>" for text in document["answer"]).rstrip(">").rstrip()
    links = f"**[The whole report]({one.name}.html)** · [as JSON]({one.name}.json)"
    read = counted(int(document["rows"]["read"]), "rating")
    return f"""## {one.title}: {one.heading[0].lower()}{one.heading[1:]} {{#{one.name}}}

<div class="sets" markdown>

[![The first screen of the report on {one.title}]({one.name}-light.png)]({one.name}.html)

<div markdown>

{one.about}

{said}

{links} · {read} · {one.source} ({one.licence})

</div>

</div>

```sh
{command(one)}
```
"""


def page() -> str:
    parts = [
        """---
hide:
  - navigation
---

# Gallery

Published ratings of people and judges, through `goldassay report`; the sentences are its own.

The data are not here: each set is named with its source and licence, and two commands make the
report again from its files (`examples/` has the converters). What is committed are results without
texts, with the digests of the files that were read; the reports are rendered from them when this
site is built.
"""
    ]
    parts += [section(one, results(one.name)) for one in SETS]
    return "\n".join(parts)


def render(folder: Path) -> None:
    """The reports and their documents, beside the page."""
    for one in SETS:
        data = gzip.decompress((GALLERY / f"{one.name}.json.gz").read_bytes())
        (folder / f"{one.name}.json").write_bytes(data)
        (folder / f"{one.name}.html").write_text(render_html(json.loads(data)), encoding="utf-8")


def pictures(names: list[str]) -> None:
    """The first screen of each report, small."""
    import chromium
    from serve_animation import still

    with tempfile.TemporaryDirectory() as folder, chromium.browser() as browser:
        render(Path(folder))
        size = {"width": 1280, "height": 800}
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport=size, device_scale_factor=0.45, color_scheme=scheme
            )
            for one in chosen(names):
                view = context.new_page()
                view.goto(f"file://{folder}/{one.name}.html")
                small = still(view.screenshot())
                (GALLERY / f"{one.name}-{scheme}.png").write_bytes(small)
                print(f"{one.name}-{scheme}.png: {len(small):,} bytes")


def write_page() -> None:
    (GALLERY / "index.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    what, rest = sys.argv[1], sys.argv[2:]
    if what in ("make", "all"):
        make(rest)
    if what in ("pictures", "all"):
        pictures(rest)
    if what in ("page", "all"):
        write_page()
    if what in ("render", "all"):
        render(Path(rest[0]) if rest and what == "render" else GALLERY)
