"""`clearwood effect`: how a saved model's answers go with one column, as figures or as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from clearwood.cli.evaluation_options import note_on_positive
from clearwood.cli.options import REQUIRED, ChartPath, Data, ModelPath, Output, SchemaOfRules, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import Reading, load_model, rows_for
from clearwood.errors import check_known
from clearwood.words.columns import in_columns
from clearwood.words.numbers import number, row_count

if TYPE_CHECKING:
    from clearwood.explaining.dependence import Dependence, Effect


@options()
class EffectOptions:
    """What `clearwood effect` takes."""

    model: ModelPath
    data: Data
    column: str = option("COLUMN", "The column whose effect is asked.", default=REQUIRED, name="--of")
    kind: str = option(
        "NAME",
        "partial: the mean prediction at each value; local: what each step between neighbours adds.",
        default="partial",
        name="--as",
    )
    called: str | None = option("CLASS", "The effect on this class (guessed of two).", name="--positive")
    points: int = option("N", "Places along a numeric column.", default=40, min=2)
    picture: ChartPath = None
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: EffectOptions) -> None:
    """Print the effect, or draw it."""
    from clearwood.explaining.dependence import local_effects, partial_dependence

    way: Effect = literal_choice("kind", asked.kind, Literal["partial", "local"])
    check_chart(asked.picture, asked.data, asked.model)
    loaded = load_model(asked.model, asked.schema)
    table = rows_for(loaded, asked.data, asked.reading, asked.output)
    verb = partial_dependence if way == "partial" else local_effects
    effect = verb(loaded, table, asked.column, points=asked.points)
    if asked.called is not None:
        check_known("class", asked.called, effect.scores, plural="classes")
    notes = [] if asked.picture is None else note_on_positive(loaded, asked.called, "The chart is")
    note(notes, asked.output)
    save_chart("dependence", effect, asked.called, place=asked.picture, output=asked.output)

    def data_of() -> dict[str, Any]:
        data = effect.to_json()
        if asked.called is None:
            return data
        return data | {name: {asked.called: data[name][asked.called]} for name in ("centre", "mean")}

    answer(
        asked.output,
        text=lambda: _text(effect, asked.called),
        data=data_of,
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )


def _text(effect: Dependence, called: str | None) -> str:
    shown = [called] if called is not None else list(effect.scores)
    places = [effect.scores.index(name) for name in shown]
    what = "mean prediction" if effect.effect == "partial" else "added to the mean prediction"
    lines = [(effect.column, *shown)]
    for at, place in enumerate(effect.places):
        figures = (f"{effect.mean[at, k]:{'.4f' if effect.effect == 'partial' else '+.4f'}}" for k in places)
        lines.append((number(place) if isinstance(place, float) else str(place), *figures))
    return "\n".join([f"{what} over {row_count(effect.rows)}", *in_columns(lines, "figures")])
