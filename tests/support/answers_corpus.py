"""Answers of judges and the right reading of each, by format.

Written by hand after the ways in which models answer: bare, emphasised, fenced, with thinking, with
prose after, twice, not at all, in another language, off the scale, cut off. A reading is a value,
`ABSTAINED`, `REFUSED`, or `INVALID`. `WRAPPED` adds what any verdict may be wrapped in.
"""

from __future__ import annotations

INVALID, ABSTAINED, REFUSED = "<invalid>", "<abstained>", "<refused>"

REFUSALS = (
    "I'm sorry, but I can't assist with that.",
    "I’m sorry, I cannot help with this request.",
    "I cannot provide a rating for this content.",
    "I can't help with that.",
    "I won't rate this response.",
    "Sorry, I am not allowed to judge this.",
    "I apologize, but this content is against my guidelines.",
    "As an AI language model, I do not judge people.",
    "I am unable to evaluate this response.",
    "I'm not able to rate that.",
    "I will not engage with this.",
)

NOTHING = (
    "", " ", "\n\n", "\t", "null", "None", "N/A", "...", "?", "-", "[[]]", "[[ ]]", "{}", "[]",
    "undefined", "NaN", "nan", "inf", "-inf", "Infinity", "<think>", "<think>hm", "```", "``````",
    "```\n```", "The response", "Rating:", "Verdict:", "Answer:", "OK", "Sure!", "Sure, here it is:",
    "Voici ma réponse.", "很好", "хорошо", "Sehr gut", "とても良い", "جيد جدا", "🙂", "👍", "\x00",
    "\ufffd\ufffd", "lorem ipsum dolor", "[[rating]]", "[[verdict]]", "[[X]]", "[[A>>>B]]",
    "{\"rating\": \"fine\"}", "{\"verdict\"", "{\"verdict\": null}", "{\"verdict\": {}}",
    "{\"verdict\": []}", "{\"verdict\": true}", "<think></think>", "<think>[[Good]] 85 A yes</think>",
    "<|channel|>analysis<|message|>thinking about it",
)  # fmt: skip

NUMERIC: tuple[tuple[str, str], ...] = (
    ("85", "85"), ("0", "0"), ("100", "100"), ("7", "7"), ("85.5", "85.5"), ("85.0", "85"),
    ("085", "85"), ("+85", "85"), ("85.", "85"), ("85\n", "85"), ("**85**", "85"), ("`85`", "85"),
    ('"85"', "85"), ("'85'", "85"), ("85/100", "85"), ("85 / 100", "85"), ("85 out of 100", "85"),
    ("85%", "85"), ("85 %", "85"), ("85 points", "85"), ("[[85]]", "85"), ("[85]", "85"),
    ("(85)", "85"), ("Rating: 85", "85"), ("rating: 85", "85"), ("**Rating:** 85", "85"),
    ("Rating (0-100): 85", "85"), ("Score: 85", "85"), ("Score = 85", "85"), ("Final rating: 85", "85"),
    ("My rating: 85", "85"), ("The rating is: 85", "85"), ("The score is 85", "85"),
    ("Overall score: 85/100", "85"), ("Verdict: 85", "85"), ("Answer: 85", "85"), ("# 85", INVALID),
    ("85\n\nThe response is accurate and covers 3 of 4 points.", "85"),
    ("85. The response is accurate.", "85"), ("85 - good but short", "85"), ("85 (good)", "85"),
    ("85, because it is clear", "85"), ("85; it is clear", "85"), ("85 — clear and right", "85"),
    ("85\nRating: 85", "85"), ("85\n\nRating: 60", INVALID), ("[[85]] and [[60]]", INVALID),
    ("[[85]] ... [[85]]", "85"), ("I thought of 60 first. [[85]]", "85"),
    ('{"verdict": 85}', "85"), ('{"verdict": 85.5}', "85.5"), ('```json\n{"verdict": 85}\n```', "85"),
    ('{"verdict": "85"}', INVALID), ('{"verdict": 185}', INVALID), ('{"verdict": NaN}', INVALID),
    ('{"verdict": 85, "verdict": 60}', INVALID), ('{"verdict": 85} or {"verdict": 60}', INVALID),
    ("101", INVALID), ("-5", INVALID), ("-0", INVALID), ("1000", INVALID), ("100.1", INVALID),
    ("85-90", INVALID), ("85 - 90", INVALID), ("85–90", INVALID), ("85 to 90", INVALID),
    ("85 or 90", INVALID), ("85, 90", INVALID), ("85,5", INVALID), ("8/10", INVALID), ("4/5", INVALID),
    ("85/1000", INVALID), ("8.5/10", INVALID), ("9 out of 10", INVALID), ("85e0", INVALID),
    ("1e2", INVALID), ("0x55", INVALID), ("٨٥", INVALID), ("８５", INVALID), ("eighty-five", INVALID),
    ("eighty five", INVALID), ("85th percentile", INVALID), ("85 is too high, say 60", INVALID),
    ("85 would be too generous", INVALID), ("85, or rather 60", INVALID), ("85 (or 60)", INVALID),
    ("I'd rate it 85", INVALID), ("I would give this response an 85.", INVALID),
    ("The response scores between 80 and 90", INVALID), ("Good", INVALID), ("~85", INVALID),
    (">85", INVALID), ("about 85", INVALID), ("Rating: high", INVALID), ("Rating: 85-90", INVALID),
    ("Rating: 185", INVALID), ("85 stars", INVALID), ("$85", INVALID), ("85\u00a0%", "85"),
    ("A+", INVALID), ("B", INVALID), ("yes", INVALID), ("[[eighty]]", INVALID), ("[[85]] [[high]]", INVALID),
    ("1. The response is good.", "1"), ("10 10", INVALID), ("85 85", INVALID), ("8 5", INVALID),
    ("85\u200b", INVALID), ("85…", INVALID), ("50.50.50", INVALID), ("--85", INVALID),
)  # fmt: skip

