"""Nothing that is in a list lacks what the house asks of it; what is new gets every gap at once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from dev import lacks

from clearwood.catalogue import LEARNERS, PRUNERS, SOURCES
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.trees.pruning.pruner import Pruner
from clearwood.table.formats import Source
from tests.typed import mistyped


def test_nothing_is_lacking() -> None:
    assert not (gaps := lacks.lacking()), "\n".join(gaps)


@dataclass(frozen=True)
class NeverHeardOf:
    """A learner that is nothing but entered."""


def test_a_learner_that_is_only_entered_gets_every_gap_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, "never-heard-of", LearnerEntry(NeverHeardOf, "…", "tree"))
    gaps = "\n".join(lacks.learners())
    for place in (
        "an estimator",
        "NeverHeardOf in clearwood/__init__.py",
        "a page in docs/learners",
        "docs/command-line.md",
        "docs/estimators.md",
        "steps",
        "compared_by",
        "CHANGELOG.md",
        "the layer of test_lacks in pyproject.toml",
    ):
        assert place in gaps


def test_steps_that_are_named_and_not_written_are_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = LearnerEntry(NeverHeardOf, "…", "rules", steps="clearwood.deriving.rules.never:rules_and_steps")
    monkeypatch.setitem(LEARNERS, "never-heard-of", entry)
    gaps = "\n".join(lacks.learners())
    assert "clearwood.deriving.rules.never:rules_and_steps: No module named" in gaps
    assert "NeverHeardOf in tests/test_public_page.py" in gaps


def test_a_kind_that_is_only_in_the_union_lacks_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lacks, "UNION", (*lacks.UNION, NeverHeardOf))
    assert [each for each in lacks.kinds() if "NeverHeardOf" in each and "KINDS" in each]
    monkeypatch.setattr(lacks, "UNION", lacks.UNION[1:-1])
    assert [each for each in lacks.kinds() if "models/kinds/tree lacks its model in Model" in each]


def test_a_pruner_and_a_kind_of_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def prune_whatever() -> None: ...

    monkeypatch.setitem(PRUNERS, "whatever", Pruner(mistyped(prune_whatever), "…"))
    gaps = "\n".join(lacks.pruners())
    assert "steps" in gaps
    assert "prune_whatever in clearwood/__init__.py" in gaps
    monkeypatch.setitem(SOURCES, ".whatever", Source("…", "some_library", "whatever"))
    gaps = "\n".join(lacks.files())
    for place in ("test_sources.py", "fuzz/readers.py", "pyproject.toml", "the extra 'all'", "first bytes"):
        assert place in gaps


def test_what_stands_in_no_list_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lacks, "entry_of", lambda name: None if name == "OneR" else name)
    assert [each for each in lacks.unlisted() if "OneR" in each]
    monkeypatch.setitem(lacks._LISTED, "PRUNER", "learners/trees")
    assert [each for each in lacks.unlisted() if "reduced_error" in each]
