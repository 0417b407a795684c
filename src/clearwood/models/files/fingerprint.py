"""A fingerprint of a model: sixteen digits that change if anything does that its file holds."""

from __future__ import annotations

from hashlib import sha256

from clearwood.models.files.storing import to_json
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model


def model_fingerprint(model: Model) -> str:
    """The first digits of the SHA-256 of its file's text: the same on every machine, whatever the file is
    called and however it is compressed. Exports and their certificates name a model by it.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model_fingerprint(cw.ID3().learn(table)) == model_fingerprint(cw.ID3().learn(table))
    True
    """
    check_kind("model_fingerprint", model)
    return sha256(to_json(model).encode("utf-8", "surrogatepass")).hexdigest()[:16]
