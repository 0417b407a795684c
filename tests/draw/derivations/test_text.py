"""Derivations in a terminal read as a person would write them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.boxes import Style
from clearwood.draw.derivations.sheet import written_number
from clearwood.draw.derivations.text import in_line, in_lines
from clearwood.errors import SettingError
from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Compared,
    Exp,
    Expression,
    Extreme,
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
    exact_of,
)
from clearwood.words.columns import display_width
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid
from tests.hand_made_derivation import everything, tennis
from tests.typed import mistyped

X, Y, P = Symbol("x"), Symbol("y"), Symbol("p", "c")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Negative(Over("Σ", "c", Product((P, Log(P))))), "−Σ_c p_c·log₂ p_c"),
        (Quotient(Sum((X, Y)), Number(2)), "(x + y)/2"),
        (Quotient(Number(1), Quotient(X, Y)), "1/(x/y)"),
        (Quotient(Quotient(X, Y), Number(2)), "(x/y)/2"),
        (Quotient(Product((X, Y)), Product((X, Y))), "x·y/(x·y)"),
        (Product((Sum((X, Negative(Y))), X)), "(x − y)·x"),
        (Negative(Sum((X, Y))), "−(x + y)"),
        (Sum((X, Negative(Sum((X, Y))))), "x − (x + y)"),
        (Sum((X, Number(-2))), "x − 2"),
        (Product((X, Number(-2))), "x·(−2)"),
        (Sum((Negative(X), Negative(Negative(Y)))), "−x − (−y)"),
        (Power(Quotient(Number(9), Number(14)), Number(2)), "(9/14)²"),
        (Power(X, Sum((Y, Number(1)))), "x^(y + 1)"),
        (Power(Number(2), Symbol("k")), "2ᵏ"),
        (Power(Negative(X), Number(2)), "(−x)²"),
        (Negative(Power(X, Number(2))), "−x²"),
        (Root(Quotient(X, Y)), "√(x/y)"),
        (Product((Root(Number(2)), X)), "(√2)·x"),
        (Exp(Negative(X)), "exp(−x)"),
        (Product((Log(X), Y)), "(log₂ x)·y"),
        (Log(Sum((X, Y)), "e"), "ln(x + y)"),
        (Log(Number(5), "10"), "log₁₀ 5"),
        (Binomial(Number(9), Number(2)), "C(9, 2)"),
        (Extreme("max", (X, Number(0))), "max(x, 0)"),
        (Compared(Sum((X, Y)), "≤", Number(3)), "x + y ≤ 3"),
        (Over("argmax", "a", Applied("Gain", (Symbol("a"),))), "argmax_a Gain(a)"),
        (Product((Over("Σ", "i", X), Y)), "(Σ_i x)·y"),
        (Over("Σ", "i", Sum((X, Y))), "Σ_i (x + y)"),
        (Symbol("x", "10"), "x₁₀"),
        (Product(()), "1"),
        (Sum(()), "0"),
    ],
)
def test_brackets_stand_where_they_are_needed(expression: Expression, text: str) -> None:
    assert in_line(expression, Style()) == text


_WHOLE = st.integers(1, 9).map(Number)
_JOINED = st.recursive(
    _WHOLE,
    lambda part: st.one_of(
        st.lists(part, min_size=2, max_size=3).map(lambda of: Sum(tuple(of))),
        st.lists(part, min_size=2, max_size=3).map(lambda of: Product(tuple(of))),
        part.map(Negative),
        st.tuples(part, part).map(lambda two: Quotient(*two)),
        part.map(lambda of: Power(of, Number(2))),
    ),
    max_leaves=8,
)


@given(_JOINED)
def test_what_is_written_means_what_is_computed(expression: Expression) -> None:
    text = in_line(expression, Style())
    for mark, code in (("−", "-"), ("·", "*"), ("²", "**2"), ("⁻", "-")):
        text = text.replace(mark, code)
    text = "".join(f"F({c})" if c.isdigit() and text[k - 2 : k] != "**" else c for k, c in enumerate(text))
    exact = exact_of(expression)
    if exact is not None:
        assert eval(text, {"F": Fraction}) == exact


def test_long_sums_break_before_their_signs() -> None:
    lines = in_lines(Sum(tuple(Quotient(Number(k), Number(14)) for k in range(1, 9))), Style(), 20)
    assert lines == ["1/14 + 2/14 + 3/14", "+ 4/14 + 5/14 + 6/14", "+ 7/14 + 8/14"]


def test_a_line_breaks_outside_brackets_where_it_can() -> None:
    long = Sum(tuple(Symbol(f"term {k}") for k in range(4)))
    assert in_lines(Sum((Quotient(long, long), X)), Style(), 40) == [
        "(term 0 + term 1 + term 2 + term 3)",
        "/(term 0 + term 1 + term 2 + term 3) + x",
    ]
    assert in_lines(Sum((Product((X, long)), Product((Y, long)))), Style(), 44) == [
        "x·(term 0 + term 1 + term 2 + term 3)",
        "+ y·(term 0 + term 1 + term 2 + term 3)",
    ]


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (0.9402859586706311, 5, "0.94029"),
        (0.9402859586706311, 4, "0.9403"),
        (0.9709505944546686, 4, "0.971"),
        (14.0, 4, "14"),
        (1234567, 2, "1,234,567"),
        (0.0, 4, "0"),
        (-1e-9, 3, "−1×10⁻⁹"),
        (2.5e20, 4, "2.5×10²⁰"),
        (float("inf"), 4, "∞"),
        (float("nan"), 4, "undefined"),
        (999.96, 4, "1,000.0"),
    ],
)
def test_numbers_have_so_many_digits(number: float, digits: int, text: str) -> None:
    assert str(written_number(number, digits)) == text


def test_the_root_of_tennis_in_full() -> None:
    assert (
        write_derivation(tennis())
        == """\
