"""Every subject in a short run; a failure anywhere is a case to look at: python -m tests.fuzz … --case."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.cases import Case, run
from tests.fuzz.disturbances import DISTURBANCES
from tests.fuzz.pages import check_html
from tests.fuzz.processes import run_processes
from tests.fuzz.subjects import SUBJECTS
from tests.fuzz.watching import nothing_is_run

pytestmark = pytest.mark.slow


CASES = {
    "readers": 400,
    "queries": 25,
    "model_files": 150,
    "imports": 120,
    "exports": 40,
    "rule_texts": 500,
    "arguments": 40,
    "pages": 20,
    "requests": 300,
}
# How many of them at least are accepted, and refused: a subject that is always the one tries nothing.
LEAST = {
    "readers": (20, 20),
    "queries": (5, 5),
    "model_files": (20, 20),
    "imports": (10, 20),
    "exports": (2, 10),
    "rule_texts": (100, 100),
    "arguments": (2, 10),
    "pages": (5, 2),
    "requests": (30, 60),
}


def test_every_subject_has_its_number_of_everyday_cases() -> None:
    assert list(CASES) == list(SUBJECTS)


@pytest.mark.parametrize("name", SUBJECTS)
def test_odd_inputs_are_accepted_or_refused_by_a_sentence_of_ours(name: str) -> None:
    outcome = run(name, SUBJECTS[name], seed=0, cases=range(CASES[name]))
    assert outcome.failures == {}
    accepted, refused = LEAST[name]
    assert outcome.accepted > accepted
    assert sum(outcome.refused.values()) >= refused


@pytest.mark.long
@pytest.mark.slow
def test_a_disturbed_process_ends_as_it_should() -> None:
    assert run_processes(0, range(len(DISTURBANCES))).failures == {}


def test_what_takes_long_or_much_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.cases._MOST_SECONDS", 0.0)
    outcome = run("slow", lambda *_: Case("ten million", lambda: sum(range(10_000_000))), seed=0, cases=[0])
    assert "ten million\ntook " in outcome.failures[0]


@pytest.mark.parametrize(
    "deed",
    [
        lambda place: place.write_text("x"),
        lambda _: subprocess.run(["true"], check=True),
        lambda _: pickle.loads(pickle.dumps(Random)),
    ],
)
def test_a_deed_that_no_text_may_bring_about_is_seen(deed: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="it did: "), nothing_is_run():
        deed(tmp_path / "new")


def test_text_from_data_that_became_part_of_a_page_is_seen() -> None:
    check_html("<p>&lt;img src=x onerror=alert(1)&gt;</p><script type='application/json'>alert(1)</script>")
    for wrong in ("<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<a href='javascript:x'>"):
        with pytest.raises(AssertionError):
            check_html(f"<p>{wrong}</p>")


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
