"""The public page: these names and no others, and nothing loads before it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest
from dev.stubs import stubs

import clearwood as cw

NAMES = [
    "ImportProof",
    "compare_answers",
    "import_model",
    "prove_import",
    "CheckedModel",
    "Difference",
    "DriftWithin",
    "FingerprintIs",
    "MonotoneIn",
    "NeverAsks",
    "RegionGets",
    "RowGets",
    "ScoreWithin",
    "SizeWithin",
    "AssertionVerdict",
    "check",
    "diff",
    "model_fingerprint",
    "read_assertions",
    "Exported",
    "export",
    "Proof",
    "prove",
    "verify",
    "calibrate",
    "coverage",
    "cutoffs",
    "recalibration",
    "with_costs",
    "with_cutoff",
    "with_refer",
    "Cutoff",
    "Deciding",
    "ForCost",
    "ForPrecision",
    "ForRecall",
    "by_group",
    "scores_by_group",
    "protect",
    "proxies",
    "validation_curve",
    "tune",
    "ValidationCurve",
    "Tuning",
    "Tuner",
    "Trial",
    "SettingGrid",
    "Range",
    "Above",
    "AtLeast",
    "AtMost",
    "AdaBoost",
    "AdditiveModel",
    "AdaBoostClassifier",
    "Audit",
    "Bagging",
    "BaggingClassifier",
    "BaggingRegressor",
    "BayesTables",
    "Balance",
    "balanced",
    "Bootstrap",
    "ByTime",
    "Folds",
    "GivenFolds",
    "HoldOut",
    "LeaveOneOut",
    "Boosting",
    "BoostingClassifier",
    "BoostingRegressor",
    "Below",
    "Between",
    "Branch",
    "C45",
    "C45Classifier",
    "C45Rules",
    "C45RulesClassifier",
    "CART",
    "CARTClassifier",
    "CARTRegressor",
    "CHAID",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "CN2",
    "CN2Classifier",
    "ModelChoice",
    "Condition",
    "Contributions",
    "Scores",
    "scores",
    "CorrectedImportances",
    "Dependence",
    "Derivation",
    "Distillation",
    "EditedCurves",
    "EditedRules",
    "Ensemble",
    "Forest",
    "ForestClassifier",
    "ForestImportances",
    "ForestRegressor",
    "Equals",
    "Evidence",
    "Explanation",
    "GAM",
    "GAMClassifier",
    "GAMRegressor",
    "ID3",
    "ID3Classifier",
    "ILA",
    "ILA2",
    "ILA3",
    "ILA4",
    "ILAClassifier",
    "Ignored",
    "IsMissing",
    "Leaf",
    "LearnerComparison",
    "LinearModel",
    "Logistic",
    "LogisticClassifier",
    "ModelComparison",
    "NaiveBayes",
    "NaiveBayesClassifier",
    "Nominal",
    "Numeric",
    "OneOf",
    "Ordinal",
    "Origin",
    "Otherwise",
    "OneR",
    "OneRClassifier",
    "PRISM",
    "PRISMClassifier",
    "PermutationImportance",
    "Picture",
    "Proximities",
    "RIPPER",
    "RIPPERClassifier",
    "RankComparison",
    "Report",
    "Rule",
    "RuleList",
    "Schema",
    "ShapValues",
    "SmallestChange",
    "Split",
    "StableRules",
    "Table",
    "Text",
    "TextBayesClassifier",
    "Tree",
    "TreeComparison",
    "TreeRules",
    "TreeRulesClassifier",
    "__version__",
    "add_rule",
    "agreement",
    "at_prevalence",
    "audit",
    "audit_curves",
    "bayes_rule",
    "calibration",
    "change_rule",
    "charts",
    "choose",
    "prune_chi_square",
    "prune_siblings",
    "compare_curves",
    "compare_learners",
    "compare_models",
    "compare_over_tables",
    "compare_scores",
    "compare_trees",
    "prune_cost_complexity",
    "contributions",
    "corrected_importances",
    "cost_complexity_path",
    "cross_validate",
    "cross_validated_alpha",
    "cut_curve",
    "datasets",
    "BiasVariance",
    "Findings",
    "LearningCurves",
    "Stability",
    "bias_variance",
    "learning_curve",
    "look_over",
    "overfitting_by_noise",
    "stability",
    "with_noise",
    "derive",
    "derive_pruning",
    "delete_rules",
    "distil",
    "drop_term",
    "encode",
    "prune_error_based",
    "errors",
    "estimates",
    "evaluate",
    "evidence",
    "importances",
    "proximities",
    "explain",
    "flatten",
    "flipping_words",
    "gaussian_bayes_as_logistic",
    "hold_out",
    "intervals",
    "joined",
    "json_schema",
    "leaf_of",
    "load",
    "load_schema",
    "make_monotone",
    "merged",
    "prune_description_length",
    "local_effects",
    "move_rule",
    "nomogram",
    "permutation_importance",
    "picture",
    "overfitting",
    "partial_dependence",
    "predict",
    "read_rules",
    "read_table",
    "recounted",
    "prune_reduced_error",
    "report",
    "serve",
    "web_app",
    "roc",
    "row_predictor",
    "reading_size",
    "rule_scores",
    "rules_of",
    "save",
    "save_schema",
    "scorecard",
    "shap_values",
    "shares",
    "staged",
    "set_points",
    "smooth",
    "shares_at_prevalence",
    "side_by_side",
    "simplify_rules",
    "smallest_change",
    "stable_rules",
    "to_dot",
    "to_mermaid",
    "top_words",
    "true_and_predicted",
    "watching",
    "Progress",
    "with_otherwise",
    "with_profile",
    "words_of",
    "write_derivation",
    "write_rules",
    "Ranking",
    "Selection",
    "SelectionStability",
    "rank_columns",
    "select",
    "selection_stability",
    "Correspondence",
    "PrincipalComponents",
    "mca",
    "pca",
    "MCATransformer",
    "Recipe",
]


def test_the_page_holds_these_names() -> None:
    assert sorted(cw.__all__) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_there_and_listed(name: str) -> None:
    assert getattr(cw, name) is not None
    assert name in dir(cw)


def test_no_public_name_is_that_of_a_folder_or_file_but_of_what_it_stands_for() -> None:
    inside = {each.name for each in iter_modules(cw.__path__)}
    assert inside & set(NAMES) == {"datasets", "errors"}

    import clearwood.exporting.exporting as exporting

    assert exporting.export is cw.export


def test_type_checkers_see_the_same_names() -> None:
    page = ast.parse(Path(cw.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    seen = {alias.asname for node in page.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen | {"__version__"} == set(NAMES)


def test_the_stubs_are_those_that_the_source_makes() -> None:
    for place, text in stubs().items():
        assert place.read_text(encoding="utf-8") == text, f"make stubs writes {place.name} again"


def test_names_are_listed_in_the_order_of_their_homes() -> None:
    homes = [(home, name) for name, home in cw._HOMES.items()]
    assert homes == sorted(homes)


def test_a_name_that_is_not_there_gets_the_nearest_one() -> None:
    with pytest.raises(AttributeError, match="Did you mean 'read_table'"):
        cw.red_table  # type: ignore[attr-defined]  # noqa: B018


def test_importing_clearwood_loads_nothing_heavy() -> None:
    heavy = {"numpy", "typer", "rich", "narwhals", "sklearn"}
    text = f"import sys, clearwood; print(*({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


@pytest.mark.slow
def test_learning_loads_no_optional_library() -> None:
    text = (
        "import sys, clearwood as cw;"
        "table = cw.read_table(cw.datasets.path('tennis'), target='PlayTennis');"
        "cw.C45().learn(table);"
        "heavy = ('pandas', 'polars', 'pyarrow', 'duckdb', 'sklearn', 'scipy');"
        "print(*(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []
