"""Deciding: calibration, a cutoff, costs and referring, chosen by rows and kept in the model."""
