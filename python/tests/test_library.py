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
    masked = np.ma.masked_array(whole[::2], mask=whole[::2] == 100)
    assert same(ta.sma(masked, 5), ta.sma(np.where(whole[::2] == 100, np.nan, whole[::2]), 5))
    assert same(ta.sma(pandas.Index(whole[::2]), 5), expected) and same(ta.expression("sma(5)", whole[::2]), expected)


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ([["a", "b"]], "not all numbers"),
        ([pandas.Series(["a", "b"])], "not all numbers"),
        ([pandas.Series(["a", "b"], dtype=object)], "not all numbers"),
        ([np.ones(3) + 1j], "not all numbers"),
        ([np.ones((3, 3))], "an array with 2 dimensions"),
        ([5.0], "not a float"),
        (["close"], "not a str"),
        ([polars.col("close")], "not a Expr"),
        ([polars.LazyFrame({"close": [1.0]})], r"collect\(\) it first"),
        ([pandas.concat([pandas.DataFrame(COLUMNS)] * 2, axis=1)], "several columns close"),
        ([pandas.DataFrame({"open": [1.0]})], "The frame has no column close: it has open"),
    ],
)
def test_a_wrong_column_is_refused(columns: list[Any], text: str) -> None:
    with pytest.raises(ta.CandelaError, match=text):
        ta.sma(*columns)


def test_columns_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ta.CandelaError, match="400 and 399 values"):
        ta.atr(CLOSES, CLOSES, CLOSES[1:])
    with pytest.raises(ta.CandelaError, match="atr reads the column low, which is missing"):
        ta.atr(CLOSES)
    closes = pandas.Series(CLOSES)
    with pytest.raises(ta.CandelaError, match="different indexes"):
        ta.atr(closes, closes[::-1], closes)
    with pytest.raises(ta.CandelaError, match="high, low, close: give a frame"):
        ta.expression("atr(3)", closes)


def test_a_kept_call_reads_the_columns_of_each_call() -> None:
    """The second and later calls over arrays of one size take a shorter way than the first one."""
    low, high = COLUMNS["low"], COLUMNS["high"]
    gap = np.where(np.arange(COUNT) == 50, np.nan, CLOSES)
    for closes in (CLOSES, CLOSES * 2, gap, CLOSES, CLOSES.astype(np.float32).astype(np.float64)):
        frame = {"high": high, "low": low, "close": closes}
        assert same(ta.atr(high, low, closes, 5), ta.atr(frame, period=5))
        assert same(ta.macd(closes), list(ta.macd({"close": closes}).values()))
    assert same(ta.atr(high, low, CLOSES.astype(np.float32), 5), ta.atr(high, low, CLOSES.astype(np.float32) * 1.0, 5))
    for wrong in (CLOSES[:1], CLOSES.reshape(1, -1), CLOSES.reshape(-1, 1)):
        with pytest.raises(ta.CandelaError):
            ta.atr(high, low, wrong, 5)
    advice = ta.supertrend(high, low, CLOSES).valueAdvice
    assert advice.tolist() == ta.supertrend(high, low, CLOSES).valueAdvice.tolist() and set(advice) <= {
        "long",
        "short",
        None,
    }
    many = np.arange(200_000.0)
    assert ta.sma(many, 2)[-1] == 199_998.5 and same(ta.rsi(CLOSES, 5), ta.rsi(CLOSES.tolist(), 5))


def test_a_history_may_grow_by_any_number_of_values() -> None:
    # A store of wasmtime has room for 10,000 instances.
    closes = np.arange(10_100.0) ** 2
    newest = [ta.mom(closes[:count], 1)[-1] for count in range(2, len(closes))]
    assert newest == np.diff(closes)[:-1].tolist()


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
    # Calls that a type checker refuses.
    wrong: Any = ta
    for call, text in [
        (lambda: ta.rsi(CLOSES, period=1), "Invalid period: 1. Expected integer, 2 to 500"),
        (lambda: ta.rsi(CLOSES, perid=9), "Unknown parameter: perid. rsi accepts: period, source. Did you mean period?"),
        (lambda: ta.live("rsii"), "Unknown indicator: rsii. Did you mean rsi?"),
        (lambda: ta.expression("clse > 1", COLUMNS), 'Invalid expression at character 1: unknown name "clse".'),
        (lambda: ta.expression("close > open", COLUMNS), "The frame has no column open"),
        (lambda: wrong.rsi(CLOSES, period=np.int64(1)), "Invalid period: 1. Expected integer, 2 to 500"),
        (lambda: wrong.rsi(CLOSES, period=np.nan), 'Invalid period: "nan". Expected integer, 2 to 500'),
        (lambda: wrong.compute(["rsi"], COLUMNS), "An indicator or an expression is a text, and not ['rsi']"),
        (
            lambda: ta.expression("close > ema(9)@4h", COLUMNS),
            "candela_ta computes one timeframe at a time: resample",
        ),
        (
            lambda: ta.expression("close / close{ETHUSDT}", COLUMNS),
            "candela_ta computes one market at a time: compute",
        ),
        (lambda: ta.compute("rsi", COLUMNS, chart="renko"), "candela_ta has no charts: compute over a frame of their bars"),
        (
            lambda: wrong.adx(CLOSES, CLOSES, CLOSES),
            "A parameter of adx is neither a number nor a text",
        ),
    ]:
        with pytest.raises(ta.CandelaError) as caught:
            call()  # type: ignore[no-untyped-call]
        assert str(caught.value).startswith(text)
    assert same(wrong.rsi(CLOSES, period=np.int64(9)), ta.rsi(CLOSES, period=9))
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
    for candle, text in (({"open": 1.0}, "The candle has no close"), ("x", "numbers, and not"), ([1.0], "numbers, and not")):
        with pytest.raises(ta.CandelaError, match=text):
            live.close(candle)
    with pytest.raises(ta.CandelaError, match="no state that save"):
        live.restore({})


def test_a_live_candle_may_be_a_row_of_a_frame() -> None:
    frame = pandas.DataFrame(COLUMNS).rename(columns=str.title)
    live = ta.live("atr", frame[:-1], period=5)
    assert live.close(frame.iloc[-1]) == ta.atr(frame, period=5).iloc[-1]
    assert ta.live("close > sma(2)", CLOSES).close(1e6) is True


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
