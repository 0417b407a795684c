"""Runners: many exports in one process are answered as one by one, and one that fails spoils no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

import clearwood as cw
from clearwood.exporting import RUNNERS
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import NotRun, Ran, Runner, RunTask, TargetFailedError
from tests.exporting.every_format import formats_that_answer, marked
from tests.exporting.models_to_export import learners, made_rows, made_table

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
TREE = learners()["c45"].learn(made_table())
RULES = learners()["ripper"].learn(made_table())
NUMBERS = cw.CART(max_depth=3).learn(made_table(numeric=True))
ROWS = made_rows(40, 7, unseen=0.1)
BROKEN = {"onnx": b"no graph", "excel": b"no workbook"}


def tasks(format: str) -> list[RunTask]:
    exported = [export(model, format) for model in (TREE, RULES, NUMBERS)]
    return [RunTask(each, ROWS[: 10 * place]) for place, each in enumerate(exported, 2)]


@pytest.mark.parametrize("format", marked(formats_that_answer()))
def test_a_batch_is_answered_as_one_by_one_and_what_fails_spoils_no_other(format: str) -> None:
    good = tasks(format)
    runner = RUNNERS[good[0].exported.target]
    alone = [runner.run(each.exported, each.rows) for each in good]
    if isinstance(alone[0], NotRun):
        pytest.skip(alone[0].because)
    content = BROKEN.get(format, "this is nothing that runs (")
    broken = RunTask(replace(good[0].exported, content=content), ROWS)
    first, failed, *others = runner.run_many([good[0], broken, *good[1:]])
    assert [first, *others] == alone
    assert isinstance(failed, TargetFailedError)
    with pytest.raises(TargetFailedError):
        runner.run(broken.exported, broken.rows)


def test_many_are_run_in_as_few_processes_as_they_need() -> None:
    sizes: list[int] = []

    def counted(batch: object) -> list[Ran]:
        assert isinstance(batch, list)
        sizes.append(len(batch))
        return [Ran((), None, {})] * len(batch)

    exported = export(TREE, "python")
    assert len(Runner("counted", counted, most=4).run_many([RunTask(exported, ())] * 10)) == 10
    assert sizes == [4, 4, 2]
