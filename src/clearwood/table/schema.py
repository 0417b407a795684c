"""A Schema: the attributes in order, the target, and the column of weights."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from numbers import Real
from typing import Any, Final, Literal, TypeAlias, assert_never, get_args

import numpy as np
import numpy.typing as npt

from clearwood.errors import ColumnError, NamedOption, SchemaError, SettingError, no_such
from clearwood.records import dataclass
from clearwood.table.attributes import (
    Attribute,
    AttributeKind,
    Ignored,
    Nominal,
    Numeric,
    Ordinal,
    Text,
)


@dataclass(frozen=True, slots=True)
class Schema:
    """The kind of each column. Their order matters: of equally good attributes the first is chosen.

    `weights_are` says what the weights mean; None: nobody has said, and they are taken as counts. `read_as`
    says by column (`""`: of all) which value is read as which other, None being a missing cell: whatever is
    read by this schema is read so.

    >>> schema = Schema((Nominal("Wind", ("Weak", "Strong")), Numeric("Humidity")))
    >>> schema["Humidity"]
    Numeric(name='Humidity', cuts=())
    """

    attributes: tuple[Attribute, ...]
    target: Nominal | Ordinal | Numeric | None = None
    weight: str | None = None
    weights_are: WeightsAre | None = None
    read_as: ReadAs = field(default_factory=dict, hash=False)
    positions: dict[str, int] = field(init=False, repr=False, compare=False)
    _codes: dict[str, dict[str, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [attribute.name for attribute in self.attributes]
        if self.target is not None:
            names.append(self.target.name)
        if self.weight is not None:
            names.append(self.weight)
        if self.weights_are is not None:
            check_meaning(self.weights_are)
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise ColumnError(f"Two columns are called '{name}'. Rename one; a name must be unique.")
            seen.add(name)
        for attribute in (*self.attributes, *([self.target] if self.target else [])):
            if isinstance(attribute, Nominal | Ordinal) and len(set(attribute.values)) != len(
                attribute.values
            ):
                raise SchemaError(f"Column '{attribute.name}' lists a value twice.")
        check_final(self.read_as)
        object.__setattr__(self, "positions", {a.name: i for i, a in enumerate(self.attributes)})
        object.__setattr__(self, "_codes", {})

    def __getitem__(self, name: str) -> Attribute:
        if self.target is not None and name == self.target.name:
            return self.target
        try:
            return self.attributes[self.positions[name]]
        except KeyError:
            known = [*self.positions, *([self.target.name] if self.target else [])]
            raise ColumnError(no_such("column", name, known)) from None

    def codes(self, name: str) -> Mapping[str, int]:
        """The code of each value of a nominal or ordinal column, made when first asked for; none of another.

        >>> Schema((Nominal("Wind", ("Weak", "Strong")),)).codes("Wind")
        {'Weak': 0, 'Strong': 1}
        """
        if name not in self._codes:
            values = getattr(self[name], "values", ())
            self._codes[name] = {value: code for code, value in enumerate(values)}
        return self._codes[name]

    def cell(self, name: str, cell: Any) -> Any:
        """A cell as this schema reads it: itself, unless `read_as` says otherwise.

        >>> schema = Schema((Numeric("insulin"),), read_as={"insulin": {"0": None}})
        >>> schema.cell("insulin", 0.0), schema.cell("insulin", 94), schema.cell("insulin", None)
        (None, 94, None)
        """
        return reader_of(changes_of(name, self.read_as))(cell) if self.read_as else cell

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    @property
    def predicted(self) -> Nominal | Ordinal | Numeric:
        """The target, of a table to learn from and of a model, which have one."""
        assert self.target is not None
        return self.target

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        """The attributes a learner may use: all but the ignored ones."""
        return tuple(a for a in self.attributes if not isinstance(a, Ignored))

    @property
    def classes(self) -> tuple[str, ...]:
        """The values of a nominal or ordinal target; empty for a numeric one."""
        return () if self.target is None or isinstance(self.target, Numeric) else self.target.values

    def change(
        self,
        name: str,
        kind: AttributeKind,
        values: Sequence[str] | None = None,
        *,
        because: str | None = None,
    ) -> Schema:
        """The same schema with one column taken for something else.

        `values` lists a nominal column's values, or an ordinal one's from low to high; a column that has
        values already may keep them.

        >>> Schema((Nominal("size", ("S", "M")),)).change("size", "ordinal", ["S", "M", "L"])["size"]
        Ordinal(name='size', values=('S', 'M', 'L'))
        """
        changed = _attribute(self[name], kind, values, because)
        if self.target is None or name != self.target.name:
            return replace(self, attributes=tuple(changed if a.name == name else a for a in self.attributes))
        if isinstance(changed, Text | Ignored):
            raise SchemaError(f"Target '{name}' cannot be {kind}; a target is nominal, ordinal or numeric.")
        return replace(self, target=changed)

    def __str__(self) -> str:
        from clearwood.table.describe import describe

        return describe(self)


def _attribute(
    old: Attribute, kind: AttributeKind, values: Sequence[str] | None, because: str | None
) -> Attribute:
    kept = tuple(values) if values is not None else getattr(old, "values", None)
    match kind:
        case "nominal":
            return Nominal(old.name, kept or ())  # no values: those of the data
        case "ordinal":
            if kept is None:
                raise SchemaError(
                    f"Column '{old.name}' is declared ordinal: give its values from low to high."
                )
            return Ordinal(old.name, kept)
        case "numeric":
            return Numeric(old.name)
        case "text":
            return Text(old.name)
        case "ignored":
            return Ignored(old.name) if because is None else Ignored(old.name, because)
        case _:
            raise SchemaError(f"Column '{old.name}': {no_such('kind', str(kind), get_args(AttributeKind))}")


__all__ = ["Attribute", "Ignored", "Nominal", "Numeric", "Ordinal", "Schema", "Text"]


# Broken names: texts of a schema that no file can hold, for they have half of a surrogate pair.


def broken_name(schema: Schema) -> str | None:
    r"""A sentence that names the first such column, value or class, and the way out; None: there is none.

    >>> from clearwood.table.attributes import Numeric
    >>> str(broken_name(Schema((Numeric("age\ud800"),)))).split(",")[0]
    "The name of the column 'age\\ud800' is broken text (half of a surrogate pair)"
    """
    for what, text in _texts(schema):
        if any("\ud800" <= each <= "\udfff" for each in text):
            return (
                f"{what} is broken text (half of a surrogate pair), which no file can hold. "
                "Correct it in the table, and learn again."
            )
    return None


def _texts(schema: Schema) -> Iterator[tuple[str, str]]:
    """Every text of a schema, with what it is; written so that any terminal shows it."""
    for each in (*schema.attributes, *([] if schema.target is None else [schema.target])):
        yield f"The name of the column {each.name!a}", each.name
        if isinstance(each, Nominal | Ordinal):
            yield from ((f"The value {value!a} of the column {each.name!a}", value) for value in each.values)
    if schema.weight is not None:
        yield f"The name of the column {schema.weight!a}", schema.weight


# What row weights mean, and how many rows a table's weights therefore count as.


Weights: TypeAlias = npt.NDArray[np.float64]  # [row]
WeightsAre: TypeAlias = Literal["counts", "sampling", "importance"]

MEANINGS: Final[tuple[WeightsAre, ...]] = get_args(WeightsAre)
_ROUNDING: Final = 1e-12  # weights scaled before are left as they are, to the last bit


def in_rows(weights: Weights, weights_are: WeightsAre) -> Weights:
    """The weights on the scale of rows: what `min_rows`, tests, intervals and pruning may take as counts.

    "counts": a weight w is w equal rows. "sampling": the weights add up to Kish's effective number of rows.
    "importance": they add up to the number of rows that have a weight. Weights that no learner takes
    (negative, not finite, all zero) are left for it to refuse.

    >>> in_rows(np.array([4.0, 2.0, 2.0]), "sampling").tolist(), 8**2 / 24
    ([1.3333333333333333, 0.6666666666666666, 0.6666666666666666], 2.6666666666666665)
    >>> in_rows(np.array([3.0, 1.0]), "importance").tolist()
    [1.5, 0.5]
    """
    if weights_are == "counts" or not len(weights):
        return weights
    heaviest = float(weights.max())
    if not (np.isfinite(weights).all() and heaviest > 0 and weights.min() >= 0):
        return weights
    relative = weights / heaviest  # whose squares neither overflow nor vanish
    total, squares = _sums(relative)
    match weights_are:
        case "sampling":
            of_heaviest = total / squares
        case "importance":
            of_heaviest = float(np.count_nonzero(weights)) / total
        case _:
            assert_never(weights_are)
    if abs(heaviest - of_heaviest) <= _ROUNDING * of_heaviest:
        return weights
    scaled: Weights = relative * of_heaviest
    return scaled


def effective_rows(weights: Weights) -> float:
    """Kish's effective number of rows, (Σw)² ÷ Σw²: so many rows of equal weight would tell as much.

    >>> effective_rows(np.array([7.0, 7.0, 7.0])), round(effective_rows(np.array([3.0, 1.0])), 6)
    (3.0, 1.6)
    """
    heaviest = float(weights.max(initial=0.0))
    if not heaviest:
        return 0.0
    total, squares = _sums(weights / heaviest)
    return total**2 / squares


def _sums(weights: Weights) -> tuple[float, float]:
    """Of weights and of their squares, to the last digit the same in any order of rows."""
    ascending = np.sort(weights)
    return float(ascending.sum()), float(np.square(ascending).sum())


def check_meaning(weights_are: Any) -> WeightsAre:
    """The meaning if it is one; a sentence with those there are otherwise."""
    for meaning in MEANINGS:
        if weights_are == meaning:
            return meaning
    unknown = no_such("meaning of weights", str(weights_are), MEANINGS, plural="meanings")
    raise SchemaError(NamedOption("weights_are"), f": {unknown}")


def times_factors(weights: Weights | None, factors: Weights) -> Weights:
    """Weights of rows times a factor for each, on the scale of the rows that these still tell of: by Kish,
    (Σwf)² ÷ Σwf². Otherwise a row of factor 5 would be taken for five that agree.

    >>> times_factors(None, np.array([2.0, 0.5, 0.5])).tolist()
    [1.3333333333333333, 0.3333333333333333, 0.3333333333333333]
    """
    together = factors if weights is None else weights * factors
    scaled: Weights = together * (together.sum() / (together * factors).sum())
    return scaled


# How cells are read: by column, which value stands for which other, and which for a missing cell.


ReadAs: TypeAlias = Mapping[str, Mapping[str, str | None]]  # by column: a value → another, or None: missing
EVERYWHERE: Final = ""  # the name under which values are read so in all columns
_BOOLEANS: Final = {"true": 1.0, "false": 0.0}
_PADDED: Final = re.compile(r"\s*[+-]?0\d")


def number_in(text: str) -> float | None:
    """The number a text says, if it says one; true is 1 and false 0."""
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return _BOOLEANS.get(text.casefold())


def is_padded(text: str) -> bool:
    """Is it written with a leading zero, as codes are and quantities are not?"""
    return _PADDED.match(text) is not None


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with a mark behind it where it is taken.

    >>> unused_name("class", ["age", "class"])
    'class_'
    """
    while name in taken:
        name += "_"
    return name


