"""What cannot be answered is refused with a sentence that names the column, and nothing is lost by it."""

from __future__ import annotations

import base64
import json
import struct
import time
from io import BytesIO
from typing import Any

import pytest

from clearwood.errors import SettingError
from clearwood.serving import service as service_module
from clearwood.serving.asgi import App
from clearwood.serving.bodies import holds_compressed_cells
from clearwood.serving.exchange import Admission, HttpRequest, Limits
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from tests.serving.conftest import ROW, TREE, asked, awaited, looked, read


def test_all_that_is_wrong_with_a_row_is_named_by_column(service: Service) -> None:
    row = {"Outlook": ["Sunny"], "Humidity": "much", "Wnd": "Weak"}
    reply = asked(service, "/predict", row)
    assert reply.status == 422
    given = read(reply)
    assert given["columns"] == {
        "Wnd": "No column 'Wnd'. Did you mean 'Wind'? Columns: Outlook, Temperature, Humidity, Wind.",
        "Wind": "The column 'Wind' is needed, and is not there. Send null if its value is not known.",
        "Outlook": "The column 'Outlook' is nominal, but its cell is [\"Sunny\"]. Send text, or null.",
        "Humidity": "The column 'Humidity' is numeric, but its cell is \"much\". Send a number, or null.",
    }
    assert given["error"].startswith("No column 'Wnd'. Did you mean 'Wind'?")
    assert "?unknown=ignore" in given["error"]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({**ROW, "Humidity": True}, "Humidity"),
        ({**ROW, "Humidity": {}}, "Humidity"),
        ({**ROW, "Humidity": 10**400}, "Humidity"),
        ({**ROW, "Temperature": "warm"}, "Temperature"),  # which this tree does not ask about
    ],
)
def test_a_cell_of_another_kind_is_refused_alone_and_among_many(
    service: Service, row: dict[str, Any], column: str
) -> None:
    for _ in range(2):  # the second time its types were met before
        alone = asked(service, "/predict", row)
        assert (alone.status, list(read(alone)["columns"])) == (422, [column])
    many = asked(service, "/predict", [ROW, row])
    assert many.status == 422
    assert read(many)["error"].startswith("Row 2: ")
    explained = asked(service, "/explain", row)
    assert (explained.status, list(read(explained)["columns"])) == (422, [column])


def test_columns_that_the_model_does_not_know_are_left_out_where_that_is_asked(service: Service) -> None:
    row = {**ROW, "id": 7}
    assert asked(service, "/predict", row).status == 422
    assert read(asked(service, "/predict?unknown=ignore", row))["answer"] == "Don't Play"
    assert read(asked(service, "/predict?unknown=ignore", [row]))["rows"] == 1
    assert read(asked(service, "/explain?unknown=ignore", row))["answer"] == "Don't Play"
    csv = b"id,Outlook,Humidity,Wind\n7,Sunny,80,Weak\n"
    refused = asked(service, "/predict", csv, content_type="text/csv")
    assert (refused.status, list(read(refused)["columns"])) == (422, ["id"])
    assert asked(service, "/predict?unknown=ignore", csv, content_type="text/csv").status == 200


def test_the_target_may_stand_in_a_row(service: Service) -> None:
    assert asked(service, "/predict", {**ROW, "Play": "Play"}).status == 200


def test_cells_of_a_file_that_are_no_numbers_are_named_by_column_and_row(service: Service) -> None:
    csv = b"Outlook,Humidity,Wind\nSunny,80,Weak\nSunny,much,Weak\nSunny,very,Weak\n"
    reply = asked(service, "/predict", csv, content_type="text/csv")
    assert reply.status == 422
    assert read(reply)["columns"] == {
        "Humidity": "Column 'Humidity', row 2: 'much' is not a number. So is 1 more cell of it."
    }


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[", b"nonsense", b'{"Outlook": }', b"\xff\xfe", b'{"Outlook": "\xf3("}', b"[]",
        b"[1, 2]", b"7", b'"text"', b"null", b'[{"Outlook": "Sunny"}, 3]', b'{"Humidity": NaN}',
        b"[" * 100_000, b'{"a":' * 50_000,
        b'{"Outlook": "Sunny", "Outlook": "Rainy"}', b'{"Outlook": "\\ud800"}',
    ],
)  # fmt: skip
def test_malformed_json_is_refused_in_a_sentence(service: Service, body: bytes) -> None:
    reply = asked(service, "/predict", body)
    assert reply.status in (400, 422)
    assert read(reply)["error"].endswith(".")
    assert asked(service, "/predict").status == 200


