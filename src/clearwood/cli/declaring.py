"""How an option is declared: its names, what it takes, what it means, and the panel of the help it is in."""

from __future__ import annotations

from typing import Any

import typer


def option(names: str, takes: str | None, meaning: str, panel: str | None = None, **more: Any) -> Any:
    """An option for an `Annotated` parameter or field; `names` have blanks between, a flag takes None."""
    return typer.Option(*names.split(), metavar=takes or "", help=meaning, rich_help_panel=panel, **more)
