"""Accounts: what stands behind the answers of models that add up."""
