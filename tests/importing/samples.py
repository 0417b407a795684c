"""A sample of every form in which each importer takes models; a new importer has a line in `SAMPLES`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

STORED: Final = Path(__file__).parent / "stored"


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=2).fit([[1.0, 5.0], [2.0, 3.0], [4.0, 4.0]], ["no", "yes", "no"])


def _booster(library: str) -> Any:
    rows = np.array([[each % 7, each % 5] for each in range(60)])
    target = [each % 2 for each in range(60)]
    if library == "lightgbm":
        import lightgbm

        return lightgbm.LGBMClassifier(n_estimators=2, verbose=-1, n_jobs=1, min_child_samples=5).fit(
            rows, target
        )
    import xgboost

    return xgboost.XGBClassifier(n_estimators=2, max_depth=2, n_jobs=1).fit(rows, target)


# By the name of the importer: files, and functions that make objects. The first is proven by the importer's
# `ask`, where what it runs is installed.
SAMPLES: Final[dict[str, tuple[Path | Callable[[], Any], ...]]] = {
    "pmml": (STORED / "pmml" / "tree.pmml",),
    "lightgbm": (
        STORED / "lightgbm_binary.txt",
        STORED / "lightgbm_binary.json",
        lambda: _booster("lightgbm"),
    ),
    "xgboost": (
        STORED / "xgboost_binary.json",
        STORED / "xgboost_binary.ubj",
        lambda: _booster("xgboost"),
    ),
    "scikit-learn": (_tree,),
}


def samples_of(name: str) -> tuple[Path | Callable[[], Any], ...]:
    """The samples of the importer of this name."""
    assert name in SAMPLES, f"Enter a sample of '{name}' in SAMPLES of tests/importing/samples.py."
    return SAMPLES[name]


def made(sample: Path | Callable[[], Any]) -> Any:
    """The file, or the object, made now."""
    return sample if isinstance(sample, Path) else sample()
