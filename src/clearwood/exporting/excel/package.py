"""The file of a workbook: sheets as XML in a zip archive, the same bytes every time."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from clearwood.exporting.exported import filled_in
from clearwood.files import text_beside

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# What XML cannot hold is written as _x000D_, and what looks like it with its _ as _x005F_.
_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
INFINITE: Final = 1e300  # spreadsheets have no infinite numbers; this one may be added up
MOST_CHARACTERS: Final = 32_767  # in a cell


def workbook_file(sheets: Sequence[WorkbookSheet]) -> bytes:
    """The bytes of an .xlsx file."""
    parts = {
        "[Content_Types].xml": _content_types(len(sheets)),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(sheets),
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
            + [("styles", "styles.xml")]
        ),
        "xl/styles.xml": _template("styles.xml.in", looks=_looks(), count=str(len(_LOOKS))),
    }
    for number, sheet in enumerate(sheets, 1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(sheet, is_first=number == 1)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode())
    return out.getvalue()


def text_in_xml(text: str) -> str:
    """A text between tags.

    >>> text_in_xml("a<b"), text_in_xml("bell\\x07"), text_in_xml("_x0041_")
    ('a&lt;b', 'bell_x0007_', '_x005F_x0041_')
    """
    return escape(_UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text))


def cell_in_xml(at: str, value: SheetValue, style: int) -> str:
    """A cell: a formula has no value yet, for it is worked out where the file is opened."""
    opening = f'<c r="{at}" s="{style}"'
    match value:
        case None:
            return f"{opening}/>"
        case FormulaText(text):
            return f"{opening}><f>{escape(text)}</f></c>"
        case str():
            shown = value if len(value) < MOST_CHARACTERS else f"{value[: MOST_CHARACTERS - 1]}…"
            return f'{opening} t="inlineStr"><is><t xml:space="preserve">{text_in_xml(shown)}</t></is></c>'
        case _ if math.isnan(value):
            return f'{opening} t="e"><v>#N/A</v></c>'
        case _ if math.isinf(value):
            return f"{opening}><v>{math.copysign(INFINITE, value)!r}</v></c>"
        case _:
            return f"{opening}><v>{value!r}</v></c>"


def _template(name: str, **parts: str) -> str:
    """A part of the archive, by the file that lies beside this one."""
    lines = text_beside(__file__, name).splitlines()
    return _HEAD + filled_in("".join(map(str.strip, lines)), **parts)


def _sheet(sheet: WorkbookSheet, *, is_first: bool) -> str:
    widths = [
        f'<col min="{column}" max="{column}" width="{width:g}" customWidth="1"/>'
        for column, width in sorted(sheet.widths.items())
    ]
    bars = [
        f'<conditionalFormatting sqref="{each}"><cfRule type="dataBar" priority="{priority}">'
        '<dataBar minLength="0" maxLength="100"><cfvo type="num" val="0"/>'
        '<cfvo type="num" val="1"/><color rgb="FFBCAAA4"/></dataBar></cfRule>'
        "</conditionalFormatting>"
        for priority, each in enumerate(sheet.bars, 1)
    ]
    lists = [
        '<dataValidation type="list" allowBlank="1" showInputMessage="1" showErrorMessage="0" '
        f'sqref="{cells_chosen}"><formula1>{escape(source)}</formula1></dataValidation>'
        for cells_chosen, source in sheet.lists.items()
    ]
    return _template(
        "sheet.xml.in",
        colour=f'<tabColor rgb="FF{sheet.colour}"/>' if sheet.colour else "",
        selected=' tabSelected="1"' if is_first else "",
        pane=_pane(*sheet.frozen),
        widths=f"<cols>{''.join(widths)}</cols>" if widths else "",
        rows="".join(_row(sheet, row) for row in sorted(sheet.rows)),
        bars="".join(bars),
        lists=f'<dataValidations count="{len(lists)}">{"".join(lists)}</dataValidations>' if lists else "",
    )


def _row(sheet: WorkbookSheet, row: int) -> str:
    height = f' ht="{sheet.heights[row]:g}" customHeight="1"' if row in sheet.heights else ""
    cells = (
        cell_in_xml(f"{column_letters(column)}{row}", value, _PLACES[style])
        for column, (value, style) in sorted(sheet.rows[row].items())
    )
    return f'<row r="{row}"{height}>{"".join(cells)}</row>'


def _pane(rows: int, columns: int) -> str:
    """What stays in place when a sheet is scrolled; it may be nothing."""
    if not rows and not columns:
        return ""
    across = f' xSplit="{columns}"' if columns else ""
    down = f' ySplit="{rows}"' if rows else ""
    corner = "bottomRight" if rows and columns else "bottomLeft" if rows else "topRight"
    top = f"{column_letters(columns + 1)}{rows + 1}"
    return f'<pane{across}{down} topLeftCell="{top}" activePane="{corner}" state="frozen"/>'


def _workbook(sheets: Sequence[WorkbookSheet]) -> str:
    listed = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{number}" r:id="rId{number}"/>'
        for number, sheet in enumerate(sheets, 1)
    )
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><bookViews><workbookView/></bookViews>'
        f'<sheets>{listed}</sheets><calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>'
    )


def _relations(links: Sequence[tuple[str, str]]) -> str:
    listed = "".join(
        f'<Relationship Id="rId{number}" Type="{_LINKS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(links, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _content_types(sheets: int) -> str:
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{number}.xml", "worksheet") for number in range(1, sheets + 1)]
    listed = "".join(
        f'<Override PartName="{name}" ContentType="{_TYPES}.{kind}+xml"/>' for name, kind in parts
    )
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{listed}</Types>'
    )


# A Sheet of a workbook: cells by row and column, each a text, a number or a formula in a style.


@dataclass(frozen=True, slots=True)
class FormulaText:
    """A formula as it is written behind the =."""

    text: str


SheetValue: TypeAlias = str | float | FormulaText | None  # NaN is #N/A


@dataclass
class WorkbookSheet:
    """One sheet: its rows, the widths of its columns, and what stays in place when it is scrolled.

    `lists` has, for the cells of some columns, where the values stand that may be chosen there; others are
    let in. `bars` are cells with shares, and show how large they are.
    """

    name: str
    rows: dict[int, dict[int, tuple[SheetValue, str]]] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    frozen: tuple[int, int] = (0, 0)  # rows and columns
    lists: dict[str, str] = field(default_factory=dict)
    bars: list[str] = field(default_factory=list)
    colour: str = ""

    def put(self, row: int, column: int, value: SheetValue, style: str) -> None:
        """Fill a cell, in a style of `_LOOKS`; rows and columns are counted from 1."""
        self.rows.setdefault(row, {})[column] = (value, style)


def cells_down(column: int, first: int, last: int) -> str:
    """The cells of a column from one row to another: `B6:B105`."""
    letters = column_letters(column)
    return f"{letters}{first}:{letters}{last}"


def column_letters(column: int) -> str:
    """The letters of a column, counted from 1.

    >>> column_letters(1), column_letters(26), column_letters(27), column_letters(16384)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters = ""
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(65 + place) + letters
    return letters


