"""What `evidence` does: what each cell of one row says for the answer, as bars that add up to it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.rows import notes_on_values, reference_in, row_given
from clearwood.cli.sources import load_kind
from clearwood.draw.explanation import draw_evidence
from clearwood.errors import SettingError
from clearwood.explain.evidence import check_adds_up, evidence
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel

_SUMS: Final[tuple[type[BayesTables | LinearModel | Ensemble | AdditiveModel], ...]] = (
    BayesTables,
    LinearModel,
    Ensemble,
    AdditiveModel,
)
_MOST: Final = 20  # bars that a page holds


def run(
    model: Path,
    row: list[str] | None,
    called: str | None,
    against: str | None,
    *,
    relative_to: str | None,
    most: int | None,
    as_json: bool,
) -> None:
    """Log-odds of the answer, column by column."""
    if not row:
        raise SettingError("Name one row: --row COLUMN=VALUE,…")
    if most is not None and as_json:
        raise SettingError("--most is for the drawing; --json has every bar. Leave one of them out.")
    why = (
        ", whose predictions are not sums of evidence. To see why it predicts as it does: "
        "clearwood explain MODEL --row COLUMN=VALUE,…"
    )
    loaded = load_kind(model, _SUMS, why)
    if isinstance(loaded, Ensemble):
        check_adds_up(loaded)
    cells = row_given(row, loaded)
    output, notes = Output(as_json=as_json), notes_on_values(cells, loaded)
    note(notes, output)
    pieces = evidence(loaded, cells, against=reference_in(relative_to, loaded))

    def data() -> dict[str, Any]:
        bars = pieces.bars(called, against) if len(pieces.classes) > 1 else ()
        return {
            "answer": pieces.answer,
            "shares": dict(zip(pieces.classes, pieces.shares, strict=True)),
            "bars": [asdict(bar) for bar in bars],
            "pieces": [
                {**asdict(each), "logs": dict(zip(pieces.classes, each.logs, strict=True))}
                for each in pieces.pieces
            ],
            "compared_with": pieces.compared or None,
            "by_limit": pieces.by_limit,
        }

    answer(
        output,
        text=lambda: draw_evidence(pieces, called, against, most=most or _MOST),
        data=data,
        notes=notes or ...,
    )
