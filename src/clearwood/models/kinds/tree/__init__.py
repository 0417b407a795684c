"""Trees: splits and leaves."""
