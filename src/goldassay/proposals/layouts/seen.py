"""What is seen in a table before it is told how its ratings lie: which columns hold ratings, whose
they are, and which column names who rated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.as_declared import Declaration
from goldassay.proposals.layouts.column_names import (
    CALLED_RATINGS,
    PREDICTED,
    about_of,
    are_criteria,
    asks,
)
from goldassay.proposals.layouts.judge_files import parts_of_one_table
from goldassay.proposals.layouts.kinds_of_raters import flag_of_kinds
from goldassay.proposals.layouts.one_scale import of_one_scale
from goldassay.proposals.layouts.paired_systems import paired_systems
from goldassay.proposals.layouts.raters_and_criteria import real_beside_said
from goldassay.proposals.layouts.rating_columns import names_sides, rating_columns, same_value
from goldassay.proposals.layouts.right_or_not import compared_with_key
from goldassay.proposals.layouts.roles import (
    beside_empty_ones,
    criteria_of_the_judge,
    evaluations_beside_people,
    judges_in_rows,
    judgments_in_records,
    key_and_judgments,
    people_beside_machines,
    people_in_lists,
    people_in_rows,
    true_beside_predicted,
    verdicts_beside_scores,
    without_metrics,
)
from goldassay.proposals.layouts.said_again import codes_of, copies_of
from goldassay.proposals.layouts.scored_pairs import score_pairs
from goldassay.proposals.layouts.summed_up import is_made
from goldassay.proposals.layouts.unlike_people import are_statistics
from goldassay.proposals.layouts.who_rated import rater_column, says_who_again
from goldassay.proposals.shape import Shape, Table, only_file, some
from goldassay.ratings.distinct import is_of_items
from goldassay.ratings.vocabulary import (
    GENERIC,
    STATISTICS,
    SUMS,
    SYNONYMS,
    SYSTEMS,
    kind_of,
    number,
    plain_name,
    words,
)
from goldassay.sources.exploded import PLACE
from goldassay.sources.score_pairs import KEY, VERDICT

__all__ = ["Seen", "seen_in"]


@dataclass(frozen=True)
class Seen:
    """A table, what is told of it so far, and what each way of laying ratings out looks at."""

    table: Table
    shape: Shape
    draft: Draft
    #: The columns that hold ratings.
    ratings: list[str]
    #: Whose ratings a column holds (None: nothing says so).
    roles: Mapping[str, str | None]
    #: The column that names who rated.
    rater: str | None
    #: Columns that say again what another says, and which.
    again: Mapping[str, str]
    #: What a task says already.
    declared: Declaration

    @property
    def several(self) -> bool:
        return len(self.ratings) > 1

    @property
    def raters(self) -> list[str]:
        """The columns whose names say who rated."""
        return [name for name, kind in self.roles.items() if kind]

    @property
    def own(self) -> bool:
        """Whether the columns have the names of a ratings table: nothing is to be found out."""
        return {"rater", "value"} <= set(self.table.columns)

    @property
    def sums_up(self) -> bool:
        return _sums_up(self.table, self.raters)

    @property
    def by_value(self) -> bool:
        """Whether several files hold their ratings under one name, and are no parts of a table."""
        return same_value(self.table) and not parts_of_one_table(self.table, self.ratings)

    @property
    def per_criterion(self) -> bool:
        """Whether a file of several has a column per criterion: only its name says who rated."""
        unnamed = [name for name in self.ratings if kind_of(name) is None]
        return bool(self.table.source.parts) and are_criteria(unnamed)

    @property
    def value(self) -> str | None:
        """The column that is called a rating."""
        columns, ratings = self.table.columns, self.ratings
        found = self.table.called(SYNONYMS["value"], but=set(columns) - set(ratings))
        if not found and PLACE in columns:  # a member of the records that are the rows
            last = {n: plain_name(self.table.own(n).rpartition(".")[2]) for n in ratings}
            found = [name for name in ratings if last[name] in SYNONYMS["value"][:5]]
            found = found if len(found) == 1 else []
        # A column that says the same in every row (`answer`: accept) is hardly the rating.
        varied = [name for name in ratings if len(columns[name].labels) > 1]
        found.sort(key=lambda name: name not in varied)
        if found and found[0] not in varied and len(varied) == 1:
            return varied[0]
        return found[0] if found else None


def seen_in(table: Table, shape: Shape, draft: Draft, declared: Declaration) -> Seen:
    """The columns of ratings and whose they are; pairs of systems and sides enter the shape."""
    again = codes_of(table)
    table = Table(table.source, {n: c for n, c in table.columns.items() if n not in again})
    # What was made of two columns that are of no two sides is nothing.
    if VERDICT in table.columns and score_pairs(table) is None:
        mine = {n: c for n, c in table.columns.items() if n != KEY and not n.startswith(VERDICT)}
        table = Table(table.source, mine)
    paired_systems(table, shape)
    ratings = rating_columns(table, shape)
    again |= copies_of(table, ratings)
    ratings = [name for name in ratings if name not in again]
    shape.sides |= any(names_sides(table, name) for name in ratings)
    rater = declared.rater or rater_column(table, shape, ratings)
    if rater is not None:
        flag = flag_of_kinds(table, rater)
        ratings = [name for name in ratings if name not in (rater, flag[0] if flag else "")]
        ratings = [name for name in ratings if not says_who_again(table, rater, name)]
        ratings = _of_who_is_named(ratings, rater)
    ratings = _without_properties(table, ratings, rater, draft)
    ratings = [*ratings, *(name for name in declared.kinds if name not in ratings)]
    roles = _roles(table, ratings, rater, draft, declared.kinds)
    kept = without_metrics(table, roles, draft)
    ratings = [name for name in ratings if name in kept or name not in roles]
    roles = kept
    if not shape.sides and not table.source.parts:
        raters = [name for name, kind in roles.items() if kind]
        unnamed = not raters or (rater is not None and {*roles.values()} <= {None, kind_of(rater)})
        whole = _sums_up(table, raters) or are_statistics(table, ratings)
        if unnamed and len(ratings) > 1 and not whole:
            ratings = of_one_scale(table, ratings, draft)
            roles = {name: kind for name, kind in roles.items() if name in ratings}
        else:
            roles = compared_with_key(table, roles, draft)
            ratings = [name for name in table.columns if name in roles]
    return Seen(table, shape, draft, ratings, roles, rater, again, declared)


def _of_who_is_named(ratings: list[str], rater: str) -> list[str]:
    """Of columns one of which is called people's rating (`reviewer_decision`, beside `reviewer`),
    and the others nobody's and no criterion, that one: the others are asked about."""
    mine = [n for n in ratings if kind_of(n) == "human" and _is_called_rated(n)]
    rest = [n for n in ratings if n not in mine]
    alone = len(mine) == 1 and kind_of(rater) != "judge"
    return mine if alone and not any(kind_of(n) or asks(n) for n in rest) else ratings


