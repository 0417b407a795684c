"""How conditions are tested: the settings of simplification, refused when wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from clearwood.errors import SettingError
from clearwood.learners.rules.simplifying.condition_tests import TEST_NAMES, ChooseBy, TestName
from clearwood.registry import between, one_of, settle

Tables: TypeAlias = Literal["marginal", "conditional"]
Against: TypeAlias = Literal["class", "classes"]
Adjust: TypeAlias = Literal["holm", "benjamini_hochberg"]

_ADJUSTMENTS: Final[tuple[str, ...]] = get_args(Adjust)


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTested:
    """Which table of which rows, which test, and how significant is enough."""

    alpha: float = 0.05
    tables: Tables = "marginal"
    choose_by: ChooseBy = "largest"
    test: TestName | None = None
    against: Against = "class"
    adjust: Adjust | None = None

    def __post_init__(self) -> None:
        settle(
            self,
            alpha=between("alpha", self.alpha, 0, 1, including_high=True),
            tables=one_of("tables", self.tables, get_args(Tables)),
            choose_by=one_of("choose_by", self.choose_by, get_args(ChooseBy)),
            test=self.test if self.test is None else one_of("test", self.test, TEST_NAMES),
            against=one_of("against", self.against, get_args(Against)),
            adjust=self.adjust if self.adjust is None else one_of("adjust", self.adjust, _ADJUSTMENTS),
        )

    def check_for(self, classes: int) -> None:
        """Refuse a test of 2×2 tables where there are wider ones."""
        if self.against == "classes" and classes > 2 and self.test in ("yates", "fisher"):
            raise SettingError(
                f"test='{self.test}' is for tables of 2×2, and against='classes' makes them 2×{classes}."
                " Use against='class', or leave test out."
            )
