"""Both clients against the service at CANDELA_URL with the key CANDELA_KEY."""

from __future__ import annotations

import asyncio
import copy
import io
import json
import math
import os
import pickle
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import duckdb
import httpx
import numpy
import pandas
import polars
import pyarrow
import pytest

from candela_client import AsyncCandela, Candela, CandelaError, Table, configure
from candela_client.types import Market

URL = os.environ["CANDELA_URL"]
KEY = os.environ["CANDELA_KEY"]
MARKET: Market = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1h"}
DEMO: dict[str, Any] = {**MARKET}


@pytest.fixture(scope="module")
def client() -> Iterator[Candela]:
    with Candela(URL, key=KEY) as client:
        yield client


def answer_of(path: str, **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {KEY}", "Prefer": "wait=10"}
    return httpx.get(URL + path, params={**DEMO, **query}, headers=headers).json()


def bits(values: Any) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


def test_indicators_have_the_bits_of_json_in_every_library(client: Candela) -> None:
    expected = answer_of("/indicator/macd", results=50, backtrack=2)
    table = client.macd(**MARKET, results=50, backtrack=2)
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
    text = httpx.get(f"{URL}/candles", params={**DEMO, "results": 20, "backtrack": 1}, headers=headers).text
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
    own = client.rsi(**MARKET, results=30, backtrack=1).to_pandas()
    assert bits(frame[frame["symbol"] == "BTCUSDT"]["rsi"]) == bits(own["value"])
    assert frame["close > ema(200)"].dtype == bool


def test_screens_evaluations_and_alerts(client: Candela) -> None:
    matches = client.screen("close > 0", exchange="demo", timeframe="1h", select={"rsi": "rsi(14)"}).to_pandas()
    assert {"symbol", "rsi"} <= set(matches.columns) and len(matches) > 2
    assert client.evaluate("rsi(14) < 35", **MARKET)["candles"] > 100
    alert = client.create_alert("close > 0", **MARKET, name="from Python")
    assert [each["id"] for each in client.alerts()] == [alert["id"]]
    assert client.pause_alert(alert["id"])["paused"] is True
    assert client.resume_alert(alert["id"])["paused"] is False
    client.delete_alert(alert["id"])
    assert client.alerts() == []
    assert "BTCUSDT" in client.symbols("demo")
    assert "demo" in client.exchanges()
    assert client.indicators(search="rsi")[0]["id"] == "rsi"


def test_lists_are_stored_read_used_and_deleted(client: Candela) -> None:
    stored = client.store_list("Mine", ["BTCUSDT", "ETHUSDT"])
    assert stored == client.read_list("mine") == {"name": "mine", "symbols": ["BTCUSDT", "ETHUSDT"]}
    found = client.screen("close > 0", exchange="demo", timeframe="1h", symbols=["list:mine"]).rows()
    # On a busy machine the candles of one market may come too late.
    assert found and {row["symbol"] for row in found} <= set(stored["symbols"])
    assert client.delete_list("mine") == stored
    with pytest.raises(CandelaError, match="mine") as caught:
        client.read_list("mine")
    assert caught.value.status == 404


def test_an_old_answer_says_its_age_and_is_refused_by_max_age() -> None:
    candles = b'{"time": "2024-01-01T00:00:00Z", "value": 1.5}'
    stale = {"Content-Type": "application/x-ndjson", "Warning": '110 - "Response is Stale"', "Age": "7200"}
    fewer = {"Content-Type": "application/x-ndjson", "Warning": '199 - "Fewer values than results: 1 of 2"'}
    transport, sent = scripted([httpx.Response(200, content=candles, headers=each) for each in (stale, fewer)])
    with Candela(key="k", transport=transport) as client:
        old = client.rsi(**MARKET, max_age=60)
        new = client.candles(**MARKET, max_age=0)
    assert [(each.age, each.warning) for each in (old, new)] == [(7200, stale["Warning"]), (None, fewer["Warning"])]
    assert [request.url.params["maxAge"] for request in sent] == ["60", "0"]


def test_the_asynchronous_client_has_the_same_names_and_answers(client: Candela) -> None:
    async def ask() -> tuple[Table, Table, Table]:
        async with AsyncCandela(URL, key=KEY) as other:
            rsi = await other.rsi(**MARKET, results=3, backtrack=1)
            named = await other.indicator("rsi", **MARKET, results=3, backtrack=1)
            frame = await other.frame(["BTCUSDT"], ["rsi"], exchange="demo", timeframe="1h", results=3, backtrack=1)
            return rsi, named, frame

    rsi, named, frame = asyncio.run(ask())
    expected = client.rsi(**MARKET, results=3, backtrack=1)
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


def test_a_frame_takes_as_many_requests_as_the_plan_needs() -> None:
    schema = pyarrow.schema([("time", pyarrow.timestamp("ms", "UTC")), ("construct", pyarrow.string())])
    empty = Table.of_arrow(schema.empty_table()).content
    media = {"Content-Type": "application/vnd.apache.arrow.stream"}
    error = "Too many constructs. Your plan allows 2 construct(s) per bulk request."
    refused = httpx.Response(429, json={"error": error}, headers={"Retry-After": "15"})
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


@pytest.fixture(params=["library", "service"])
def computing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Computes with the library candela-ta, or as if it was not installed."""
    if request.param == "service":
        monkeypatch.setattr("candela_client._accessor._computed_here", lambda *_: None)


@pytest.mark.usefixtures("computing")
def test_the_accessor_computes_over_a_whole_frame(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    rsi = own.candela.rsi(14)
    assert rsi.index.equals(own.index) and rsi.isna().sum() == 14
    assert bits(client.compute("rsi", own, period=14).to_pandas()["value"]) == bits(rsi.dropna())
    numbered = own.reset_index(drop=True).candela.rsi(14)
    assert bits(numbered) == bits(rsi)
    assert list(own.candela.macd().columns) == ["valueMACD", "valueMACDSignal", "valueMACDHist"]
    assert own.candela.expression("close > sma(20)").dropna().isin([True, False]).all()
    charted = client.compute_expression("close", own, chart="heikinashi").to_pandas()["value"]
    assert charted.iloc[0] == own[["Open", "High", "Low", "Close"]].iloc[0].mean()


@pytest.mark.usefixtures("computing")
def test_the_accessor_knows_its_indicators(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    accessor = own.candela
    assert {"rsi", "macd", "_2crows", "expression"} <= set(dir(accessor)) and not hasattr(accessor, "nonsense")
    with pytest.raises(AttributeError, match=r"There is no indicator rsii\. Did you mean rsi"):
        accessor.rsii(14)
    with pytest.raises(CandelaError, match=r"There is no indicator rsii\. Did you mean rsi"):
        accessor.indicator("rsii", 14)
    with pytest.raises(TypeError, match=r"rsi has 1 parameters \(period\), and 3 values were given"):
        accessor.rsi(14, 30, 99)
    with pytest.raises(TypeError, match="rsi has two values for period"):
        accessor.rsi(14, period=15)
    above = accessor.expression("close > sma(20)")
    assert (str(above.dtype), above.isna().sum()) == ("boolean", 19)
    assert len(own[above]) + len(own[~above]) == len(own) - 19


def test_a_frame_without_its_library_names_what_to_install(client: Candela, monkeypatch: pytest.MonkeyPatch) -> None:
    table = client.rsi(**MARKET, results=2)
    for module, extra, method in (("pandas", "pandas", "to_pandas"), ("polars", "polars", "to_polars")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=rf"pip install 'candela-client\[{extra}\]'"):
                getattr(table, method)()


def test_errors_are_copied_and_sent_to_other_processes() -> None:
    error = CandelaError("Rate limit exceeded.", 429, 9.0)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (str(other), other.status, other.retry_after) == ("Rate limit exceeded.", 429, 9.0)


def test_numbers_of_numpy_are_sent_in_bodies(client: Candela) -> None:
    item = {"id": "x", "indicator": "rsi", "period": numpy.int64(7)}
    construct = {"id": "a", **MARKET, "indicators": [item]}
    assert client.bulk_results([construct])["a"]["x"] == answer_of("/indicator/rsi", period=7)


def test_a_page_instead_of_a_table_is_an_error() -> None:
    def handle(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, html="<html></html>")

    with (
        Candela("http://candela", key="k", transport=httpx.MockTransport(handle)) as other,
        pytest.raises(CandelaError, match="The reply of http://candela is no table: is this the address of Candela"),
    ):
        other.candles(**MARKET)


@pytest.mark.parametrize("has_bar", [True, False])
def test_a_long_time_is_asked_for_in_parts(has_bar: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Bar) if has_bar else None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: has_bar if name == "tqdm" else find_spec(name))
    Bar.made.clear()
    market: Market = {**MARKET, "timeframe": "3m"}
    asked: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode().split("timeframe=3m&")[1])
        return httpx.Client().send(httpx.Request("GET", f"{URL}{request.url.raw_path.decode()}", headers=request.headers))

    with Candela(URL, key=KEY, transport=httpx.MockTransport(handle)) as other:
        table = other.sma(**market, period=3, from_="2023-01-02", to="2023-10-02").to_arrow()
    # 480 candles on each of 273 days, and one more; the first two have no value.
    assert (len(table), len(table["time"].unique())) == (131_039, 131_039)
    direct = answer_of("/indicator/sma", timeframe="3m", period=3, **{"from": "2023-10-01", "to": "2023-10-02"})
    assert table["value"].to_pylist()[-len(direct["value"]) :] == direct["value"]
    assert len(asked) == 3 and asked[1].startswith(asked[0].split("&to=")[0])
    assert [bar.done for bar in Bar.made] == ([131_041] if has_bar else [])


class Bar:
    """The part of tqdm that the client uses."""

    made: ClassVar[list[Bar]] = []

    def __init__(self, *, total: int, unit: str, leave: bool) -> None:
        assert (unit, leave) == (" candles", False)
        self.done = 0
        self.made.append(self)

    def update(self, count: int) -> None:
        self.done += count

    def close(self) -> None:
        pass


def test_closes_alone_serve_indicators_that_read_nothing_else(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    closes = own["Close"]
    rsi: Any = closes.candela
    assert bits(rsi.rsi(14)) == bits(own.candela.rsi(14))
    expected = bits(client.compute("sma", own).to_pandas()["value"])
    for given in (closes, own[["Close"]], polars.Series(closes.to_numpy()), closes.to_numpy(), closes.tolist()):
        assert bits(client.compute("sma", given).to_pandas()["value"]) == expected
    for name, parameters in (("atr", {}), ("sma", {"source": "hl2"}), ("sma", {"chart": "heikinashi"})):
        with pytest.raises(CandelaError, match="There is no column for open, high, low; the columns are close"):
            client.compute(name, closes, **parameters)
    with pytest.raises(CandelaError, match="There is no column for open, high, low"):
        client.compute_expression("close", closes)


def test_other_markets_of_an_expression_are_frames_of_any_library(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    other = own.rename(columns=str.lower).drop(columns="volume").iloc[::3].iloc[5:] * 2
    text = "close / close{ETH} - sma(high, 4){ETH}"
    ratio = own.candela.expression(text, {"ETH": other})
    joined = other.assign(sma=other["high"].rolling(4).mean())[["close", "sma"]].reindex(own.index, method="ffill")
    expected = own["Close"] / joined["close"] - joined["sma"]
    pandas.testing.assert_series_equal(ratio, expected, check_names=False, rtol=1e-12)
    arrow = pyarrow.Table.from_pandas(other.assign(volume=0.0).rename_axis("time").reset_index(), preserve_index=False)
    for each in (arrow, polars.from_arrow(arrow)):
        assert bits(client.compute_expression(text, own, {"ETH": each}).to_pandas()["value"]) == bits(ratio.dropna())
    with pytest.raises(CandelaError, match="does not name"):
        own.candela.expression(text, {"ETC": other})


def test_values_over_a_long_frame_are_those_of_one_computation(client: Candela, own: pandas.DataFrame) -> None:
    configure(client)
    long = pandas.concat([own] * 39, ignore_index=True).iloc[:100_000]
    # Indicators with finite memory, with fading memory, and without end.
    for name in ("sma", "cci", "ema", "rsi", "obv", "supertrend"):
        whole = getattr(long.candela, name)()
        part = getattr(long.iloc[:60_007].candela, name)()
        pandas.testing.assert_series_equal(
            whole.iloc[:60_007], part, check_exact=True
        ) if whole.ndim == 1 else pandas.testing.assert_frame_equal(whole.iloc[:60_007], part, check_exact=True)
        rows = [
            {name.lower(): value for name, value in row.items()} | {"timestamp": at}
            for at, row in enumerate(long.iloc[:500].to_dict("records"))
        ]
        headers = {"Authorization": f"Bearer {KEY}"}
        body = {"results": "max", "candles": rows}
        first = httpx.post(f"{URL}/indicator/{name}", json=body, headers=headers).json()
        column = next(each for each in first if each != "timestamp")
        values = (whole if whole.ndim == 1 else whole[column]).iloc[:500].dropna()
        assert bits(values) == bits(value for value in first[column] if value is not None)


#: Windows, exponential and Wilder's averages, filters, patterns, texts, values at few candles, one and several outputs.
SETTLING = [
    *("sma", "cci", "bbands", "stoch", "fractals", "ema", "macd", "tema", "rsi", "adx", "atr", "stochrsi", "roofing"),
    *("engulfing", "morningstar", "hammer", "candlepatterns", "rsidivergence"),
]
EXPRESSIONS = ["close > ema(50)", "rsi(14) - sma(rsi(14), 5)", "crossover(ema(9), ema(21)@4h)", "close - sma(close, 3)@1d"]


def assert_same_values(found: Any, expected: Any) -> None:
    """Texts and conditions are equal, and numbers differ by less than 1e-12 of the largest one."""
    columns = zip(*([each] if each.ndim == 1 else [each[name] for name in each] for each in (found, expected)), strict=True)
    for own, other in columns:
        if pandas.api.types.is_float_dtype(other):
            assert own.isna().equals(other.isna())
            assert (own - other).abs().max() <= 1e-12 * other.abs().max()
        else:
            pandas.testing.assert_series_equal(own, other, check_categorical=False)


@pytest.fixture(scope="module")
def long(own: pandas.DataFrame) -> pandas.DataFrame:
    """Candles with prices of two decimals, of which many are equal."""
    random = numpy.random.default_rng(11)
    close = numpy.round(100 * numpy.exp(numpy.cumsum(random.normal(0, 0.004, 9000))), 2)
    opens = numpy.concatenate([[100], close[:-1]])
    wicks = numpy.round(random.uniform(0, 0.4, (2, len(close))), 2)
    frame = {
        "open": opens,
        "high": numpy.maximum(opens, close) + wicks[0],
        "low": numpy.minimum(opens, close) - wicks[1],
        "close": close,
        "volume": numpy.round(random.uniform(1, 10, len(close))),
    }
    return pandas.DataFrame(frame, index=pandas.date_range("2023-01-01", periods=len(close), freq="1h", tz="UTC"))


@contextmanager
def chunking() -> Iterator[tuple[Candela, list[httpx.Request]]]:
    """A client that sends at most 3100 candles at once, and its requests."""
    sent: list[httpx.Request] = []
    with Candela(URL, key=KEY) as client:
        client._table_candles = 3100
        client._http.event_hooks = {"request": [sent.append]}
        yield client, sent


@pytest.mark.parametrize("name", SETTLING)
def test_chunks_of_a_frame_have_the_values_of_one_computation(client: Candela, long: pandas.DataFrame, name: str) -> None:
    expected = client.compute(name, long).to_pandas()
    with chunking() as (other, sent):
        assert_same_values(other.compute(name, long).to_pandas(), expected)
    assert len(sent) >= 3


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_chunks_have_the_values_of_an_expression(client: Candela, long: pandas.DataFrame, text: str) -> None:
    expected = client.compute_expression(text, long).to_pandas()
    with chunking() as (other, sent):
        assert_same_values(other.compute_expression(text, long).to_pandas(), expected)
    assert len(sent) >= 3


def test_what_never_settles_is_computed_as_a_whole(client: Candela, long: pandas.DataFrame) -> None:
    expected = client.compute("obv", long).content
    bars = client.compute("sma", long, chart="renko:1").content
    with chunking() as (other, sent):
        assert other.compute("obv", long).content == expected
        assert other.compute("sma", long, chart="renko:1").content == bars
    # The first chunk says that there are none.
    assert len(sent) == 4


def test_chunks_of_the_asynchronous_client_are_those_of_the_other(client: Candela, long: pandas.DataFrame) -> None:
    async def ask() -> Table:
        async with AsyncCandela(URL, key=KEY) as other:
            other._table_candles = 3100
            return await other.compute("rsi", long)

    assert_same_values(asyncio.run(ask()).to_pandas(), client.compute("rsi", long).to_pandas())


def test_a_frame_that_is_longer_than_a_table_has_the_values_of_the_command(
    client: Candela, long: pandas.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("candela_client._accessor._computed_here", lambda *_: None)
    configure(client)
    longer = pandas.concat([long] * 12, ignore_index=True).iloc[:100_001]
    longer.index = pandas.date_range("2010-01-01", periods=len(longer), freq="1h", tz="UTC")
    command = Path(__file__).parents[2] / "scripts" / "candela.mjs"
    file = tmp_path / "long.csv"
    longer.to_csv(file, index_label="time")
    arguments: list[Any] = ["node", command, "compute", "rsi", file, "--period", "9"]
    written = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    expected = pandas.read_csv(io.StringIO(written))["value"].set_axis(longer.index)
    assert_same_values(longer[::-1].candela.rsi(9)[::-1], expected)
    refusal = (
        "obv over 100001 candles does not fit into one request of at most 100000 candles, and chunks would have other "
        "values: obv: every candle since the first one counts. The command candela compute takes files of any length"
    )
    with pytest.raises(CandelaError) as caught:
        longer.candela.obv()
    assert str(caught.value) == refusal
    with pytest.raises(CandelaError, match="other values: renko:1: its bars depend on where the history begins"):
        longer.candela.sma(chart="renko:1")
    with pytest.raises(CandelaError, match="A table must hold at most 100000 candles, got 100001"):
        client.compute("rsi", longer, results=5)


def test_other_frames_are_computed_over_as_well(client: Candela, own: pandas.DataFrame) -> None:
    arrow = pyarrow.Table.from_pandas(own.rename_axis("time").reset_index(), preserve_index=False)
    frame: Any = polars.from_arrow(arrow)
    expected = bits(client.compute("rsi", own).to_pandas()["value"])
    assert bits(client.compute("rsi", frame).to_polars()["value"]) == expected
    assert bits(client.compute("rsi", arrow).to_arrow()["value"].to_pylist()) == expected
    assert not math.isnan(client.compute_expression("close / open", own).to_pandas()["value"].iloc[-1])


@pytest.mark.parametrize("client", [Candela, AsyncCandela])
def test_an_address_that_is_none_and_a_key_that_no_header_field_can_have_are_refused(client: Any) -> None:
    for url in ("", "127.0.0.1:8080", "localhost:8080", "ftp://candela", "http://"):
        with pytest.raises(CandelaError, match="Expected an address such as http://localhost:8080"):
            client(url, key="k")
    for key in ("schlüssel€", "a b", "a\nb", "é"):
        with pytest.raises(CandelaError, match="Invalid key: it has characters that no key has"):
            client("http://candela", key=key)
