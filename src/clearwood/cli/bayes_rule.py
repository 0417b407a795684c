"""`clearwood bayes-rule`: how likely is it, now that the test says so? Step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Json


def bayes_rule(
    prior: Annotated[float, typer.Option(metavar="P", help="How common it is: P(yes).", show_default=False)],
    sensitivity: Annotated[
        float,
        typer.Option(metavar="P", help="How often the test finds it: P(positive | yes).", show_default=False),
    ],
    false_positive: Annotated[
        float | None, typer.Option(metavar="P", help="How often it errs on others: P(positive | no).")
    ] = None,
    specificity: Annotated[
        float | None, typer.Option(metavar="P", help="Or how often it clears them: 1 − P(positive | no).")
    ] = None,
    detail: Annotated[
        str | None,
        typer.Option(
            "--detail", "-d", metavar="NAME", help="How every number came about: short, full or worksheet."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Work out P(yes | positive) by Bayes' rule, every step shown."""
    from dataclasses import asdict

    from clearwood.cli.speaking import say, say_json
    from clearwood.errors import SettingError
    from clearwood.measures.bayes_rule import bayes_rule as worked_out

    if (false_positive is None) == (specificity is None):
        raise SettingError("Give --false-positive or --specificity, one of the two.")
    if specificity is not None:
        if not 0 <= specificity <= 1:
            raise SettingError(f"specificity must be a probability, from 0 to 1, not {specificity!r}.")
        false_positive = round(1 - specificity, 15)  # 1 − 0.97 is 0.03, as a person has it
    assert false_positive is not None
    found = worked_out(prior, sensitivity, false_positive)
    if detail is not None:
        from clearwood.cli.drawing import page_width
        from clearwood.derive.bayes.rule import derive_bayes_rule
        from clearwood.draw.derivations import write_derivation

        if as_json:
            raise SettingError("--json holds the numbers alone; give --detail without it.")
        told = write_derivation(derive_bayes_rule(found), detail=detail, width=page_width())  # type: ignore[arg-type]
        say(told.rstrip())
    elif as_json:
        say_json(asdict(found))
    else:
        say(str(found))
