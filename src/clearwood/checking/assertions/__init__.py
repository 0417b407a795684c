"""Assertions on a model. The list of their kinds is here, and only here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.monotone import MonotoneIn, check_monotone
from clearwood.checking.assertions.never_asks import NeverAsks, check_never_asks
from clearwood.checking.assertions.region import RegionGets, check_region
from clearwood.checking.assertions.row import RowGets, check_row
from clearwood.checking.assertions.score import ScoreWithin, check_score
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.checking.assertions.whole_model import (
    DriftWithin,
    FingerprintIs,
    SizeWithin,
    check_drift,
    check_fingerprint,
    check_model_size,
)

Assertion: TypeAlias = (
    MonotoneIn | NeverAsks | RegionGets | RowGets | ScoreWithin | SizeWithin | DriftWithin | FingerprintIs
)


@dataclass(frozen=True, slots=True)
class AssertionKind:
    """A kind of assertion: what it is made of, what checks it, and an example as a file has it."""

    made_of: type[Assertion]
    check: Callable[[Any, ModelAndRows], AssertionVerdict]
    example: str
    needs_rows: str  # never, always, or of which models


_KINDS: Final = (
    AssertionKind(
        MonotoneIn,
        check_monotone,
        'column = "duration"\nshare = "bad"\ndirection = "rises"',
        "of ensembles, Bayes tables and more than two classes of linear and additive models",
    ),
    AssertionKind(NeverAsks, check_never_asks, 'column = "sex"', "never"),
    AssertionKind(
        RegionGets, check_region, 'when = "age < 18"\nnever = "good"', "of all but trees and rules"
    ),
    AssertionKind(
        RowGets,
        check_row,
        'row = { duration = 6, checking_status = "no checking" }\nanswer = "good"',
        "never",
    ),
    AssertionKind(
        ScoreWithin, check_score, 'score = "accuracy"\nat_least = 0.7\nby = "personal_status"', "always"
    ),
    AssertionKind(SizeWithin, check_model_size, 'of = "leaves"\nat_most = 12', "never"),
    AssertionKind(DriftWithin, check_drift, "at_most = 0.25", "always"),
    AssertionKind(FingerprintIs, check_fingerprint, 'model = "0123456789abcdef"', "never"),
)
ASSERTIONS: Final[Mapping[str, AssertionKind]] = {each.made_of.kind: each for each in _KINDS}
