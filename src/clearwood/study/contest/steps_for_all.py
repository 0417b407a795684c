"""Steps for all: what is done to the rows before every learner learns, and to its model after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from clearwood.errors import SettingError
from clearwood.models.decision import Cutoff
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.study.contest.contenders import Contender
from clearwood.study.deciding.decided_anew import costs_of_mistakes, with_aim, with_costs
from clearwood.study.deciding.deciding_step import Deciding
from clearwood.study.recipe import Balance, Finishing, Preparation, Recipe, recipe_of
from clearwood.table.table import Table

_LEARNED_AGAIN: Final = 6  # models in place of one where folds of the training rows choose a decision


@dataclass(frozen=True, slots=True, eq=False)
class StepsForAll:
    """Preparations, made for each learner (some try columns with it), and finishings, the same for all.

    >>> import clearwood as cw
    >>> steps = StepsForAll(lambda learner: (cw.Balance("over"),))
    >>> steps.around(cw.C45()).before[0].by, steps.in_words(cw.C45())
    ('over', ['rows balanced by over'])
    """

    before: Callable[[Any], Sequence[Preparation]] = lambda _: ()
    after: tuple[Finishing, ...] = ()

    def around(self, learner: Any) -> Recipe:
        """The recipe of the learner with these steps beside its own."""
        recipe = recipe_of(learner)
        before = (*self.before(recipe.learner), *recipe.before)
        return replace(recipe, before=before, after=(*recipe.after, *self.after))

    def of_contender(self, contender: Contender) -> Contender:
        """A reference model stays as it is."""
        if contender.is_reference_model:
            return contender
        made = self.around(contender.learner)
        to_tune = None if contender.to_tune is None else self.around(contender.to_tune)
        again = _LEARNED_AGAIN if any(getattr(each, "by_rows", False) for each in self.after) else 1
        return replace(contender, learns=made, to_tune=to_tune, dearness=contender.dearness * again)

    def in_words(self, learner: Any) -> list[str]:
        """What is done, a phrase for each step."""
        return [phrase for each in (*self.before(learner), *self.after) for phrase in _phrases(each)]

    def check_classes(self, learner: Any) -> None:
        """Refuse for numbers what is for classes."""
        if any(isinstance(each, Balance | Deciding) for each in (*self.before(learner), *self.after)):
            raise SettingError(
                "Balancing, calibration, cutoffs and referring are for classes, but the target is a number."
            )


def with_steps(
    contenders: Iterable[Contender], steps: StepsForAll, *, numbers: bool
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """The contenders with these steps, and the sentences that say so."""
    made = tuple(contenders)
    first = next((recipe_of(each.learner).learner for each in made if not each.is_reference_model), None)
    phrases = [] if first is None else steps.in_words(first)
    if not phrases:
        return made, ()
    if numbers:
        steps.check_classes(first)
    notes = [f"Within every part, for each learner: {', '.join(phrases)}."]
    if unread := [each.name for each in made if each.is_reference_model]:
        notes.append(f"Reference models learn from the rows as they are: {', '.join(unread)}.")
    return tuple(map(steps.of_contender, made)), tuple(notes)


def _phrases(step: Any) -> list[str]:
    """
    >>> _phrases(Deciding(calibrate="platt", refer=0.8))
    ['probabilities calibrated by platt', 'rows in doubt referred']
    """
    if isinstance(step, Balance):
        return [f"rows balanced by {step.by}"]
    if isinstance(step, Deciding):
        asked = {
            f"probabilities calibrated by {step.calibrate}": step.calibrate is not None,
            "a cutoff set": step.cutoff is not None,
            "rows in doubt referred": step.refer is not None or step.accuracy is not None,
        }
        return [phrase for phrase, is_asked in asked.items() if is_asked]
    selects = getattr(step, "by", None)
    return [f"columns selected by {selects}" if selects else type(step).__name__]


# Deciding by the costs at stake, as a step of a recipe: every contender answers for the same costs.


@dataclass(frozen=True, slots=True)
class DecidingByCosts:
    """Answer with the class of least expected cost. Rules of which the first that holds answers name their
    classes themselves: of two classes a cutoff says the same, of more they stay as they are.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> rules = cw.Recipe(cw.RIPPER(), after=(DecidingByCosts({("No", "Yes"): 4}),)).learn(days)
    >>> rules.decision.cutoff
    Cutoff(positive='No', at=0.2, costs=((0.0, 4.0), (1.0, 0.0)))
    """

    costs: Mapping[tuple[str, str], float]
    by_rows: ClassVar = False  # no row has a part in it

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model with these costs for its decision."""
        del recipe, table
        if not isinstance(model, RuleList) or model.matching != "first":
            return with_costs(model, self.costs)
        classes = model.schema.classes
        if len(classes) != 2:
            return model
        costs = costs_of_mistakes(model, self.costs)
        alarm, missed = costs[1][0] - costs[1][1], costs[0][1] - costs[0][0]
        if not (alarm > 0 and missed > 0):
            return model  # one class is never the dearer mistake: there is no cutoff between them
        cutoff = Cutoff(classes[0], alarm / (alarm + missed), costs)
        return with_aim(model, cutoff, None, by="none")


def deciding_by(costs: Mapping[tuple[str, str], float] | None, learner: Any) -> Any:
    """The learner as it is without costs, or with its own; else the recipe that decides by these."""
    recipe = learner if isinstance(learner, Recipe) else Recipe(learner)
    if costs is None or getattr(recipe.learner, "costs", None):
        return learner
    return replace(recipe, after=(*recipe.after, DecidingByCosts(costs)))
