"""Linear models: weights that add up to log odds."""
