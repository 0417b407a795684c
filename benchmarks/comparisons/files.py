"""A CSV file to a saved model, as a whole process."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.processes import python
from benchmarks.tables import CENSUS_TARGET, census_like

# Each script is what its users write: read, code the strings, learn, save.
PANDAS_SCIKIT_LEARN = """
import pickle, sys
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier
frame = pd.read_csv(sys.argv[1])
y = frame.pop(sys.argv[2])
words = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
coding = make_column_transformer((OrdinalEncoder(), words), remainder="passthrough")
model = make_pipeline(coding, DecisionTreeClassifier(min_samples_leaf=2, random_state=0)).fit(frame, y)
pickle.dump(model, open(sys.argv[3], "wb"))
"""
YDF = """
import sys
import ydf
ydf.verbose(0)
ydf.CartLearner(label=sys.argv[2], num_threads=2).train("csv:" + sys.argv[1]).save(sys.argv[3])
"""


def _enter(size: Size) -> Sequence[Entrant]:
    # Kept alive by the closures below; the folder goes when the comparison is done.
    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    census_like(size.rows(300_000)).to_csv(place / "census.csv", index=False)
    fit = ["-m", "clearwood", "fit", "census.csv", "--target", CENSUS_TARGET, "--learner", "c45"]
    return [
        Contestant(OURS, lambda: (folder, python([*fit, "--save", "m.json"], place))[1]),
        entrant(
            "pandas + scikit-learn",
            "sklearn.tree",
            lambda: python(["-c", PANDAS_SCIKIT_LEARN, "census.csv", CENSUS_TARGET, "m.pickle"], place),
        ),
        entrant("YDF", "ydf", lambda: python(["-c", YDF, "census.csv", CENSUS_TARGET, "m.ydf"], place)),
    ]


COMPARISONS = (
    Comparison(
        "csv",
        "A CSV file of 300,000 × 41 to a saved model, the whole process (C4.5 with its defaults for ours)",
        _enter,
        (faster("pandas + scikit-learn", 3), faster("YDF", 3)),
    ),
)
