"""Both clients against a service: CANDELA_URL and CANDELA_KEY say which one."""

from __future__ import annotations

import asyncio
import io
import json
import math
import os
import struct
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import duckdb
import httpx
import numpy
import pandas
import polars
import pyarrow
import pytest

from candela_client import AsyncCandela, Candela, CandelaError, Table, configure

URL = os.environ["CANDELA_URL"]
KEY = os.environ["CANDELA_KEY"]
MARKET = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1h"}


@pytest.fixture(scope="module")
def client() -> Iterator[Candela]:
    with Candela(URL, key=KEY) as client:
        yield client


def answer_of(path: str, **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {KEY}", "Prefer": "wait=10"}
    return httpx.get(URL + path, params={**MARKET, **query}, headers=headers).json()


def bits(values: Any) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


def test_indicators_have_the_bits_of_json_in_every_library(client: Candela) -> None:
    expected = answer_of("/indicator/macd", results=50, backtrack=2)
    table = client.macd(**MARKET, results=50, backtrack=2)  # type: ignore[arg-type]
    pandas_frame = table.to_pandas()
    polars_frame = table.to_polars()
    arrow = table.to_arrow()
    relation: Any = duckdb.sql("select * from arrow")
    in_duckdb = relation.fetchnumpy()
    for name in ("valueMACD", "valueMACDSignal", "valueMACDHist"):
        wanted = bits(expected[name])
        assert bits(pandas_frame[name]) == wanted
        assert bits(polars_frame[name]) == wanted
        assert bits(arrow[name].to_pylist()) == wanted
        assert bits(in_duckdb[name]) == wanted
    index: Any = pandas_frame.index
    assert str(index.tz) == "UTC"
    assert [int(time.timestamp()) for time in index] == expected["timestamp"]
    assert [int(row["time"].timestamp()) for row in table.rows()] == expected["timestamp"]


def test_texts_are_dictionaries_and_csv_is_read_by_duckdb(client: Candela) -> None:
    schema = client.indicator("supertrend", **MARKET, results=5).to_arrow().schema
    assert any(pyarrow.types.is_dictionary(field.type) for field in schema)
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "text/csv"}
    text = httpx.get(f"{URL}/candles", params={**MARKET, "results": 20, "backtrack": 1}, headers=headers).text
    frame = pandas.read_csv(io.StringIO(text), parse_dates=["time"], index_col="time")
    pandas.testing.assert_frame_equal(
        frame, client.candles(**MARKET, results=20, backtrack=1).to_pandas(), check_index_type=False
    )


def test_a_frame_has_a_row_for_each_symbol_and_candle(client: Candela) -> None:
    texts = ["rsi", "ema(50)", "close > ema(200)"]
    table = client.frame(["BTCUSDT", "ETHUSDT"], texts, exchange="demo", timeframe="1h", results=30, backtrack=1)
    frame = table.to_pandas()
    assert list(frame.columns) == ["symbol", *texts]
    assert list(frame["symbol"].unique()) == ["BTCUSDT", "ETHUSDT"]
    assert len(frame) == 60
    own = client.rsi(**MARKET, results=30, backtrack=1).to_pandas()  # type: ignore[arg-type]
    assert bits(frame[frame["symbol"] == "BTCUSDT"]["rsi"]) == bits(own["value"])
    assert frame["close > ema(200)"].dtype == bool


def test_screens_evaluations_and_alerts(client: Candela) -> None:
    matches = client.screen("close > 0", exchange="demo", timeframe="1h", select={"rsi": "rsi(14)"}).to_pandas()
    assert {"symbol", "rsi"} <= set(matches.columns) and len(matches) > 2
    assert client.evaluate("rsi(14) < 35", **MARKET)["candles"] > 100
    alert = client.create_alert("close > 0", **MARKET, name="from Python")
    assert [each["id"] for each in client.alerts()] == [alert["id"]]
    assert client.pause_alert(alert["id"])["paused"] is True
    client.delete_alert(alert["id"])
    assert client.alerts() == []
    assert "BTCUSDT" in client.symbols("demo")
    assert "demo" in client.exchanges()
    assert client.indicators(search="rsi")[0]["id"] == "rsi"


def test_refusals_are_errors_with_the_text_of_the_service(client: Candela) -> None:
    with pytest.raises(CandelaError, match="Invalid period: 0") as caught:
        client.rsi(**MARKET, period=0)  # type: ignore[arg-type]
    assert caught.value.status == 400
    with pytest.raises(CandelaError, match="does not answer"), Candela("http://127.0.0.1:9", key="") as none:
        none.exchanges()


def test_the_asynchronous_client_has_the_same_names_and_answers(client: Candela) -> None:
    async def ask() -> tuple[Table, Table, Table]:
        async with AsyncCandela(URL, key=KEY) as other:
            rsi = await other.rsi(**MARKET, results=3, backtrack=1)  # type: ignore[arg-type]
            named = await other.indicator("rsi", **MARKET, results=3, backtrack=1)
            frame = await other.frame(["BTCUSDT"], ["rsi"], exchange="demo", timeframe="1h", results=3, backtrack=1)
            return rsi, named, frame

    rsi, named, frame = asyncio.run(ask())
    expected = client.rsi(**MARKET, results=3, backtrack=1)  # type: ignore[arg-type]
    assert rsi.content == named.content == expected.content
    assert bits(frame.to_pandas()["rsi"]) == bits(expected.to_pandas()["value"])
    public = {name for name in dir(Candela) if not name.startswith("__")}
    assert {name for name in dir(AsyncCandela) if not name.startswith("__")} == public


