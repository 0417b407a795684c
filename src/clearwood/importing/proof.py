"""A proof that an imported model answers as its origin does: both are asked the same rows, and compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.exporting.proof.adversarial import MOST_ROWS
from clearwood.importing.asked_origin import (
    UNSEEN,
    AdversarialGroup,
    AnsweredRows,
    AskedOrigin,
    OwnAnswers,
    RowCells,
    adversarial_groups,
    asked_by_halves,
)
from clearwood.importing.given import given_names
from clearwood.importing.import_model import importer_of, source_of
from clearwood.models.model import Model, check_kind
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict, predict_codes, shares
from clearwood.records import json_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import UNSEEN as UNSEEN_CODE
from clearwood.table.table import Table
from clearwood.words.numbers import brief, many

Comparison: TypeAlias = Literal["nothing", "classes", "classes and probabilities", "numbers"]
_SHOWN: Final = 5
# How often the origin is asked again of rows that it refuses: of the user's until all are known, within
# reason; adversarial rows have in common what is refused.
_MOST_GIVEN: Final = 2_000
_MOST_MADE: Final = 40


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """A row that both answer differently: its cells, and both answers."""

    row: Mapping[str, float | str | None]
    theirs: str | float | None
    ours: str | float | None
    gap: float  # the largest of the shares, or of the numbers relative to their size


@dataclass(frozen=True, slots=True)
class ImportProof:
    """What was compared: rows given and rows made, those that differ, and those that the origin refuses.

    `compared` says what of their answers: classes alone, where the origin gives no probabilities. `ties` are
    rows that get another class, but whose two largest shares are as near as rounding may bring them.
    """

    program: str
    given: int
    made: int
    refused: Mapping[str, int]  # by what is unusual in the rows
    different: tuple[AnswerDifference, ...]
    largest: float
    bound: float
    not_run: str = ""
    because: str = ""  # what the origin says of the first rows that it refuses
    offered: int = 0  # how many rows the user gave, those among them that the origin refuses
    on_trust: str = ""  # what the comparison cannot see
    compared: Comparison = "nothing"
    ties: int = 0

    @property
    def holds(self) -> bool:
        """Was it run, and does every row get the same answer? Of the given rows one at least was compared."""
        some = self.given > 0 if self.offered else self.rows > 0
        return not self.not_run and not self.different and some

    @property
    def rows(self) -> int:
        """How many rows were compared."""
        return self.given + self.made

    def __str__(self) -> str:
        if self.not_run:
            return f"Not run: {self.not_run}. Nothing is proven."
        rows = f"{self._given_words} and {many(self.made, 'row')} made to hurt"
        ties = f" but for {many(self.ties, 'tie')}" if self.ties else ""
        verdict = f"every prediction is the same{ties}"
        if self.different:
            verdict = f"{many(len(self.different), 'row')} differ"
        if self.offered and not self.given and not self.different:
            verdict += ", but none of yours was compared, so that nothing is proven"
        verdict = verdict if self.rows else "nothing was compared"
        lines = [f"Asked {self.program} about {rows}: {verdict}.", *self._compared_words]
        if self.refused:
            what = ", ".join(f"{name} ({count})" for name, count in self.refused.items())
            lines.append(f"Rows that {self.program} refuses: {what}. It says: {self.because}")
        if self.on_trust:
            lines.append(self.on_trust)
        for each in self.different[:_SHOWN]:
            cells = ", ".join(f"{name} = {value}" for name, value in each.row.items())
            lines.append(f"  {cells}: theirs {each.theirs}, ours {each.ours}")
        return "\n".join(lines)

    @property
    def _compared_words(self) -> list[str]:
        largest = f"Largest difference: {brief(self.largest)}."
        match self.compared:
            case "nothing":
                return []
            case "classes":
                return [f"Compared: classes alone, since {self.program} gives no probabilities."]
            case "classes and probabilities":
                return [f"Compared: classes, and probabilities to {self.bound:g}. {largest}"]
            case "numbers":
                return [f"Compared: numbers to {self.bound:g} of their size. {largest}"]
            case _:
                assert_never(self.compared)

    @property
    def _given_words(self) -> str:
        if self.offered in (0, self.given):
            return many(self.given, "given row")
        return f"{self.given} of {many(self.offered, 'given row')}"

    def to_json(self) -> dict[str, Any]:
        """As data."""
        return json_of(
            self,
            holds=self.holds,
            rows=self.rows,
            offered=max(self.offered, self.given),
            because=self.because or None,
            different=len(self.different),
            differences=[json_of(each) for each in self.different[:100]],
            not_run=self.not_run or None,
            on_trust=self.on_trust or None,
        )


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """Some rows' answers beside each other: what of them was compared, those that differ, the largest gap,
    and how many rows get another class only because two of their shares are a tie."""

    what: Comparison
    different: list[AnswerDifference]
    largest: float
    ties: int = 0


def prove_import(
    model: Model,
    source: Any,
    rows: Any = None,
    *,
    columns: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    target: str | None = None,
    values: Mapping[str, Sequence[str]] | None = None,
    most: int = MOST_ROWS,
) -> ImportProof:
    """Ask the origin and the imported model the same rows: yours, and adversarial rows made from the model,
    at `most` so many.

    `source`, `columns`, `classes`, `target` and `values` are what `import_model` was given. The answers must
    be equal, and shares within 1e-12 (of XGBoost, which adds up in single precision, within 1e-6; there, rows
    that near to a tie are not compared by their class). Of a PMML document JPMML-Evaluator is asked. Where
    the origin is not installed, or refuses all of your rows, the proof says so, and does not hold.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from clearwood.importing.import_model import import_model
    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> prove_import(import_model(tree), tree).holds
    True
    """
    check_kind("prove_import", model)
    origin = source_of(source)
    asked = importer_of(origin).ask(origin, model, given_names(columns, classes, target, values))
    own = [] if rows is None else cells_of(model, rows)
    if asked.ask is None:
        return ImportProof(asked.program, 0, 0, {}, (), 0.0, asked.bound, asked.not_run)
    # Apart, since the origin may refuse all rows for the sake of one empty cell.
    whole = [row for row in own if None not in row.values()]
    gaps = [row for row in own if None in row.values()]
    groups = [AdversarialGroup("given rows", whole), AdversarialGroup("given rows with empty cells", gaps)]
    return _compared(model, asked, groups, adversarial_groups(model, most))


def _compared(
    model: Model, asked: AskedOrigin, given: Sequence[AdversarialGroup], made: Sequence[AdversarialGroup]
) -> ImportProof:
    compared: list[ComparedAnswers] = []
    refused: dict[str, int] = {}
    because, counts = "", [0, 0]
    groups = (*given, *made)
    for place, (group, answered) in enumerate(zip(groups, _answers(asked, groups, len(given)), strict=True)):
        rows, theirs, lost = _without_refused(answered.rows, answered.answers)
        reasons = [*answered.reasons, *lost]
        if reasons:
            refused[group.what] = len(reasons)
            because = because or reasons[0]
        if rows:
            compared.append(compared_answers(model, rows, theirs, asked.bound))
        counts[0 if place < len(given) else 1] += len(rows)
    return ImportProof(
        asked.program,
        counts[0],
        counts[1],
        refused,
        tuple(each for one in compared for each in one.different),
        max((each.largest for each in compared), default=0.0),
        asked.bound,
        because=because,
        offered=sum(len(group.rows) for group in given),
        on_trust=asked.on_trust,
        compared=compared[-1].what if compared else "nothing",
        ties=sum(each.ties for each in compared),
    )


def _answers(asked: AskedOrigin, groups: Sequence[AdversarialGroup], given: int) -> Iterator[AnsweredRows]:
    """Of each group of rows the origin's answers; the first so many groups are the user's."""
    assert asked.ask is not None
    if asked.at_once:
        rows = [row for group in groups for row in group.rows]
        whole = asked.ask(rows) if rows else OwnAnswers(None)
        start = 0
        for group in groups:
            yield AnsweredRows(group.rows, _part(whole, slice(start, start + len(group.rows))), [])
            start += len(group.rows)
        return
    for place, group in enumerate(groups):
        yield asked_by_halves(asked.ask, group.rows, _MOST_GIVEN if place < given else _MOST_MADE)


def _part(answers: OwnAnswers, chosen: Any) -> OwnAnswers:
    """The answers to some of the rows."""
    return OwnAnswers(
        None if answers.figures is None else answers.figures[chosen],
        None if answers.codes is None else np.asarray(answers.codes)[chosen].tolist(),
        np.asarray(answers.refused, dtype=object)[chosen].tolist() if answers.refused else (),
    )


def _without_refused(
    rows: list[RowCells], theirs: OwnAnswers
) -> tuple[list[RowCells], OwnAnswers, list[str]]:
    """The rows that got an answer, with it, and why the others got none."""
    refused = list(theirs.refused or [""] * len(rows))
    if theirs.codes is not None and theirs.figures is not None:
        lost = [not np.isfinite(each).all() for each in theirs.figures]
        refused = [
            each or ("Its probabilities are not numbers." if lost[place] else "")
            for place, each in enumerate(refused)
        ]
    reasons = [each for each in refused if each]
    if not reasons:
        return rows, theirs, []
    kept = [place for place, each in enumerate(refused) if not each]
    return [rows[place] for place in kept], _part(theirs, kept), reasons


def compared_answers(
    model: Model, rows: Sequence[RowCells], theirs: OwnAnswers, bound: float
) -> ComparedAnswers:
    """The origin's answers to these rows beside the model's."""
    if not rows:
        return ComparedAnswers("nothing", [], 0.0)
    asked = _asked(model, rows)
    if model.is_numeric:
        assert theirs.figures is not None
        numbers = np.asarray(predict(model, asked), dtype=np.float64)
        other = theirs.figures[:, 0]
        with np.errstate(invalid="ignore"):
            gaps = np.abs(numbers - other) / (1.0 + np.abs(other))
        alike = (np.isnan(numbers) & np.isnan(other)) | (numbers == other)  # infinite ones too
        gaps = np.where(alike, 0.0, np.nan_to_num(gaps, nan=np.inf))
        wrong = np.flatnonzero(gaps > bound)
        found = [
            AnswerDifference(rows[i], float(other[i]), float(numbers[i]), float(gaps[i]))
            for i in wrong.tolist()
        ]
        return ComparedAnswers("numbers", found, float(gaps.max()))
    codes = predict_codes(model, asked)
    figures = theirs.figures
    gaps = np.zeros(len(rows))
    near = np.zeros(len(rows), dtype=bool)
    if figures is not None:
        gaps = np.nan_to_num(np.abs(shares(model, asked) - figures), nan=np.inf).max(axis=1)
        near = _near_tie(figures, bound)
    if theirs.codes is not None:
        called = np.asarray(theirs.codes)
    else:
        assert figures is not None
        called = np.where(figures.sum(axis=1) > 0, figures.argmax(axis=1), -1)
    wrong = np.flatnonzero((gaps > bound) | ((called != codes) & ~near))
    names = (*model.schema.classes, None)
    found = [
        AnswerDifference(rows[i], names[int(called[i])], names[int(codes[i])], float(gaps[i]))
        for i in wrong.tolist()
    ]
    what: Comparison = "classes" if figures is None else "classes and probabilities"
    return ComparedAnswers(what, found, float(gaps.max()), int((near & (called != codes)).sum()))


def _asked(model: Model, rows: Sequence[RowCells]) -> Any:
    """The cells that the model reads; of one that reads none, as many rows without cells."""
    names = columns_used(model)
    if not names:
        return Table(replace(model.schema, target=None, weight=None), {}, rows=len(rows))
    return [{name: row.get(name) for name in names} for row in rows]


def _near_tie(figures: Floats, bound: float) -> Bools:
    """[row] Are the two largest shares nearer to each other than what rounding may do to both?"""
    if figures.shape[1] < 2:
        return np.zeros(len(figures), dtype=bool)
    two = np.partition(figures, -2, axis=1)[:, -2:]
    return np.asarray((two[:, 1] - two[:, 0] <= 2 * bound) & (figures.sum(axis=1) > 0))


def cells_of(model: Model, rows: Any) -> list[RowCells]:
    """The user's rows, as numbers, values and None."""
    from clearwood.table import encode

    table = rows if isinstance(rows, Table) else encode(rows, Schema(model.schema.attributes))
    cells: list[RowCells] = [{} for _ in range(len(table))]
    for attribute in model.schema.attributes:
        if attribute.name not in table.columns:
            continue
        column, kind = table.columns[attribute.name], table.schema[attribute.name]
        for place, each in enumerate(column.tolist()):
            if isinstance(kind, Numeric):
                cells[place][attribute.name] = None if each != each else float(each)
            elif isinstance(kind, Nominal | Ordinal):
                value = kind.values[each] if each >= 0 else None
                cells[place][attribute.name] = UNSEEN if each == UNSEEN_CODE else value
    return cells
