"""`clearwood compare`: one table through several tree learners, and where they part."""

from __future__ import annotations

from typing import Annotated

from clearwood.catalogue import compared_by_default, trees
from clearwood.cli.declaring import option
from clearwood.cli.options import LEARNING, Data, Output, Source
from clearwood.words.lists import with_and


def compare(
    data: Data,
    *,
    source: Source,
    learners: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME[:SETTING=VALUE,…]",
            f"May be repeated; one of: {', '.join(trees())}. By default {with_and(compared_by_default())}.",
            LEARNING,
            autocompletion=lambda: list(trees()),
        ),
    ] = None,
    output: Output,
) -> None:
    """Compare tree learners on one table: where their trees first differ, and the numbers that decided."""
    from clearwood.cli.running.compare import run

    run(data, source, output, learners)
