"""DMN: a model as a decision table that rule engines read, its conditions in FEEL."""
