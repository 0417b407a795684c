"""`clearwood edit`: rules added, changed, deleted and moved by hand, and what that does to the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from clearwood.cli.declaring import option
from clearwood.cli.options import Output, RulePath, SaveRules, Source

_EDITS: Final = "Edits; rule numbers are those before the edit, counted from 1"


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
    at: Annotated[int | None, option("--at", "N", "Add as the N-th rule of the new list.", _EDITS)] = None
    otherwise: Annotated[
        str | None, option("--otherwise", "CLASS", "The default rule's answer, or 'nothing'.", _EDITS)
    ] = None


def edit(
    rules: RulePath,
    *,
    edits: Edits,
    source: Source,
    train: Annotated[
        str | None, option("--train", "DATA", "The training rows of the rules, to count and score them on.")
    ] = None,
    test: Annotated[str | None, option("--test", "DATA", "Held-out rows, to score the rules on.")] = None,
    save: SaveRules = None,
    output: Output,
) -> None:
    """Edit a list of rules: first change, then move, delete and add; print it with its scores."""
    from clearwood.cli.running.edit import run

    run(rules, edits, source, output, train=train, test=test, save=save)
