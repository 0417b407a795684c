"""Made by `make stubs` from the settings of the learners."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from clearwood.estimators import bayes, ensembles, logistic, rules, trees
from clearwood.estimators.estimator import Classifier, Regressor
from clearwood.estimators.mca import MCATransformer as MCATransformer
from clearwood.estimators.trees import TreeClassifier
from clearwood.learners.learner import Learner
from clearwood.models.kinds.tree.tree import Tree

ESTIMATORS: Final[dict[str, type[Classifier] | type[Regressor]]]
__all__: list[str]

class AdaBoostClassifier(ensembles.AdaBoostClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        of: Any = None,
        trees: int = 50,
        rate: float = 1.0,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class BaggingClassifier(ensembles.BaggingClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        of: Any = "c45",
        class_weight: Mapping[Any, float] | str | None = None,
        trees: int = 50,
        combine: Literal["mean", "votes"] = "mean",
        seed: int = 0,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class BaggingRegressor(ensembles.BaggingRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        of: Any = "cart",
        trees: int = 50,
        seed: int = 0,
    ) -> None: ...

class BoostingClassifier(ensembles.BoostingClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        trees: int = 100,
        rate: float = 0.1,
        max_depth: int | None = 6,
        leaves: int | None = None,
        min_child: float = 1.0,
        l2: float = 1.0,
        l1: float = 0.0,
        gamma: float = 0.0,
        min_value: float = 10.0,
        bins: int | Literal["exact"] = 254,
        rows: float = 1.0,
        columns: float = 1.0,
        early_stopping: float | None = None,
        patience: int = 10,
        quantile: float = 0.5,
        monotone: Mapping[str, str] | None = None,
        interactions: Iterable[Iterable[str]] | None = None,
        seed: int = 0,
        class_weight: Mapping[Any, float] | str | None = None,
        loss: Literal["auto", "logistic", "softmax"] = "auto",
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class BoostingRegressor(ensembles.BoostingRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        trees: int = 100,
        rate: float = 0.1,
        max_depth: int | None = 6,
        leaves: int | None = None,
        min_child: float = 1.0,
        l2: float = 1.0,
        l1: float = 0.0,
        gamma: float = 0.0,
        min_value: float = 10.0,
        bins: int | Literal["exact"] = 254,
        rows: float = 1.0,
        columns: float = 1.0,
        early_stopping: float | None = None,
        patience: int = 10,
        quantile: float = 0.5,
        monotone: Mapping[str, str] | None = None,
        interactions: Iterable[Iterable[str]] | None = None,
        seed: int = 0,
        loss: Literal["auto", "squared", "absolute", "quantile", "poisson"] = "auto",
    ) -> None: ...

class C45Classifier(trees.C45Classifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        confidence: float = 0.25,
        min_rows: float = 2,
        prune: bool = True,
        collapse: bool = True,
        raise_subtrees: bool = True,
        group_values: bool = False,
        ordinal: Literal["values", "cut"] = "values",
        threshold: Literal["data", "midpoint"] = "data",
        confidence_table: Literal["normal", "quinlan"] = "normal",
        min_gap: float = 1e-05,
        max_depth: int | None = None,
        monotone: Mapping[str, str] | None = None,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class C45RulesClassifier(rules.C45RulesClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        confidence: float = 0.25,
        min_rows: float = 2,
        group_values: bool = False,
        ordinal: Literal["values", "cut"] = "values",
        confidence_table: Literal["normal", "quinlan"] = "normal",
        theory_weight: float = 0.5,
        exhaustive: int = 10,
        drop_harmful: bool = False,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class CARTClassifier(trees.CARTClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        measure: str = "auto",
        max_depth: int | None = None,
        min_rows: float = 2,
        min_leaf: float = 1,
        min_decrease: float = 0.0,
        missing: Literal["surrogates", "direction"] = "surrogates",
        surrogates: int = 5,
        min_value: float = 0.0,
        alpha: float | Literal["cv", "1se"] | None = None,
        folds: int = 10,
        seed: int = 0,
        monotone: Mapping[str, str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class CARTRegressor(trees.CARTRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        measure: str = "auto",
        max_depth: int | None = None,
        min_rows: float = 2,
        min_leaf: float = 1,
        min_decrease: float = 0.0,
        missing: Literal["surrogates", "direction"] = "surrogates",
        surrogates: int = 5,
        min_value: float = 0.0,
        alpha: float | Literal["cv", "1se"] | None = None,
        folds: int = 10,
        seed: int = 0,
        monotone: Mapping[str, str] | None = None,
    ) -> None: ...

class CHAIDClassifier(trees.CHAIDClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        min_rows: float | None = None,
        min_leaf: float | None = None,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        alpha_resplit: float | None = None,
        exhaustive: bool = False,
        statistic: Literal["pearson", "likelihood_ratio"] = "pearson",
        bonferroni: bool = True,
        bins: int = 10,
        max_depth: int | None = 3,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class CHAIDRegressor(trees.CHAIDRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        min_rows: float | None = None,
        min_leaf: float | None = None,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        alpha_resplit: float | None = None,
        exhaustive: bool = False,
        bonferroni: bool = True,
        bins: int = 10,
        max_depth: int | None = 3,
    ) -> None: ...

class CN2Classifier(rules.CN2Classifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        rules: Literal["ordered", "unordered"] = "ordered",
        measure: Literal["laplace", "entropy", "wracc"] = "laplace",
        beam: int = 5,
        max_conditions: int | None = 5,
        negations: bool = True,
        min_rows: float = 1,
        alpha: float = 1.0,
        missing: Literal["fill", "lost"] = "fill",
        otherwise: Literal["majority", "abstain"] = "majority",
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class ForestClassifier(ensembles.ForestClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        trees: int = 100,
        columns: int | None = None,
        rows: float | Literal["bootstrap"] = "bootstrap",
        max_depth: int | None = None,
        min_rows: float = 2,
        min_leaf: float = 1.0,
        min_value: float = 3.0,
        cuts: Literal["best", "random"] = "best",
        measure: str = "auto",
        out_of_bag: bool = True,
        seed: int = 0,
        combine: Literal["mean", "votes"] = "mean",
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class ForestRegressor(ensembles.ForestRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        trees: int = 100,
        columns: int | None = None,
        rows: float | Literal["bootstrap"] = "bootstrap",
        max_depth: int | None = None,
        min_rows: float = 2,
        min_leaf: float = 1.0,
        min_value: float = 3.0,
        cuts: Literal["best", "random"] = "best",
        measure: str = "auto",
        out_of_bag: bool = True,
        seed: int = 0,
    ) -> None: ...

class GAMClassifier(ensembles.GAMClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        pairs: int | None = None,
        bags: int | None = None,
        rate: float = 0.25,
        leaves: int = 3,
        rounds: int = 1000,
        patience: int = 20,
        bins: int = 255,
        min_leaf: int = 4,
        l2: float = 1.0,
        smoothing: int = 100,
        monotone: Mapping[str, str] | None = None,
        seed: int = 0,
        class_weight: Mapping[Any, float] | str | None = None,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class GAMRegressor(ensembles.GAMRegressor):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        pairs: int | None = None,
        bags: int | None = None,
        rate: float = 0.25,
        leaves: int = 3,
        rounds: int = 1000,
        patience: int = 20,
        bins: int = 255,
        min_leaf: int = 4,
        l2: float = 1.0,
        smoothing: int = 100,
        monotone: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None: ...

class ID3Classifier(trees.ID3Classifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        measure: str = "entropy",
        max_depth: int | None = None,
        min_rows: float = 2,
        min_leaf: float = 1,
        min_gain: float | None = None,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class ILAClassifier(rules.ILAClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        variant: Literal["ila", "ila2", "ila3", "ila4"] = "ila",
        penalty: float | None = None,
        fast: bool = False,
        drop_irrelevant: bool | None = None,
        alpha: float = 0.05,
        missing: Literal["lost", "cautious", "mode", "class_mode", "delete"] | None = None,
        max_conditions: int | None = None,
        class_order: Sequence[Any] = (),
        otherwise: Literal["majority", "abstain"] = "majority",
        cuts: Literal["mdl", "width", "frequency"] = "mdl",
        bins: int = 10,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class LogisticClassifier(logistic.LogisticClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        penalty: Literal["l1", "l2"] | None = None,
        strength: float = 1.0,
        standardise: bool = True,
        missing: Literal["indicator", "fill", "drop"] = "indicator",
        reference: Literal["most common", "first"] | Mapping[str, str] = "most common",
        against: Any = None,
        test: Literal["wald", "likelihood ratio"] = "wald",
        tolerance: float = 1e-06,
        max_iterations: int = 100,
        monotone: Mapping[str, str] | None = None,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class NaiveBayesClassifier(bayes.NaiveBayesClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        distributions: Mapping[
            Any,
            Literal["categorical", "gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"],
        ]
        | None = None,
        numeric: Literal[
            "categorical", "gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"
        ] = "gaussian",
        smoothing: Literal["laplace", "none"] | float = "laplace",
        m_prior: Literal["equal", "overall"] | Mapping[str, Mapping[str, float]] = "equal",
        alpha: float = 1.0,
        floor: float = 1e-09,
        bandwidth: Literal["scott", "silverman", "range"] = "scott",
        cut_method: Literal["mdl", "width", "frequency"] = "mdl",
        bins: int = 10,
        text: Literal["multinomial", "bernoulli", "complement"] = "multinomial",
        ngrams: tuple[int, int] = (1, 1),
        stop_words: Literal["english"] | Iterable[str] | None = None,
        lower: bool = True,
        min_documents: int | float = 1,
        max_documents: int | float = 1.0,
        most_words: int | None = None,
        decay: float = 1.0,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class OneRClassifier(rules.OneRClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        min_bucket: float = 6,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class PRISMClassifier(rules.PRISMClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        cuts: Literal["mdl", "width", "frequency"] = "mdl",
        bins: int = 10,
        otherwise: Literal["majority", "abstain"] = "majority",
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class RIPPERClassifier(rules.RIPPERClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        folds: int = 3,
        min_rows: float = 2,
        optimizations: int = 2,
        prune: bool = True,
        check_error: bool = True,
        seed: int = 1,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class TextBayesClassifier(bayes.TextBayesClassifier):
    def __init__(
        self,
        *,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        event: Literal["multinomial", "bernoulli", "complement"] = "multinomial",
        alpha: float = 1.0,
        ngrams: tuple[int, int] = (1, 1),
        stop_words: Literal["english"] | Iterable[str] | None = None,
        lower: bool = True,
        min_documents: int | float = 1,
        max_documents: int | float = 1.0,
        most_words: int | None = None,
        decay: float = 1.0,
        priors: Mapping[Any, float] | Literal["equal"] | None = None,
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...

class TreeRulesClassifier(rules.TreeRulesClassifier):
    def __init__(
        self,
        *,
        kinds: Mapping[Any, str] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        dates: Literal["days"] | None = None,
        weights_are: Literal["counts", "sampling", "importance"] = "counts",
        class_weight: Mapping[Any, float] | str | None = None,
        smoothing: Literal["laplace"] | float | None = None,
        tree: str | Learner[Tree] | TreeClassifier = "c45",
        simplify: bool = True,
        alpha: float = 0.05,
        tables: Literal["marginal", "conditional"] = "marginal",
        choose_by: Literal["largest", "smallest"] = "largest",
        test: Literal["chi_square", "yates", "fisher"] | None = None,
        against: Literal["class", "classes"] = "class",
        adjust: Literal["holm", "benjamini_hochberg"] | None = None,
        drop_conditions: bool = True,
        drop_rules: bool = True,
        order: Literal["fewest_errors", "given", "confidence"] = "fewest_errors",
        costs: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None: ...
