"""From a derivation to sheets: what is written in short, in full, on a worksheet, and in its key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.draw.derivations.sheet import (
    DIGITS,
    Blank,
    Equation,
    Real,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    circled,
    fraction_of,
    written_number,
)
from clearwood.draw.derivations.worksheets import (
    Left,
    Sheet,
    is_numeric,
    later_search,
    sheet_of,
    transposed,
    what_is_left,
    written_cell,
)
from clearwood.formulas import expressions as ex
from clearwood.formulas.conditions import Condition
from clearwood.formulas.expressions import Number, Symbol, letters_in
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.working.derivation import (
    MOST_ROWS,
    BecameSplit,
    Derivation,
    ForIntervals,
    Step,
    Stopped,
    shown_rows,
)
from clearwood.working.figures import Figure, Grid, GridCell, Rows

Detail: TypeAlias = Literal["short", "full", "worksheet"]

_GIVEN: Final[tuple[Left, ...]] = ("given",)
_SHOW_ALL_WORK: Final = 6  # rows of a grid; of a longer one only the chosen row shows its work


def written_steps(
    derivation: Derivation,
    detail: Detail,
    *,
    digits: int = DIGITS,
    most_rows: int | None = MOST_ROWS,
    intervals: bool = True,
    chapter: str | None = None,
) -> Iterator[WrittenStep]:
    """The steps as sheets, each made when it is needed; a worksheet asks for the steps of one `chapter`."""
    if detail == "worksheet":
        yield from _worksheet(derivation, digits, most_rows, intervals, chapter)
        return
    above, letters = "", Letters() if detail == "full" else None
    for number, step in enumerate(derivation, 1):
        writer = _SheetWriter(detail, digits, most_rows, step, 0, letters, intervals=intervals)
        yield writer.step(number, new_chapter=step.chapter != above)
        above = step.chapter


def _worksheet(
    derivation: Derivation, digits: int, most_rows: int | None, intervals: bool, chapter: str | None
) -> Iterator[WrittenStep]:
    blanks, above, places, letters = 0, "", BranchNames(), Letters()
    sheet = sheet_of(derivation, chapter)
    first: Step | None = None
    for number, step in sheet.steps:
        writer = _SheetWriter("worksheet", digits, most_rows, step, blanks, letters, intervals=intervals)
        later = first is not None and step.searches and step.chapter == first.chapter
        laid_out = writer.step(
            number, new_chapter=step.chapter != above, after=first.figures if first and later else None
        )
        laid_out = _without_answers(laid_out, step, places.name_of(number, step))
        if first is None:
            laid_out = replace(
                laid_out, figures=(*_given(derivation, sheet, digits, intervals), *laid_out.figures)
            )
            first = step
        yield laid_out
        blanks, above = writer.blanks, step.chapter


def _given(derivation: Derivation, sheet: Sheet, digits: int, intervals: bool) -> Iterator[WrittenFigure]:
    """What the sheet is solved with: the table, the settings, and what is on other sheets."""
    if derivation.table is not None:
        rows = [tuple(written_cell(cell, digits) for cell in row) for row in derivation.table.rows]
        columns = derivation.table.columns
        numeric = tuple(
            is_numeric(each) for each in transposed(derivation.table, list(derivation.table.rows))
        )
        yield WrittenFigure("The table", grids=(WrittenGrid("", columns, numeric, tuple(rows), None),))
    given = [each for each in derivation.given if intervals or not isinstance(each, ForIntervals)]
    if given:
        yield WrittenFigure("Given", remarks=(", ".join(given),))
    if sheet.left_out:
        yield WrittenFigure("On other sheets", remarks=(f"{', '.join(sheet.left_out)}.",))


def key_of(steps: Iterator[WrittenStep]) -> Iterator[WrittenStep]:
    """The key to a worksheet: each of its blanks by number, with what it hides."""
    for step in steps:
        hidden = tuple(WrittenFigure(circled(each.number), each.hides) for each in step.blanks())
        title = step.title_in_key or step.title
        yield WrittenStep(step.chapter, step.number, title, (*hidden, *step.in_key), "")


def _without_answers(sheet: WrittenStep, step: Step, place: str) -> WrittenStep:
    """With a title that does not give away the answer of the step before."""
    if place:
        return replace(sheet, title=place, title_in_key=sheet.title_in_key or sheet.title)
    if not step.on_sheet:
        return sheet
    return replace(sheet, title=step.on_sheet, title_in_key=sheet.title_in_key or sheet.title)


class _SheetWriter:
    """Writes one step, counting the blanks; a figure that occurs twice in it is written out once."""

    def __init__(
        self,
        detail: Detail,
        digits: int,
        most_rows: int | None,
        step: Step,
        blanks: int,
        letters: Letters | None,
        *,
        intervals: bool,
    ) -> None:
        self.detail, self.digits, self.most_rows = detail, digits, most_rows
        self.of, self.blanks, self.letters, self.intervals = step, blanks, letters, intervals
        # The rows that the step's title is about.
        rows = step.rows
        self.common = rows if rows is not None and str(rows).lower() == step.title.lower() else None
        self._written: set[object] = set()
        self._in_step = {_key(each) for each in self._walk(step)} if detail != "short" else set()
        self._kept: list[Figure] = []  # for the key
        self._names_are_asked = False

    def step(self, number: int, *, new_chapter: bool, after: Sequence[Figure] | None = None) -> WrittenStep:
        """On a worksheet, a search that comes `after` one with these figures is not laid out again."""
        step, work = self.of, list[Figure]()
        figures_shown: Sequence[Figure] = step.figures
        if after is not None:
            figures_shown, work = later_search(figures_shown, after)
        figures = self._under(figures_shown)
        decision: str | Blank = step.decision
        if self.detail == "worksheet" and step.decision:
            decision = self._blank((Equation(":", step.decision),), broad=True)
        in_full = step.title if self.common is None else f"{step.title} ({_amount(self.common)})"
        title = step.title if self.detail == "worksheet" else in_full  # how many rows there are is asked
        kept = [*work, *(each for each in self._kept if _key(each) not in self._written)]
        key = _SheetWriter("full", self.digits, self.most_rows, step, 0, None, intervals=self.intervals)
        return WrittenStep(
            step.chapter if new_chapter else "",
            number,
            title,
            figures,
            decision,
            title_in_key="" if title == in_full else in_full,
            in_key=key._under(kept),
            depth=0 if step.rows is None else len(step.rows.when),
        )

    def _walk(self, step: Step) -> Iterator[Figure]:
        """The figures that the step shows anyway; on a worksheet, without those kept for its key."""
        for each in step.walk():
            if self.detail != "worksheet" or each.on_sheet != "in key":
                yield each

    def _figure(self, figure: Figure) -> WrittenFigure:
        key, sheet = _key(figure), self.detail == "worksheet"
        name = figure.alias if sheet and figure.alias else figure.name
        if key in self._written:
            return WrittenFigure(name, () if sheet else self._value(figure), again=True)
        self._written.add(key)
        if self.detail == "short":
            equations = self._value(figure)
            if not equations and figure.because:
                equations = (Equation(":", figure.because),)
            return WrittenFigure(figure.name, equations, under=self._under(figure.under))
        equations = self._formula(figure)
        answer = (*self._calculation(figure), *self._value(figure))
        # The rows behind the whole step are in its title.
        remarks = [] if figure.rows in (None, self.common) else [_resting(figure.rows)]
        if sheet and figure.on_sheet != "given" and (answer or figure.because):
            if not answer and equations and (figure.grids or figure.under):
                remarks.append(figure.because)
            else:
                return self._with_blank(
                    figure, name, equations, answer or (Equation(":", figure.because),), remarks
                )
        else:
            equations += answer
            remarks += [figure.because] if figure.because else []
        letters = self._letters(figure)
        grids = tuple(self._grids(figure))
        under = self._below(figure)
        return WrittenFigure(name, equations, tuple(remarks), letters, grids, under)

    def _letters(self, figure: Figure) -> tuple[Symbol, ...]:
        return () if self.letters is None else self.letters.defined_in(figure)

    def _with_blank(
        self,
        figure: Figure,
        name: str,
        equations: tuple[Equation, ...],
        answer: tuple[Equation, ...],
        remarks: list[str],
    ) -> WrittenFigure:
        """The figure with a blank for its value, after all that it is computed from."""
        grids = tuple(self._grids(figure))
        under = self._below(figure)
        sign = ":" if answer[0].sign == ":" and not equations else _sign(figure)
        blank = Equation(sign, self._blank(answer, broad=True))
        # Letters are defined at their first use, and what the figure is computed from stands above it.
        question = WrittenFigure(name, (*equations, blank), tuple(remarks), self._letters(figure))
        return WrittenFigure(name, grids=grids, under=(*under, question)) if grids or under else question

    def _below(self, figure: Figure) -> tuple[WrittenFigure, ...]:
        """Where a worksheet asks for the names of a grid's rows, they are not given below it either."""
        before = self._names_are_asked
        self._names_are_asked = before or any(grid.on_sheet[:1] == ("asked",) for grid in figure.grids)
        work = [row for grid in figure.grids for row in self._work_of(grid)]
        if self._names_are_asked and self.detail == "worksheet":
            self._kept += work
            work = []
        figures = self._under((*figure.under, *work))
        self._names_are_asked = before
        return figures

    def _under(self, figures: Sequence[Figure]) -> tuple[WrittenFigure, ...]:
        """In short, without figures that are repeated or have nothing to show."""
        if not self.intervals:
            figures = [each for each in figures if not each.is_interval]
        if self.detail == "worksheet":
            self._kept += [each for each in figures if each.on_sheet == "in key"]
            figures = [each for each in figures if each.on_sheet != "in key"]
        laid_out = (self._figure(each) for each in figures)
        if self.detail == "short":
            return tuple(each for each in laid_out if (each.equations or each.under) and not each.again)
        return tuple(laid_out)

    def _formula(self, figure: Figure) -> tuple[Equation, ...]:
        return () if figure.formula is None else (Equation(_sign(figure), figure.formula),)

    def _calculation(self, figure: Figure) -> tuple[Equation, ...]:
        """The numbers put in, and the fraction they come to."""
        put_in = figure.put_in
        if put_in is None or is_value_itself(put_in):
            return ()
        lines = (Equation(_sign(figure), put_in),)
        exact = fraction_of(figure.exact)
        if exact is None or isinstance(figure.value, bool) or is_written_so(put_in, exact):
            return lines
        return (*lines, Equation("=", Number(exact)))

    def _value(self, figure: Figure) -> tuple[Equation, ...]:
        match figure.value:
            case None:
                return ()
            case bool(holds):
                return (Equation(":", "holds" if holds else "does not hold"),)
            case str(word):
                return (Equation("=", word),)
            case value:
                rounded = self.detail != "short" and not self._is_written_whole(value)
                return (Equation("≈" if rounded else "=", Number(value), figure.unit),)

    def _is_written_whole(self, value: Real) -> bool:
        """Do its digits give it exactly?"""
        if isinstance(value, float) and not math.isfinite(value):
            return True
        written = written_number(value, self.digits)
        digits = Fraction(written.digits.replace(",", "").replace("−", "-"))
        return math.isclose(digits * Fraction(10) ** (written.tens or 0), value, rel_tol=1e-12)

    def _grids(self, figure: Figure) -> Iterator[WrittenGrid]:
        """Without those of which a worksheet would keep only the names of the rows."""
        for grid in figure.grids:
            shown = self._grid(grid, figure)
            if len(shown.columns) > 1 or len(grid.columns) == 1:
                yield shown

    def _grid(self, grid: Grid, of: Figure) -> WrittenGrid:
        sheet = self.detail == "worksheet"
        shown = shown_rows(len(grid.rows), None if sheet else grid.chosen, self.most_rows)
        cells = [grid.rows[place] for place in shown]
        if sheet and grid.ranked:
            cells.sort(key=lambda row: str(row[0]))
        left = what_is_left(grid, of, shown, cells) if sheet else _GIVEN * len(grid.columns)
        if sheet and not self._names_are_asked:
            left = self._asked_once(grid, of, cells, left)
        numeric = tuple(is_numeric(column) for column in transposed(grid, cells))
        if sheet and self._names_are_asked and not _all_given(grid):
            left = tuple(
                "blank" if each == "given" and (counted or not place) else each
                for place, (each, counted) in enumerate(zip(left, numeric, strict=True))
            )
        rows = tuple(
            tuple(self._cell(cell, each) for cell, each in zip(row, left, strict=True) if each != "nothing")
            for row in cells
        )
        shown_columns = [place for place, each in enumerate(left) if each != "nothing"]
        columns = tuple(grid.columns[place] for place in shown_columns)
        chosen = None if grid.chosen is None or sheet else grid.chosen - shown.start
        after = len(grid.rows) - shown.stop
        aligned = tuple(numeric[place] for place in shown_columns)
        return WrittenGrid(grid.title, columns, aligned, rows, chosen, shown.start, after)

    def _asked_once(
        self, grid: Grid, of: Figure, cells: list[tuple[GridCell, ...]], left: tuple[Left, ...]
    ) -> tuple[Left, ...]:
        """A column is left out where a figure below asks for each of its values, with room to compute it."""
        if any(each.on_sheet[:1] == ("asked",) for each in of.grids):
            return left
        work = [figure for each in of.grids for figure in self._work_of(each)]
        below = {
            each.value
            for figure in (*of.under, *work)
            for each in figure.walk()
            if figure.on_sheet == each.on_sheet == "asked"
        }
        return tuple(
            "nothing" if each == "blank" and all(cell in below for cell in column) else each
            for each, column in zip(left, transposed(grid, cells), strict=True)
        )

    def _cell(self, cell: GridCell, left: Left) -> str | Blank:
        if cell is None:
            return "–"
        if left == "given":
            return written_cell(cell, self.digits)
        if isinstance(cell, str | bool):
            return self._blank((Equation(":", written_cell(cell, self.digits)),))
        return self._blank((Equation("=", Number(cell)),))

    def _work_of(self, grid: Grid) -> Iterator[Figure]:
        """The figures behind the rows of a grid, except those that the step shows anyway."""
        if grid.figure_of is None:
            return
        sheet = self.detail == "worksheet"
        places: Sequence[int] = range(len(grid.rows)) if len(grid.rows) <= _SHOW_ALL_WORK else ()
        if not places and grid.chosen is not None and not sheet:
            places = range(grid.chosen, grid.chosen + 1)
        if sheet and grid.ranked:
            places = sorted(places, key=lambda place: str(grid.rows[place][0]))
        for place in places:
            figure = grid.figure_of(place)
            if _key(figure) not in self._in_step:
                yield figure

    def _blank(self, hides: tuple[Equation, ...], *, broad: bool = False) -> Blank:
        self.blanks += 1
        return Blank(self.blanks, hides, broad)


