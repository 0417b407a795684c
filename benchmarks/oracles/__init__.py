"""Oracles: other people's programs, run live, whose trees ours must equal."""
