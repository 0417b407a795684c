"""Fingerprint: it is this very model, learned from these very rows."""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.errors import SettingError
from clearwood.models.files.fingerprint import model_fingerprint
from clearwood.words.lists import with_and


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintIs:
    """The fingerprint of the `model` is this, or that of the `training` rows that it was learned from."""

    model: str = ""
    training: str = ""
    name: str = ""

    def check_keys(self) -> None:
        """Refuse an assertion without digits."""
        if not self.model and not self.training:
            raise SettingError("Give model, training, or both: the digits that the fingerprint must have.")

    @property
    def title(self) -> str:
        of = [f"of the model is {self.model}"] if self.model else []
        return "the fingerprint " + with_and(
            [*of, f"of its training rows is {self.training}"] if self.training else of
        )


def check_fingerprint(asserted: FingerprintIs, given: ModelAndRows) -> AssertionVerdict:
    """Exact: sixteen digits of all that the model holds, or that it keeps of its rows."""
    pairs = [
        ("model", asserted.model, model_fingerprint(given.model)),
        ("training rows", asserted.training, given.model.origin.fingerprint),
    ]
    # A certificate has all 64 digits of the model.
    wrong = [(what, own) for what, digits, own in pairs if digits and digits.lower()[:16] != own]
    because = "; ".join(f"that of the {what} is {own or 'unknown'}" for what, own in wrong)
    title = asserted.name or asserted.title
    return AssertionVerdict("fingerprint", title, not wrong, True, "exact, by the digits", because)
