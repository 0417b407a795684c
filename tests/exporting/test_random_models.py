"""Any table, learner, setting, pattern of missing cells and decision: exported, run, equal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.exporting.every_format import variants
from tests.exporting.random_models import kinds_taken, tried

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
MANY = {"python": 3000}  # models that a target runs in `make prove`; the others run so many:
USUAL = 1000
ROWS = {"excel": 100}  # of each model, which are as many as one workbook has room for; of the others:
USUAL_ROWS = 150
BLOCKS = 10  # of one format, so that they are tried side by side


def test_random_models_answer_alike_in_python() -> None:
    done = tried("python", {}, 100, 0, USUAL_ROWS)
    assert done.wrong == ()
    assert done.ran.total() == 100


@pytest.mark.parametrize("seed", [200145, 200499])
def test_a_divided_row_of_level_classes_is_answered_as_in_prediction(seed: int) -> None:
    """A table without shares cannot be excused by a tie: it adds up parts in the order of prediction."""
    assert tried("markdown", {}, 1, seed, USUAL_ROWS).wrong == ()


def named(each: object) -> str:
    return "-".join(each.values()) if isinstance(each, dict) else str(each)


@pytest.mark.prove
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize(("format", "options"), variants(), ids=named)
def test_thousands_of_random_models_answer_alike(format: str, options: dict[str, Any], block: int) -> None:
    count = MANY.get(format, USUAL) // BLOCKS
    done = tried(format, options, count, 100_000 * block, ROWS.get(format, USUAL_ROWS))
    if not done.ran:
        pytest.skip(done.wrong[0])
    print(f"{named(options) or format}, block {block}: {dict(done.ran)}; refused: {dict(done.refused)}")
    assert done.wrong == ()
    assert done.ran.total() == count
    assert set(done.ran) >= kinds_taken(format)
