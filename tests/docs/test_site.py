"""The site: pages are in the navigation, links lead somewhere, what is made is up to date."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted import script

import goldassay as ga
from goldassay.glossary import methods

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TEXTS = [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]
#: What the gallery's script renders when the site is built.
RENDERED = re.compile(r"^gallery/\w+\.(html|json)$")

#: Spellings that slip in. The English is British throughout.
MISSPELT = """
accomodate adress agrement alot apparantly assesment begining beleive calender catagory color
comparision conciencious definately dependancy descision desparate diffrent enviroment estimater
existance explaination flavor futher gaurantee goverment guage happend immediatly independant
intervall judgement labeled labeling lenght libary liscence maintainance managable mesure
neccessary neighbor noticable occured occurence paralell percieve persistant posible prefered
probablity procede reccomend recieve refered relevent responce seperate similiar statistc
strengh succesful suprise teh themself thier threshhold tommorow transfered truely unbiassed
untill usefull wether wich writen
"""


def listed(nav: list[Any]) -> Iterator[str]:
    """The pages of a navigation."""
    for entry in nav:
        inside = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(inside, str):
            yield inside
        else:
            yield from listed(inside)


def test_every_page_is_in_the_navigation() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    nav = list(listed(settings["project"]["nav"]))
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES}
    assert pages - set(nav) == set(), "add these pages to `nav` in zensical.toml"
    assert set(nav) - pages == set(), "these pages of `nav` in zensical.toml are not there"
    assert len(nav) == len(set(nav))


def test_what_is_made_is_up_to_date() -> None:
    stale = [path.relative_to(ROOT).as_posix() for path in script("remake").stale()]
    assert not stale, "python scripts/remake.py makes these files anew"


def prose(path: Path) -> str:
    """A page without its blocks of code; what it includes is a page of its own."""
    return re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path: Path) -> set[str]:
    """The places of a page that a link may name."""
    text = path.read_text(encoding="utf-8")
    if included := re.fullmatch(r'--8<-- "(\S+)"', text.strip()):
        text = (ROOT / included[1]).read_text(encoding="utf-8")
    found = set(re.findall(r"\{#([\w-]+)\}", text))
    for heading in re.findall(r"^#+ (.+)$", text, flags=re.M):
        plain = re.sub(r"\{#.*\}|[^\w\s-]", "", heading).strip().lower()
        found.add(re.sub(r"[\s-]+", "-", plain))
    return found


def broken_links(path: Path) -> list[str]:
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        inside = there.relative_to(DOCS).as_posix() if there.is_relative_to(DOCS) else ""
        if RENDERED.match(inside):
            continue
        if not there.exists() or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    return wrong


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path) == []


def misspelt(text: str) -> list[str]:
    plain = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", text)
    words = [word for word in re.findall(r"[A-Za-z]+", plain.lower()) if word in MISSPELT.split()]
    doubled = re.findall(r"\b(the|a|an|of|to|in|is|are|and|that|it|for|with) \1\b", plain, re.I)
    return [*words, *(f"{word} {word}" for word in doubled)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_spelling(path: Path) -> None:
    assert misspelt(prose(path)) == []


def test_the_test_of_pages(tmp_path: Path) -> None:
    page = DOCS / "index.md"
    assert misspelt("It is seperate, and the the end.") == ["seperate", "the the"]
    assert "the-questions" in anchors(page)
    wrong = tmp_path / "wrong.md"
    wrong.write_text("# One\n[a](#one) [b](#two) [c](gone.md)\n```sh\n[d](not-a-link.md)\n```\n")
    assert broken_links(wrong) == ["#two", "gone.md"]


def test_every_metric_is_told() -> None:
    """Its formula, its range, when it is undefined, what it is held against."""
    told = tomllib.loads((DOCS / "reference" / "metrics.toml").read_text(encoding="utf-8"))
    assert set(told) == set(methods()) >= set(ga.metrics.__all__)
    assert all(len(entry) == 3 and all(entry) for entry in told.values())
    assert all(method.formula for method in methods().values())


@pytest.mark.parametrize("verb", ["agree", "select", "estimate", "plan", "audit", "rank", "check"])
def test_documents_are_as_the_schema_says(verb: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((DOCS / "reference" / "document.schema.json").read_text(encoding="utf-8"))
    name = {"select": "rubric", "audit": "safety", "rank": "scores"}.get(verb, "answers")
    options = {"resamples": 200} if verb in ("agree", "select", "audit", "rank") else {}
    found = getattr(ga, verb)(ga.examples.named(name)(), **options)
    jsonschema.validate(json.loads(found.to_json()), schema)


@pytest.mark.slow
def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("zensical")
    for name in ("docs", "scripts", "src", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for file in (*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "CITATION.cff"):
        shutil.copy(file, tmp_path)
    words = [sys.executable, "scripts/site.py", "--clean"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every link within the site leads somewhere." in done.stdout


def test_the_test_of_the_site(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text('<h2 id="one">One</h2>')
    (tmp_path / "index.html").write_text(
        '<a href="there/">a</a> <a href="there/#one">b</a> <a href="there/#two">c</a>'
        '<a href="gone/">d</a> <a href="https://elsewhere.org/">e</a> <a href="#">f</a>'
        '<img src="https://elsewhere.org/x.png"><link rel="canonical" href="https://me.org/">'
        '<link rel="stylesheet" href="https://elsewhere.org/x.css"><script src="no.js"></script>'
    )
    assert script("site").faults(tmp_path) == [
        "index.html loads https://elsewhere.org/x.png",
        "index.html loads https://elsewhere.org/x.css",
        "index.html: no.js leads nowhere",
        "index.html: there/#two leads nowhere",
        "index.html: gone/ leads nowhere",
    ]


def test_a_page_is_finished(tmp_path: Path) -> None:
    """Figures stay together, code stays as it is, and a picture has its dark twin beside it."""
    (tmp_path / "a-dark.png").touch()
    page = (
        '<p>95 % [68, 75] of 10 papers</p><pre>95 % [68, 75]</pre><img alt="A" src="a-light.png">'
        '<img alt="B" src="b-light.png">'
    )
    assert script("site").finished(page, tmp_path) == (
        "<p>95\u00a0%\u00a0[68,\u00a075] of 10 papers</p><pre>95 % [68, 75]</pre>"
        '<img alt="A" src="a-light.png#only-light"><img alt="A" src="a-dark.png#only-dark">'
        '<img alt="B" src="b-light.png">'
    )
