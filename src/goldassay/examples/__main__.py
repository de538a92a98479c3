"""`python -m goldassay.examples NAME...` writes examples into this folder; without a name, a list.

A tool of the documentation, not a verb: real work starts from one's own file.
"""

from __future__ import annotations

import sys

from goldassay.errors import GoldassayError
from goldassay.examples.tables import every, named


def main(names: list[str]) -> int:
    """Write the examples of these names, and say what was written; or list all of them."""
    try:
        chosen = [named(name) for name in names]
        for example in chosen:
            table, task = example.save()
            print(f"Written: {table}, {task}")
    except GoldassayError as failure:
        print(failure, file=sys.stderr)
        return 2
    if not chosen:
        for example in every():
            print(f"{example.name:<9} {example.about} ({', '.join(example.verbs)})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
