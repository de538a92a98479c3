"""Small tables in the shape of what public repositories hold, each with the right reading.

A case is the text of one file (or of several, by name) and what the drafted task must say. `open`
is a part of the question that only a person can answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    name: str
    text: str | dict[str, str]
    expected: dict[str, Any] = field(default_factory=dict)
    suffix: str = ".csv"
    open: str | None = None
    #: judges, people (or what stands for them) and items that are read.
    raters: tuple[int, int] | None = None
    items: int | None = None
    encoding: str = "utf-8"
    #: What one of the questions that are shown, and not taken, says.
    asked: str | None = None


def rows(header: str, *lines: str) -> str:
    return "\n".join([header, *lines]) + "\n"


YES = {"scale": "binary", "positive": "yes"}

WIDE = [
    Case(
        "human and judge",
        rows("id,human,judge", "1,yes,yes", "2,no,yes", "3,yes,no"),
        {**YES, "wide": {"human": ["human"], "judge": ["judge"]}, "columns": {"item": "id"}},
        raters=(1, 1),
        items=3,
    ),
    Case(
        "judge and gold",
        rows("id,judge,gold", "1,1,1", "2,0,1", "3,1,0"),
        {"scale": "binary", "positive": "1", "wide": {"judge": ["judge"], "reference": ["gold"]}},
        raters=(1, 1),
    ),
    Case(
        "human_label and llm_label, no id",
        rows("human_label,llm_label", "good,good", "bad,good", "good,bad"),
        {
            "scale": "binary",
            "positive": "good",
            "wide": {"human": ["human_label"], "judge": ["llm_label"]},
            "columns": {"item": "(row)"},
        },
        items=3,
    ),
    Case(
        "questions with two annotators and gpt4",
        rows(
            "question,annotator1,annotator2,gpt4",
            '"What is 2 + 2?",correct,correct,correct',
            '"Who wrote Emma?",correct,incorrect,incorrect',
            '"Capital of Peru?",incorrect,incorrect,correct',
        ),
        {
            "scale": "binary",
            "positive": "correct",
            "wide": {"human": ["annotator1", "annotator2"], "judge": ["gpt4"]},
            "columns": {"item": "question"},
        },
        raters=(1, 2),
    ),
    Case(
        "passed as true and false",
        rows("judge_passed,human_passed", "true,true", "false,true", "true,false"),
        {
            "scale": "binary",
            "positive": "true",
            "wide": {"human": ["human_passed"], "judge": ["judge_passed"]},
        },
    ),
    Case(
        "index column of pandas",
        rows(",human,gpt-4", "0,PASS,PASS", "1,FAIL,PASS", "2,PASS,FAIL"),
        {
            "scale": "binary",
            "positive": "PASS",
            "columns": {"item": "Unnamed: 0"},
            "wide": {"human": ["human"], "judge": ["gpt-4"]},
        },
    ),
    Case(
        "True and False of Python against yes and no",
        rows("id,human,llm_judge", "1,True,yes", "2,False,no", "3,True,no"),
        {"scale": "binary", "options": ["True", "False"], "labels": {"yes": "True", "no": "False"}},
    ),
    Case(
        "1 and 0 against PASS and FAIL",
        rows("case_id,human_score,judge_verdict", "a,1,PASS", "b,0,FAIL", "c,1,FAIL"),
        {"scale": "binary", "positive": "1", "labels": {"PASS": "1", "FAIL": "0"}},
    ),
    Case(
        "stars from 1 to 5",
        rows("id,human_rating,gpt4_rating", "1,5,4", "2,1,2", "3,4,4", "4,2,5"),
        {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"], "weights": "quadratic"},
    ),
    Case(
        "scores from 0 to 1",
        rows("id,human,judge", *(f"{n},{n / 40:.3f},{(n % 7) / 7:.3f}" for n in range(30))),
        {"scale": "continuous", "wide": {"human": ["human"], "judge": ["judge"]}},
    ),
    Case(
        "scores from 0 to 100",
        rows("id,human_score,llm_score", "1,80,85", "2,20,0", "3,100,95", "4,60,70"),
        {"scale": "continuous"},
    ),
    Case(
        "not applicable",
        rows("id,human,judge", "1,yes,N/A", "2,no,yes", "3,N/A,no", "4,yes,yes"),
        {**YES, "abstain": ["N/A"]},
    ),
    Case(
        "None and nan of a parser",
        rows("id,expert,claude", "1,yes,None", "2,no,nan", "3,yes,no", "4,no,yes"),
        {**YES, "invalid": ["nan", "None"]},
    ),
    Case(
        "semicolons and a byte order mark",
        "\ufeff" + rows("id;human;judge", "1;ja;ja", "2;nein;ja", "3;ja;nein"),
        {"scale": "binary", "positive": "ja"},
    ),
    Case(
        "decimal commas",
        rows("id;human;judge", *(f"{n};{n % 9},5;{n % 7},25" for n in range(40))),
        {"scale": "continuous", "file": {"decimal": ","}},
        raters=(1, 1),
    ),
    Case(
        "texts with line ends and commas",
        rows(
            "prompt,response,human_label,model_label",
            '"Say\nhello","Hello, world\nagain",good,good',
            '"Name a colour","Red",bad,good',
            '"Name an animal","A ""cat""",good,bad',
        ),
        {"wide": {"human": ["human_label"], "judge": ["model_label"]}},
        items=3,
    ),
    Case(
        "expected and actual",
        rows("id,expected,actual", "1,refund,refund", "2,other,refund", "3,refund,other"),
        {"scale": "nominal", "wide": {"reference": ["expected"], "judge": ["actual"]}},
    ),
    Case(
        "label and prediction",
        rows("text,label,prediction", "a b,spam,spam", "c d,ham,spam", "e f,spam,ham"),
        {
            "scale": "binary",
            "positive": "spam",
            "wide": {"reference": ["label"], "judge": ["prediction"]},
            "references": {"label": "unknown"},
        },
    ),
    Case(
        "metadata of a run beside the labels",
        rows(
            "id,model,temperature,latency_ms,tokens,created_at,human,judge",
            "1,gpt-4o,0.7,812,120,2025-01-03T10:00:00,pass,pass",
            "2,gpt-4o,0.7,640,98,2025-01-03T10:01:00,fail,pass",
            "3,claude,0.7,905,140,2025-01-03T10:02:00,pass,fail",
            "4,claude,0.7,777,131,2025-01-03T10:03:00,fail,fail",
        ),
        {
            "wide": {"human": ["human"], "judge": ["judge"]},
            "columns": {"item": "id", "system": "model", "time": "created_at"},
        },
    ),
    Case(
        "three judges by their models",
        rows(
            "item_id,human,gpt-4o,claude-3-opus,llama-3-70b", "1,A,A,A,B", "2,B,A,B,B", "3,A,B,A,A"
        ),
        {"wide": {"human": ["human"], "judge": ["gpt-4o", "claude-3-opus", "llama-3-70b"]}},
        raters=(3, 1),
    ),
    Case(
        "people by name and one model",
        rows("id,alice,bob,gpt4", "1,MET,MET,UNMET", "2,UNMET,MET,UNMET", "3,MET,UNMET,MET"),
        {"wide": {"human": ["alice", "bob"], "judge": ["gpt4"]}, "positive": "MET"},
    ),
    Case(
        "ground truth of two words",
        rows("question_id,ground_truth,llm_judge", "1,toxic,toxic", "2,not toxic,toxic"),
        {"positive": "toxic", "wide": {"judge": ["llm_judge"], "reference": ["ground_truth"]}},
    ),
    Case(
        "a derived column of agreement is no rater",
        rows("id,human,judge,match", "1,yes,yes,True", "2,no,yes,False", "3,yes,no,False"),
        {"wide": {"human": ["human"], "judge": ["judge"]}},
        raters=(1, 1),
    ),
    Case(
        "question ids that repeat over systems",
        rows("question_id,model,human,judge", "q1,m1,1,1", "q1,m2,0,1", "q2,m1,1,0", "q2,m2,0,0"),
        {"columns": {"item": "question_id", "system": "model"}},
        items=2,
    ),
    Case(
        "ids that repeat over answers",
        rows(
            "id,answer_no,human,judge", "q1,1,yes,yes", "q1,2,no,yes", "q2,1,yes,no", "q2,2,no,no"
        ),
        {"columns": {"item": ["id", "answer_no"]}, "cluster": "id"},
        items=4,
    ),
    Case(
        "camel case",
        rows("exampleId,humanVerdict,modelVerdict", "1,Yes,Yes", "2,No,Yes", "3,Yes,No"),
        {"wide": {"human": ["humanVerdict"], "judge": ["modelVerdict"]}, "positive": "Yes"},
    ),
    Case(
        "case and space of a spreadsheet",
        rows("id,Human Label,LLM Label", "1,Yes,YES", "2,no,No ", "3,yes, yes"),
        {"scale": "binary", "wide": {"human": ["Human Label"], "judge": ["LLM Label"]}},
        raters=(1, 1),
    ),
    Case(
        "graded relevance of words",
        rows(
            "query_id,human,gpt",
            "1,irrelevant,irrelevant",
            "2,partially relevant,relevant",
            "3,relevant,relevant",
        ),
        {"scale": "ordinal", "options": ["irrelevant", "partially relevant", "relevant"]},
    ),
    Case(
        "thumbs",
        rows("id,user_feedback,judge_score", "1,thumbs_up,1", "2,thumbs_down,0"),
        {
            "scale": "binary",
            "positive": "thumbs_up",
            "labels": {"1": "thumbs_up", "0": "thumbs_down"},
            "wide": {"human": ["user_feedback"], "judge": ["judge_score"]},
        },
    ),
    Case(
        "labels that share nothing",
        rows("id,human,judge", "1,refund,A", "2,billing,B", "3,refund,C"),
        open="none is shared",
    ),
    Case(
        "half points", rows("id,human,judge", "1,3.5,4", "2,1,1.5", "3,5,4.5"), {"scale": "ordinal"}
    ),
    Case(
        "verdicts with a score beside them",
        rows("id,human,judge,judge_confidence", "1,yes,yes,0.91", "2,no,yes,0.55", "3,yes,no,0.31"),
        {"wide": {"human": ["human"], "judge": ["judge"]}},
        raters=(1, 1),
    ),
    Case(
        "conversations that repeat are clusters",
        rows(
            "id,conversation_id,human,judge",
            "1,c1,yes,yes",
            "2,c1,no,yes",
            "3,c2,yes,no",
            "4,c2,no,no",
        ),
        {"cluster": "conversation_id", "columns": {"item": "id"}},
    ),
    Case(
        "integers with gaps as pandas writes them",
        rows("id,human,judge", "1,1.0,1", "2,,0", "3,0.0,1"),
        {"scale": "binary", "positive": "1"},
    ),
]