How a tree grew from tennis
═══════════════════════════

Growing
───────

1. All rows (14 rows)
  H(S) = −Σ_c p_c·log₂ p_c
       = −(9/14)·log₂(9/14) − (5/14)·log₂(5/14)
       ≈ 0.9403 bits
  Gain(Outlook) = H(S) − Σ_v (n_v/n)·H(S_v)
                = 0.9403 − (5/14)·0.971 − (4/14)·0 − (5/14)·0.971
                ≈ 0.2467 bits
    Outlook by class
      Outlook   Yes  No      H
      Sunny       2   3  0.971
      Overcast    4   0      0
      Rainy       3   2  0.971
    H(S) ≈ 0.9403 bits  (as above)
    H(Sunny) = −Σ_c p_c·log₂ p_c
             = −(2/5)·log₂(2/5) − (3/5)·log₂(3/5)
             ≈ 0.971 bits
      5 rows: Outlook = Sunny
    H(Overcast) = −Σ_c p_c·log₂ p_c
                = −(4/4)·log₂(4/4) − (0/4)·log₂(0/4)
                = 0 bits
      4 rows: Outlook = Overcast
    H(Rainy) = −Σ_c p_c·log₂ p_c
             = −(3/5)·log₂(3/5) − (2/5)·log₂(2/5)
             ≈ 0.971 bits
      5 rows: Outlook = Rainy
  asked = argmax_a Gain(a)
        = Outlook
    Its gain is the greatest.
      attribute      gain
    → Outlook      0.2467
      Temperature  0.0292
      Humidity     0.1518
      Wind         0.0481
  → Outlook is asked: its gain is the greatest.
