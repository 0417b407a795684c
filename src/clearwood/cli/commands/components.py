"""`clearwood components`: what many columns have in common, as a few axes, and what each is made of."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.source_options import Source


def components(
    data: Data,
    *,
    source: Source,
    method: Annotated[
        str | None,
        option(
            "--method",
            "NAME",
            "pca: of the numeric columns; mca: of the nominal ones. By default of whichever are more.",
        ),
    ] = None,
    most: Annotated[int | None, option("--most", "N", "Most components that are kept.", min=1)] = None,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.components import run

    run(data, source, output, method=method, most=most, place=picture)
