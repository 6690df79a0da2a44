"""The programs of docs/cluster-jobs.md over a folder of candles have the values of candela_ta."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import candela_ta as ta

PAGE = Path(__file__).parents[2] / "docs" / "cluster-jobs.md"
INDICATORS = ["rsi(14)", "macd", "close > ema(200)"]
SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT"]
COUNT = 5000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "candles").mkdir()
    for seed, symbol in enumerate(SYMBOLS):
        close = 100 + np.cumsum(np.random.default_rng(seed).normal(size=COUNT))
        frame = pandas.DataFrame({"symbol": symbol, "time": pandas.date_range("2025-01-01", periods=COUNT, freq="min")})
        frame = frame.assign(open=close, high=close + 1, low=close - 1, close=close, volume=1.0)
        frame.to_parquet(tmp_path / "candles" / f"{symbol}.parquet")
    return tmp_path


def run(name: str, folder: Path) -> pandas.DataFrame:
    """The rows that the program of a section writes into `values`, in the order of symbols and times."""
    found = re.search(rf"## {name}\n.*?```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    program = folder / "job.py"
    program.write_text(found[1])
    # Workers of Spark run the Python of the path by default.
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run([sys.executable, program], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    written: Any = folder / "values" if (folder / "values").exists() else folder / "values.parquet"
    return pandas.read_parquet(written).sort_values(["symbol", "time"]).reset_index(drop=True)


def check(rows: pandas.DataFrame, folder: Path, columns: dict[str, str]) -> None:
    """Compares columns of the rows with those of the library, by their names there."""
    assert rows["symbol"].tolist() == [symbol for symbol in SYMBOLS for _ in range(COUNT)]
    for symbol in SYMBOLS:
        candles = pandas.read_parquet(folder / "candles" / f"{symbol}.parquet")
        expected, own = ta.compute_all(INDICATORS, candles), rows[rows["symbol"] == symbol]
        for name, there in columns.items():
            wanted, given = (
                each.astype("Float64").to_numpy(np.float64, na_value=np.nan) for each in (expected[there], own[name])
            )
            assert given.tobytes() == wanted.tobytes(), f"{symbol} {name}"


WHOLE = {
    name: name for name in ("rsi(14)", "macd.valueMACD", "macd.valueMACDSignal", "macd.valueMACDHist", "close > ema(200)")
}


def test_dask_computes_with_two_workers(folder: Path) -> None:
    check(run("Dask", folder), folder, WHOLE)


def test_polars_computes_groups(folder: Path) -> None:
    check(run("polars", folder), folder, WHOLE)


def test_duckdb_computes_lists(folder: Path) -> None:
    check(run("DuckDB", folder), folder, {"rsi": "rsi(14)"})


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_spark_computes_files(folder: Path) -> None:
    check(run("Spark", folder), folder, WHOLE)
