"""`goldassay run`: run judges over items; resumes, never pays twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli.common import (
    Form,
    FormOption,
    FullOption,
    JsonOption,
    PassportOption,
    RequireOption,
    deliver,
    not_on_windows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldassay.judges.spec import Judge
    from goldassay.results import Input
    from goldassay.standing import Standing

__all__ = ["command"]

Judges = Annotated[
    list[str], typer.Option("--judge", "-j", metavar="TOML", help="A judge file; repeatable.")
]
Items = Annotated[str, typer.Option("--items", "-i", metavar="FILE", help="Items, JSONL or CSV.")]
Store = Annotated[
    str, typer.Option("--out", "-o", metavar="DB", help="The store; every verb reads its ratings.")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", min=1, help="Stop after so many calls.")
]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", min=1, help="... or tokens.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="... or money.")]
Prices = Annotated[
    str | None,
    typer.Option("--prices", metavar="TOML", help='"model" = [prompt, completion] per million.'),
]


def command(
    judge: Judges,
    items: Items,
    out: Store,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count calls and estimate the cost; ask nothing.")
    ] = False,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="Use the provider's batch files: slower, half price.")
    ] = False,
    probe_injection: Annotated[
        bool,
        typer.Option(
            "--probe-injection", help="Plant forged verdicts in items; how often does it give in?"
        ),
    ] = False,
    passport: PassportOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress line.")] = False,
    as_json: JsonOption = False,
    full: FullOption = False,
    require: RequireOption = None,
    form: FormOption = Form.text,
) -> None:
    """Run judges over items. Run the same command again to go on where it stopped.

    Examples:

        goldassay run --judge tiny.toml --items items.jsonl --out ratings.db

        goldassay run -j a.toml -j b.toml -i items.jsonl -o ratings.db --max-cost 5

        goldassay run -j a.toml -i items.jsonl -o ratings.db --dry-run
    """
    import sys

    from goldassay.errors import UsageError
    from goldassay.findings import Findings
    from goldassay.judges.cost import estimate_run
    from goldassay.judges.flow import Budget
    from goldassay.judges.prices import read_prices
    from goldassay.judges.spec import read_judge
    from goldassay.judges.tell import estimated, of_run
    from goldassay.questions.standing import standing_said, with_standing
    from goldassay.results import Provenance

    not_on_windows("goldassay run")
    judges = [read_judge(path) for path in judge]
    held = _held(passport, judges, out, dry=True)
    if held is not None and held.word == "stale" and not dry_run:
        _say(standing_said(held).text)
    made = Provenance(inputs=_inputs(items))
    table = read_prices(prices) if prices else {}
    if dry_run:
        estimates = estimate_run(judges, items, out, prices=table)
        told = Findings.of("run", estimated(estimates), provenance=made)
        told = with_standing(told, held, as_result=False) if held else told
        deliver(told, as_json=as_json, full=full)
        return
    if probe_injection:
        from goldassay.judges.probe import probe_injection as probe

        found = Findings.of("run", probe(judges, items, out), provenance=made)
        deliver(found, as_json=as_json, full=full, require=require, form=form)
        return
    if batch:
        from goldassay.judges.batch import run_batches

        if max_calls or max_tokens or max_cost:
            raise UsageError("--batch", "a batch has no budget", next_step="See --dry-run first")
        outcome = run_batches(judges, items, out, prices=table, on_message=_say)
    else:
        from goldassay.judges.progress import progress
        from goldassay.judges.run import run_judges

        budget = Budget(max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost, prices=table)
        with progress(quiet=quiet or as_json) as show:
            outcome = run_judges(
                judges, items, out, budget=budget, on_progress=show, on_message=_say
            )
    run = of_run(outcome, out, [one.name for one in judges])
    ended, told = _held(passport, judges, out), Findings.of("run", run, provenance=made)
    told = with_standing(told, ended) if ended else told
    deliver(told, as_json=as_json, full=full, require=require, form=form)
    given_up = [tally for tally in outcome.tallies if tally.given_up]
    if given_up:
        for tally in given_up:
            print(f"goldassay: judge {tally.judge!r} given up: {tally.given_up}", file=sys.stderr)
        raise typer.Exit(2)
    if outcome.reason == "interrupted":
        raise typer.Exit(130)
    if outcome.total_failure is not None:
        raise outcome.total_failure


def _held(
    path: str | None, judges: Sequence[Judge], store: str, *, dry: bool = False
) -> Standing | None:
    """A passport held against the judge of its name (or the only one); `dry`: before the run."""
    if path is None:
        return None
    from goldassay.judges.identity import identity_of, stored_identities
    from goldassay.judges.summary import rated_by
    from goldassay.passport import Identity, read_passport
    from goldassay.standing import Now, standing

    passport = read_passport(path)
    known = {one.name: identity_of(one.with_source(), origin="judge file") for one in judges}
    name = passport.judge if passport.judge in known or len(known) > 1 else next(iter(known))
    if dry:
        return standing(passport, Now(name, known.get(name, Identity())))
    here = stored_identities(store).get(name, Identity())
    return standing(passport, Now(name, here, verdicts=rated_by(store, name)))


def _inputs(path: str) -> tuple[Input, ...]:
    from pathlib import Path

    from goldassay.results import Input
    from goldassay.sources.opening import sha256_of

    step = "Give --items FILE.jsonl"
    return (Input(Path(path).name, sha256_of(path, "items", next_step=step), 0),)


def _say(text: str) -> None:
    import sys

    print(text, file=sys.stderr)
