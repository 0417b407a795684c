"""Clearwood: classifiers a person can read. This is the public page; a name loads when it is first used.

import clearwood as cw

table = cw.read_table("credit.csv", target="class")
tree = cw.C45(confidence=0.25).learn(table)
print(tree)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

# The public names, by the module that has each. `make stubs` writes them as type checkers see them.
_NAMES = {
    "auditing": "Audit audit audit_curves",
    "balancing.balance_rows": "balanced",
    "checking": "check",
    "checking.assertions.monotone": "MonotoneIn",
    "checking.assertions.never_asks": "NeverAsks",
    "checking.assertions.reading": "read_assertions",
    "checking.assertions.region": "RegionGets",
    "checking.assertions.row": "RowGets",
    "checking.assertions.score": "ScoreWithin",
    "checking.assertions.verdict": "AssertionVerdict CheckedModel",
    "checking.assertions.whole_model": "DriftWithin FingerprintIs SizeWithin",
    "checking.difference.difference": "Difference",
    "checking.difference.differing": "diff",
    "components": "Correspondence PrincipalComponents mca pca",
    "deriving.deriving": "derive",
    "deriving.pruning": "derive_pruning",
    "deriving.tree_comparison": "TreeComparison compare_trees",
    "draw.derivations": "write_derivation",
    "draw.diagrams": "to_dot to_mermaid",
    "draw.linear": "side_by_side",
    "draw.picture": "Picture",
    "draw.pictures": "picture",
    "editing": (
        "EditedCurves EditedRules add_rule change_rule compare_curves compare_scores delete_rules drop_term "
        "flatten joined make_monotone move_rule read_rules recounted set_points smooth with_otherwise"
    ),
    "estimators": (
        "AdaBoostClassifier BaggingClassifier BaggingRegressor BoostingClassifier BoostingRegressor "
        "C45Classifier C45RulesClassifier CARTClassifier CARTRegressor CHAIDClassifier CHAIDRegressor "
        "CN2Classifier ForestClassifier ForestRegressor GAMClassifier GAMRegressor ID3Classifier "
        "ILAClassifier LogisticClassifier MCATransformer NaiveBayesClassifier OneRClassifier PRISMClassifier "
        "RIPPERClassifier TextBayesClassifier TreeRulesClassifier"
    ),
    "explaining.contributions": "Contributions contributions",
    "explaining.cut_curve": "cut_curve",
    "explaining.dependence": "Dependence local_effects partial_dependence",
    "explaining.evidence": "Evidence evidence",
    "explaining.forest_importances": "CorrectedImportances ForestImportances "
    "corrected_importances importances",
    "explaining.nomogram": "nomogram",
    "explaining.permutation": "PermutationImportance permutation_importance",
    "explaining.proximities": "Proximities agreement proximities",
    "explaining.recurring_rules": "StableRules stable_rules",
    "explaining.scorecard": "scorecard",
    "explaining.shap": "ShapValues shap_values",
    "explaining.smallest_change": "SmallestChange smallest_change",
    "explaining.why": "Explanation explain",
    "explaining.words": "flipping_words top_words",
    "exporting.exported": "Exported",
    "exporting.exporting": "export",
    "exporting.proof.certificate": "Proof",
    "exporting.proof.proving": "prove",
    "exporting.proof.verifying": "verify",
    "formulas.conditions": "Above AtLeast AtMost Below Between Condition Equals IsMissing OneOf",
    "importing.given_answers": "compare_answers",
    "importing.import_model": "import_model",
    "importing.proof": "ImportProof prove_import",
    "learners.bayes.merging": "merged",
    "learners.bayes.naive_bayes": "NaiveBayes",
    "learners.ensembles.adaboost": "AdaBoost",
    "learners.ensembles.bagging": "Bagging",
    "learners.ensembles.boosting": "Boosting",
    "learners.ensembles.forest": "Forest",
    "learners.ensembles.gam": "GAM",
    "learners.linear.bayes_as_logistic": "gaussian_bayes_as_logistic",
    "learners.linear.logistic": "Logistic",
    "learners.progress": "Progress watching",
    "learners.rules.c45_rules": "C45Rules",
    "learners.rules.cn2": "CN2",
    "learners.rules.ila": "ILA ILA2 ILA3 ILA4",
    "learners.rules.one_r": "OneR",
    "learners.rules.prism": "PRISM",
    "learners.rules.ripper": "RIPPER",
    "learners.rules.rules_of": "rules_of",
    "learners.rules.simplifying": "simplify_rules",
    "learners.rules.tree_rules": "TreeRules",
    "learners.trees.c45": "C45",
    "learners.trees.cart": "CART",
    "learners.trees.chaid": "CHAID",
    "learners.trees.id3": "ID3",
    "learners.trees.pruning.chi_square": "prune_chi_square",
    "learners.trees.pruning.cost_complexity": "prune_cost_complexity",
    "learners.trees.pruning.description_length": "prune_description_length",
    "learners.trees.pruning.error_based": "prune_error_based",
    "learners.trees.pruning.reduced_error": "prune_reduced_error",
    "learners.trees.pruning.siblings": "prune_siblings",
    "learners.trees.pruning.weakest_links": "cost_complexity_path cross_validated_alpha",
    "measures.bayes_rule": "bayes_rule",
    "models.decision": "Cutoff",
    "models.files": "json_schema load save",
    "models.files.storing": "model_fingerprint",
    "models.kinds.additive.additive_model": "AdditiveModel",
    "models.kinds.bayes.bayes_tables": "BayesTables",
    "models.kinds.ensemble.ensemble": "Ensemble",
    "models.kinds.linear.linear_model": "LinearModel",
    "models.kinds.rules.rule_list": "Otherwise Rule RuleList",
    "models.kinds.rules.rule_text": "write_rules",
    "models.kinds.tree.tree": "Branch Leaf Split Tree",
    "models.lineage": "Origin",
    "models.model": "reading_size",
    "predicting": "leaf_of predict shares",
    "predicting.estimates": "estimates",
    "predicting.intervals": "at_prevalence intervals shares_at_prevalence",
    "predicting.row": "row_predictor",
    "predicting.staged": "staged",
    "reporting.making": "Report report",
    "scoring.calibration": "calibration",
    "scoring.coverage": "coverage",
    "scoring.cutoff_aims": "ForCost ForPrecision ForRecall",
    "scoring.evaluation": "evaluate",
    "scoring.predictions": "true_and_predicted",
    "scoring.recalibration": "recalibration",
    "scoring.roc": "roc",
    "scoring.scores": "Scores",
    "selecting.ranking": "Ranking",
    "selecting.selection": "Selection SelectionStability rank_columns select selection_stability",
    "serving.serving": "serve web_app",
    "study.behaviour.bias_variance": "BiasVariance bias_variance",
    "study.behaviour.learning_curve": "LearningCurves learning_curve",
    "study.behaviour.overfitting": "overfitting overfitting_by_noise with_noise",
    "study.behaviour.stability": "Stability stability",
    "study.comparing.learners": "LearnerComparison compare_learners",
    "study.comparing.models": "ModelComparison compare_models",
    "study.comparing.over_tables": "RankComparison compare_over_tables",
    "study.contest.choice": "ModelChoice",
    "study.contest.choosing": "choose",
    "study.cross_validation": "cross_validate",
    "study.data_sense.looking_over": "Findings look_over",
    "study.deciding.decided_anew": "calibrate cutoffs with_costs with_cutoff with_refer",
    "study.deciding.deciding_step": "Deciding",
    "study.designs": "Bootstrap ByTime Folds GivenFolds HoldOut LeaveOneOut",
    "study.distilling.distilling": "Distillation distil",
    "study.fairness.groups": "by_group protect scores_by_group",
    "study.fairness.proxies": "proxies",
    "study.profiling": "with_profile",
    "study.recipe": "Balance Recipe",
    "study.rule_scores": "rule_scores",
    "study.scores": "scores",
    "study.tuning.grids": "Range SettingGrid",
    "study.tuning.trials": "Trial",
    "study.tuning.tuner": "Tuner Tuning tune",
    "study.tuning.validation_curve": "ValidationCurve validation_curve",
    "table": "encode read_table",
    "table.attributes": "Ignored Nominal Numeric Ordinal Text",
    "table.folding": "hold_out",
    "table.schema": "Schema",
    "table.schema_file": "load_schema save_schema",
    "table.table": "Table",
    "table.text": "words_of",
    "working.derivation": "Derivation",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_MODULES = {"charts": "draw.charts", "datasets": "datasets", "errors": "errors"}

__all__ = [*sorted((*_HOMES, *_MODULES)), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}")
    if name.startswith("_"):  # Python and its tools ask every module for such names: no advice is read
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _HOMES:
        from clearwood.errors import no_such

        raise AttributeError(no_such("name", name, __all__, plural="clearwood has"))
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
