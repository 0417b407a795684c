"""The program: how a command is found and shown.

The one that is called is read in full, the others only as far as the help lists them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any, Final, TypeAlias, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from clearwood.cli.commands import COMMANDS, PANELS
from clearwood.cli.options import FOLDED, parameters_of, put_together
from clearwood.cli.process import ReaderGoneError
from clearwood.registry import imported

Run: TypeAlias = Callable[..., None]


def as_typer_reads(run: Run) -> Run:
    """`run(asked: FitOptions)` with each option as a parameter, all put together again when it is called.

    Every option of a command has one name, whichever group it comes from.
    """
    asked = get_type_hints(run)["asked"]
    parameters = list(parameters_of(asked))

    @wraps(run)
    def spread(**given: Any) -> None:
        run(put_together(asked, given))

    # typer asks for both, and the one must say what the other does.
    vars(spread)["__signature__"] = inspect.Signature(parameters)
    spread.__annotations__ = {each.name: each.annotation for each in parameters}
    return spread


# The program: the command that is called is read in full, the others only as far as the help lists them.


_FIRST: Final = "These six are enough to begin with: choose, fit, show, evaluate, explain, predict."


def command_line(called: str | None) -> Any:
    """The program as it is run, built once for each command that is called."""
    return _built(called if called is None or called in COMMANDS else "")


@cache
def _built(called: str | None) -> Any:
    return typer.main.get_command(program(called))


def program(called: str | None = None) -> typer.Typer:
    """The program with the options of one command, or of all of them."""
    app = typer.Typer(
        name="clearwood",
        cls=Program,
        help=f"Learn classifiers a person can read.\n\n{_FIRST}",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog="Begin with: clearwood fit DATA --target COLUMN")(_clearwood)
    for panel, name in ((panel, name) for panel, names in PANELS.items() for name in names):
        if called in (None, name):
            app.command(name, cls=Command, help=_about(name), rich_help_panel=panel)(_in_full(name))
        elif called not in COMMANDS:  # a command that is there never shows the list of the others
            app.command(name, help=_about(name), rich_help_panel=panel)(_only_listed)
    return app


def _about(name: str) -> str:
    about = COMMANDS[name]
    if "{programs}" not in about:
        return about
    return about.format(programs=imported("clearwood.importing:programs_with_files")())


def _in_full(name: str) -> Run:
    module = name.replace("-", "_")
    module += "_" if iskeyword(module) else ""
    run: Run = import_module(f"clearwood.cli.commands.{module}").run
    return as_typer_reads(run)


def _only_listed() -> None:
    raise AssertionError("the command that is called is read in full")


def _version(requested: bool) -> None:
    if requested:
        from clearwood import __version__

        typer.echo(f"clearwood {__version__}")
        raise typer.Exit


def _clearwood(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Learn classifiers a person can read."""


# How a command reads its arguments and shows its help: one screen first, all options by --help-all.


_ALL: Final = "--help-all"
# What a command makes is saved (a model, a schema) or is its output (rows, a picture).
_WRITES: Final = ("--save", "--output")


class Program(TyperGroup):
    """The program itself."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _leave_flags_bare(self.get_params(ctx))
        super().format_help(ctx, formatter)


class Command(TyperCommand):
    """A command whose --help leaves the panels in `FOLDED` to --help-all."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_ALL] = _ALL in args
        try:
            return super().parse_args(ctx, ["--help" if each == _ALL else each for each in args])
        except Exception as error:  # typer's releases keep the class of unknown options in different places
            if getattr(error, "option_name", None) in ("-o", *_WRITES):
                own = {spelling for parameter in self.params for spelling in parameter.opts}
                vars(error)["possibilities"] = [each for each in _WRITES if each in own]
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # of a pipe that was named as an output; typer would end the program by 1
            raise ReaderGoneError from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        everything = ctx.meta.get(_ALL, False)
        panelled = [each for each in self.params if getattr(each, "rich_help_panel", None) in FOLDED]
        folded: list[Any] = [] if everything else panelled
        panels = list(dict.fromkeys(each.rich_help_panel for each in folded))
        more = ", ".join(f"{each[0].lower()}{each[1:]}" for each in panels)
        self.epilog = f"More options ({more}): clearwood {self.name} {_ALL}" if panels else None
        _leave_flags_bare(self.get_params(ctx))
        for each in folded:
            each.hidden = True
        try:
            super().format_help(ctx, formatter)
        finally:
            for each in folded:
                each.hidden = False


def _leave_flags_bare(parameters: list[Any]) -> None:
    """A flag takes nothing: no <bool> stands behind it."""
    for each in parameters:
        if getattr(each, "is_flag", False) and each.metavar is None:
            each.metavar = ""
