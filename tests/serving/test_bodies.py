"""Files as bodies: what their cells may be, and columns that hold what a table cannot are named."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from clearwood.serving.service import Service
from tests.serving.conftest import asked, read


@pytest.mark.parametrize(
    ("csv", "columns"),
    [
        (b"Sunny,1e999,Weak\n", {"Humidity": "Column 'Humidity', row 1: '1e999' is infinite."}),
        (b"Sunny,80,Weak\nRain,-inf,Weak\n", {"Humidity": "Column 'Humidity', row 2: '-inf' is infinite."}),
        (
            b"Sunny,2026-11-16,Weak\n",
            {"Humidity": "Column 'Humidity' holds dates such as '2026-11-16', not numbers."},
        ),
    ],
)
@pytest.mark.parametrize("path", ["/predict", "/explain"])
def test_cells_of_csv_that_are_no_finite_numbers_are_named_by_column(
    service: Service, path: str, csv: bytes, columns: dict[str, str]
) -> None:
    refused = asked(service, path, b"Outlook,Humidity,Wind\n" + csv, content_type="text/csv")
    assert (refused.status, read(refused)["columns"]) == (422, columns)


def test_a_column_that_a_file_lacks_is_asked_for_in_words_of_files(service: Service) -> None:
    refused = asked(service, "/predict", b"Outlook,Wind\nSunny,Weak\n", content_type="text/csv")
    assert refused.status == 422
    assert read(refused)["columns"]["Humidity"].endswith(
        "Send it with empty cells if its values are not known."
    )


def test_what_a_number_means_does_not_depend_on_other_rows(service: Service) -> None:
    csv = b'Outlook,Humidity,Wind\nSunny,"70,5",Weak\nSunny,"80,5",Weak\n'
    refused = asked(service, "/predict", csv, content_type="text/csv")
    assert (refused.status, list(read(refused)["columns"])) == (422, ["Humidity"])


def sent_arrow(service: Service, path: str, columns: dict[str, Any], most: int | None = None) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    table, sink = pyarrow.table(columns), BytesIO()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return asked(service, path, sink.getvalue()[:most], content_type="application/vnd.apache.arrow.stream")


def test_columns_of_arrow_that_are_neither_numbers_nor_text_are_named(service: Service) -> None:
    columns: dict[str, Any] = {"Outlook": [["Sunny"]], "Humidity": [float("inf")], "Wind": ["Weak"]}
    refused = sent_arrow(service, "/predict", columns)
    assert refused.status == 422
    named = read(refused)["columns"]
    assert named["Outlook"].startswith("The body, column 'Outlook': values of type List(String) are neither")
    assert named["Humidity"].startswith("The body, column 'Humidity', row 1: inf is infinite.")
    more = {"Outlook": ["Sunny"], "Humidity": [80.0], "Wind": ["Weak"], "id": [[7]]}
    assert list(read(sent_arrow(service, "/predict", more))["columns"]) == ["id"]
    assert sent_arrow(service, "/predict?unknown=ignore", more).status == 200
    cut = sent_arrow(service, "/predict", more, most=300)
    assert cut.status == 400
    assert read(cut)["error"].startswith("The body cannot be read as Arrow: ")
    assert read(cut)["error"].endswith(" Send all of it again.")
