"""`clearwood learners`: every learner and pruner, its settings, their defaults and what they mean."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from clearwood.cli.options import Json
from clearwood.cli.registry import LEARNERS, PRUNERS, Entry, find


def learners(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Only this learner or pruner.")] = None,
    as_json: Json = False,
) -> None:
    """List the learners and pruners with their settings."""
    from clearwood.cli.output import say, say_json

    everything = {**LEARNERS, **PRUNERS}
    chosen = (
        everything
        if name is None
        else {name.lower(): find("learner or pruner", name, everything, plural="learners and pruners")}
    )
    if as_json:
        say_json({each: _as_json(each, entry) for each, entry in chosen.items()})
        return
    say("\n\n".join(_as_text(each, entry) for each, entry in chosen.items()))
    if name is None:
        say(
            "\nGive a learner's settings to fit as --set NAME=VALUE, a pruner's as --prune PRUNER:NAME=VALUE."
        )


def _as_text(name: str, entry: Entry) -> str:
    from clearwood.cli.meanings import meaning_of
    from clearwood.cli.settings import settings_of, shown, words_for

    rows = [
        (
            each.name,
            shown(entry.presets.get(each.name, each.default)),
            words_for(each),
            meaning_of(name, each.name),
        )
        for each in settings_of(entry.load()).values()
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [
        f"  {setting:<{widths[0]}}  {default:<{widths[1]}}  {meaning} ({takes})"
        for setting, default, takes, meaning in rows
    ]
    return "\n".join([f"{name}: {entry.about}", *lines])


def _as_json(name: str, entry: Entry) -> dict[str, Any]:
    from clearwood.cli.meanings import meaning_of
    from clearwood.cli.settings import settings_of, words_for

    return {
        "about": entry.about,
        "settings": [
            {
                "name": each.name,
                "default": _plain(entry.presets.get(each.name, each.default)),
                "takes": words_for(each),
                "means": meaning_of(name, each.name),
            }
            for each in settings_of(entry.load()).values()
        ],
    }


def _plain(default: Any) -> Any:
    """A default as JSON has it: a learner by its name."""
    from clearwood.cli.settings import shown

    plain = default is None or isinstance(default, bool | int | float | str | tuple)
    return default if plain else shown(default)
