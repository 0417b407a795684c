"""What is fuzzed: one line per subject, each in a file of its own."""

from __future__ import annotations

from typing import Final

from tests.fuzz import arguments, exports, imports, model_files, pages, queries, readers, requests, rule_texts
from tests.fuzz.cases import Subject

SUBJECTS: Final[dict[str, Subject]] = {
    "readers": readers.case,
    "queries": queries.case,
    "model_files": model_files.case,
    "imports": imports.case,
    "exports": exports.case,
    "rule_texts": rule_texts.case,
    "arguments": arguments.case,
    "pages": pages.case,
    "requests": requests.case,
}
