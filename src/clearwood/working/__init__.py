"""Working: figures, steps and outcomes, of which derivations are made."""
