"""Rule texts by the grammar, then damaged; what is read prints, and reads back as the same list."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

from clearwood.editing.reading import load_model_or_rules, read_rules
from clearwood.formulas.conditions import written
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rule_reading import parse_answer, parse_rule, parse_rules
from clearwood.models.kinds.rules.rule_text import columns_text, write_rules
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from tests.fuzz.cases import Case
from tests.fuzz.model_files import check_model
from tests.fuzz.mutation import NASTY_TEXT, mutated
from tests.fuzz.watching import nothing_is_run

_SCHEMAS: Final = (
    Schema(
        (
            Nominal("Outlook", ("Sunny", "Overcast", "Rain")),
            Numeric("Humidity"),
            Ordinal("Wind", ("None", "Weak", "Strong")),
        ),
        Nominal("Play", ("Play", "Don't Play")),
    ),
    Schema(
        (
            Nominal("if", ("then", "", " ", '"', "a, b", "{x}", "# no", "\x1b[2J", "refer")),
            Numeric("x < 3"),
            Ordinal("is not", ("missing", "known", "or missing")),
            Text("a note"),
        ),
        Nominal("refer", ("refer", "nothing", "1 (2 rows)")),
    ),
    Schema((Numeric("x"), Nominal("y", ("a",))), Numeric("price")),
)
_NUMBERS: Final = (
    *("0", "-1", "75", "2.5", "1e5", "-0.0", "∞", "-∞", "−3", "0.1", "20.999999999999996", "1e308", "5e-324"),
)
_NO_NUMBERS: Final = ("1e999", "nan", "1_0", "0x1", "١", "9" * 400, "1,5")
_STATES: Final = ("missing", "known", "not missing")
_TOKENS: Final = (
    *(b"IF ", b" AND ", b" THEN ", b"OTHERWISE ", b"ALWAYS", b" or missing", b" is known", b" is missing"),
    *(
        b" in {",
        b"}",
        b"(",
        b")",
        b"<",
        b"\xe2\x89\xa4",
        b">=",
        b"!=",
        b" not ",
        b"RULES VOTE\n",
        b"#",
        b"#: ",
    ),
    *(
        b'#: column {"name": "x", "kind": "numeric"}\n',
        b'#: target {"name"',
        b"\\u0041",
        b'"\\ud800"',
        b'"\\U0',
    ),
    *NASTY_TEXT,
)


def case(random: Random, folder: Path) -> Case:
    """A text over a schema that the dice choose, read in one of the ways there are."""
    schema = random.choice(_SCHEMAS)
    text = _text(schema, random)
    by_file = random.random() < 0.3
    if by_file and random.random() < 0.8:
        text = f"{columns_text(schema)}\n{text}"
    content = text.encode("utf-8", "surrogatepass")
    for _ in range(random.choice((0, 1, 1, 2))):
        content = mutated(content, random, _TOKENS)
    number = random.randrange(1 << 30)
    if by_file:
        path = folder / "rules.txt"
        path.write_bytes(content)
        given = schema if random.random() < 0.3 else None
        return Case(f"load({content[:2000]!r})", lambda: _read_file(path, given, Random(number)))
    shown = content.decode("utf-8", "surrogateescape" if random.random() < 0.2 else "replace")
    return Case(f"rules {shown[:2000]!r} over {schema}", lambda: _read(shown, schema, Random(number)))


def _read_file(path: Path, schema: Schema | None, random: Random) -> None:
    with nothing_is_run():
        rules = load_model_or_rules(path, schema)
        assert isinstance(rules, RuleList)
        _check(rules, random)


def _read(text: str, schema: Schema, random: Random) -> None:
    with nothing_is_run():
        match random.randrange(6):
            case 0:
                parse_answer(_answer(schema, random), schema)
            case 1:
                rule = parse_rule(text.partition("\n")[0], schema, "mine.txt")
                _check(RuleList(schema, (rule,)), random)
            case 2:
                _check(read_rules(text, schema), random)
            case _:
                _check(parse_rules(text, schema), random)


def _check(rules: RuleList, random: Random) -> None:
    printed = write_rules(rules)
    again = parse_rules(printed, rules.schema)
    assert again == rules, f"reads back as another list: {printed}"
    assert write_rules(again) == printed
    check_model(rules, random)


def _text(schema: Schema, random: Random) -> str:
    lines = [_rule(schema, random) for _ in range(random.choice((0, 1, 1, 1, 2, 3)))]
    if random.random() < 0.15:
        lines.insert(0, "RULES VOTE")
    if random.random() < 0.5:
        lines.append(f"{random.choice(('OTHERWISE', 'else'))} {_answer(schema, random)}")
    return random.choice(("\n", "\n", "\r\n", "\n\n# a remark\n")).join(lines)


def _rule(schema: Schema, random: Random) -> str:
    if random.random() < 0.1:
        return f"ALWAYS THEN {_answer(schema, random)}"
    joined = random.choice((" AND ", " and ", " & ", "\n  AND "))
    conditions = joined.join(_condition(schema, random) for _ in range(random.choice((1, 1, 2, 4))))
    remark = random.choice(("", "", "  (3 rows, 67 %)", " # why"))
    return f"IF {conditions} THEN {_answer(schema, random)}{remark}"


def _answer(schema: Schema, random: Random) -> str:
    assert schema.target is not None
    if random.random() < 0.1:
        return random.choice(("refer", "nothing", "Maybe", ""))
    answers = (
        _number(random) if isinstance(schema.target, Numeric) else written(random.choice(schema.classes))
    )
    name = random.choice((f"{written(schema.target.name)} = ", f"{written(schema.target.name)} is ", ""))
    return f"{name}{answers}"


def _condition(schema: Schema, random: Random) -> str:
    """A condition that this column can be asked, mostly."""
    columns = [each for each in schema.attributes if not isinstance(each, Text) or random.random() < 0.1]
    attribute = random.choice(columns)
    name, value, other = written(attribute.name), _value(attribute, random), _value(attribute, random)
    less, more = random.choice(("<", "<=", "≤")), random.choice((">", ">=", "≥"))
    ways = [f"{name} {random.choice(('=', 'is'))} {value}", f"{name} is {random.choice(_STATES)}"]
    is_odd = random.random() < 0.1
    if is_odd or not isinstance(attribute, Nominal):
        ways += [f"{name} {less} {value}", f"{name} {more} {value}", f"{value} {less} {name}"]
        ways += [f"{value} {less} {name} {less} {other}", f"{value} {more} {name} {more} {other}"]
    if is_odd or isinstance(attribute, Nominal | Ordinal):
        ways += [f"{name} in {{{value}, {other}}}", f"{name} in {{{value}}}"]
    if is_odd:
        ways += [f"{name} != {value}", f"{name} not {value}", f"{name} in {{}}"]
    condition = random.choice(ways)
    condition += " or missing" if "is missing" not in condition and random.random() < 0.2 else ""
    return f"({condition})" if random.random() < 0.2 else condition


def _value(attribute: Attribute, random: Random) -> str:
    match attribute:
        case Nominal() | Ordinal():
            return written(random.choice(attribute.values))
        case _:
            return _number(random)


def _number(random: Random) -> str:
    return random.choice(_NO_NUMBERS if random.random() < 0.05 else _NUMBERS)
