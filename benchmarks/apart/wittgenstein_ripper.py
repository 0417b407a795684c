"""wittgenstein's RIPPER on a table of codes and numbers: JSON in, JSON out, run where wittgenstein is.

In: {"kinds": [null or a number of values], "rows": [[…, class]], "positive": the class of the rules}; a
missing cell is null, and becomes a value of its own. Out: rules, training rows answered right, seconds.
"""

from __future__ import annotations

import json
import sys
import time
import warnings


def main() -> None:
    warnings.filterwarnings("ignore")
    import pandas as pd
    import wittgenstein

    given = json.load(sys.stdin)
    columns = list(zip(*given["rows"], strict=True))
    frame = pd.DataFrame(
        {
            f"a{i}": columns[i]
            if size is None
            else ["?" if cell is None else f"v{cell:g}" for cell in columns[i]]
            for i, size in enumerate(given["kinds"])
        }
    )
    frame["class"] = columns[-1]
    learner = wittgenstein.RIPPER(random_state=0)
    start = time.perf_counter()
    learner.fit(frame, class_feat="class", pos_class=given["positive"])
    seconds = time.perf_counter() - start
    answers = learner.predict(frame.drop(columns="class"))
    right = sum(a == (b == given["positive"]) for a, b in zip(answers, columns[-1], strict=True))
    json.dump({"rules": len(learner.ruleset_.rules), "right": right, "seconds": seconds}, sys.stdout)


if __name__ == "__main__":
    main()
