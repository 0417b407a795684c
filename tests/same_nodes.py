"""Two trees' columns compared: whole numbers to the last, others to some digits."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from clearwood.models.kinds.tree.nodes import Nodes


def same_nodes(actual: Nodes, expected: Nodes, *, rtol: float = 1e-7) -> None:
    """Sums may be added in another order, so that their last digits differ."""
    for each in fields(Nodes):
        one: Any = getattr(actual, each.name)
        two: Any = getattr(expected, each.name)
        assert one.shape == two.shape, each.name
        if one.dtype == np.float64:
            np.testing.assert_allclose(one, two, rtol=rtol, atol=1e-9, err_msg=each.name)
        else:
            np.testing.assert_array_equal(one, two, err_msg=each.name)