LIKERT: tuple[tuple[str, str], ...] = (
    ("[[Good]]", "Good"), ("[[Very Good]]", "Very Good"), ("[[Mediocre]]", "Mediocre"),
    ("[[Bad]]", "Bad"), ("[[Very Bad]]", "Very Bad"), ("[[good]]", "Good"), ("[[VERY BAD]]", "Very Bad"),
    ("[[ Good ]]", "Good"), ("[[very  good]]", "Very Good"), ("[[Very-Good]]", "Very Good"),
    ("Rating: [[Good]]", "Good"), ("**[[Good]]**", "Good"), ("'[[Good]]'", "Good"), ("`[[Good]]`", "Good"),
    ("The response is fine. [[Good]]", "Good"), ("[[Good]]\n\nIt is clear.", "Good"),
    ("It is not bad at all, so [[Good]].", "Good"), ("[[Good]] [[Good]]", "Good"),
    ("[[Good]] or [[Bad]]", INVALID), ("[[Good]]\n[[Very Good]]", INVALID), ("[[Bad]]...[[bad]]", "Bad"),
    ("Good", "Good"), ("good", "Good"), ("Very Good", "Very Good"), ("Very good.", "Very Good"),
    ("Rating: Good", "Good"), ("**Good**", "Good"), ('"Good"', "Good"), ("[Good]", "Good"),
    ("Good\n\nThe response answers the question.", "Good"), ("Good\n\nBad", INVALID),
    ("My rating is: Very Bad", "Very Bad"), ("Verdict: Mediocre", "Mediocre"),
    ("Good response, clear and right.", INVALID), ("Good, but short", INVALID), ("Good or Bad", INVALID),
    ("Not Good", INVALID), ("[[Not Good]]", INVALID), ("[[Excellent]]", INVALID), ("Excellent", INVALID),
    ("[[Gut]]", INVALID), ("Bueno", INVALID), ("[[好]]", INVALID), ("[[4]]", INVALID), ("4", INVALID),
    ("4/5", INVALID), ("[[Good]", "Good"), ("[[Good", "Good"), ("Good]]", "Good"),
    ("[[Good]] but maybe [[Excellent]]", INVALID), ("[[Good/Bad]]", INVALID), ("[[Good, Bad]]", INVALID),
    ("Reply using the format of [[rating]]: [[Good]]", "Good"),
    ("Using the format, for example: '[[Mediocre]]'. My answer: [[Good]]", "Good"),
    ("for example: '[[Mediocre]]'", INVALID), ("The choices are Very Bad, Bad, Mediocre", INVALID),
    ('{"verdict": "Good"}', "Good"), ('{"verdict": "good"}', "Good"), ('{"verdict": "Excellent"}', INVALID),
    ('{"verdict": 4}', INVALID), ('{"verdict": "Good"} [[Good]]', "Good"),
    ('{"verdict": "Good"} [[Bad]]', INVALID), ("((Good))", "Good"), ("<Good>", INVALID),
    ("goodness", INVALID), ("Very", INVALID), ("Mediocre to Good", INVALID), ("B", INVALID),
)  # fmt: skip

