"""Kind: what all models have, and what a kind answers about its models, as one record in its folder.

Whoever asks something of a model that every kind answers in its own way, asks here. All fields are required,
so that the type checker names what a new kind lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from clearwood import shown
from clearwood.errors import SchemaError
from clearwood.records import dataclass
from clearwood.registry import Listed
from clearwood.shown import ShowsItself
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema

if TYPE_CHECKING:
    from clearwood.models.account.account import Account
    from clearwood.models.decision import Decision
    from clearwood.models.files.forms import Form
    from clearwood.models.lineage import Origin
    from clearwood.models.program.program import ModelProgram
    from clearwood.models.space.model_space import ModelSpace


# A profile of the training rows: what each column held, so that later rows can be compared with them.

QUANTILES: Final = 21  # at 0, 5, … 100 %


@dataclass(frozen=True, slots=True)
class ValuesProfile:
    """A nominal or ordinal column: the weight of each value, in the schema's order, and of empty cells."""

    counts: tuple[float, ...]
    missing: float = 0.0


@dataclass(frozen=True, slots=True)
class NumbersProfile:
    """A numeric column: mean and standard deviation, and the numbers at equal steps from least to largest.

    `quantiles` has 21 of them, at 0, 5, … 100 %; it is empty where every cell was.
    """

    mean: float | None
    deviation: float | None
    quantiles: tuple[float, ...]
    known: float
    missing: float = 0.0


@dataclass(frozen=True, slots=True)
class TextProfile:
    """A column of texts: how many, and how many words one has on average."""

    known: float
    words: float
    missing: float = 0.0


ColumnProfile: TypeAlias = ValuesProfile | NumbersProfile | TextProfile


@dataclass(frozen=True, slots=True)
class Profile:
    """Each column of the training rows by its name, the target among them; their number and weight.

    `marks` are sixteen digits by column, from its cells and the answers beside them, whatever the order of
    rows: by them the rows are known again. A model saved before there were any has none. Where the rows were
    a part of a table, the others being held out, `whole_rows` and `whole_marks` are those of that table; 0
    and none where they were all of it, or nobody knows.
    """

    rows: int
    weight: float
    columns: Mapping[str, ColumnProfile] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    whole_rows: int = 0
    whole_marks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        object.__setattr__(self, "marks", MappingProxyType(dict(self.marks)))
        object.__setattr__(self, "whole_marks", MappingProxyType(dict(self.whole_marks)))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        whole = (self.whole_rows, dict(self.whole_marks))
        return Profile, (self.rows, self.weight, dict(self.columns), dict(self.marks), *whole)


def check_profile(profile: Profile, schema: Schema) -> None:
    """Refuse a profile of columns that the schema has not, or of another kind."""
    known: dict[str, Attribute] = {each.name: each for each in schema.attributes}
    if schema.target is not None:
        known[schema.target.name] = schema.target
    for name, column in profile.columns.items():
        where = f"profile.columns.{name}"
        match known.get(name), column:
            case (Nominal(_, values) | Ordinal(_, values), ValuesProfile(counts)):
                if len(counts) != len(values):
                    raise SchemaError(f"{where}.counts must be {len(values)} numbers, not {len(counts)}.")
            case (Numeric(), NumbersProfile(_, _, quantiles)):
                if len(quantiles) not in (0, QUANTILES) or list(quantiles) != sorted(quantiles):
                    raise SchemaError(f"{where}.quantiles must be {QUANTILES} ascending numbers, or none.")
            case (Text(), TextProfile()):
                pass
            case (None, _):
                raise SchemaError(f"{where}: the schema has no such column.")
            case _:
                raise SchemaError(f"{where} is not a profile of this kind of column.")


# What all models have, and what a kind answers about them.


class BaseModel(ShowsItself):
    """A model of any kind, a frozen dataclass with these fields; `kind` is its name in `KINDS`."""

    kind: ClassVar[str]
    schema: Schema
    decision: Decision
    origin: Origin
    profile: Profile | None

    @property
    def is_numeric(self) -> bool:
        """Does it predict a number rather than a class?"""
        return isinstance(self.schema.target, Numeric)

    def _repr_svg_(self) -> str | None:
        return shown.svg(self)


ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Kind(Generic[ModelT]):
    """In words: what a model is `called`, as its file's reader says and, with its size, as a sentence does
    (`phrase`); the `title` that begins a report; `counts`, what of it was counted on its training rows.

    `size` is how much a person has to read, in a `unit`; `reading_size` counts statements, for all kinds
    alike. `no_rules` says why no conditions lead to a leaf or rule that answers; None: they do. `members` are
    the models that it combines. `quantile` is the one that it predicts: 0.5 for the median, None for a mean
    and for classes. `about` turns the signs of two classes to the positive one; None: no sign
    is about one class.

    `program` and `space` are how a row becomes an answer, and where answers turn. `account` has the
    terms that it adds up; None: it adds up none. `body` is the form of its file, with the way there and back;
    `lines` are the fields of it that stand one entry a line.
    """

    model: type[ModelT]
    called: str
    phrase: str
    title: str
    counts: str
    unit: str
    size: Callable[[ModelT], int]
    size_in_words: Callable[[ModelT], str]
    reading_size: Callable[[ModelT], int]
    no_rules: str | None
    members: Callable[[ModelT], Sequence[Any]]
    quantile: Callable[[ModelT], float | None]
    about: Callable[[ModelT, str], ModelT] | None
    program: Callable[[ModelT], ModelProgram]
    space: Callable[[ModelT], ModelSpace]
    account: Callable[[ModelT], Account] | None
    body: type[Form]
    write: Callable[[ModelT], Form]
    read: Callable[[Any, Any], ModelT]
    lines: tuple[str, ...]


KINDS: Final = Listed[Kind[Any]](
    "kind of model",
    {
        "tree": "clearwood.models.kinds.tree.tree_kind:TREE",
        "rules": "clearwood.models.kinds.rules.rules_kind:RULES",
        "bayes": "clearwood.models.kinds.bayes.bayes_kind:BAYES",
        "linear": "clearwood.models.kinds.linear.linear_kind:LINEAR",
        "ensemble": "clearwood.models.kinds.ensemble.ensemble_kind:ENSEMBLE",
        "additive": "clearwood.models.kinds.additive.additive_kind:ADDITIVE",
    },
)


def kind_of(model: BaseModel) -> Kind[Any]:
    """The record of a model's kind; refuses what is no model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> kind_of(cw.ID3().learn(table)).called
    'a tree'
    """
    if not isinstance(model, BaseModel):
        raise TypeError(f"A {type(model).__name__} is no model; models are: {', '.join(KINDS)}.")
    return KINDS[model.kind]


def no_members(_: BaseModel) -> tuple[()]:
    """It is one model."""
    return ()


def no_quantile(_: BaseModel) -> None:
    """It predicts means, or classes."""
