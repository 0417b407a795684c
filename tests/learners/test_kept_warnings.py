"""Warnings of several threads are kept apart, and nothing of it is left behind."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from clearwood.errors import ClearwoodWarning
from clearwood.learners.progress import give_again, kept_warnings


def test_each_thread_keeps_its_own() -> None:
    both = Barrier(2)

    def work(name: str) -> list[str]:
        with kept_warnings() as outer:
            both.wait()
            with kept_warnings() as kept:
                for _ in range(50):
                    warnings.warn(name, ClearwoodWarning, stacklevel=2)
            both.wait()
        assert not outer
        return [str(each.message) for each in kept]

    before = warnings.filters[:], warnings.showwarning
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(work, "ab")] == [["a"] * 50, ["b"] * 50]
    assert (warnings.filters[:], warnings.showwarning) == before


def test_a_thread_outside_is_shown_its_warnings_as_ever() -> None:
    with (
        warnings.catch_warnings(record=True) as shown,
        ThreadPoolExecutor(1) as pool,
        kept_warnings() as kept,
    ):
        pool.submit(warnings.warn, "outside", ClearwoodWarning).result()
    assert not kept
    assert [str(each.message) for each in shown] == ["outside"]


def test_those_kept_can_be_given_again() -> None:
    with kept_warnings() as kept:
        warnings.warn("once", ClearwoodWarning, stacklevel=2)
    with pytest.warns(ClearwoodWarning, match="once"):
        give_again(kept)
