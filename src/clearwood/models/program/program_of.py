"""From a model to its program, whatever its kind."""

from dataclasses import replace
from typing import assert_never

from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.additive.additive_program import program_of_additive
from clearwood.models.kinds.bayes.bayes_program import program_of_bayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.ensemble_program import program_of_ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.linear.linear_program import program_of_linear
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_program import program_of_rules
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_program import program_of_tree
from clearwood.models.model import Model
from clearwood.models.program.program import ModelProgram, needed_steps


def program_of(model: Model) -> ModelProgram:
    """The program of a model: formulas that give its answer and shares for every row.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> program = program_of(cw.ID3().learn(table))
    >>> program.steps[0].name, program.shares, program.regions[0]
    ('leaf', ('share_1', 'share_2'), 'IF Outlook = Overcast THEN Yes')
    """
    program = _program(model)
    return replace(program, steps=needed_steps(program.steps, program.outputs))


def _program(model: Model) -> ModelProgram:
    match model:
        case Tree():
            return program_of_tree(model)
        case RuleList():
            return program_of_rules(model)
        case BayesTables():
            return program_of_bayes(model)
        case LinearModel():
            return program_of_linear(model)
        case Ensemble():
            return program_of_ensemble(model)
        case AdditiveModel():
            return program_of_additive(model)
        case _:
            assert_never(model)
