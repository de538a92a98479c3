"""How well files are read that nobody declared: each entry of a manifest, by the public reading.

    python scripts/score_reading.py MANIFEST [--slice N] [--shown] [--json FILE]

Each answer is one of read, ask, refuse. Classes: right (read in silence as the truth says), asked,
refused rightly, right by a guess (should have been asked), asked though readable, refused though
readable, nothing to read and not said, WRONG (read in silence otherwise than the truth), crash.
Beside them, of the files that can be read, whether the reading that is shown is the true one, where
`any` kind of rater and the kinds themselves are told apart. Of sealed slices only sums are printed.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from fingerprints import Group, difference
from slices import entries

from goldassay.errors import InputError
from goldassay.read.decision import Answer, Decision, decide
from goldassay.read.preview import preview

CLASSES = (
    "right",
    "asked",
    "refused rightly",
    "right by a guess",
    "asked though readable",
    "refused though readable",
    "nothing to read, not said",
    "WRONG",
    "crash",
)


def groups_of(decision: Decision) -> list[Group]:
    """The ratings of a decision, by rater and criterion."""
    counts = {} if decision.table is None else decision.table.counts()
    return [Group(k, str(r), str(c), n) for (k, r, c), n in counts.items()]


def classified(entry: dict[str, Any], answer: str, given: Answer, same: bool) -> str:
    """The class where `answer` is what should be done."""
    if given is Answer.refuse:
        return "refused rightly" if answer == "refuse" else "refused though readable"
    if given is Answer.ask:
        return {
            "ask": "asked",
            "read": "asked though readable",
            "refuse": "nothing to read, not said",
        }[answer]
    if answer == "read":
        return "right" if same else "WRONG"
    return "right by a guess" if answer == "ask" and same else "WRONG"


def score(entry: dict[str, Any], root: Path) -> dict[str, Any]:
    """What was done with an entry's files, its class, and whether what is shown is true."""
    paths = [root / entry["id"] / name for name in entry["files"]]
    start = time.perf_counter()
    why = ""
    try:
        decision = decide(paths)
        given = decision.answer
        why = decision.why
    except InputError as error:
        decision, given, why = Decision(Answer.refuse, ()), Answer.refuse, str(error)
    seconds = time.perf_counter() - start
    groups = groups_of(decision)
    items = decision.table.items if decision.table else 0
    found = difference(entry, groups, items)
    loose = difference(entry, groups, items, any_kind=True)
    answers = (entry["answer"], *(entry.get("also") or ()))
    verdicts = [classified(entry, answer, given, found.same) for answer in answers]
    return {
        "id": entry["id"],
        "answer": entry["answer"],
        "given": given.value,
        "class": min(verdicts, key=CLASSES.index),
        "shown": bool(groups) and bool(entry["raters"]) and found.same,
        "any": bool(groups) and bool(entry["raters"]) and loose.same,
        "seconds": seconds,
        "why": why or str(loose),
        "decision": decision,
    }


def told(results: list[dict[str, Any]]) -> None:
    """The sums."""
    for answer in ("read", "ask", "refuse", None):
        some = [one for one in results if answer in (None, one["answer"])]
        classes = Counter(one["class"] for one in some)
        shown = ", ".join(f"{name} {classes[name]}" for name in CLASSES if classes[name])
        print(f"  {answer or 'all':<7}{len(some):>4}: {shown}")
    readable = [one for one in results if one["answer"] != "refuse"]
    silent = [one for one in results if one["given"] == "read"]
    print(
        f"  shown right: {sum(one['shown'] for one in readable)} of {len(readable)} "
        f"({sum(one['any'] for one in readable)} but for whose they are); in silence "
        f"{len(silent)}, wrong {sum(one['class'] == 'WRONG' for one in silent)}; "
        f"longest {max((one['seconds'] for one in results), default=0):.1f} s"
    )


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("manifest", type=Path)
    ask.add_argument("--slice", type=int)
    ask.add_argument("--shown", action="store_true", help="print what is shown (open slice)")
    ask.add_argument("--json", type=Path)
    given = ask.parse_args()
    by_slice: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries(given.manifest):
        number = entry["slice"]
        if given.slice not in (None, number):
            continue
        try:
            one = score(entry, given.manifest.parent)
        except Exception as error:
            if number == 0:
                traceback.print_exc()
            at = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} {Path(at.filename).name}:{at.lineno}"
            print(f"crash in slice {number}: {place}")
            one = {"id": entry["id"], "answer": entry["answer"], "given": "crash"}
            one |= {"class": "crash", "shown": False, "any": False, "seconds": 0.0}
            one |= {"why": place, "decision": None}
        by_slice[number].append(one)
        if number == 0:
            mark = "=" if one["shown"] else "~" if one["any"] else " "
            print(
                f"{one['id']:<28} {one['answer']:<7} {one['class']:<26} {mark} "
                f"{one['seconds']:5.2f} s  {one['why'][:140]}"
            )
            if given.shown and one["decision"] is not None:
                print(preview(one["decision"]), "\n")
    for number, results in sorted(by_slice.items()):
        print(f"\nslice {number}, {len(results)} entries")
        told(results)
    if given.json:
        every = [one for results in by_slice.values() for one in results]
        kept = [{k: v for k, v in one.items() if k not in ("decision", "why")} for one in every]
        given.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
