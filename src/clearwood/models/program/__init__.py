"""A model as a short program: formulas over the cells of a row, from which languages are written."""
