"""Contest: learners judged alike, by one score on the same rows, and which of their models to take."""