LONG = [
    Case(
        "goldassay's own",
        rows("item,rater,kind,value", "1,kim,human,yes", "1,gpt,judge,yes", "2,kim,human,no"),
        {**YES, "cluster": "item"},
        raters=(1, 1),
    ),
    Case(
        "annotators by number",
        rows("text_id,annotator_id,label", "a,1,good", "a,2,bad", "b,1,good", "b,2,good"),
        {
            "columns": {"item": "text_id", "rater": "annotator_id", "value": "label"},
            "constants": {"kind": "human"},
        },
        raters=(0, 2),
    ),
    Case(
        "raters of both kinds by their names",
        rows("example_id,rater,label", "1,kim,yes", "1,gpt-4o,yes", "2,kim,no", "2,gpt-4o,yes"),
        {"raters": {"judge": ["gpt-4o"]}, **YES},
        raters=(1, 1),
    ),
    Case(
        "a source that is human or llm",
        rows("id,source,score", "1,human,4", "1,llm,5", "2,human,2", "2,llm,2"),
        {"columns": {"item": "id", "rater": "source", "value": "score"}},
        raters=(1, 1),
    ),
    Case(
        "kinds in a column of their own",
        rows(
            "id,annotator,annotator_type,rating",
            "1,ann,human,1",
            "1,m1,ai,2",
            "2,ann,human,3",
            "2,m1,ai,3",
        ),
        {"raters": {"judge": ["m1"]}, "scale": "ordinal"},
        raters=(1, 1),
    ),
    Case(
        "a column judge that holds names",
        rows(
            "question_id,judge,verdict", "1,gpt-4,correct", "1,claude,incorrect", "2,gpt-4,correct"
        ),
        {
            "columns": {"item": "question_id", "rater": "judge", "value": "verdict"},
            "constants": {"kind": "judge"},
        },
        raters=(2, 0),
    ),
    Case(
        "criteria in rows",
        rows(
            "id,criterion,annotator,score",
            "1,fluency,ann,3",
            "1,accuracy,ann,5",
            "2,fluency,ann,1",
            "2,accuracy,ann,2",
        ),
        {"columns": {"item": "id", "rater": "annotator", "value": "score"}},
        items=2,
    ),
    Case(
        "workers of a crowd with a gold rater",
        rows("task_id,worker_id,answer", "1,A1XY,yes", "1,A2ZZ,no", "2,A1XY,no", "2,A2ZZ,no"),
        {"columns": {"item": "task_id", "rater": "worker_id", "value": "answer"}},
        raters=(0, 2),
    ),
    Case(
        "repeats of a judge",
        rows(
            "id,rater,trial,label", "1,gpt-4,1,yes", "1,gpt-4,2,no", "2,gpt-4,1,no", "2,gpt-4,2,no"
        ),
        {"columns": {"item": "id", "value": "label", "sample": "trial"}},
    ),
    Case(
        "JSON lines with booleans",
        '{"id": "a", "human": true, "judge": false}\n{"id": "b", "human": false, "judge": false}\n'
        '{"id": "c", "human": true, "judge": true}\n',
        {"scale": "binary", "positive": "true", "wide": {"human": ["human"], "judge": ["judge"]}},
        suffix=".jsonl",
    ),
    Case(
        "a list of JSON objects",
        '[{"idx": 0, "gpt_result": "1", "human_result": 1}, '
        '{"idx": 1, "gpt_result": "0", "human_result": 1}]',
        {"columns": {"item": "idx"}, "wide": {"human": ["human_result"], "judge": ["gpt_result"]}},
        suffix=".json",
    ),
    Case(
        "tabs with bare quotes",
        rows(
            "id\ttext\thuman\tgpt4",
            '1\tHe said "yes"\tyes\tyes',
            '2\tan "odd one\tno\tyes',
            "3\tplain\tyes\tno",
        ),
        YES,
        suffix=".tsv",
        items=3,
    ),
    Case(
        "labels of three classes",
        rows("id,annotator,sentiment", "1,kim,positive", "2,kim,neutral", "3,kim,negative"),
        {"scale": "ordinal", "options": ["negative", "neutral", "positive"]},
    ),
    Case(
        "several labels at once",
        rows("item,rater,kind,value", "1,k,human,A|B", "2,k,human,A", "3,k,human,B", "4,k,human,C"),
        {"scale": "nominal", "options": ["A", "B", "C"]},
    ),
]

