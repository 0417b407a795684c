"""`clearwood evidence`: what each cell of one row says for the answer, as bars that add up to it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from clearwood.cli.options import Json, ModelPath, Output, RelativeTo, RowOption, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.sources import load_kind
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.bayes.bayes_tables import BayesTables
    from clearwood.models.kinds.ensemble.ensemble import Ensemble
    from clearwood.models.kinds.linear.linear_model import LinearModel

_MOST: Final = 20  # bars that a page holds


@options()
class EvidenceOptions:
    """What `clearwood evidence` takes."""

    model: ModelPath
    row: RowOption = None
    called: str | None = option(
        "CLASS", "Evidence for this class instead of the predicted one.", name="--positive"
    )
    against: str | None = option("CLASS", "Against this class instead of the second likeliest.")
    relative_to: RelativeTo = None
    most: int | None = option("N", "Show the N largest bars, and the sum of the others as one (20).", min=1)
    as_json: Json = False


def run(asked: EvidenceOptions) -> None:
    """Log-odds of the answer, column by column."""
    from clearwood.cli.rows import notes_on_values, reference_in, row_given
    from clearwood.draw.explanation import draw_evidence
    from clearwood.explaining.evidence import check_adds_up, evidence
    from clearwood.models.kinds.ensemble.ensemble import Ensemble

    if not asked.row:
        raise SettingError("Name one row: --row COLUMN=VALUE,…")
    if asked.most is not None and asked.as_json:
        raise SettingError("--most is for the drawing; --json has every bar. Leave one of them out.")
    why = (
        ", whose predictions are not sums of evidence. To see why it predicts as it does: "
        "clearwood explain MODEL --row COLUMN=VALUE,…"
    )
    loaded = load_kind(asked.model, _sums(), why)
    if isinstance(loaded, Ensemble):
        check_adds_up(loaded)
    cells = row_given(asked.row, loaded)
    output, notes = Output(as_json=asked.as_json), notes_on_values(cells, loaded)
    note(notes, output)
    pieces = evidence(loaded, cells, against=reference_in(asked.relative_to, loaded))

    def data() -> dict[str, Any]:
        bars = pieces.bars(asked.called, asked.against) if len(pieces.classes) > 1 else ()
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
        text=lambda: draw_evidence(pieces, asked.called, asked.against, most=asked.most or _MOST),
        data=data,
        notes=notes or ...,
    )


def _sums() -> tuple[type[BayesTables | LinearModel | Ensemble | AdditiveModel], ...]:
    """The models whose predictions are sums of evidence."""
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.bayes.bayes_tables import BayesTables
    from clearwood.models.kinds.ensemble.ensemble import Ensemble
    from clearwood.models.kinds.linear.linear_model import LinearModel

    return (BayesTables, LinearModel, Ensemble, AdditiveModel)
