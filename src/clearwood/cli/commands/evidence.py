"""`clearwood evidence`: what each cell of one row says for the answer, as bars that add up to it."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Json, ModelPath, RelativeTo, RowOption


def evidence(
    model: ModelPath,
    row: RowOption = None,
    called: Annotated[
        str | None,
        option("--positive", "CLASS", "Evidence for this class instead of the predicted one."),
    ] = None,
    against: Annotated[
        str | None, option("--against", "CLASS", "Against this class instead of the second likeliest.")
    ] = None,
    relative_to: RelativeTo = None,
    most: Annotated[
        int | None,
        option("--most", "N", "Show the N largest bars, and the sum of the others as one (20).", min=1),
    ] = None,
    as_json: Json = False,
) -> None:
    from clearwood.cli.running.evidence import run

    run(
        model,
        row,
        called,
        against,
        relative_to=relative_to,
        most=most,
        as_json=as_json,
    )
