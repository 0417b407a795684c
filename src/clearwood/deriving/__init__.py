"""How each number came about: figures with their formulas, counted again from the table."""
