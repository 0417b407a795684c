"""What all our estimators share: their parameters are the settings of their learner, they read X as it is,
keep what they learned, `model_`, and answer by it, under scikit-learn's contract.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from inspect import get_annotations
from numbers import Real
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from clearwood.arrays import Floats
from clearwood.balancing.sampling import equal_factors
from clearwood.errors import (
    Advice,
    ClearwoodWarning,
    NamedOption,
    SchemaError,
    Sentence,
    SettingError,
    check_known,
)
from clearwood.estimators.inputs import (
    blocks,
    by_column,
    classes_of,
    inputs_to_answer,
    inputs_to_learn,
    is_sparse,
    meaning_of_weights,
    sparse_inputs_to_answer,
    training_table,
)
from clearwood.learners.learner import Learner
from clearwood.models.decision import ShareSmoothing, check_smoothing
from clearwood.models.model import Model
from clearwood.predicting.batch import predict, predict_codes, shares
from clearwood.registry import settings_of
from clearwood.table.attributes import Ignored, Ordinal
from clearwood.table.encoding import EMPTY, code_labels, has_no_cells, learn_table
from clearwood.table.raw import Codes, Raw
from clearwood.table.schema import Schema, WeightsAre, check_meaning
from clearwood.table.table import Table, Weights

# Classes by their label in y, which need not be a string.
LabelPriors: TypeAlias = Mapping[Any, float] | Literal["equal"] | None
LabelCosts: TypeAlias = Mapping[tuple[Any, Any], float] | None
AnswerType = TypeVar("AnswerType", bound=np.generic)
BY_LABEL: Final = {"priors": "LabelPriors", "costs": "LabelCosts"}
FOR_CLASSES: Final = ("statistic", "combine", *BY_LABEL)  # settings that regressors do not have


@dataclass(kw_only=True, eq=False, repr=False)
class Estimator(BaseEstimator):  # type: ignore[misc]
    """A dataclass whose fields are its parameters, so that they are stored as given and checked by `fit`.

    `class ID3Classifier(TreeClassifier, learner=ID3)` takes the settings of ID3 for parameters, but for those
    `without` and those that it declares itself, with another type or default.

    `kinds` says what a column is where its type does not ({'zip': 'nominal'}), `ordered` lists the values of
    an ordinal column from low to high; the columns of an array may be named by position. With `dates="days"`
    columns of dates are numbers: days since 1970-01-01. `weights_are` says what `sample_weight` means:
    "counts" of equal rows, "sampling" weights or "importance".
    """

    LEARNER: ClassVar[Any]
    _date_columns: ClassVar[tuple[str, ...] | None] = None  # of one that was fitted: where it met dates

    kinds: Mapping[Any, str] | None = None
    ordered: Mapping[Any, Sequence[str]] | None = None
    dates: Literal["days"] | None = None
    weights_are: WeightsAre = "counts"

    def __init_subclass__(cls, learner: Any = None, without: Collection[str] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        if learner is not None:
            cls.LEARNER = learner
            _take_settings(cls, learner, without)
        dataclass(kw_only=True, eq=False, repr=False)(cls)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        """The learner with this estimator's parameters, checked; `classes` are the labels in y."""
        return learner_as_set(self, self.LEARNER, classes, **self._instead(classes))

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        """Settings of the learner that are not the parameters as they were given."""
        del classes
        return {}

    def _inputs(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any,
        sample_weight: Any,
        *,
        reset: bool = True,
    ) -> tuple[Any, npt.NDArray[Any], Weights | None]:
        """The columns, the target and the weights of the rows to learn from."""
        return inputs_to_learn(self, X, y, sample_weight, reset=reset)

    def _table(self, columns: Any, codes: Codes, **how: Any) -> Table:
        """A classifier's rows to learn from."""
        return training_table(self, columns, codes, **how)

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        """What the learner makes of the rows; where an estimator settles more by them, it does so here."""
        return learner.learn(table)

    def _model(self) -> Model:
        if not hasattr(self, "model_"):  # asking scikit-learn takes as long as a row's answer
            check_is_fitted(self)
        model: Model = self.model_
        return model

    def _answers(
        self,
        answer: Callable[[Any, Table], npt.NDArray[AnswerType]],
        X: Any,  # noqa: N803 (scikit-learn's name)
    ) -> npt.NDArray[AnswerType]:
        """What the model answers to the rows; to sparse ones block by block."""
        if not is_sparse(X):
            return answer(*self._model_and_rows(X))
        model = self._model()
        rows = sparse_inputs_to_answer(self, X)
        return np.concatenate([answer(model, part) for part in blocks(rows, model.schema)])

    def _needs_dense(self) -> bool:
        """Must sparse X be made dense before it is learned from?"""
        return True

    def _model_and_rows(self, X: Any) -> tuple[Model, Table]:  # noqa: N803 (scikit-learn's name)
        model = self._model()
        return model, inputs_to_answer(self, X, model.schema)


class EvenClassifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """What every classifier does; its classes weigh what their rows do."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model. Strings, categories and missing values are taken as they are."""
        columns, labels, weights = self._inputs(X, y, sample_weight)
        classes, codes = classes_of(labels)
        learner = self._learner(classes.tolist())
        table = self._table(
            columns,
            codes,
            classes=classes,
            weights=weigh_classes(self._factors(), classes, codes, weights),
            weights_are=meaning_of_weights(self, weights),
        )
        self.model_ = self._learned(learner, table)
        self.classes_ = classes
        return self

    def _factors(self) -> Mapping[Any, float] | str | None:
        """What the weights of each class's rows are multiplied by."""
        return None

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """[row] the class of each row: the most probable, or with `costs` the one of least expected cost."""
        codes = self._answers(predict_codes, X)
        labels: npt.NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the share of each class, in the order of `classes_`."""
        return self._answers(shares, X)

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the logarithms of the probabilities; −inf where one is 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs


class Classifier(EvenClassifier):
    """`class_weight` multiplies the rows' weights."""

    class_weight: Mapping[Any, float] | str | None = None

    def _factors(self) -> Mapping[Any, float] | str | None:
        return self.class_weight


class SmoothedClassifier(Classifier):
    """`smoothing` ("laplace", or m for the m-estimate) is for the probabilities alone and never changes what
    is predicted."""

    smoothing: ShareSmoothing = None

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803 (scikit-learn's name)
        """[row, class] the share of each class, smoothed, in the order of `classes_`."""
        return self._answers(partial(shares, smoothing=self.smoothing), X)

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        check_smoothing(self.smoothing)
        return super()._learner(classes)


class Regressor(RegressorMixin, Estimator):  # type: ignore[misc]
    """Every row gets one number."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model. Strings, categories and missing values of X are taken as they are."""
        raw, numbers, weights = inputs_to_learn(self, X, y, sample_weight)
        table = learn_table(
            raw,
            _numbers(numbers),
            weights=weights,
            kinds=by_column(self.kinds, raw.names),
            ordered=by_column(self.ordered, raw.names),
            numeric=True,
            weights_are=meaning_of_weights(self, weights),
        )
        self.model_ = self._learned(self._learner(), table)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """[row] the number that the model says of each row."""
        return self._answers(predict, X)


def learner_as_set(
    estimator: Any, learner: Any, classes: Sequence[Any] = (), **instead: Any
) -> Learner[Model]:
    """The learner with the estimator's settings, some of them `instead`; classes may be named by label in y.

    >>> from types import SimpleNamespace
    >>> from clearwood.learners.trees.id3 import ID3
    >>> learner_as_set(SimpleNamespace(max_depth=np.int64(3), priors={1: 0.5, 2: 0.5}), ID3, [1, 2]).priors
    {'1': 0.5, '2': 0.5}
    """
    settings: list[str] = [each.name for each in fields(learner)]
    given = {name: getattr(estimator, name) for name in settings if hasattr(estimator, name)} | instead
    names = {label: str(label) for label in classes}
    for setting in ("priors", "costs"):
        if isinstance(given.get(setting), Mapping):
            given[setting] = {_named(key, names): number for key, number in given[setting].items()}
    if isinstance(given.get("class_order"), list | tuple):
        given["class_order"] = tuple(_named(label, names) for label in given["class_order"])
    made: Learner[Model] = learner(**given)
    return made


def weigh_classes(
    class_weight: Mapping[Any, float] | str | None,
    classes: npt.NDArray[Any],
    codes: Codes,
    weights: Weights | None,
) -> Weights | None:
    """The rows' weights: "balanced" gives every class the same total, a dict a factor per label (else 1).

    >>> weigh_classes("balanced", np.array(["no", "yes"]), np.array([0, 0, 0, 1]), None).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    if class_weight is None:
        return weights
    factors = _class_factors(class_weight, classes, np.bincount(codes, weights, minlength=len(classes)))[
        codes
    ]
    return factors if weights is None else factors * weights


def _class_factors(
    class_weight: Mapping[Any, float] | str, classes: npt.NDArray[Any], totals: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """[class] the factor on its rows."""
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise SettingError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}.")
        return equal_factors(totals)
    if not isinstance(class_weight, Mapping):
        raise SettingError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}.")
    labels = classes.tolist()
    for label, factor in class_weight.items():
        check_known("class", label, labels, plural="classes", before="class_weight: ")
        if not (isinstance(factor, Real) and 0 <= factor < np.inf):
            raise SettingError(f"class_weight of {label!r} must be a number from 0 upward, not {factor!r}.")
    return np.array([float(class_weight.get(label, 1.0)) for label in labels])


def more_rows(
    estimator: Classifier,
    X: Any,  # noqa: N803 (scikit-learn's name)
    y: Any,
    classes: Any,
    sample_weight: Any,
    seen: Schema | None,
) -> tuple[npt.NDArray[Any], Table]:
    """All labels met or announced so far, sorted, and the new rows as a table under them.

    Columns are what they were in the rows `seen`.
    """
    if estimator.class_weight == "balanced":
        raise SettingError(
            "class_weight='balanced' needs all rows at once. Use fit, or give a factor per label."
        )
    refuse_to_scale_parts(estimator, sample_weight)
    columns, labels, weights = estimator._inputs(X, y, sample_weight, reset=seen is None)
    own, codes = classes_of(labels)
    before = own[:0] if seen is None else estimator.classes_
    every = united_labels([before, own, *([] if classes is None else [np.asarray(classes)])])
    codes = np.searchsorted(every, own).astype(np.int32)[codes]
    kinds, ordered = None, None
    if seen is not None and isinstance(columns, Raw):
        columns = replace(columns, names=tuple(each.name for each in seen.attributes))
        _warn_of_ignored(columns, seen)
        kinds, ordered = _settled(seen)
    table = estimator._table(
        columns,
        codes,
        classes=every,
        weights=weigh_classes(estimator.class_weight, every, codes, weights),
        kinds=kinds,
        ordered=ordered,
    )
    return every, table


def refuse_to_scale_parts(estimator: Any, sample_weight: Any) -> None:
    """A sentence where weights are given whose scale depends on rows that are still to come."""
    if check_meaning(estimator.weights_are) != "counts" and sample_weight is not None:
        raise SettingError(
            NamedOption("weights_are", estimator.weights_are),
            " scales weights by all rows at once. Use fit, or ",
            Advice("weights_are", "counts"),
            ".",
        )


def united_labels(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The labels of all parts, sorted; text beside numbers is refused."""
    filled = [part for part in parts if len(part)]
    if len({part.dtype.kind in "fiub" for part in filled}) > 1:
        filled = [part.astype(object) for part in filled]
    return code_labels(np.concatenate(filled))[0]


def _warn_of_ignored(raw: Raw, seen: Schema) -> None:
    """Say of a column that it holds something now, but was empty when the columns' kinds were settled."""
    for attribute, column in zip(seen.attributes, raw.columns, strict=True):
        if isinstance(attribute, Ignored) and attribute.because == EMPTY and not has_no_cells(column):
            warnings.warn(
                Sentence(
                    f"Column '{attribute.name}' was empty in the first rows, and is left out ever since. "
                    "To use it, declare it at first: ",
                    Advice("kinds", {attribute.name: "numeric"}),
                    " or 'nominal'.",
                ),
                ClearwoodWarning,
                stacklevel=4,
            )


def _settled(schema: Schema) -> tuple[dict[str, str], dict[str, Sequence[str]]]:
    """What each column was taken for, to take more rows in the same way."""
    kinds: dict[str, str] = {each.name: each.kind for each in schema.attributes}
    return kinds, {each.name: each.values for each in schema.attributes if isinstance(each, Ordinal)}


def one_or_each(scores: Floats) -> Floats:
    """scikit-learn's form of a decision: of two classes [row] the second's score less the first's."""
    if scores.shape[1] != 2:
        return scores
    difference: Floats = scores[:, 1] - scores[:, 0]
    return difference


def _numbers(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if y.dtype.kind in "fiub":
        return y
    if y.dtype.kind != "O" or any(isinstance(each, str) for each in y.tolist()):
        raise SchemaError(
            "y holds text, and this estimator predicts numbers. Convert y, or take a classifier."
        )
    return y.astype(np.float64)


def _named(key: Any, names: Mapping[Any, str]) -> Any:
    if isinstance(key, tuple) and key not in names:
        return tuple(_named(each, names) for each in key)
    return names.get(key, str(key))


def _take_settings(kind: type[Any], learner: Any, without: Collection[str]) -> None:
    """Declare the learner's settings as fields, after those of the class's own that are no settings."""
    own = get_annotations(kind)
    settings, hints = settings_of(learner), get_type_hints(learner)
    bases = [base for base in kind.__mro__[1:] if is_dataclass(base)]
    inherited = {each.name for base in bases for each in fields(base)}
    made: dict[str, Any] = {name: hint for name, hint in own.items() if name not in settings}
    for name, setting in settings.items():
        if name in own or name not in {*inherited, *without}:
            made[name] = own.get(name) or BY_LABEL.get(name) or type_as_written(hints[name])
            if name not in vars(kind):
                setattr(kind, name, setting.default)
    for name in inherited.intersection(without):  # a field no more
        made[name] = ClassVar
        setattr(kind, name, None)
    kind.__annotations__ = made


def type_as_written(hint: Any) -> str:
    """A type as it is written.

    >>> type_as_written(int | Literal["cv"] | None), type_as_written(Mapping[Any, tuple[float, ...]])
    ("int | Literal['cv'] | None", 'Mapping[Any, tuple[float, ...]]')
    """
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return " | ".join(map(type_as_written, inside))
    if hint in (NoneType, ...):
        return "None" if hint is NoneType else "..."
    listed = ", ".join(map(repr if kind is Literal else type_as_written, inside))
    name = getattr(kind or hint, "__name__", str(hint))
    return f"{name}[{listed}]" if inside else name
