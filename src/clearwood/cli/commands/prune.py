"""`clearwood prune`: a saved tree made smaller, and the ledger of what was cut and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clearwood.catalogue import PRUNERS
from clearwood.cli.learning import pruning_of
from clearwood.cli.options import PRUNING, REQUIRED, Data, ModelPath, Output, Save, flag, option, options
from clearwood.cli.output import answer, check_place, next_with_changed
from clearwood.cli.sources import Reading, load_kind, rows_for, save_model
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.study.recipe import Pruning
    from clearwood.table.table import Table


@options()
class PruneOptions:
    """What `clearwood prune` takes."""

    model: ModelPath
    data: Data
    reading: Reading
    method: str = option("NAME", f"One of: {', '.join(PRUNERS)}.", PRUNING, default=REQUIRED, among=PRUNERS)
    settings: list[str] | None = option(
        "NAME=VALUE",
        "A setting of the pruner, may be repeated; clearwood learners lists them.",
        PRUNING,
        name="--set",
        short="-s",
    )
    work: bool = flag("Show every split, kept or cut, with its numbers.")
    save: Save = None
    output: Output


def run(asked: PruneOptions) -> None:
    """Prune the tree, and judge it before and after."""
    from clearwood.cli.drawing import model_text, page_width
    from clearwood.deriving.pruning import derive_pruning
    from clearwood.draw.derivations import write_derivation
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.scoring.evaluation import evaluate
    from clearwood.study.scores import evaluation_to_json, phrase

    if asked.work and asked.output.as_json:
        raise SettingError("--work is for a person to read; --json has the ledger as data. Leave one out.")
    pruning = pruning_of(asked.method, asked.settings)
    check_place(asked.save, asked.data, asked.model)
    tree = load_kind(asked.model, (Tree,), ", not a tree; only trees are pruned. For rules: clearwood edit.")
    table = rows_for(tree, asked.data, asked.reading, asked.output)
    pruned = pruning(tree, table)
    on_scores = _on_scores(pruning, tree, table)
    before, after = evaluate(tree, table), evaluate(pruned.tree, table)
    save_model(pruned.tree, asked.save)

    def text() -> str:
        parts = [str(pruned.ledger)]
        if asked.work:
            worked = derive_pruning(pruned.ledger, tree, table)
            parts[0] = f"{write_derivation(worked, width=page_width())}\n{parts[0]}"
        if not asked.output.quiet:
            parts.append(model_text(pruned.tree))
        weighted = table.weights is not None
        scores = f"before  {phrase(before, weighted=weighted)}\nafter   {phrase(after, weighted=weighted)}"
        return "\n\n".join([*parts, "\n".join([scores, *on_scores])])

    def data_of() -> dict[str, Any]:
        scores = {"scores_before": evaluation_to_json(before), "scores_after": evaluation_to_json(after)}
        return {**pruned.ledger.to_json(), **scores}

    answer(
        asked.output,
        text=text,
        data=data_of,
        notes=[*table.notes, *on_scores],
        saved=asked.save,
        then=next_with_changed(asked.save, asked.model),
    )


def _on_scores(pruning: Pruning, tree: Tree, rows: Table) -> list[str]:
    """What must be known of scores on these rows, if they chose something."""
    from clearwood.study.known_rows import is_learned_from, learned_from_words

    if pruning.needs_fresh_rows:
        return [
            "The scores are on the rows that chose the pruning: those after it, and their interval, are too "
            "good. Evaluate the pruned tree on other rows."
        ]
    if is_learned_from(tree, rows):
        return ["The scores are on the rows that the tree was learned from: they are too good."]
    known = learned_from_words(tree, rows)
    return [f"{known}: the scores are too good."] if known else []
