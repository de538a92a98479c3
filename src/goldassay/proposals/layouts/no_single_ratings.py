"""Tables of which no column holds one rater's ratings of single items, whatever it is called, and
what is asked of each: sums, orders of several answers, whether somebody agrees, marks of rows,
names of who was compared, lists in lists. A way that fits asks and takes the table."""

from __future__ import annotations

import re

from goldassay.proposals.layouts.named_pairs import best_of_several
from goldassay.proposals.layouts.nothing_rated import are_marks, lists_within
from goldassay.proposals.layouts.numbered_names import differ_in_number
from goldassay.proposals.layouts.seen import Seen
from goldassay.proposals.layouts.summed_up import statistics_of
from goldassay.proposals.layouts.unlike_people import are_statistics, name_raters
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import (
    NAMED_RATERS,
    SYNONYMS,
    kind_of,
    number,
    plain_name,
    polarity,
    words,
)
from goldassay.words import named

__all__ = [
    "agreement_only",
    "best_and_worst",
    "lists_in_lists",
    "marks_of_rows",
    "names_in_cells",
    "orders_in_cells",
    "people_in_rows",
    "places",
    "scores_of_two_answers",
    "statistics_of_people",
    "sums_up",
    "votes_for_several",
]


def sums_up(seen: Seen) -> bool:
    """A row sums up a system: no rating of an item is there."""
    if not (seen.sums_up or are_statistics(seen.table, seen.ratings) or _are_means(seen)):
        return False
    columns = seen.table.columns
    numbers = [n for n, c in columns.items() if c.labels and number(next(iter(c.labels)))]
    seen.draft.lack(
        "Which column holds ratings of single items? Every row seems to sum up a system or a rater",
        "give the table with a row for each rating or item",
        {"columns": {"value": [*seen.ratings, *numbers, *columns][0]}},
    )
    return True


#: Decimals of a mean, which nobody gives as a rating.
_HUNDREDTHS = re.compile(r"\.\d[1-9]$|\.\d{3,}$")


def _are_means(seen: Seen) -> bool:
    """A row for each system and setting, with means of several criteria and nothing that names or
    shows an item: `fluency` 7.95, `empathy` 4.33."""
    columns = seen.table.columns
    numbers = [c for n, c in columns.items() if n in seen.ratings and c.numeric]
    systems = [n for n in columns if plain_name(n) in SYNONYMS["system"]]
    if seen.rater is not None or seen.raters or len(numbers) < 2 or not systems:
        return False
    rest = [c for n, c in columns.items() if n not in (*seen.ratings, *systems)]
    if any(column.text or column.unique for column in rest):
        return False
    labels = [label for column in numbers for label in column.labels]
    broken = sum(bool(_HUNDREDTHS.search(label)) for label in labels)
    return 2 * broken > len(labels) and not _is_declared(seen)


def _is_declared(seen: Seen) -> bool:
    """Whether it is declared what the columns hold."""
    return bool(seen.draft.declared.table("cells") or seen.draft.declared.table("columns"))


def statistics_of_people(seen: Seen) -> bool:
    """Two statistics of each of several things (`tone_mean`, `tone_mode`): people were summed up,
    and no column is one person's."""
    found = statistics_of(list(seen.table.columns))
    whose = not seen.raters and seen.rater is None
    if not (found and whose):
        found = _beside_counts(seen)
    if not found:
        return False
    means = {thing: next(iter(columns.values())) for thing, columns in found.items()}
    rater = {"rater": seen.table.stem, "kind": "reference"}
    seen.draft.lack(
        f"Who rated? {some([n for columns in found.values() for n in columns.values()])} sum "
        "several people up",
        {"cells": {name: {**rater, "criterion": thing} for thing, name in means.items()}},
        "give the table with a column or a row for each person",
    )
    return True


