"""Conversion of data frames that users pass as candles. Needs no service."""

from __future__ import annotations

import io
import json
from datetime import datetime, timezone
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from test_scenarios import read_scenarios

from candela_client import Candela, CandelaError, Table, configure
from candela_client._candles import read_candles

_FILES = read_scenarios("files")
_CANDLES: list[dict[str, float]] = _FILES["candles"]


def candles_of(given: Any) -> list[dict[str, float]]:
    rows = read_candles(given).table.to_pylist()
    return [{"timestamp": int(row.pop("time").timestamp()), **row} for row in rows]


def frame_of(scenario: dict[str, Any]) -> Any:
    text = scenario["text"]
    return json.loads(text) if text[0] == "[" else pandas.read_csv(io.StringIO(text), **scenario.get("pandas", {}))


@pytest.mark.parametrize("scenario", _FILES["scenarios"], ids=lambda each: each["name"])
def test_a_frame_of_a_file_is_read_or_refused(scenario: dict[str, Any]) -> None:
    if "refused" in scenario:
        with pytest.raises(CandelaError) as caught:
            candles_of(frame_of(scenario))
        assert str(caught.value) == scenario["refused"]
        return
    volumes = scenario.get("volumes", [each["volume"] for each in _CANDLES])
    expected = [{**each, "volume": volume} for each, volume in zip(_CANDLES, volumes, strict=True)]
    assert candles_of(frame_of(scenario)) == expected


_OWN: list[dict[str, Any]] = [each for each in read_scenarios("own-data") if "options" not in each and "lines" not in each]


def own_frame(scenario: dict[str, Any]) -> Any:
    if "json" in scenario:
        return scenario["json"]
    first = scenario["text"].splitlines()[0]
    has_names = any(letter.isalpha() for letter in first)
    options = {"sep": ";" if ";" in first else ",", "header": 0 if has_names else None, **scenario.get("pandas", {})}
    return pandas.read_csv(io.StringIO(scenario["text"]), **options)


@pytest.mark.parametrize("scenario", _OWN, ids=lambda each: each["name"])
def test_a_frame_of_own_data_is_read_as_files_are_or_refused(scenario: dict[str, Any]) -> None:
    frame = scenario.get("frame", "")
    if ("refused" in scenario or frame) and frame != "read":
        with pytest.raises(CandelaError) as caught:
            candles_of(own_frame(scenario))
        assert frame in str(caught.value)
        return
    candles = candles_of(own_frame(scenario))
    times = [datetime.fromtimestamp(each["timestamp"], timezone.utc).isoformat()[:16] for each in candles]
    assert times == scenario.get("times", times)
    for field in ("close", "volume"):
        values = [each[field] for each in candles]
        assert values == scenario.get(f"{field}s", values)


def plain() -> pandas.DataFrame:
    frame = pandas.DataFrame(_CANDLES).drop(columns="timestamp")
    frame.index = pandas.to_datetime([each["timestamp"] for each in _CANDLES], unit="s", utc=True)
    return frame


def with_market(frame: pandas.DataFrame, *names: str, is_first: bool = False) -> pandas.DataFrame:
    frame = frame.rename(columns=str.capitalize)
    frames = {name: frame for name in names}
    joined = pandas.concat(frames, axis=1)
    return joined if is_first else joined.swaplevel(axis=1)


def in_unit(unit: str) -> list[int]:
    factors = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
    return [int(each["timestamp"]) * factors[unit] for each in _CANDLES]


def arrays() -> list[list[float]]:
    """Candles as ccxt returns them."""
    names = ("open", "high", "low", "close", "volume")
    return [[1000 * each["timestamp"], *(each[name] for name in names)] for each in _CANDLES]


