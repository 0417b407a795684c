"""A spam filter is one command."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command

SPAM = [f"You have won a free prize number {i}, call now" for i in range(10)]
HAM = [f"See you at home around {i} then, my dear" for i in range(10)]


def test_a_table_of_messages_becomes_a_spam_filter(clearwood: Command) -> None:
    rows = [f'{label},"{text}"' for label, texts in (("spam", SPAM), ("ham", HAM)) for text in texts]
    Path("sms.csv").write_text("\n".join(["label,message", *rows]), encoding="utf-8")
    settings = ("--set", "ngrams=1,2", "--set", "stop_words=english", "--set", "text=bernoulli")
    done = clearwood(
        "fit", "sms.csv", "--target", "label", "--learner", "bayes", *settings, "--save", "m.json"
    )
    assert done.code == 0, done.err
    assert "Column 'message' holds free text" in done.err
    assert "free prize 0:10" in done.out
    assert "training  accuracy 100.0 %" in done.out
    Path("new.csv").write_text('message\n"FREE prize number 🎉"\nat home\n', encoding="utf-8")
    answered = clearwood("predict", "m.json", "new.csv")
    assert answered.code == 0, answered.err
    assert answered.out.splitlines()[1:] == ['"FREE prize number 🎉",spam', "at home,ham"]


def test_a_message_with_commas_and_equals_signs_is_one_cell(clearwood: Command) -> None:
    rows = [f'{label},"{text}",1' for label, texts in (("spam", SPAM), ("ham", HAM)) for text in texts]
    Path("sms.csv").write_text("\n".join(["label,message,size", *rows]), encoding="utf-8")
    clearwood("fit", "sms.csv", "--target", "label", "--learner", "bayes", "--save", "m.json")
    row = "message=Free prize, call now: x=1, you won,size=1"
    result = clearwood("evidence", "m.json", "--row", row, "--json")
    assert result.code == 0, result.err
    assert "won" in result.out
    wrong = clearwood("evidence", "m.json", "--row", "size=1,massage=Free prize")
    assert wrong.code != 0
    assert "massage" in wrong.err