def _without_properties(
    table: Table, ratings: list[str], rater: str | None, draft: Draft
) -> list[str]:
    """The columns without those that say one thing of every item, whoever rates it, where others do
    not: `noise_level` beside `faithfulness`, with a row for every judge, or for every run."""
    called = {*table.called(SYNONYMS["item"])}
    called |= {name for name in table.columns if plain_name(name).endswith("_id")}
    unsaid = [n for n in ratings if kind_of(n) is None and not _is_called_rated(n)]
    groups = [n for n in unsaid if plain_name(n) in _GROUPS]
    if rater is not None and groups and len(groups) < len(ratings):
        ratings = [n for n in ratings if n not in groups]
        unsaid = [n for n in unsaid if n not in groups]
    if rater is not None and (of_items := _said_of_items(table, ratings, rater)):
        verb, they = ("Is", "It says") if len(of_items) == 1 else ("Are", "They say")
        draft.ask(
            f"{verb} {some(of_items)} what was rated, by the name? {they} the same of an item "
            "whoever rates it: not read",
            left_out=of_items,
        )
        return [name for name in ratings if name not in of_items]
    named_ = any(map(kind_of, ratings))  # beside raters' columns others are looked at later
    if named_ and rater is None and table.called(SYNONYMS["criterion"]):
        # rows of several criteria of an item
        unsaid, named_ = [name for name in ratings if kind_of(name) is None], False
    others = len(ratings) > (len(unsaid) if rater else 1)
    for item in called if unsaid and others and not named_ else ():
        column = table.columns[item]
        if item in ratings or column.filled < column.rows or 2 * column.distinct > column.rows:
            continue
        same = [name for name in unsaid if is_of_items(table.source, item, name)]
        if rater is None:  # one of several criteria may be so by chance
            kept = [table.folds(name) for name in ratings if name not in same]
            same = [name for name in same if table.folds(name) not in kept]
        if same and not all(is_of_items(table.source, item, n) for n in ratings if n not in same):
            verb, they = ("Does", "It says") if len(same) == 1 else ("Do", "They say")
            whoever = "whoever rates it" if rater else "in all its rows"
            draft.ask(
                f"{verb} {some(same)} hold ratings? {they} the same of an item {whoever}: not read",
                left_out=same,
            )
            return [name for name in ratings if name not in same]
    return ratings