FORMS: dict[str, Any] = {
    "times in the index": plain,
    "times of another zone": lambda: plain().tz_convert("America/New_York"),
    "times without a zone": lambda: plain().tz_localize(None),
    "days as periods": lambda: plain().set_axis(plain().index.tz_localize(None).to_period("D")),
    "days as texts in the index": lambda: plain().set_axis([str(each.date()) for each in plain().index]),
    "days as dates": lambda: plain().assign(day=1).set_axis([each.date() for each in plain().index]).drop(columns="day"),
    "the index as a column without a name": lambda: plain().reset_index().rename(columns={"index": "Unnamed: 0"}),
    "the newest first": lambda: plain()[::-1],
    "yfinance, one market": lambda: with_market(plain(), "BTC-USD"),
    "yfinance, grouped by market": lambda: with_market(plain(), "BTC-USD", is_first=True),
    "ccxt, as arrays": arrays,
    "ccxt, as a frame": lambda: pandas.DataFrame(arrays()),
    "ccxt, with the times as the index": lambda: pandas.DataFrame(arrays()).set_index(0),
    "an array of numpy": lambda: numpy.array(arrays()),
    "dictionaries": lambda: _CANDLES,
    "Binance's klines, with texts": lambda: [
        [int(time), *(str(value) for value in values), int(time) + 1, "1", 9, "1", "1", "0"] for time, *values in arrays()
    ],
    "Alpha Vantage, as pandas reads its JSON": lambda: pandas.DataFrame.from_dict(
        {
            str(time.date()): {f"{at}. {name}": str(value) for at, (name, value) in enumerate(row.items(), 1)}
            for time, row in plain()[::-1].iterrows()
        },
        orient="index",
    ),
    **{
        f"times in {unit}": (lambda unit=unit: plain().assign(timestamp=in_unit(unit)).reset_index(drop=True))
        for unit in ("s", "ms", "us", "ns")
    },
    **{f"an index in {unit}": (lambda unit=unit: plain().set_axis(in_unit(unit))) for unit in ("s", "ms", "us", "ns")},
    "polars": lambda: polars.from_pandas(plain().rename_axis("Date").reset_index()),
    "polars with categories": lambda: polars.from_pandas(
        plain().rename_axis("Date").reset_index().assign(symbol="BTC/USDT")
    ).with_columns(polars.col("symbol").cast(polars.Categorical)),
    "pyarrow": lambda: pyarrow.Table.from_pandas(plain().rename_axis("time").reset_index(), preserve_index=False),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS.keys())
def test_a_frame_of_this_form_has_the_candles(make: Any) -> None:
    assert candles_of(make()) == _CANDLES


def test_rows_without_times_are_counted_and_those_without_prices_left_out() -> None:
    frame = plain().reset_index(drop=True).iloc[1:]
    assert [each["timestamp"] for each in candles_of(frame)] == [0, 1, 2]
    gap = plain()
    gap.iloc[1] = float("nan")
    assert candles_of(gap) == [_CANDLES[0], *_CANDLES[2:]]
    assert read_candles(gap[::-1]).rows.to_pylist() == [3, 1, 0]


REFUSED: dict[str, Any] = {
    "The frame has the columns of several markets: A, B. Choose one, such as frame.xs('A', axis=1, level=1)": lambda: (
        with_market(plain(), "A", "B")
    ),
    'The volume may be "Vol ETH" or "Vol BTC": name it, such as frame.rename(columns={"Vol ETH": "volume"})': lambda: (
        plain().rename(columns={"volume": "Vol ETH"}).assign(**{"Vol BTC": 1.0})
    ),
    'The columns "close" and "Close" may both be the close: drop one': lambda: plain().assign(Close=1.0),
    "The 8 columns have no names: name them, such as time, open, high, low, close, volume": lambda: [
        [1.7e12, 1, 2, 1, 2, 3, 4, 5]
    ],
    "There are no candles": list,
}


@pytest.mark.parametrize(("text", "make"), REFUSED.items())
def test_a_frame_that_may_be_read_in_two_ways_is_refused_with_the_choice(text: str, make: Any) -> None:
    with pytest.raises(CandelaError) as caught:
        candles_of(make())
    assert (str(caught.value), caught.value.status) == (text, 400)


def test_the_results_of_the_accessor_are_in_the_order_of_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    def closes(_: Candela, name: str, candles: Any) -> Table:
        # Like an answer, it begins with the first candle that has a value.
        return Table.of_arrow(candles.table.select(["time", "close"]).slice(1))

    monkeypatch.setattr("candela_client._accessor._computed_here", lambda *_: None)
    monkeypatch.setattr(Candela, "compute", closes)
    configure(Candela(key=""))
    for frame in (plain(), plain()[::-1], plain().iloc[[0, 1, 2, 3]].set_axis([7, 7, 7, 7])):
        result = frame.candela.indicator("sma")
        expected = frame["close"].where(frame["close"] != _CANDLES[0]["close"])
        pandas.testing.assert_series_equal(result, expected, check_names=False)
