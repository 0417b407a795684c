"""Python: one file that needs nothing but Python."""

from typing import Final

from clearwood import _native
from clearwood.exporting.code.code_writer import CodeWriter, Language, number_spelled
from clearwood.exporting.exportable import Exportable, program_to_export, refused_by_program
from clearwood.exporting.exported import Exported, ExportFormat, filled_in, heading_of
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
    functions={each: f"_{each}" for each in ("exp", "place", "interval", "bells", "words")},
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
        _MODULE,
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


_MODULE: Final = '''"""$what

$whence
A row is a dict by the names of the columns; None, NaN or no entry is a missing cell.

    predict(row)   the class, or the number; None: no prediction
$shares_about
$points_about
    explain(row)   the leaf or rule that decided, as text
"""

from bisect import bisect_left$and_bisect_right
$accumulate
from math import exp, $log, pi, sqrt

NAN = float('nan')
INF = float('inf')
COLUMNS = [$columns]
CLASSES = [$classes]
REGIONS = [
$regions
]
$lists


def _worked_out(row):
$inputs
$body
    return ($answer), [$shares], $region, $points
$of_points


def predict(row):
    """The class, or the number, of a row; None where there is no prediction."""
    return _worked_out(row)[0]


def shares(row):
    """The probability of each class."""
    return dict(zip(CLASSES, _worked_out(row)[1]))


def explain(row):
    """The leaf or rule that decided, as text; None where there is not one."""
    region = _worked_out(row)[2]
    return None if region is None or region < 0 else REGIONS[region]


def _number(row, name):
    cell = row.get(name)
    return NAN if cell is None else float(cell)


def _text(row, name):
    cell = row.get(name)
    return None if cell is None or cell != cell else str(cell)


def _exp(power):
    return exp(power) if power < 709.782712893384 else INF


def _place(cell, values, count, missing, unseen):
    if cell is None:
        return missing
    return values.index(cell) if cell in values else unseen


def _interval(cell, cuts, count, missing):
    return missing if cell != cell else bisect_left(cuts, cell)


def _bells(cell, points, shares, count, width):
    heights = [s - 0.5 * ((cell - p) / width) * ((cell - p) / width) for p, s in zip(points, shares)]
    most = max(heights)
    if most == -INF:
        return most
    return most + log(sum(exp(h - most) for h in heights)) - log(width * sqrt(2 * pi))
$of_words
'''

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
        *_FUNCTIONS.splitlines(),
    ]


_FUNCTIONS: Final = '''

def _words(cell, words, logs, base, once, lower, few, many, stops):
    by_word = _LOGS_OF.get((id(words), id(logs)))
    if by_word is None:
        by_word = _LOGS_OF[id(words), id(logs)] = dict(zip(words, logs))
    kept = [word for word in _tokens(cell, lower) if word not in stops]
    met = [" ".join(kept[i:i + n]) for n in range(few, many + 1) for i in range(len(kept) - n + 1)]
    for word in dict.fromkeys(met) if once else met:
        if word in by_word:
            base += by_word[word]
    return base


def _tokens(text, lower):
    """Runs of letters and marks, each ideograph, each pictograph with what is joined to it, each flag."""
    kinds = [_KINDS[bisect_right(_STARTS, ord(letter)) - 1] for letter in text] + ["o", "o"]
    tokens, at = [], 0
    while at < len(text):
        first, at = at, _end(text, kinds, at)
        if kinds[first] == "l":
            small = _SMALL_OF if lower else {}
            shown = [i for i in range(first, at) if kinds[i] != "n"]
            tokens.append("".join("'" if kinds[i] == "a" else small.get(text[i], text[i]) for i in shown))
        elif kinds[first] in "iptf":
            tokens.append(text[first:at])
    return tokens


def _end(text, kinds, first):
    kind, at = kinds[first], first + 1
    if kind == "l":
        while True:
            if kinds[at] in "lm":
                at += 1
            elif kinds[at] in "jna" and kinds[at + 1] in "lm":
                at += 2
            else:
                return at
    if kind in "pt":
        while True:
            if kinds[at] in "mtg":
                at += 1
            elif text[at:at + 1] == "\\u200d" and kinds[at + 1] == "p":
                at += 2
            else:
                return at
    if kind == "i":
        while kinds[at] == "m":
            at += 1
    elif kind == "f" and kinds[at] == "f":
        at += 1
    return at
'''
