"""The program: the command that is called is read in full, the others only as far as the help lists them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer

from clearwood.cli.commands import COMMANDS
from clearwood.cli.grouped import Run, as_typer_reads
from clearwood.cli.helping import Command, Program


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
        help="Learn classifiers a person can read.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog="Begin with: clearwood fit DATA --target COLUMN")(_clearwood)
    for name, about in COMMANDS.items():
        if called in (None, name):
            app.command(name, cls=Command, help=about)(_in_full(name))
        elif called not in COMMANDS:  # a command that is there never shows the list of the others
            app.command(name, help=about)(_only_listed)
    return app


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
