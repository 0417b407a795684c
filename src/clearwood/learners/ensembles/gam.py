"""GAM: one curve per column, and tables of a few pairs, found by boosting one column at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from clearwood.bounds import Whole, Within
from clearwood.learners.class_order import classes_in_turn
from clearwood.learners.directions import Directions, directions_of, with_directions
from clearwood.learners.ensembles.gam_learning import NATIVE, learn_curves
from clearwood.learners.training import class_weights, decision_of, origin_of, usable_rows
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.table import Table

_MOST_BAGS: Final = 14
_LEAST_BAGS: Final = 5
_DRAWN_IN_ALL: Final = 14 * 50_000
_ROWS_FOR_A_PAIR: Final = 200
_MOST_PAIRS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GAM:
    """A generalised additive model by cyclic boosting (Lou, Caruana and others 2012, 2013; as EBM has it).

    Each of `bags` bags draws as many rows as there are, with replacement. Round after round, each column in
    turn is moved by a tree of at most `leaves` leaves on that column alone, by `rate` of Newton's step less
    the part that chance alone would gain, and all the steps of a column add up to its curve. In the first
    `smoothing` rounds the cuts of columns in order fall by chance, which keeps the curves smooth where the
    rows say little; then the best cuts are sought. Each row is evaluated by the mean of the bags that did not
    draw it: learning ends when their loss has not fallen for `patience` rounds, or by less than a
    ten-thousandth once the best cuts are sought, and the best round is kept.
    The curves are the mean over the bags, and their spread over the bags is their standard error. Then the
    best `pairs` pairs of columns, by what four quadrants explain of the residuals (FAST), get tables in the
    same way, if that lowers the loss of the rows not drawn; everything that one column says alone is taken
    out of them.

    A number has at most `bins` intervals; an empty cell has points of its own; a value that no row had gets
    the points of the average row. Nominal values are put in order, anew in each step, by their slopes. Two
    classes have one curve per column (log odds of the second), more have one each, centred over the classes.

    `monotone` {"duration": "up:bad"} keeps a column's curve from turning: leaves of a step that would go the
    other way are pooled with their neighbours, and the column is in no pair. Its empty cells are free.
    """

    learns_numbers: ClassVar[bool] = True

    pairs: Annotated[
        int | None,
        Whole(0),
        "Pairs of columns that get a table of their own, at most; none: one for each 200 rows, up to 10.",
    ] = None
    bags: Annotated[
        int | None,
        Whole(1, 1000),
        Letter("bags"),
        "Bags of rows drawn with replacement; none: 14, and from 50,000 rows on fewer, 5 at least.",
    ] = None
    rate: Annotated[
        float, Within(0, 1, including_high=True), Letter("ν"), "Part of Newton's step that is taken."
    ] = 0.25
    leaves: Annotated[int, Whole(2, 1000), "Leaves of a step's tree, at most."] = 3
    rounds: Annotated[int, Whole(1), "Rounds over the columns, at most."] = 1000
    patience: Annotated[
        int, Whole(1), "Rounds without a loss lower by a ten-thousandth after which learning ends."
    ] = 20
    bins: Annotated[int, Whole(2, 60_000), "Intervals of a number, at most."] = 255
    min_leaf: Annotated[int, Whole(1), "Drawn rows in a leaf, at least."] = 4
    l2: Annotated[
        float, Within(0, 1e9, including_high=True), Letter("λ"), "Added to a leaf's second derivative."
    ] = 1.0
    smoothing: Annotated[int, Whole(0), "First rounds, whose cuts are random: smoother curves."] = 100
    monotone: Directions = None
    seed: Annotated[int, Whole(0), "Which rows the bags draw."] = 0
    priors: Annotated[Priors, "Class frequencies to predict for: 'equal', or by class."] = None
    costs: Annotated[Costs, "Cost of predicting one class for another."] = None

    def __post_init__(self) -> None:
        check(self)

    @classes_in_turn
    def learn(self, table: Table) -> AdditiveModel:
        rows = usable_rows(self, table)
        self = with_directions(self, rows)  # every class is named from here on
        decision = decision_of(rows.schema, class_weights(rows), self.priors, self.costs)
        learned = learn_curves(self, rows, NATIVE, self.signs(rows))
        return AdditiveModel(
            schema=table.schema,
            base=learned.base,
            shapes=learned.shapes,
            pairs=learned.pairs,
            link=learned.link,
            spread="standard errors" if learned.bags > 1 else "",
            curves=learned.curves,
            decision=decision,
            origin=origin_of(self, table).then(*learned.ended),
        )

    def signs(self, rows: Table) -> dict[str, int]:
        """[column] 1 where the score never falls as it rises, −1 where it never rises; only the limited."""
        classes = rows.schema.classes
        positive = classes[1] if len(classes) > 1 else ""
        return {each.column: each.sign(positive) for each in directions_of(self.monotone, rows)}

    def bags_of(self, rows: int) -> int:
        """How many bags there are: of many rows each bag is nearer to their mean."""
        return min(max(_DRAWN_IN_ALL // rows, _LEAST_BAGS), _MOST_BAGS) if self.bags is None else self.bags

    def most_pairs(self, rows: int) -> int:
        """How many pairs get tables: few rows do not tell many apart from chance."""
        return min(max(rows // _ROWS_FOR_A_PAIR, 1), _MOST_PAIRS) if self.pairs is None else self.pairs
