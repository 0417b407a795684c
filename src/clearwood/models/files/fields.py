"""The fields of a model file, read strictly: what is not as it must be is refused with its place."""

from __future__ import annotations

from typing import Final

from clearwood.errors import ModelFileError
from clearwood.table.strict_json import Strict

_STRICT: Final = Strict(ModelFileError)

refuse = _STRICT.refuse
fields = _STRICT.fields
as_list = _STRICT.as_list
as_number = _STRICT.as_number
