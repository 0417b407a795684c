"""How a command reads its arguments and shows its help: one screen first, all options by --help-all."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

from clearwood.cli.panels import FOLDED
from clearwood.cli.streams import ReaderGoneError

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
