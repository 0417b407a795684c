"""Fair comparison: models on the same rows, learners by the same folds, learners over many tables."""
