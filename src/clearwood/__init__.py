"""Clearwood: classifiers a person can read. This is the public page; a name loads when it is first used.

import clearwood as cw

table = cw.read_table("credit.csv", target="class")
tree = cw.C45(confidence=0.25).learn(table)
print(tree)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:  # what editors and type checkers see; a test holds it equal to the table below
    from clearwood import datasets as datasets
    from clearwood import errors as errors
    from clearwood.audit import Audit as Audit
    from clearwood.audit import audit as audit
    from clearwood.audit import audit_curves as audit_curves
    from clearwood.balancing.balance_rows import balanced as balanced
    from clearwood.checking import check as check
    from clearwood.checking.assertions.monotone import MonotoneIn as MonotoneIn
    from clearwood.checking.assertions.never_asks import NeverAsks as NeverAsks
    from clearwood.checking.assertions.reading import read_assertions as read_assertions
    from clearwood.checking.assertions.region import RegionGets as RegionGets
    from clearwood.checking.assertions.row import RowGets as RowGets
    from clearwood.checking.assertions.score import ScoreWithin as ScoreWithin
    from clearwood.checking.assertions.verdict import AssertionVerdict as AssertionVerdict
    from clearwood.checking.assertions.verdict import CheckedModel as CheckedModel
    from clearwood.checking.assertions.whole_model import DriftWithin as DriftWithin
    from clearwood.checking.assertions.whole_model import FingerprintIs as FingerprintIs
    from clearwood.checking.assertions.whole_model import SizeWithin as SizeWithin
    from clearwood.checking.difference.difference import Difference as Difference
    from clearwood.checking.difference.differing import diff as diff
    from clearwood.components.axes import Correspondence as Correspondence
    from clearwood.components.axes import PrincipalComponents as PrincipalComponents
    from clearwood.components.axes import mca as mca
    from clearwood.components.axes import pca as pca
    from clearwood.derive.deriving import derive as derive
    from clearwood.derive.pruning import derive_pruning as derive_pruning
    from clearwood.derive.tree_comparison import TreeComparison as TreeComparison
    from clearwood.derive.tree_comparison import compare_trees as compare_trees
    from clearwood.draw import charts as charts
    from clearwood.draw.derivations import write_derivation as write_derivation
    from clearwood.draw.diagrams import to_dot as to_dot
    from clearwood.draw.diagrams import to_mermaid as to_mermaid
    from clearwood.draw.linear import side_by_side as side_by_side
    from clearwood.draw.picture import Picture as Picture
    from clearwood.draw.pictures import picture as picture
    from clearwood.editing import EditedCurves as EditedCurves
    from clearwood.editing import EditedRules as EditedRules
    from clearwood.editing import add_rule as add_rule
    from clearwood.editing import change_rule as change_rule
    from clearwood.editing import compare_curves as compare_curves
    from clearwood.editing import compare_scores as compare_scores
    from clearwood.editing import delete_rules as delete_rules
    from clearwood.editing import drop_term as drop_term
    from clearwood.editing import flatten as flatten
    from clearwood.editing import joined as joined
    from clearwood.editing import make_monotone as make_monotone
    from clearwood.editing import move_rule as move_rule
    from clearwood.editing import read_rules as read_rules
    from clearwood.editing import recounted as recounted
    from clearwood.editing import set_points as set_points
    from clearwood.editing import smooth as smooth
    from clearwood.editing import with_otherwise as with_otherwise
    from clearwood.estimators import AdaBoostClassifier as AdaBoostClassifier
    from clearwood.estimators import BaggingClassifier as BaggingClassifier
    from clearwood.estimators import BaggingRegressor as BaggingRegressor
    from clearwood.estimators import BoostingClassifier as BoostingClassifier
    from clearwood.estimators import BoostingRegressor as BoostingRegressor
    from clearwood.estimators import C45Classifier as C45Classifier
    from clearwood.estimators import C45RulesClassifier as C45RulesClassifier
    from clearwood.estimators import CARTClassifier as CARTClassifier
    from clearwood.estimators import CARTRegressor as CARTRegressor
    from clearwood.estimators import CHAIDClassifier as CHAIDClassifier
    from clearwood.estimators import CHAIDRegressor as CHAIDRegressor
    from clearwood.estimators import CN2Classifier as CN2Classifier
    from clearwood.estimators import ForestClassifier as ForestClassifier
    from clearwood.estimators import ForestRegressor as ForestRegressor
    from clearwood.estimators import GAMClassifier as GAMClassifier
    from clearwood.estimators import GAMRegressor as GAMRegressor
    from clearwood.estimators import ID3Classifier as ID3Classifier
    from clearwood.estimators import ILAClassifier as ILAClassifier
    from clearwood.estimators import LogisticClassifier as LogisticClassifier
    from clearwood.estimators import MCATransformer as MCATransformer
    from clearwood.estimators import NaiveBayesClassifier as NaiveBayesClassifier
    from clearwood.estimators import PRISMClassifier as PRISMClassifier
    from clearwood.estimators import RIPPERClassifier as RIPPERClassifier
    from clearwood.estimators import TextBayesClassifier as TextBayesClassifier
    from clearwood.estimators import TreeRulesClassifier as TreeRulesClassifier
    from clearwood.explain.contributions import Contributions as Contributions
    from clearwood.explain.contributions import contributions as contributions
    from clearwood.explain.corrected_importances import CorrectedImportances as CorrectedImportances
    from clearwood.explain.corrected_importances import corrected_importances as corrected_importances
    from clearwood.explain.cut_curve import cut_curve as cut_curve
    from clearwood.explain.dependence import Dependence as Dependence
    from clearwood.explain.dependence import partial_dependence as partial_dependence
    from clearwood.explain.evidence import Evidence as Evidence
    from clearwood.explain.evidence import evidence as evidence
    from clearwood.explain.flipping_words import flipping_words as flipping_words
    from clearwood.explain.forest_importances import ForestImportances as ForestImportances
    from clearwood.explain.forest_importances import importances as importances
    from clearwood.explain.local_effects import local_effects as local_effects
    from clearwood.explain.nomogram import nomogram as nomogram
    from clearwood.explain.permutation import PermutationImportance as PermutationImportance
    from clearwood.explain.permutation import permutation_importance as permutation_importance
    from clearwood.explain.proximities import Proximities as Proximities
    from clearwood.explain.proximities import agreement as agreement
    from clearwood.explain.proximities import proximities as proximities
    from clearwood.explain.scorecard import scorecard as scorecard
    from clearwood.explain.shap import ShapValues as ShapValues
    from clearwood.explain.shap import shap_values as shap_values
    from clearwood.explain.smallest_change import SmallestChange as SmallestChange
    from clearwood.explain.smallest_change import smallest_change as smallest_change
    from clearwood.explain.stable_rules import StableRules as StableRules
    from clearwood.explain.stable_rules import stable_rules as stable_rules
    from clearwood.explain.top_words import top_words as top_words
    from clearwood.explain.why import Explanation as Explanation
    from clearwood.explain.why import explain as explain
    from clearwood.export.exported import Exported as Exported
    from clearwood.export.exporting import export as export
    from clearwood.export.proof.proof import Proof as Proof
    from clearwood.export.proof.proving import prove as prove
    from clearwood.export.proof.verifying import verify as verify
    from clearwood.importing.given_answers import compare_answers as compare_answers
    from clearwood.importing.import_model import import_model as import_model
    from clearwood.importing.proof import ImportProof as ImportProof
    from clearwood.importing.proof import prove_import as prove_import
    from clearwood.learners.bayes.merging import merged as merged
    from clearwood.learners.bayes.naive_bayes import NaiveBayes as NaiveBayes
    from clearwood.learners.ensembles.adaboost import AdaBoost as AdaBoost
    from clearwood.learners.ensembles.bagging import Bagging as Bagging
    from clearwood.learners.ensembles.boosting import Boosting as Boosting
    from clearwood.learners.ensembles.forest import Forest as Forest
    from clearwood.learners.ensembles.gam import GAM as GAM
    from clearwood.learners.linear.bayes_as_logistic import (
        gaussian_bayes_as_logistic as gaussian_bayes_as_logistic,
    )
    from clearwood.learners.linear.logistic import Logistic as Logistic
    from clearwood.learners.progress import Progress as Progress
    from clearwood.learners.progress import watching as watching
    from clearwood.learners.rules.c45_rules import C45Rules as C45Rules
    from clearwood.learners.rules.cn2 import CN2 as CN2
    from clearwood.learners.rules.ila import ILA as ILA
    from clearwood.learners.rules.ila import ILA2 as ILA2
    from clearwood.learners.rules.ila import ILA3 as ILA3
    from clearwood.learners.rules.ila import ILA4 as ILA4
    from clearwood.learners.rules.prism import PRISM as PRISM
    from clearwood.learners.rules.ripper import RIPPER as RIPPER
    from clearwood.learners.rules.rules_of import rules_of as rules_of
    from clearwood.learners.rules.simplifying import simplify_rules as simplify_rules
    from clearwood.learners.rules.tree_rules import TreeRules as TreeRules
    from clearwood.learners.trees.c45 import C45 as C45
    from clearwood.learners.trees.cart import CART as CART
    from clearwood.learners.trees.chaid import CHAID as CHAID
    from clearwood.learners.trees.id3 import ID3 as ID3
    from clearwood.learners.trees.pruning.chi_square import prune_chi_square as prune_chi_square
    from clearwood.learners.trees.pruning.cost_complexity import (
        prune_cost_complexity as prune_cost_complexity,
    )
    from clearwood.learners.trees.pruning.cross_validated_alpha import (
        cross_validated_alpha as cross_validated_alpha,
    )
    from clearwood.learners.trees.pruning.description_length import (
        prune_description_length as prune_description_length,
    )
    from clearwood.learners.trees.pruning.error_based import prune_error_based as prune_error_based
    from clearwood.learners.trees.pruning.reduced_error import prune_reduced_error as prune_reduced_error
    from clearwood.learners.trees.pruning.siblings import prune_siblings as prune_siblings
    from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path as cost_complexity_path
    from clearwood.measures.bayes_rule import bayes_rule as bayes_rule
    from clearwood.models.additive_model import AdditiveModel as AdditiveModel
    from clearwood.models.bayes_tables import BayesTables as BayesTables
    from clearwood.models.conditions import Above as Above
    from clearwood.models.conditions import AtLeast as AtLeast
    from clearwood.models.conditions import AtMost as AtMost
    from clearwood.models.conditions import Below as Below
    from clearwood.models.conditions import Between as Between
    from clearwood.models.conditions import Condition as Condition
    from clearwood.models.conditions import Equals as Equals
    from clearwood.models.conditions import IsMissing as IsMissing
    from clearwood.models.conditions import OneOf as OneOf
    from clearwood.models.decision import Cutoff as Cutoff
    from clearwood.models.ensemble import Ensemble as Ensemble
    from clearwood.models.files import json_schema as json_schema
    from clearwood.models.files import load as load
    from clearwood.models.files import save as save
    from clearwood.models.files.fingerprint import model_fingerprint as model_fingerprint
    from clearwood.models.linear_model import LinearModel as LinearModel
    from clearwood.models.origin import Origin as Origin
    from clearwood.models.reading_size import reading_size as reading_size
    from clearwood.models.rule_list import Otherwise as Otherwise
    from clearwood.models.rule_list import Rule as Rule
    from clearwood.models.rule_list import RuleList as RuleList
    from clearwood.models.rule_text import write_rules as write_rules
    from clearwood.models.tree import Branch as Branch
    from clearwood.models.tree import Leaf as Leaf
    from clearwood.models.tree import Split as Split
    from clearwood.models.tree import Tree as Tree
    from clearwood.predict import leaf_of as leaf_of
    from clearwood.predict import predict as predict
    from clearwood.predict import row_predictor as row_predictor
    from clearwood.predict import shares as shares
    from clearwood.predict.estimates import estimates as estimates
    from clearwood.predict.intervals import intervals as intervals
    from clearwood.predict.prevalence import at_prevalence as at_prevalence
    from clearwood.predict.prevalence import shares_at_prevalence as shares_at_prevalence
    from clearwood.predict.staged import staged as staged
    from clearwood.report.making import Report as Report
    from clearwood.report.making import report as report
    from clearwood.scoring.calibration import calibration as calibration
    from clearwood.scoring.coverage import coverage as coverage
    from clearwood.scoring.cutoff_aims import ForCost as ForCost
    from clearwood.scoring.cutoff_aims import ForPrecision as ForPrecision
    from clearwood.scoring.cutoff_aims import ForRecall as ForRecall
    from clearwood.scoring.evaluation import evaluate as evaluate
    from clearwood.scoring.recalibration import recalibration as recalibration
    from clearwood.scoring.roc import roc as roc
    from clearwood.scoring.scores import Scores as Scores
    from clearwood.scoring.true_and_predicted import true_and_predicted as true_and_predicted
    from clearwood.selecting.ranking import Ranking as Ranking
    from clearwood.selecting.selection import Selection as Selection
    from clearwood.selecting.selection import rank_columns as rank_columns
    from clearwood.selecting.selection import select as select
    from clearwood.selecting.stability import SelectionStability as SelectionStability
    from clearwood.selecting.stability import selection_stability as selection_stability
    from clearwood.serve.serving import serve as serve
    from clearwood.serve.serving import web_app as web_app
    from clearwood.study.balance import Balance as Balance
    from clearwood.study.behaviour.bias_variance import BiasVariance as BiasVariance
    from clearwood.study.behaviour.bias_variance import bias_variance as bias_variance
    from clearwood.study.behaviour.learning_curve import LearningCurves as LearningCurves
    from clearwood.study.behaviour.learning_curve import learning_curve as learning_curve
    from clearwood.study.behaviour.noise import with_noise as with_noise
    from clearwood.study.behaviour.overfitting import overfitting as overfitting
    from clearwood.study.behaviour.overfitting_by_noise import overfitting_by_noise as overfitting_by_noise
    from clearwood.study.behaviour.stability import Stability as Stability
    from clearwood.study.behaviour.stability import stability as stability
    from clearwood.study.comparing.learner_comparison import LearnerComparison as LearnerComparison
    from clearwood.study.comparing.learners import compare_learners as compare_learners
    from clearwood.study.comparing.models import ModelComparison as ModelComparison
    from clearwood.study.comparing.models import compare_models as compare_models
    from clearwood.study.comparing.over_tables import compare_over_tables as compare_over_tables
    from clearwood.study.comparing.rank_comparison import RankComparison as RankComparison
    from clearwood.study.contest.choice import ModelChoice as ModelChoice
    from clearwood.study.contest.choosing import choose as choose
    from clearwood.study.cross_validation import cross_validate as cross_validate
    from clearwood.study.data_sense.looking_over import Findings as Findings
    from clearwood.study.data_sense.looking_over import look_over as look_over
    from clearwood.study.deciding.calibrating import calibrate as calibrate
    from clearwood.study.deciding.decided_anew import cutoffs as cutoffs
    from clearwood.study.deciding.decided_anew import with_costs as with_costs
    from clearwood.study.deciding.decided_anew import with_cutoff as with_cutoff
    from clearwood.study.deciding.decided_anew import with_refer as with_refer
    from clearwood.study.deciding.deciding_step import Deciding as Deciding
    from clearwood.study.designs import Bootstrap as Bootstrap
    from clearwood.study.designs import ByTime as ByTime
    from clearwood.study.designs import Folds as Folds
    from clearwood.study.designs import GivenFolds as GivenFolds
    from clearwood.study.designs import HoldOut as HoldOut
    from clearwood.study.designs import LeaveOneOut as LeaveOneOut
    from clearwood.study.distilling.distilling import Distillation as Distillation
    from clearwood.study.distilling.distilling import distil as distil
    from clearwood.study.fairness.grouped_scores import by_group as by_group
    from clearwood.study.fairness.grouped_scores import scores_by_group as scores_by_group
    from clearwood.study.fairness.protecting import protect as protect
    from clearwood.study.fairness.proxies import proxies as proxies
    from clearwood.study.profiling import with_profile as with_profile
    from clearwood.study.recipe import Recipe as Recipe
    from clearwood.study.rule_scores import rule_scores as rule_scores
    from clearwood.study.scoring_rows import scores as scores
    from clearwood.study.tuning.grids import Range as Range
    from clearwood.study.tuning.grids import SettingGrid as SettingGrid
    from clearwood.study.tuning.trials import Trial as Trial
    from clearwood.study.tuning.tuner import Tuner as Tuner
    from clearwood.study.tuning.tuner import Tuning as Tuning
    from clearwood.study.tuning.tuner import tune as tune
    from clearwood.study.tuning.validation_curve import ValidationCurve as ValidationCurve
    from clearwood.study.tuning.validation_curve import validation_curve as validation_curve
    from clearwood.table import encode as encode
    from clearwood.table import read_table as read_table
    from clearwood.table.attributes import Ignored as Ignored
    from clearwood.table.attributes import Nominal as Nominal
    from clearwood.table.attributes import Numeric as Numeric
    from clearwood.table.attributes import Ordinal as Ordinal
    from clearwood.table.attributes import Text as Text
    from clearwood.table.folding import hold_out as hold_out
    from clearwood.table.schema import Schema as Schema
    from clearwood.table.schema_file import load_schema as load_schema
    from clearwood.table.schema_file import save_schema as save_schema
    from clearwood.table.table import Table as Table
    from clearwood.table.text import words_of as words_of
    from clearwood.working.derivation import Derivation as Derivation

_HOMES = {  # where each public name is at home, in the order of the homes
    "Audit": "audit",
    "audit": "audit",
    "audit_curves": "audit",
    "balanced": "balancing.balance_rows",
    "check": "checking",
    "DriftWithin": "checking.assertions.drift",
    "FingerprintIs": "checking.assertions.fingerprint",
    "MonotoneIn": "checking.assertions.monotone",
    "NeverAsks": "checking.assertions.never_asks",
    "read_assertions": "checking.assertions.reading",
    "RegionGets": "checking.assertions.region",
    "RowGets": "checking.assertions.row",
    "ScoreWithin": "checking.assertions.score",
    "SizeWithin": "checking.assertions.size",
    "AssertionVerdict": "checking.assertions.verdict",
    "CheckedModel": "checking.assertions.verdict",
    "Difference": "checking.difference.difference",
    "diff": "checking.difference.differing",
    "Correspondence": "components.mca",
    "mca": "components.mca",
    "PrincipalComponents": "components.pca",
    "pca": "components.pca",
    "derive": "derive.deriving",
    "derive_pruning": "derive.pruning",
    "TreeComparison": "derive.tree_comparison",
    "compare_trees": "derive.tree_comparison",
    "write_derivation": "draw.derivations",
    "to_dot": "draw.dot",
    "to_mermaid": "draw.mermaid",
    "Picture": "draw.picture",
    "picture": "draw.pictures",
    "side_by_side": "draw.side_by_side",
    "EditedCurves": "editing",
    "EditedRules": "editing",
    "add_rule": "editing",
    "change_rule": "editing",
    "compare_curves": "editing",
    "compare_scores": "editing",
    "delete_rules": "editing",
    "drop_term": "editing",
    "flatten": "editing",
    "joined": "editing",
    "make_monotone": "editing",
    "move_rule": "editing",
    "read_rules": "editing",
    "recounted": "editing",
    "set_points": "editing",
    "smooth": "editing",
    "with_otherwise": "editing",
    "AdaBoostClassifier": "estimators",
    "BaggingClassifier": "estimators",
    "BaggingRegressor": "estimators",
    "BoostingClassifier": "estimators",
    "BoostingRegressor": "estimators",
    "C45Classifier": "estimators",
    "C45RulesClassifier": "estimators",
    "CARTClassifier": "estimators",
    "CARTRegressor": "estimators",
    "CHAIDClassifier": "estimators",
    "CHAIDRegressor": "estimators",
    "CN2Classifier": "estimators",
    "ForestClassifier": "estimators",
    "ForestRegressor": "estimators",
    "GAMClassifier": "estimators",
    "GAMRegressor": "estimators",
    "ID3Classifier": "estimators",
    "ILAClassifier": "estimators",
    "LogisticClassifier": "estimators",
    "MCATransformer": "estimators",
    "NaiveBayesClassifier": "estimators",
    "PRISMClassifier": "estimators",
    "RIPPERClassifier": "estimators",
    "TextBayesClassifier": "estimators",
    "TreeRulesClassifier": "estimators",
    "Contributions": "explain.contributions",
    "contributions": "explain.contributions",
    "CorrectedImportances": "explain.corrected_importances",
    "corrected_importances": "explain.corrected_importances",
    "cut_curve": "explain.cut_curve",
    "Dependence": "explain.dependence",
    "partial_dependence": "explain.dependence",
    "Evidence": "explain.evidence",
    "evidence": "explain.evidence",
    "flipping_words": "explain.flipping_words",
    "ForestImportances": "explain.forest_importances",
    "importances": "explain.forest_importances",
    "local_effects": "explain.local_effects",
    "nomogram": "explain.nomogram",
    "PermutationImportance": "explain.permutation",
    "permutation_importance": "explain.permutation",
    "Proximities": "explain.proximities",
    "agreement": "explain.proximities",
    "proximities": "explain.proximities",
    "scorecard": "explain.scorecard",
    "ShapValues": "explain.shap",
    "shap_values": "explain.shap",
    "SmallestChange": "explain.smallest_change",
    "smallest_change": "explain.smallest_change",
    "StableRules": "explain.stable_rules",
    "stable_rules": "explain.stable_rules",
    "top_words": "explain.top_words",
    "Explanation": "explain.why",
    "explain": "explain.why",
    "Exported": "export.exported",
    "export": "export.exporting",
    "Proof": "export.proof.proof",
    "prove": "export.proof.proving",
    "verify": "export.proof.verifying",
    "compare_answers": "importing.given_answers",
    "import_model": "importing.import_model",
    "ImportProof": "importing.proof",
    "prove_import": "importing.proof",
    "merged": "learners.bayes.merging",
    "NaiveBayes": "learners.bayes.naive_bayes",
    "AdaBoost": "learners.ensembles.adaboost",
    "Bagging": "learners.ensembles.bagging",
    "Boosting": "learners.ensembles.boosting",
    "Forest": "learners.ensembles.forest",
    "GAM": "learners.ensembles.gam",
    "gaussian_bayes_as_logistic": "learners.linear.bayes_as_logistic",
    "Logistic": "learners.linear.logistic",
    "Progress": "learners.progress",
    "watching": "learners.progress",
    "C45Rules": "learners.rules.c45_rules",
    "CN2": "learners.rules.cn2",
    "ILA": "learners.rules.ila",
    "ILA2": "learners.rules.ila",
    "ILA3": "learners.rules.ila",
    "ILA4": "learners.rules.ila",
    "PRISM": "learners.rules.prism",
    "RIPPER": "learners.rules.ripper",
    "rules_of": "learners.rules.rules_of",
    "simplify_rules": "learners.rules.simplifying",
    "TreeRules": "learners.rules.tree_rules",
    "C45": "learners.trees.c45",
    "CART": "learners.trees.cart",
    "CHAID": "learners.trees.chaid",
    "ID3": "learners.trees.id3",
    "prune_chi_square": "learners.trees.pruning.chi_square",
    "prune_cost_complexity": "learners.trees.pruning.cost_complexity",
    "cross_validated_alpha": "learners.trees.pruning.cross_validated_alpha",
    "prune_description_length": "learners.trees.pruning.description_length",
    "prune_error_based": "learners.trees.pruning.error_based",
    "prune_reduced_error": "learners.trees.pruning.reduced_error",
    "prune_siblings": "learners.trees.pruning.siblings",
    "cost_complexity_path": "learners.trees.pruning.weakest_links",
    "bayes_rule": "measures.bayes_rule",
    "AdditiveModel": "models.additive_model",
    "BayesTables": "models.bayes_tables",
    "Above": "models.conditions",
    "AtLeast": "models.conditions",
    "AtMost": "models.conditions",
    "Below": "models.conditions",
    "Between": "models.conditions",
    "Condition": "models.conditions",
    "Equals": "models.conditions",
    "IsMissing": "models.conditions",
    "OneOf": "models.conditions",
    "Cutoff": "models.decision",
    "Ensemble": "models.ensemble",
    "json_schema": "models.files",
    "load": "models.files",
    "save": "models.files",
    "model_fingerprint": "models.files.fingerprint",
    "LinearModel": "models.linear_model",
    "Origin": "models.origin",
    "reading_size": "models.reading_size",
    "Otherwise": "models.rule_list",
    "Rule": "models.rule_list",
    "RuleList": "models.rule_list",
    "write_rules": "models.rule_text",
    "Branch": "models.tree",
    "Leaf": "models.tree",
    "Split": "models.tree",
    "Tree": "models.tree",
    "leaf_of": "predict",
    "predict": "predict",
    "row_predictor": "predict",
    "shares": "predict",
    "estimates": "predict.estimates",
    "intervals": "predict.intervals",
    "at_prevalence": "predict.prevalence",
    "shares_at_prevalence": "predict.prevalence",
    "staged": "predict.staged",
    "Report": "report.making",
    "report": "report.making",
    "calibration": "scoring.calibration",
    "coverage": "scoring.coverage",
    "ForCost": "scoring.cutoff_aims",
    "ForPrecision": "scoring.cutoff_aims",
    "ForRecall": "scoring.cutoff_aims",
    "evaluate": "scoring.evaluation",
    "recalibration": "scoring.recalibration",
    "roc": "scoring.roc",
    "Scores": "scoring.scores",
    "true_and_predicted": "scoring.true_and_predicted",
    "Ranking": "selecting.ranking",
    "Selection": "selecting.selection",
    "rank_columns": "selecting.selection",
    "select": "selecting.selection",
    "SelectionStability": "selecting.stability",
    "selection_stability": "selecting.stability",
    "serve": "serve.serving",
    "web_app": "serve.serving",
    "Balance": "study.balance",
    "BiasVariance": "study.behaviour.bias_variance",
    "bias_variance": "study.behaviour.bias_variance",
    "LearningCurves": "study.behaviour.learning_curve",
    "learning_curve": "study.behaviour.learning_curve",
    "with_noise": "study.behaviour.noise",
    "overfitting": "study.behaviour.overfitting",
    "overfitting_by_noise": "study.behaviour.overfitting_by_noise",
    "Stability": "study.behaviour.stability",
    "stability": "study.behaviour.stability",
    "LearnerComparison": "study.comparing.learner_comparison",
    "compare_learners": "study.comparing.learners",
    "ModelComparison": "study.comparing.models",
    "compare_models": "study.comparing.models",
    "compare_over_tables": "study.comparing.over_tables",
    "RankComparison": "study.comparing.rank_comparison",
    "ModelChoice": "study.contest.choice",
    "choose": "study.contest.choosing",
    "cross_validate": "study.cross_validation",
    "Findings": "study.data_sense.looking_over",
    "look_over": "study.data_sense.looking_over",
    "calibrate": "study.deciding.calibrating",
    "cutoffs": "study.deciding.decided_anew",
    "with_costs": "study.deciding.decided_anew",
    "with_cutoff": "study.deciding.decided_anew",
    "with_refer": "study.deciding.decided_anew",
    "Deciding": "study.deciding.deciding_step",
    "Bootstrap": "study.designs",
    "ByTime": "study.designs",
    "Folds": "study.designs",
    "GivenFolds": "study.designs",
    "HoldOut": "study.designs",
    "LeaveOneOut": "study.designs",
    "Distillation": "study.distilling.distilling",
    "distil": "study.distilling.distilling",
    "by_group": "study.fairness.grouped_scores",
    "scores_by_group": "study.fairness.grouped_scores",
    "protect": "study.fairness.protecting",
    "proxies": "study.fairness.proxies",
    "with_profile": "study.profiling",
    "Recipe": "study.recipe",
    "rule_scores": "study.rule_scores",
    "scores": "study.scoring_rows",
    "Range": "study.tuning.grids",
    "SettingGrid": "study.tuning.grids",
    "Trial": "study.tuning.trials",
    "Tuner": "study.tuning.tuner",
    "Tuning": "study.tuning.tuner",
    "tune": "study.tuning.tuner",
    "ValidationCurve": "study.tuning.validation_curve",
    "validation_curve": "study.tuning.validation_curve",
    "encode": "table",
    "read_table": "table",
    "Ignored": "table.attributes",
    "Nominal": "table.attributes",
    "Numeric": "table.attributes",
    "Ordinal": "table.attributes",
    "Text": "table.attributes",
    "hold_out": "table.folding",
    "Schema": "table.schema",
    "load_schema": "table.schema_file",
    "save_schema": "table.schema_file",
    "Table": "table.table",
    "words_of": "table.text",
    "Derivation": "working.derivation",
}
_MODULES = {"charts": "draw.charts", "datasets": "datasets", "errors": "errors"}

__all__ = [*sorted((*_HOMES, *_MODULES)), "__version__"]


# To a type checker every name, a misspelt one too, would be there.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(f"{__name__}.{_MODULES[name]}")
        if name not in _HOMES:
            from clearwood.errors import no_such

            raise AttributeError(no_such("name", name, __all__, plural="clearwood has"))
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Page(ModuleType):
    """`predict`, `evaluate`, `explain` are verbs here and folders below: a folder must not hide its verb."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Page