PAIRS = [
    Case(
        "models and a winner",
        rows(
            "question_id,model_a,model_b,winner,judge",
            "1,gpt-4,llama,model_a,gpt-4-judge",
            "1,gpt-4,llama,tie,expert_1",
            "2,llama,vicuna,model_b,gpt-4-judge",
            "2,llama,vicuna,model_b,expert_1",
        ),
        {
            "scale": "pairwise",
            "options": ["model_a", "model_b", "tie"],
            "tie": "tie",
            "ties": "half",
            "raters": {"judge": ["gpt-4-judge"]},
        },
        raters=(1, 1),
    ),
    Case(
        "votes without an item",
        rows(
            "model_a,model_b,rater,kind,winner",
            "gpt-4,llama,j1,judge,model_a",
            "llama,vicuna,j1,judge,model_b",
            "gpt-4,vicuna,j2,judge,model_a",
            "vicuna,llama,j2,judge,model_a",
            "vicuna,llama,j1,judge,model_a",
        ),
        {"scale": "pairwise", "options": ["model_a", "model_b"]},
        raters=(2, 0),
    ),
    Case(
        "an arena",
        rows(
            "question_id,model_a,model_b,winner,judge,turn,anony,language,tstamp",
            "q1,alpaca,vicuna,model_b,arena_user_1,1,True,English,1682351591.1",
            "q2,koala,alpaca,tie (bothbad),arena_user_2,1,True,English,1682351654.7",
            "q3,vicuna,koala,model_a,arena_user_3,1,True,English,1682351700.2",
            "q4,vicuna,alpaca,tie,arena_user_1,2,True,German,1682351800.9",
        ),
        {
            "scale": "pairwise",
            "options": ["model_a", "model_b", "tie"],
            "labels": {"tie (bothbad)": "tie"},
            "columns": {
                "item": "question_id",
                "rater": "judge",
                "value": "winner",
                "system": "model_a",
                "opponent": "model_b",
            },
        },
        raters=(0, 3),
    ),
    Case(
        "answers A and B with two raters in columns",
        rows(
            "id,response_a,response_b,human,gpt4",
            "1,short,a longer answer,A,B",
            "2,text,another text,B,B",
            "3,one,two,tie,A",
        ),
        {
            "scale": "pairwise",
            "options": ["A", "B", "tie"],
            "wide": {"human": ["human"], "judge": ["gpt4"]},
        },
    ),
    Case(
        "winner by the system's name",
        rows(
            "id,model_a,model_b,annotator,winner",
            "1,gpt-4,llama,kim,gpt-4",
            "2,llama,vicuna,kim,vicuna",
            "3,llama,gpt-4,kim,tie",
        ),
        {"scale": "pairwise", "options": ["first", "second", "tie"]},
    ),
    Case(
        "0 is a tie",
        rows(
            "idx,response1,response2,annotator1,annotator2,gpt_result",
            "0,some text,other text,1,1,1",
            "1,some text,other text,2,0,Tie",
            "2,some text,other text,0,2,garbage",
        ),
        {
            "scale": "pairwise",
            "options": ["1", "2", "Tie"],
            "labels": {"0": "Tie"},
            "invalid": ["garbage"],
        },
        raters=(1, 2),
    ),
    Case(
        "system and opponent",
        rows(
            "item,rater,kind,value,system,opponent",
            "1,h,human,A,x,y",
            "2,h,human,B,x,y",
            "3,h,human,tie,x,y",
        ),
        {"scale": "pairwise", "tie": "tie"},
    ),
]

CRITERIA = [
    Case(
        "a column per criterion",
        rows(
            "id,annotator,fluency,relevance,coherence",
            "1,ann,3,5,4",
            "1,bob,4,5,4",
            "2,ann,1,2,2",
            "2,bob,2,1,3",
        ),
        {
            "scale": "ordinal",
            "cells": {n: {"criterion": n} for n in ("fluency", "relevance", "coherence")},
            "columns": {"item": "id", "rater": "annotator"},
        },
        raters=(0, 2),
    ),
    Case(
        "questions by number",
        rows(
            "dialogue_system,text_id,Q1,Q2,Q3,annotator_id",
            "2,a,3,4,4,22",
            "0,b,1,4,2,22",
            "2,c,2,4,1,23",
        ),
        {
            "cells": {n: {"criterion": n} for n in ("Q1", "Q2", "Q3")},
            "columns": {"rater": "annotator_id", "system": "dialogue_system", "item": "text_id"},
        },
        raters=(0, 2),
    ),
    Case(
        "a column per rater and criterion",
        rows(
            "id,human_fluency,human_accuracy,gpt4_fluency,gpt4_accuracy",
            "1,3,4,3,5",
            "2,1,2,2,2",
            "3,5,5,4,4",
        ),
        {
            "cells": {
                "human_fluency": {"rater": "human", "kind": "human", "criterion": "fluency"},
                "human_accuracy": {"rater": "human", "kind": "human", "criterion": "accuracy"},
                "gpt4_fluency": {"rater": "gpt4", "kind": "judge", "criterion": "fluency"},
                "gpt4_accuracy": {"rater": "gpt4", "kind": "judge", "criterion": "accuracy"},
            }
        },
        raters=(1, 1),
    ),
    Case(
        "one rater, criteria only",
        rows("id,helpfulness,correctness,coherence", "1,3,4,4", "2,1,2,2", "3,4,4,3"),
        {"scale": "ordinal"},
        raters=(0, 1),
    ),
    Case(
        "a verdict per system",
        rows(
            "question,answer_fid,judge_fid,answer_gpt4,judge_gpt4",
            "who,Bob,true,Bob Smith,true",
            "when,1901,false,1902,true",
            "where,Rome,true,Paris,false",
        ),
        {
            "cells": {
                "judge_fid": {"rater": "judge", "kind": "judge", "system": "fid"},
                "judge_gpt4": {"rater": "judge", "kind": "judge", "system": "gpt4"},
            },
            "columns": {"item": "question"},
        },
    ),
]

