"""Python: one file that needs nothing but Python."""

from typing import Final

from clearwood import _native
from clearwood.exporting.code.code_writer import CodeWriter, Language, number_spelled
from clearwood.exporting.exportable import Exportable, program_to_export, refused_by_program
from clearwood.exporting.exported import Exported, ExportFormat, filled_in, heading_of
from clearwood.files import text_beside
from clearwood.formulas.expressions import LogOfWords
from clearwood.models.program.program import program_parts
from clearwood.table.attributes import Numeric

PYTHON = Language(
    name="Python",
    number=number_spelled("NAN", "INF"),
    text=repr,
    same_text=lambda cell, value: f"{cell} == {value}",
    is_no_text=lambda cell: f"{cell} is None",
    choice=lambda test, then, otherwise: f"({then} if {test} else {otherwise})",
    both="and",
    either="or",
    never="False",
    always="True",
    largest=lambda values: f"max({', '.join(values)})" if len(values) > 1 else values[0],
    functions={
        "exp": "_exp",
        "place": "_place",
        "interval": "_interval",
        "bells": "_bells",
        "words": "_words",
    },
    assign=lambda name, value, _: f"{name} = {value}",
    declare=lambda _, __: "",
    set=lambda name, value: f"{name} = {value}",
    if_=lambda test: f"if {test}:",
    else_if=lambda test: f"elif {test}:",
    else_="else:",
    end="",
    comment=lambda text: f"# {text}",
    listed=lambda _, name, entries: f"{name} = ({', '.join(entries)}{',' if len(entries) == 1 else ''})",
    has_words=True,
)


def to_python(model: Exportable) -> Exported:
    """A module with `predict(row)`, `shares(row)` and `explain(row)`, of a scorecard also `points(row)`.

    A row is a dict by column.
    """
    program = program_to_export(model)
    writer = CodeWriter(PYTHON, program)
    reads_words = any(isinstance(each, LogOfWords) for each in program_parts(program.steps))
    what, whence = (each.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') for each in heading_of(model))
    answer = program.answer
    text = filled_in(
        text_beside(__file__, "model.py.in"),
        what=what,
        whence=whence,
        shares_about=["    shares(row)    the probability of each class"] if program.classes else [],
        points_about=["    points(row)    the sum of the points"] if program.points else [],
        and_bisect_right=", bisect_right" if reads_words else "",
        accumulate=["from itertools import accumulate"] if reads_words else [],
        log="floor, log" if program.points else "log",
        columns=", ".join(repr(each.name) for each in program.inputs),
        classes=", ".join(map(repr, program.classes)),
        regions=[f"    {each!r}," for each in program.regions],
        inputs=[
            f"    {name} = {'_number' if isinstance(each, Numeric) else '_text'}(row, {each.name!r})"
            for name, each in zip(writer.inputs, program.inputs, strict=True)
        ],
        body=writer.statements("    "),
        lists=writer.lists,
        answer=(
            f"CLASSES[{answer}] if {answer} >= 0 else None"
            if program.classes
            else f"None if {answer} != {answer} else {answer}"
        ),
        shares=", ".join(program.shares),
        region=program.region or "None",
        points=program.points or "None",
        of_points=_POINTS.splitlines() if program.points else [],
        of_words=_words_in_python() if reads_words else [],
    )
    return Exported("python", text, ".py", model, target="python")


_POINTS: Final = '''

def points(row):
    """The sum of the points of a row, a whole number."""
    return int(_worked_out(row)[3])
'''

FORMAT = ExportFormat(
    "python", "one Python file without dependencies", (".py",), to_python, refused_by_program
)


# The words of a text in exported Python: the same letters and rules as `table/text.py`, without it.


_KINDS: Final = "olmipjnatfg"  # one for each kind of character, in the order of the native table


def _words_in_python() -> list[str]:
    """The lines that define `_words`, with the tables it needs."""
    runs = _native.letter_runs()
    starts = [first for first, _ in runs]
    steps = [after - before for before, after in zip([0, *starts], starts, strict=False)]
    pairs = _native.case_pairs()
    return [
        "",
        "# Where the kind of characters changes, each counted from the one before, and which kind follows.",
        f"_STEPS = {' '.join(map(str, steps))!a}",
        f"_KINDS = {''.join(_KINDS[kind] for _, kind in runs)!a}",
        f"_LARGE = {''.join(chr(large) for large, _ in pairs)!a}",
        f"_SMALL = {''.join(chr(small) for _, small in pairs)!a}",
        "_STARTS = list(accumulate(map(int, _STEPS.split())))",
        "_SMALL_OF = dict(zip(_LARGE, _SMALL))",
        "_LOGS_OF = {}",
        *text_beside(__file__, "words.py.in").splitlines(),
    ]