"""
    )


def test_the_root_of_tennis_in_short() -> None:
    assert write_derivation(tennis(), detail="short").split("\n")[6:] == [
        "1. All rows (14 rows)",
        "  H(S) = 0.9403 bits",
        "  Gain(Outlook) = 0.2467 bits",
        "    H(Sunny) = 0.971 bits",
        "    H(Overcast) = 0 bits",
        "    H(Rainy) = 0.971 bits",
        "  asked = Outlook",
        "  → Outlook is asked: its gain is the greatest.",
        "",
    ]


def test_a_worksheet_has_numbered_blanks_and_a_key_to_them() -> None:
    sheet = write_derivation(tennis(), detail="worksheet")
    key = write_derivation(tennis(), detail="worksheet", answers=True)
    assert "  H(S) = −Σ_c p_c·log₂ p_c\n       = ① ____" in sheet
    assert "      Sunny       2   3\n" in sheet  # its entropy is asked below, with room to compute it
    assert "  ① = −(9/14)·log₂(9/14) − (5/14)·log₂(5/14)\n    ≈ 0.9403 bits" in key
    assert re.search(r"^  \S+ = −\(2/5\).*\n +≈ 0\.971", key, re.M)
    for text in ("0.9403", "0.2467", "0.971", "9/14", "greatest"):
        assert text in key
        assert text not in sheet
    assert "→ Outlook" not in sheet


def test_a_long_grid_is_shown_around_the_row_that_was_chosen() -> None:
    grid = Grid("Cuts", ("cut", "gain"), [(f"x ≤ {k}", k) for k in range(50)], chosen=30)
    derivation = Derivation("Cuts", [Step("", "One", (Figure("cut", None, grids=(grid,)),), "")])
    text = write_derivation(derivation, most_rows=4)
    assert "  … 28 more\n" in text
    assert "    → x ≤ 30    30\n" in text
    assert "  … 18 more\n" in text
    assert "more" not in write_derivation(derivation, most_rows=None)


def test_a_worksheet_gives_what_was_counted_and_no_hint_at_what_was_chosen() -> None:
    rows = [(f"x ≤ {k}", k, 1.0, k / 4, "out" if k == 30 else "") for k in range(50)]
    grid = Grid("Cuts", ("cut", "rows", "H", "gain", ""), rows, 20, lambda row: Figure(f"H {row}", 1.0))
    step = Step("", "One", (Figure("best", None, grids=(grid,)),), "")
    sheet = write_derivation(Derivation("Cuts", [step]), detail="worksheet", most_rows=3)
    assert "      x ≤ 0     0  ① ________  ② ________\n" in sheet
    assert "→" not in sheet
    assert "… 47 more" in sheet
    assert "out" not in write_derivation(Derivation("Cuts", [step]), detail="worksheet", most_rows=None)


def test_a_row_of_a_grid_shows_its_work_once() -> None:
    def figure_of(row: int) -> Figure:
        return Figure(f"gain {row}", row / 2, put_in=Quotient(Number(row), Number(2)))

    def text(rows: int) -> str:
        grid = Grid("", ("cut", "gain"), [(f"{k}", k / 2) for k in range(rows)], 1, figure_of)
        figures = (Figure("best", None, grids=(grid,)), figure_of(1))
        return write_derivation(Derivation("Cuts", [Step("", "One", figures, "")]))

    assert [text(3).count(f"gain {k} = {k}/2") for k in range(3)] == [1, 1, 1]
    assert [text(30).count(f"gain {k} = {k}/2") for k in range(3)] == [0, 1, 0]


def test_lines_keep_to_the_width_and_control_characters_are_visible() -> None:
    text = write_derivation(everything(), width=60)
    assert "two\\nlines" in text
    assert not any(line.strip() == "lines" for line in text.split("\n"))
    sums = [line for line in text.split("\n") if "1.5 + 1.5" in line]
    assert len(sums) > len(everything())
    assert max(map(display_width, sums)) <= 60


def test_nothing_is_said_twice_and_in_short_what_has_no_value_says_why() -> None:
    n = Symbol("n")
    one = Figure("n", 1.0, Over("Σ", "c", n), Sum((Number(1),)))
    none = Figure("Gain(Outlook)", None, because="All rows have the same value.")
    derivation = Derivation("One row", [Step("", "Root", (one, none), "")])
    assert "  n = Σ_c n\n    = 1\n  Gain(Outlook)\n    All rows" in write_derivation(derivation)
    assert write_derivation(derivation, detail="short").endswith(
        "1. Root\n  n = 1\n  Gain(Outlook): All rows have the same value.\n"
    )
    assert "All rows" not in write_derivation(derivation, detail="worksheet")  # for that would be an answer
    assert "All rows" in write_derivation(derivation, detail="worksheet", answers=True)


def test_columns_of_a_grid_that_find_no_room_stand_below_the_others() -> None:
    heads = ("side", *(f"score-of-learner-{place}" for place in range(4)))
    grid = Grid("Scores", heads, [("left", 1, 2, 3, 4), ("right", 5, 6, 7, 8)])
    derivation = Derivation("Wide", [Step("", "Root", (Figure("best", 1.0, grids=(grid,)),), "")])
    lines = write_derivation(derivation, width=51).splitlines()
    assert max(map(len, lines)) <= 51
    assert [line.split() for line in lines[-6:]] == [
        ["side", "score-of-learner-0", "score-of-learner-1"], ["left", "1", "2"], ["right", "5", "6"],
        ["side", "score-of-learner-2", "score-of-learner-3"], ["left", "3", "4"], ["right", "7", "8"],
    ]  # fmt: skip


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(SettingError, match="Did you mean 'full'"):
        write_derivation(tennis(), detail=mistyped("ful"))
    with pytest.raises(SettingError, match="Did you mean 'text'"):
        write_derivation(tennis(), format=mistyped("txt"))
    with pytest.raises(SettingError, match="key to a worksheet"):
        write_derivation(tennis(), answers=True)
    with pytest.raises(SettingError, match="most_rows must be 1 or more, or None for all rows, not -1"):
        write_derivation(tennis(), most_rows=-1)
    with pytest.raises(SettingError, match="width must be at least 40"):
        write_derivation(tennis(), width=20)
    with pytest.raises(SettingError, match="digits must lie between 1 and 17, not 0"):
        write_derivation(tennis(), digits=0)
