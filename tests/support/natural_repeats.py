"""Natural tables in which columns are no raters of their own: orders, runs, majorities, flags."""

from __future__ import annotations

import json

from natural import Case, rows

_FLIP = {"A": "B", "B": "A"}


def said(n: int, one: str = "yes", two: str = "no", every: int = 2) -> str:
    return one if n % every else two


def order_rows(*, mirrored: bool) -> list[str]:
    """Of 24 pairs a person, a judge, and the judge that saw the answers the other way round."""
    made = []
    for n in range(24):
        human, first = said(n, "A", "B"), said(n, "A", "B") if n % 5 else _FLIP[said(n, "A", "B")]
        second = first if n % 7 else _FLIP[first]
        made.append(f"p{n},{human},{first},{_FLIP[second] if mirrored else second}")
    return made


def _judge(rater: str, **beside: str) -> dict[str, str]:
    return {"rater": rater, "kind": "judge", **beside}


ORDERS = [
    Case(
        "both orders of a pair, sides as the row has them",
        rows("pair_id,human,verdict_ab,verdict_ba", *order_rows(mirrored=False)),
        {
            "scale": "pairwise",
            "cells": {
                "human": {"rater": "human", "kind": "human"},
                "verdict_ab": _judge("verdict", order="system_first"),
                "verdict_ba": _judge("verdict", order="opponent_first"),
            },
        },
        raters=(1, 1),
        items=24,
    ),
    Case(
        "both orders of a pair, sides as they were shown",
        rows("pair_id,human_winner,gpt4_original,gpt4_swapped", *order_rows(mirrored=True)),
        {
            "scale": "pairwise",
            "cells": {
                "human_winner": {"rater": "human_winner", "kind": "human"},
                "gpt4_original": _judge("gpt4", order="system_first"),
                "gpt4_swapped": _judge("gpt4", order="opponent_first", mirrored="yes"),
            },
        },
        raters=(1, 1),
    ),
    Case(
        "both orders of which nobody can tell how sides are named",
        rows(
            "pair_id,human,judge_order1,judge_order2",
            *(f"p{n},{'AB'[n % 2]},{'AB'[n // 2 % 2]},{'AB'[n // 4 % 2]}" for n in range(16)),
        ),
        open="which answers were shown in the other order",
    ),
    Case(
        "two judgments in a list, the second of swapped answers",
        "\n".join(
            json.dumps(
                {
                    "pair_id": f"p{n}",
                    "question": f"What is {n}?",
                    "response_A": "a" * 90,
                    "response_B": "b" * 90,
                    "label": said(n, "A>B", "B>A"),
                    "judge_name": "arena",
                    "judgments": [
                        {"judgment": {"judge_model": "big"}, "decision": one},
                        {"judgment": {"judge_model": "big"}, "decision": two},
                    ],
                }
            )
            for n in range(24)
            for one in [said(n if n % 5 else n + 1, "A>B", "B>A")]
            for two in [said(n if n % 7 else n + 1, "B>A", "A>B")]
        ),
        {
            "scale": "pairwise",
            "columns": {"rater": "judge_name", "item": "pair_id"},
            "cells": {
                "label": {"rater": "label", "kind": "reference"},
                "judgments.1.decision": {"kind": "judge", "order": "system_first"},
                "judgments.2.decision": {
                    "kind": "judge",
                    "order": "opponent_first",
                    "mirrored": "yes",
                },
            },
        },
        suffix=".jsonl",
        raters=(1, 1),
    ),
]

RUNS = [
    Case(
        "runs of two judges",
        rows(
            "id,human,gpt4_run1,gpt4_run2,claude_run1,claude_run2",
            *(f"{n},{said(n)},{said(n)},{said(n, every=3)},{said(n)},yes" for n in range(12)),
        ),
        {
            "cells": {
                "human": {"rater": "human", "kind": "human"},
                "gpt4_run1": _judge("gpt4", sample="1"),
                "gpt4_run2": _judge("gpt4", sample="2"),
                "claude_run1": _judge("claude", sample="1"),
                "claude_run2": _judge("claude", sample="2"),
            }
        },
        raters=(2, 1),
    ),
    Case(
        "numbered scores beside a person's",
        rows(
            "id,human_score,score_0,score_1,score_2",
            *(f"{n},{n % 5 + 1},{n % 4 + 1},{n % 3 + 1},{n % 5 + 1}" for n in range(12)),
        ),
        {
            "scale": "ordinal",
            "cells": {
                "human_score": {"rater": "human_score", "kind": "human"},
                "score_0": _judge("score", sample="0"),
                "score_1": _judge("score", sample="1"),
                "score_2": _judge("score", sample="2"),
            },
        },
        raters=(1, 1),
    ),
    Case(
        "numbered scores of a judge are no two sides",
        rows(
            "id,human_score,judge_score_1,judge_score_2",
            *(f"{n},{n % 5 + 1},{n % 4 + 1},{n % 3 + 1}" for n in range(12)),
        ),
        {"scale": "ordinal"},
        raters=(1, 1),
    ),
    Case(
        "numbered judges may be one",
        rows("id,human,judge_1,judge_2", *(f"{n},{said(n)},{said(n)},yes" for n in range(12))),
        {"wide": {"human": ["human"], "judge": ["judge_1", "judge_2"]}},
        raters=(2, 1),
        asked="one judge that was asked 2 times",
    ),
    Case(
        "versions of a model are judges",
        rows("id,human,claude_2,claude_3", *(f"{n},{said(n)},{said(n)},yes" for n in range(12))),
        {"wide": {"human": ["human"], "judge": ["claude_2", "claude_3"]}},
        raters=(2, 1),
    ),
]

