"""How trees came about: every node of the growing, every decision of the pruning, the way of one row."""
