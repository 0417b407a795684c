"""From a model to its program, whatever its kind."""

from dataclasses import replace

from clearwood.models.kinds.kind import kind_of
from clearwood.models.model import Model
from clearwood.models.program.program import ModelProgram, needed_steps


def program_of(model: Model) -> ModelProgram:
    """The program of a model: formulas that give its answer and shares for every row.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> program = program_of(cw.ID3().learn(table))
    >>> program.steps[0].name, program.shares, program.regions[0]
    ('leaf', ('share_1', 'share_2'), 'IF Outlook = Overcast THEN Yes')
    """
    program = kind_of(model).program(model)
    return replace(program, steps=needed_steps(program.steps, program.outputs))
