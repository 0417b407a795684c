"""How a command is declared: a frozen dataclass, whose fields are options or groups of them, in panels."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Any, Final, TypeAlias, get_type_hints

import typer

from clearwood.cli.completing import completion_of
from clearwood.errors import SettingError


def option(names: str, takes: str | None, meaning: str, panel: str | None = None, **more: Any) -> Any:
    """An option for an `Annotated` parameter or field; `names` have blanks between, a flag takes None.

    What it takes says how a shell completes it, unless that is given."""
    more.setdefault("autocompletion", completion_of(takes))
    return typer.Option(*names.split(), metavar=takes or "", help=meaning, rich_help_panel=panel, **more)


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
FOLDED: Final = (
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
)  # panels that --help leaves to --help-all


Run: TypeAlias = Callable[..., None]


def as_typer_reads(run: Run) -> Run:
    """`run(asked: FitOptions)` with each option as a parameter, all put together again when it is called.

    A group may hold groups. Every option of a command has one name, whichever group it comes from.
    """
    asked = get_type_hints(run)["asked"]
    parameters = list(_spread(asked))

    @wraps(run)
    def spread(**given: Any) -> None:
        run(_put_together(asked, "asked", given))

    # typer asks for both, and the one must say what the other does.
    vars(spread)["__signature__"] = inspect.Signature(parameters)
    spread.__annotations__ = {each.name: each.annotation for each in parameters}
    return spread


def given_in(*groups: Any) -> Iterator[str]:
    """The options of these groups that were given, as a person types them."""
    for group in groups:
        hints = _hints_of(type(group))
        for field in fields(group):
            value = getattr(group, field.name)
            if is_dataclass(value):
                yield from given_in(value)
            elif value not in (_default(field), []):
                yield _typed(hints[field.name], value)


def refuse_given(because: str, *groups: Any) -> None:
    """Refuse the first option of these groups that was given: `--weight` and why it has no place here."""
    for option in given_in(*groups):
        raise SettingError(f"{option} {because}")


_HINTS: Final[dict[Any, dict[str, Any]]] = {}


def _hints_of(group: Any) -> dict[str, Any]:
    """The annotations of a group, worked out once for all commands that have it."""
    if group not in _HINTS:
        # In the names of its module, so that what completes an option finds them when it is called.
        module = vars(sys.modules[group.__module__])
        _HINTS[group] = get_type_hints(group, module, {}, include_extras=True)
    return _HINTS[group]


def _spread(group: Any) -> Iterator[inspect.Parameter]:
    hints = _hints_of(group)
    for field in fields(group):
        hint = hints[field.name]
        if is_dataclass(hint):
            yield from _spread(hint)
        else:
            default = inspect.Parameter.empty if field.default is MISSING else field.default
            yield inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint
            )


def _put_together(hint: Any, name: str, given: dict[str, Any]) -> Any:
    if not is_dataclass(hint):
        return given[name]
    hints = _hints_of(hint)
    made: Any = hint
    return made(**{each.name: _put_together(hints[each.name], each.name, given) for each in fields(hint)})


def _default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


def _typed(hint: Any, value: Any) -> str:
    """The option's first spelling; of a pair such as --header/--no-header the one that says this."""
    option = hint.__metadata__[0]
    # Within Annotated, typer takes the first spelling for a default until it builds the command.
    spellings = [each for each in (option.default, *(option.param_decls or ())) if isinstance(each, str)]
    first = next(each for each in spellings if each.startswith("--"))
    yes, _, no = first.partition("/")
    return no if no and value is False else yes
