"""The name by which a class of scikit-learn is known here, which a class of others never has."""

from __future__ import annotations

from typing import Any


def class_name(fitted: Any) -> str:
    """The name of the class; with its module where scikit-learn did not write it, since such a class of the
    same name may answer otherwise.

    >>> class_name(1.5)
    'builtins.float'
    """
    kind = type(fitted)
    is_own = kind.__module__.partition(".")[0] == "sklearn"
    return kind.__name__ if is_own else f"{kind.__module__}.{kind.__name__}"
