"""How rules came about and how they answer: what was looked at, tested, taken, shortened and dropped."""
