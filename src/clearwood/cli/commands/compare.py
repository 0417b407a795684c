"""`clearwood compare`: one table through several tree learners, and where they part."""

from __future__ import annotations

from typing import Annotated

from clearwood.catalogue import trees
from clearwood.cli.declaring import option
from clearwood.cli.options import LEARNING, Data, Output, Source


def compare(
    data: Data,
    *,
    source: Source,
    learners: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME[:SETTING=VALUE,…]",
            f"May be repeated; one of: {', '.join(trees())}. By default ID3, C4.5, CART and CHAID.",
            LEARNING,
            autocompletion=lambda: list(trees()),
        ),
    ] = None,
    output: Output,
) -> None:
    """Compare tree learners on one table: where their trees first differ, and the numbers that decided."""
    from clearwood.cli.running.compare import run

    run(data, source, output, learners)
