"""The difference of two models: where they answer differently, and what else is not the same."""
