"""candela_ta without a service: forms of columns and frames, errors, the cache of compiled modules, threads."""

from __future__ import annotations

import copy
import os
import pickle
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import candela_ta as ta

COUNT = 400
CLOSES = 100 + np.cumsum(np.sin(np.arange(COUNT) * 1.7) + 0.01)
COLUMNS = {"high": CLOSES + 1, "low": CLOSES - 1, "close": CLOSES, "volume": np.arange(COUNT) + 1.0}
#: A RSI of 3 candles by hand: gains 2, 0, 1 and losses 0, 1, 0, then a loss of 3, smoothed as Wilder does.
BY_HAND = ([10.0, 12, 11, 12, 9], [75.0, 100 * (1 * 2 / 3) / (1 * 2 / 3 + (1 / 3 * 2 + 3) / 3)])


def same(one: Any, other: Any) -> bool:
    return np.asarray(one, dtype=np.float64).tobytes() == np.asarray(other, dtype=np.float64).tobytes()


def test_a_value_equals_that_by_hand() -> None:
    closes, expected = BY_HAND
    values = ta.rsi(np.array(closes), period=3)
    assert np.isnan(values[:3]).all()
    assert values[3:] == pytest.approx(expected, rel=1e-14)


def test_arrays_of_any_kind_are_columns() -> None:
    whole = np.arange(2000.0)
    expected = ta.sma(whole[::2].copy(), 5)
    for column in (whole[::2], whole[::2].astype(np.int32), whole[::2].tolist(), whole[::2].astype(object)):
        assert same(ta.sma(column, 5), expected)
    assert len(ta.sma(np.array([]), 5)) == 0
    assert np.isnan(ta.sma(np.arange(3.0), 5)).all()
    with pytest.raises(ta.CandelaError, match="not all numbers"):
        ta.sma(["a", "b"])
    with pytest.raises(ta.CandelaError, match="one dimension, not 2"):
        ta.sma(np.ones((3, 3)))
    with pytest.raises(ta.CandelaError, match="400 and 399 values"):
        ta.atr(CLOSES, CLOSES, CLOSES[1:])
    with pytest.raises(ta.CandelaError, match="atr reads the column low, which is missing"):
        ta.atr(CLOSES)


def test_several_outputs_have_names() -> None:
    macd = ta.macd(CLOSES)
    line, signal, histogram = macd
    assert macd._fields == ("valueMACD", "valueMACDSignal", "valueMACDHist")
    assert same(line - signal, histogram)


def test_pandas_gets_its_index_and_types_back() -> None:
    index = pandas.date_range("2025-01-01", periods=COUNT, freq="h", tz="UTC")
    frame = pandas.DataFrame({name.title(): values for name, values in COLUMNS.items()}, index=index)
    rsi = frame.ta.rsi(5)
    assert rsi.index is frame.index or rsi.index.equals(index)
    assert (rsi.name, str(rsi.dtype)) == ("rsi", "float64")
    assert same(rsi, ta.rsi(CLOSES, period=5)) and same(ta.rsi(frame["Close"], 5), rsi)
    both = frame.ta(["rsi(5)", "macd", "close > ema(20)"])
    assert list(both.columns) == [
        "rsi(5)",
        "macd.valueMACD",
        "macd.valueMACDSignal",
        "macd.valueMACDHist",
        "close > ema(20)",
    ]
    assert str(both["close > ema(20)"].dtype) == "boolean" and both["close > ema(20)"].isna().sum() == 19
    assert set(frame.ta.supertrend()["valueAdvice"].dropna()) <= {"long", "short"}
    nullable = frame["Close"].astype("Float64")
    nullable.iloc[100] = pandas.NA
    assert np.isnan(ta.sma(nullable, 5)[100:105]).all() and not np.isnan(ta.sma(nullable, 5)[105:]).any()
    with pytest.raises(AttributeError, match="There is no indicator rsii"):
        _ = frame.ta.rsii
    assert "supertrend" in dir(frame.ta) and "Relative Strength" in (frame.ta.rsi.__doc__ or "")


def test_polars_and_arrow_get_their_types_back() -> None:
    frame = polars.DataFrame(COLUMNS)
    both = frame.ta(["rsi(5)", "supertrend", "close > ema(20)"])
    assert [str(kind) for kind in both.dtypes] == ["Float64", "Float64", "String", "Boolean"]
    assert both["close > ema(20)"].null_count() == 19
    assert same(frame.ta.rsi(5).fill_null(float("nan")), ta.rsi(CLOSES, 5))
    assert frame.ta.rsi(5).name == "rsi" and frame.ta.rsi(5).null_count() == 5
    table = pyarrow.table(COLUMNS)
    assert [str(kind) for kind in ta.supertrend(table).schema.types] == ["double", "string"]
    assert ta.expression("close > ema(20)", table).type == pyarrow.bool_()
    chunked = pyarrow.chunked_array([CLOSES[:100], CLOSES[100:]])
    assert ta.rsi(chunked, 5).null_count == 5
    assert same(ta.rsi(chunked, 5).fill_null(float("nan")), ta.rsi(CLOSES, 5))


def test_times_are_read_from_an_index_or_a_column() -> None:
    index = pandas.date_range("2025-01-01", periods=COUNT, freq="h", tz="Europe/Zurich")
    frame = pandas.DataFrame(COLUMNS, index=index)
    expected = ta.vwap({**COLUMNS, "timestamp": index.asi8 / (1e9 if index.unit == "ns" else 1e6)})
    assert same(ta.vwap(frame), expected)
    assert same(ta.vwap(frame.reset_index(names="time")), expected)
    assert same(ta.vwap(polars.from_pandas(frame.reset_index(names="time"))).fill_null(np.nan), expected)
    assert same(ta.vwap({**COLUMNS, "time": index.asi8 / (1e6 if index.unit == "ns" else 1e3)}), expected)


