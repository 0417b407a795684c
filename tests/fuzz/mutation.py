"""Damage by chance: bytes of a small file flipped, cut, repeated, or replaced by what is known to hurt."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random
from typing import Final

NASTY_TEXT: Final = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *(
            "",
            "?",
            "NA",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "-0.0",
            "0x10",
            "1_000",
            "٣",
            "−5",
            "9" * 400,
            "9" * 5000,
        ),
        *("9007199254740993", "00123", "1,200.00", "8.120,57", "0.5 %", "5%", "1 200", "\u00a0", "1.5\u00a0"),
        *(
            "2024-01-31",
            "31.01.2024",
            "20240131",
            "12:30",
            "true",
            "None",
            "=1+1",
            "\x1b[31m",
            "\ufeff",
            "\ud800",
        ),
        *(
            '"',
            "'",
            '""',
            "\\",
            "\\'",
            "%",
            "{",
            "}",
            "{}",
            "[",
            "]",
            ",",
            ";",
            "\t",
            "|",
            "\r",
            "\n",
            "\r\n",
            "\0",
        ),
        *("a" * 3000, "sep=;\n", "@data\n", "@attribute a {x,y}\n", "{0 x, 1 2}\n", "|", ".", ":"),
        *('{"a": 1, "a": 2}\n', '{"a": [1]}\n', "[" * 2000, '{"x": 1e400}\n', '"\\ud800"', "null"),
    )
)
_NASTY_NUMBERS: Final = (0, 1, -1, 127, 255, 256, 2**15, 2**30, 2**31 - 1, -(2**31), 2**40, 2**62, 2**63 - 1)


def mutated(data: bytes, random: Random, tokens: Sequence[bytes] = NASTY_TEXT) -> bytes:
    """The bytes with one to four faults."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        place = random.randrange(len(changed) + 1)
        length = random.choice((1, 1, 2, 4, 8, random.randrange(1, 40)))
        match random.randrange(8):
            case 0:
                changed[place : place + 1] = bytes([random.randrange(256)])
            case 1:
                del changed[place : place + length]
            case 2:
                changed[place:place] = changed[place : place + length] * random.choice((1, 2, 50))
            case 3 | 4:
                changed[place : place + random.choice((0, 0, 1, 3))] = random.choice(tokens)
            case 5:
                width, number = random.choice("bhiq"), random.choice(_NASTY_NUMBERS)
                limit = 8 * struct.calcsize(width)
                wrapped = (number + 2 ** (limit - 1)) % 2**limit - 2 ** (limit - 1)
                place -= place % struct.calcsize(width)
                changed[place : place + struct.calcsize(width)] = struct.pack("<" + width, wrapped)
            case 6:
                del changed[place:]
            case _:
                other = random.randrange(len(changed) + 1)
                piece = changed[other : other + length]
                changed[place : place + len(piece)] = piece
    return bytes(changed)