def scripted(replies: list[httpx.Response]) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    sent: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return replies[len(sent) - 1]

    return httpx.MockTransport(handle), sent


def refusal(status: int, after: str | None, error: str = "busy") -> httpx.Response:
    return httpx.Response(status, json={"error": error}, headers={"Retry-After": after} if after else {})


def test_pending_and_limited_requests_are_repeated_up_to_the_limit() -> None:
    done = httpx.Response(200, json={"exchanges": ["demo"]})
    transport, sent = scripted([refusal(202, "0"), refusal(429, "0"), refusal(503, "0"), done])
    with Candela(key="k", transport=transport) as client:
        assert client.exchanges() == ["demo"]
    assert len(sent) == 4 and sent[0].headers["Prefer"] == "wait=10"
    for reply in (refusal(429, "100"), refusal(503, None), refusal(400, "0")):
        transport, sent = scripted([reply])
        with Candela(key="k", transport=transport) as client, pytest.raises(CandelaError, match="busy"):
            client.exchanges()
        assert len(sent) == 1


def test_a_frame_takes_as_many_requests_as_the_plan_needs() -> None:
    schema = pyarrow.schema([("time", pyarrow.timestamp("ms", "UTC")), ("construct", pyarrow.string())])
    empty = Table.of_arrow(schema.empty_table()).content
    media = {"Content-Type": "application/vnd.apache.arrow.stream"}
    refused = refusal(429, None, "Too many constructs. Your plan allows 2 construct(s) per bulk request.")
    replies = [refused, *(httpx.Response(200, content=empty, headers=media) for _ in range(2))]
    transport, sent = scripted(replies)
    with Candela(key="k", transport=transport) as client:
        client.frame(["A", "B", "C"], ["rsi"], exchange="demo", timeframe="1h")
    assert [len(json.loads(request.content)["constructs"]) for request in sent] == [3, 2, 1]


@pytest.fixture(scope="module")
def own() -> pandas.DataFrame:
    random = numpy.random.default_rng(7)
    close = 100 * numpy.exp(numpy.cumsum(random.normal(0, 0.01, 2600)))
    opens = numpy.concatenate([[100], close[:-1]])
    start = datetime(2024, 1, 1, tzinfo=timezone.utc)
    times = pandas.DatetimeIndex([start + timedelta(hours=at) for at in range(len(close))])
    return pandas.DataFrame(
        {
            "Open": opens,
            "High": numpy.maximum(opens, close) * 1.001,
            "Low": numpy.minimum(opens, close) * 0.999,
            "Close": close,
            "Volume": random.uniform(1, 10, len(close)),
        },
        index=times,
    )


class Limited(httpx.HTTPTransport):
    """Connections to a service that takes tables of 1,000 candles."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        rows = pyarrow.ipc.open_stream(request.content).read_all().num_rows
        if rows > 1000:
            error = f"A table must hold at most 1000 candles, got {rows}."
            return httpx.Response(400, json={"error": error})
        return super().handle_request(request)


def test_the_accessor_computes_over_frames_of_any_length(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    rsi = own.candela.rsi(14)
    assert rsi.index.equals(own.index) and rsi.isna().sum() == 14
    assert bits(client.compute("rsi", own, period=14).to_pandas()["value"]) == bits(rsi.dropna())
    numbered = own.reset_index(drop=True).candela.rsi(14)
    assert bits(numbered) == bits(rsi)
    with Candela(URL, key=KEY, transport=Limited()) as small:
        for name, period in (("sma", 20), ("wma", 33), ("aroon", 25), ("cci", 20)):
            configure(client)
            whole = getattr(own.candela, name)(period)
            configure(small)
            chunked = getattr(own.candela, name)(period)
            # The rounding of a sum depends on where its blocks begin.
            assert numpy.allclose(whole, chunked, rtol=1e-12, atol=1e-12, equal_nan=True), name
        with pytest.raises(CandelaError, match="depends on all candles before"):
            own.candela.ema(20)
    configure(client)
    assert own.candela.expression("close > sma(20)").dropna().isin([True, False]).all()


def test_other_frames_are_computed_over_as_well(client: Candela, own: pandas.DataFrame) -> None:
    arrow = pyarrow.Table.from_pandas(own.rename_axis("time").reset_index(), preserve_index=False)
    frame: Any = polars.from_arrow(arrow)
    expected = bits(client.compute("rsi", own).to_pandas()["value"])
    assert bits(client.compute("rsi", frame).to_polars()["value"]) == expected
    assert bits(client.compute("rsi", arrow).to_arrow()["value"].to_pylist()) == expected
    assert not math.isnan(client.compute_expression("close / open", own).to_pandas()["value"].iloc[-1])
