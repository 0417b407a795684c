"""A derivation made by hand: the root of the tennis tree, with names that try every format."""

from __future__ import annotations

from fractions import Fraction

from clearwood.formulas.conditions import Equals
from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Compared,
    Exp,
    Expression,
    Log,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    ValueOf,
    value_of,
)
from clearwood.working.derivation import BecameSplit, Derivation, Step
from clearwood.working.figures import Figure, Grid, Rows

OUTLOOK = {"Sunny": (2, 3), "Overcast": (4, 0), "Rainy": (3, 2)}
NASTY = (
    "<script>alert(1)</script>",
    'a "b" & c',
    "100 % of $5_000 #1 {x} ~y^z \\end",
    "a|b *bold* `code` [l](u)",
    "two\nlines",
    "高さ",
    "ارتفاع",
)


def entropy(name: str, counts: tuple[int, ...], rows: Rows) -> Figure:
    shares = [Quotient(Number(count), Number(sum(counts))) for count in counts]
    put_in = Sum(tuple(Negative(Product((share, Log(share)))) for share in shares))
    p = Symbol("p", "c")
    formula = Negative(Over("Σ", "c", Product((p, Log(p)))))
    return Figure(name, value_of(put_in), formula, put_in, rows, "bits")


def tennis() -> Derivation:
    """The root's entropy and Outlook's gain, as a learner of trees tells them."""
    whole = entropy("H(S)", (9, 5), Rows(14.0))
    parts = {
        value: entropy(f"H({value})", counts, Rows(float(sum(counts)), (Equals("Outlook", value),)))
        for value, counts in OUTLOOK.items()
    }
    put_in = Sum(
        (
            _named(whole),
            *(
                Negative(Product((Quotient(Number(sum(counts)), Number(14)), _named(parts[value]))))
                for value, counts in OUTLOOK.items()
            ),
        )
    )
    n = Quotient(Symbol("n", "v"), Symbol("n"))
    formula = Sum(
        (
            Applied("H", (Symbol("S"),)),
            Negative(Over("Σ", "v", Product((n, Applied("H", (Symbol("S", "v"),)))))),
        )
    )
    grid = Grid(
        "Outlook by class",
        ("Outlook", "Yes", "No", "H"),
        [(value, *counts, parts[value].value) for value, counts in OUTLOOK.items()],
    )
    gain = Figure(
        "Gain(Outlook)",
        value_of(put_in),
        formula,
        put_in,
        Rows(14.0),
        "bits",
        grids=(grid,),
        under=(whole, *parts.values()),
    )
    gains = [0.2467, 0.0292, 0.1518, 0.0481]
    names = ["Outlook", "Temperature", "Humidity", "Wind"]
    best = Figure(
        "asked",
        "Outlook",
        Over("argmax", "a", Applied("Gain", (Symbol("a"),))),
        grids=(Grid("", ("attribute", "gain"), list(zip(names, gains, strict=True)), 0),),
        because="Its gain is the greatest.",
    )
    outcome = BecameSplit(tuple(Equals("Outlook", value) for value in OUTLOOK), (5 / 14, 4 / 14, 5 / 14), ())
    decision = "Outlook is asked: its gain is the greatest."
    steps = [Step("growing", "All rows", (whole, gain, best), decision, outcome, Rows(14.0), 0)]
    return Derivation("How a tree grew from tennis", steps)


def everything() -> Derivation:
    """Each kind of expression, and names that are markup in one format or another."""
    third = Number(Fraction(1, 3))
    expressions: list[Expression] = [
        Compared(Number(0.25), "≥", Number(0.2)),
        Root(Quotient(Sum((Number(2), Number(3))), Number(7))),
        Product((Root(Number(2)), Power(Sum((Number(1), third)), Number(2)))),
        Exp(Negative(Number(0.5))),
        Quotient(Binomial(Number(9), Number(2)), Quotient(Number(1), Number(3))),
        Negative(Sum((Number(1), Number(-2.5), Negative(Number(3))))),
        Product((Log(Number(3), "e"), Log(Number(100), "10"))),
        Applied("tail", (Number(7.99), Number(1)), 0.0047),
        Sum(tuple(Number(1.5) for _ in range(60))),
        Number(1.5e-7),
    ]
    figures = []
    for k, put_in in enumerate(expressions):
        name = NASTY[k % len(NASTY)]
        value = value_of(put_in)
        figures.append(
            Figure(
                name,
                bool(value) if isinstance(put_in, Compared) else value,
                Applied(name, (Symbol(name, name), Symbol("Σx²"))),
                put_in,
                Rows(1.0, (Equals(name, name),), name),
                name,
                name,
                (
                    Grid(
                        name, (name, "n", "share", name), [(name, 3, 1 / 3, True), (name, 4, None, False)], 1
                    ),
                ),
                (Figure(f"under {name}", name, because=name),),
            )
        )
    return Derivation(NASTY[0], [Step(name, name, tuple(figures), name) for name in NASTY])


def _named(figure: Figure) -> ValueOf:
    assert isinstance(figure.value, float)
    return ValueOf(figure.name, figure.value)
