"""Plain definitions that only tests compare with: what the native routines must equal."""