def _all_given(grid: Grid) -> bool:
    return bool(grid.on_sheet) and set(grid.on_sheet) == {"given"}


def _key(figure: Figure) -> object:
    return figure.name, figure.value, figure.put_in


def _sign(figure: Figure) -> Literal["=", ":"]:
    return ":" if isinstance(figure.value, bool) else "="


def _resting(rows: Rows) -> str:
    """5 rows: Outlook = Sunny"""
    if not rows.when:
        return f"{_amount(rows)}: {rows.besides or 'all'}"
    return f"{_amount(rows)}: {rows}"


def _amount(rows: Rows) -> str:
    weight = round(rows.weight, 6)  # a sum of shares is whole but for rounding
    return f"{written_number(weight)} row{'' if weight == 1 else 's'}"


# Places in a tree as a worksheet names them: by the step that asked, not by what it decided.


class BranchNames:
    """Remembers, as a tree grows from step to step, which question each way comes from."""

    def __init__(self) -> None:
        self._names: dict[tuple[Condition, ...], str] = {}

    def name_of(self, number: int, step: Step) -> str:
        """`Branch 2 of step 1`; nothing for a step that stands below none."""
        if step.rows is None or not isinstance(step.outcome, BecameSplit | Stopped):
            return ""
        when = step.rows.when
        if isinstance(step.outcome, BecameSplit):
            for place, branch in enumerate(step.outcome.branches, 1):
                self._names[merged_conditions([*when, branch])] = f"Branch {place} of step {number}"
        return self._names.get(when, "") if when else ""


