"""Damaged exports of any model: what answers otherwise is noticed by the rows of the proof."""

from __future__ import annotations

from pathlib import Path
from random import Random

from clearwood.errors import ClearwoodError
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.proof.adversarial import adversarial_rows
from clearwood.models.model import Model
from tests.exporting.mutants import Batch, changed_rows, mutants_of, random_rows
from tests.exporting.random_models import random_case
from tests.fuzz.cases import Case

_ROWS = 1500


class _NoticedError(ClearwoodError):
    """The rows of the proof tell a damaged program from the right one."""


def case(random: Random, _: Path) -> Case:
    """A model that the dice make, and one place of its program."""
    seed, made = random.randrange(1 << 20), None
    while made is None:
        seed, made = seed + 1, random_case(seed + 1)
    number = random.randrange(1 << 30)
    model = made.model
    return Case(f"random_case({seed}), mutant {number}", lambda: _tried(model, number))


def _tried(model: Model, number: int) -> None:
    program = program_to_export(model)
    every = mutants_of(program)
    if not every:
        return
    mutant = every[number % len(every)]
    rows = Batch(list(adversarial_rows(model)))
    if changed_rows(rows.worked_out(program), rows.worked_out(mutant.program)).any():
        raise _NoticedError(f"Noticed: {mutant.about}.")
    by_chance = Batch(random_rows(model, program, _ROWS, number))
    changed = changed_rows(by_chance.worked_out(program), by_chance.worked_out(mutant.program))
    assert not changed.any(), f"{mutant.about} is not noticed: {by_chance.rows[int(changed.argmax())]}"
