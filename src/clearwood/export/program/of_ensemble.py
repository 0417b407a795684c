"""An ensemble as steps: what each member says, added up, and the link or the mean of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.errors import SettingError
from clearwood.export.program.deciding import decided_by_shares, place_of_largest
from clearwood.export.program.formula import (
    ChoiceCase,
    Choose,
    Constant,
    Divided,
    Earlier,
    Lookup,
    StepFormula,
    Total,
)
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.linking import linked_steps
from clearwood.export.program.of_members import parts_of_members, program_of_members
from clearwood.export.program.of_tree import Leaves, leaves_of
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.models.ensemble import Ensemble
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_shares, node_values

MOST_NODES: Final = 60_000  # some 10 MB of text
MOST_PARTS: Final = 4 * MOST_NODES  # of other members: a node is a test, its limit, where it leads


def program_of_ensemble(ensemble: Ensemble) -> ModelProgram:
    """The program of an ensemble: its trees leaf by leaf, members of other kinds each by its program."""
    if (because := refusal_of_ensemble(ensemble)) is not None:
        raise SettingError(because)
    if ensemble.trees is None:
        return program_of_members(ensemble)
    steps: list[ProgramStep] = []
    added: list[list[StepFormula]] = [[] for _ in range(_scores(ensemble))]
    for number, member in enumerate(ensemble.members, 1):
        assert isinstance(member, Tree)
        way = leaves_of(member, before=f"tree_{number}_")
        steps += way.steps
        weight = ensemble.weight(number - 1)
        if ensemble.combined_by == "sum" or ensemble.is_numeric:
            values = (node_values(member)[list(way.nodes)] * weight).tolist()
            score = int(ensemble.trees.adds_to[number - 1]) if ensemble.combined_by == "sum" else 0
            added[score].append(_said(way, values))
        elif ensemble.combined_by == "votes":
            steps += _votes(member, way, number, weight, added)
        else:
            shares = node_shares(member)[list(way.nodes)] * weight
            for c, column in enumerate(shares.T.tolist()):
                added[c].append(_said(way, column))
    return _answered(ensemble, steps, added)


def refusal_of_ensemble(ensemble: Ensemble) -> str | None:
    """Why there is no program of it; None: there is one."""
    if ensemble.trees is not None:
        nodes = len(ensemble.trees.nodes)
        if nodes <= MOST_NODES:
            return None
        return (
            f"This ensemble has {nodes:,} nodes, more than a program should have ({MOST_NODES:,}). "
            "Learn fewer or shallower trees, or distil it to a tree: distil(model, table)."
        )
    parts = parts_of_members(ensemble)
    if parts <= MOST_PARTS:
        return None
    return (
        f"The members of this ensemble come to {parts:,} formulas and numbers, more than a program should "
        f"have ({MOST_PARTS:,}). Learn fewer or smaller members, or distil it to a tree: "
        "distil(model, table)."
    )


def _scores(ensemble: Ensemble) -> int:
    if ensemble.combined_by == "sum":
        return len(ensemble.base)
    return 1 if ensemble.is_numeric else len(ensemble.schema.classes)


def _said(way: Leaves, figures: list[float]) -> StepFormula:
    """What a member says of one score."""
    looked_up = Lookup(tuple(figures), way.leaf)
    return Choose((ChoiceCase(way.divided, way.mixed(figures)),), looked_up) if way.parts else looked_up


def _votes(
    member: Tree, way: Leaves, number: int, weight: float, added: list[list[StepFormula]]
) -> list[ProgramStep]:
    """A member's class has its weight as votes."""
    shares = node_shares(member)[list(way.nodes)]
    codes = tuple(map(float, shares.argmax(axis=1)))
    at = f"tree_{number}_class"
    steps: list[ProgramStep] = []
    chosen: StepFormula = Lookup(codes, way.leaf)
    if way.parts:
        mixed = [
            ProgramStep(f"tree_{number}_mixed_{c}", way.mixed(column), when=way.divided)
            for c, column in enumerate(shares.T.tolist(), 1)
        ]
        steps += mixed
        chosen = Choose((ChoiceCase(way.divided, place_of_largest([step.name for step in mixed])),), chosen)
    steps.append(ProgramStep(at, chosen, whole=True))
    for c, column in enumerate(np.eye(shares.shape[1]) * weight):
        added[c].append(Lookup(tuple(column.tolist()), at))
    return steps


def _answered(ensemble: Ensemble, steps: list[ProgramStep], added: list[list[StepFormula]]) -> ModelProgram:
    scores = []
    for c, terms in enumerate(added, 1):
        steps.append(ProgramStep(f"sum_{c}", Total(tuple(terms)) if terms else Constant(0.0)))
        total: StepFormula
        if ensemble.combined_by == "sum":
            total = Total((Earlier(f"sum_{c}"), Constant(ensemble.base[c - 1])))
        else:
            weights = np.array(ensemble.weights or [1.0] * ensemble.size)
            total = Divided(Earlier(f"sum_{c}"), Constant(float(weights.sum())))
        steps.append(ProgramStep(f"score_{c}", total))
        scores.append(f"score_{c}")
    answers = tuple(scores)
    if ensemble.combined_by == "sum":
        link, answers = linked_steps(scores, ensemble.link, ensemble.decision)
        steps += link
    if ensemble.is_numeric:
        return ModelProgram(inputs_of(ensemble), tuple(steps), answers[0])
    classes = ensemble.schema.classes
    rest = decided_by_shares(answers, ensemble.decision, classes)
    return ModelProgram(inputs_of(ensemble), (*steps, *rest.steps), rest.answer, classes, rest.shares)
