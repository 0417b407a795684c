"""How numbers and tables are written for people, once for the whole house."""
