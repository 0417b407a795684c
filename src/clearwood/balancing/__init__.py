"""Balancing: training rows in which rare classes weigh more. A new way is a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearwood.registry import Listed

if TYPE_CHECKING:
    from clearwood.balancing.sampling import Balancer

BALANCERS: Final[Listed[Balancer]] = Listed(
    "balance",
    {
        "weights": f"{__name__}.sampling:BALANCER",
        "under": f"{__name__}.sampling:UNDER",
        "over": f"{__name__}.sampling:OVER",
        "smote": f"{__name__}.neighbours:SMOTE",
        "smote-nc": f"{__name__}.neighbours:SMOTE_NC",
        "tomek": f"{__name__}.neighbours:TOMEK",
        "enn": f"{__name__}.neighbours:ENN",
    },
)
