"""`python -m clearwood` is the command line."""

from clearwood.cli import main

if __name__ == "__main__":
    main()
