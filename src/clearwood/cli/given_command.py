"""The command that was given, told again: what a report needs to be made once more."""

from __future__ import annotations

import shlex
from typing import Any, Final

import typer

_HOW_TO_SPEAK: Final = ("as_json", "quiet")  # these change nothing of what is made


def command_of(context: typer.Context, **instead: str) -> str:
    """The options that were given, as a shell takes them; `instead` replaces the value of some by name."""
    words = ["clearwood", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE" or name in _HOW_TO_SPEAK:
            continue
        value = instead.get(name, context.params[name])
        if parameter.param_type_name == "argument":
            words.append(shlex.quote(str(value)))
        elif getattr(parameter, "is_flag", False):
            words.append(parameter.opts[0] if value else parameter.secondary_opts[0])
        else:
            for each in _several(value):
                words += [parameter.opts[0], shlex.quote(str(each))]
    return " ".join(words)


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