@pytest.mark.parametrize(
    ("csv", "sentence"),
    [
        (b"Outlook,Humidity,Wind\n80,Weak\n", "The body, line 2: 2 cells where 3 are expected"),
        (b"Outlook,Outlook,Wind\nSunny,80,Weak\n", "The body: columns 1 and 2 are both called 'Outlook'."),
        (b"Outlook,Humidity,Wind\n", "The body has a header and no rows. Send UTF-8, names of columns first"),
        (b"", "The body is empty."),
        (b"Outlook;Humidity;Wind\nSunny;80;Weak\n", "The body, line 1: semicolons stand between the names"),
        (b"Outlook\tHumidity\tWind\nSunny\t80\tWeak\n", "The body, line 1: tabs stand between the names"),
        (b"Outlook,Humidity,Wind\nSunny,8\x000,Weak\n", "The body is not plain text: byte 30 is zero. Send"),
        (b"Outlook,Humidity,Wind\nS\xc3\xbc\xc3\xbcny\xff,80,Weak\n", "The body is not UTF-8: byte 0xff"),
        (b"\xff\xfe\x00", "The body is not in utf-16-le: truncated data at byte 1. Send UTF-8"),
    ],
)
def test_csv_is_refused_in_words_that_fit_a_request(service: Service, csv: bytes, sentence: str) -> None:
    refused = asked(service, "/predict", csv, content_type="text/csv")
    assert refused.status == 400
    error = read(refused)["error"]
    assert error.startswith(sentence)
    assert not any(
        option in error for option in ("delimiter=", "header=", "encoding", "missing", "open file")
    )


@pytest.mark.parametrize("kind", ["text/csv", "application/vnd.apache.arrow.stream", "image/png", "a/b; c=d"])
@pytest.mark.parametrize("body", [b"", b"\x00" * 300, b"ARROW1\x00\x00" + b"\xff" * 64, b'"', b"a,b\n1"])
def test_a_body_that_is_not_what_it_claims_is_refused(service: Service, kind: str, body: bytes) -> None:
    reply = asked(service, "/predict", body, content_type=kind)
    assert reply.status in (400, 415, 422)
    assert read(reply)["error"]


def test_a_packed_body_is_refused(service: Service) -> None:
    assert asked(service, "/predict", content_encoding="gzip").status == 415


