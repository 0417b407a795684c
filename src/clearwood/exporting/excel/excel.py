"""The format: a workbook with lines to fill in, its answers worked out by formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clearwood.errors import SettingError
from clearwood.exporting.excel.formulas import MOST_COLUMNS, ROW, FormulaWriter, WorkingColumn
from clearwood.exporting.excel.package import (
    FormulaText,
    WorkbookSheet,
    cells_down,
    column_letters,
    workbook_file,
)
from clearwood.exporting.exportable import Exportable, export_title, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat, heading_of
from clearwood.models.program.evaluating import formula_value
from clearwood.models.program.program import ModelProgram
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

_NOTES: Final = (
    "Numbers are compared to fifteen digits.",
    "An empty text is an empty cell, which is a missing value.",
)


def export_to_excel(model: Exportable, *, rows: int = 100) -> Exported:
    """A workbook with room for so many cases."""
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= 100_000:
        raise SettingError(f"rows must be a whole number from 1 to 100,000, not {rows!r}.")
    content = workbook_file(_sheets(model, program_to_export(model), rows))
    return Exported("excel", content, ".xlsx", model, "libreoffice", {"rows": rows}, "fifteen digits", _NOTES)


FORMAT: Final = ExportFormat(
    "excel", "a workbook that scores cases by formulas", (".xlsx",), export_to_excel, refused_without_words
)


# The workbook of a model: cases to fill in, its leaves or rules, the working, and what it is.


FIRST_ROW: Final = 6  # of the cases; above it stand the title and the heads
_MOST_FORMULAS: Final = 60_000_000  # characters in all
NO_ANSWER: Final = "(no prediction)"
SEVERAL_LEAVES: Final = "several leaves, each with its part"
_WIDE: Final = 60.0


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """Where things stand on the sheet of cases, by column: inputs, the answer, shares, points or the rule, a
    note."""

    inputs: tuple[int, ...]
    answer: int
    shares: tuple[int, ...]
    points: int | None
    rule: int | None
    note: int


def case_columns(program: ModelProgram) -> SheetColumns:
    """The first column is the name of the case."""
    answer = len(program.inputs) + 2
    shares = tuple(range(answer + 1, answer + 1 + len(program.shares)))
    beside = answer + len(shares) + 1  # no program has both points and regions
    points, rule = (beside if each else None for each in (program.points, program.regions))
    note = beside + 1 if points or rule else beside
    return SheetColumns(tuple(range(2, answer)), answer, shares, points, rule, note)


def _sheets(model: Exportable, program: ModelProgram, rows: int) -> list[WorkbookSheet]:
    """The sheets of a workbook with room for so many cases."""
    inputs = {each.name: f"${column_letters(place)}{ROW}" for place, each in enumerate(program.inputs, 1)}
    working = []
    for place, each in enumerate(program.inputs, 2):  # a number, a text, or nothing
        cell = f"Score!{column_letters(place)}{ROW}"
        taken = f'IF(ISBLANK({cell}),"",{cell}&"")'
        if isinstance(each, Numeric):
            taken = f'IF(ISNUMBER({cell}),{cell},"")'
        working.append(WorkingColumn(each.name, "the input, or nothing", taken))
    writer = FormulaWriter(program, inputs, working)
    writer.write()
    _check_room(writer, rows)
    cases = _cases(model, program, writer, rows)
    regions = [_regions(program)] if program.regions else []
    return [cases, *regions, _about(model, rows), _working(writer, rows), _lists(writer)]


def _check_room(writer: FormulaWriter, rows: int) -> None:
    """Refuse what Excel has no room for."""
    columns, characters = len(writer.columns), rows * sum(len(each.formula) for each in writer.columns)
    if columns > MOST_COLUMNS or len(writer.lists) > MOST_COLUMNS:
        raise SettingError(
            f"The working of this model needs {max(columns, len(writer.lists)):,} columns, and Excel has "
            f"{MOST_COLUMNS:,}. Learn a smaller model, or export it to python or another language."
        )
    if characters > _MOST_FORMULAS:
        raise SettingError(
            f"Formulas for {rows:,} cases of this model would be {characters / 1e6:,.0f} million characters. "
            f"Ask for fewer cases: rows={max(1, rows * _MOST_FORMULAS // characters):,}; "
            "or export it to another language."
        )


def _cases(model: Exportable, program: ModelProgram, writer: FormulaWriter, rows: int) -> WorkbookSheet:
    sheet = WorkbookSheet("Score", frozen=(FIRST_ROW - 1, 1), colour="5D4037")
    at, last = case_columns(program), FIRST_ROW + rows - 1
    target = model.schema.predicted
    how = "One case per line: fill in the sand-coloured cells. An empty cell is a missing value."
    sheet.put(1, 1, f"Predict {target.name}", "title")
    sheet.put(2, 1, export_title(model), "remark")
    sheet.put(3, 1, how, "remark")
    sheet.heights = {1: 30, FIRST_ROW - 2: 8, FIRST_ROW - 1: 36}
    columns = list(zip(at.inputs, program.inputs, strict=True))
    given = [(1, "Case", 9.0), *((column, each.name, _width(each)) for column, each in columns)]
    answers = [(at.answer, target.name, max(14.0, min(30.0, len(target.name) + 4.0)))]
    answers += [
        (column, f"Probability of {name}", max(12.0, min(24.0, len(name) + 6.0)))
        for column, name in zip(at.shares, program.classes, strict=True)
    ]
    answers += [(at.points, "Points", 12.0)] if at.points else []
    answers += [(at.rule, "Because", _WIDE)] if at.rule else []
    answers.append((at.note, "Note", 34.0))
    for style, heads in (("head of inputs", given), ("head of predictions", answers)):
        for column, name, width in heads:
            sheet.put(FIRST_ROW - 1, column, name, style)
            sheet.widths[column] = width
    formulas = _answers(program, writer, at)
    for row in range(FIRST_ROW, last + 1):
        sheet.put(row, 1, None, "text in")
        for column, each in columns:
            sheet.put(row, column, None, "number in" if isinstance(each, Numeric) else "text in")
        for column, formula, style in formulas:
            sheet.put(row, column, FormulaText(formula.replace(ROW, str(row))), style)
    sheet.bars = [cells_down(column, FIRST_ROW, last) for column in at.shares]
    sheet.lists = {
        cells_down(column, FIRST_ROW, last): writer.list_at(each.values)
        for column, each in columns
        if isinstance(each, Nominal | Ordinal)
    }
    return sheet


def _answers(program: ModelProgram, writer: FormulaWriter, at: SheetColumns) -> list[tuple[int, str, str]]:
    """The formulas of the answers, with `ROW` for the row; a line where nothing is filled in stays empty."""
    steps = {name: f"Working!{cell}" for name, cell in writer.steps.items()}
    answer = steps[program.answer]
    named = f'IF(ISNA({answer}),"{NO_ANSWER}",{answer})'
    if program.classes:
        named = f'IF({answer}<0,"{NO_ANSWER}",INDEX({writer.list_at(program.classes)},{answer}+1))'
    formulas = [(at.answer, named, "answer")]
    formulas += [
        (column, steps[share], "share") for column, share in zip(at.shares, program.shares, strict=True)
    ]
    if at.points and program.points:
        formulas.append((at.points, steps[program.points], "number"))
    if at.rule and program.region:
        region = steps[program.region]
        texts = f"Rules!$B${FIRST_ROW}:$B${FIRST_ROW + len(program.regions) - 1}"
        reason = f'IF({region}<0,"{SEVERAL_LEAVES}",INDEX({texts},{region}+1))'
        formulas.append((at.rule, reason, "line"))
    formulas.append((at.note, _notes(program, writer), "line"))
    empty = f"COUNTA($A{ROW}:${column_letters(max(at.inputs, default=1))}{ROW})=0"
    return [(column, f'IF({empty},"",{formula})', style) for column, formula, style in formulas]


def _notes(program: ModelProgram, writer: FormulaWriter) -> str:
    """What is odd about a case: a text where a number belongs, a value that was never met."""
    notes = []
    for place, each in enumerate(program.inputs, 2):
        cell = f"Score!{column_letters(place)}{ROW}"
        if isinstance(each, Numeric):
            remark = writer.text(f"{each.name} is no number: taken as missing. ")
            notes.append(f'IF(ISTEXT({cell}),{remark},"")')
        elif isinstance(each, Nominal | Ordinal):
            own = writer.inputs[each.name]
            known = f"SUMPRODUCT(--EXACT({writer.list_at(each.values)},{own}))"
            remark = writer.text(f"{each.name}: a value never met. ")
            notes.append(f'IF({own}="","",IF({known}>0,"",{remark}))')
    written = writer.joined(notes, "&", "notes") if notes else '""'
    writer.columns.append(WorkingColumn("note", "what is odd about the case", written))
    return f"Working!${column_letters(len(writer.columns))}{ROW}"


def _regions(program: ModelProgram) -> WorkbookSheet:
    """The leaves or rules, with the answer and shares of each."""
    assert program.region is not None
    sheet = WorkbookSheet("Rules", frozen=(FIRST_ROW - 1, 0), colour="8D6E63")
    because = "The column “Because” of the sheet Score names the row of this sheet that decided."
    sheet.put(1, 1, "What the model says", "title")
    sheet.put(2, 1, because, "remark")
    classes = program.classes if program.shares else ()
    for column, head in enumerate(["#", "Rule", *(f"Probability of {name}" for name in classes)], 1):
        sheet.put(FIRST_ROW - 1, column, head, "head")
    sheet.heights = {1: 30, FIRST_ROW - 2: 8, FIRST_ROW - 1: 36}
    sheet.widths = {1: 7.0, 2: 90.0, **{3 + c: 14.0 for c in range(len(classes))}}
    steps = {step.name: step for step in program.steps}
    for place, text in enumerate(program.regions):
        row = FIRST_ROW + place
        sheet.put(row, 1, float(place + 1), "number")
        sheet.put(row, 2, text, "words")
        sheet.heights[row] = min(400.0, 18.0 * (1 + len(text) // 95))
        for column, name in enumerate(program.shares, 3):
            share = formula_value(steps[name].value, {}, {program.region: float(place)})
            sheet.put(row, column, share, "share")
    last = FIRST_ROW + len(program.regions) - 1
    sheet.bars = [cells_down(3 + c, FIRST_ROW, last) for c in range(len(classes))]
    return sheet


_ABOUT: Final = """\
How to use: Sheet Score holds {rows:,} lines for cases. Fill in the sand-coloured cells, or paste them.
Missing values: An empty cell is a missing value, and is treated as the model treats one.
Other values: A value that is not in the list is one the model never met; the column Note says so.
More cases: Export the workbook again with more rows: the sheets Score and Working have a line each.
Working: Every step of the model has a column there; the sheet Lists holds its numbers.
Precision: Spreadsheets compare numbers to fifteen digits; nearer to a cut either side may be taken."""


def _about(model: Exportable, rows: int) -> WorkbookSheet:
    sheet = WorkbookSheet("About", widths={1: 18.0, 2: 100.0}, heights={1: 28}, colour="BCAAA4")
    what, source = heading_of(model)
    sheet.put(1, 1, "About this workbook", "title")
    remarks = (line.split(": ", 1) for line in _ABOUT.format(rows=rows).splitlines())
    for row, (name, text) in enumerate([("Model", what), ("Source", source), *remarks], 3):
        sheet.put(row, 1, name, "head")
        sheet.put(row, 2, text, "words")
    return sheet


def _working(writer: FormulaWriter, rows: int) -> WorkbookSheet:
    """Its lines are those of the cases."""
    sheet = WorkbookSheet("Working", frozen=(FIRST_ROW - 1, 0), colour="D7CCC8")
    sheet.put(1, 1, "The working: one column per step", "title")
    sheet.heights = {1: 30, FIRST_ROW - 2: 8, FIRST_ROW - 1: 48}
    for column, each in enumerate(writer.columns, 1):
        sheet.widths[column] = 17.0
        sheet.put(FIRST_ROW - 3, column, each.about, "remark")
        sheet.put(FIRST_ROW - 1, column, each.name, "head")
        for row in range(FIRST_ROW, FIRST_ROW + rows):
            sheet.put(row, column, FormulaText(each.formula.replace(ROW, str(row))), "number")
    return sheet


def _lists(writer: FormulaWriter) -> WorkbookSheet:
    sheet = WorkbookSheet("Lists", frozen=(1, 0), colour="D7CCC8")
    for column, values in enumerate(writer.lists, 1):
        sheet.put(1, column, "numbers" if column == 1 else f"list {column - 1}", "head")
        for row, value in enumerate(values, 2):
            sheet.put(row, column, value, "number")
    return sheet


def _width(attribute: Attribute) -> float:
    longest = max([len(attribute.name), *map(len, getattr(attribute, "values", ()))])
    return float(min(28, max(11, longest + 4)))