FILES = [
    Case(
        "a file per rater",
        {
            "human.csv": rows("id,label", "1,yes", "2,no", "3,yes"),
            "gpt4.csv": rows("id,label", "1,yes", "2,yes", "3,no"),
        },
        {
            **YES,
            "files": {
                "human.csv": {"rater": "human", "kind": "human"},
                "gpt4.csv": {"rater": "gpt4", "kind": "judge"},
            },
        },
        raters=(1, 1),
        items=3,
    ),
    Case(
        "people in columns, judges in files of their own",
        {
            "testset.json": '[{"idx": 0, "annotator1": 1, "annotator2": 2}, '
            '{"idx": 1, "annotator1": 0, "annotator2": 0}]',
            "gpt.json": '[{"idx": 0, "gpt_result": "1"}, {"idx": 1, "gpt_result": "0"}]',
        },
        {
            "wide": {"human": ["annotator1", "annotator2"], "judge": ["gpt_result"]},
            "columns": {"item": "idx"},
        },
        raters=(1, 2),
        items=2,
    ),
    Case(
        "files with names of their own",
        {
            "verdicts.csv": rows("example_id,grader,verdict", "1,gpt,pass", "2,gpt,fail"),
            "labels.csv": rows("id,annotator,label", "1,kim,pass", "2,kim,pass"),
        },
        {
            "raters": {"judge": ["gpt"]},
            "columns": {
                "item": ["example_id", "id"],
                "rater": ["grader", "annotator"],
                "value": ["verdict", "label"],
            },
        },
        raters=(1, 1),
        items=2,
    ),
    Case(
        "a file per rater with names of their own",
        {
            "human.csv": rows("id,label", "1,yes", "2,no", "3,yes"),
            "llama.csv": rows("example_id,verdict", "1,yes", "2,yes", "3,no"),
        },
        {
            "cells": {
                "label": {"rater": "human", "kind": "human"},
                "verdict": {"rater": "llama", "kind": "judge"},
            }
        },
        raters=(1, 1),
        items=3,
    ),
    Case(
        "a file that nobody can place",
        {
            "results.csv": rows("id,label", "1,yes", "2,no"),
            "other.csv": rows("id,label", "1,yes", "2,yes"),
        },
        open="a person or a judge",
    ),
    Case(
        "qrels of people and of a model",
        {
            "human.qrels": rows("q1 0 d1 2", "q1 0 d2 0", "q2 0 d3 1", "q2 0 d4 3"),
            "gpt4.qrels": rows("q1 0 d1 1", "q1 0 d2 0", "q2 0 d3 1", "q2 0 d4 3"),
        },
        {
            "scale": "ordinal",
            "options": ["0", "1", "2", "3"],
            "columns": {"value": "relevance", "item": ["query", "document"]},
            "cluster": "query",
        },
        raters=(1, 1),
        items=4,
    ),
    Case(
        "a run of TREC",
        rows(*(f"q{n % 3} Q0 d{n} {n} {20 - n * 0.7:.2f} bm25" for n in range(15))),
        {"scale": "continuous", "columns": {"value": "score", "item": ["query", "document"]}},
        suffix=".txt",
        items=15,
    ),
    Case(
        "no header",
        rows("q1,yes,no", "q2,no,no", "q3,yes,yes", "q4,no,yes"),
        {"scale": "binary", "positive": "yes"},
        items=4,
    ),
    Case("pipes", rows("id|human|judge", "1|yes|yes", "2|no|yes", "3|yes|no"), YES, suffix=".txt"),
]

HUMAN_JUDGE = {"wide": {"human": ["human"], "judge": ["judge"]}}
WORDY = "which goes on for so long that nobody would take it for a label of anything at all"


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