@pytest.mark.parametrize("form", ["stream", "file"])
@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_arrow_that_would_have_to_be_unpacked_is_refused(
    service: Service, form: str, compression: str
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = {
        "Outlook": pyarrow.array(["Sunny"] * 9).dictionary_encode(),
        "Humidity": [80.0] * 9,
        "Wind": ["Weak"] * 9,
    }
    table = pyarrow.table(rows)
    replies = []
    for packed in (None, compression):
        sink = BytesIO()
        options = pyarrow.ipc.IpcWriteOptions(compression=packed)
        opened = pyarrow.ipc.new_stream if form == "stream" else pyarrow.ipc.new_file
        with opened(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        kind = f"application/vnd.apache.arrow.{form}"
        replies.append(asked(service, "/predict", sink.getvalue(), content_type=kind))
    assert [each.status for each in replies] == [200, 415]
    assert read(replies[0])["rows"] == 9


def flat_table(fields: list[bytes | None]) -> bytes:
    """A table of a flatbuffer, its index before it; each field's bytes behind it, one after another."""
    index_size = 4 + 2 * len(fields)
    offsets, behind = [], b""
    for each in fields:
        offsets.append(0 if each is None else 4 + len(behind))
        behind += each or b""
    index = struct.pack(f"<{2 + len(fields)}H", index_size, 4 + len(behind), *offsets)
    return index + struct.pack("<i", index_size) + behind


def arrow_message(kind: int | None, header: list[bytes | None] | None) -> bytes:
    """A message: its version, kind of header and header, and how long its body is."""
    inner = b"" if header is None else flat_table(header)
    index_of_inner = 0 if header is None else 4 + 2 * len(header)
    kind_field = None if kind is None else struct.pack("<I", kind)
    behind_header = 4 + 8  # the offset itself and the length of the body
    leads = None if header is None else struct.pack("<I", behind_header + index_of_inner)
    table = flat_table([struct.pack("<I", 4), kind_field, leads, struct.pack("<Q", 64)])
    return struct.pack("<I", 4 + 4 + 2 * 4) + table + inner


@pytest.mark.parametrize(
    ("kind", "header", "compressed"),
    [
        (3, [None, None, None, b"zstd"], True),  # a batch that says how it is compressed
        (3, [None, None, None, None], False),
        (3, [None, None, None], False),
        (1, [None, None, None, b"more"], False),  # the same field of a schema means something else
        (None, [None, None, None, b"zstd"], False),
        (3, None, False),
        (2, [None, None], False),  # a dictionary without cells
        (2, [None], False),
    ],
)
def test_a_message_of_arrow_holds_compressed_cells_only_if_its_batch_says_so(
    kind: int | None, header: list[bytes | None] | None, compressed: bool
) -> None:
    assert holds_compressed_cells(arrow_message(kind, header)) is compressed


def test_a_dictionary_alone_that_is_compressed_is_seen() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"Outlook": pyarrow.array(["Sunny", "Rain"] * 9).dictionary_encode()})
    seen = []
    for packed in (None, "zstd"):
        sink = BytesIO()
        options = pyarrow.ipc.IpcWriteOptions(compression=packed)
        with pyarrow.ipc.new_stream(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        for message in pyarrow.ipc.MessageReader.open_stream(pyarrow.BufferReader(sink.getvalue())):
            seen.append((message.type, holds_compressed_cells(message.metadata.to_pybytes())))
    kinds = ("schema", "dictionary", "record batch")
    assert seen == [*((each, False) for each in kinds), *((each, each != "schema") for each in kinds)]


def test_a_file_that_unpacks_to_more_than_allowed_is_refused() -> None:
    import gzip

    service = Service(shelf_of({"tennis": TREE}), limits=Limits(max_bytes=10_000))
    body = gzip.compress(b"Outlook,Humidity,Wind\n" + b"Sunny,80,Weak\n" * 100_000)
    assert len(body) < 10_000
    assert asked(service, "/predict", body, content_type="text/csv").status == 400


def test_more_rows_or_bytes_than_allowed_are_refused() -> None:
    service = Service(shelf_of({"tennis": TREE}), limits=Limits(max_bytes=1000, max_rows=3))
    assert asked(service, "/predict", [ROW] * 3).status == 200
    assert asked(service, "/predict", [ROW] * 4).status == 413
    assert asked(service, "/predict", [ROW] * 100).status == 413
    csv = b"Outlook,Humidity,Wind\n" + b"Sunny,80,Weak\n" * 4
    assert asked(service, "/predict", csv, content_type="text/csv").status == 413
    assert asked(service, "/explain", [ROW] * 4).status == 413


def test_work_that_takes_too_long_is_given_up() -> None:
    service = Service(shelf_of({"tennis": TREE}), limits=Limits(timeout=0.0001))
    for path in ("/explain", "/predict"):
        reply = asked(service, path, [ROW] * 5000)
        assert reply.status == 503
        assert "Send fewer rows." in read(reply)["error"]


@pytest.mark.parametrize(
    "path",
    [
        "/models/../../etc/passwd", "//etc/passwd", "/models/tennis/../../x", "/predict/", "/PREDICT",
        "/./health", "/models//form", "/models/tennis/form/more", "/%2e%2e", "/\x00",
        "/models/tennis\x00/form", "/a" * 5000, "", "*", "/models/tennis/..", "/pages.py",
    ],
)  # fmt: skip
def test_other_paths_lead_nowhere(service: Service, path: str) -> None:
    reply = looked(service, path)
    assert reply.status == 404
    assert "error" in read(reply)


def test_other_methods_are_refused(service: Service) -> None:
    for method, path in (("GET", "/predict"), ("DELETE", "/models"), ("POST", "/"), ("PUT", "/explain")):
        assert service.answer(HttpRequest(method, path)).status == 405
    assert service.answer(HttpRequest("HEAD", "/health")).status == 200


def test_a_query_that_nobody_understands_is_refused(service: Service) -> None:
    for query in ("modle=x", "unknown=perhaps", "to=Play", "&".join(f"a{i}=1" for i in range(2000))):
        reply = asked(service, f"/predict?{query}")
        assert reply.status == 400
        assert read(reply)["error"]


def test_a_wrong_token_is_refused_wherever_it_stands() -> None:
    service = Service(shelf_of({"tennis": TREE}), admission=Admission("open sesame"))
    right = base64.b64encode(b"anybody:open sesame").decode()
    assert asked(service, "/predict", authorization="Bearer open sesame").status == 200
    assert asked(service, "/predict", authorization=f"basic {right}").status == 200
    wrong = [
        "",
        "Bearer",
        "Bearer open",
        "Bearer open sesame!",
        "Basic ???",
        "Basic b3Blbg==",
        "open sesame",
        "é",
    ]
    for header in wrong:
        reply = asked(service, "/predict", authorization=header)
        assert reply.status == 401
        assert dict(reply.headers)["www-authenticate"].startswith("Basic")
    for path in ("/", "/metrics", "/models", "/openapi.json", "/models/tennis/form", "/nowhere"):
        assert looked(service, path).status == 401
    assert looked(service, "/health").status == looked(service, "/ready").status == 200
    with pytest.raises(SettingError, match="at least 8"):
        Admission("short")


@pytest.mark.parametrize("token", ["schlüssel-brett", "откройся сезам", " open sesame", "open sesame "])
def test_a_token_that_no_header_can_carry_is_refused_at_once(token: str) -> None:
    with pytest.raises(SettingError, match="only ASCII characters arrive as they are"):
        Admission(token)


def test_a_server_on_this_machine_answers_to_no_other_name() -> None:
    service = Service(shelf_of({"tennis": TREE}), admission=Admission(host="127.0.0.1"))
    for name in ("127.0.0.1:8000", "localhost", "LOCALHOST:80", "[::1]:8000", ""):
        assert asked(service, "/predict", host=name).status == 200
    for name in (
        "evil.example",
        "127.0.0.1.evil.example:8000",
        "[::2]:1",
        "]",
        "localhost:80@evil",
        "localhost, evil",
    ):
        assert asked(service, "/predict", host=name).status == 421
    elsewhere = Service(shelf_of({"tennis": TREE}), admission=Admission(host="0.0.0.0"))
    assert asked(elsewhere, "/predict", host="models.example").status == 200


def test_an_error_of_ours_is_a_reply_without_what_happened(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(service_module, "reply_to", fails)
    reply = asked(service, "/predict")
    assert reply.status == 500
    assert b"secret" not in reply.body
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_limits_are_checked() -> None:
    for wrong in ({"max_bytes": 0}, {"max_rows": -1}, {"timeout": 0.0}, {"timeout": float("nan")}):
        with pytest.raises(SettingError):
            Limits(**wrong)


def test_a_reply_is_json_whatever_the_cells_hold(service: Service) -> None:
    odd = {**ROW, "Outlook": '"\\\n\u2028</script>\x07'}
    assert json.loads(asked(service, "/predict", odd).body)["columns"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b'{"Humidity": 1, "Humidity" : 2, "Outlook": "Sunny", "Wind": "Weak"}', "A row has the column"),
        (b'{"Humidity": 1, "Humidity"\n:\n2, "Outlook": "a:b", "Wind": "Weak"}', "A row has the column"),
        (b'{"Humidity": 1, "Hum\\u0069dity": 2, "Outlook": "Sunny", "Wind": null}', "A row has the column"),
        (b'{"Humidity": NaN}', "JSON has no NaN. Send null"),
        (b'{"Humidity": -Infinity}', "JSON has no -Infinity. Send null"),
        (b"", "The body is empty."),
        (b'{"Outlook": "\\ud800"}', "A text of the body holds half of a surrogate pair"),
        (b'{"\\udfff": 1}', "A text of the body holds half of a surrogate pair"),
        (b'{"Outlook": "\xff"}', "The body is not UTF-8 text: invalid start byte at byte 14."),
        (b'{"Humidity":\n 1,}', "The body is not JSON: "),
        ('{"Humidity": 1}'.encode("utf-16"), "The body is not UTF-8 text"),
        (b"[" * 9000, "The JSON is nested too deeply for a row."),
    ],
)
def test_json_that_is_none_is_refused_with_the_reason(service: Service, body: bytes, sentence: str) -> None:
    refused = asked(service, "/predict", body)
    assert refused.status == 400
    assert read(refused)["error"].startswith(sentence)


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"9" * 350, b"9" * 5000, b"-" + b"9" * 5000])
def test_a_number_beyond_all_doubles_is_refused_by_its_column(service: Service, number: bytes) -> None:
    body = json.dumps(ROW).encode().replace(b"80", number)
    refused = asked(service, "/predict", body)
    assert refused.status == 422
    assert read(refused)["columns"] == {"Humidity": "The number of the column 'Humidity' is too large."}


