"""Trees: ID3, C4.5, CART and CHAID, each beside its definition over counts; pruning."""