def test_an_indicator_begins_again_after_a_missing_value() -> None:
    closes = CLOSES.copy()
    closes[[50, 200]] = np.nan
    ema = ta.ema(closes, 10)
    for first, end in ((0, 50), (51, 200), (201, COUNT)):
        assert same(ema[first:end], ta.ema(closes[first:end], 10))
    assert np.isnan(ema[[50, 200]]).all()
    assert same(ta.ema(ta.rsi(CLOSES, 5), 10), ta.expression("ema(rsi(5), 10)", COLUMNS))


def test_mistakes_have_the_words_of_the_service() -> None:
    for call, text in [
        (lambda: ta.rsi(CLOSES, period=1), "Invalid period: 1. Expected integer, 2 to 500"),
        (lambda: ta.rsi(CLOSES, perid=9), "Unknown parameter: perid. rsi accepts: period, source. Did you mean period?"),
        (lambda: ta.live("rsii"), "Unknown indicator: rsii. Did you mean rsi?"),
        (lambda: ta.expression("clse > 1", COLUMNS), 'Invalid expression at character 1: unknown name "clse".'),
        (lambda: ta.expression("close > open", COLUMNS), "The frame has no column open"),
        (lambda: ta.expression("close > ema(9)@4h", COLUMNS), "Other timeframes are not computed by candela_ta"),
        (lambda: ta.expression("close / close{ETHUSDT}", COLUMNS), "Other markets are not computed by candela_ta"),
    ]:
        with pytest.raises(ta.CandelaError) as caught:
            call()  # type: ignore[no-untyped-call]
        assert str(caught.value).startswith(text)
    with pytest.raises(TypeError, match="A parameter of adx is no number: it reads high, low"):
        ta.adx(CLOSES, CLOSES, CLOSES)  # type: ignore[arg-type]
    assert same(ta.rsi(CLOSES, optInTimePeriod=9), ta.rsi(CLOSES, period=9))


def test_a_live_state_is_copied_and_pickled() -> None:
    live = ta.live("ema(rsi(5), 10)", {name: values[:-1] for name, values in COLUMNS.items()})
    state = pickle.loads(pickle.dumps(copy.deepcopy(live.save())))
    assert live.count == COUNT - 1
    last = ta.expression("ema(rsi(5), 10)", COLUMNS)[-1]
    assert live.update(CLOSES[-1] * 2) != live.update(CLOSES[-1]) == live.close({"close": CLOSES[-1]}) == last
    assert ta.live("ema(rsi(5), 10)").restore(state).close(CLOSES[-1]) == last
    with pytest.raises(ta.CandelaError, match="another indicator"):
        ta.live("ema(9)").restore(state)
    with pytest.raises(ta.CandelaError, match="The candle has no close"):
        live.close({"open": 1.0})


def run(program: str, **environment: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PROGRAM = "import candela_ta as ta, numpy as np; print(ta.rsi(np.arange(9.0), period=3)[-1], ta.sma(np.arange(9.0), 9)[-1])"


def test_a_broken_file_of_the_cache_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert run(PROGRAM, CANDELA_CACHE=str(folder)) == "100.0 4.0"
    files = sorted(folder.iterdir())
    contents = [file.read_bytes() for file in files]
    assert len(files) == 3
    files[0].write_bytes(contents[0][:-1000])
    for file, content in zip(files[1:], contents[1:], strict=True):
        file.write_bytes(content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])
    assert run(PROGRAM, CANDELA_CACHE=str(folder)) == "100.0 4.0"
    assert [len(file.read_bytes()) for file in sorted(folder.iterdir())] == [len(content) for content in contents]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert run(PROGRAM, CANDELA_CACHE=str(file / "folder")) == "100.0 4.0"
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert run(PROGRAM, CANDELA_CACHE=str(closed)) == "100.0 4.0"


def test_the_accessor_is_there_in_either_order_of_imports() -> None:
    for library in ("pandas", "polars"):
        frame = f"{library}.DataFrame({{'close': [1.0, 2, 3]}}).ta.sma(2)"
        for imports in (f"import candela_ta, {library}", f"import {library}, candela_ta"):
            assert run(f"{imports}; print(list({frame})[1:])") == "[1.5, 2.5]"
    assert run("import candela_ta, sys; print('pandas' in sys.modules)") == "False"


def test_threads_compute_at_the_same_time_with_the_same_values() -> None:
    expected = [ta.rsi(CLOSES, period) for period in range(2, 30)]
    failed: list[int] = []

    def work() -> None:
        failed.extend(
            period for period in range(2, 30) for _ in range(20) if not same(ta.rsi(CLOSES, period), expected[period - 2])
        )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_other_threads_run_while_a_kernel_computes() -> None:
    closes = np.tile(CLOSES, 2500)
    ta.rsi(closes)
    beats: list[float] = []
    ended = threading.Event()

    def beat() -> None:
        while not ended.is_set():
            beats.append(time.perf_counter())
            time.sleep(1e-5)

    # The interpreter would not change threads by itself within this time. A busy machine may miss a call.
    sys.setswitchinterval(1000)
    ran = False
    try:
        thread = threading.Thread(target=beat)
        thread.start()
        for _ in range(50):
            begin = time.perf_counter()
            ta.linearreg(closes, 500)
            end = time.perf_counter()
            ran = any(begin < each < end for each in beats)
            if ran:
                break
    finally:
        ended.set()
        sys.setswitchinterval(0.005)
        thread.join()
    assert ran
