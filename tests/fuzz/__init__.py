"""Fuzzing: many damaged or odd inputs by chance, each either accepted or refused by a sentence of ours.

`python -m tests.fuzz readers --seconds 60 --seed 1` runs one subject; without a name, all of them;
`--processes` runs the program itself and disturbs it. A failure is printed with the number of its case;
`--case NUMBER` runs that one alone and shows where it went wrong.
"""
