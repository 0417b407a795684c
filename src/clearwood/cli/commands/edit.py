"""`clearwood edit`: rules or curves changed by hand, and what that does to the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from clearwood.cli.declaring import option
from clearwood.cli.options import Output, RulePath, SaveRules
from clearwood.cli.source_options import Source

_EDITS: Final = "Edits of rules; their numbers are those before the edit, counted from 1"
_CURVES: Final = "Edits of an additive model's curves, in this order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What is to be done to the list, as it is typed."""

    change: Annotated[
        list[str] | None, option("--change", "N:'IF … THEN …'", "Replace rule N by this one.", _EDITS)
    ] = None
    move: Annotated[list[str] | None, option("--move", "N:M", "Move rule N to place M.", _EDITS)] = None
    delete: Annotated[list[int] | None, option("--delete", "N", "Delete rule N.", _EDITS)] = None
    add: Annotated[
        list[str] | None, option("--add", "'IF … THEN …'", "A new rule, after the others.", _EDITS)
    ] = None
    at: Annotated[int | None, option("--place", "N", "Add as the N-th rule of the new list.", _EDITS)] = None
    otherwise: Annotated[
        str | None, option("--otherwise", "CLASS", "The default rule's prediction, or 'nothing'.", _EDITS)
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveEdits:
    """What is to be done to the curves of an additive model, as it is typed."""

    monotone: Annotated[
        list[str] | None,
        option(
            "--monotone",
            "COLUMN=up|down[:CLASS]",
            "Let the probability of a class never fall, or rise, by a curve.",
            _CURVES,
        ),
    ] = None
    flatten: Annotated[
        list[str] | None,
        option("--flatten", "COLUMN[=LOW..HIGH]", "Make it level, there or overall.", _CURVES),
    ] = None
    smooth: Annotated[
        list[str] | None,
        option("--smooth", "COLUMN[=CELLS]", "Smooth it, over 5 cells or so many (odd).", _CURVES),
    ] = None
    set_points: Annotated[
        list[str] | None,
        option(
            "--set-points",
            "COLUMN=WHERE:POINTS",
            "At LOW..HIGH, a value or missing.",
            _CURVES,
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        option("--drop", "COLUMN", "Drop a curve, or a pair: 'A × B'.", _CURVES),
    ] = None
    with_pairs: Annotated[bool, option("--with-pairs", None, "Drop their pairs with columns.", _CURVES)] = (
        False
    )
    called: Annotated[
        str | None,
        option("--positive", "CLASS", "Whose curve goes up, or gets points (guessed of two).", _CURVES),
    ] = None


def edit(
    rules: RulePath,
    *,
    edits: Edits,
    curves: CurveEdits,
    source: Source,
    train: Annotated[
        str | None, option("--train", "DATA", "The training rows, to score on, and to count rules on.")
    ] = None,
    test: Annotated[str | None, option("--test", "DATA", "Held-out rows, to score on.")] = None,
    save: SaveRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.edit import run

    run(rules, edits, curves, source, output, train=train, test=test, save=save)
