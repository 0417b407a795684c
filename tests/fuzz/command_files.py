"""Files to try commands with: tables, models of every kind, rules as text, and what is none of these."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Final

import clearwood as cw
from clearwood.models.files import to_json
from clearwood.models.kinds.rules.rule_text import columns_text

TABLES: Final = ("d.csv", "d.jsonl", "odd.csv")
MODELS: Final = ("tree.json", "rules.json", "bayes.json", "linear.json", "numbers.json")
RULES: Final = ("rules.txt", "rules.json", "tree.json")
WRONG: Final = (
    *("empty.csv", "bytes.csv", "cut.json", "cut.json.gz", "folder", "gone.csv", "folder/gone.json"),
    *("tree.json/x", "gone.json.gz"),
)
OUTPUTS: Final = ("new.json", "new.csv", "new.csv.gz", "new.svg", "new.txt", "new.html", "new.mmd", "new.dot")
COLUMNS: Final = ("Outlook", "Temperature", "Humidity", "Wind", "Play")
ODD_COLUMNS: Final = ("=1+1", "\x1b[2J", "<b>x</b>", "Play", "zip")
CLASSES: Final = ("Play", "Don't Play")


def write_files(folder: Path) -> None:
    """Put all of them into an empty folder."""
    (folder / "folder").mkdir()
    for name, content in _files().items():
        (folder / name).write_bytes(content)


@cache
def _files() -> dict[str, bytes]:
    path = cw.datasets.path("tennis_numeric")
    plain = path.read_bytes()
    table = cw.read_table(path, target="Play")
    tree = cw.C45().learn(table)
    rules = cw.rules_of(tree)
    header, *rows = plain.decode().splitlines()
    records = [dict(zip(header.split(","), row.split(","), strict=True)) for row in rows]
    odd = ['"=1+1","\x1b[2J",<b>x</b>,Play,zip']
    odd += [f'{i % 3},"-{i}",{"é☃"[i % 2]},{"yn"[i % 2]},{"" if i == 3 else f"{i:05d}"}' for i in range(12)]
    return {
        "d.csv": plain,
        "d.jsonl": "\n".join(f"{record}".replace("'", '"') for record in _plain(records)).encode(),
        "odd.csv": "\n".join(odd).encode(),
        "empty.csv": b"",
        "bytes.csv": bytes(range(256)) * 4,
        "cut.json": to_json(tree).encode()[:300],
        "cut.json.gz": gzip.compress(to_json(tree).encode(), mtime=0)[:60],
        "tree.json": to_json(tree).encode(),
        "rules.json": to_json(rules).encode(),
        "rules.txt": f"{columns_text(table.schema)}\n{cw.write_rules(rules)}\n".encode(),
        "bayes.json": to_json(cw.NaiveBayes().learn(table)).encode(),
        "linear.json": to_json(cw.Logistic(penalty="l2").learn(table)).encode(),
        "numbers.json": to_json(cw.CART().learn(cw.read_table(path, target="Humidity"))).encode(),
    }


def _plain(records: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{name: cell.replace("'", "") for name, cell in record.items()} for record in records]