def changes_of(name: str, read_as: ReadAs) -> dict[str, str | None]:
    """What is read as something else in a column."""
    return {**read_as.get(EVERYWHERE, {}), **read_as.get(name, {})}


def joined_readings(one: ReadAs, two: ReadAs) -> ReadAs:
    """Both; where they differ, the second decides."""
    if not one or not two:
        return one or two
    return {name: {**one.get(name, {}), **two.get(name, {})} for name in (*one, *two)}


def by_number(changes: Mapping[str, str | None]) -> dict[float, str | None]:
    """The values that are numbers, by the number: 0 and 0.0 are one; 007 is a code."""
    numbers = {
        old: number_in(old) for old in changes if old.casefold() not in _BOOLEANS and not is_padded(old)
    }
    return {number: changes[old] for old, number in numbers.items() if number is not None}


def reader_of(changes: Mapping[str, str | None]) -> Callable[[Any], Any]:
    """A function that gives a cell as it is read; one that is not named stays as it is.

    >>> read = reader_of({"M": "male", "-9": None})
    >>> [read(cell) for cell in ("M", " M", "male", "-9.0", -9, 9, None)]
    ['male', 'male', 'male', None, None, 9, None]
    """
    numbers = by_number(changes)

    def read(cell: Any) -> Any:
        if not isinstance(cell, str):
            is_number = isinstance(cell, Real) and not isinstance(cell, bool)
            return numbers.get(float(cell), cell) if numbers and is_number else cell
        for text in (cell, cell.strip()):
            if text in changes:
                return changes[text]
        if not numbers or is_padded(cell) or cell.casefold() in _BOOLEANS:
            return cell
        number = number_in(cell)
        return cell if number is None else numbers.get(number, cell)

    return read


def check_final(read_as: ReadAs) -> None:
    """Refuse a value that is read as one that is read as another: rows read twice must not change."""
    for name in read_as:
        changes = changes_of(name, read_as)
        read = reader_of(changes)
        for old, new in changes.items():
            then = read(new)
            if new is not None and then != new:
                column = f"of '{name}'" if name else "of any column"
                last = "missing" if then is None else f"'{then}'"
                raise SettingError(
                    f"The value '{old}' {column} is read as '{new}', and '{new}' as {last}. "
                    "Give it a name that is not read as another."
                )
