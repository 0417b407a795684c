"""Text that comes from data, made safe for the place it is written to."""

import re
from typing import Final

# What XML cannot hold at all: control characters, halves of surrogate pairs, two non-characters.
_UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MARKS: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_MARKUP: Final = re.compile("[&<>\"']")


def visible(text: str) -> str:
    """The text with line breaks and other control characters spelled out.

    >>> print(visible("two\\nlines"))
    two\\nlines
    """
    return _UNWRITABLE.sub(lambda character: repr(character[0])[1:-1], text)


def escape_xml(text: str) -> str:
    """The text inside an element or an attribute of SVG or HTML.

    >>> escape_xml('<script>"a" & b</script>')
    '&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;'
    """
    return _MARKUP.sub(lambda character: _MARKS[character[0]], visible(text))


def escape_latex(text: str) -> str:
    r"""The text in a paragraph of LaTeX, or in a \text of its mathematics.

    >>> print(escape_latex("100 % of $5 & {a_b} ≤ x²"))
    100 \% of \$5 \& \{a\_b\} $\le$ x\textsuperscript{2}
    """
    return "".join(_IN_LATEX.get(each, each) for each in visible(text))


def escape_markdown(text: str) -> str:
    r"""The text in a paragraph, a heading, a list or a table of Markdown, as GitHub reads it.

    >>> print(escape_markdown("a|b *c* <d> $5"), escape_markdown("1. a"), escape_markdown("- a"))
    a\|b \*c\* \<d\> \$5 1\. a \- a
    """
    return _BLOCK.sub(r"\1\\\2", _IN_MARKDOWN.sub(r"\\\g<0>", visible(text)))


_IN_MARKDOWN: Final = re.compile(r"[\\`*_{}\[\]<>|#$~&]")
_BLOCK: Final = re.compile(r"^(\s*\d*)([-+=.)])(?=[-=\s]|$)")  # what begins a list, or underlines a heading

_GREEK: Final = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_IN_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{mark: f"\\{mark}" for mark in "_$%&#{}"},
    "−": "$-$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "≈": r"$\approx$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "√": r"$\surd$",
    "…": r"\ldots{}",
    **{letter: rf"$\{name}$" for letter, name in _GREEK.items()},
    "∝": r"$\propto$",
    "½": r"$\frac12$",
    "ȳ": r"$\bar y$",
    **{sign: rf"\textsuperscript{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    "⁻": r"\textsuperscript{$-$}",
    **{sign: rf"$_{{{digit}}}$" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{chr(0x245F + number): f"({number})" for number in range(1, 21)},  # ① to ⑳
    **{chr(0x323C + number): f"({number})" for number in range(21, 36)},
    **{chr(0x328D + number): f"({number})" for number in range(36, 51)},
}
