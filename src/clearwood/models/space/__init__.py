"""The input space of models: every row that could be, in boxes, and how a model's answers divide it."""
