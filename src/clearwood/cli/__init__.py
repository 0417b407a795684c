"""The command line: `main` runs the command in `sys.argv`, `run` any."""

from clearwood.cli.process import main as main
from clearwood.cli.process import run as run
