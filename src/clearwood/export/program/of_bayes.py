"""Bayes tables as steps: what each column adds to the log of each class, and shares from their sums.

Of each cell the largest log is taken out first, as `predict/bayes.py` does. Where every class meets a
probability of 0, the classes with the fewest zeros are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

import numpy as np

from clearwood.errors import SettingError
from clearwood.export.program.deciding import decided_by_shares
from clearwood.export.program.formula import (
    ONE,
    ZERO,
    Absolute,
    CellNumber,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    Holds,
    Largest,
    LogOfBells,
    LogOfWords,
    Lookup,
    Minus,
    Multiplied,
    PlaceOfNumber,
    PlaceOfValue,
    StepFormula,
    Total,
)
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import IsMissing
from clearwood.predict.bayes_terms import (
    ROUNDING,
    BayesTerm,
    Bell,
    ByValue,
    Hills,
    Presence,
    Times,
    apart,
    log_priors,
    terms_of,
)
from clearwood.predict.words import ByWord
from clearwood.table.attributes import Nominal, Ordinal


def program_of_bayes(model: BayesTables) -> ModelProgram:
    """The program of Bayes tables. A class whose prior is 0 has share 0."""
    classes = model.schema.classes
    terms = terms_of(model)
    priors = log_priors(model).tolist()
    if (because := refusal_of_bayes(model)) is not None:
        raise SettingError(because)
    open_classes = [c for c, prior in enumerate(priors) if prior > -math.inf]
    steps: list[ProgramStep] = []
    added: dict[int, list[StepFormula]] = {c: [Constant(priors[c])] for c in open_classes}
    for number, term in enumerate(terms, 1):
        steps += _added(model, term, number, open_classes, added)
    joint = [f"log_{c + 1}" for c in open_classes]
    steps += [
        ProgramStep(name, Total(tuple(added[c])), f"of {classes[c]}")
        for name, c in zip(joint, open_classes, strict=True)
    ]
    steps.append(ProgramStep("most", Largest(tuple(Earlier(each) for each in joint))))
    # Classes that only rounding sets apart are equal.
    reach = Multiplied((Constant(ROUNDING), Total((ONE, Absolute(Earlier("most"))))))
    steps.append(ProgramStep("level", Minus(Earlier("most"), reach)))
    raised = []
    for c, name in enumerate(classes):
        power: StepFormula = ZERO
        if c in added:
            own = Earlier(f"log_{c + 1}")
            as_much = Compare(own, ">=", Earlier("level"))
            power = Choose((ChoiceCase(as_much, ONE),), ExpOf(Minus(own, Earlier("most"))))
        raised.append(ProgramStep(f"raised_{c + 1}", power, f"of {name}"))
    total = ProgramStep("raised", Total(tuple(Earlier(step.name) for step in raised)))
    shares = [
        ProgramStep(f"share_{c}", Divided(Earlier(step.name), Earlier("raised")), step.about)
        for c, step in enumerate(raised, 1)
    ]
    rest = decided_by_shares([step.name for step in shares], model.decision, classes)
    steps += [*raised, total, *shares, *rest.steps]
    return ModelProgram(inputs_of(model), tuple(steps), rest.answer, classes, rest.shares)


def refusal_of_bayes(model: BayesTables) -> str | None:
    """Why there is no program of them: a cell makes a class impossible. None: there is one."""
    alive = np.flatnonzero(log_priors(model) > -math.inf)
    for term in terms_of(model):
        tables = {
            ByValue: ("logs", "unseen"),
            Times: ("logs",),
            Presence: ("present", "absent"),
        }.get(type(term), ())
        for table in tables:
            if np.isneginf(np.atleast_2d(getattr(term, table))[:, alive]).any():
                return (
                    f"In the column '{term.name}' a value never occurs with a class, and nothing smooths its "
                    "count of 0. Learn with smoothing, as in NaiveBayes(smoothing='laplace'), to export it."
                )
    return None


def _added(
    model: BayesTables,
    term: BayesTerm,
    number: int,
    alive: Sequence[int],
    added: dict[int, list[StepFormula]],
) -> list[ProgramStep]:
    """The steps of a column; what it adds is put to each class's terms."""
    name = term.name
    missing = Holds(IsMissing(name))
    match term:
        case ByValue(_, logs, unseen, _, cuts):
            # Taken out of each cell is the largest of all classes; those without a prior have none to give.
            rows = apart(np.vstack([logs, np.zeros_like(unseen), unseen])[:, list(alive)])
            at = f"place_{number}"
            attribute = model.schema[name]
            place: StepFormula
            if cuts is not None:
                place = PlaceOfNumber(name, cuts, missing=len(cuts) + 1)
            else:
                assert isinstance(attribute, Nominal | Ordinal)
                values = attribute.values
                place = PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
            for c, column in zip(alive, rows.T.tolist(), strict=True):
                added[c].append(Lookup(tuple(column), at))
            return [ProgramStep(at, place, f"of {name}", whole=True)]
        case Bell(_, constants, means, precisions):
            heights: dict[int, StepFormula] = {}
            for c in alive:
                away = Minus(CellNumber(name), Constant(float(means[c])))
                fall = Multiplied((away, away, Constant(float(precisions[c]))))
                heights[c] = Minus(Constant(float(constants[c])), fall)
            return _levelled(number, missing, heights, added)
        case Hills(_, points, shares, widths):
            heights = {
                c: LogOfBells(name, tuple(points[c].tolist()), tuple(shares[c].tolist()), widths[c])
                for c in alive
            }
            return _levelled(number, missing, heights, added)
        case Times(_, logs, _):
            own = apart(logs[list(alive)])
            counted = Compare(CellNumber(name), ">", ZERO)
            for c, log in zip(alive, own.tolist(), strict=True):
                times = Choose((ChoiceCase(counted, Multiplied((CellNumber(name), Constant(log)))),), ZERO)
                added[c].append(Choose((ChoiceCase(missing, ZERO),), times))
            return []
        case Presence(_, present, absent, _):
            there, not_there = apart(present[list(alive)]), apart(absent[list(alive)])
            met = Compare(CellNumber(name), ">", ZERO)
            for c, yes, no in zip(alive, there.tolist(), not_there.tolist(), strict=True):
                known = Choose((ChoiceCase(met, Constant(yes)),), Constant(no))
                added[c].append(Choose((ChoiceCase(missing, ZERO),), known))
            return []
        case ByWord(_, words, word_logs, base, once, reading):
            heights = {
                c: LogOfWords(name, words, tuple(word_logs[:, c].tolist()), float(base[c]), once, reading)
                for c in alive
            }
            return _levelled(number, missing, heights, added)
        case _:
            assert_never(term)


def _levelled(
    number: int, missing: Holds, heights: dict[int, StepFormula], added: dict[int, list[StepFormula]]
) -> list[ProgramStep]:
    """Logs less the largest of them; an empty cell adds nothing."""
    steps = [
        ProgramStep(f"height_{number}_{c + 1}", Choose((ChoiceCase(missing, ZERO),), height))
        for c, height in heights.items()
    ]
    top = f"top_{number}"
    steps.append(ProgramStep(top, Largest(tuple(Earlier(step.name) for step in steps))))
    for c in heights:
        added[c].append(Minus(Earlier(f"height_{number}_{c + 1}"), Earlier(top)))
    return steps
