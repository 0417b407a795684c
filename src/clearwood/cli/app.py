"""The commands, one line each."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.audit import audit
from clearwood.cli.bayes_rule import bayes_rule
from clearwood.cli.calibration import calibration
from clearwood.cli.compare import compare
from clearwood.cli.derive import derive
from clearwood.cli.draw import draw
from clearwood.cli.edit import edit
from clearwood.cli.evidence import evidence
from clearwood.cli.explain import explain
from clearwood.cli.fit import fit
from clearwood.cli.learners import learners
from clearwood.cli.predict import predict
from clearwood.cli.prune import prune
from clearwood.cli.report import report
from clearwood.cli.rules import rules
from clearwood.cli.schema import schema
from clearwood.cli.scorecard import scorecard
from clearwood.cli.show import show

app = typer.Typer(
    name="clearwood",
    help="Learn classifiers a person can read.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from clearwood import __version__

        typer.echo(f"clearwood {__version__}")
        raise typer.Exit


@app.callback(epilog="Begin with: clearwood fit DATA --target COLUMN")
def clearwood(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Learn classifiers a person can read."""


for command in (
    fit,
    report,
    show,
    draw,
    predict,
    derive,
    compare,
    explain,
    evidence,
    calibration,
    schema,
    prune,
    rules,
    audit,
    edit,
    scorecard,
    bayes_rule,
    learners,
):
    app.command()(command)
