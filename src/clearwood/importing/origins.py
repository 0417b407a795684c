"""The origin of an imported model: which program made it, and what that program calls it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from clearwood.models.lineage import Imported
from clearwood.models.origin import Origin
from clearwood.models.plain import Plain


def imported_from(
    program: str,
    version: str,
    called: str,
    *,
    settings: Mapping[str, Any] | None = None,
    rows: float = 0,
    fingerprint: str = "",
) -> Origin:
    """The origin of a model of another program; of its settings those are kept that are plain.

    >>> imported_from("scikit-learn", "1.9.1", "GaussianNB").title
    'scikit-learn GaussianNB'
    """
    from clearwood import __version__

    plain: dict[str, Plain] = {
        name: value for name, value in (settings or {}).items() if type(value) in (str, int, float, bool)
    }
    done = Imported(program, version, called, fingerprint)
    return Origin(" ".join(filter(None, (program, called))), plain, __version__, "", round(rows), (done,))


def file_fingerprint(content: bytes | memoryview) -> str:
    """Sixteen digits by which a file is known again."""
    return hashlib.sha256(content).hexdigest()[:16]
