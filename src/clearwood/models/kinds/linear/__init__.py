"""Linear models: a weight for each term."""
