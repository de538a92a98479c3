"""The freeze: every number of every verb on fixed studies, recorded and held against others.

    python scripts/freeze.py record DIR [--verb agree] [--studies 0:2000] [--source OTHER/src]
    python scripts/freeze.py small     # the values of small studies that the tests hold, anew
    python scripts/freeze.py compare DIR OTHER [--verb agree] [--rules scripts/freeze_rules.toml]

A record has a file for each verb: what every study (`frozen_studies.py`) and every published data
set beside the project gives, number by number: rows (value, ends, counts, reason), cells of tables,
marks of pictures, facts of sentences. `--source` records an older checkout's code; both records
belong on one machine with the same packages. `compare` asks for equality to 1e-9 wherever a
number stands: what was a row and is a cell or a mark is found by its name. What is meant to
differ is a rule:

    [[absent]]                   # gone: where the surface drops it
    verb = "agree"
    name = "log_odds_strictness"
    why = "surface: agree, dropped rows"
    numbers = 350

    [[changed]]                  # another value: which fault or design demands it, and who says so
    verb = "rank"
    name = "win_rate_accuracy"
    why = "(1 + tau) / 2"
    independent = "tests/oracle/test_ranking_oracles.py"
    numbers = 212

A rule is of one name; it says how many numbers it explains, and one that explains none, or more,
fails. `moved` rules (`old`, `new`) are for names that changed while their values did not.
"""

from __future__ import annotations

import argparse
import gzip
import inspect
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
COMMITTED = ROOT / "tests" / "golden" / "frozen_studies.json.gz"
sys.path[:0] = [str(HERE)]

from frozen_studies import SMALL, Study, study  # noqa: E402

