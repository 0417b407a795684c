"""Web: the ES modules that pages share, and how they are joined into one script."""
