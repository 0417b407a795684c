"""What `effect` does: the answers of a model along one column, as a table of figures or a chart."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from clearwood.cli.charting import check_chart
from clearwood.cli.learning import literal_choice
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.positive import note_on_positive
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, rows_for
from clearwood.draw.charts.effects import dependence as chart
from clearwood.errors import SettingError, no_such
from clearwood.explain.dependence import Dependence, Effect, local_effects, partial_dependence
from clearwood.words.columns import in_columns
from clearwood.words.numbers import number, row_count


def run(
    model: Path,
    data: str,
    reading: Reading,
    output: Output,
    *,
    column: str,
    kind: str,
    called: str | None,
    points: int,
    place: Path | None,
    schema: Path | None,
) -> None:
    """Print the effect, or draw it."""
    way: Effect = literal_choice("kind", kind, Literal["partial", "local"])
    check_chart(place, data, model)
    loaded = load_model(model, schema)
    table = rows_for(loaded, data, reading, output)
    verb = partial_dependence if way == "partial" else local_effects
    effect = verb(loaded, table, column, points=points)
    if called is not None and called not in effect.scores:
        raise SettingError(no_such("class", called, effect.scores, plural="classes"))
    notes = [*table.notes, *(note_on_positive(loaded, called, "The chart is") if place is not None else [])]
    if place is not None:
        note(notes[len(table.notes) :], output)
        drawn = chart(effect, called)
        drawn.save(place)
        note([f"Drawn to {place}: {drawn.alt}"], output)

    def data_of() -> dict[str, Any]:
        data = effect.to_json()
        if called is not None:
            data["centre"], data["mean"] = ({called: data[key][called]} for key in ("centre", "mean"))
        return data

    answer(output, text=lambda: _text(effect, called), data=data_of, notes=notes, saved=place)


def _text(effect: Dependence, called: str | None) -> str:
    shown = [called] if called is not None else list(effect.scores)
    places = [effect.scores.index(name) for name in shown]
    what = "mean prediction" if effect.effect == "partial" else "added to the mean prediction"
    lines = [(effect.column, *shown)]
    for at, place in enumerate(effect.places):
        figures = (f"{effect.mean[at, k]:{'.4f' if effect.effect == 'partial' else '+.4f'}}" for k in places)
        lines.append((number(place) if isinstance(place, float) else str(place), *figures))
    return "\n".join([f"{what} over {row_count(effect.rows)}", *in_columns(lines, "figures")])
