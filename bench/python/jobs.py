"""Measures twenty indicators over a folder of Parquet files with two workers of Dask, with candela_ta and with TA-Lib.

python -m pip install -r requirements.txt ../../dist/packages/candela_ta-1.0.0-py3-none-any.whl
python jobs.py [--symbols 200] [--candles 100000]

A row is a candle of a symbol with all indicators, read from a file and written into another. Rows per second are those of one
processor core: processor time is summed over the workers. Both libraries take turns, file by file.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet as parquet
from dask.distributed import Client

PRICES = ("open", "high", "low", "close", "volume")
OURS = (
    "rsi macd bbands atr adx cci willr mfi obv stoch ema sma wma dema tema roc mom trix ultosc aroon".split()
)
THEIRS = {"bbands": {"timeperiod": 20}, "stoch": {}, "ultosc": {}, "macd": {}, "obv": {}}


def columns_of(name: str, found) -> dict[str, np.ndarray]:
    values = found if isinstance(found, tuple) else (found,)
    return {f"{name}.{at}": each for at, each in enumerate(values)}


def with_candela(candles: dict[str, np.ndarray]):
    import candela_ta as ta

    return {key: values for name in OURS for key, values in columns_of(name, tuple_of(ta.compute(name, candles))).items()}


def tuple_of(found):
    return tuple(found.values()) if isinstance(found, dict) else found


def with_talib(candles: dict[str, np.ndarray]):
    from talib import abstract

    found = {}
    for name in OURS:
        result = abstract.Function(name)(candles, **THEIRS.get(name, {}))
        found.update(columns_of(name, tuple(result) if isinstance(result, list) else result))
    return found


def work(file: Path, target: Path) -> dict[str, tuple[float, float]]:
    """Processor seconds of each library for one file: of all, and of the calculation alone."""
    seconds = {}
    for name, compute in (("candela_ta", with_candela), ("TA-Lib", with_talib)):
        begin = time.process_time()
        table = parquet.read_table(file, columns=list(PRICES))
        candles = {column: table[column].to_numpy() for column in PRICES}
        loaded = time.process_time()
        values = compute(candles)
        computed = time.process_time()
        parquet.write_table(pyarrow.table(values), target / f"{name}-{file.name}", compression="none", use_dictionary=False)
        seconds[name] = (time.process_time() - begin, computed - loaded)
    return seconds


def write_candles(folder: Path, symbols: int, candles: int) -> list[Path]:
    files = []
    for seed in range(symbols):
        of = np.random.default_rng(seed)
        close = 100 * np.exp(np.cumsum(of.normal(scale=0.001, size=candles)))
        spread = close * np.abs(of.normal(scale=0.001, size=candles))
        columns = (close - spread / 2, close + spread, close - spread, close, of.uniform(1, 10, candles))
        files.append(folder / f"S{seed:03}.parquet")
        parquet.write_table(pyarrow.table(dict(zip(PRICES, columns))), files[-1])
    return files


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--symbols", type=int, default=200)
    parser.add_argument("--candles", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        folder = Path(name)
        files = write_candles(folder, options.symbols, options.candles)
        # The first file has the time in which each worker starts the libraries.
        client.run(work, files[0], folder)
        begin = time.perf_counter()
        found = client.gather(client.map(work, files, [folder] * len(files)))
        elapsed = time.perf_counter() - begin
    rows = options.symbols * options.candles
    print(f"{options.symbols} symbols × {options.candles:,} candles × {len(OURS)} indicators, {elapsed:.1f} s for both")
    for library in ("candela_ta", "TA-Lib"):
        whole, alone = (sum(each[library][part] for each in found) for part in (0, 1))
        print(f"{library:>12}: {rows / whole:>12,.0f} rows/s per core, {rows / alone:>12,.0f} without files")


if __name__ == "__main__":
    main()
