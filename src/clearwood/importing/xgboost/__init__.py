"""Models of XGBoost: boosters, and their files in JSON or UBJSON."""
