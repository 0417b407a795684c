"""How a learner behaves when its rows are fewer, noisy or drawn anew: curves, bias, variance, stability."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

# What a report can show of it, by the name of its command: the question that it answers.
BEHAVIOURS: Final = MappingProxyType(
    {
        "learning-curve": "Would more rows help?",
        "bias-variance": "What its errors come of",
        "stability": "Would other rows give the same model?",
    }
)
