"""Ensembles: models whose predictions are combined."""
