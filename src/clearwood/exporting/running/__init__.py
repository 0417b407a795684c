"""Running an export in the program it was written for."""
