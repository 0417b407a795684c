"""`clearwood distil`: a tree or rules that imitate a saved model, how well they do, and where not."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import TestPart
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import Data, ModelPath, Output, Save
from clearwood.cli.panels import LEARNING
from clearwood.cli.source_options import Reading


def distil(
    model: ModelPath,
    data: Data,
    *,
    reading: Reading,
    learning: Learning,
    made: Annotated[
        float,
        option(
            "--made", "N", "Rows made for each row of the table, by shuffling some of its columns.", LEARNING
        ),
    ] = 1.0,
    by: Annotated[
        str,
        option(
            "--imitate",
            "WORD",
            "Learn from the classes that the model predicts, or from its probabilities.",
            LEARNING,
        ),
    ] = "answers",
    no_prune: Annotated[
        bool,
        option("--no-prune", None, "Keep the whole tree, not the smallest that imitates as well.", LEARNING),
    ] = False,
    test_part: TestPart = 0.3,
    save: Save = None,
    output: Output,
) -> None:
    from clearwood.cli.running.distil import run

    run(
        model,
        data,
        reading,
        learning,
        output,
        made=made,
        by=by,
        prune=not no_prune,
        test_part=test_part,
        save=save,
    )
