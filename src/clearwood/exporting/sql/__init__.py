"""SQL: a model as a query or as one expression, in the words of eight databases."""
