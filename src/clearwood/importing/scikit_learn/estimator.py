"""An estimator of scikit-learn as it is read: what stands in front of it, its features, classes and origin.

scikit-learn is not imported: a fitted estimator is known by the name of its class, and its attributes are
read.
"""

from dataclasses import dataclass, field
from typing import Any

from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, attribute_of
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import imported_from
from clearwood.importing.scikit_learn.front import features_by_step
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema


@dataclass(frozen=True)
class FittedEstimator:
    """The last step of a pipeline, or an estimator by itself, with the features that it reads."""

    estimator: Any
    given: GivenNames
    features: list[Feature]
    lookups: dict[str, LookupFeature]  # of every column that has values, whether it is read or not
    positions: dict[str, int] = field(init=False)  # of columns, in the schema

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", {name: i for i, name in enumerate(_columns(self.features))})

    @property
    def is_classifier(self) -> bool:
        return hasattr(self.estimator, "classes_")

    def schema(self) -> Schema:
        """The columns of the table, and the target."""
        by_column: dict[str, list[Feature]] = {}
        for feature in self.features:
            by_column.setdefault(feature.column, []).append(feature)
        attributes = tuple(map(attribute_of, by_column.values()))
        name = self.given.target_name()
        if not self.is_classifier:
            return Schema(attributes, Numeric(name))
        own = list(self.estimator.classes_)
        return Schema(attributes, Nominal(name, self.given.class_names(own, len(own))))

    def origin(self, rows: float = 0) -> Origin:
        called = type(self.estimator).__name__
        settings = self.estimator.get_params(deep=False)
        return imported_from("scikit-learn", version_of(self.estimator), called, settings=settings, rows=rows)


def _columns(features: list[Feature]) -> list[str]:
    return list(dict.fromkeys(feature.column for feature in features))


def taken_apart(source: Any, given: GivenNames) -> FittedEstimator:
    """The estimator at the end of a pipeline, and the features that the steps before it make."""
    steps: list[Any] = []
    last = source
    while type(last).__name__ == "Pipeline":
        steps += [step for _, step in last.steps[:-1]]
        last = last.steps[-1][1]
    own = getattr(last, "_preprocessor", None)  # of HistGradientBoosting with categories
    if own is not None:
        steps.append(own)
    names = fitted_names(source)
    by_step = features_by_step(
        steps, given, count_of_columns(source), None if names is None else list(map(str, names))
    )
    features = by_step[-1]
    if type(last).__name__ == "CategoricalNB":
        counted = [int(each.shape[1]) for each in last.category_count_]
        features = [_as_codes(feature, count) for feature, count in zip(features, counted, strict=True)]
    # Those that a selector leaves out may be all that there is of a column, which encoders still read.
    every = [feature for each in (*by_step, features) for feature in each]
    lookups = {each.column: each for each in every if isinstance(each, LookupFeature)}
    return FittedEstimator(last, given, features, lookups)


def last_step(source: Any) -> Any:
    """The estimator at the end of a pipeline, or the source itself."""
    while type(source).__name__ == "Pipeline":
        source = source.steps[-1][1]
    return source


def _as_codes(feature: Feature, count: int) -> Feature:
    """Numbers that are codes, as values called 0, 1, 2, …."""
    if isinstance(feature, LookupFeature):
        return feature
    if feature.steps:
        raise ModelFileError(f"CategoricalNB reads '{feature.column}' behind another step, as no codes.")
    codes = range(count)
    return LookupFeature(feature.column, tuple(map(str, codes)), tuple(map(float, codes)), feature.missing)


def fitted_names(source: Any) -> Any:
    """The names of the columns that it was fitted to; None where they had none."""
    return getattr(_reader(source), "feature_names_in_", None)


def count_of_columns(source: Any) -> int:
    """How many columns it reads."""
    reader = _reader(source)
    try:
        return int(reader.n_features_in_)
    except AttributeError:
        raise ModelFileError(
            f"This {type(reader).__name__} is not fitted. Fit it first, then import it."
        ) from None


def _reader(source: Any) -> Any:
    """What reads the columns: the first step of a pipeline that does something."""
    while type(source).__name__ == "Pipeline":
        steps = [step for _, step in source.steps if step is not None and not isinstance(step, str)]
        if not steps:
            raise ModelFileError("This Pipeline has no step that does something.")
        source = steps[0]
    return source


def version_of(estimator: Any) -> str:
    """The version of scikit-learn that made it, as its state says; empty where it does not."""
    state: Any = getattr(estimator, "__getstate__", dict)()
    version = state.get("_sklearn_version", "") if isinstance(state, dict) else ""
    return str(version)
