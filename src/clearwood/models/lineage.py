"""Lineage: where a model came from (learner, settings, version, a fingerprint of the rows), and what was done
to it since, as data; every transformation adds one entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.records import dataclass
from clearwood.table.schema import WeightsAre

# Plain values: what settings and lineage are made of, so that they can be saved, compared and shown.

Plain: TypeAlias = "str | float | int | bool | LearnerAsData | tuple[Plain, ...] | Mapping[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class LearnerAsData:
    """A learner as data: the name of its class, and its settings. It may be a setting of another learner.

    >>> LearnerAsData("C45", {"confidence": 0.1}).settings["confidence"]
    0.1
    """

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[type[LearnerAsData], tuple[Plain, ...]]:
        # A view cannot be pickled or copied: what it shows can.
        return LearnerAsData, (self.learner, thawed(self.settings))


def frozen(value: Plain) -> Plain:
    """The value as a view that cannot be changed, nor can the dict it was made from change it."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(each) for key, each in value.items()})
    return tuple(frozen(each) for each in value) if isinstance(value, tuple | list) else value


def thawed(value: Plain) -> Plain:
    """The value as dicts and tuples again, which can be pickled."""
    if isinstance(value, Mapping):
        return {key: thawed(each) for key, each in value.items()}
    return tuple(thawed(each) for each in value) if isinstance(value, tuple) else value


# What was done to a model.

RowsUsed: TypeAlias = Literal["none", "training", "fresh"]


@dataclass(frozen=True, slots=True)
class Pruned:
    """A tree was pruned: by what, with which settings, from how many nodes to how many, by which rows.

    `fingerprint` names the rows where they were not those the tree was learned from. Those rows may be gone
    when it is asked how the tree came about: `cuts` are then the splits that became leaves, numbered as they
    were before, so that the pruning can be done again without them.
    """

    pruner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    nodes_before: int = 0
    nodes_after: int = 0
    rows: RowsUsed = "none"
    fingerprint: str = ""
    cuts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        sizes = (self.nodes_before, self.nodes_after)
        return Pruned, (self.pruner, thawed(self.settings), *sizes, self.rows, self.fingerprint, self.cuts)


@dataclass(frozen=True, slots=True)
class ReadAsRules:
    """A tree's leaves were read as rules; these columns' empty cells follow the heaviest branch."""

    may_be_empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Simplified:
    """A rule list was simplified by tests, with these settings."""

    settings: Mapping[str, Plain] = field(default_factory=dict)
    rules_before: int = 0
    rules_after: int = 0
    conditions_before: int = 0
    conditions_after: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        rules = (self.rules_before, self.rules_after)
        return Simplified, (thawed(self.settings), *rules, self.conditions_before, self.conditions_after)


EditKind: TypeAlias = Literal["add", "change", "delete", "move", "otherwise", "recount"]


@dataclass(frozen=True, slots=True)
class Edited:
    """One edit by hand: what was done, to which rules (numbered from 1 before the edit), and the new text.

    A move goes `to` a place; an added rule stands there. To recount leaves the rules as they are: the text is
    then the fingerprint of the rows that were counted.
    """

    edit: EditKind
    rules: tuple[int, ...] = ()
    text: str = ""
    to: int = 0


CurveEdit: TypeAlias = Literal["monotone", "flatten", "smooth", "set", "drop"]


