"""What the page needs of an ensemble: its members as the JSON of their own files, if not too many."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from clearwood.models.ensemble import Ensemble
from clearwood.models.model import Model
from clearwood.predict.columns import columns_used

_MOST_BYTES: Final = 2_000_000  # of members that a page holds
_BYTES_OF_A_NODE: Final = 60  # at least


def ensemble_for_page(model: Ensemble, fields_of: Callable[[Model], dict[str, Any]]) -> dict[str, Any]:
    """Heading and body, with `members` instead of columns; `left_out` says why there are none."""
    fields = fields_of(model)
    for name in ("trees", "models", "curves"):
        fields.pop(name)
    fields["columns"] = sorted(columns_used(model))
    fields["members"], fields["left_out"] = [], ""
    fields["adds_to"] = [0] * model.size if model.trees is None else model.trees.adds_to.tolist()
    nodes = 0 if model.trees is None else len(model.trees.nodes)
    size = nodes * _BYTES_OF_A_NODE
    if size <= _MOST_BYTES:
        for member in model.members:
            own = fields_of(member)
            body = {name: own[name] for name in own if name not in _OF_THE_WHOLE}
            size += len(json.dumps(body))
            if size > _MOST_BYTES:
                break
            fields["members"].append(body)
    if size > _MOST_BYTES:
        fields["members"] = []
        fields["left_out"] = (
            f"This page does not predict: the {model.size:,} members are too large for it. "
            "Use clearwood predict with the model's file."
        )
    return fields


_OF_THE_WHOLE: Final = frozenset({"format", "version", "schema", "origin", "decision", "profile"})