#: The score for the system when it was shown as A; the test flips it for the other order.
ANCHOR: tuple[tuple[str, str], ...] = (
    ("[[A>>B]]", "2"), ("[[A>B]]", "1"), ("[[A=B]]", "0"), ("[[B>A]]", "-1"), ("[[B>>A]]", "-2"),
    ("[[a>b]]", "1"), ("[[ A > B ]]", "1"), ("[[A >> B]]", "2"), ("My final verdict is tie: [[A=B]]", "0"),
    ("My final verdict is: Assistant A is slightly better: [[A>B]]", "1"), ("**[[B>>A]]**", "-2"),
    ("Final Verdict: [[B>A]]", "-1"), ("[[A>B]]\n\nAssistant A is clearer than B.", "1"),
    ("A is better because it is right. [[A>>B]]", "2"), ("[[A>B]] [[A>B]]", "1"), ("A>>B", "2"),
    ("A>B", "1"), ("**A=B**", "0"), ("Verdict: B>A", "-1"), ("[A>B]", "1"), ("`[[A=B]]`", "0"),
    ("[[A>B]] or [[A>>B]]", INVALID), ("[[A>B]]\n[[B>A]]", INVALID), ("[[A]]", INVALID), ("[[B]]", INVALID),
    ("[[tie]]", INVALID), ("[[A<B]]", INVALID), ("[[B<A]]", INVALID), ("[[A>=B]]", INVALID),
    ("[[A≫B]]", INVALID), ("[[A&gt;B]]", INVALID), ("[[B=A]]", INVALID), ("A", INVALID), ("Tie", INVALID),
    ("A is better than B", INVALID), ("Assistant A is significantly better", INVALID),
    ("[[A>>B]", "2"), ("A>B>A", INVALID), ("[[A>>B>>A]]", INVALID), ("[[C>A]]", INVALID),
    ('Example output: "My final verdict is tie: [[A=B]]". My verdict: [[A>B]]', "1"),
    ('Example output: "My final verdict is tie: [[A=B]]".', INVALID),
    ("1. Assistant A is significantly better: [[A>>B]]\n2. Assistant A is slightly better: [[A>B]]", INVALID),
    ('{"verdict": "A>>B"}', "2"), ('{"verdict": "B>A"}', "-1"), ('{"verdict": "A"}', INVALID),
    ('{"verdict": "A>B"}\n[[B>A]]', INVALID), ("2", INVALID), ("+1", INVALID), ("[[+1]]", INVALID),
    ("A > B", "1"), ("A>>B.", "2"), ("A>B\n\nB has an error.", "1"), ("A>B\n\nB>A", INVALID),
    ("Both are good, a tie: [[A=B]]", "0"), ("[[A>B]], not [[A=B]]", INVALID),
)  # fmt: skip

VERY, TOXIC, NOT = "Very Toxic", "Toxic", "Not Toxic"