PEOPLE = [
    Case(
        "a majority beside the people it was made of",
        rows(
            "id,human_1,human_2,human_3,human_majority,gpt4",
            *(f"{n},{said(n)},{said(n)},no,{said(n)},{said(n, every=3)}" for n in range(12)),
        ),
        {"wide": {"human": ["human_1", "human_2", "human_3"], "judge": ["gpt4"]}},
        raters=(1, 3),
    ),
    Case(
        "a mean beside the people it was made of",
        rows(
            "id,human_1,human_2,human_avg,judge",
            *(f"{n},{a},{b},{(a + b) / 2},{a}" for n in range(12) for a, b in [(n % 5 + 1, 3)]),
        ),
        {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"]},
        raters=(1, 2),
    ),
    Case(
        "a label that is the majority, whatever its name",
        rows(
            "id,annotator_1,annotator_2,annotator_3,human_label,judge",
            *(f"{n},{said(n)},{said(n)},{said(n, every=3)},{said(n)},no" for n in range(24)),
        ),
        {"wide": {"human": ["annotator_1", "annotator_2", "annotator_3"], "judge": ["judge"]}},
        raters=(1, 3),
    ),
    Case(
        "people's gold label is a reference",
        rows(
            "id,human_1,human_2,human_gold,judge",
            *(f"{n},{said(n)},{said(n, every=3)},{said(n)},{said(n, every=4)}" for n in range(12)),
        ),
        {
            "wide": {
                "human": ["human_1", "human_2"],
                "reference": ["human_gold"],
                "judge": ["judge"],
            }
        },
        raters=(1, 2),
    ),
    Case(
        "people's consensus resolves what they differ on",
        rows(
            "id,human_A,human_B,human_consensus,judge",
            *(f"{n},{said(n)},{said(n, every=3)},{said(n)},{said(n, every=4)}" for n in range(12)),
        ),
        {"reference": "adjudicated"},
        raters=(1, 2),
    ),
    Case(
        "a majority among raters in rows",
        rows(
            "item,rater,label",
            *(
                f"i{n},{who},{said(n + (who == 'ann2'))}"
                for n in range(8)
                for who in ("ann1", "ann2", "ann3", "human_majority", "gpt-4")
            ),
        ),
        {"raters": {"judge": ["gpt-4"], "reference": ["human_majority"]}},
        raters=(1, 3),
    ),
]

FLAGS = [
    Case(
        "flags beside verdicts of the same words",
        rows(
            "id,is_valid,flagged,human_label,judge_label",
            *(
                f"{n},{said(n, every=5)},{said(n, every=4)},{said(n)},{said(n, every=3)}"
                for n in range(12)
            ),
        ),
        {"wide": {"human": ["human_label"], "judge": ["judge_label"]}},
        raters=(1, 1),
        asked="`is_valid` and `flagged`",
    ),
    Case(
        "marks of zeros and ones beside a label and a prediction",
        rows(
            "id,label,prediction,is_duplicate,seen",
            *(f"{n},{n % 2},{n % 3 % 2},{n % 5 % 2},{n // 4 % 2}" for n in range(12)),
        ),
        {"wide": {"reference": ["label"], "judge": ["prediction"]}},
        raters=(1, 1),
        asked="`is_duplicate` and `seen`",
    ),
    Case(
        "Fred is a person",
        rows(
            "id,fred,alice,gpt4", *(f"{n},{said(n)},{said(n, every=3)},{said(n)}" for n in range(8))
        ),
        {"wide": {"human": ["fred", "alice"], "judge": ["gpt4"]}},
        raters=(1, 2),
    ),
]

NUMBERS = [
    Case(
        "thousands with commas, beside decimal points",
        rows(
            "id,human,judge",
            *(f'{n},"{n % 7 + 1},{n * 37 % 900 + 100}",{n * 53 % 900 + 100}.5' for n in range(20)),
        ),
        {"scale": "continuous", "file": {"thousands": ","}},
        raters=(1, 1),
    ),
    Case(
        "a comma and three digits may be either",
        rows(
            "id;human;judge",
            *(f"{n};{n % 7 + 1},{n * 37 % 900 + 100};{n % 5 + 1},250" for n in range(20)),
        ),
        open="more than a thousand",
    ),
    Case(
        "three decimals below one",
        rows(
            "id;human;judge",
            *(f"{n};0,{n * 37 % 900 + 100};0,{n * 53 % 900 + 100}" for n in range(20)),
        ),
        {"scale": "continuous", "file": {"decimal": ","}},
        raters=(1, 1),
    ),
    Case(
        "an answer key of scores shares no label with the judges",
        rows(
            "question,reference_score,gpt4_score,claude_score",
            *(
                f"q{n},{n * 37 % 100 / 100 + n / 1e4:.4f},0.{n * 53 % 900 + 100},"
                f"0.{n * 71 % 900 + 100}"
                for n in range(30)
            ),
        ),
        {
            "scale": "continuous",
            "wide": {"reference": ["reference_score"], "judge": ["gpt4_score", "claude_score"]},
        },
        raters=(2, 1),
    ),
    Case(
        "a judge's score is no part of the item's name",
        rows(
            "doc_id,reward,human,judge",
            *(f"d{n // 2},{n * 37 % 100 / 100},{said(n)},{said(n, every=3)}" for n in range(24)),
        ),
        {"columns": {"item": "(row)"}, "cluster": "doc_id"},
        raters=(1, 1),
        items=24,
    ),
]

LABELS = [
    Case(
        "an error of the program among grades",
        rows(
            "id,human,judge", *(f"{n},{n % 5 + 1},{'err' if n % 9 == 0 else 3}" for n in range(30))
        ),
        {"scale": "ordinal", "invalid": ["err"]},
        raters=(1, 1),
    ),
    Case(
        "an error in words among verdicts",
        rows(
            "id,human,judge",
            *(
                f"{n},{said(n)},{said(n, every=3) if n % 5 else 'ERROR: no answer'}"
                for n in range(20)
            ),
        ),
        {"scale": "binary", "invalid": ["ERROR: no answer"]},
        raters=(1, 1),
    ),
    Case(
        "a word among grades may be either",
        rows("id,human,judge", *(f"{n},{n % 5 + 1},{'other' if n == 7 else 3}" for n in range(30))),
        open="`other` (1 of 60 ratings) no rating, or an option",
    ),
    Case(
        "codes of categories, numbers and words",
        rows(
            "id,human,judge",
            *(f"{n},{said(n, 'S1', '2')},{said(n, 'S2', '13', every=3)}" for n in range(20)),
            "a,4,S1",
            "b,13,4",
            "c,S2,2",
        ),
        {"scale": "nominal"},
        raters=(1, 1),
    ),
    Case(
        "a code for no answer beyond the grades",
        rows("id,human,judge", *(f"{n},{n % 5 + 1},{99 if n % 9 == 0 else 3}" for n in range(30))),
        open="`99` mean that there is no rating",
    ),
    Case(
        "minus one among grades is no grade",
        rows("id,human,judge", *(f"{n},{n % 3 + 1},{-1 if n % 9 == 0 else 2}" for n in range(30))),
        {"scale": "ordinal", "options": ["1", "2", "3"], "invalid": ["-1"]},
        raters=(1, 1),
    ),
    Case(
        "signs around a label",
        rows(
            "id,human,judge",
            *(f"{n},{said(n)},{('**no**', 'yes.', 'no', 'yes')[n % 4]}" for n in range(20)),
        ),
        {"scale": "binary", "labels": {"**no**": "no", "yes.": "yes"}},
        raters=(1, 1),
    ),
]

COUNTED = [
    Case(
        "people and judges with numbers",
        rows(
            "id,human_1,human_2,judge_1,judge_2",
            *(f"{n},{n % 5 + 1},{(n + n % 2) % 5 + 1},{n % 4 + 1},{n % 3 + 2}" for n in range(30)),
        ),
        {
            "scale": "ordinal",
            "wide": {"human": ["human_1", "human_2"], "judge": ["judge_1", "judge_2"]},
        },
        raters=(2, 2),
        items=30,
    ),
    Case(
        "as many experts as runs of a judge",
        rows(
            "Item,Expert 1,Expert 2,GPT-4 run 1,GPT-4 run 2",
            *(f"{n},{n % 5 + 1},{(n + n % 2) % 5 + 1},{n % 4 + 1},{n % 3 + 2}" for n in range(30)),
        ),
        {"scale": "ordinal"},
        raters=(1, 2),
        items=30,
    ),
    Case(
        "turns of conversations",
        rows(
            "conv_id,turn,human,judge",
            *(f"c{n // 3},{n % 3},{said(n)},{said(n, every=3)}" for n in range(30)),
        ),
        {"columns": {"item": ["conv_id", "turn"]}, "cluster": "conv_id"},
        raters=(1, 1),
        items=30,
    ),
    Case(
        "per cent with decimal commas",
        rows(
            "Nr;Mensch;Modell",
            *(f"{n};{n * 37 % 100},{n % 10} %;{n * 41 % 100},5 %" for n in range(30)),
        ),
        {"scale": "continuous", "file": {"decimal": ","}},
        raters=(1, 1),
        items=30,
    ),
]

REPEATS = [*ORDERS, *RUNS, *PEOPLE, *FLAGS, *NUMBERS, *LABELS, *COUNTED]