def test_a_byte_order_mark_and_colons_in_texts_change_nothing(service: Service) -> None:
    plain = read(asked(service, "/predict"))
    assert read(asked(service, "/predict", b"\xef\xbb\xbf" + json.dumps(ROW).encode())) == plain
    assert asked(service, "/predict", {**ROW, "Wind": "a:b", "Temperature": None}).status == 200


def test_thousands_of_unknown_columns_cost_no_time(service: Service) -> None:
    row = {**ROW, **{f"Humidty{place}": 1 for place in range(50_000)}}
    began = time.process_time()
    refused = asked(service, "/predict", row)
    assert time.process_time() - began < 2
    assert refused.status == 422
    given = read(refused)
    assert len(given["columns"]) == 50
    assert all("Did you mean 'Humidity'?" in sentence for sentence in given["columns"].values())
    assert "49,999 more columns are wrong." in given["error"]


def test_a_query_that_says_two_things_is_refused(service: Service) -> None:
    assert asked(service, "/predict?model=tennis&model=tennis").status == 200
    for query in ("model=tennis&model=golf", "unknown=refuse&unknown=ignore", "version=a&version=b"):
        refused = asked(service, f"/predict?{query}")
        assert refused.status == 400
        assert "twice" in read(refused)["error"]
    refused = asked(service, "/models/tennis/predict?model=golf")
    assert read(refused)["error"] == "The path names one model and the query another. Name one."
    assert asked(service, "/explain?to=Play&to=None").status == 400