#: Columns that say in which part of a study a row is.
_GROUPS = frozenset(["group", "condition", "list", "block", "batch", "session", "arm"])


def _said_of_items(table: Table, ratings: Sequence[str], rater: str) -> list[str]:
    """A prediction and the key beside it (`pred_label`, `gt_label`) that are the same in all rows
    of an item, where people in rows give several ratings that are not: what they rated."""
    mine = [n for n in ratings if kind_of(n) is None and {*words(n)} & CALLED_RATINGS]
    theirs = [n for n in ratings if {*words(n)} & PREDICTED or kind_of(n) == "reference"]
    made = any({*words(n)} & PREDICTED for n in theirs)
    if kind_of(rater) == "judge" or len(mine) < 2 or not made:
        return []
    for item in [n for n in table.columns if plain_name(n).endswith("id") and n != rater]:
        column = table.columns[item]
        if item in ratings or 2 * column.distinct > column.rows or column.filled < column.rows:
            continue
        same = [is_of_items(table.source, item, n) for n in theirs]
        if all(same) and not all(is_of_items(table.source, item, n) for n in mine):
            return theirs
    return []


def _is_called_rated(name: str) -> bool:
    """A name of what is rated, or of ratings."""
    return asks(name) or bool({*words(name)} & GENERIC - {"a", "as", "by", "is", "of", "the"})


def _roles(
    table: Table,
    ratings: Sequence[str],
    rater: str | None,
    draft: Draft,
    declared: Mapping[str, str],
) -> dict[str, str | None]:
    """Whose ratings each column holds: as declared, by its name, its file's, or what stands beside
    it."""
    odd = _odd_in_a_family(ratings)
    several = tuple(f"{name}." for name in draft.task.get("file", {}).get("several", ()))
    roles = {
        n: declared.get(n)
        or ("human" if several and table.own(n).startswith(several) else None)
        or (None if n in odd else kind_of(n))
        or _kind_of_file(table, n)
        or _kind_of_text(table, n)
        for n in ratings
    }
    if rater is None and not any(roles.values()):
        roles |= {n: cell["kind"] for n, cell in real_beside_said(table, ratings).items()}
    of_a_judge = kind_of(rater) == "judge" if rater else judgments_in_records(table, ratings)
    if of_a_judge and "human" not in roles.values():
        roles = key_and_judgments(roles)
    roles = evaluations_beside_people(table, true_beside_predicted(table, roles))
    roles = verdicts_beside_scores(table, beside_empty_ones(table, roles))
    roles = people_in_rows(table, roles, rater, draft)
    if rater is None or kind_of(rater) == "judge":
        roles = people_in_lists(table, roles)
    roles = judges_in_rows(table, roles, rater)
    if rater is None and not table.source.parts:
        roles = people_beside_machines(table, criteria_of_the_judge(table, roles), draft)
    return roles


#: So many columns that begin with one word are a family.
_FAMILY = 4


