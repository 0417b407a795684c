"""Bayes: how often each value comes with each class."""
