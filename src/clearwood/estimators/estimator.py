"""What all our estimators share: they read X as it is, keep the tree as `tree_`, and answer about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sklearn.base import BaseEstimator  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from clearwood.estimators.importances import importances
from clearwood.estimators.inputs import inputs_to_answer
from clearwood.measures import IMPURITIES
from clearwood.models.nodes import Floats, Ints
from clearwood.models.tree import Tree
from clearwood.predict import leaf_of
from clearwood.table.table import Table


@dataclass(kw_only=True, eq=False, repr=False)
class TreeEstimator(BaseEstimator):  # type: ignore[misc]
    """A dataclass whose fields are its parameters, so that they are stored as given and checked by `fit`.

    `kinds` says what a column is where its type does not ({'zip': 'nominal'}), `ordered` lists the values of
    an ordinal column from low to high; the columns of an array may be named by position.
    """

    LEARNER: ClassVar[Any]
    IMPURITY: ClassVar[str] = "gini"  # what importances are measured in

    kinds: Mapping[Any, str] | None = None
    ordered: Mapping[Any, Sequence[str]] | None = None

    def apply(self, X: Any) -> Ints:  # noqa: N803 (scikit-learn's name, here and below)
        """[row] the number of the leaf each row ends in: its place in `tree_.nodes`."""
        return leaf_of(*self._tree_and_rows(X))

    def get_depth(self) -> int:
        """Questions on the longest way down."""
        return self._tree().depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        return self._tree().leaves

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the impurity that the splits take away."""
        named = getattr(self, "measure", None)
        return importances(self._tree(), named if named in IMPURITIES else self.IMPURITY)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _tree(self) -> Tree:
        check_is_fitted(self)
        tree: Tree = self.tree_
        return tree

    def _tree_and_rows(self, X: Any) -> tuple[Tree, Table]:  # noqa: N803
        tree = self._tree()
        return tree, inputs_to_answer(self, X, tree.schema)
