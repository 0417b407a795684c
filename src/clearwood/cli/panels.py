"""The panels of a command's help, and those that --help leaves to --help-all."""

from __future__ import annotations

from typing import Final

LEARNING: Final = "How to learn"
PRUNING: Final = "How to prune"
JUDGING: Final = "How to evaluate"
DIVIDING: Final = "How rows are divided"
COLUMNS: Final = "What the columns are"
READING: Final = "How the file is written"
TESTS: Final = "How to simplify"
WORKSHEETS: Final = "What a worksheet asks"
PREPARING: Final = "What is done to the rows first"
DECIDING: Final = "How it decides"
FAIRNESS: Final = "Fairness"
COMPARED: Final = "Which rules are compared"
POINTS: Final = "How points are counted"
SECTIONS: Final = "What else the page shows"
FOLDED: Final = (
    COMPARED,
    TESTS,
    DIVIDING,
    PREPARING,
    DECIDING,
    FAIRNESS,
    SECTIONS,
    COLUMNS,
    READING,
    WORKSHEETS,
)  # panels that --help leaves to --help-all
