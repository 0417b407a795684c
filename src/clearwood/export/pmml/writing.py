"""To write PMML: a tree of its own kind where PMML's trees say the same, derived fields elsewhere."""

from __future__ import annotations

from clearwood.errors import SettingError
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported
from clearwood.export.format import ExportFormat
from clearwood.export.pmml.derived import derived_model
from clearwood.export.pmml.document import PmmlNames, pmml_file, pmml_names
from clearwood.export.pmml.trees import tree_model
from clearwood.export.pmml.xml import is_xml
from clearwood.export.program.program import ModelProgram
from clearwood.export.program.program_of import program_of
from clearwood.export.refusing import refused_without_words


def to_pmml(model: Exportable) -> Exported:
    """PMML 4.4. A tree or a list of rules in which every row comes to one leaf or rule with an answer is a
    TreeModel; any other model is written as derived fields, in PMML's built-in functions. Shares are the
    outputs `probability(…)` either way."""
    program = program_of(model)
    names = pmml_names(model, program)
    _check_texts(program, names)
    own = tree_model(model, program, names)
    note = (
        "Written as a TreeModel." if own is not None else "Written as derived fields and a last small model."
    )
    text = pmml_file(model, program, names, derived_model(program, names) if own is None else own)
    return Exported("pmml", text, ".pmml", model, target="jpmml", notes=(note,))


def _check_texts(program: ModelProgram, names: PmmlNames) -> None:
    if any(not each.name for each in program.inputs):
        raise SettingError(
            "PMML has no columns without a name, but one here has none. Name it in the table and learn again."
        )
    texts = [names.target, *(each.name for each in program.inputs), *program.classes]
    texts += [each for column in program.inputs for each in getattr(column, "values", ())]
    for text in texts:
        if not is_xml(text):
            raise SettingError(
                f"XML cannot hold the text {text!r}. Rename it and learn again, or export to python."
            )


FORMAT = ExportFormat(
    "pmml", "PMML 4.4, which engines of scoring read", (".pmml",), to_pmml, refused_without_words
)
