"""Programs in programming languages: one file each, that needs nothing else."""
