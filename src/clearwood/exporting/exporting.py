"""To export: a model written in a format, by the format's name."""

import inspect
from dataclasses import replace
from typing import Any

from clearwood.errors import SettingError, check_known
from clearwood.exporting import FORMATS
from clearwood.exporting.exportable import Exportable, cells_to_prepare, check_exportable
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.table.schema import broken_name


def export(model: Exportable, format: str, **options: Any) -> Exported:
    """The model in another format; what the format cannot say is refused with the way out.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(export(cw.ID3().learn(table), "python").text.splitlines()[0])
    \"\"\"Predict PlayTennis: ID3, 5 leaves.
    """
    check_exportable("export", model)
    chosen = FORMATS.find(format)
    known = options_of(chosen)
    for name in options:
        check_known(f"option of {chosen.name} called", name, known, plural="options")
    because = broken_name(model.schema) or chosen.refuses(model)
    if because is not None:
        raise SettingError(because)
    exported = chosen.write(model, **options)
    preparing = cells_to_prepare(model)
    return replace(exported, notes=(*exported.notes, preparing)) if preparing else exported


def options_of(format: ExportFormat) -> tuple[str, ...]:
    """The options that a format takes beside the model."""
    return tuple(inspect.signature(format.write).parameters)[1:]


def format_by_suffix(suffix: str) -> ExportFormat:
    """The format that a file's ending stands for."""
    for format in FORMATS.values():  # which imports them, one by one
        if suffix.lower() in format.suffixes:
            return format
    endings = ", ".join(each for format in FORMATS.values() for each in format.suffixes)
    raise SettingError(f"No format has files that end in '{suffix}'. Those that there are: {endings}.")
