"""A Proof: whether a target answers as the model does, on which rows, and where not."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from clearwood.errors import SettingError
from clearwood.exporting.proof.certificate import Certificate, ProofStatus
from clearwood.exporting.proof.row_verdicts import RowDifference
from clearwood.files import is_stream, write_whole
from clearwood.table.raw import Row


@dataclass(frozen=True)
class Proof:
    """`rows` are all that the target was given; `different` those that it answers otherwise than the model.

    `status` is "passed", "failed" or, where the target is not here, "not run"; `because` says why it was not,
    or what was wrong before anything could be compared, or that a certificate verified was of no run.
    """

    status: ProofStatus
    rows: tuple[Row, ...] = field(repr=False)
    different: tuple[RowDifference, ...] = field(repr=False)
    certificate: Certificate = field(repr=False)
    because: str = ""

    @property
    def passed(self) -> bool:
        """Was it run, and was every answer the same?"""
        return self.status == "passed"

    def save(self, path: str | Path) -> None:
        """Write the certificate: as text if the name ends in .txt, as JSON for `verify` if in .json."""
        check_ending(path)
        if Path(path).suffix.lower() == ".txt":
            write_whole(path, f"{self.certificate}\n".encode())
        else:
            write_whole(
                path, json.dumps(self.certificate.to_json(), indent=1, ensure_ascii=False).encode() + b"\n"
            )

    def __str__(self) -> str:
        # What has passed gives no reason in its certificate, but may have one where it was verified.
        return (
            f"{self.certificate}\n{self.because}" if self.passed and self.because else f"{self.certificate}"
        )


def check_ending(path: str | Path) -> None:
    """Refuse a name that does not say whether the certificate is to be JSON or text; a stream gets JSON."""
    if Path(path).suffix.lower() not in (".json", ".txt") and not is_stream(Path(path)):
        raise SettingError(
            f"A certificate is JSON or text: name a file that ends in .json or .txt, not {path}."
        )
