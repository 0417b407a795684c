"""Tuning: settings tried in folds, validation curves, and what may be concluded from them."""
