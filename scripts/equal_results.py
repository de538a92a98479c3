"""Are the results still the same? Record every verb's numbers, change the code, and compare.

    python scripts/equal_results.py record before.json
    ... change the code ...
    python scripts/equal_results.py record after.json
    python scripts/equal_results.py compare before.json after.json [--names names.toml]

A record holds, for every verb on every example (simulated studies, `examples/`, and the published
ratings where these lie beside the project), each result's name, what it is about, value, ends,
sizes and reason, and the exclusions. `compare` asks for equality to the last bit. A deliberate
change of a name is listed in `--names` (`scripts/renamed.toml` is the list since the first record):
a rule has `old` and `new`, and `verb` where it holds for one verb; `[reasons]` has words that
changed; `dropped` is what results are no longer about.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
PACKAGE = "goldassay"
NUMBERS = ("value", "low", "high", "confidence_level", "n_items", "n_clusters", "undefined")
WORDS = (
    "name",
    "value",
    "low",
    "high",
    "confidence_level",
    "method",
    "n_items",
    "n_clusters",
    "declared",
    "assumptions",
    "warnings",
    "undefined",
)
QUESTIONS = ("agree", "select", "estimate", "plan", "audit", "rank")

#: Example, the data it converts, further words of its converter, its task, further words of a verb.
PUBLISHED: tuple[tuple[str, str, tuple[str, ...], str, Mapping[str, tuple[str, ...]]], ...] = (
    (
        "agree_pandalm",
        "pandalm/data",
        ("ITEMS",),
        "task.toml",
        {"agree": ("--texts", "ITEMS", "--items", "5")},
    ),
    (
        "agree_llmbar",
        "llmbar/Dataset/LLMBar",
        ("ITEMS",),
        "task.toml",
        {"agree": ("--texts", "ITEMS", "--items", "5")},
    ),
    (
        "agree_llm_rubric",
        "llm_rubric/data/real_data",
        ("verdict",),
        "task_verdict.toml",
        {"agree": ("--by", "criterion")},
    ),
    ("agree_llm_rubric", "llm_rubric/data/synth_data", ("expected",), "task_expected.toml", {}),
    ("agree_composo", "composo_rb2", ("mean",), "task.toml", {}),
    ("agree_composo", "composo_rb2", ("samples",), "task.toml", {}),
    ("audit_dices", "dices_judgebench", (), "task.toml", {}),
    ("audit_llm_rubric", "llm_rubric", (), "task.toml", {}),
    ("audit_pandalm", "pandalm", (), "task.toml", {}),
    ("estimate_evouna", "evouna_qaeval/EVOUNA/NQ.json", (), "task.toml", {}),
    (
        "estimate_evouna",
        "evouna_qaeval/EVOUNA/NQ.json",
        ("--labels", "60"),
        "task.toml",
        {"estimate": ("--labels", "own")},
    ),
    ("rank_pandalm", "pandalm/data", (), "task.toml", {}),
    (
        "rank_wmt22",
        "wmt22_zhen_gemba",
        (),
        "task.toml",
        {"rank": ("--judges", str(EXAMPLES / "rank_wmt22" / "judges.csv"))},
    ),
)

#: Declared truths of small studies that cross what the examples do not.
STUDIES = {"small": "prompts = 60\n", "plain": "prompts = 200\n"}
BARE = {
    "estimate counts": (
        "estimate",
        "--positives",
        "400",
        "--of",
        "1000",
        "--specificity",
        "140/200",
        "--sensitivity",
        "180/200",
    ),
    "plan rates": (
        "plan",
        "--prevalence",
        "0.2",
        "--sensitivity",
        "0.9",
        "--specificity",
        "0.7",
        "--of",
        "1000",
        "--length",
        "0.1",
    ),
    "plan verdicts": (
        "plan",
        "--positives",
        "310",
        "--of",
        "1000",
        "--sensitivity",
        "180/200",
        "--specificity",
        "0.8",
        "--against",
        "0.85,0.8",
    ),
}


@dataclass(frozen=True)
class Case:
    """A command line whose document is recorded under a name."""

    name: str
    words: tuple[str, ...]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="run every verb and write what came out")
    recording.add_argument("out", type=Path)
    recording.add_argument("--package", default=PACKAGE, help="the module to run")
    recording.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    recording.add_argument("--only", default="", help="only cases whose name holds this")
    recording.add_argument("--workers", type=int, default=2)
    comparing = verbs.add_parser("compare", help="are two records equal to the last bit?")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--names", type=Path, help="deliberate changes of names")
    options = parser.parse_args()
    if options.verb == "record":
        return record(options)
    names = tomllib.loads(options.names.read_text("utf-8")) if options.names else {}
    return compare(read(options.before), read(options.after), names)


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def record(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run = Runner(options.package, work)
        found: dict[str, Any] = {}
        cases = [case for case in all_cases(run, options.data) if options.only in case.name]
        with ThreadPoolExecutor(options.workers) as pool:
            for case, summary in zip(cases, pool.map(run.summary, cases), strict=True):
                found[case.name] = summary
                print(f"{case.name}: {len(summary.get('results', ()))} results", flush=True)
    options.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


@dataclass(frozen=True)
class Runner:
    """Runs the command in a folder and reads the documents it prints."""

    package: str
    folder: Path

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "100"}
        return subprocess.run(
            [sys.executable, "-m", self.package, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def summary(self, case: Case) -> dict[str, Any]:
        done = self.call(*case.words)
        if not done.stdout.startswith("{"):
            said = done.stderr.replace(str(self.folder), "").replace(self.package, PACKAGE)
            return {"exit": done.returncode, "error": said.strip()}
        document = json.loads(done.stdout)
        if case.words[0] == "report":
            (self.folder / f"{case.name.split()[0]}.report.json").write_text(done.stdout, "utf-8")
        return {"exit": done.returncode, **summary(document, self.package)}


def summary(document: Mapping[str, Any], package: str) -> dict[str, Any]:
    """What must stay equal, and a digest of each kind of words, which is told when it changes."""
    results = [
        {
            "name": row["name"],
            "about": {k: v for k, v in row.items() if k not in WORDS and v},
            **{key: row[key] for key in NUMBERS},
        }
        for row in document["results"]
    ]
    told = {
        key: hashlib.sha256(
            json.dumps(document.get(key)).replace(package, PACKAGE).encode()
        ).hexdigest()[:16]
        for key in ("answer", "tables", "charts", "warnings", "parts", "claims", "not_run")
    }
    left_out = [{"reason": e["reason"], "rows": e["rows"]} for e in document["exclusions"]]
    return {"results": results, "exclusions": left_out, "rows": document["rows"], "words": told}


def all_cases(run: Runner, data: Path) -> Iterator[Case]:
    """Every verb on every example; the tables are made first."""
    for name, words in BARE.items():
        yield Case(name, (*words, "--json"))
    for name, truths in STUDIES.items():
        (run.folder / f"{name}.toml").write_text(truths, "utf-8")
        run.call("simulate", "--out", name, "--study", f"{name}.toml").check_returncode()
        yield from verbs_on(name, (f"{name}/ratings.csv",), f"{name}/task.toml", {})
    for options in ("Yes,No", "Yes,Maybe,No"):
        name = f"sets-{options.count(',') + 1}"
        words = ("--response-sets", "--options", options, "--prompts", "80")
        run.call("simulate", "--out", name, *words).check_returncode()
        yield from verbs_on(name, (f"{name}/ratings.csv",), f"{name}/task.toml", {})
    for label, table in made_tables().items():
        (run.folder / f"{label}.csv").write_text(table[0], "utf-8")
        (run.folder / f"{label}.toml").write_text(table[1], "utf-8")
        yield from verbs_on(label, (f"{label}.csv",), f"{label}.toml", {})
    labelling = EXAMPLES / "labelling"
    yield from verbs_on(
        "labelling", (str(labelling / "ratings.csv"),), str(labelling / "task.toml"), {}
    )
    for number, (example, source, more, task, extra) in enumerate(PUBLISHED):
        if not (data / source).exists():
            print(f"{example}: the published ratings are not here")
            continue
        suffix = "parquet" if example == "rank_wmt22" else "csv"
        table, items = run.folder / f"{number}.{suffix}", run.folder / f"{number}.items.csv"
        convert = EXAMPLES / example / "convert.py"
        words = [str(items) if word == "ITEMS" else word for word in more]
        done = subprocess.run(
            [sys.executable, convert, data / source, table, *words],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{example}: {done.stderr}")
        named = {v: tuple(str(items) if w == "ITEMS" else w for w in ws) for v, ws in extra.items()}
        label = f"{example}-{number}"
        yield from verbs_on(label, (str(table),), str(EXAMPLES / example / task), named)


def verbs_on(
    label: str, tables: tuple[str, ...], task: str, extra: Mapping[str, tuple[str, ...]]
) -> Iterator[Case]:
    for verb in QUESTIONS:
        words = (verb, *tables, "--task", task, "--json", *extra.get(verb, ()))
        yield Case(f"{label} {verb}", words)
    yield Case(f"{label} report", ("report", *tables, "--task", task, "--json"))


def made_tables() -> dict[str, tuple[str, str]]:
    """Small tables of scales and designs that the examples lack, from fixed arithmetic."""

    def table(columns: str, rows: list[tuple[object, ...]]) -> str:
        return "\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n"

    def noise(*seed: int) -> float:
        text = ",".join(map(str, seed)).encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:6], "big") / 2**48

    graded: list[tuple[object, ...]] = []
    scored: list[tuple[object, ...]] = []
    designed: list[tuple[object, ...]] = []
    for i in range(180):
        truth = 1 + int(noise(1, i) * 5)
        for r, rater in enumerate(("ann", "ben", "cho")):
            if noise(2, i, r) < 0.8:
                given = min(5, max(1, truth + round(2 * noise(3, i, r) - 1)))
                graded.append((f"i{i}", f"p{i // 4}", f"s{i % 3}", rater, "human", given, ""))
        for j, judge in enumerate(("gpt", "llama")):
            for sample in (1, 2):
                given = min(5, max(1, truth + round((2 + j) * (noise(4, i, j, sample) - 0.4))))
                word = "NA" if noise(5, i, j, sample) < 0.04 else given
                graded.append((f"i{i}", f"p{i // 4}", f"s{i % 3}", judge, "judge", word, sample))
        quality = noise(6, i) * 10
        for s in range(4):
            real = quality + s / 2
            scored.append(
                (f"i{i}-{s}", f"i{i}", f"s{s}", "ann", "human", f"{real + noise(7, i, s):.3f}")
            )
            for j, judge in enumerate(("gpt", "llama")):
                scored.append(
                    (
                        f"i{i}-{s}",
                        f"i{i}",
                        f"s{s}",
                        judge,
                        "judge",
                        f"{real + (j + 1) * 2 * noise(8, i, s, j):.3f}",
                    )
                )
        positive = noise(9, i) < 0.35
        verdict = positive if noise(10, i) < 0.85 else not positive
        labelled = noise(11, i) < (0.7 if verdict else 0.3)
        row = (f"i{i}", f"p{i // 3}", f"t{i % 2}")
        designed.append((*row, "gpt", "judge", "yes" if verdict else "no"))
        if labelled:
            designed.append((*row, "ann", "human", "yes" if positive else "no"))
    binary = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'
    drawn = table("item,prompt,topic,rater,kind,value", designed)
    return {
        "graded": (
            table("item,prompt,system,rater,kind,value,sample", graded),
            'scale = "ordinal"\noptions = ["1", "2", "3", "4", "5"]\npositive = "5"\n'
            'invalid = ["NA"]\ncluster = "prompt"\nweights = "quadratic"\n',
        ),
        "scored": (
            table("item,prompt,system,rater,kind,value", scored),
            'scale = "continuous"\ncluster = "prompt"\n',
        ),
        "by_verdict": (drawn, f'{binary}calibration = "by_verdict"\n'),
        "by_label": (drawn, f'{binary}calibration = "by_label"\n'),
        "clustered": (drawn, f'{binary}calibration = "random"\ncluster = "prompt"\n'),
        "stratified": (drawn, f'{binary}calibration = "random"\nstrata = ["topic"]\n'),
    }


def compare(before: dict[str, Any], after: dict[str, Any], names: Mapping[str, Any]) -> int:
    """Print every difference; 0 when there is none."""
    wrong, told, results = 0, 0, 0
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            wrong += 1
            print(f"{name}: not recorded again")
            continue
        results += len(old.get("results", ()))
        lines = list(differences(renamed(name, old, names), new))
        wrong += bool(lines)
        for line in lines[:8]:
            print(f"{name}: {line}")
        if len(lines) > 8:
            print(f"{name}: and {len(lines) - 8} more")
        words = [k for k, v in old.get("words", {}).items() if new.get("words", {}).get(k) != v]
        if words and not lines:
            told += 1
            print(f"{name}: equal, in other words: {', '.join(words)}")
    print(f"{len(before)} cases, {results:,} results: {wrong} differ, {told} in other words only")
    return 1 if wrong else 0


def renamed(case: str, old: dict[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """A record under the new names."""
    verb, reasons = case.rpartition(" ")[2], names.get("reasons", {})
    dropped = set(names.get("dropped", ()))

    def reason(text: str | None) -> str | None:
        for before, after in reasons.items():
            text = text.replace(before, after) if text else text
        return text

    def name(row: Mapping[str, Any]) -> str:
        asked = row["about"].get("verb", verb)
        for rule in names.get("rule", ()):
            if rule["old"] == row["name"] and rule.get("verb", asked) == asked:
                return str(rule["new"])
        return str(row["name"])

    shown = dict(old)
    shown["results"] = [
        {
            **row,
            "name": name(row),
            "about": {key: value for key, value in row["about"].items() if key not in dropped},
            "undefined": reason(row["undefined"]),
        }
        for row in old.get("results", ())
    ]
    shown["exclusions"] = [
        {**one, "reason": reason(one["reason"])} for one in old.get("exclusions", ())
    ]
    if "error" in old:
        shown["error"] = reason(old["error"])
    return shown


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for key in ("exit", "error", "rows", "exclusions"):
        if old.get(key) != new.get(key) and not (key == "exclusions" and "error" in old):
            yield f"{key}: {old.get(key)} became {new.get(key)}"
    mine, its = by_subject(old), by_subject(new)
    for subject in mine.keys() - its.keys():
        yield f"gone: {subject}"
    for subject in its.keys() - mine.keys():
        yield f"new: {subject}"
    for subject in mine.keys() & its.keys():
        if mine[subject] != its[subject]:
            yield f"{subject}: {mine[subject]} became {its[subject]}"


def by_subject(one: Mapping[str, Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in one.get("results", ()):
        subject = json.dumps([row["name"], dict(sorted(row["about"].items()))], ensure_ascii=False)
        found.setdefault(subject, []).append([row[key] for key in NUMBERS])
    return found


if __name__ == "__main__":
    sys.exit(main())
