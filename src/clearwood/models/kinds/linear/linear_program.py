"""A linear model as data: what each column adds to each log-odds, and as steps, their sums and the shares."""

from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.models.account.account import Account, Places, Slope, added_steps, side_of
from clearwood.models.kinds.bayes.bayes_terms import log_of
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.kinds.linear.linear_model import (
    LinearModel,
    MissingTerm,
    NumberTerm,
    ValueTerm,
    values_with_a_place,
)
from clearwood.models.model import kept
from clearwood.models.program.deciding import decided_by_shares, place_of_largest, shares_of_powers
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.space.space_of import inputs_used
from clearwood.table.attributes import Nominal, Ordinal


def program_of_linear(model: LinearModel) -> ModelProgram:
    """The program of a linear model. Without costs the class of the largest score answers."""
    classes = model.schema.classes
    steps, added = added_steps(account_of_linear(model), called="value", about="the place of")
    scores = [f"score_{c}" for c in range(1, len(model.contrasts) + 1)]
    steps += [
        ProgramStep(name, f.Sum(terms), f"log odds of {contrast}")
        for name, terms, contrast in zip(scores, added, model.contrasts, strict=True)
    ]
    by_class = dict(zip(model.contrasts, scores, strict=True))
    if model.against is not None:
        steps.append(ProgramStep("score_0", f.ZERO, f"of {model.against}, to which the others are compared"))
        by_class[model.against] = "score_0"
    highest = f.Earlier("highest")
    steps.append(ProgramStep("highest", f.Extreme("max", f.earlier(by_class.values()))))
    factors = model.decision.factors or (1.0,) * len(classes)
    powers: list[f.Expression] = []
    for name, factor in zip(classes, factors, strict=True):
        if name in by_class:
            power = f.Exp(f.Earlier(by_class[name]) - highest)
            powers.append(power if factor == 1 else factor * power)
        else:
            powers.append(f.ZERO)
    steps += shares_of_powers(powers, classes)
    starts = log_of(np.array(factors)).tolist()
    own = [c for c, name in enumerate(classes) if name in by_class]
    for c in own:
        score = f.Earlier(by_class[classes[c]])
        steps.append(ProgramStep(f"own_{c + 1}", score + starts[c] if starts[c] else score))
    place = ProgramStep("largest", place_of_largest([f"own_{c + 1}" for c in own]), whole=True)
    rest = decided_by_shares(
        [f"share_{c}" for c in range(1, len(classes) + 1)],
        model.decision,
        classes,
        plainly=f.Lookup(tuple(map(float, own)), "largest"),
    )
    return ModelProgram(inputs_used(model), (*steps, place, *rest.steps), rest.answer, classes, rest.shares)


# The account: what each column adds.


@kept
def account_of_linear(model: LinearModel) -> Account:
    """A class without weights adds nothing; it begins at 0 if the others are compared with it, else it cannot
    be."""
    classes = model.schema.classes
    scored = tuple(map(classes.index, model.contrasts))

    def by_class(by_contrast: Sequence[float] | Floats) -> Floats:
        amounts = np.zeros(len(classes))
        amounts[list(scored)] = by_contrast
        return amounts

    start = by_class(model.intercepts)
    start[[name not in (*model.contrasts, model.against) for name in classes]] = -np.inf
    weights = {
        term: by_class([row[place] for row in model.weights]) for place, term in enumerate(model.terms)
    }
    averages = {name: by_class(row) for name, row in model.averages.items()}
    nothing = np.zeros(len(classes))
    terms: list[Places | Slope] = []
    tried: dict[str, Sequence[str | float]] = {}
    for attribute in inputs_used(model):
        name = attribute.name
        gap = MissingTerm(name)
        if isinstance(attribute, Nominal | Ordinal):
            # A cell without a term of its own adds the column's average or, of a model without averages, what
            # the value does that fills the column.
            tried[name] = values_with_a_place(model, attribute)
            own = frozenset(tried[name])
            usual = ValueTerm(name, str(model.fills[name]))
            other = averages[name] if name in averages else weights.get(usual, nothing)
            added = [
                weights.get(ValueTerm(name, value), nothing) if value in own else other
                for value in attribute.values
            ]
            added += [weights.get(gap, nothing) if gap in weights or gap in model.dependent else other, other]
            terms.append(Places((side_of(model.schema, name),), np.array(added)))
        else:
            tried[name] = _ends(model, name)
            slope = weights.get(NumberTerm(name), nothing)
            terms.append(Slope(name, slope, float(model.fills[name]), weights.get(gap, nothing)))
    return Account(start, tuple(terms), scored, averages, tried)


def _ends(model: LinearModel, name: str) -> Sequence[float]:
    """The least and the greatest number of a column; none if nobody knows."""
    known = model.profile.columns.get(name) if model.profile else None
    if not isinstance(known, NumbersProfile) or not known.quantiles:
        return ()
    return known.quantiles[0], known.quantiles[-1]
