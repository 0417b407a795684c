"""The format: a workbook with lines to fill in, its answers worked out by formulas."""

from __future__ import annotations

from typing import Final

from clearwood.errors import SettingError
from clearwood.export.excel.package import workbook_file
from clearwood.export.excel.workbook import sheets_of
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported, ExportFormat
from clearwood.export.exporting import refused_without_words
from clearwood.export.program.program_of import program_of

_NOTES: Final = (
    "Numbers are compared to fifteen digits.",
    "An empty text is an empty cell, which is a missing value.",
)


def export_to_excel(model: Exportable, *, rows: int = 100) -> Exported:
    """A workbook with room for so many cases."""
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= 100_000:
        raise SettingError(f"rows must be a whole number from 1 to 100,000, not {rows!r}.")
    content = workbook_file(sheets_of(model, program_of(model), rows))
    return Exported(
        "excel",
        content,
        ".xlsx",
        model,
        "libreoffice",
        options={"rows": rows},
        precision="fifteen digits",
        notes=_NOTES,
    )


FORMAT: Final = ExportFormat(
    "excel", "a workbook that scores cases by formulas", (".xlsx",), export_to_excel, refused_without_words
)
