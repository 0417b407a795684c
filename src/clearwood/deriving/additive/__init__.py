"""How an additive model came by its curves, and how the points of a row add up."""
