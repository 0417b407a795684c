"""Reports: a whole study in one page that opens anywhere."""