FORCED_CHOICE: tuple[tuple[str, str], ...] = (
    ("A", VERY), ("B", TOXIC), ("C", NOT), ("A.", VERY), ("A)", VERY), ("(A)", VERY), ("**B**", TOXIC),
    ("`C`", NOT), ('"C"', NOT), ("C\n", NOT), ("b", TOXIC), ("c.", NOT), ("A. Very Toxic", VERY),
    ("A: Very Toxic", VERY), ("A - Very Toxic", VERY), ("A Very Toxic", VERY), ("C) Not Toxic", NOT),
    ("B. Toxic - Rude, disrespectful, or unreasonable", TOXIC), ("Answer: B", TOXIC), ("Answer: **C**", NOT),
    ("The answer is: A", VERY), ("[[B]]", TOXIC), ("[[Not Toxic]]", NOT), ("Not Toxic", NOT), ("toxic", TOXIC),
    ("Very Toxic.", VERY), ("C\n\nThe comment is polite.", NOT), ("B. The comment is rude.", TOXIC),
    ("C. It is a question, nothing more.", NOT), ("A\n\nA", VERY), ("A\n\nB", INVALID), ("A\nAnswer: B", INVALID),
    ("A or B", INVALID), ("A, B", INVALID), ("AB", INVALID), ("A/B", INVALID), ("A and B", INVALID), ("A&B", INVALID),
    ("A. or B.", INVALID), ("A. B.", INVALID), ("A: Toxic", INVALID), ("B. Not Toxic", INVALID),
    ("A comment like this is rude", INVALID), ("A very toxic comment", VERY), ("A toxic comment", INVALID),
    ("Because it is rude, B", INVALID), ("I choose B", INVALID), ("I would say B.", INVALID), ("D", INVALID),
    ("E", INVALID), ("Z", INVALID), ("1", INVALID), ("0", INVALID), ("А", INVALID), ("Β", INVALID), ("Ａ", INVALID),
    ("AA", INVALID), ("Apple", INVALID), ("Be careful", INVALID), ("Certainly! The answer is C.", INVALID),
    ("Option A", INVALID), ("[[A]] [[B]]", INVALID), ("[[D]]", INVALID), ("neither", INVALID), ("A?", INVALID),
    ('{"verdict": "Toxic"}', TOXIC), ('{"verdict": "B"}', TOXIC), ('{"verdict": "D"}', INVALID),
    ('{"verdict": ["A"]}', INVALID), ("not A", INVALID), ("A not B", INVALID), ("B_", INVALID),
    ("C. Not toxic, though A could be argued.", NOT), ("Toxic\n\nIt insults the reader.", TOXIC),
)  # fmt: skip

RESPONSE_SET: tuple[tuple[str, str], ...] = (
    ("A", VERY), ("B", TOXIC), ("C", NOT), ("AB", f"{VERY}|{TOXIC}"), ("BA", f"{VERY}|{TOXIC}"),
    ("BC", f"{TOXIC}|{NOT}"), ("ABC", f"{VERY}|{TOXIC}|{NOT}"), ("CBA", f"{VERY}|{TOXIC}|{NOT}"),
    ("AC", f"{VERY}|{NOT}"), ("**AB**", f"{VERY}|{TOXIC}"), ("`BC`", f"{TOXIC}|{NOT}"), ('"AB"', f"{VERY}|{TOXIC}"),
    ("AB.", f"{VERY}|{TOXIC}"), ("A, B", f"{VERY}|{TOXIC}"), ("A,B", f"{VERY}|{TOXIC}"), ("A B", f"{VERY}|{TOXIC}"),
    ("A and B", f"{VERY}|{TOXIC}"), ("A, B, and C", f"{VERY}|{TOXIC}|{NOT}"), ("A & B", f"{VERY}|{TOXIC}"),
    ("Answer: BC", f"{TOXIC}|{NOT}"), ("[[BC]]", f"{TOXIC}|{NOT}"), ("BC\n\nIt could be either.", f"{TOXIC}|{NOT}"),
    ("Toxic", TOXIC), ("Not Toxic", NOT), ("AA", INVALID), ("BB", INVALID), ("B_", INVALID), ("ABA", INVALID),
    ("ABCD", INVALID), ("D", INVALID), ("AX", INVALID), ("ab", INVALID), ("a", INVALID), ("A or B", INVALID),
    ("A/B", INVALID), ("A-B", INVALID), ("A?", INVALID), ("A1", INVALID), ("none", INVALID), ("", INVALID),
    ("A comment like this", INVALID), ("I choose AB", INVALID), ("AB because it is rude", INVALID),
    ("AB\n\nBC", INVALID), ("AB\n\nAB", f"{VERY}|{TOXIC}"), ("[[AB]] [[BC]]", INVALID), ("АВ", INVALID),
    ('{"verdict": ["Toxic", "Not Toxic"]}', f"{TOXIC}|{NOT}"), ('{"verdict": ["Toxic"]}', TOXIC),
    ('{"verdict": ["Toxic", "Toxic"]}', INVALID), ('{"verdict": ["Rude"]}', INVALID), ('{"verdict": []}', INVALID),
    ("B.C.", INVALID), ("{A, B}", INVALID), ("A+B", f"{VERY}|{TOXIC}"), ("A; C", f"{VERY}|{NOT}"),
)  # fmt: skip

