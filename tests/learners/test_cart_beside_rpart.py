"""CART beside R's rpart where cells are missing: the same surrogates; what is left of differences are ties.

The figures are those of rpart 4.1.19, `rpart(y ~ ., cp = 0, maxdepth = 1, na.action = na.pass)`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import clearwood as cw
from clearwood.formulas.conditions import AtMost

NAN = math.nan


def test_a_surrogate_cuts_midway_to_the_next_value_of_any_row_as_rpart_does() -> None:
    # The two rows without x have z = 5 and 7. The rows that x places would allow any cut from 4 to 8; rpart
    # takes the one midway to the next value at hand, 4.5, and so sends both rows to the right.
    cells = {"x": [1, 2, 3, 4, 5, 6, 7, 8, NAN, NAN], "z": [1, 2, 3, 4, 8, 9, 10, 11, 5, 7]}
    schema = cw.Schema((cw.Numeric("x"), cw.Numeric("z")), cw.Nominal("y", ("a", "b")))
    table = cw.encode({**cells, "y": list("aaaabbbbba")}, schema)
    tree = cw.CART(max_depth=1).learn(table)
    assert str(tree.condition(1)) == "x ≤ 4.5"
    (surrogate,) = tree.surrogates(0)
    assert surrogate.when == AtMost("z", 4.5)
    assert np.asarray(cw.leaf_of(tree, table)).tolist() == [1] * 4 + [2] * 6


def test_where_sides_are_even_rows_that_nothing_places_go_to_the_first_where_rpart_lets_them_stay() -> None:
    # rpart counts 2 and 2 of 7 rows below the split: the three without x stay where they are, in no leaf.
    # Every row of ours ends in a leaf, and so follows the first branch.
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b")))
    table = cw.encode({"x": [1, 2, 3, 4, NAN, NAN, NAN], "y": list("aabbaab")}, schema)
    tree = cw.CART(max_depth=1).learn(table)
    assert str(tree.condition(1)) == "x ≤ 2.5"
    assert [float(tree.weight(node)) for node in (1, 2)] == [5.0, 2.0]


@pytest.mark.parametrize("classes", [("T", "D"), ("D", "T")])
def test_of_two_groupings_that_lower_the_impurity_alike_rparts_is_taken_however_classes_are_declared(
    classes: tuple[str, str],
) -> None:
    # Judges of boxing2 in rounds 1, 7 and 9, three answers each: how many were for Trinidad. To part those of
    # none from the others, or those of many, lowers the Gini impurity by 2.75 of 33 rows. rpart does the
    # first, and so do we, since classes are taken by name; where T was declared first it was the second.
    answers = {
        "AP": 1,
        "BL": 3,
        "GH": 0,
        "HBO": 1,
        "JR": 2,
        "LV": 0,
        "LK": 0,
        "LS": 1,
        "ST": 1,
        "US": 1,
        "VW": 1,
    }
    judges = [name for name in answers for _ in range(3)]
    won = ["T" if k < answers[name] else "D" for name in answers for k in range(3)]
    schema = cw.Schema((cw.Nominal("Judge", tuple(answers)),), cw.Nominal("Winner", classes))
    tree = cw.CART(max_depth=1, min_rows=20, min_leaf=7).learn(
        cw.encode({"Judge": judges, "Winner": won}, schema)
    )
    for_trinidad = tree.nodes.counts[:, classes.index("T")].tolist()
    assert (for_trinidad, tree.nodes.counts.sum(axis=1).tolist()) == ([11.0, 11.0, 0.0], [33.0, 24.0, 9.0])
    many, none = ((6, 3), (5, 19)), ((0, 9), (11, 13))
    assert _decrease(many) == _decrease(none) == Fraction(11, 4)


def _decrease(sides: tuple[tuple[int, int], ...]) -> Fraction:
    """Rows times Gini, before less after."""
    whole = tuple(map(sum, zip(*sides, strict=True)))
    return _gini(*whole) - sum((_gini(*side) for side in sides), Fraction(0))


def _gini(first: int, second: int) -> Fraction:
    return Fraction(2 * first * second, first + second)


def test_a_value_of_one_row_may_stand_in_where_a_cut_needs_two_on_each_side() -> None:
    # rpart's surrogate on z: adj 0.25 as a factor, and none as the numbers 1 and 9.
    z = [*"ssssssssss", *"sssc", "c", "s"]
    x = [*range(1, 15), NAN, NAN]
    y = [*"aaaaaaaaaa", *"bbbb", "b", "a"]
    nominal = cw.Schema((cw.Numeric("x"), cw.Nominal("z", ("c", "s"))), cw.Nominal("y", ("a", "b")))
    table = cw.encode({"x": x, "z": z, "y": y}, nominal)
    tree = cw.CART(max_depth=1).learn(table)
    (surrogate,) = tree.surrogates(0)
    assert (surrogate.when.name, surrogate.agreement) == ("z", 11 / 14)
    assert np.asarray(cw.leaf_of(tree, table)).tolist() == [1] * 10 + [2] * 5 + [1]
    numbers = cw.Schema((cw.Numeric("x"), cw.Numeric("z")), cw.Nominal("y", ("a", "b")))
    same = cw.encode({"x": x, "z": [9.0 if each == "c" else 1.0 for each in z], "y": y}, numbers)
    assert not cw.CART(max_depth=1).learn(same).surrogates(0)


def test_a_split_that_lowers_nothing_is_made_unless_min_decrease_is_above_0() -> None:
    # rpart makes no split without an improvement; at 0 ours makes it, as scikit-learn's trees do.
    schema = cw.Schema((cw.Nominal("z", ("p", "q")),), cw.Nominal("y", ("a", "b")))
    table = cw.encode({"z": ["p", "q"] * 4 + [None], "y": list("aaaaaaaab")}, schema)
    assert cw.CART().learn(table).size == 3
    assert cw.CART(min_decrease=1e-9).learn(table).size == 1


def test_values_with_the_same_proportions_are_grouped_in_their_order() -> None:
    # Health plans of labor: full 12 good, half 6 good, none 1 bad. rpart goes by the proportion of the first
    # class, from low to high: full | half, none has 7 rows on each side. Ours goes from high to low, and
    # neither none | full, half nor none, full | half has.
    values = ["full"] * 12 + ["half"] * 6 + ["none"]
    schema = cw.Schema((cw.Nominal("plan", ("full", "half", "none")),), cw.Nominal("y", ("bad", "good")))
    table = cw.encode({"plan": values, "y": ["good"] * 18 + ["bad"]}, schema)
    assert cw.CART(min_leaf=7).learn(table).size == 1
    assert cw.CART(min_leaf=6).learn(table).size == 3
    # In the order that labor declares it is the other way round: ours parts none, half | full, 7 rows and 12,
    # where rpart has half | full, none and half, full | none, and so splits on vacation instead.
    declared = cw.Schema((cw.Nominal("plan", ("none", "half", "full")),), cw.Nominal("y", ("bad", "good")))
    tree = cw.CART(min_leaf=7).learn(cw.encode({"plan": values, "y": ["good"] * 18 + ["bad"]}, declared))
    assert tree.nodes.counts.tolist() == [[1.0, 18.0], [1.0, 6.0], [0.0, 12.0]]