# Letters are defined where a formula uses them first, or uses them again for something else.


class Letters:
    """What each letter of a document stands for at present; a meaning is written where it is new."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def defined_in(self, figure: Figure) -> tuple[Symbol, ...]:
        """The letters of its formula that a reader does not know yet, or knows by another meaning."""
        if figure.formula is None:
            return ()
        new = {}
        for letter in letters_in(figure.formula):
            if letter.means and self._now.get(letter.name) != letter.means:
                self._now[letter.name] = letter.means
                new[letter.name] = letter.symbol
        return tuple(new.values())


# What a calculation adds to its value: nothing where it is the value itself, or the fraction as written.


def is_value_itself(put_in: ex.Expression) -> bool:
    """Is nothing left to calculate?"""
    put_in = ex.of_figure(put_in)
    match put_in:
        case ex.Number() | ex.ValueOf() | ex.Symbol():
            return True
        case ex.Sum((only,)) | ex.Product((only,)):
            return is_value_itself(only)
        case ex.Sum() | ex.Product() | ex.Negative() | ex.Quotient() | ex.Power() | ex.Exp() | ex.Log():
            return False
        case ex.Root() | ex.Binomial() | ex.Extreme() | ex.Applied() | ex.Over() | ex.Compared():
            return False
        case _:
            assert_never(put_in)


def is_written_so(put_in: ex.Expression, exact: Fraction) -> bool:
    """Is the calculation this very fraction?"""
    return put_in == ex.Quotient(ex.Number(exact.numerator), ex.Number(exact.denominator))
