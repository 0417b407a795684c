"""From a model to its program, whatever its kind."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from clearwood.explain.scorecard import Scorecard
from clearwood.export.exportable import Exportable
from clearwood.export.program.long_sums import with_short_sums
from clearwood.export.program.needed import needed_steps
from clearwood.export.program.of_additive import program_of_additive
from clearwood.export.program.of_bayes import program_of_bayes
from clearwood.export.program.of_card import program_of_card
from clearwood.export.program.of_ensemble import program_of_ensemble
from clearwood.export.program.of_linear import program_of_linear
from clearwood.export.program.of_rules import program_of_rules
from clearwood.export.program.of_tree import program_of_tree
from clearwood.export.program.program import ModelProgram
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def program_of(model: Exportable) -> ModelProgram:
    """The program of a model: formulas that give its answer and shares for every row.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> program = program_of(cw.ID3().learn(table))
    >>> program.steps[0].name, program.shares, program.regions[0]
    ('leaf', ('share_1', 'share_2'), 'IF Outlook = Overcast THEN Yes')
    """
    program = _program(model)
    needed = needed_steps(program.steps, program.outputs)
    return with_short_sums(replace(program, steps=needed))


def _program(model: Exportable) -> ModelProgram:
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
        case Scorecard():
            return program_of_card(model)
        case _:
            assert_never(model)
