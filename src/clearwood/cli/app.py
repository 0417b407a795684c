"""The commands, one line each."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.commands.audit import audit
from clearwood.cli.commands.bayes_rule import bayes_rule
from clearwood.cli.commands.bias_variance import bias_variance
from clearwood.cli.commands.calibration import calibration
from clearwood.cli.commands.choose import choose
from clearwood.cli.commands.compare import compare
from clearwood.cli.commands.decide import decide
from clearwood.cli.commands.derive import derive
from clearwood.cli.commands.distil import distil
from clearwood.cli.commands.draw import draw
from clearwood.cli.commands.edit import edit
from clearwood.cli.commands.effect import effect
from clearwood.cli.commands.evaluate import evaluate
from clearwood.cli.commands.evidence import evidence
from clearwood.cli.commands.explain import explain
from clearwood.cli.commands.fit import fit
from clearwood.cli.commands.importances import importances
from clearwood.cli.commands.learning_curve import learning_curve
from clearwood.cli.commands.look_over import look_over
from clearwood.cli.commands.overfitting import overfitting
from clearwood.cli.commands.predict import predict
from clearwood.cli.commands.prune import prune
from clearwood.cli.commands.report import report
from clearwood.cli.commands.rules import rules
from clearwood.cli.commands.schema import schema
from clearwood.cli.commands.scorecard import scorecard
from clearwood.cli.commands.select import select
from clearwood.cli.commands.show import show
from clearwood.cli.commands.stability import stability
from clearwood.cli.commands.stable_rules import stable_rules
from clearwood.cli.commands.tune import tune
from clearwood.cli.grouped import grouped
from clearwood.cli.helping import Command, Program
from clearwood.cli.learners import learners

app = typer.Typer(
    name="clearwood",
    cls=Program,
    help="Learn classifiers a person can read.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
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
    choose,
    report,
    show,
    draw,
    predict,
    evaluate,
    derive,
    compare,
    explain,
    evidence,
    effect,
    importances,
    calibration,
    decide,
    learning_curve,
    bias_variance,
    overfitting,
    stability,
    look_over,
    schema,
    select,
    prune,
    distil,
    rules,
    stable_rules,
    audit,
    edit,
    scorecard,
    bayes_rule,
    tune,
    learners,
):
    app.command(cls=Command)(grouped(command))
