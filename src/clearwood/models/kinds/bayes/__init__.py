"""Bayes models: how often each value occurs with each class."""