def _beside_counts(seen: Seen) -> dict[str, dict[str, str]]:
    """What is rated -> its value, where most ratings are members of records with a count of more
    than one beside them (`tone: {value: 0.33, count: 3}`): means; else nothing."""
    columns, found = seen.table.columns, dict[str, dict[str, str]]()
    for name in seen.ratings:
        thing, _, last = seen.table.own(name).rpartition(".")
        beside = next((n for n in columns if seen.table.own(n) == f"{thing}.count"), None)
        if not thing or last not in ("value", "mean", "score") or beside is None:
            continue
        counts = [number(label) or 0.0 for label in columns[beside].labels]
        if counts and max(counts) > 1 and columns[name].numeric:
            found[thing.rpartition(".")[2]] = {last: name}
    values = [
        number(x) or 0.0 for one in found.values() for n in one.values() for x in columns[n].labels
    ]
    most = len(found) > 1 and 2 * len(found) > len(seen.ratings)
    return found if most and any(value % 1 for value in values) else {}


#: So many numbered columns of a form are what everybody was shown, one after the other.
_SHOWN = 8


def people_in_rows(seen: Seen) -> bool:
    """A form that each person filled in once, with a column for each thing that was shown
    (`meaning_0` to `meaning_31`), whose names were masked (`XX`), or for each question, with
    nothing but the time in a row: the items are the columns, and the rows are people."""
    columns = seen.table.columns
    if seen.draft.declared.table("cells") or seen.table.source.parts:
        return False
    numbered = differ_in_number(seen.ratings) and len(seen.ratings) >= _SHOWN and not seen.raters
    people = [n for n in columns if plain_name(n) in NAMED_RATERS and columns[n].filled]
    masked = bool(people) and all(columns[name].distinct == 1 for name in people)
    masked = masked and numbered and any(column.unique for column in columns.values())
    if not masked and not _asks_in_sentences(seen):
        return False
    first, last = seen.ratings[0], seen.ratings[-1]
    seen.draft.lack(
        f"Is every row a person, and {named(first)} to {named(last)} the items that this person "
        "rated? By their names and numbers they are",
        "give the table with a row for each rating: who rated, the item, the rating",
        {"columns": {"criterion": list(seen.ratings)}},
    )
    return True


#: Columns whose names are sentences of so many words are questions of a form.
_SENTENCES, _LONG = 3, 6


def _asks_in_sentences(seen: Seen) -> bool:
    """Whether most columns are called whole questions, and a row has a time and no other name."""
    columns = seen.table.columns
    asked = [
        n for n in seen.ratings if len(words(n)) >= _LONG and n.rstrip(" 0123456789")[-1] in "?."
    ]
    times = [n for n, c in columns.items() if c.times or plain_name(n) == "timestamp"]
    named_ = [n for n, c in columns.items() if n not in times and c.unique]
    return (
        len(asked) >= _SENTENCES
        and 2 * len(asked) > len(seen.ratings)
        and bool(times)
        and not named_
    )


def votes_for_several(seen: Seen) -> bool:
    """`Vote1` to `Vote3` with numbers from 0 on: people's, or how many voted for each of three."""
    columns = [seen.table.columns[name] for name in seen.ratings]
    called = all({*words(name)} & {"vote", "votes"} for name in seen.ratings)
    if len(columns) < 2 or not called or not differ_in_number(seen.ratings) or seen.rater:
        return False
    values = [number(label) for column in columns for label in column.labels]
    counts = all(v is not None and v >= 0 and v % 1 == 0 for v in values)
    if not counts or not {0.0, 1.0} < {*values} or seen.draft.declared.table("wide"):
        return False
    seen.draft.lack(
        f"Do {some(seen.ratings)} count votes, each for another answer, or are they "
        f"{len(columns):,} people's ratings? Their names and numbers may say both",
        "give the table with a row for each vote, or the answer that most voted for as a column",
        {"wide": {"human": [seen.table.own(name) for name in seen.ratings]}},
    )
    return True


