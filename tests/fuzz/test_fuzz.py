"""Every subject in a short run; a failure anywhere is a case to look at: python -m tests.fuzz … --case."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz.cases import Case, run
from tests.fuzz.subjects import SUBJECTS


@pytest.mark.parametrize("name", SUBJECTS)
def test_odd_inputs_are_accepted_or_refused_by_a_sentence_of_ours(name: str) -> None:
    outcome = run(name, SUBJECTS[name], seed=0, cases=range(400))
    assert outcome.failures == {}
    assert outcome.accepted > 20
    assert sum(outcome.refused.values()) > 20


def test_an_error_that_is_not_ours_is_a_failure_with_its_number() -> None:
    def subject(random: Random, _: Path) -> Case:
        return Case("one in three", lambda: 1 // random.choice((0, 1, 2)))

    outcome = run("three", subject, seed=0, cases=range(30))
    assert 0 < len(outcome.failures) < 30
    assert all(
        "one in three" in failure and "ZeroDivisionError" in failure for failure in outcome.failures.values()
    )
    first = next(iter(outcome.failures))
    assert run("three", subject, seed=0, cases=[first]).failures == {first: outcome.failures[first]}
