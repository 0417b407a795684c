"""`clearwood scorecard`: a logistic model in whole points that a person can add up."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Json, Model


def scorecard(
    model: Model,
    points_per_doubling: Annotated[
        float, typer.Option(metavar="N", help="So many points more double the odds.")
    ] = 20,
    base: Annotated[float, typer.Option(metavar="N", help="The sum that stands for even odds.")] = 0,
    cuts: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=N,…", help="Points for intervals of a number instead of each unit."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Turn the weights of a logistic model of two classes into a table of points."""
    from clearwood.cli.options import pairs
    from clearwood.cli.reading import load_model
    from clearwood.cli.speaking import say, say_json
    from clearwood.errors import ModelFileError, SettingError
    from clearwood.explain.scorecard import PointsPerUnit
    from clearwood.explain.scorecard import scorecard as card_of
    from clearwood.models.linear_model import LinearModel

    loaded = load_model(model)
    if not isinstance(loaded, LinearModel):
        raise ModelFileError(
            f"{model} holds {loaded!r}; points come from weights. Make some: clearwood fit DATA -l logistic."
        )
    given = {}
    for name, text in pairs("--cuts", cuts, "COLUMN=N,…").items():
        try:
            given[name] = [float(each) for each in text.split(",")]
        except ValueError:
            raise SettingError(f"--cuts of '{name}' are numbers with commas between, not '{text}'.") from None
    card = card_of(loaded, points_per_doubling=points_per_doubling, base=base, cuts=given)
    if not as_json:
        say(str(card))
        return
    say_json(
        {
            "favours": card.favours,
            "points_per_doubling": card.points_per_doubling,
            "base": card.base,
            "start": card.start,
            "lines": [
                {"column": line.name, "points_per_unit": line.points, "missing": line.missing}
                if isinstance(line, PointsPerUnit)
                else {"when": str(line.when), "points": line.points}
                for line in card.lines
            ],
            "shares": [{"points": points, "share": share} for points, share in card.shares()],
        }
    )
