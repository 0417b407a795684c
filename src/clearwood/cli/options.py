"""What commands take, declared as fields of dataclasses, and the options that stand in several commands.

`depth: int | None = option("N", "Show a tree down to depth N.")` is typed `--depth N`. One option has one
name and one meaning, wherever it stands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from inspect import Parameter
from pathlib import Path
from shlex import quote
from types import EllipsisType
from typing import Annotated, Any, Final, TypeVar, dataclass_transform, get_origin, get_type_hints

from clearwood.catalogue import BALANCERS, SELECTORS, SOURCES
from clearwood.errors import Advice, NamedOption, Sentence, SettingError
from clearwood.records import dataclass

LEARNING: Final = "How to learn"
PRUNING: Final = "How to prune"
JUDGING: Final = "How to evaluate"
DIVIDING: Final = "How rows are divided"
COLUMNS: Final = "What the columns are"
READING: Final = "How the file is written"
TESTS: Final = "How to simplify"
WORKSHEETS: Final = "What a worksheet asks"
PREPARING: Final = "What is done to the rows first"
DECIDING: Final = "How it decides"
FAIRNESS: Final = "Fairness"
COMPARED: Final = "Which rules are compared"
POINTS: Final = "How points are counted"
SECTIONS: Final = "What else the page shows"
# The panels that --help leaves to --help-all.
FOLDED: Final = {
    COMPARED,
    TESTS,
    DIVIDING,
    PREPARING,
    DECIDING,
    FAIRNESS,
    SECTIONS,
    COLUMNS,
    READING,
    WORKSHEETS,
}
OF_THE_GROUP: Final = ""  # the panel of an option that names none
REQUIRED: Final = MISSING  # the default of an option that must be given

T = TypeVar("T")
_PANELS: Final[dict[Any, str | None]] = {}
_HINTS: Final[dict[Any, dict[str, Any]]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True)
def options(panel: str | None = None) -> Callable[[type[T]], type[T]]:
    """A class as a group of options, a frozen dataclass; they stand in this panel of the help unless they
    name another. A group may hold groups."""

    def made(kind: type[T]) -> type[T]:
        group = dataclass(frozen=True, slots=True, kw_only=True)(kind)
        _PANELS[group] = panel
        return group

    return made


@dataclass(frozen=True, slots=True)
class _Declared:
    """What a person types for a field, and what typer is to know of it."""

    more: dict[str, Any]
    panel: str | None = None
    name: str = ""
    short: str = ""
    both: bool = False
    by_place: bool = False

    def spellings(self, field_name: str) -> list[str]:
        name = self.name or f"--{field_name.replace('_', '-')}"
        return [f"{name}/--no-{name[2:]}" if self.both else name, *([self.short] if self.short else [])]


def option(
    takes: str,
    meaning: str,
    panel: str | None = OF_THE_GROUP,
    *,
    name: str = "",
    short: str = "",
    default: Any = None,
    among: Iterable[str] | None = None,
    both: bool = False,
    **more: Any,
) -> Any:
    """An option, called as its field is unless it has a `name`; `more` is for typer.

    A shell completes it by what it takes, or by the names that it is `among`.
    """
    complete = _completion_of(takes) if among is None else lambda: list(among)
    known = {"metavar": takes, "help": meaning, "autocompletion": complete, **more}
    return field(default=default, metadata={"option": _Declared(known, panel, name, short, both)})


def _completion_of(takes: str) -> Callable[[Any, str], list[str]] | None:
    """What completes an option that takes COLUMN, CLASS, COLUMN=VALUE,… or the like; None: nothing can."""
    if not takes.startswith(("COLUMN", "CLASS")):
        return None

    def complete(ctx: Any, incomplete: str) -> list[str]:
        from clearwood.cli.completing import completed  # late: only a shell that asks needs it

        return completed(takes, ctx, incomplete)

    return complete


def flag(meaning: str, panel: str | None = OF_THE_GROUP, *, default: bool | None = False, **more: Any) -> Any:
    """An option that takes nothing; with `both`, `--tune` and `--no-tune`."""
    return option("", meaning, panel, default=default, **more)


def argument(takes: str, meaning: str, *, default: Any = REQUIRED, **more: Any) -> Any:
    """What is given by its place, without a name."""
    known = {"metavar": takes, "help": meaning, **more}
    return field(default=default, metadata={"option": _Declared(known, by_place=True)})


def parameters_of(group: Any) -> Iterator[Parameter]:
    """The options of a group as typer reads them: parameters that have in their types what it is to know."""
    from typer import Argument, Option

    hints = _hints_of(group)
    for each in fields(group):
        hint, default = hints[each.name], Parameter.empty if each.default is MISSING else each.default
        if is_dataclass(hint):
            yield from parameters_of(hint)
            continue
        if declared := _declared(each, hint):
            if declared.by_place:
                shown: Any = Argument(**declared.more)
            else:
                panel = _PANELS[group] if declared.panel == OF_THE_GROUP else declared.panel
                shown = Option(*declared.spellings(each.name), rich_help_panel=panel, **declared.more)
            hint = Annotated[hint.__origin__ if get_origin(hint) is Annotated else hint, shown]
        yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def put_together(group: Any, given: dict[str, Any]) -> Any:
    """A group of what was given, by the names of its fields and of those of the groups in it."""
    hints = _hints_of(group)
    return group(
        **{
            each.name: put_together(hints[each.name], given)
            if is_dataclass(hints[each.name])
            else given[each.name]
            for each in fields(group)
        }
    )


def given_in(*groups: Any) -> Iterator[str]:
    """The options of these groups that were given, as a person types them."""
    for group in groups:
        hints = _hints_of(type(group))
        for each in fields(group):
            value = getattr(group, each.name)
            if is_dataclass(value):
                yield from given_in(value)
            elif value not in (None if each.default is MISSING else each.default, []):
                declared = _declared(each, hints[each.name])
                assert declared is not None
                yes, _, no = declared.spellings(each.name)[0].partition("/")
                yield no if no and value is False else yes


def refuse_given(because: str, *groups: Any) -> None:
    """Refuse the first option of these groups that was given: `--weight` and why it has no place here."""
    for each in given_in(*groups):
        raise SettingError(f"{each} {because}")


def _hints_of(group: Any) -> dict[str, Any]:
    """The annotations of a group, worked out once for all commands that have it."""
    if group not in _HINTS:
        # In the names of its module, so that what completes an option finds them when it is called.
        module = vars(sys.modules[group.__module__])
        _HINTS[group] = get_type_hints(group, module, {}, include_extras=True)
    return _HINTS[group]


def _declared(of: Field[Any], hint: Any) -> _Declared | None:
    """What was declared of a field, by itself or by the type that several fields have."""
    shared = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Field)]
    return next((each.metadata["option"] for each in (*shared, of) if "option" in each.metadata), None)


# Options that stand in several commands.


Data = Annotated[str, argument("DATA", f"CSV or other delimited text, or {' '.join(SOURCES)}; - for stdin.")]
ModelPath = Annotated[Path, argument("MODEL", "A model file, as saved by fit.")]
RulePath = Annotated[
    Path,
    argument(
        "RULES", "Rules as text, or a model file: of rules, a tree (read as its rules), or an additive model."
    ),
]
SchemaOfRules = Annotated[
    Path | None,
    option(
        "FILE",
        "What the columns of rules as text are, as saved by clearwood schema; a model knows its own.",
        COLUMNS,
    ),
]
Save = Annotated[Path | None, option("FILE", "Write the model here, as JSON, to be loaded again.")]
SaveRules = Annotated[
    Path | None, option("FILE", "Write the rules here: as a model if it ends in .json, else as text.")
]
BalanceBy = Annotated[
    str | None,
    option(
        "WAY",
        f"Balance the classes of the training rows by one of: {', '.join(BALANCERS)}; settings follow a "
        "colon: under:ratio=0.5.",
        PREPARING,
    ),
]
Select = Annotated[
    str | None,
    option(
        "[BY:]N",
        f"Learn from the N best columns: 8, mrmr:8, relieff:8,neighbours=5. By: {', '.join(SELECTORS)}.",
        PREPARING,
    ),
]
ABOUT_POSITIVE: Final = "The class that recall, AUC, lift and cutoffs are about (guessed of two classes)."
Positive = Annotated[str | None, option("CLASS", ABOUT_POSITIVE, DECIDING)]
RowOption = Annotated[
    list[str] | None,
    option(
        "COLUMN=VALUE,…",
        "One row, cell by cell; may be repeated. Columns that are not named are missing.",
        show_default=False,
    ),
]
RelativeTo = Annotated[
    str | None,
    option(
        "REFERENCE",
        "What a linear model's cells are compared with: average, best, zero, or a row COLUMN=VALUE,….",
    ),
]
DetailOption = Annotated[
    str | None, option("NAME", "How much to show: short, full or worksheet.", short="-d")
]
ChartPath = Annotated[
    Path | None, option("FILE", "Draw a chart here: .svg, .png or .pdf.", name="--output", short="-o")
]
Rules = Annotated[bool, flag("Also print one IF … THEN rule for each leaf.")]
Json = Annotated[bool, flag("Print one JSON object.", name="--json")]


@options()
class Output:
    """How the answer is given."""

    as_json: Json = False
    quiet: bool = flag("Print no notes and no model.", short="-q")


# Advice in the words of a shell: the option that the command line takes for each argument of Python.


# What stands for a value that only the user can know.
_STANDS_FOR: Final = {
    "kinds": "COLUMN=KIND",
    "ordered": "COLUMN=LOW,…,HIGH",
    "row": "COLUMN=VALUE,…",
    "ignore": "COLUMN",
    "target": "COLUMN",
    "weight": "COLUMN",
    "recode": "COLUMN=OLD:NEW,…",
    "delimiter": "CHAR",
}
_OTHERWISE_CALLED: Final = {"kinds": "kind", "ordered": "order", "called": "for", "by": "imitate"}


def in_options(sentence: str) -> str:
    """The sentence with each advice as a shell takes it.

    >>> in_options(Sentence("To keep it: ", Advice("kinds", {"id": "numeric"}), "."))
    'To keep it: --kind id=numeric.'
    """
    return sentence.worded(as_option) if isinstance(sentence, Sentence) else sentence


def as_option(advice: Advice | NamedOption) -> str:
    """The advice as it is typed.

    >>> as_option(Advice("header", False)), as_option(Advice("decimal", "."))
    ('--no-header', "--decimal '.'")
    >>> as_option(Advice("ordered", {"size": ["S", "M"]}, more=True)), as_option(Advice("target"))
    ("--order 'size=S,M,…'", '--target COLUMN')
    >>> as_option(Advice("penalty", "l2", setting=True))
    '--set penalty=l2'
    >>> as_option(NamedOption("max_bytes"))
    '--max-bytes'
    """
    more = isinstance(advice, Advice) and advice.more
    if isinstance(advice, NamedOption) and isinstance(advice.value, EllipsisType):
        return f"--{_OTHERWISE_CALLED.get(advice.option, advice.option).replace('_', '-')}"
    if isinstance(advice, Advice) and advice.setting:
        return f"--set {_typed(f'{advice.option}={_plain(advice.value)}')}"
    name = _OTHERWISE_CALLED.get(advice.option, advice.option)
    flag = f"--{name.replace('_', '-')}"
    match advice.value:
        case EllipsisType():
            return f"{flag} {_STANDS_FOR.get(advice.option, 'VALUE')}"
        case True:
            return flag
        case False:
            return f"--no-{name}"
        case dict() as by_column if name == "recode":
            return " ".join(f"{flag} {_typed(text)}" for text in _recodings(by_column))
        case dict() as by_column:
            rest = ",…" if more and name == "order" else ""
            each = (
                f"{flag} {_typed(f'{column}={_plain(value)}{rest}')}" for column, value in by_column.items()
            )
            return " ".join(each)
        case value:
            return f"{flag} {_typed(_plain(value))}"


def _recodings(by_column: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """All values of a column at once, or one by one where a comma is part of them."""
    for column, values in by_column.items():
        if any("," in text for text in (*values, *values.values())):
            yield from (f"{column}={old}:{new}" for old, new in values.items())
        else:
            yield f"{column}={_plain(values)}"


def _plain(value: Any) -> str:
    """A value as options spell it: lists with commas, pairs as name:value, none for None."""
    match value:
        case EllipsisType():
            return "…"
        case None | bool():
            return str(value).lower()
        case str():
            return value
        case Mapping():
            return ",".join(f"{name}:{_plain(each)}" for name, each in value.items())
        case Iterable():
            return ",".join(map(_plain, value))
        case _:
            return str(value)


def _typed(text: str) -> str:
    # A lone mark is quoted though a shell needs no quotes: beside a full stop it would be lost.
    return quote(text) if any(map(str.isalnum, text)) else f"'{text}'"
