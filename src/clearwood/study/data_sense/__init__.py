"""Data sense: what a careful reader notices in a table before anything is learned from it."""
