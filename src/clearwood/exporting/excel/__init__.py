"""Excel: a model as a workbook that works its answers out by formulas."""