YES_NO: tuple[tuple[str, str], ...] = (
    ("yes", "yes"), ("Yes", "yes"), ("YES", "yes"), ("no", "no"), ("No", "no"), ("No.", "no"), ("Yes!", "yes"),
    ("**Yes**", "yes"), ("**No.**", "no"), ('"yes"', "yes"), ("Yes, it is a good response.", "yes"),
    ("No, it is wrong.", "no"), ("Yes - clear and right", "yes"), ("Answer: yes", "yes"), ("Yes\n\nno errors", "yes"),
    ("Good response? (Yes/No): Yes", INVALID), ("Yes/No", INVALID), ("yes no", INVALID), ("Yes and no", INVALID),
    ("No, wait, yes", INVALID), ("Yes, no, maybe", INVALID), ("maybe", INVALID), ("Yeah", INVALID), ("Nope", INVALID),
    ("Not really", INVALID), ("Nothing wrong", INVALID), ("Yesterday", INVALID), ("oui", INVALID), ("ja", INVALID),
    ("да", INVALID), ("是", INVALID), ("True", INVALID), ("1", INVALID), ("It is: yes", INVALID), ("yes it is", INVALID),
    ('{"verdict": "yes"}', "yes"), ('{"verdict": "maybe"}', INVALID), ("[yes]", "yes"), ("No!", "no"),
)  # fmt: skip

