"""`clearwood schema`: what each column was taken for, and how to change it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, Output
from clearwood.cli.source_options import Source


def schema(
    data: Data,
    *,
    source: Source,
    save: Annotated[
        Path | None, option("--save", "FILE", "Write the schema here, to be edited and given to fit.")
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.schema import run

    run(data, source, output, save)