def _odd_in_a_family(names: Sequence[str]) -> set[str]:
    """The only column of a family (`feat_command` beside `feat_ending`, `feat_power`, ...) whose
    last words are also those of a rater: it is named as its kin are. And the only one of many that
    has a rater's word among several others (`AI role play` beside `Simple sentence`)."""
    called = [name for name in names if kind_of(name)]
    many = len(called) == 1 and len(names) > _FAMILY and len(about_of(called[0])) > 1
    if many and kind_of(called[0]) == "judge" and not _is_called_rated(called[0]):
        return set(called)
    if some := _some_of_a_grid(names):
        return some
    heads: dict[str, list[str]] = {}
    for name in names:
        head, _, rest = plain_name(name).partition("_")
        if rest and kind_of(head) is None:
            heads.setdefault(head, []).append(name)
    families = [kin for kin in heads.values() if len(kin) >= _FAMILY]
    odd = [[name for name in kin if kind_of(name)] for kin in families]
    return {name for one in odd for name in one if len(one) == 1}


def _some_of_a_grid(names: Sequence[str]) -> set[str]:
    """Of columns that are every one of three first words or more with every one of three last words
    (`ngram-s1`, `lstm-s1`, ...), those under a rater's word, where others are not: what was rated
    may be called as a rater is."""
    halves = {n: plain_name(n).rpartition("_")[::2] for n in names}
    heads, tails = ({one[k] for one in halves.values()} for k in (0, 1))
    whole = len(heads) * len(tails) == len({*halves.values()}) == len(names)
    called = {head for head in heads if kind_of(head)}
    if not whole or min(len(heads), len(tails)) < 3 or len(called) in (0, len(heads)):
        return set()
    return {name for name, (head, _) in halves.items() if head in called}


def _kind_of_file(table: Table, name: str) -> str | None:
    only = only_file(table, name)
    return kind_of(only) if only else None


def _kind_of_text(table: Table, name: str) -> str | None:
    """What marks its verdict in double brackets was asked to do so: a judge."""
    return "judge" if "\\[\\[" in (table.columns[name].reads or "") else None


def _sums_up(table: Table, raters: Sequence[str]) -> bool:
    """A leaderboard: rates with their errors, and nobody who rated; or what was computed of each
    system, or of each rater, under the name of a mean."""
    if raters:
        return False
    named_ = {plain_name(name) for name in table.columns}
    many = len(named_ & SUMS) > 1 or len(named_ & _OF_CLASSIFIERS) > 2
    return many or _is_of_wholes(table)


#: What is computed of many verdicts that are held against a key.
_OF_CLASSIFIERS = frozenset(
    [
        *("accuracy", "auc", "auroc", "balanced_accuracy", "f1", "f1_score", "fbeta", "macro_f1"),
        *("mcc", "micro_f1", "precision", "recall", "sensitivity", "specificity", "weighted_f1"),
        *("fn", "fp", "tn", "tp", "support"),
    ]
)


def _is_of_wholes(table: Table) -> bool:
    """Whether the only column of words names systems or raters, each in one row, and the numbers
    beside it were computed: more decimals than anybody gives, in a file or columns of means."""
    texts = [
        n
        for n, c in table.columns.items()
        if 2 * sum(number(one) is not None for one in c.labels) < len(c.labels)
    ]
    named_ = [n for n in texts if table.columns[n].unique and not table.columns[n].text]
    whole = [n for n in named_ if {*words(n)} & (SYSTEMS | _WHO)]
    numbers = [c for n, c in table.columns.items() if n not in named_ and c.labels]
    made = [c for c in numbers if any(_DECIMALS.search(label) for label in c.labels)]
    called = is_made(table.stem) or 2 * sum(map(_is_statistic, table.columns)) > len(numbers)
    return len(whole) == len(named_) == 1 and 2 * len(made) > len(numbers) > 1 and called


def _is_statistic(name: str) -> bool:
    return is_made(name) or bool({*words(name)} & (STATISTICS | {"agreement", "accuracy", "rate"}))


#: Words of a column that names who rated, and decimals of what was computed.
_WHO = frozenset(["username", "user", "annotator", "rater", "coder", "worker", "judge", "labeler"])
_DECIMALS = re.compile(r"\.\d{3,}$")