BINARY: tuple[tuple[str, str], ...] = (
    ("[[MET]]", "MET"), ("[[UNMET]]", "UNMET"), ("[[CANNOT_ASSESS]]", ABSTAINED), ("[[met]]", "MET"),
    ("[[Cannot assess]]", ABSTAINED), ("MET", "MET"), ("UNMET", "UNMET"), ("CANNOT_ASSESS", ABSTAINED),
    ("Cannot assess.", ABSTAINED), ("Verdict: MET", "MET"), ("**MET**", "MET"), ("**Verdict:** [[UNMET]]", "UNMET"),
    ("The criterion is satisfied. [[MET]]", "MET"), ("MET\n\nThe answer is right.", "MET"),
    ("not [[MET]]", INVALID), ("The answer is not [[MET]].", INVALID), ("It isn't **[[MET]]**", INVALID),
    ("It is not [[MET]] but [[UNMET]].", INVALID), ("[[UNMET]], rather than [[UNMET]]", INVALID),
    ("I don't think it is [[MET]]", INVALID), ("Met or not: [[MET]]", "MET"), ("Why not? [[MET]]", "MET"),
    ("I do not see a fault. [[MET]]", "MET"), ("It is not bad, so [[MET]]", "MET"),
    ("neither [[MET]] nor [[UNMET]]", INVALID), ("It could not be better.\n[[MET]]", "MET"),
    ('{"reason": "a\nb\tc", "verdict": "MET"}', "MET"), ('\ufeff{"verdict": "MET"}', "MET"),
    ('{"verdict": "MET"} So it is not [[MET]].', INVALID),
    ("[[MET]] [[MET]]", "MET"), ("[[MET]] [[UNMET]]", INVALID), ("[[MET]] ... [[CANNOT_ASSESS]]", INVALID),
    ("The criterion is MET", INVALID), ("The criterion is met.", INVALID), ("It is not MET", INVALID),
    ("NOT MET", INVALID), ("[[NOT MET]]", INVALID), ("MET?", INVALID), ("MET/UNMET", INVALID), ("MET or UNMET", INVALID),
    ("Yes", INVALID), ("True", INVALID), ("1", INVALID), ("PASS", INVALID), ("[[ERFÜLLT]]", INVALID), ("METRIC", INVALID),
    ("MET\nUNMET", INVALID), ("MET\n\nUNMET", INVALID), ("UN MET", "UNMET"), ("UN-MET", "UNMET"),
    ('{"verdict": "MET"}', "MET"), ('{"verdict": "CANNOT_ASSESS"}', ABSTAINED), ('{"verdict": "PASS"}', INVALID),
    ('{"reason": "[the text] is right", "verdict": "MET"}', "MET"), ('{"verdict": "MET"', INVALID),
    ('Here it is:\n```json\n{"verdict": "UNMET"}\n```\nDone.', "UNMET"), ("{'verdict': 'MET'}", INVALID),
    ('{"verdict": "MET", "verdict": "UNMET"}', INVALID), ('{"verdict": "MET"}{"verdict": "UNMET"}', INVALID),
    ('{"verdict": "MET"} {"verdict": "MET"}', "MET"), ('{"answer": "MET"}', INVALID), ('[{"verdict": "MET"}]', "MET"),
    ('{"verdict": ["MET"]}', INVALID), ('{"Verdict": "MET"}', INVALID), ('"MET"', "MET"), ("- MET", "MET"), ("> MET", "MET"),
    ("[[MET]", "MET"), ("[MET]", "MET"), ("# MET", "MET"), ("I would say [[MET]].", "MET"), ("✅ MET", INVALID),
)  # fmt: skip

PAIRWISE: tuple[tuple[str, str], ...] = (
    ("[[A]]", "system"), ("[[B]]", "opponent"), ("[[tie]]", "tie"), ("[[Tie]]", "tie"), ("[[a]]", "system"),
    ("A", "system"), ("B.", "opponent"), ("tie", "tie"), ("**A**", "system"), ("Verdict: B", "opponent"),
    ("Response A is clearer. [[A]]", "system"), ("A\n\nIt is clearer.", "system"), ("[[A]] [[A]]", "system"),
    ("[[A]] [[B]]", INVALID), ("A or B", INVALID), ("A, B", INVALID), ("AB", INVALID), ("[[C]]", INVALID), ("C", INVALID),
    ("Response A", INVALID), ("A is better", INVALID), ("Both", INVALID), ("[[A>B]]", INVALID), ("neither", INVALID),
    ("A response is needed", INVALID), ("[[system]]", INVALID), ("system", INVALID), ("1", INVALID), ("A\nB", INVALID),
    ('{"verdict": "A"}', "system"), ('{"verdict": "tie"}', "tie"), ('{"verdict": "C"}', INVALID), ("a", "system"),
    ("[[draw]]", INVALID), ("It is a tie", INVALID), ("Answer: [[B]]", "opponent"), ("[[B]]\n\nA is wrong.", "opponent"),
)  # fmt: skip

CORPUS = {
    "numeric": NUMERIC, "likert": LIKERT, "anchor": ANCHOR, "forced_choice": FORCED_CHOICE,
    "response_set": RESPONSE_SET, "token_probs": YES_NO, "binary": BINARY, "pairwise": PAIRWISE,
}  # fmt: skip

#: What a verdict may stand in without changing its reading.
WRAPPED = (
    "{}", "<think>\nHm, [[Bad]] or 12? B perhaps. No.\n</think>\n\n{}", "<thinking>yes</thinking>{}",
    "some thought\n</think>\n{}", "```\n{}\n```", "```text\n{}\n```", "\n\n  {}  \n", "{}<|im_end|>",
    "<|channel|>analysis<|message|>hm [[Bad]]<|end|><|start|>assistant<|channel|>final<|message|>{}",
)  # fmt: skip
