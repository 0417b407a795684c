"""The styles of a workbook's cells: the browns of the wood, and sand where something is to be filled in."""

from __future__ import annotations

from typing import Final, get_args

from clearwood.export.excel.sheet import CellStyle

_BROWN, _MILK, _SAND, _LINE, _GREY = "FF5D4037", "FFF5F0ED", "FFFFF8E7", "FFE0D6D1", "FF8D7B74"

_FONTS: Final = (
    '<font><sz val="11"/><color rgb="FF2B2320"/><name val="Calibri"/></font>',
    f'<font><b/><sz val="18"/><color rgb="{_BROWN}"/><name val="Calibri"/></font>',
    f'<font><sz val="10"/><color rgb="{_GREY}"/><name val="Calibri"/></font>',
    '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>',
    f'<font><b/><sz val="11"/><color rgb="{_BROWN}"/><name val="Calibri"/></font>',
)
_FILLS: Final = (
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
    *(
        f'<fill><patternFill patternType="solid"><fgColor rgb="{colour}"/></patternFill></fill>'
        for colour in ("FF8D6E63", _BROWN, _MILK, _SAND)
    ),
)
_SIDES: Final = "".join(
    f'<{side} style="thin"><color rgb="{_LINE}"/></{side}>' for side in ("left", "right", "top", "bottom")
)
_BORDERS: Final = (
    "<border><left/><right/><top/><bottom/><diagonal/></border>",
    f"<border>{_SIDES}<diagonal/></border>",
)
_WRAP: Final = '<alignment horizontal="left" vertical="center" wrapText="1" indent="1"/>'
_MIDDLE: Final = '<alignment vertical="center"/>'
_LEFT: Final = '<alignment horizontal="left" vertical="center" indent="1"/>'
_RIGHT: Final = '<alignment horizontal="right" vertical="center" indent="1"/>'

# font, fill, border, number format (0 general, 49 text, 164 per cent), alignment
_LOOKS: Final[dict[CellStyle, tuple[int, int, int, int, str]]] = {
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


def style_number(style: CellStyle) -> int:
    """The place of a style in the file."""
    return _PLACES[style]


def _looks() -> str:
    return "".join(
        f'<xf numFmtId="{format}" fontId="{font}" fillId="{fill}" borderId="{border}" xfId="0" '
        'applyNumberFormat="1" '
        f'applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">{alignment}</xf>'
        for font, fill, border, format, alignment in _LOOKS.values()
    )


_PLACES: Final = {style: place for place, style in enumerate(_LOOKS)}
assert tuple(_LOOKS) == get_args(CellStyle)

STYLES_XML: Final = (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
    f'<fonts count="{len(_FONTS)}">{"".join(_FONTS)}</fonts>'
    f'<fills count="{len(_FILLS)}">{"".join(_FILLS)}</fills>'
    f'<borders count="{len(_BORDERS)}">{"".join(_BORDERS)}</borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="{len(_LOOKS)}">{_looks()}</cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