def test_another_method_is_told_those_that_a_path_takes(service: Service) -> None:
    for method, path, allowed in (("OPTIONS", "/predict", "POST"), ("DELETE", "/models/tennis", "GET, HEAD")):
        reply = service.answer(HttpRequest(method, path))
        assert reply.status == 405
        assert dict(reply.headers)["allow"] == allowed


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_what_a_form_of_any_page_can_send_is_not_read(service: Service, kind: str) -> None:
    reply = asked(service, "/predict", ROW, content_type=f"{kind}; charset=utf-8")
    assert reply.status == 415
    assert "Content-Type: application/json" in read(reply)["error"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9000", "http://", "x"])
def test_a_page_of_another_origin_cannot_send_rows(service: Service, origin: str) -> None:
    reply = asked(
        service, "/predict", ROW, origin=origin, host="localhost:8000", content_type="application/json"
    )
    assert (reply.status, read(reply)["error"][:34]) == (403, "A page of another origin sent this")


@pytest.mark.parametrize(
    ("origin", "status"), [("https://evil.example", 403), ("http://localhost:8000", 200), (None, 200)]
)
def test_the_origin_arrives_with_what_came_over_a_socket(
    service: Service, origin: str | None, status: int
) -> None:
    headers = {"host": "localhost:8000", "content-type": "application/json"}
    headers |= {} if origin is None else {"origin": origin}
    assert replied_by_asgi(service, headers) == status


def test_a_proxy_may_say_by_which_host_it_was_called(service: Service) -> None:
    headers = {"host": "10.0.0.1:8000", "content-type": "application/json"}
    headers |= {"origin": "https://models.example", "x-forwarded-host": "models.example"}
    assert replied_by_asgi(service, headers) == 200


def replied_by_asgi(service: Service, headers: dict[str, str]) -> int:
    """The status of a POST of a row that comes as a server of sockets hands it on."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": json.dumps(ROW).encode(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/predict", "headers": named}
    awaited(App(service, watch=0)(scope, receive, send))
    return int(sent[0]["status"])


def test_pages_of_this_server_and_programs_can_send_rows(service: Service) -> None:
    for headers in (
        {},
        {"origin": "http://localhost:8000", "host": "localhost:8000"},
        {"origin": "https://models.example", "host": "models.example:443"},
        {"origin": "https://models.example", "host": "10.0.0.1:8000", "x-forwarded-host": "models.example"},
    ):
        request = HttpRequest("POST", "/predict", "", headers, json.dumps(ROW).encode())
        assert service.answer(request).status == 200


def test_more_rows_of_arrow_than_allowed_are_refused() -> None:
    pa = pytest.importorskip("pyarrow")
    service = Service(shelf_of({"tennis": TREE}), limits=Limits(max_rows=3))

    def sent(batches: list[int]) -> bytes:
        rows = [pa.RecordBatch.from_pylist([ROW] * count) for count in batches]
        out = BytesIO()
        with pa.ipc.new_stream(out, rows[0].schema) as stream:
            for each in rows:
                stream.write_batch(each)
        return out.getvalue()

    arrow = "application/vnd.apache.arrow.stream"
    assert asked(service, "/predict", sent([1, 2]), content_type=arrow).status == 200
    for batches in ([4], [1, 2, 1], [100]):
        reply = asked(service, "/predict", sent(batches), content_type=arrow)
        assert (reply.status, read(reply)["error"][:29]) == (413, "A request may hold 3 rows, an")
