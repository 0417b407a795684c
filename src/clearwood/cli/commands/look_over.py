"""`clearwood look-over`: what stands out in a table before anything is learned from it."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, Output
from clearwood.cli.source_options import Source


def look_over(
    data: Data,
    *,
    source: Source,
    time: Annotated[
        str | None,
        option("--time", "COLUMN", "When each row is from: find columns that change between early and late."),
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.look_over import run

    run(data, source, output, time=time)
