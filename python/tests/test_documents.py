"""The programs in the pages of documents, against the same service as the client."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import duckdb
import httpx

PAGE = Path(__file__).parents[2] / "docs" / "data-frames.md"


def test_frames_are_read_as_the_page_says() -> None:
    names: dict[str, Any] = {"url": os.environ["CANDELA_URL"], "key": os.environ["CANDELA_KEY"]}
    for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(program, names)
    candles, macd, rsi = names["candles"], names["macd"], names["rsi"]
    assert list(candles.columns) == ["open", "high", "low", "close", "volume"]
    assert (len(candles), str(candles.index.tz)) == (500, "UTC")
    assert macd.columns == ["time", "valueMACD", "valueMACDSignal", "valueMACDHist"]
    assert [str(field.type) for field in rsi.schema] == ["timestamp[ms, tz=UTC]", "double"]
    low = sorted(row["value"] for row in rsi.to_pylist() if row["value"] < 40)
    assert [value for _, value in names["oversold"]] == low


def test_duckdb_finds_the_types_of_csv(tmp_path: Path) -> None:
    reply = httpx.get(
        os.environ["CANDELA_URL"] + "/candles",
        params={"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1d", "results": 3, "format": "csv"},
        headers={"Authorization": f"Bearer {os.environ['CANDELA_KEY']}"},
    )
    file = tmp_path / "candles.csv"
    file.write_bytes(reply.content)
    relation: Any = duckdb.sql(f"select * from read_csv_auto('{file}')")
    assert relation.columns == ["time", "open", "high", "low", "close", "volume"]
    assert str(relation.types[0]).startswith("TIMESTAMP")
    # A volume without digits behind the point in all rows would be whole numbers.
    assert {str(kind) for kind in relation.types[1:5]} == {"DOUBLE"}
    assert len(relation.fetchall()) == 3
