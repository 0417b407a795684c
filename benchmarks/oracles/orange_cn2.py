"""Orange's CN2 on tables of codes and numbers: JSON in, JSON out, run by an interpreter that has Orange.

In: {"kinds": [null or a number of values], "classes": n, "rows": [[…, class]], "folds": [[test rows]]};
a missing cell is null. "learners" names one of the two. Out, for the learners as they come: rules, accuracy
by fold, seconds.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np


def main() -> None:
    warnings.filterwarnings("ignore")
    from Orange.classification.rules import CN2Learner, CN2UnorderedLearner
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    given = json.load(sys.stdin)
    attributes = [
        ContinuousVariable(f"a{i}")
        if size is None
        else DiscreteVariable(f"a{i}", [f"v{j}" for j in range(size)])
        for i, size in enumerate(given["kinds"])
    ]
    domain = Domain(attributes, DiscreteVariable("class", [f"c{j}" for j in range(given["classes"])]))
    cells = np.array(given["rows"], dtype=np.float64)
    table = Table.from_numpy(domain, cells[:, :-1], cells[:, -1])
    learned: dict[str, Any] = {}
    learners = {"ordered": CN2Learner, "unordered": CN2UnorderedLearner}
    for name in given.get("learners", learners):
        learner = learners[name]
        start = time.perf_counter()
        rules = learner()(table).rule_list
        seconds = time.perf_counter() - start
        scores = [round(_accuracy(learner(), table, np.array(fold)), 6) for fold in given["folds"]]
        learned[name] = {"rules": len(rules), "scores": scores, "seconds": round(seconds, 3)}
    json.dump(learned, sys.stdout)


def _accuracy(learner: Any, table: Any, test: Any) -> float:
    train = np.setdiff1d(np.arange(len(table)), test)
    return float(np.mean(learner(table[train])(table[test]) == table.Y[test]))


if __name__ == "__main__":
    main()
