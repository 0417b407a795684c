"""From a derivation to sheets: what is written in short, in full, on a worksheet, and in its key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.draw.derivations.sheet import (
    DIGITS,
    Blank,
    Equation,
    Left,
    Real,
    Sheet,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    circled,
    fraction_of,
    is_numeric,
    later_search,
    sheet_of,
    transposed,
    what_is_left,
    written_cell,
    written_number,
)
from clearwood.formulas import expressions as ex
from clearwood.formulas.conditions import Condition
from clearwood.formulas.expressions import Number, Symbol, letters_in
from clearwood.models.kinds.tree.tree import merged_conditions
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
    how = _How(detail, digits, most_rows, intervals)
    if detail == "worksheet":
        yield from _worksheet(derivation, how, sheet_of(derivation, chapter))
        return
    above, letters = "", Letters()
    for number, step in enumerate(derivation, 1):
        yield _SheetWriter(how, step, letters).step(number, new_chapter=step.chapter != above)
        above = step.chapter


@dataclass(frozen=True, slots=True)
class _How:
    """How all steps are written."""

    detail: Detail
    digits: int
    most_rows: int | None
    intervals: bool


def _worksheet(derivation: Derivation, how: _How, sheet: Sheet) -> Iterator[WrittenStep]:
    blanks, above, places, letters = 0, "", BranchNames(), Letters()
    first: Step | None = None
    for number, step in sheet.steps:
        writer = _SheetWriter(how, step, letters, blanks)
        later = first is not None and step.searches and step.chapter == first.chapter
        after = first.figures if first and later else None
        laid_out = writer.step(number, new_chapter=step.chapter != above, after=after)
        # Its title must not give away the answer of the step before.
        title = places.name_of(number, step) or step.on_sheet
        if title:
            laid_out = replace(laid_out, title=title, title_in_key=laid_out.title_in_key or laid_out.title)
        if first is None:
            laid_out = replace(laid_out, figures=(*_given(derivation, how, sheet), *laid_out.figures))
            first = step
        yield laid_out
        blanks, above = writer.blanks, step.chapter


def _given(derivation: Derivation, how: _How, sheet: Sheet) -> Iterator[WrittenFigure]:
    """What the sheet is solved with: the table, the settings, and what is on other sheets."""
    if derivation.table is not None:
        table = derivation.table
        rows = tuple(tuple(written_cell(cell, how.digits) for cell in row) for row in table.rows)
        numeric = tuple(map(is_numeric, transposed(table, list(table.rows))))
        yield WrittenFigure("The table", grids=(WrittenGrid("", table.columns, numeric, rows, None),))
    given = [each for each in derivation.given if how.intervals or not isinstance(each, ForIntervals)]
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


class _SheetWriter:
    """Writes one step, counting the blanks; a figure that occurs twice in it is written out once."""

    def __init__(self, how: _How, step: Step, letters: Letters | None, blanks: int = 0) -> None:
        self.how, self.of, self.letters, self.blanks = how, step, letters, blanks
        self.is_worksheet, self.in_short = how.detail == "worksheet", how.detail == "short"
        # The rows that the step's title is about.
        rows = step.rows
        self.common = rows if rows is not None and str(rows).lower() == step.title.lower() else None
        self._written: set[object] = set()
        # What the step shows anyway; on a worksheet, without what is kept for its key.
        self._in_step = {
            _key(each)
            for each in (() if self.in_short else step.walk())
            if not self.is_worksheet or each.on_sheet != "in key"
        }
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
        if self.is_worksheet and step.decision:
            decision = self._blank((Equation(":", step.decision),), broad=True)
        in_full = step.title if self.common is None else f"{step.title} ({_amount(self.common)})"
        title = step.title if self.is_worksheet else in_full  # how many rows there are is asked
        kept = [*work, *(each for each in self._kept if _key(each) not in self._written)]
        key = _SheetWriter(replace(self.how, detail="full"), step, None)
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

    def _figure(self, figure: Figure) -> WrittenFigure:
        key, sheet = _key(figure), self.is_worksheet
        name = figure.alias if sheet and figure.alias else figure.name
        if key in self._written:
            return WrittenFigure(name, () if sheet else self._value(figure), again=True)
        self._written.add(key)
        if self.in_short:
            brief = self._value(figure) or ((Equation(":", figure.because),) if figure.because else ())
            return WrittenFigure(figure.name, brief, under=self._under(figure.under))
        equations: tuple[Equation, ...] = ()
        if figure.formula is not None:
            equations = (Equation(_sign(figure), figure.formula),)
        answer = (*self._calculation(figure), *self._value(figure))
        # The rows behind the whole step are in its title.
        remarks = []
        if figure.rows not in (None, self.common):
            of = figure.rows if figure.rows.when else figure.rows.besides or "all"
            remarks.append(f"{_amount(figure.rows)}: {of}")  # 5 rows: Outlook = Sunny
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
        if self._names_are_asked and self.is_worksheet:
            self._kept += work
            work = []
        figures = self._under((*figure.under, *work))
        self._names_are_asked = before
        return figures

    def _under(self, figures: Sequence[Figure]) -> tuple[WrittenFigure, ...]:
        """In short, without figures that are repeated or have nothing to show."""
        if not self.how.intervals:
            figures = [each for each in figures if not each.is_interval]
        if self.is_worksheet:
            self._kept += [each for each in figures if each.on_sheet == "in key"]
            figures = [each for each in figures if each.on_sheet != "in key"]
        laid_out = (self._figure(each) for each in figures)
        if self.in_short:
            return tuple(each for each in laid_out if (each.equations or each.under) and not each.again)
        return tuple(laid_out)

    def _calculation(self, figure: Figure) -> tuple[Equation, ...]:
        """The numbers put in, and the fraction they come to."""
        put_in = figure.put_in
        if put_in is None or is_value_itself(put_in):
            return ()
        lines = (Equation(_sign(figure), put_in),)
        exact = fraction_of(figure.exact)
        if exact is None or isinstance(figure.value, bool):
            return lines
        if put_in == ex.Quotient(ex.Number(exact.numerator), ex.Number(exact.denominator)):
            return lines  # it is this very fraction
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
                rounded = not self.in_short and not self._is_written_whole(value)
                return (Equation("≈" if rounded else "=", Number(value), figure.unit),)

    def _is_written_whole(self, value: Real) -> bool:
        """Do its digits give it exactly?"""
        if isinstance(value, float) and not math.isfinite(value):
            return True
        written = written_number(value, self.how.digits)
        digits = Fraction(written.digits.replace(",", "").replace("−", "-"))
        return math.isclose(digits * Fraction(10) ** (written.tens or 0), value, rel_tol=1e-12)

    def _grids(self, figure: Figure) -> Iterator[WrittenGrid]:
        """Without those of which a worksheet would keep only the names of the rows."""
        for grid in figure.grids:
            shown = self._grid(grid, figure)
            if len(shown.columns) > 1 or len(grid.columns) == 1:
                yield shown

    def _grid(self, grid: Grid, of: Figure) -> WrittenGrid:
        sheet = self.is_worksheet
        shown = shown_rows(len(grid.rows), None if sheet else grid.chosen, self.how.most_rows)
        cells = [grid.rows[place] for place in shown]
        if sheet and grid.ranked:
            cells.sort(key=lambda row: str(row[0]))
        left = what_is_left(grid, of, shown, cells) if sheet else _GIVEN * len(grid.columns)
        if sheet and not self._names_are_asked:
            left = self._asked_once(grid, of, cells, left)
        numeric = tuple(is_numeric(column) for column in transposed(grid, cells))
        if sheet and self._names_are_asked and set(grid.on_sheet) != {"given"}:
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
            return written_cell(cell, self.how.digits)
        if isinstance(cell, str | bool):
            return self._blank((Equation(":", written_cell(cell, self.how.digits)),))
        return self._blank((Equation("=", Number(cell)),))

    def _work_of(self, grid: Grid) -> Iterator[Figure]:
        """The figures behind the rows of a grid, except those that the step shows anyway."""
        if grid.figure_of is None:
            return
        sheet = self.is_worksheet
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


def _key(figure: Figure) -> object:
    return figure.name, figure.value, figure.put_in


def _sign(figure: Figure) -> Literal["=", ":"]:
    return ":" if isinstance(figure.value, bool) else "="


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
