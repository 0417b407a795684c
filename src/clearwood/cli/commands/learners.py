"""`clearwood learners`: every learner, pruner, selector and way to balance, with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, assert_never

from clearwood.catalogue import BALANCERS, LEARNERS, PRUNERS, SELECTORS
from clearwood.cli.options import Json, argument, options
from clearwood.cli.output import print_json, print_line
from clearwood.cli.settings import bounded_words_for, default_text
from clearwood.errors import SettingError, no_such
from clearwood.records import dataclass
from clearwood.registry import Setting, settings_of
from clearwood.words.columns import in_columns

if TYPE_CHECKING:
    from clearwood.models.lineage import RowsUsed


@options()
class LearnersOptions:
    """What `clearwood learners` takes."""

    name: str | None = argument(
        "[NAME]", "Only this learner, pruner, selector or way to balance.", default=None
    )
    as_json: Json = False


def run(asked: LearnersOptions) -> None:
    """List them all, or describe the one that is named."""
    name = asked.name
    everything = [*LEARNERS, *PRUNERS, *SELECTORS, *BALANCERS]
    if name is not None and name.lower() not in everything:
        kinds = "learners, pruners, selectors and balances"
        raise SettingError(no_such("learner, pruner, selector or balance", name, everything, plural=kinds))
    chosen = [_described(each) for each in (everything if name is None else [name.lower()])]
    if asked.as_json:
        print_json({each.name: each.to_json() for each in chosen})
        return
    print_line("\n\n".join(map(str, chosen)))
    if name is None:
        print_line(
            "\nGive a learner's settings to fit as --set NAME=VALUE, a pruner's as --prune PRUNER:NAME=VALUE,"
            " a selector's as --select SELECTOR:NAME=VALUE, those of a way to balance as"
            " --balance WAY:NAME=VALUE."
        )


@dataclass(frozen=True, slots=True)
class _Described:
    """A learner, pruner, selector or way to balance with what the catalogue has about it."""

    name: str
    about: str
    maker: Any
    presets: Mapping[str, Any]
    more: Mapping[str, str]  # what it makes, which rows it needs, or what its scores are
    rows: str = ""  # the latter in a sentence

    @property
    def settings(self) -> list[tuple[Setting, Any]]:
        """Its settings, each with its default here."""
        known = settings_of(self.maker).values()
        return [(each, self.presets.get(each.name, each.default)) for each in known]

    def __str__(self) -> str:
        lines = in_columns(
            [
                (
                    f"  {each.name}",
                    "(none)" if each.required else default_text(default),
                    f"{each.meaning} ({bounded_words_for(each)})",
                )
                for each, default in self.settings
            ]
        )
        return "\n".join([f"{self.name}: {self.about}{self.rows}", *lines])

    def to_json(self) -> dict[str, Any]:
        return {
            "about": self.about,
            **self.more,
            "settings": [
                {
                    "name": each.name,
                    "default": _plain(default),
                    "required": each.required,
                    "takes": bounded_words_for(each),
                    "means": each.meaning,
                }
                for each, default in self.settings
            ],
        }


def _described(name: str) -> _Described:
    if name in LEARNERS:
        entry = LEARNERS[name]
        return _Described(name, entry.about, entry.load(), entry.presets, {"makes": entry.makes})
    if name in BALANCERS:
        balancer = BALANCERS[name]
        draws = {"draws": "by seed" if balancer.draws else "nothing"}
        return _Described(name, balancer.about, balancer.balance, {}, draws)
    if name in SELECTORS:
        selector = SELECTORS[name]
        return _Described(name, selector.about, selector.order, {}, {"scores_by": selector.score})
    pruner = PRUNERS[name]
    return _Described(name, pruner.about, pruner.prune, {}, {"needs_rows": pruner.needs}, _rows(pruner.needs))


def _rows(needs: RowsUsed) -> str:
    """Which rows a pruner needs, in a sentence after the one about it."""
    match needs:
        case "none":
            return ""
        case "training":
            return " It needs the rows that the tree was learned from."
        case "fresh":
            return " It needs rows that the tree has not seen."
        case _:
            assert_never(needs)


def _plain(default: Any) -> Any:
    """A default as JSON has it: a learner by its name."""
    plain = default is None or isinstance(default, bool | int | float | str | tuple)
    return default if plain else default_text(default)
