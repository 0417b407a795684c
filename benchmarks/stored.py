"""Results as JSON: a run replaces the comparisons it measured, and the others stay with their own date."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.judging import Judged, Section
from benchmarks.timing import Outcome

Facts = dict[str, str]


@dataclass(frozen=True, slots=True)
class Results:
    """Sections in the order of the report, and the machine, versions and load of each run by its date."""

    runs: dict[str, Facts]
    sections: list[Section]

    def with_section(self, section: Section, facts: Facts, order: Iterable[str]) -> Results:
        """This section instead of the older one of its name; comparisons that are no more are left out.

        >>> old = Results({"May": {"cores": "2"}}, [Section("tree", "", "s", "May", [], [])])
        >>> new = old.with_section(Section("csv", "", "s", "June", [], []), {"cores": "4"}, ("csv", "tree"))
        >>> [(section.name, section.run) for section in new.sections]
        [('csv', 'June'), ('tree', 'May')]
        """
        by_name = {each.name: each for each in self.sections} | {section.name: section}
        sections = [by_name[name] for name in order if name in by_name]
        runs = {**self.runs, section.run: facts}
        used = {each.run for each in sections}
        return Results({run: runs[run] for run in sorted(used, reverse=True)}, sections)


def load(place: Path) -> Results:
    """What the file holds; nothing where there is none."""
    if not place.is_file():
        return Results({}, [])
    stored = json.loads(place.read_text(encoding="utf-8"))
    sections = [
        replace(
            Section(**each),
            outcomes=[Outcome(**outcome) for outcome in each["outcomes"]],
            goals=[Judged(**goal) for goal in each["goals"]],
        )
        for each in stored["comparisons"]
    ]
    return Results(stored["runs"], sections)


def save(results: Results, place: Path) -> None:
    contents = {"runs": results.runs, "comparisons": [asdict(section) for section in results.sections]}
    place.write_text(json.dumps(contents, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