def scores_of_two_answers(seen: Seen) -> bool:
    """A list of two numbers beside what names two answers (`score`: [8, 9], `answer1_id`,
    `answer2_id`): scores of two systems, and neither criteria nor raters."""
    own = [seen.table.own(name) for name in seen.ratings]
    lists = {name.rpartition(".")[0] for name in own}
    if len(own) != 2 or {name.rpartition(".")[2] for name in own} != {"1", "2"} or len(lists) != 1:
        return False
    names = {plain_name(name) for name in seen.table.columns}
    pairs = [(n, re.sub(r"1(?=_|$)", "2", n)) for n in names if re.search(r"[a-z_]1(?=_|$)", n)]
    pair = [one for one, two in pairs if two in names and {*words(one.replace("1", ""))} & _ANSWERS]
    if not pair or seen.draft.declared.table("cells"):
        return False
    said = {"rater": seen.table.stem, "kind": kind_of(seen.table.stem) or "judge"}
    said = {} if seen.rater is not None else said  # a column says who rated
    seen.draft.lack(
        f"Are {some(seen.ratings)} scores of two answers, as {named(pair[0])} and the like say?",
        {"cells": {name: {"system": name.rpartition(".")[2], **said} for name in own}},
        {"cells": {name: {"criterion": name.rpartition(".")[2], **said} for name in own}},
    )
    return True


#: What two systems give.
_ANSWERS = frozenset(["answer", "model", "output", "response", "assistant", "summary", "system"])


def best_and_worst(seen: Seen) -> bool:
    several = best_of_several(seen.table)
    if several:
        seen.draft.lack(
            f"Which column holds the ratings? {named(several[0])} names the best or the worst of "
            f"{some(several[1])}, which is a choice among several and no rating of one",
            "write a row for each pair, with the columns system, opponent and winner",
            "write a row for each item, with how often it was best less how often worst",
        )
    return bool(several)


#: What stands between the members of an order: `B > A > C`.
_ABOVE = re.compile(r"\s*[>≻]\s*")


def orders_in_cells(seen: Seen) -> bool:
    """Cells that put several answers in an order hold many ratings each, and none of one item."""
    columns = seen.table.columns.items()
    orders = [
        n
        for n, c in columns
        if len(c.labels) > 1 and all(">" in one or "≻" in one for one in c.labels)
    ]
    members = {
        n: {frozenset(_ABOVE.split(x)) for x in seen.table.columns[n].labels} for n in orders
    }
    orders = [n for n, sets in members.items() if len(sets) == 1 and len(next(iter(sets))) > 2]
    if orders:
        seen.draft.lack(
            f"Which column holds the ratings? A cell of {some(orders)} puts several answers in an "
            "order, which is no rating of one",
            "write a column for each answer with its place (human_rank_a, judge_rank_a, ...)",
            "write a row for each pair, with the columns system, opponent and winner",
        )
    return bool(orders)


#: So many rows of places are no chance.
_ROWS_OF_PLACES = 5


def places(seen: Seen) -> bool:
    """Numbered columns that hold each of 1 to as many as they are once in every row
    (`ranking.1`, ..., `ranking.4`): an order of several answers, and nobody's ratings."""
    names = [n for n in seen.ratings if seen.roles.get(n) is None]
    if len(names) < 3 or len(names) > _MOST_PLACES or not differ_in_number(names):
        return False
    rows = [[number(cell) for cell in row] for row in counted(seen.table.source, *names)]
    places = {float(n) for n in range(1, len(names) + 1)}
    whole = [row for row in rows if {*row} == places]
    if len(whole) < _ROWS_OF_PLACES or 10 * len(whole) < 9 * len(rows):
        return False
    stem, kind = seen.table.stem, kind_of(seen.table.stem) or "human"
    seen.draft.lack(
        f"Which column holds the ratings? {some(names)} have each of 1 to {len(names)} once in a "
        "row: they put several answers in an order, which is no rating of one",
        "write a column for each answer with its place (human_rank_a, judge_rank_a, ...)",
        {"cells": {name: {"rater": stem, "kind": kind, "system": name} for name in names}},
    )
    return True


