"""The importer of scikit-learn: which estimators and steps in front of them are read, and which are not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clearwood.importing.importer import Importer
from clearwood.importing.scikit_learn.asking import ask_estimator
from clearwood.importing.scikit_learn.front import STEPS
from clearwood.importing.scikit_learn.reading import READ, REFUSED, is_estimator, read_estimator


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


IMPORTER: Final = Importer(
    is_estimator,
    read_estimator,
    ask_estimator,
    reads=(
        *((f"{_listed(each.names)} {each.of}".strip(), each.becomes) for each in READ),
        (f"`Pipeline` in front, with {_listed(sorted(STEPS))}", "the same in your own columns"),
    ),
    refuses=(
        *((_listed(each.names), each.because) for each in REFUSED),
        (
            "`AdaBoostClassifier` by SAMME.R, and of other models than trees, as `Bagging…` of them",
            "Logarithms of probabilities, and other models, are no sum or mean of trees.",
        ),
        ("steps in front that mix columns, such as `PCA`", "A condition here asks one column."),
    ),
)
