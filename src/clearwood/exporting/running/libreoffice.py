"""LibreOffice works out the formulas of exported workbooks, with the rows filled in as cases."""

import io
import math
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from clearwood.exporting.excel.excel import FIRST_ROW, NO_ANSWER, SEVERAL_LEAVES, SheetColumns, case_columns
from clearwood.exporting.excel.package import cell_in_xml, column_letters
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import (
    AnsweredRow,
    NotRun,
    Ran,
    Runner,
    RunTask,
    TargetFailedError,
    output_of,
    program_at,
    ran_with,
    seconds_for,
)
from clearwood.table.attributes import Attribute, Numeric
from clearwood.table.raw import Row

_CASES: Final = "xl/worksheets/sheet1.xml"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


@dataclass(frozen=True, slots=True)
class _Workbooks:
    """The copies of a workbook that hold the rows of a task, by name, and how many rows are in each."""

    task: RunTask
    at: SheetColumns
    rows: Mapping[str, int]


def run_libreoffice(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the workbooks answer: as many copies are filled as the rows need, and opened all at once."""
    office = program_at("soffice", "libreoffice")
    if office is None:
        return [NotRun("LibreOffice (soffice) is not installed.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        filled = [_write(task, number, folder) for number, task in enumerate(tasks)]
        profile = f"-env:UserInstallation={Path(folder, 'profile').as_uri()}"
        names = [f"{name}.xlsx" for each in filled for name in each.rows]
        command = [office, "--headless", "--norestore", profile, "--convert-to", "fods", *names]
        output_of(command, folder=folder, seconds=seconds_for(len(tasks)))
        versions = {"LibreOffice": output_of([office, profile, "--version"]).split()[1]}
        return [_read(each, folder, versions) for each in filled]


def _write(task: RunTask, number: int, folder: str) -> _Workbooks:
    program = program_to_export(task.exported.model)
    at, size = case_columns(program), int(task.exported.options["rows"])
    rows: dict[str, int] = {}
    for start in range(0, len(task.rows), size):
        some, name = task.rows[start : start + size], f"cases_{number}_{len(rows)}"
        try:
            content = _filled(task.exported.data, some, program.inputs, at)
        except zipfile.BadZipFile:
            raise TargetFailedError("The file is no workbook.") from None
        Path(folder, f"{name}.xlsx").write_bytes(content)
        rows[name] = len(some)
    return _Workbooks(task, at, rows)


def _read(filled: _Workbooks, folder: str, versions: Mapping[str, str]) -> Ran:
    exported, at = filled.task.exported, filled.at
    beside = (*at.shares, *([at.points] if at.points else []))
    given: list[AnsweredRow] = []
    for name, count in filled.rows.items():
        for line in _lines(Path(folder, f"{name}.fods"), at, count):
            reason = _words(line[at.rule]) if at.rule else None
            numbers = [_number(line[column]) for column in beside]
            given.append(
                (_answer(exported, line[at.answer]), numbers, None if reason == SEVERAL_LEAVES else reason)
            )
    return ran_with(exported, given, versions)


def _filled(content: bytes, rows: Sequence[Row], inputs: Sequence[Attribute], at: SheetColumns) -> bytes:
    """The workbook with these rows in its lines."""
    cells: dict[str, str | float | None] = {}
    for number, row in enumerate(rows):
        line = FIRST_ROW + number
        cells[f"A{line}"] = str(number + 1)
        for column, each in zip(at.inputs, inputs, strict=True):
            cell = row.get(each.name)
            if isinstance(each, Numeric):
                cell = None if cell is None or math.isnan(float(cell)) else float(cell)
            cells[f"{column_letters(column)}{line}"] = cell
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name).decode()
            if name == _CASES:
                text = re.sub(
                    r'<c r="([A-Z]+[0-9]+)" s="([0-9]+)"/>',
                    lambda cell: cell_in_xml(cell[1], cells.get(cell[1]), int(cell[2])),
                    text,
                )
            new.writestr(name, text)
    return out.getvalue()


def _lines(path: Path, at: SheetColumns, count: int) -> Iterator[dict[int, ElementTree.Element]]:
    """The cells of the lines of cases, by column."""
    if not path.exists():
        raise TargetFailedError(f"LibreOffice did not open {path.stem}.xlsx.")
    root = ElementTree.parse(path).getroot()
    sheet = next(each for each in root.iter(f"{_TABLE}table") if each.get(f"{_TABLE}name") == "Score")
    line = 0
    for row in sheet.iter(f"{_TABLE}table-row"):
        repeated = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        for _ in range(repeated):
            line += 1
            if FIRST_ROW <= line < FIRST_ROW + count:
                yield _by_column(row, at.note)
            elif line >= FIRST_ROW + count:
                return


def _by_column(row: ElementTree.Element, last: int) -> dict[int, ElementTree.Element]:
    cells: dict[int, ElementTree.Element] = {}
    column = 0
    for cell in row:
        for _ in range(int(cell.get(f"{_TABLE}number-columns-repeated", "1"))):
            column += 1
            if column > last:
                return cells
            cells[column] = cell
    return cells


def _answer(exported: Exported, cell: ElementTree.Element) -> str | float | None:
    if cell.get(f"{_OFFICE}value-type") == "float" and exported.model.is_numeric:
        return _number(cell)
    text = _words(cell)
    return None if text == NO_ANSWER else text


def _number(cell: ElementTree.Element) -> float:
    return float(cell.get(f"{_OFFICE}value", "nan"))


def _words(cell: ElementTree.Element) -> str:
    """The text of a cell, whose blanks and line breaks are elements."""
    given = cell.get(f"{_OFFICE}string-value")
    return given if given is not None else "\n".join(_inner(each) for each in cell.iter(f"{_TEXT}p"))


def _inner(element: ElementTree.Element) -> str:
    text = element.text or ""
    for each in element:
        if each.tag == f"{_TEXT}s":
            text += " " * int(each.get(f"{_TEXT}c", "1"))
        elif each.tag == f"{_TEXT}tab":
            text += "\t"
        elif each.tag == f"{_TEXT}line-break":
            text += "\n"
        else:
            text += _inner(each)
        text += each.tail or ""
    return text


RUNNER: Final = Runner("libreoffice", run_libreoffice, most=50)
