"""What stands at the top of an exported file: what it predicts, by which model, and how it is known again."""

from __future__ import annotations

from clearwood.export.comments import one_line
from clearwood.export.exportable import (
    Exportable,
    cells_to_prepare,
    export_title,
    fingerprint_of,
    gives_points,
)
from clearwood.export.writer_version import writer_version


def heading_of(model: Exportable) -> tuple[str, str]:
    """Two sentences without line breaks: what it is, and what wrote it of which model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> heading_of(cw.ID3().learn(table))[0]
    'Predict PlayTennis: ID3, 5 leaves.'
    """
    target = "" if model.schema.target is None else model.schema.target.name
    what = one_line(f"Predict {target}: {export_title(model)}.")
    kind = "scorecard" if gives_points(model) else "model"
    written = f"Written by Clearwood {writer_version()} from the {kind} {fingerprint_of(model)[:16]}."
    return what, one_line(f"{written} {cells_to_prepare(model)}".strip())
