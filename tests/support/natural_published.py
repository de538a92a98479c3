"""Natural tables in the shape of files as authors published them, with contents of our own."""

from __future__ import annotations

import json

from natural import Case, rows


def said(n: int, *labels: str, every: int = 1) -> str:
    return labels[n * 7 // every % len(labels)]


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


_COMPLIANCE = ("1_full_compliance", "2_full_refusal", "3_partial_refusal")
_GRADES = ("correctness", "completeness", "tone", "invention")


def _two_people_and_consensus(n: int) -> str:
    one = [(n * k) % 3 for k in (1, 2, 5, 7)]
    two = [(n * k + (n % 4 == 0)) % 3 for k in (1, 2, 5, 7)]
    cells = [*one, sum(one), int(sum(one) > 4), *two, sum(two), int(sum(two) > 4)]
    return ",".join(map(str, [n, "dev", said(n, "returns", "warranty"), *cells, *one, sum(one), 1]))


SAFETY = [
    Case(
        "two annotations, whether they agree, a final label and a judge's",
        rows(
            "id,type,prompt,completion,annotation_1,annotation_2,agreement,final_label,gpt4_label",
            *(
                f"v2-{n},homonyms,What is {n}?,It is.,{said(n, *_COMPLIANCE)},"
                f"{said(n, *_COMPLIANCE)},True,{said(n, *_COMPLIANCE)},{said(n + 1, *_COMPLIANCE)}"
                for n in range(24)
            ),
        ),
        {
            "reference": "adjudicated",
            "wide": {
                "human": ["annotation_1", "annotation_2"],
                "reference": ["final_label"],
                "judge": ["gpt4_label"],
            },
        },
        raters=(1, 2),
    ),
    Case(
        "a key, the judge's choice, its model, and whether it is right",
        rows(
            "org_id,model,judge_model,correct_choice,judge_choice,judge_reasoning,is_correct",
            *(
                f"{n * 3},gemini,gpt-4o,{said(n, 'A', 'B')},{said(n // 2, 'A', 'B')},because,"
                f"{said(n, 'True', 'False')}"
                for n in range(20)
            ),
        ),
        {
            "columns": {"rater": "judge_model", "item": "org_id"},
            "cells": {
                "correct_choice": {"rater": "correct_choice", "kind": "reference"},
                "judge_choice": {"kind": "judge"},
            },
        },
        raters=(1, 1),
    ),
    Case(
        "a category is no judge's verdict",
        rows(
            "run_id,experiment,item_id,category,condition,trial,human_declined,note",
            *(
                f"r{n},E1,i{n // 6},{said(n // 6, 'answerable', 'premise', 'unknowable')},"
                f"{said(n, 'plain', 'told')},{n % 3 + 1},{said(n, 'True', 'False')},so"
                for n in range(36)
            ),
        ),
        {
            "columns": {"item": "run_id"},
            "cluster": "item_id",
            "wide": {"human": ["human_declined"]},
        },
        raters=(0, 1),
        asked="`category`",
    ),
]

PEOPLE = [
    Case(
        "people by letters and their consensus, for each criterion",
        rows(
            "item_id,split,category,"
            + ",".join(
                f"{who}_{what}"
                for who in ("a", "b", "consensus")
                for what in (*_GRADES, "total", "pass")
            ),
            *(_two_people_and_consensus(n) for n in range(1, 31)),
        ),
        {"scale": "ordinal", "options": ["0", "1", "2"]},
        raters=(0, 2),
        items=30,
    ),
    Case(
        "detectors beside people's guesses and the truth",
        json.dumps(
            [
                {
                    "id": n,
                    "ground_truth": said(n, "Human-written", "AI-generated"),
                    "pangram": said(n // 2, "Human-written", "AI-generated"),
                    "gptzero": said(n // 3, "Human-written", "AI-generated"),
                    "radar": n % 2,
                    **{
                        f"annotator_{k}": {
                            "guess": said(n + k, "Human-written", "AI-generated"),
                            "confidence": n % 5 + 1,
                        }
                        for k in (1, 2, 3)
                    },
                }
                for n in range(20)
            ]
        ),
        {
            "wide": {
                "reference": ["ground_truth"],
                "judge": ["pangram", "gptzero"],
                "human": ["annotator_1.guess", "annotator_2.guess", "annotator_3.guess"],
            }
        },
        suffix=".json",
        raters=(2, 3),
        asked="`radar`",
    ),
    Case(
        "items of a test that many answer, each answer with an id",
        rows(
            "domain,item,response_id,response,human_1,human_2,gpt4",
            *(f"Math,{n % 10},{n + 1},text,{n % 3},{n // 2 % 3},{n // 3 % 3}" for n in range(40)),
        ),
        {"columns": {"item": "response_id", "cluster": "item"}, "cluster": "cluster"},
        raters=(1, 2),
        items=40,
    ),
    Case(
        "three winners for each pair and turn",
        rows(
            "question_id\tmodel_1\tmodel_2\tturn\twinner1\twinner2\twinner3",
            *(
                f"{80 + n // 2}\tone\ttwo\t{n % 2 + 1}\t"
                + "\t".join(said(n + k, "model_1", "model_2", "tie") for k in range(3))
                for n in range(24)
            ),
        ),
        {
            "scale": "pairwise",
            "columns": {
                "system": "model_1",
                "opponent": "model_2",
                "item": ["question_id", "turn"],
            },
            "cluster": "question_id",
        },
        raters=(0, 3),
    ),
    Case(
        "a decision beside scores of the same raters",
        rows(
            "example_id,agent_decision,human_expected_decision,judge_overall_score,"
            "human_overall_score,human_notes",
            *(
                f"g{n},{said(n, 'AUTO', 'ESCALATE')},{said(n // 2, 'AUTO', 'ESCALATE')},"
                f"{said(n, '4.86', '4.5', '4.71', '4.36')},{said(n, '4.5', '4.86', '4.71', '4.36')}"
                ",accepted"
                for n in range(20)
            ),
        ),
        {
            "scale": "continuous",
            "wide": {"judge": ["judge_overall_score"], "human": ["human_overall_score"]},
        },
        raters=(1, 1),
    ),
]

CRITERIA = [
    Case(
        "criteria as adjectives",
        lines(
            *(
                {
                    "id": f"q{n}",
                    "faithful": said(n, "pass", "fail"),
                    "relevant": said(n // 2, "pass", "fail"),
                    "cited_correctly": said(n // 3, "pass", "fail"),
                    "note": "",
                }
                for n in range(16)
            )
        ),
        {"scale": "binary", "positive": "pass"},
        suffix=".jsonl",
        raters=(0, 1),
    ),
    Case(
        "scores within a record are named by what they are of",
        lines(
            *(
                {"id": f"t{n}", "scores": {"tone": n % 4 + 2, "relevance": n % 3 + 2}}
                for n in range(12)
            )
        ),
        {
            "cells": {
                "scores.tone": {"rater": "table", "kind": "human", "criterion": "tone"},
                "scores.relevance": {"rater": "table", "kind": "human", "criterion": "relevance"},
            }
        },
        suffix=".jsonl",
        raters=(0, 1),
    ),
    Case(
        "a mean of the criteria is none of them",
        lines(
            *(
                {
                    "thread_id": str(900 + n),
                    "correctness": n % 5 + 1,
                    "helpfulness": n * 3 % 5 + 1,
                    "brand_voice": n * 7 % 4 + 1,
                    "overall": (n % 5 + 1 + n * 3 % 5 + 1 + n * 7 % 4 + 1) / 3,
                }
                for n in range(24)
            )
        ),
        {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"]},
        suffix=".jsonl",
        raters=(0, 1),
        items=24,
    ),
    Case(
        "errors of four kinds, one of them of language",
        rows(
            "model_name,doc_id,rep_id,err_facts,err_data,err_language,err_reading,evaluator_note",
            *(
                f"{m},D{n},{rep},{n % 2},{n // 2 % 2},{n // 3 % 2},{rep % 2},"
                for m in ("qwen", "llama")
                for n in range(6)
                for rep in (1, 2)
            ),
        ),
        {
            "columns": {"system": "model_name", "item": ["doc_id", "rep_id"]},
            "cells": {
                f"err_{what}": {"rater": "table", "kind": "human", "criterion": f"err_{what}"}
                for what in ("facts", "data", "language", "reading")
            },
        },
        raters=(0, 1),
    ),
    Case(
        "units by an id of their own, a run's id beside it",
        rows(
            "unit_id,metric,human_score,judge_score,package_id,run_id,notes",
            *(
                f"u{n},{m},{n % 5},{n * 3 % 5},p{n // 4},r{n // 2},"
                for n in range(12)
                for m in "CGRL"
            ),
        ),
        {"columns": {"item": "unit_id", "criterion": "metric"}},
        raters=(1, 1),
        items=12,
    ),
]

FILES = [
    Case(
        "criteria in rows on different scales",
        rows(
            "item,criterion,rater,kind,value",
            *(
                f"i{n},{what},{who},{kind},{label}"
                for n in range(8)
                for what, label in (("useful", n / 10), ("tone", said(n, "good", "bad")))
                for who, kind in (("ann", "human"), ("gpt", "judge"))
            ),
        ),
        open="Which criterion is asked about? They are on different scales",
    ),
    Case(
        "a judge in rows that writes the options otherwise",
        rows(
            "item,rater,kind,value",
            *(
                f"i{n},{who},{kind},{said(n + k, *labels)}"
                for n in range(12)
                for k, (who, kind, labels) in enumerate(
                    [
                        ("ann", "human", ("yes", "no")),
                        ("gpt", "judge", ("yes", "no")),
                        ("claude", "judge", ("PASS", "FAIL")),
                    ]
                )
            ),
        ),
        {"scale": "binary", "labels": {"PASS": "yes", "FAIL": "no"}},
        raters=(2, 1),
    ),
    Case(
        "names with blanks between them, over tabs and blanks",
        "system mqm_avg_score seg_id\n"
        + "".join(
            f"{m}\t{said(n, '-1.100000', '-5.000000', 'None')} {n}\n"
            for m in ("One-A", "Two-B")
            for n in range(1, 12)
        ),
        {
            "scale": "continuous",
            "invalid": ["None"],
            "columns": {"value": "mqm_avg_score", "item": "seg_id"},
        },
        suffix=".tsv",
        raters=(0, 1),
        items=11,
    ),
    Case(
        "a winner without the names of the two",
        rows(
            "sample_id,instruction_truncated,winner",
            *(f"{n},What is {n}?,{said(n, 'Model A', 'Model B', 'Tie')}" for n in range(12)),
        ),
        {"scale": "pairwise", "tie": "Tie"},
        raters=(0, 1),
    ),
    Case(
        "labels that nobody filled in yet",
        rows("id,faithful,note", *(f"q{n},," for n in range(8))),
        open="`faithful` and `note` are empty in all rows",
    ),
    Case(
        "scores that nobody filled in yet",
        lines(
            *(
                {"id": f"c{n}", "question": "?", "answer": "!", "human_score": None, "note": ""}
                for n in range(8)
            )
        ),
        suffix=".jsonl",
        open="`human_score`",
    ),
    Case(
        "lists of records within lists of records",
        lines(
            *(
                {
                    "input": f"Tell of {n}",
                    "annotations": [
                        {
                            "is-relevant": n % 2 == k % 2,
                            "facts": [{"text": "so", "label": said(n + k, "S", "NS")}],
                        }
                        for k in range(3)
                    ],
                }
                for n in range(8)
            )
        ),
        suffix=".jsonl",
        open='file.rows = ["annotations.facts"]',
    ),
    Case(
        "an object that names lists of records",
        json.dumps(
            {
                "date": "2026",
                "eval": {
                    f"T/{n}": [
                        {"task_id": f"T/{n}", "human": said(n, "pass", "fail"), "gpt": "pass"}
                    ]
                    for n in range(10)
                },
            }
        ),
        {"wide": {"human": ["human"], "judge": ["gpt"]}, "columns": {"item": "task_id"}},
        suffix=".json",
        raters=(1, 1),
        items=10,
    ),
    Case(
        "long lists of labels that go together",
        lines(
            *(
                {
                    "prompt": f"Who is {n}?",
                    "human_labels": [said(n + k, "S", "NS") for k in range(12 + n)],
                    "Small_Labels": [said(n * k, "S", "NS") for k in range(12 + n)],
                    "ChatGPT_Labels": [said(n + k // 2, "S", "NS") for k in range(12 + n)],
                }
                for n in range(6)
            )
        ),
        {"file": {"rows": ["human_labels", "Small_Labels", "ChatGPT_Labels"]}, "cluster": "prompt"},
        suffix=".jsonl",
        items=sum(12 + n for n in range(6)),
    ),
]

PUBLISHED = [*SAFETY, *PEOPLE, *CRITERIA, *FILES]
