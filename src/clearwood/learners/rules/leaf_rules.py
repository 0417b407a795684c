"""The results of C4.5rules as columns: every leaf's rule on its way to a place in the list.

This is the form the native code writes and the definition too. A condition is named by the first node
of the tree whose branch tests it.

    leaf        int32   [rule]         the leaf a rule comes from, in preorder
    answer      int32   [rule]         its class
    first_error float64 [rule]         its pessimistic error with every condition on the way to the leaf
    drop_start  int64   [rule + 1]     dropped, in that order: drop_node[drop_start[i] : drop_start[i + 1]]
    drop_node   int32   [drop]
    drop_error  float64 [drop]         the rule's pessimistic error without it
    kept_start  int64   [rule + 1]     the conditions left, from the top of the tree: kept_node[…] likewise
    kept_node   int32   [·]
    error       float64 [rule]         its pessimistic error now, of …
    covered     float64 [rule]         … the weight of all rows it covers now, …
    wrong       float64 [rule]         … and of those that are of another class
    same_as     int32   [rule]         the first rule of this class and these conditions; −1: none left
    bits        float64 [rule]         to encode it; 0 where same_as is another
    chosen      bool    [rule]         in its class's subset
    class_bits  float64 [class, 3]     description length of none of its rules, of all, of those chosen
    order       int32   [place]        the chosen rules as they answer
    counts      float64 [place + 1, class]  the rows each answers; last those that no rule takes
    otherwise   int                    the class of rows that no rule takes
"""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.arrays import Bools, Floats, Ints, Longs


@dataclass(frozen=True, slots=True, eq=False)
class LeafRules:
    """The columns; see the glossary above."""

    leaf: Ints
    answer: Ints
    first_error: Floats
    drop_start: Longs
    drop_node: Ints
    drop_error: Floats
    kept_start: Longs
    kept_node: Ints
    error: Floats
    covered: Floats
    wrong: Floats
    same_as: Ints
    bits: Floats
    chosen: Bools
    class_bits: Floats
    order: Ints
    counts: Floats
    otherwise: int

    def kept(self, rule: int) -> list[int]:
        """The conditions left of a rule, by node."""
        nodes: list[int] = self.kept_node[self.kept_start[rule] : self.kept_start[rule + 1]].tolist()
        return nodes

    def dropped(self, rule: int) -> list[tuple[int, float]]:
        """What was dropped from a rule, by node, and its pessimistic error after each."""
        these = slice(int(self.drop_start[rule]), int(self.drop_start[rule + 1]))
        return list(zip(self.drop_node[these].tolist(), self.drop_error[these].tolist(), strict=True))
