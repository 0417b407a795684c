"""Why this answer: what each cell of a row, or each column of a model, weighs."""
