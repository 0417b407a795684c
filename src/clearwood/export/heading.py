"""What stands at the top of an exported file: what it predicts, by which model, and how it is known again."""

from __future__ import annotations

from clearwood import __version__
from clearwood.export.comments import one_line
from clearwood.models.files.fingerprint import model_fingerprint
from clearwood.models.model import Model, how_large


def heading_of(model: Model) -> tuple[str, str]:
    """Two sentences without line breaks: what it is, and what wrote it of which model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> heading_of(cw.ID3().learn(table))[0]
    'Predict PlayTennis: ID3, 5 leaves.'
    """
    target = "" if model.schema.target is None else model.schema.target.name
    what = one_line(f"Predict {target}: {model.origin.title}, {how_large(model)}.")
    return what, f"Written by Clearwood {__version__} from the model {model_fingerprint(model)}."
