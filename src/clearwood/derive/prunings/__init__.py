"""How a pruner came to its ledger: every split it looked at, those that stayed too."""
