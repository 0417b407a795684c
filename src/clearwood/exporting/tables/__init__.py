"""Decision tables: a model as rows of conditions with an answer, for people and for rule engines."""