# The styles of a workbook's cells: the browns of the wood, and sand where something is to be filled in.


_WRAP: Final = '<alignment horizontal="left" vertical="center" wrapText="1" indent="1"/>'
_MIDDLE: Final = '<alignment vertical="center"/>'
_LEFT: Final = '<alignment horizontal="left" vertical="center" indent="1"/>'
_RIGHT: Final = '<alignment horizontal="right" vertical="center" indent="1"/>'

# Places of font, fill and border in styles.xml.in, number format (0 general, 49 text, 164 %), alignment
_LOOKS: Final[dict[str, tuple[int, int, int, int, str]]] = {
    "plain": (0, 0, 0, 0, _MIDDLE),
    "title": (1, 0, 0, 0, _MIDDLE),
    "remark": (2, 0, 0, 0, _MIDDLE),
    "head of inputs": (3, 2, 1, 0, _WRAP),
    "head of predictions": (3, 3, 1, 0, _WRAP),
    "head": (4, 4, 1, 0, _WRAP),
    "number in": (0, 5, 1, 0, _RIGHT),
    "text in": (0, 5, 1, 49, _LEFT),
    "answer": (4, 0, 1, 0, _LEFT),
    "share": (0, 0, 1, 164, _RIGHT),
    "words": (0, 0, 1, 0, _WRAP),
    "line": (0, 0, 1, 0, _LEFT),
    "number": (0, 0, 1, 0, _RIGHT),
}
_PLACES: Final = {style: place for place, style in enumerate(_LOOKS)}


def _looks() -> str:
    return "".join(
        f'<xf numFmtId="{format}" fontId="{font}" fillId="{fill}" borderId="{border}" xfId="0" '
        'applyNumberFormat="1" '
        f'applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">{alignment}</xf>'
        for font, fill, border, format, alignment in _LOOKS.values()
    )