VERBS = (
    *("agree", "select", "audit", "route", "estimate", "compare", "rank", "plan", "monitor"),
    *("replace", "certify", "diff", "report"),
)
#: Resamples, where a verb has them: enough to move every bootstrap number, few enough for 2,000.
RESAMPLES = 400
FEW_RESAMPLES = 60
TOLERANCE = 1e-9
#: Verbs that take long and repeat others: asked of few of the small studies.
SELDOM = ("report", "certify", "diff")
NUMBERS = ("value", "low", "high", "n_items", "n_clusters")
#: What of a row is no name of what it is about.
NO_NAMES = {*NUMBERS, "name", "confidence_level", "method", "declared", "assumptions", "warnings"}
NO_NAMES |= {"undefined", "design"}
Record = dict[str, list[Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    verbs = parser.add_subparsers(dest="do", required=True)
    recording = verbs.add_parser("record", help="ask every verb of every study")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--verb", action="append", choices=VERBS)
    recording.add_argument("--studies", default="0:2000", help="FROM:TO")
    recording.add_argument("--source", type=Path, help="the src folder of another checkout")
    recording.add_argument("--published", type=Path, default=ROOT.parent / "shared" / "data")
    verbs.add_parser("small", help=f"make {COMMITTED.name} anew")
    comparing = verbs.add_parser("compare", help="is every number the same?")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--verb", action="append", choices=VERBS)
    comparing.add_argument("--rules", type=Path, default=HERE / "freeze_rules.toml")
    comparing.add_argument("--tolerance", type=float, default=TOLERANCE)
    given = parser.parse_args()
    if given.do == "compare":
        return compare_folders(given)
    if given.do == "small":
        write_small()
        return 0
    if given.source:
        return in_other_source(given.source)
    first, _, last = given.studies.partition(":")
    for verb in given.verb or VERBS:
        record_verb(verb, range(int(first), int(last)), given.folder, given.published)
    return 0


def in_other_source(source: Path) -> int:
    """This very script over another checkout's code."""
    words = sys.argv[1:]
    at = words.index("--source")
    del words[at : at + 2]
    environment = {**os.environ, "PYTHONPATH": str(source.resolve()), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, __file__, *words], env=environment, check=False
    ).returncode


# --- recording ----------------------------------------------------------------------------------


def record_verb(verb: str, numbers: range, folder: Path, published: Path) -> None:
    """Write DIR/VERB.jsonl.gz: a line for each study."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{verb}.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as out:
        for name, asked in (*of_studies(verb, numbers), *of_published(verb, published)):
            out.write(json.dumps({"study": name, **asked()}, ensure_ascii=False) + "\n")
    print(f"{path}: written", flush=True)


def of_studies(verb: str, numbers: range) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    for number in numbers:
        yield str(number), lambda number=number: answer(verb, study(number))


def answer(verb: str, one: Study, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Every number of a verb's document on a study, or why it is refused."""
    import polars as pl

    frames = [
        pl.DataFrame(table, schema=dict.fromkeys(table, pl.String))
        for table in (one.table, one.changed)
    ]
    more = dict(one.options.get(verb, {}))
    if verb == "certify":
        more |= {"judge": "judge 0", "only_judge": "judge 0", "identity": {"model": "m-1"}}
    return asked_of(verb, frames, one.task, more, resamples)


def asked_of(
    verb: str, sources: list[Any], task: Any, more: Mapping[str, Any], resamples: int = RESAMPLES
) -> dict[str, Any]:
    import goldassay as ga

    question = getattr(ga, verb, None)
    if question is None:
        return {"refused": "no such verb"}
    try:
        if verb == "diff":
            old, new = (known(ga.agree, source, task, resamples=resamples) for source in sources)
            found = question(old, new)
        else:
            found = known(question, sources[0], task, **more, resamples=resamples)
        return {"numbers": numbers_of(found.document())}
    except ga.InputError as why:
        return {"refused": re.sub(r"[\d.,]+", "#", str(why))[:160]}


def known(question: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """A question with those of the options that it has."""
    has = inspect.signature(question).parameters
    return question(*given, **{name: one for name, one in options.items() if name in has})


def of_published(verb: str, data: Path) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The published ratings that the examples convert, where they lie beside the project."""
    for name, case in tomllib.loads((HERE / "frozen_published.toml").read_text("utf-8")).items():
        if (data / case["source"]).exists() and verb not in ("certify", "monitor"):
            yield name, lambda case=case: on_published(verb, case, data)


def on_published(verb: str, case: Mapping[str, Any], data: Path) -> dict[str, Any]:
    folder = ROOT / "examples" / case["example"]
    with tempfile.TemporaryDirectory() as work:
        table, items = Path(work) / case.get("table", "ratings.csv"), Path(work) / "items.csv"
        words = [str(items) if word == "ITEMS" else word for word in case.get("words", ())]
        convert = [sys.executable, folder / "convert.py", data / case["source"], table, *words]
        subprocess.run(convert, check=True, capture_output=True)
        task = folder / case.get("task", "task.toml")
        more = {"judges": str(folder / case["judges"])} if "judges" in case else {}
        return asked_of(verb, [str(table)] * 2, str(task), more)


# --- a document's numbers -----------------------------------------------------------------------


def numbers_of(document: Mapping[str, Any]) -> Record:
    """Every number of a document under a name that says what it is of."""
    found: Record = {}

    def put(key: str, value: list[Any]) -> None:
        at, again = key, 1
        while at in found:  # alike in all that a document says of them: told apart by their order
            again += 1
            at = f"{key} ({again})"
        found[at] = value

    for row in document.get("results", ()):
        about = {k: v for k, v in row.items() if k not in NO_NAMES and v is not None}
        reason = re.sub(r"[\d.,]+", "#", row["undefined"]) if row["undefined"] else None
        put(_key("row", row["name"], about), [*(row[name] for name in NUMBERS), reason])
    for name, table in document.get("tables", {}).items():
        for cells in table["rows"]:
            label = "; ".join(str(cell) for cell in cells if isinstance(cell, str))
            for column, cell in zip(table["columns"], cells, strict=True):
                for path, number in _numbers(cell):
                    put(f"table {name}: {label}: {column}{path}", [number])
    for chart in document.get("charts", ()):
        for path, number in _numbers(chart):
            put(f"chart {chart['title']}{path}", [number])
    for one in document.get("sentences", ()):
        for fact, value in one["facts"].items():
            for path, number in _numbers(value):
                put(_key("fact", f"{one['key']} {fact}{path}", one["about"]), [number])
    for one in document.get("exclusions", ()):
        put(f"left out: {one['reason']}", [one["rows"]])
    if document.get("rows") is not None:
        put("rows read", [document["rows"]])
    return found


def _key(kind: str, name: str, about: Mapping[str, Any]) -> str:
    told = ", ".join(f"{key}={about[key]}" for key in sorted(about) if about[key] is not None)
    return f"{kind} {name} [{told}]"


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """The numbers within a cell, a fact or a picture, with the way to each."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield path, value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _numbers(one, f".{key}{path}" if not path else f"{path}.{key}")
    else:
        for place, one in enumerate(value):
            yield from _numbers(one, f"{path}.{place}")


# --- comparing ----------------------------------------------------------------------------------


def compare_folders(given: argparse.Namespace) -> int:
    rules = Rules(tomllib.loads(given.rules.read_text("utf-8")) if given.rules.exists() else {})
    verbs = given.verb or [verb for verb in VERBS if (given.before / f"{verb}.jsonl.gz").exists()]
    bad = 0
    for verb in verbs:
        before, after = (
            read(folder / f"{verb}.jsonl.gz") for folder in (given.before, given.after)
        )
        lines = Counter()
        examples: dict[str, str] = {}
        numbers = 0
        for name, old in before.items():
            numbers += len(old.get("numbers", ()))
            for kind, key, text in differences(verb, old, after.get(name), rules, given.tolerance):
                lines[kind, key] += 1
                examples.setdefault(f"{kind} {key}", f"{name}: {text}")
        for (kind, key), count in lines.most_common(40):
            print(f"{verb}: {count} {kind}: {key}   e.g. {examples[f'{kind} {key}'][:200]}")
        bad += sum(lines.values())
        print(f"{verb}: {len(before)} studies, {numbers:,} numbers, {sum(lines.values()):,} differ")
    for line in rules.broken(set(verbs)):
        bad += 1
        print(line)
    return 1 if bad else 0


def read(path: Path) -> dict[str, dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return {record.pop("study"): record for record in records}


def differences(
    verb: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any] | None,
    rules: Rules,
    tolerance: float = TOLERANCE,
) -> Iterator[tuple[str, str, str]]:
    """What differs between two records of a study and no rule explains: kind, name, text."""
    if new is None or ("refused" in old) != ("refused" in new):
        if not rules.explains("changed", verb, "refused"):
            yield "refusals", "refused", f"{old.get('refused')} -> {(new or {}).get('refused')}"
        return
    now, was = new.get("numbers", {}), old.get("numbers", {})
    values = Counter(_rounded(value) for value in now.values())
    for key, value in was.items():
        name = name_of(key)
        at = rules.moved(verb, key)
        if at not in now:
            held = _rounded(value)
            if not key.startswith("row ") and values[held]:
                continue  # the same number stands elsewhere
            if not rules.explains("absent", verb, name):
                yield "absent", name, key
        elif not alike(value, now[at], tolerance) and not rules.explains("changed", verb, name):
            yield "changed", name, f"{key}: {value} -> {now[at]}"


def name_of(key: str) -> str:
    """What a rule calls a number: the name of a row or fact, the title of a table or picture."""
    if key.startswith(("row ", "fact ")):
        return key.partition(" ")[2].partition(" [")[0]
    return re.split(r"[:.]", key, maxsplit=1)[0]


def _rounded(value: list[Any]) -> tuple[Any, ...]:
    return tuple(f"{one:.9g}" if isinstance(one, float) else str(one) for one in value[:1])


def alike(old: list[Any], new: list[Any], tolerance: float = TOLERANCE) -> bool:
    """Whether two numbers, with their ends, counts and reasons, are the same."""
    return len(old) == len(new) and all(
        math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
        if isinstance(a, int | float) and isinstance(b, int | float)
        else a == b
        for a, b in zip(old, new, strict=True)
    )


class Rules:
    """The differences that are meant, and how many numbers each explained."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._rules = {
            (kind, rule["verb"], rule["name"]): rule
            for kind in ("absent", "changed")
            for rule in rules.get(kind, ())
        }
        for (kind, verb, name), rule in self._rules.items():
            needed = {"why", "numbers"} | ({"independent"} if kind == "changed" else set())
            if missing := needed - rule.keys():
                raise SystemExit(f"rule {kind} {verb} {name}: {', '.join(sorted(missing))} missing")
            if "*" in name:
                raise SystemExit(f"rule {kind} {verb} {name}: a rule is of one name")
        self._names = {(rule["verb"], rule["old"]): rule["new"] for rule in rules.get("moved", ())}
        self._used: Counter[tuple[str, str, str]] = Counter()

    def moved(self, verb: str, key: str) -> str:
        """The key under the name that the number has now."""
        old = name_of(key)
        new = self._names.get((verb, old))
        return key if new is None else key.replace(old, new, 1)

    def explains(self, kind: str, verb: str, name: str) -> bool:
        self._used[kind, verb, name] += 1
        return (kind, verb, name) in self._rules

    def broken(self, verbs: set[str]) -> Iterator[str]:
        """Rules of these verbs that explain nothing, or more than they say."""
        for (kind, verb, name), rule in self._rules.items():
            used = self._used[kind, verb, name]
            if verb in verbs and (used == 0 or used > rule["numbers"]):
                yield f"rule {kind} {verb} {name}: explains {used}, says {rule['numbers']}"


def write_small() -> None:
    text = json.dumps(small(), ensure_ascii=False)
    COMMITTED.write_bytes(gzip.compress(text.encode(), mtime=0))


def small() -> dict[str, dict[str, Any]]:
    """What the committed record has: the small studies, verb by verb."""
    return {
        f"{verb} {number}": answer(verb, study(number), FEW_RESAMPLES)
        for number in range(SMALL)
        for verb in VERBS
        if verb not in SELDOM or number < 6
    }


if __name__ == "__main__":
    sys.exit(main())
