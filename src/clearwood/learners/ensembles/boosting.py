"""Gradient boosting: trees one after another, each a step down the loss that those before it have left."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools
from clearwood.bounds import Checked, Least, Whole, Within
from clearwood.counting.coding import ALL_MIDPOINTS, CodedColumns, Coding, codes_of, coding_of
from clearwood.errors import Advice, LearningError, SettingError, no_such
from clearwood.learners.directions import Directions, directions_of, with_directions
from clearwood.learners.ensembles.boosting_task import (
    LINK,
    SCORE,
    BoostingLoss,
    BoostingRound,
    BoostingTask,
    Rounds,
    boosting_rounds,
    held_loss,
    held_out,
)
from clearwood.learners.ensembles.members import MinValue
from clearwood.learners.training import (
    class_weights,
    decision_of,
    fingerprint,
    origin_of,
    refuse_where,
    usable_rows,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.lineage import LearnedMore
from clearwood.models.model import check_kind, refuse_balanced
from clearwood.models.predicted import predicted
from clearwood.predicting.staged import staged_scores
from clearwood.registry import CheckedSettings, Costs, Letter, OnlyWith, Priors, Proportion
from clearwood.table.attributes import Numeric
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table

Interactions: TypeAlias = Iterable[Iterable[str]] | None


def _interactions(name: str, value: Any) -> Any:
    groups = [] if isinstance(value, str | Mapping) or not isinstance(value, Sequence) else list(value)
    if not groups or any(
        isinstance(group, str)
        or not isinstance(group, Sequence)
        or not all(isinstance(c, str) for c in group)
        for group in groups
    ):
        raise SettingError(
            f"{name} must be lists of columns, as in [['age', 'sex'], ['age', 'hours']], not {value!r}."
        )
    return tuple(tuple(group) for group in groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting(CheckedSettings):
    """Newton's steps: every round grows a tree (with many classes one for each) that lowers the loss.

    A split gains G²/(H + l2) of its two sides less that of the whole, where G and H are the sums of the
    loss's first and second derivatives; a leaf adds −rate · G/(H + l2) to the scores of its rows. Derivatives
    are rounded to whole units before they are added, so that threads do not change a model. Numbers are cut
    at `bins` quantiles made once, or with "exact" between any two neighbours. Nominal columns are split into
    two groups of values; missing cells follow the branch that gains more, and values of fewer than
    `min_value` rows with them.

    `early_stopping` holds a part of the rows out and keeps the rounds after which their loss was least.
    (Friedman 2001; Chen and Guestrin 2016; Ke et al. 2017.)

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> model = Boosting(trees=20, min_child=0).learn(table)
    >>> model.size, round(model.curves[0].values[0], 4), round(model.curves[0].values[-1], 4)
    (20, 0.6128, 0.244)
    """

    learns_numbers: ClassVar[bool] = True

    loss: Annotated[
        Literal["auto", "logistic", "softmax", "squared", "absolute", "quantile", "poisson"],
        "The loss to minimise; auto: the log loss of classes, squared error of numbers.",
    ] = "auto"
    trees: Annotated[int, Whole(1), "Rounds: trees, or with softmax trees for each class."] = 100
    rate: Annotated[Proportion, Letter("ν"), "Part of each step that is taken."] = 0.1
    max_depth: Annotated[int | None, Whole(1), "Most splits on a path; none: no limit."] = 6
    leaves: Annotated[
        int | None, Whole(2), "Most leaves of a tree, the best split first; none: level by level."
    ] = None
    min_child: Annotated[float, Least(0), "Least sum of second derivatives in a branch."] = 1.0
    l2: Annotated[float, Least(0), Letter("λ"), "Penalty on the squares of leaves' steps."] = 1.0
    l1: Annotated[float, Least(0), Letter("λ₁"), "Penalty on the absolute values of leaves' steps."] = 0.0
    gamma: Annotated[float, Least(0), "Splits that gain less are cut once a tree is grown."] = 0.0
    min_value: MinValue = 10.0
    bins: Annotated[
        int | Literal["exact"], Whole(1, 65534), "Most cuts of a numeric column; exact: all midpoints."
    ] = 254
    rows: Annotated[Proportion, "Part of the rows that a round sees."] = 1.0
    columns: Annotated[Proportion, "Part of the columns that a tree sees."] = 1.0
    early_stopping: Annotated[
        float | None,
        Within(0, 1),
        "Part of the rows held out to choose the number of rounds; none: no stopping.",
    ] = None
    patience: Annotated[
        int,
        Whole(1),
        OnlyWith("early_stopping"),
        "With early_stopping: rounds without a lower held-out loss before stopping.",
    ] = 10
    quantile: Annotated[
        float, Within(0, 1), OnlyWith("loss", ("quantile",)), "With loss=quantile: which one is learned."
    ] = 0.5
    monotone: Directions = None
    interactions: Annotated[
        Interactions, Checked(_interactions), "Lists of columns; only those of one list meet on a path."
    ] = None
    seed: Annotated[
        int,
        Whole(0),
        OnlyWith("rows", harmless=True),
        OnlyWith("columns", harmless=True),
        OnlyWith("early_stopping", harmless=True),
        "The seed of random choices: rows, columns, rows held out.",
    ] = 0
    priors: Priors = None
    costs: Costs = None

    def learn(self, table: Table) -> Ensemble:
        return self.learn_by(table, None)

    def learn_by(self, table: Table, by: BoostingRound | None) -> Ensemble:
        """The same by a definition of rounds instead of native code."""
        self = with_directions(self, table)  # every class is named from here on
        rows, task = self.task(table)
        base = task.base()
        scores = np.repeat(np.array(base)[:, None], len(rows), axis=1)
        rounds = boosting_rounds(task, scores, by=by)
        trees = joined_trees(rounds.trees, "step", adds_to=_adds_to(task, rounds), score_names=("gain",))
        return Ensemble(
            schema=rows.schema,
            trees=trees,
            combined_by="sum",
            base=base,
            link=LINK[task.loss],
            curves=_curves(task, rounds, (), ()),
            decision=decision_of(rows.schema, class_weights(rows), self.priors, self.costs),
            origin=origin_of(self, table).then(*rounds.ended),
            quantile=task.part if task.loss in ("absolute", "quantile") else None,
        )

    def learn_more(self, model: Ensemble, table: Table) -> Ensemble:
        """So many rounds more (`trees`), from where the model's own have led on these rows.

        With `early_stopping` only those are kept that lower the held-out loss below what it is without them;
        that may be none. The lineage says how many were added.
        """
        check_kind("learn_more", model, Ensemble)
        rows, task = self.task(table)
        if model.trees is None or model.combined_by != "sum" or model.link != LINK[task.loss]:
            raise LearningError(
                f"This ensemble is no sum of steps under the link '{LINK[task.loss]}'. Boosting adds rounds "
                "to what Boosting learned with the same loss."
            )
        refuse_balanced(model.origin, "Adding rounds")
        aim = task.part if task.loss in ("absolute", "quantile") else None
        if aim != model.quantile:
            raise LearningError(
                f"This ensemble predicts {predicted(model)}, which these rounds would not. Boosting adds "
                "rounds to what Boosting learned with the same loss and quantile."
            )
        if model.schema != rows.schema:
            raise LearningError("The table's schema is not the model's. Read it with the model's schema.")
        first = len(model.trees) // task.scores
        kept = {curve.on: curve.values[:first] for curve in model.curves}
        losses, held_losses = kept.get("training rows", ()), kept.get("held-out rows", ())
        counted = task.held is None or len(held_losses) == first
        held_losses = held_losses if counted else ()
        for tree, scores in enumerate(staged_scores(model, rows)):
            if not counted and tree and tree % task.scores == 0:
                held_losses = (*held_losses, held_loss(task, scores))
        rounds = boosting_rounds(task, scores, first)
        added = [*model.trees, *rounds.trees]
        adds_to = [*model.trees.adds_to.tolist(), *_adds_to(task, rounds)]
        mark = fingerprint(table)
        learned = {done.fingerprint for done in model.origin.after if isinstance(done, LearnedMore)}
        known = mark in learned or mark == model.origin.fingerprint
        done = LearnedMore(0 if known else len(table), mark, rounds.kept)
        return replace(
            model,
            trees=joined_trees(added, "step", adds_to=adds_to, score_names=("gain",)),
            weights=(),
            curves=_curves(task, rounds, losses, held_losses),
            origin=model.origin.then(done, *rounds.ended),
        )

    def task(self, table: Table) -> tuple[Table, BoostingTask]:
        """The rows with weight and target, in the order of their content, and what is asked of them."""
        rows = in_order_of_content(usable_rows(self, table))
        loss = self._loss(rows)
        numeric = isinstance(rows.schema.target, Numeric)
        target = np.ascontiguousarray(rows.target, dtype=np.float64 if numeric else np.int32)
        weights = None if rows.weights is None or (rows.weights == 1).all() else rows.weights
        held = None if self.early_stopping is None else self._held(rows, target)
        coding = coding_of(
            rows if held is None else rows.take(~held), ALL_MIDPOINTS if self.bins == "exact" else self.bins
        )
        # A column without a single value has nothing to be asked about.
        codes = codes_of(rows, Coding(tuple(each for each in coding.columns if each.known)))
        scores = len(rows.schema.classes) if loss == "softmax" else 1
        signs, together = self._signs(rows, codes, loss), self._together(rows, codes)
        return rows, BoostingTask(self, codes, loss, target, weights, held, scores, signs, together)

    def _loss(self, rows: Table) -> BoostingLoss:
        numeric, classes = isinstance(rows.schema.target, Numeric), len(rows.schema.classes)
        if self.loss == "auto":
            return "squared" if numeric else "logistic" if classes == 2 else "softmax"
        if numeric == (self.loss in ("logistic", "softmax")):
            fit = "squared, absolute, quantile, poisson" if numeric else "logistic, softmax"
            what = "a number" if numeric else "a class"
            raise LearningError(
                f"The loss '{self.loss}' is not for a target that is {what}. Choose from: {fit}."
            )
        if self.loss == "logistic" and classes != 2:
            raise LearningError(
                f"The loss 'logistic' is for two classes, and the target has {classes}. Use ",
                Advice("loss", "softmax", setting=True),
                ".",
            )
        if self.loss == "poisson" and rows.schema.target is not None:
            why = "is below 0, and the loss 'poisson' is for counts. Use "
            advice = Advice("loss", "squared", setting=True)
            refuse_where(rows.target < 0, rows, rows.schema.target.name, why, advice, ".")
        return self.loss

    def _held(self, rows: Table, target: Any) -> Bools:
        assert self.early_stopping is not None
        held: Bools = held_out(rows, self.early_stopping, self.seed)
        if not held.any() or held.all():
            raise LearningError(
                f"early_stopping={self.early_stopping:g} of {len(rows):,} rows leaves "
                f"{'none to learn from' if held.any() else 'none held out'}. Use ",
                Advice("early_stopping", None, setting=True),
                ", or more rows.",
            )
        one_class = len(np.unique(target)) > len(np.unique(target[held])) == 1 and bool(rows.schema.classes)
        if held.sum() < 2 or one_class:
            what = "one row" if held.sum() < 2 else f"{held.sum():,} rows, all of one class"
            raise LearningError(
                f"early_stopping={self.early_stopping:g} of {len(rows):,} rows holds out {what}, too few to "
                "choose the number of rounds by. Use a larger part, more rows, or ",
                Advice("early_stopping", None, setting=True),
                ".",
            )
        return held

    def _signs(self, rows: Table, codes: CodedColumns, loss: BoostingLoss) -> tuple[int, ...]:
        signs = dict.fromkeys(codes.coding.positions, 0)
        for each in directions_of(self.monotone, rows):
            if loss == "softmax":
                raise LearningError(
                    "monotone: the loss 'softmax' keeps no order: a probability depends on all classes' "
                    "scores, and need not rise with its own. Use logistic, for two classes, or leave it out."
                )
            signs[rows.schema.positions[each.column]] = each.sign(rows.schema.classes[1] if each.of else "")
        return tuple(signs[place] for place in codes.coding.positions)

    def _together(self, rows: Table, codes: CodedColumns) -> tuple[tuple[int, ...], ...]:
        of_place = {place: column for column, place in enumerate(codes.coding.positions)}
        places = rows.schema.positions
        for name in (name for group in self.interactions or () for name in group):
            if name not in places:
                raise SettingError(f"interactions: {no_such('column', name, places)}")
        return tuple(
            tuple(of_place[places[name]] for name in group if places[name] in of_place)
            for group in self.interactions or ()
        )


def _adds_to(task: BoostingTask, rounds: Rounds) -> list[int]:
    return [tree % task.scores for tree in range(len(rounds.trees))]


def _curves(
    task: BoostingTask, rounds: Rounds, before: Sequence[float], held_before: Sequence[float]
) -> tuple[LearningCurve, ...]:
    score = SCORE[task.loss]
    best = None if task.held is None else len(before) + rounds.kept
    curves = [LearningCurve(score, "training rows", (*before, *rounds.losses), best)]
    if task.held is not None:
        curves.append(LearningCurve(score, "held-out rows", (*held_before, *rounds.held_losses), best))
    return tuple(curves)
