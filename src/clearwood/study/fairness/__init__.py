"""Fairness: for whom a model is right, and whether it learns what it may not ask."""
