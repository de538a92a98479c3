"""More tables in the shape of what public repositories hold: how files are written, who rated what
in one row, systems within lists, scores of two sides, and what is no table of ratings.
"""

from __future__ import annotations

import json

from natural import TABLES, YES, Case, rows
from natural_published import PUBLISHED
from natural_repeats import REPEATS


def said(n: int, *labels: str, every: int = 2) -> str:
    return labels[n // every % len(labels)]


def yes(n: int, every: int = 2) -> str:
    return said(n, "yes", "no", every=every)


PLAIN = "id,human,judge"
ANSWERS = [f"{n},{yes(n)},{yes(n, 3)}" for n in range(12)]
HUMAN_JUDGE = {**YES, "wide": {"human": ["human"], "judge": ["judge"]}}
STARS = {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"]}

WRITTEN = [
    Case(
        "empty columns at the end of a sheet",
        rows(
            "ID,HUMAN,LLM_JUDGE,,", *(f"{n},{'YN'[n % 2]},{'YN'[n // 2 % 2]},," for n in range(8))
        ),
        {"scale": "binary", "positive": "Y", "wide": {"human": ["HUMAN"], "judge": ["LLM_JUDGE"]}},
        items=8,
    ),
    Case(
        "a title above the names",
        "Results of May,,\n,,\n" + rows(PLAIN, *ANSWERS),
        HUMAN_JUDGE,
        raters=(1, 1),
        items=12,
    ),
    Case(
        "a title of one cell",
        "Results of May\n" + rows("id,human,judge,topic", *(f"{one},a" for one in ANSWERS)),
        HUMAN_JUDGE,
        items=12,
    ),
    Case(
        "names in two lines",
        rows(
            ",human,human,gpt-4,gpt-4",
            "id,tone,facts,tone,facts",
            *(f"{n},{n % 5 + 1},{n % 4 + 1},{n % 3 + 1},{n % 5 + 1}" for n in range(10)),
        ),
        STARS,
        raters=(1, 1),
        items=10,
    ),
    Case(
        "names in two lines, the upper one merged",
        rows(
            "id,human,,gpt,",
            "id,tone,facts,tone,facts",
            *(f"{n},{n % 5 + 1},{n % 4 + 1},{n % 3 + 1},{n % 5 + 1}" for n in range(10)),
        ),
        STARS,
        raters=(1, 1),
    ),
    Case(
        "a name that two columns have",
        rows(
            "id,label,label,model_label", *(f"{n},{yes(n)},{yes(n, 3)},{yes(n)}" for n in range(8))
        ),
        {**YES, "wide": {"human": ["label", "label 2"], "judge": ["model_label"]}},
        raters=(1, 2),
    ),
    Case(
        "UTF-16 with tabs, as spreadsheets write it",
        rows(PLAIN, *ANSWERS).replace(",", "\t"),
        HUMAN_JUDGE,
        items=12,
        encoding="utf-16",
    ),
    Case(
        "Windows-1252",
        rows(
            "id,humain,juge",
            *(f"{n},{said(n, 'vérifié', 'non vérifié')},vérifié" for n in range(8)),
        ),
        {"wide": {"human": ["humain"], "judge": ["juge"]}},
        raters=(1, 1),
        encoding="cp1252",
    ),
    Case(
        "a table of Markdown",
        "| id | human | judge |\n|---|:--:|---|\n"
        + "".join(f"| {one.replace(',', ' | ')} |\n" for one in ANSWERS),
        HUMAN_JUDGE,
        items=12,
    ),
    Case(
        "JSON lines in a file without an ending",
        {
            "answers": "".join(
                json.dumps({"id": n, "human": yes(n), "judge": yes(n, 3)}) + "\n" for n in range(8)
            )
        },
        HUMAN_JUDGE,
        items=8,
    ),
    Case(
        "JSON lines under the name of a table",
        "".join(
            json.dumps({"id": n, "human": yes(n), "judge": yes(n, 3)}) + "\n" for n in range(8)
        ),
        HUMAN_JUDGE,
        items=8,
    ),
    Case(
        "names in Chinese over numbers",
        rows(
            "序号,问题,人工评分,模型评分", *(f"{n},问题,{n % 5 + 1},{n % 4 + 1}" for n in range(10))
        ),
        {**STARS, "wide": {"human": ["人工评分"], "judge": ["模型评分"]}},
        raters=(1, 1),
    ),
    Case(
        "blanks around names",
        rows("id, human, judge", *(one.replace(",", ", ") for one in ANSWERS)),
        HUMAN_JUDGE,
        raters=(1, 1),
    ),
]

WHO = [
    Case(
        "a judge that is named beside both verdicts",
        rows(
            "item_id,judge,judge_label,human_label",
            *(f"i{n},{j},{yes(n + k)},{yes(n, 3)}" for n in range(8) for k, j in enumerate("xy")),
        ),
        {
            "columns": {"rater": "judge", "item": "item_id"},
            "cells": {
                "judge_label": {"kind": "judge"},
                "human_label": {"rater": "human_label", "kind": "human"},
            },
        },
        raters=(2, 1),
        items=8,
    ),
    Case(
        "the model of the judge in a column",
        rows(
            "trace_id,user_feedback,judge_verdict,judge_model",
            *(f"t{n},{said(n, 'thumbs_up', 'thumbs_down')},pass,gpt-4o" for n in range(8)),
        ),
        {"labels": {"pass": "thumbs_up"}, "columns": {"rater": "judge_model", "item": "trace_id"}},
        raters=(1, 1),
    ),
    Case(
        "a reviewer beside scores by criterion and system",
        rows(
            "id,model_id,dimension,judge_score,human_score,reviewer,date",
            *(
                f"q{n // 2},m{n % 2},{d},{n % 5 + 1},{n % 4 + 1},ann,2026-07-0{n % 9 + 1}"
                for n in range(10)
                for d in ("tone", "facts")
            ),
        ),
        {
            "columns": {
                "rater": "reviewer",
                "criterion": "dimension",
                "system": "model_id",
                "item": "id",
                "time": "date",
            }
        },
        raters=(1, 1),
        items=5,
    ),
    Case(
        "repeats of the judge, one rating of a person",
        rows(
            "item_id,run,judge_score,human_score",
            *(f"i{n},{k},{(n + k) % 5 + 1},{n % 5 + 1}" for n in range(8) for k in (1, 2, 3)),
        ),
        {
            "columns": {"sample": "run", "item": "item_id"},
            "cells": {
                "judge_score": {"rater": "judge_score", "kind": "judge"},
                "human_score": {"rater": "human_score", "kind": "human", "sample": "1"},
            },
        },
        raters=(1, 1),
        items=8,
    ),
    Case(
        "names with spaces and capitals",
        rows(
            "Story ID,Worker ID,Model,Relevance,Coherence,Empathy",
            *(
                f"{n},W{k},{said(n, 'GPT-2', 'Fusion')},{n % 5 + 1},{k + 1},{n % 4 + 1}"
                for n in range(6)
                for k in range(3)
            ),
        ),
        {"columns": {"rater": "Worker ID", "system": "Model", "item": "Story ID"}},
        raters=(0, 3),
        items=6,
    ),
    Case(
        "annotators by their mail",
        rows(
            "task,annotator_email,decision",
            *(f"t{n},{a}@x.org,{said(n, 'approve', 'reject')}" for n in range(6) for a in "kl"),
        ),
        {
            "columns": {"rater": "annotator_email", "value": "decision", "item": "task"},
            "positive": "approve",
        },
        raters=(0, 2),
    ),
    Case(
        "answers of a crowd with dots in the names",
        rows(
            "HITId,WorkerId,AssignmentStatus,Input.id,Answer.rating",
            *(f"H{n},W{k},Approved,{n},{(n + k) % 5 + 1}" for n in range(6) for k in range(3)),
        ),
        {"columns": {"rater": "WorkerId", "value": "Answer.rating", "item": "HITId"}},
        raters=(0, 3),
        items=6,
    ),
    Case(
        "a final label is nobody's own",
        rows(
            "question_id,annotator_1,annotator_2,final_label,notes",
            *(f"q{n},{n % 2},{n // 2 % 2},{n % 2},ok" for n in range(8)),
        ),
        {
            "wide": {"human": ["annotator_1", "annotator_2"], "reference": ["final_label"]},
            "reference": "adjudicated",
        },
    ),
    Case(
        "a model of short labels is a system",
        rows(
            "id,model,human_label,judge_label",
            *(f"{n},{'AB'[n % 2]},{'AB'[n // 2 % 2]},{'AB'[n // 3 % 2]}" for n in range(12)),
        ),
        {
            "columns": {"item": "id", "system": "model"},
            "wide": {"human": ["human_label"], "judge": ["judge_label"]},
        },
        raters=(1, 1),
    ),
    Case(
        "three people and the label of a named tool",
        rows(
            "prompt,human_1,human_2,human_3,tool_label",
            *(f"p{n},{n % 2},{n // 2 % 2},{n % 2},{n // 3 % 2}" for n in range(8)),
        ),
        {"wide": {"human": ["human_1", "human_2", "human_3"], "judge": ["tool_label"]}},
        raters=(1, 3),
    ),
    Case(
        "two columns that nobody can place",
        rows("qid,alpha_label,beta_label", *(f"{n},{n % 4},{n // 2 % 4}" for n in range(12))),
        open="Are `alpha_label` and `beta_label` two raters, or two questions?",
    ),
    Case(
        "raters by name, each with a label for every item",
        json.dumps(
            {
                who: {f"i{n}": n // k % 2 for n in range(24)}
                for k, who in enumerate(("ann", "rater2", "llm"), 1)
            }
        ),
        {"wide": {"human": ["ann", "rater2"], "judge": ["llm"]}},
        suffix=".json",
        raters=(1, 2),
        items=24,
    ),
    Case(
        "choices in a list of one, by session",
        "".join(
            json.dumps(
                {
                    "text": f"t{n} {who}",
                    "_input_hash": n,
                    "accept": [yes(n + len(who))],
                    "answer": "accept",
                    "_annotator_id": who,
                    "_session_id": who,
                }
            )
            + "\n"
            for n in range(6)
            for who in ("kim", "le")
        ),
        {**YES, "columns": {"rater": "_annotator_id", "value": "accept.1", "item": "_input_hash"}},
        suffix=".jsonl",
        raters=(0, 2),
        items=6,
    ),
]

BESIDE = [
    Case(
        "a probability behind the verdict",
        rows(
            "id,human_label,judge_label,judge_prob",
            *(f"{n},{n // 3 % 2},{int(n > 7)},{n / 16}" for n in range(16)),
        ),
        {
            "cells": {
                "human_label": {"rater": "human_label", "kind": "human"},
                "judge_label": {"rater": "judge_label", "kind": "judge", "score": "judge_prob"},
            }
        },
        raters=(1, 1),
    ),
    Case(
        "how sure the judge says it is",
        rows(
            "id,human,judge,confidence",
            *(f"{n},{yes(n)},{yes(n, 3)},{0.5 + n / 40}" for n in range(16)),
        ),
        HUMAN_JUDGE,
        asked="Does `confidence` say how sure `judge` is?",
    ),
    Case(
        "when",
        rows(
            "id,date,human,judge",
            *(f"{n},2025-01-{n + 1:02},{yes(n)},{yes(n, 3)}" for n in range(9)),
        ),
        {**HUMAN_JUDGE, "columns": {"item": "id", "time": "date"}},
    ),
    Case(
        "a weight that is not ours",
        rows(
            "id,label,sample_weight,pred",
            *(f"{n},{yes(n)},{1 + n / 10},{yes(n, 3)}" for n in range(8)),
        ),
        {**YES, "columns": {"item": "id"}},
        asked="Does `sample_weight` weigh the items?",
    ),
    Case(
        "a verdict that failed",
        rows(
            "id,ground_truth,judgement",
            *(f"{n},{yes(n)},{said(n, 'yes', 'no', 'failed!')}" for n in range(9)),
        ),
        {**YES, "invalid": ["failed!"]},
    ),
    Case(
        "true and false positives of a scanner",
        rows(
            "finding_id,severity,manual_verdict,llm_verdict",
            *(f"F{n},{said(n, 'HIGH', 'LOW')},{said(n, 'TP', 'FP', every=3)},TP" for n in range(8)),
        ),
        {"scale": "binary", "positive": "TP"},
    ),
    Case(
        "no consensus is no label",
        rows(
            "pair_id,label1,label2,gold_label",
            *(f"{n},{said(n, 'a', 'b', 'c')},b,{said(n, 'a', 'b', '-')}" for n in range(9)),
        ),
        {"abstain": ["-"], "options": ["a", "b", "c"]},
    ),
]

PAIRS = [
    Case(
        "scores of the chosen and the rejected",
        rows(
            "id,subset,score_chosen,score_rejected",
            *(f"{n},{said(n, 'a', 'b')},{n % 5 / 2},{n % 3}" for n in range(12)),
        ),
        {
            "scale": "pairwise",
            "options": ["chosen", "rejected", "tie"],
            "cells": {
                "preferred": {"rater": "preferred", "kind": "reference"},
                "higher score": {"rater": "table", "kind": "judge"},
            },
        },
        raters=(1, 1),
        items=12,
    ),
    Case(
        "rewards of two answers",
        rows(
            "prompt,chosen,rejected,reward_chosen,reward_rejected",
            *(f"p{n},x,y,{n % 5 / 2 + 0.1},{n % 3}" for n in range(12)),
        ),
        {"scale": "pairwise", "options": ["chosen", "rejected"]},
        raters=(1, 1),
    ),
    Case(
        "scores of two sides beside people's winner",
        rows(
            "id,model_a,model_b,score_a,score_b,human_winner",
            *(
                f"{n},m1,m2,{n % 7},{n % 5},{said(n, 'model_a', 'model_b', 'tie')}"
                for n in range(12)
            ),
        ),
        {"scale": "pairwise", "options": ["model_a", "model_b", "tie"]},
        raters=(1, 1),
    ),
    Case(
        "a verdict in brackets at the end of the judge's text",
        rows(
            "qid,answer_a,answer_b,human,judge_output",
            *(
                f"{n},x y,z,{'ABC'[n % 3]},Both are fine but one is better. [[{'ABC'[n // 2 % 3]}]]"
                for n in range(12)
            ),
        ),
        {"scale": "pairwise", "options": ["A", "B", "C"], "tie": "C"},
        raters=(1, 1),
    ),
    Case(
        "much better is better",
        rows(
            "uid,response_a,response_b,human,judge",
            *(
                f"{n},x y,z,{said(n, 'A>B', 'B>A', 'A=B')},{said(n, 'A>>B', 'A>B', 'B>>A', 'A=B')}"
                for n in range(12)
            ),
        ),
        {"scale": "pairwise", "labels": {"A>>B": "A>B", "B>>A": "B>A"}},
        raters=(1, 1),
    ),
    Case(
        "sides that raters write otherwise",
        rows(
            "uid,response_a,response_b,human,judge",
            *(
                f"{n},x y,z,{said(n, 'A', 'B')},{said(n, '[[A]]', '[[B]]', every=3)}"
                for n in range(12)
            ),
        ),
        {"scale": "pairwise"},
        raters=(1, 1),
    ),
]

ABOUT = [
    Case(
        "systems in columns, rated by a person and a judge",
        rows(
            "question,gpt4_answer,llama_answer,gpt4_human_score,llama_human_score,gpt4_judge_score,"
            "llama_judge_score",
            *(f"q{n},x,y,{n % 5 + 1},{n % 4 + 1},{n % 3 + 1},{n % 5 + 1}" for n in range(10)),
        ),
        STARS,
        raters=(1, 1),
        items=10,
    ),
    Case(
        "three people for each criterion, in lists",
        "".join(
            json.dumps(
                {"prompt": f"p{n}", "helpfulness": [n % 5, 1, 2], "coherence": [4, n % 5, 3]}
            )
            + "\n"
            for n in range(8)
        ),
        {"scale": "ordinal"},
        suffix=".jsonl",
        raters=(0, 3),
    ),
    Case(
        "systems in a list of records, three people for each criterion",
        json.dumps(
            [
                {
                    "context": f"c{n}",
                    "responses": [
                        {
                            "model": m,
                            "response": f"{m} {n}",
                            "Natural": [n % 3, 1, 2],
                            "Overall": [2, n % 3, 1],
                        }
                        for m in ("one", "two")
                    ],
                }
                for n in range(8)
            ]
        ),
        {"scale": "ordinal"},
        suffix=".json",
        raters=(0, 3),
        items=8,
    ),
    Case(
        "flags of several kinds of harm",
        "".join(
            json.dumps(
                {
                    "prompt": f"p{n}",
                    "category": {"abuse": n % 3 == 0, "privacy": n % 2 == 0},
                    "is_safe": n % 4 == 0,
                }
            )
            + "\n"
            for n in range(8)
        ),
        {"scale": "binary"},
        suffix=".jsonl",
        raters=(0, 1),
    ),
    Case(
        "qrels whose queries are few numbers",
        "".join(f"{q} 0 D{q}{d} {(q + d) % 4}\n" for q in range(1, 5) for d in range(6)),
        {"columns": {"value": "relevance", "item": ["query", "document"]}, "cluster": "query"},
        suffix=".txt",
        raters=(0, 1),
        items=24,
    ),
    Case(
        "a leaderboard is no table of ratings",
        rows(
            ",win_rate,standard_error,n_total,avg_length",
            *(f"m{n},{50 + n / 3:.2f},1.{n},805,{400 + n}" for n in range(15)),
        ),
        open="ratings of single items",
    ),
]

SENTENCES = [
    Case(
        "sides in sentences",
        rows(
            "id,model_a,model_b,human_vote,judge_vote",
            *(
                f"{n},m1,m2,{said(n, 'Model A is better', 'Model B is better', 'Tie')},Tie"
                for n in range(12)
            ),
        ),
        {
            "scale": "pairwise",
            "options": ["A", "B", "Tie"],
            "labels": {"Model A is better": "A", "Model B is better": "B"},
        },
        raters=(1, 1),
    ),
    Case(
        "sides by how much",
        rows(
            "id,response_a,response_b,human,judge",
            *(
                f"{n},x y,z,{said(n, 'A is much better', 'B is slightly better')},"
                f"{said(n, 'A is slightly better', 'B is much better', 'about the same')}"
                for n in range(12)
            ),
        ),
        {"scale": "pairwise", "options": ["A", "B", "about the same"]},
        raters=(1, 1),
    ),
    Case(
        "sides by 0 and 1, without a tie",
        rows(
            "prompt,completion_a,completion_b,human_pref,llm_pref",
            *(f"p{n},{'x ' * 40},{'y ' * 40},{n % 2},{n // 2 % 2}" for n in range(12)),
        ),
        {"scale": "pairwise", "options": ["0", "1"]},
    ),
    Case(
        "wins, losses and ties, whatever the systems are called",
        rows(
            "question_id,baseline,candidate,human,gpt4",
            *(f"{n},m0,m1,{said(n, 'win', 'loss', 'tie')},win" for n in range(12)),
        ),
        {"scale": "pairwise", "options": ["win", "loss", "tie"]},
        raters=(1, 1),
    ),
    Case(
        "a label and a score of one detector",
        rows(
            "id,is_hallucination,detector_label,detector_score",
            *(f"{n},{n // 3 % 2},{int(n > 7)},{n / 16}" for n in range(16)),
        ),
        {
            "cells": {
                "is_hallucination": {"rater": "is_hallucination", "kind": "reference"},
                "detector_label": {
                    "rater": "detector_label",
                    "kind": "judge",
                    "score": "detector_score",
                },
            }
        },
        raters=(1, 1),
    ),
    Case(
        "students are graded and do not grade",
        rows(
            "student,question,teacher_grade,ai_grade",
            *(f"s{n % 4},q{n // 4},{n % 6},{n % 5}" for n in range(16)),
        ),
        {"scale": "ordinal", "wide": {"human": ["teacher_grade"], "judge": ["ai_grade"]}},
        raters=(1, 1),
    ),
    Case(
        "all capitals",
        rows(
            "ITEM_ID,RATER,RATING",
            *(
                f"{n},{who},{(n + k) % 5 + 1}"
                for n in range(8)
                for k, who in enumerate(("Expert1", "GPT-4"))
            ),
        ),
        {"columns": {"value": "RATING", "item": "ITEM_ID"}, "raters": {"judge": ["GPT-4"]}},
        raters=(1, 1),
        items=8,
    ),
    Case(
        "graders of two types",
        rows(
            "sample,grader_type,grader_name,dimension,rating",
            *(
                f"s{n},{kind},{who},{d},{(n + len(who)) % 5 + 1}"
                for n in range(6)
                for kind, who in (("human", "amy"), ("llm", "acme"))
                for d in ("tone", "facts")
            ),
        ),
        {
            "columns": {
                "rater": "grader_name",
                "value": "rating",
                "criterion": "dimension",
                "item": "sample",
            },
            "raters": {"judge": ["acme"]},
        },
        raters=(1, 1),
        items=6,
    ),
    Case(
        "a key, answers, and whether they are equal",
        rows(
            "input,target,output,correct",
            *(f"q{n},{'ABCD'[n % 4]},{'ABCD'[n // 2 % 4]},{n % 3 == 0}" for n in range(12)),
        ),
        {"wide": {"reference": ["target"], "judge": ["output"]}},
        raters=(1, 1),
    ),
    Case(
        "grades within objects",
        "".join(
            json.dumps(
                {
                    "metadata": {"id": n},
                    "human_grade": {"score": n % 5 + 1, "by": "kim"},
                    "auto_grade": {"score": n % 4 + 1, "by": "acme"},
                }
            )
            + "\n"
            for n in range(10)
        ),
        {"wide": {"human": ["human_grade.score"], "judge": ["auto_grade.score"]}},
        suffix=".jsonl",
        raters=(1, 1),
    ),
]

CASES = [*TABLES, *WRITTEN, *WHO, *BESIDE, *PAIRS, *ABOUT, *SENTENCES, *REPEATS, *PUBLISHED]
