"""Every form of a document is the same bytes in every process."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import sample_documents
from elsewhere import elsewhere

from goldassay.gates import outcomes
from goldassay.rendering.formats import FORMATS, rendered
from goldassay.results import dumps

ELSEWHERE = """
import hashlib, json, sys
from goldassay.rendering.formats import FORMATS, rendered
document = json.load(open(sys.argv[1], encoding="utf-8"))
for one in FORMATS:
    if ".pdf" not in one.suffixes:
        made = rendered(document, one.suffixes[0])
        print(hashlib.sha256(made if isinstance(made, bytes) else made.encode()).hexdigest())
"""


def test_every_form_is_made_alike_in_every_process(tmp_path: Path) -> None:
    document = sample_documents.report()
    held = outcomes(["accuracy > 0.5"], document["results"], document["sentences"])
    document = {**document, "gates": [one.to_json() for one in held]}
    file = tmp_path / "document.json"
    file.write_text(dumps(document), encoding="utf-8")
    read = json.loads(file.read_text(encoding="utf-8"))
    here = [rendered(read, one.suffixes[0]) for one in FORMATS if ".pdf" not in one.suffixes]
    digests = [
        hashlib.sha256(made if isinstance(made, bytes) else made.encode()).hexdigest()
        for made in here
    ]
    assert digests == elsewhere(ELSEWHERE, str(file)).split()
