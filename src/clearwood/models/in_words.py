"""In words: what else than the largest share makes a model's answers, and what was done to it since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from clearwood.formulas.conditions import Condition, OneOf, all_of
from clearwood.models import lineage
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.lineage import LearnerAsData, Origin, Plain
from clearwood.models.model import Model, balanced_words
from clearwood.records import dataclass
from clearwood.table.schema import WeightsAre
from clearwood.words.numbers import brief, many, number, part_of

# A decision in words.

_MOST: Final = 12  # costs or factors that are named; how many more there are is counted


def decision_words(model: Model) -> list[str]:
    """A sentence for each part of the model's decision, in their order; none for a plain one.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> decision_words(cw.CART(costs={("No", "Yes"): 5, ("Yes", "No"): 1}).learn(table))
    ['Predicts by the costs of mistakes: No predicted as Yes 5, Yes predicted as No 1.']
    """
    classes, decision = model.schema.classes, model.decision
    priors = [] if isinstance(model, BayesTables) else _of_priors(decision, classes)  # it prints its own
    shares = _of_shares(decision, classes)
    answers = _of_answers(decision, classes, _costs_are(model))
    return [*balanced_words(model), *priors, *shares, *answers]


def _of_priors(decision: Decision, classes: Sequence[str]) -> Iterator[str]:
    if decision.factors:
        named = [f"{name} × {factor:.4g}" for name, factor in zip(classes, decision.factors, strict=True)]
        yield f"Probabilities are weighted by priors: {_cut(named)}."


def _of_shares(decision: Decision, classes: Sequence[str]) -> Iterator[str]:
    if decision.calibration is not None:
        yield f"Probabilities are calibrated {_curve(decision.calibration)}."
    if decision.prevalence:
        now, then = _listed(classes, decision.prevalence), _listed(classes, decision.trained_at)
        yield f"Probabilities are moved to the prevalence {now}; in training it was {then}."


def _of_answers(decision: Decision, classes: Sequence[str], costs_are: str) -> Iterator[str]:
    if decision.refer is not None:
        yield f"Refers rows whose largest probability is below {number(decision.refer)}."
    if decision.cutoff is not None:
        reached = f"Predicts {decision.cutoff.positive} from a probability of {number(decision.cutoff.at)} on"
        costs = decision.cutoff.costs
        yield (
            f"{reached}, chosen by the costs of mistakes: {costs_in_words(costs, classes)}."
            if costs
            else f"{reached}."
        )
    if decision.costs:
        yield f"{costs_are}: {costs_in_words(decision.costs, classes)}."


def costs_in_words(costs: Sequence[Sequence[float]], classes: Sequence[str]) -> str:
    """What each mistake costs; of two classes both, the one that costs nothing too.

    >>> costs_in_words(((0, 5), (1, 0)), ("bad", "good"))
    'bad predicted as good 5, good predicted as bad 1'
    """
    return _cut(
        [
            f"{true} predicted as {called} {number(cost)}"
            for true, row in zip(classes, costs, strict=True)
            for called, cost in zip(classes, row, strict=True)
            if cost or (true != called and len(classes) == 2)
        ]
    )


def _cut(named: Sequence[str]) -> str:
    more = len(named) - _MOST
    return ", ".join(named[:_MOST]) + (f", and {more:,} more" if more > 0 else "")


def _costs_are(model: Model) -> str:
    """Where the first rule that holds answers, costs had their say in learning alone."""
    ordered = isinstance(model, RuleList) and model.matching == "first"
    return "Learned with costs of mistakes" if ordered else "Predicts by the costs of mistakes"


def _curve(calibration: Calibrator) -> str:
    match calibration:
        case Platt():
            return "by Platt's curve"
        case Isotonic():
            return "by steps that rise with them"
        case _:
            assert_never(calibration)


def _listed(classes: Sequence[str], parts: Sequence[float]) -> str:
    return ", ".join(f"{name} {part:.4g}" for name, part in zip(classes, parts, strict=True))


# Weights in words: what the weights were of the rows that a model was learned from.


_WORDS: Final[dict[WeightsAre, str]] = {
    "counts": "weights that count equal rows",
    "sampling": "sampling weights",
    "importance": "importance weights",
}
_SCALES: Final[dict[WeightsAre, str]] = {
    "counts": "a row of weight w counts as w rows",
    "sampling": "they add up to Kish's effective number of rows, (Σw)² ÷ Σw²",
    "importance": "they add up to the number of rows",
}


def with_weights(origin: Origin) -> str:
    """What follows the number of rows, or a title; nothing where rows had no weights.

    >>> with_weights(Origin("C45", weights_are="sampling")), with_weights(Origin("C45"))
    (', with sampling weights', '')
    """
    return "" if origin.weights_are is None else f", with {_WORDS[origin.weights_are]}"


def weights_in_full(weights_are: WeightsAre) -> str:
    """The meaning with its scale.

    >>> weights_in_full("importance")
    'importance weights: they add up to the number of rows'
    """
    return f"{_WORDS[weights_are]}: {_SCALES[weights_are]}"


# A condition on many values in few words: the first of them by name, the rest counted.


def shortened(condition: Condition, most: int) -> Condition:
    """The condition with at most so many values named, the rest counted.

    >>> print(shortened(OneOf("Port", ("Cork", "Oslo", "Riga", "Pisa")), 3))
    Port in {Cork, Oslo, … 2 more}
    """
    if isinstance(condition, OneOf) and len(condition.values) > most:
        rest = len(condition.values) - most + 1
        named = (*condition.values[: most - 1], f"… {rest} more")
        return OneOf(condition.name, named, condition.or_missing)
    return condition


def all_of_shortened(conditions: Sequence[Condition], most: int) -> str:
    """The conditions joined by AND, each of them shortened."""
    return all_of([shortened(each, most) for each in conditions])


# Lineage in words: what was done to a model after it was learned, one line for each entry.

_METHODS: Final = {"platt": "Platt's curve", "isotonic": "isotonic steps"}


def lineage_lines(after: Sequence[lineage.Done]) -> list[str]:
    """A lineage in sentences: how learning ended, if before its time, and what was done after it.

    >>> lineage_lines([lineage.EndedEarly(37, 100, "tree", "interrupted"), lineage.AsWeights()])
    ['Learning was interrupted after 37 of 100 trees.', 'After learning: written as weights.']
    """
    by_time = lineage_by_time(after)
    imported = [done for done in by_time.after if isinstance(done, lineage.Imported)]
    lines = [f"{text[0].upper()}{text[1:]}." for text in map(in_words, (*by_time.before, *imported))]
    lines += [f"L{_ended(done)[1:]}." for done in by_time.ended]
    rest = "; ".join(in_words(done) for done in by_time.after if done not in imported)
    return [*lines, f"After learning: {rest}."] if rest else lines


@dataclass(frozen=True, slots=True)
class LineageByTime:
    """The entries of a lineage: what came before learning, how learning ended, what was done after it."""

    before: tuple[lineage.Done, ...]
    ended: tuple[lineage.EndedEarly, ...]
    after: tuple[lineage.Done, ...]


def lineage_by_time(done: Sequence[lineage.Done]) -> LineageByTime:
    """A lineage keeps everything in the order in which it was done; this says when that was."""
    before = tuple(
        each
        for each in done
        if isinstance(each, lineage.Selected | lineage.Balanced | lineage.Tuned | lineage.Chosen)
    )
    ended = tuple(each for each in done if isinstance(each, lineage.EndedEarly))
    kinds = lineage.Selected | lineage.Balanced | lineage.Tuned | lineage.Chosen | lineage.EndedEarly
    return LineageByTime(before, ended, tuple(each for each in done if not isinstance(each, kinds)))


def in_words(done: lineage.Done) -> str:
    """An entry of a lineage as part of a sentence.

    >>> in_words(lineage.Pruned("chi-square", {"alpha": 0.01}, 8, 5))
    'pruned by chi-square (alpha = 0.01), 8 nodes → 5'
    >>> in_words(lineage.Edited("move", (3,), to=1))
    'rule 3 moved to place 1'
    """
    match done:
        case lineage.Selected(by, columns, of):
            return f"{part_of(len(columns), of, 'column')} selected by {by}{_settings(done.settings)}"
        case lineage.Balanced(by):
            return f"training rows balanced by {by}{_settings(done.settings)}"
        case lineage.Tuned(settings, tried, by):
            chosen = "the simplest within one standard error of the best" if done.simplest else "the best"
            return f"settings tuned by {by}{_settings(settings)}, {chosen} of {tried:,} tried"
        case lineage.Chosen(among, by, simplest):
            chosen = "the simplest within one standard error of the best" if simplest else "the best"
            return f"chosen by {by}, {chosen} of {many(len(among), 'contender')}"
        case lineage.Pruned():
            fresh = " on rows given for it, taken to be new to the tree" if done.rows == "fresh" else ""
            how = f"pruned by {done.pruner}{_settings(done.settings)}{fresh}"
            return f"{how}, {many(done.nodes_before, 'node')} → {done.nodes_after:,}"
        case lineage.ReadAsRules():
            return "its leaves read as rules"
        case lineage.Simplified():
            rules = f"{many(done.rules_before, 'rule')} → {done.rules_after:,}"
            conditions = f"{many(done.conditions_before, 'condition')} → {done.conditions_after:,}"
            return f"simplified, {rules}, {conditions}"
        case lineage.Edited():
            return _edited(done)
        case lineage.CurveEdited():
            return _curve_edited(done)
        case lineage.Joined(other):
            return f"joined with {other.title}"
        case lineage.Distilled(of, fidelity):
            shares = "the probabilities of " if done.by == "shares" else ""
            pruned = "" if done.alpha is None else f", and pruned at {brief(done.alpha)} a leaf"
            aim = "" if done.quantile is None else f", whose {_quantiles(done.quantile)} it imitates"
            return f"distilled from {shares}{of.title}{aim}, with a fidelity of {fidelity:.3f}{pruned}"
        case lineage.Imported(program, version, called):
            return f"imported from {' '.join(filter(None, (program, version, called)))}"
        case lineage.EndedEarly():
            return _ended(done)
        case lineage.LearnedMore():
            return _learned_more(done)
        case lineage.AsWeights():
            return "written as weights"
        case lineage.Calibrated():
            return _calibrated(done)
        case lineage.Decided(what, how):
            named = "limit for referring rows" if what == "refer" else what
            return f"{named} set{f' {how}' if how else ''}{_chosen_by(done)}"
        case _:
            assert_never(done)


def _ended(done: lineage.EndedEarly) -> str:
    of = part_of(done.done, done.of, done.unit)
    match done.because:
        case "interrupted":
            return f"learning was interrupted after {of}"
        case "no error":
            return f"learning ended after {of}: the last makes no error, so that no row would weigh more"
        case "chance":
            return f"learning ended after {of}: the next was no better than chance by the rows' weights"
        case "beyond numbers":
            return f"learning ended after {of}: the weights of the rows grew beyond numbers"
        case "no step":
            allowed = "no split that the settings allow (min_child and others)"
            return f"learning ended after {of}: {allowed} lowers the loss any more"
        case _:
            assert_never(done.because)


def _quantiles(quantile: float) -> str:
    return "medians" if quantile == 0.5 else f"{quantile:g} quantiles"


def _learned_more(done: lineage.LearnedMore) -> str:
    if done.rounds is None:
        return f"learned from {done.rows:,} more rows"
    on = f"on {many(done.rows, 'other row')}" if done.rows else "on the same rows"
    if not done.rounds:
        return f"no round added {on}: none lowered the held-out loss"
    return f"{many(done.rounds, 'round')} added {on}"


def _calibrated(done: lineage.Calibrated) -> str:
    text = f"calibrated by {_METHODS.get(done.method, done.method)}{_chosen_by(done)}"
    scores = [("log loss", done.log_loss), ("Brier score", done.brier)]
    named = [f"{name} {pair[0]:.4f} → {pair[1]:.4f}" for name, pair in scores if pair is not None]
    return f"{text}, {', '.join(named)} on rows it was not fitted to" if named else text


def _chosen_by(done: lineage.Calibrated | lineage.Decided) -> str:
    """Which rows chose it."""
    match done.by:
        case "none":
            return ""
        case "training":
            return " in folds of the training rows"
        case "fresh":
            return f" on {many(done.rows, 'row')} given for it" if done.rows else ""
        case _:
            assert_never(done.by)


def _edited(done: lineage.Edited) -> str:
    rules = f"rule{'' if len(done.rules) == 1 else 's'} {', '.join(map(str, done.rules))}"
    match done.edit:
        case "add":
            return f"rule {done.to} added: {done.text}"
        case "change":
            return f"{rules} changed to {done.text}"
        case "delete":
            return f"{rules} deleted"
        case "move":
            return f"{rules} moved to place {done.to}"
        case "otherwise":
            return f"default set to {done.text}"
        case "recount":
            return "counted again"
        case _:
            assert_never(done.edit)


def _curve_edited(done: lineage.CurveEdited) -> str:
    name = " × ".join(done.columns)
    match done.edit:
        case "monotone":
            direction, comma, whose = done.how.partition(",")
            return f"the curve of {name} made to go {direction} only{comma}{whose}"
        case "flatten":
            return f"the curve of {name} made level, {done.how}"
        case "smooth":
            return f"the curve of {name} smoothed {done.how}"
        case "set":
            return f"points of {name} set, {done.how}"
        case "drop":
            return f"{name} dropped {done.how}".rstrip()
        case _:
            assert_never(done.edit)


def _settings(settings: Mapping[str, Plain]) -> str:
    given = {name: value for name, value in settings.items() if value is not None}  # None is the default
    named = ", ".join(f"{name} = {_value(value)}" for name, value in given.items())
    return f" ({named})" if named else ""


def _value(value: Plain) -> str:
    if isinstance(value, LearnerAsData):
        return value.learner
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
