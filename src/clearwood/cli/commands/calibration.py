"""`clearwood calibration`: do the classes come as often as the model's shares say?"""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, ModelPath, Output, SchemaOfRules
from clearwood.cli.source_options import Reading


def calibration(
    model: ModelPath,
    data: Data,
    *,
    reading: Reading,
    bins: Annotated[int, option("--bins", "N", "Lines of the reliability table.")] = 10,
    by: Annotated[
        str, option("--equal", "WORD", "width: bins of equal width; rows: bins of about equal weight.")
    ] = "width",
    positive: Annotated[
        str | None, option("--positive", "CLASS", "The class whose probabilities are shown (guessed of two).")
    ] = None,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.calibration import run

    run(model, data, reading, output, bins=bins, by=by, positive=positive, schema=schema)
