"""A Format: another language or file that models are written in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """What the list of formats knows of one.

    `write` takes a model and the format's own options by name, and makes the export. `refuses` says in a
    sentence why it cannot say a model, with the way out; None: it can. `suffixes` are the endings of files
    that are taken for this format, the usual one first.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    write: Callable[..., Exported]
    refuses: Callable[[Exportable], str | None]