@dataclass(frozen=True, slots=True)
class CurveEdited:
    """One edit by hand of an additive model: what was done, to the term of which columns, and how."""

    edit: CurveEdit
    columns: tuple[str, ...]
    how: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Another model was joined to this one: rules put after these, sums added to these."""

    other: Origin


@dataclass(frozen=True, slots=True)
class Distilled:
    """The rows that it was learned from had the answers of another model, which it imitates, or its shares.

    `rows` of them are rows of a table, `made` are rows made of its cells; `fidelity` is how often both answer
    alike on rows that were not used (of numbers, the part of the other's variance that it follows; of a
    `quantile` that the other predicts, of its absolute deviation). A tree was then cut back by
    cost-complexity to where a leaf is worth `alpha`; None: it was not.
    """

    of: Origin
    fidelity: float
    rows: int
    made: int = 0
    by: Literal["answers", "shares"] = "answers"
    alpha: float | None = None
    quantile: float | None = None

    @property
    def risk(self) -> str:
        """What a leaf costs then: its wrong answers, or the squared errors of its shares."""
        return "gini" if self.by == "shares" else "error"


@dataclass(frozen=True, slots=True)
class Imported:
    """Another program made it: which, in which version, and what it calls such a model.

    `fingerprint` is of the file that was read; empty where an object in memory was.
    """

    program: str
    version: str = ""
    called: str = ""
    fingerprint: str = ""


EndedBecause: TypeAlias = Literal["interrupted", "no error", "chance", "beyond numbers", "no step"]


@dataclass(frozen=True, slots=True)
class EndedEarly:
    """Learning ended with fewer members than were asked for, and why.

    "interrupted": by a person; "no error": the last member makes none, so that no row would weigh more;
    "chance": the next member was no better than chance; "beyond numbers": the weights of rows became so;
    "no step": no split that the settings allow lowers the loss any more.
    """

    done: int
    of: int
    unit: str
    because: EndedBecause


@dataclass(frozen=True, slots=True)
class LearnedMore:
    """More rows were learned from, or rounds of boosting were added.

    `rows` are those of the table, 0 where the model had been learned from the same table before. `rounds` is
    how many were added, 0 where none lowered the held-out loss; None of learners without rounds.
    """

    rows: int
    fingerprint: str = ""
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class AsWeights:
    """The model of normal distributions was written as the weights of a linear model."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The probabilities were calibrated on rows that the model had not learned from.

    `by` "fresh": rows given for it, which have this `fingerprint` and, in any order, this `mark`; "training":
    its own training rows, each with the shares of a model that was learned without it. `log_loss` and `brier`
    are the scores before and after, on rows that the calibration was not fitted to; None where nobody looked.
    """

    method: str
    rows: int = 0
    fingerprint: str = ""
    by: RowsUsed = "fresh"
    log_loss: tuple[float, float] | None = None
    brier: tuple[float, float] | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision was set again: a cutoff, costs, a probability below which rows are referred, a prevalence.

    `how` says to what and by which aim; `by` which rows chose it: none, folds of the training rows, or fresh
    ones, `rows` of them, of this `fingerprint` and, in any order, this `mark`.
    """

    what: Literal["cutoff", "costs", "refer", "prevalence", "priors"]
    how: str = ""
    by: RowsUsed = "none"
    rows: int = 0
    fingerprint: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """Some of the columns were selected by the training rows, and only they were learned from.

    `by` names the way in the catalogue's list of selectors; `of` is how many columns there were.
    """

    by: str
    columns: tuple[str, ...]
    of: int
    settings: Mapping[str, Plain] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        return Selected, (self.by, self.columns, self.of, thawed(self.settings))


@dataclass(frozen=True, slots=True)
class Balanced:
    """The training rows were balanced before learning: how, and the weight of each class before and after.

    `by` names the way in the catalogue's list.
    """

    by: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    settings: Mapping[str, Plain] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        return Balanced, (self.by, self.before, self.after, thawed(self.settings))


