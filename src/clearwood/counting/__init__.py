"""Counting: how often each class occurs with each value, in regions of a table."""