WITHIN = [
    Case(
        "percentages",
        rows("id,human,judge", *(f"{n},{n * 6}%,{n * 5 + 3} %" for n in range(15))),
        {"scale": "continuous", **HUMAN_JUDGE, "reads": r"^\s*([+-]?\d+(?:\.\d+)?)\s*%\s*$"},
        raters=(1, 1),
        items=15,
    ),
    Case(
        "so many of five",
        rows("id,human,judge", "1,4/5,5/5", "2,1/5,2/5", "3,3/5,3/5"),
        {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"], **HUMAN_JUDGE},
    ),
    Case(
        "so many out of ten, people write the number",
        rows("id,human,judge", "1,4,5 out of 10", "2,1,2 out of 10", "3,10,9 out of 10"),
        {"scale": "ordinal", "options": [str(n) for n in range(1, 11)], **HUMAN_JUDGE},
    ),
    Case(
        "stars",
        rows("id,human,judge", "1,★☆☆,★★☆", "2,★★☆,★★☆", "3,★★★,★★★"),
        {"scale": "ordinal", "options": ["★☆☆", "★★☆", "★★★"], **HUMAN_JUDGE},
    ),
    Case(
        "numbered words",
        rows("id,human,judge", "1,1 - Poor,2 - Fair", "2,3 - Good,3 - Good", "3,2 - Fair,1 - Poor"),
        {"scale": "ordinal", "options": ["1 - Poor", "2 - Fair", "3 - Good"], **HUMAN_JUDGE},
    ),
    Case(
        "grades of schools",
        rows("id,teacher,gpt4", "1,A,B", "2,F,D", "3,C,C"),
        {"scale": "ordinal", "options": ["F", "D", "C", "B", "A"]},
        raters=(1, 1),
    ),
    Case(
        "choices of a question are no grades",
        rows("id,human,judge", "1,A,B", "2,D,D", "3,C,C"),
        {"scale": "nominal", "options": ["A", "B", "C", "D"], **HUMAN_JUDGE},
    ),
    Case(
        "a score within the judge's text",
        rows(
            "id,human,judge_output",
            *(f"{n},{n % 5 + 1},Score: {n % 4 + 1}. A reason {WORDY}" for n in range(8)),
        ),
        {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"]},
        raters=(1, 1),
    ),
    Case(
        "sentences that begin with the verdict",
        rows(
            "id,human,judge_response",
            *(
                f'{n},{("yes", "no")[n % 2]},"{("Yes", "No")[n % 3 == 0]}, {n} {WORDY}"'
                for n in range(15)
            ),
        ),
        {"scale": "binary", "reads": "verdict"},
        raters=(1, 1),
    ),
    Case(
        "people's verdicts beside a judge's score",
        rows("id,human_label,judge_score", "1,1,0.83", "2,0,0.5", "3,0,0.31", "4,1,0.11"),
        {
            "scale": "binary",
            "positive": "1",
            "cells": {
                "human_label": {"rater": "human_label", "kind": "human"},
                "judge_score": {"rater": "judge_score", "kind": "judge", "cut": ">= 0.5"},
            },
        },
        raters=(1, 1),
        items=4,
    ),
    Case(
        "people's words beside a probability",
        rows("id,human,gpt4_prob", "1,yes,0.83", "2,no,0.52", "3,no,0.31", "4,yes,0.11"),
        {**YES},
        raters=(1, 1),
    ),
    Case(
        "a split that is not ours",
        rows("id,annotator,label,split", "1,a,yes,train", "1,b,no,train", "2,a,no,dev"),
        {
            **YES,
            "columns": {
                "rater": "annotator",
                "value": "label",
                "file_split": "split",
                "item": "id",
            },
        },
        items=2,
    ),
]

NESTED = [
    Case(
        "scores of segments, a file per rater",
        {
            "en-de.mqm.seg.score": "".join(
                f"{s}\t{-(n * (1 + (s == 'sysB'))) / 3:.4f}\n"
                for s in ("sysA", "sysB")
                for n in range(12)
            ),
            "COMET-22.seg.score": "".join(
                f"{s}\t{0.9 - n / 30:.4f}\n" for s in ("sysA", "sysB") for n in range(12)
            ),
        },
        {"scale": "continuous"},
        raters=(1, 1),
        items=12,
    ),
    Case(
        "objects within records",
        lines(
            *(
                {
                    "id": n,
                    "human": {"label": "yes" if n % 2 else "no", "why": f"{n} {WORDY}"},
                    "judge": {"label": "yes" if n % 3 else "no", "tokens": 100 + n},
                }
                for n in range(8)
            )
        ),
        {**YES, "wide": {"human": ["human.label"], "judge": ["judge.label"]}},
        suffix=".jsonl",
        raters=(1, 1),
        items=8,
    ),
    Case(
        "a list of annotations",
        lines(
            *(
                {
                    "id": n,
                    "text": f"{n} {WORDY}",
                    "model_label": "yes" if n % 3 else "no",
                    "annotations": [
                        {"annotator": f"a{k}", "label": "yes" if (n + k) % 2 else "no"}
                        for k in range(3)
                    ],
                }
                for n in range(8)
            )
        ),
        {**YES},
        suffix=".jsonl",
        raters=(1, 3),
    ),
    Case(
        "a list of labels",
        lines(
            *(
                {
                    "id": n,
                    "human_labels": ["yes", "yes" if n % 2 else "no", "no"],
                    "judge": "yes" if n % 3 else "no",
                }
                for n in range(8)
            )
        ),
        {**YES},
        suffix=".jsonl",
        raters=(1, 3),
    ),
    Case(
        "records by name",
        json.dumps(
            {f"q{n}": {"human": "yes" if n % 2 else "no", "judge": "yes"} for n in range(6)}
        ),
        {**YES, **HUMAN_JUDGE, "columns": {"item": "id"}},
        suffix=".json",
        items=6,
    ),
    Case(
        "records under a key",
        json.dumps(
            {
                "model": "gpt-4",
                "results": [
                    {"id": n, "human": "yes" if n % 2 else "no", "judge": "yes"} for n in range(6)
                ],
            }
        ),
        {**YES, **HUMAN_JUDGE},
        suffix=".json",
        items=6,
    ),
    Case(
        "columns of an object",
        json.dumps({"id": [1, 2, 3], "human": ["yes", "no", "no"], "judge": ["yes", "yes", "no"]}),
        {**YES, **HUMAN_JUDGE},
        suffix=".json",
        items=3,
    ),
    Case(
        "evaluations of pairs within records",
        json.dumps(
            [
                {
                    "input": f"{n} {WORDY}",
                    "output_1": f"a {n} {WORDY}",
                    "output_2": f"b {n} {WORDY}",
                    "label": n % 2 + 1,
                    "evaluation": {"vanilla": {"winner": (n + 1) % 2 + 1}},
                }
                for n in range(6)
            ]
        ),
        {
            "scale": "pairwise",
            "options": ["1", "2"],
            "wide": {"reference": ["label"], "judge": ["evaluation.vanilla.winner"]},
        },
        suffix=".json",
        raters=(1, 1),
    ),
    Case(
        "preferences of one and a half",
        json.dumps(
            [
                {
                    "instruction": f"{n} {WORDY}",
                    "generator_1": "base",
                    "generator_2": "new",
                    "annotator": "gpt4",
                    "preference": [1.0, 2.0, 1.5][n % 3],
                }
                for n in range(6)
            ]
        ),
        {"scale": "pairwise", "options": ["1.0", "2.0", "1.5"], "tie": "1.5"},
        suffix=".json",
        items=6,
    ),
    Case(
        "a column of JSON",
        rows(
            "id,output",
            *(
                f'{n},"{{""human"": ""{("no", "yes")[n % 2]}"", ""judge"": ""yes""}}"'
                for n in range(6)
            ),
        ),
        {**YES, "wide": {"human": ["output.human"], "judge": ["output.judge"]}},
        items=6,
    ),
    Case(
        "correctness of each system",
        rows(
            "question,a_answer,b_answer,a_correct,b_correct",
            *(f"q{n} {WORDY},x {WORDY},y {WORDY},{n % 2},{(n + 1) % 2}" for n in range(6)),
        ),
        {
            "cells": {
                "a_correct": {"rater": "correct", "kind": "human", "system": "a"},
                "b_correct": {"rater": "correct", "kind": "human", "system": "b"},
            }
        },
    ),
    Case(
        "criteria with and without a known name",
        lines(
            *(
                {
                    "prompt": f"{n} {WORDY}",
                    "response": f"r{n} {WORDY}",
                    "helpfulness": n % 5,
                    "coherence": (n + 1) % 5,
                    "verbosity": (n + 2) % 5,
                }
                for n in range(10)
            )
        ),
        {"scale": "ordinal", "options": ["0", "1", "2", "3", "4"]},
        suffix=".jsonl",
        items=10,
    ),
    Case(
        "metrics beside an answer that is no rating",
        lines(
            *(
                {
                    "doc_id": n,
                    "target": "ABCD"[n % 4],
                    "acc": float(n % 2),
                    "acc_norm": float(n % 3 > 0),
                }
                for n in range(12)
            )
        ),
        {"scale": "binary", "positive": "1.0"},
        suffix=".jsonl",
    ),
]

#: Files of contests, sheets with merged cells, other languages, lists of named records.
MORE = [
    Case(
        "winners in columns of zeros and ones",
        rows(
            "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie,gpt4",
            "1,x,y,1,0,0,model_a",
            "2,y,x,0,1,0,tie",
            "3,x,z,0,0,1,model_b",
        ),
        {
            "scale": "pairwise",
            "options": ["model_a", "model_b", "tie"],
            "tie": "tie",
            "wide": {"reference": ["winner"], "judge": ["gpt4"]},
            "references": {"winner": "unknown"},
        },
        raters=(1, 1),
        items=3,
    ),
    Case(
        "an id in the first row of a group only",
        rows(
            "id,rater,label",
            "7,ann,good",
            ",bob,bad",
            ",gpt-4,good",
            "8,ann,bad",
            ",bob,bad",
            ",gpt-4,good",
        ),
        {"file": {"fill": ["id"]}, "columns": {"item": "id", "value": "label"}},
        raters=(1, 2),
        items=2,
    ),
    Case(
        "scores of systems",
        {
            "human.sys.score": "a\t80.5\nb\t71.25\nc\t77.0\nd\t60.1\n",
            "COMET-22.sys.score": "a\t0.81\nb\t0.75\nc\t0.8\nd\t0.7\n",
        },
        {"scale": "continuous"},
        raters=(1, 1),
        items=4,
    ),
    Case(
        "German, with semicolons",
        rows("Beispiel;Mensch;Modell", "1;ja;ja", "2;nein;ja", "3;ja;nein"),
        {
            "scale": "binary",
            "positive": "ja",
            "wide": {"human": ["Mensch"], "judge": ["Modell"]},
            "columns": {"item": "Beispiel"},
        },
        raters=(1, 1),
    ),
    Case(
        "French, with accents",
        rows("id,annotateur,modèle", "1,vrai,vrai", "2,faux,vrai", "3,vrai,faux"),
        {
            "scale": "binary",
            "positive": "vrai",
            "wide": {"human": ["annotateur"], "judge": ["modèle"]},
        },
    ),
    Case(
        "Japanese verdicts",
        rows("id,人間,gpt4", "1,はい,はい", "2,いいえ,はい", "3,はい,いいえ"),
        {"scale": "binary", "positive": "はい", "wide": {"human": ["人間"], "judge": ["gpt4"]}},
    ),
    Case(
        "what people rated too is a judge's",
        rows(
            "id,fluency,coherence,human_fluency,human_coherence",
            "1,4,2,5,2",
            "2,3,1,3,2",
            "3,5,5,4,5",
        ),
        {
            "scale": "ordinal",
            "cells": {
                "fluency": {"rater": "judge", "kind": "judge", "criterion": "fluency"},
                "coherence": {"rater": "judge", "kind": "judge", "criterion": "coherence"},
                "human_fluency": {"rater": "human", "kind": "human", "criterion": "fluency"},
                "human_coherence": {"rater": "human", "kind": "human", "criterion": "coherence"},
            },
        },
        raters=(1, 1),
        items=3,
    ),
    Case(
        "a metric's scores beside a person's verdicts",
        rows("id,faithfulness,human_faithfulness", "1,0.91,1", "2,0.33,1", "3,0.05,0", "4,0.62,0"),
        {
            "scale": "binary",
            "cells": {
                "human_faithfulness": {"rater": "human_faithfulness", "kind": "human"},
                "faithfulness": {"rater": "faithfulness", "kind": "judge", "cut": ">= 0.5"},
            },
        },
        raters=(1, 1),
    ),
    Case(
        "records within a list that name themselves",
        json.dumps(
            [
                {
                    "id": n,
                    "evaluations": [
                        {"criteria": "tone", "score": 0.9 - n / 10, "human": n % 2},
                        {"criteria": "facts", "score": 0.2 + n / 10, "human": 1 - n % 2},
                    ][:: 1 if n % 2 else -1],
                }
                for n in range(6)
            ]
        ),
        {
            "scale": "binary",
            "cells": {
                "evaluations.tone.human": {"rater": "human", "kind": "human", "criterion": "tone"},
                "evaluations.facts.human": {
                    "rater": "human",
                    "kind": "human",
                    "criterion": "facts",
                },
                "evaluations.tone.score": {
                    "rater": "judge",
                    "kind": "judge",
                    "criterion": "tone",
                    "cut": ">= 0.5",
                },
                "evaluations.facts.score": {
                    "rater": "judge",
                    "kind": "judge",
                    "criterion": "facts",
                    "cut": ">= 0.5",
                },
            },
        },
        suffix=".json",
        raters=(1, 1),
        items=6,
    ),
    Case(
        "MT-Bench's turns are parts of an item",
        "".join(
            json.dumps(
                {
                    "question_id": q,
                    "model_a": "llama-13b",
                    "model_b": "claude-v1",
                    "winner": w,
                    "judge": j,
                    "turn": t,
                }
            )
            + "\n"
            for q, t, j, w in [
                (81, 1, "expert_1", "model_a"),
                (81, 2, "expert_1", "model_b"),
                (81, 1, "gpt4_pair", "model_a"),
                (81, 2, "gpt4_pair", "tie"),
                (82, 1, "expert_1", "tie"),
                (82, 1, "gpt4_pair", "model_b"),
            ]
        ),
        {
            "scale": "pairwise",
            "columns": {
                "system": "model_a",
                "opponent": "model_b",
                "rater": "judge",
                "value": "winner",
                "item": ["question_id", "turn"],
            },
        },
        suffix=".jsonl",
        raters=(1, 1),
        items=3,
    ),
    Case(
        "a verdict that sentences announce, the last one",
        rows(
            "id,human_label,llm_output",
            '1,Correct,"A first look: the answer is incorrect? No. Final verdict: Correct."',
            '2,Incorrect,"It cites 3 sources. Verdict: Incorrect, as it seems."',
            '3,Correct,"Step 1, step 2. The verdict is: incorrect"',
        ),
        {
            "scale": "binary",
            "positive": "Correct",
            "wide": {"human": ["human_label"], "judge": ["llm_output"]},
        },
        raters=(1, 1),
    ),
    Case(
        "people by their ids within a list, a model's suggestion beside it",
        "".join(
            json.dumps(
                {
                    "text": f"t{n}",
                    "label": [
                        {"user_id": "u1", "value": "good" if n < 4 else "bad"},
                        {"user_id": "u2", "value": "bad" if n % 2 else "good"},
                    ],
                    "label-suggestion": "good" if n % 3 else "bad",
                }
            )
            + "\n"
            for n in range(6)
        ),
        {
            "scale": "binary",
            "wide": {"human": ["label.u1.value", "label.u2.value"], "judge": ["label-suggestion"]},
        },
        suffix=".jsonl",
        raters=(1, 2),
        items=6,
    ),
]

TABLES = [*WIDE, *LONG, *PAIRS, *CRITERIA, *FILES, *WITHIN, *NESTED, *MORE]