@dataclass(frozen=True, slots=True)
class Tuned:
    """These settings were chosen by the training rows: the best of so many tried, or the simplest that is as
    good, by a score in folds."""

    settings: Mapping[str, Plain]
    tried: int
    by: str
    simplest: bool = False  # the simplest within one standard error of the best

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        return Tuned, (thawed(self.settings), self.tried, self.by, self.simplest)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The learner was chosen `among` several by the training rows: the best by a score in parts of them, or
    the simplest that is as good."""

    among: tuple[str, ...]
    by: str
    simplest: bool = False  # the simplest within one standard error of the best


Done: TypeAlias = (
    Selected
    | Balanced
    | Tuned
    | Chosen
    | Pruned
    | ReadAsRules
    | Simplified
    | Edited
    | CurveEdited
    | Joined
    | Distilled
    | Imported
    | EndedEarly
    | LearnedMore
    | AsWeights
    | Calibrated
    | Decided
)


# Where a model came from.

BY_HAND: Final = "by hand"  # the learner of a model that no learner made


@dataclass(frozen=True, slots=True)
class Origin:
    """How a model was made, with a fingerprint that shows whether another table is the one it was made from.

    The settings are a view that cannot be changed, nor can the dict it was made from change them. `after`
    has everything done to the model since it was learned, in order. `weights_are` is what the rows' weights
    meant, None where there were none.

    >>> Origin("ID3", {"min_rows": 2}).settings["min_rows"]
    2
    """

    learner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    version: str = ""
    fingerprint: str = ""
    rows: int = 0
    after: tuple[Done, ...] = ()
    weights_are: WeightsAre | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        settings = thawed(self.settings)
        rest = (self.version, self.fingerprint, self.rows, self.after, self.weights_are)
        return Origin, (self.learner, settings, *rest)

    @property
    def made(self) -> LearnerAsData:
        """The learner with its settings, as data."""
        return LearnerAsData(self.learner, self.settings)

    @property
    def directed(self) -> bool:
        """Was it, or its members, learned within directions (`monotone`)?"""
        of = self.settings.get("of")
        members = of.settings.get("monotone") if isinstance(of, LearnerAsData) else None
        return bool(self.settings.get("monotone") or members)

    @property
    def title(self) -> str:
        """How the model was made, in a few words.

        >>> Origin("C45", after=(ReadAsRules(), Edited("delete", (2,)))).title
        'rules of C45, edited by hand'
        """
        title = self.learner
        for i, done in enumerate(self.after):
            title = _after(title, done, replace(self, after=self.after[:i]))
        return title

    def then(self, *done: Done) -> Origin:
        """The origin with one entry more in its lineage."""
        return replace(self, after=(*self.after, *done))


def _after(title: str, done: Done, before: Origin) -> str:
    match done:
        case Pruned():
            return title if isinstance(_last_named(before), Pruned) else f"{title}, pruned"
        case ReadAsRules():
            return f"rules of {title}"
        case Simplified():
            return title if isinstance(_last_named(before), Simplified) else f"{title}, simplified"
        case Edited(edit):
            return title if edit == "recount" or _by_hand(before) else f"{title}, edited {BY_HAND}"
        case CurveEdited():
            return title if _by_hand(before) else f"{title}, edited {BY_HAND}"
        case Joined(other):
            return title if title == other.title else f"{title}, then {other.title}"
        case Distilled(of):
            return f"{title}, distilled from {of.title}"
        case AsWeights():
            return f"weights of {title}"
        case EndedEarly(because="interrupted"):
            return f"{title}, interrupted"
        case Selected() | Balanced() | Tuned() | Chosen() | Imported():
            return title
        case EndedEarly() | LearnedMore() | Calibrated() | Decided():
            return title
        case _:
            assert_never(done)


def _last_named(origin: Origin) -> Done | None:
    """The last thing done that the title names: the same again would be said twice."""
    silent = (
        Selected,
        Balanced,
        Tuned,
        Chosen,
        Imported,
        EndedEarly,
        LearnedMore,
        Calibrated,
        Decided,
    )
    named = (
        done
        for done in reversed(origin.after)
        if not isinstance(done, silent) and not (isinstance(done, Edited) and done.edit == "recount")
    )
    return next(named, None)


def _by_hand(origin: Origin) -> bool:
    """Was the model, or one that it was joined with, written or edited by a person?"""
    return origin.learner == BY_HAND or any(
        isinstance(done, CurveEdited)
        or (isinstance(done, Edited) and done.edit != "recount")
        or (isinstance(done, Joined) and _by_hand(done.other))
        for done in origin.after
    )
