"""The programs in the pages of documents and the notebook of the examples, against the same service as the client."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from textwrap import dedent
from typing import Any

import duckdb
import httpx
import nbclient
import nbformat

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tables.md"


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


def test_the_programs_of_the_library_compute_as_the_page_says() -> None:
    names: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python-library.md").read_text(), re.DOTALL):
        exec(program, names)
    signals = names["signals"]
    assert list(signals.columns)[1:] == ["macd.valueMACD", "macd.valueMACDSignal", "macd.valueMACDHist", "close > ema(200)"]
    assert signals["rsi(14)"].equals(names["df"]["rsi"].rename("rsi(14)"))
    assert names["df"]["trend"].isna().sum() == 199
    assert names["same"].close(99.0) == names["live"].close(99.0) != names["closed"] != names["forming"]


def test_duckdb_reads_an_address_as_the_page_says() -> None:
    found = re.search(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    url, key = os.environ["CANDELA_URL"], os.environ["CANDELA_KEY"]
    program = found[1].replace("http://127.0.0.1:8080", url).replace("<key>", key)
    # The extension from the package, because a test must not use DuckDB's server.
    (extension,) = Path(str(resources.files("duckdb_extension_httpfs"))).rglob("*.duckdb_extension")
    with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
        connection.load_extension(str(extension))
        relation: Any = connection.sql(program)
        assert relation.columns == ["time", "open", "high", "low", "close", "volume"]
        assert str(relation.types[0]).startswith("TIMESTAMP")
        assert {str(kind) for kind in relation.types[1:]} == {"DOUBLE"}
        rows = relation.fetchall()
    expected = httpx.get(
        f"{url}/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=500", headers={"Authorization": f"Bearer {key}"}
    ).json()
    assert [row[4] for row in rows] == [each["close"] for each in expected]


def _kinds_of(cell: Any) -> list[str]:
    """The media types of the outputs of a cell; `stdout` is printed text."""
    outputs = cell.outputs if cell.cell_type == "code" else []
    return [kind for output in outputs for kind in sorted(output.get("data", [output.get("name")]))]


def test_the_notebook_computes_what_the_service_answers() -> None:
    path = ROOT / "examples" / "research.ipynb"
    notebook: Any = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    # `jupyter execute --inplace examples/research.ipynb` writes the outputs again.
    stored = [_kinds_of(cell) for cell in notebook.cells]
    assert any("image/png" in kinds for kinds in stored)
    assert str(ROOT) not in path.read_text()
    known = """\
    import json
    values = [
        candles["close"].tolist(), study["rsi"].iloc[-1], len(frame), ratio.iloc[-1], trades["count"],
        own["rsi"].iloc[-1], bool(own["trend"].iloc[-1]), (score - ratio).abs().max(),
    ]
    print(json.dumps(values))"""
    notebook.cells.append(nbformat.v4.new_code_cell(dedent(known)))
    nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": path.parent}}).execute()
    assert [_kinds_of(cell) for cell in notebook.cells[:-1]] == stored
    closes, rsi, rows, ratio, trades, own, trend, difference = json.loads(notebook.cells[-1].outputs[0].text)

    def answer_of(path: str, **fields: Any) -> Any:
        market = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1h"}
        headers = {"Authorization": f"Bearer {os.environ['CANDELA_KEY']}"}
        if path == "/evaluate":
            return httpx.post(os.environ["CANDELA_URL"] + path, json={**market, **fields}, headers=headers).json()
        query = {**market, "backtrack": 1, **fields}
        return httpx.get(os.environ["CANDELA_URL"] + path, params=query, headers=headers).json()

    assert closes == [each["close"] for each in answer_of("/candles", results="max")]
    assert rsi == answer_of("/indicator/rsi")["value"][0]
    assert ratio == answer_of("/expression", expression="zscore(close / close{ETHUSDT}, 100)")["value"][0]
    evaluation = answer_of("/evaluate", entry="rsi(14) < 30", exit="rsi(14) > 50", fee=0.001)
    assert trades == evaluation["trades"]["count"] > 0
    table = (path.parent / "candles.csv").read_bytes()
    headers = {"Authorization": f"Bearer {os.environ['CANDELA_KEY']}", "Content-Type": "text/csv"}
    reply = httpx.post(os.environ["CANDELA_URL"] + "/indicator/rsi", content=table, headers=headers)
    assert own == reply.json()["value"][0]
    assert (rows, trend, difference) == (2000, True, 0)


def test_the_first_hour_ends_without_a_stop(tmp_path: Path) -> None:
    program = ROOT / "examples" / "first-hour.py"
    found = subprocess.check_output([sys.executable, str(program)], text=True, cwd=tmp_path)
    headers = {"Authorization": f"Bearer {os.environ['CANDELA_KEY']}"}
    market = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1h", "results": "max", "backtrack": 1}

    def values_of(expression: str) -> list[Any]:
        query: Any = {**market, "expression": expression}
        reply = httpx.get(f"{os.environ['CANDELA_URL']}/expression", params=query, headers=headers).json()
        values: list[Any] = reply["value"]
        return values

    counts = [sum(values_of(text)) for text in ("close > sma(50)", "close > sma(50) and rsi(14) < 45")]
    lines = found.splitlines()
    assert lines[0].endswith(f"candles, {counts[0]} of them above their average")
    assert lines[1] == f"pullbacks: {counts[1]}"
    assert re.fullmatch(r"RSI of days: \d+\.\d\d", lines[2])
    assert re.fullmatch(r"\d+ trades, -?\d+\.\d\d% in all", lines[3])
