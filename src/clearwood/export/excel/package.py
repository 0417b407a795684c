"""The file of a workbook: sheets as XML in a zip archive, the same bytes every time."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from clearwood.export.excel.sheet import FormulaText, SheetValue, WorkbookSheet, column_letters
from clearwood.export.excel.styles import STYLES_XML, style_number

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# What XML cannot hold is written as _x000D_, and what looks like it with its _ as _x005F_.
_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
INFINITE: Final = 1e300  # spreadsheets have no infinite numbers; this one may be added up
MOST_LETTERS: Final = 32_767  # in a cell


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
        "xl/styles.xml": _HEAD + STYLES_XML,
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
            shown = value if len(value) < MOST_LETTERS else f"{value[: MOST_LETTERS - 1]}…"
            return f'{opening} t="inlineStr"><is><t xml:space="preserve">{text_in_xml(shown)}</t></is></c>'
        case _ if math.isnan(value):
            return f'{opening} t="e"><v>#N/A</v></c>'
        case _ if math.isinf(value):
            return f"{opening}><v>{math.copysign(INFINITE, value)!r}</v></c>"
        case _:
            return f"{opening}><v>{value!r}</v></c>"


def _sheet(sheet: WorkbookSheet, *, is_first: bool) -> str:
    lines = [f'{_HEAD}<worksheet xmlns="{_MAIN}">']
    colour = f'<tabColor rgb="FF{sheet.colour}"/>' if sheet.colour else ""
    lines.append(f'<sheetPr>{colour}<pageSetUpPr fitToPage="1"/></sheetPr>')
    lines.append(_view(sheet, is_first=is_first))
    lines.append('<sheetFormatPr defaultRowHeight="18" customHeight="1"/>')
    if sheet.widths:
        columns = (
            f'<col min="{column}" max="{column}" width="{width:g}" customWidth="1"/>'
            for column, width in sorted(sheet.widths.items())
        )
        lines.append(f"<cols>{''.join(columns)}</cols>")
    lines.append("<sheetData>")
    for row, cells in sorted(sheet.rows.items()):
        height = sheet.heights.get(row)
        tall = "" if height is None else f' ht="{height:g}" customHeight="1"'
        written = "".join(
            cell_in_xml(f"{column_letters(column)}{row}", value, style_number(style))
            for column, (value, style) in sorted(cells.items())
        )
        lines.append(f'<row r="{row}"{tall}>{written}</row>')
    lines.append("</sheetData>")
    for priority, each in enumerate(sheet.bars, 1):
        lines.append(
            f'<conditionalFormatting sqref="{each}"><cfRule type="dataBar" priority="{priority}">'
            '<dataBar minLength="0" maxLength="100"><cfvo type="num" val="0"/>'
            '<cfvo type="num" val="1"/><color rgb="FFBCAAA4"/></dataBar></cfRule>'
            "</conditionalFormatting>"
        )
    if sheet.lists:
        lines.append(f'<dataValidations count="{len(sheet.lists)}">')
        lines += [
            '<dataValidation type="list" allowBlank="1" showInputMessage="1" showErrorMessage="0" '
            f'sqref="{each.of}"><formula1>{escape(each.source)}</formula1></dataValidation>'
            for each in sheet.lists
        ]
        lines.append("</dataValidations>")
    lines.append('<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>')
    lines.append('<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>')
    return "".join(lines)


def _view(sheet: WorkbookSheet, *, is_first: bool) -> str:
    rows, columns = sheet.frozen
    chosen = ' tabSelected="1"' if is_first else ""
    pane = ""
    if rows or columns:
        across = f' xSplit="{columns}"' if columns else ""
        down = f' ySplit="{rows}"' if rows else ""
        corner = "bottomRight" if rows and columns else "bottomLeft" if rows else "topRight"
        top = f"{column_letters(columns + 1)}{rows + 1}"
        pane = f'<pane{across}{down} topLeftCell="{top}" activePane="{corner}" state="frozen"/>'
    return (
        f'<sheetViews><sheetView showGridLines="0"{chosen} workbookViewId="0">{pane}</sheetView></sheetViews>'
    )


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