_MOST_PLACES = 12


#: Words of a column that says whether a person and a judge say the same.
_AGREES = frozenset(["agree", "agrees", "agreement", "disagree", "disagrees", "concur", "concurs"])


def _says_agreement(name: str) -> bool:
    """`reviewer_agrees`, `human_agrees_with_judge`: nothing but who agrees, and with whom."""
    rest = [w for w in words(name) if w not in _AGREES | {"with", "the"} and kind_of(w) is None]
    return bool({*words(name)} & _AGREES) and not rest


#: Words of a column that says whether a judge is right.
_RIGHT = frozenset(["accurate", "correct", "incorrect", "right", "wrong", "valid", "is", "was"])


def _says_right(table: Table, name: str) -> bool:
    """`judge_correct`, `is_judge_right`: yes or no, under nothing but the judge and that."""
    labels = sorted(table.folds(name))
    rest = {w for w in words(name) if kind_of(w) is None}
    verdict = len(labels) == 2 and all(one != two for one, two in map(polarity, labels))
    return bool(rest) and rest <= _RIGHT and verdict


def agreement_only(seen: Seen) -> bool:
    """People who say whether they agree with the judge, and not what they say themselves; or a
    column that says whether the judge is right, beside what it said, and nobody else's."""
    people = [name for name, kind in seen.roles.items() if kind in ("human", "reference")]
    judges = [name for name, kind in seen.roles.items() if kind == "judge"]
    if not people and not seen.declared.kinds and len(judges) > 1:
        right = [name for name in judges if _says_right(seen.table, name)]
        judges = [name for name in judges if name not in right]
        people = right if len(right) == 1 and judges else []
        if people and seen.table.folds(people[0]) & seen.table.folds(judges[0]):
            return False  # both say whether something else is right
        if people:
            seen.draft.lack(
                f"What did people say themselves? {named(people[0])} says whether "
                f"{named(judges[0])} is right, by the name",
                "give the table with a column of their own verdicts",
                {"wide": {"judge": [*judges, *people]}},
            )
            return True
    others = [n for n in seen.roles if n not in people and seen.table.columns[n].few]
    if not people or seen.declared.kinds or not all(map(_says_agreement, people)):
        return False
    seen.draft.lack(
        f"What did people say themselves? {some(people)} {'says' if len(people) == 1 else 'say'} "
        "whether they agree with somebody, by the name",
        "give the table with a column of their own verdicts",
        {"wide": {"human": people, "judge": judges or others[:1]}},
    )
    return True


def marks_of_rows(seen: Seen) -> bool:
    if seen.raters or seen.rater is not None or not seen.several or not are_marks(seen.ratings):
        return False
    seen.draft.lack(
        f"Which column holds the ratings? {some(seen.ratings)} mark rows, by their names",
        *({"columns": {"value": name}} for name in seen.ratings[:2]),
    )
    return True


def names_in_cells(seen: Seen) -> bool:
    if seen.declared.kinds or not name_raters(seen.table, seen.roles):
        return False
    seen.draft.lack(
        f"Which column holds the ratings? {some(seen.ratings)} hold the same words, and never the "
        "same one in a row: names of who was compared",
        "give the table with a row for each rating or item",
        {"wide": {"human": seen.ratings}},
    )
    return True


def lists_in_lists(seen: Seen) -> bool:
    paths = lists_within(seen.table, seen.ratings)
    if paths:
        seen.draft.lack(
            f"Which lists hold the ratings? Records within {named(paths[0].split('.')[0])} hold "
            "lists of records themselves",
            *({"file": {"rows": [path]}} for path in paths[:2]),
        )
    return bool(paths)
