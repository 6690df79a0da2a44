"""TradingView: its own exports of charts with Pine's functions, which are the tests of PyneCore.

The exports are not part of this project. `tradingview.json` names their repository, and the column of each output by
parameters; `run.sh` downloads them.
"""

import csv
import json
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import numpy as np

from comparison import Verdict, compare_plain, forms, limits, numbers
from markets import columns, environment, project

title = "TradingView"
facts = json.loads((project / "bench/oracles/tradingview.json").read_text(encoding="utf-8"))
version = f"exports in PyneCore {facts['commit'][:8]}"
folder = environment / "pynecore" / facts["folder"]


def names(catalogue):
    """No functions: the verdicts come from the exports."""
    return {}


def day_of_exchange(time, zone):
    """Start of the exchange's day, which begins at 17:00 in its zone, as 00:00 UTC."""
    local = datetime.fromtimestamp(time, ZoneInfo(zone)).replace(tzinfo=timezone.utc)
    return int(local.timestamp()) + 7 * 3600


def read(name):
    """The candles of an export, and its other columns by their names."""
    with open(folder / name, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows = rows[: facts["candles"]]
    market = {column: [float(row["Volume" if column == "volume" else column]) for row in rows] for column in columns}
    market["timestamp"] = [int(float(row["time"])) for row in rows]
    if name in facts["zone"]:
        market["timestamp"] = [day_of_exchange(time, facts["zone"][name]) for time in market["timestamp"]]
    exported = {}
    for column in rows[0]:
        if column not in ("time", "Volume", *columns):
            values = np.array([float(row[column] or "nan") for row in rows])
            # Pine's value for none in some exports.
            exported[column.replace("&quot;", '"')] = np.where(values > 1e99, np.nan, values)
    return market, exported


def verdicts(catalogue, ask):
    """Names of the columns and the verdict of each indicator in an export."""
    exports = [each for each in facts["exports"] if each["id"] in catalogue]
    files = {each["file"]: read(each["file"]) for each in exports}
    calls = [{"id": each["id"], "market": files[each["file"]][0], "params": each.get("params", {})} for each in exports]
    found = {}
    for export, answer in zip(exports, ask(calls)):
        entry = catalogue[export["id"]]
        outputs = {name: numbers(column) for name, column in zip(entry["outputs"], answer["outputs"])}
        ours = outputs[export["output"]]
        if "where" in export:
            ours = np.where(outputs["value"] == export["where"], ours, np.nan)
        theirs = files[export["file"]][1][export["column"]] * export.get("times", 1)
        theirs[: export.get("from", 0)] = np.nan
        found.setdefault(export["id"], []).append((export, *difference(ours, theirs, export)))
    return {indicator: (functions(of), verdict(of, catalogue[indicator])) for indicator, of in found.items()}


def difference(ours, theirs, export):
    """Agreement of an output and a column in the form of `comparison.compare`, the number of candles at which they differ, and
    the number at which TradingView has a value. Nothing differs until the first value of either."""
    has = np.isfinite(theirs)
    if export["column"].endswith((".up", ".down")):
        # TradingView has a column for the line of each side.
        ours = np.where(has, ours, np.nan)
    if not (has & np.isfinite(ours)).any():
        return ("differs", np.inf), int(has.sum()), int(has.sum())
    first = max(int(np.flatnonzero(column)[0]) for column in (has, np.isfinite(ours)))
    column = next(column for column, text in forms(ours, theirs, export) if text or not export.get("level"))
    both = has & np.isfinite(ours)
    wrong = has != np.isfinite(ours)
    wrong[:first] = False
    with np.errstate(all="ignore"):
        wrong |= both & (np.abs(ours - column) > limits(ours, np.max(np.abs(column[both]))))
    return compare_plain(ours, column), int(wrong.sum()), int(has.sum())


def functions(exports):
    return ", ".join(dict.fromkeys(export["column"].split("(")[0] for export, *_ in exports))


def verdict(exports, entry):
    """Equal if no candle differs, else the number of different candles, or the candle after which none differs.

    If a level has a column for each `value`, `value` is compared as well.
    """
    wrong, count = sum(of[2] for of in exports), sum(of[3] for of in exports)
    names = {of[0]["output"] for of in exports if of[2] == 0}
    if all("where" in of[0] and of[2] == 0 for of in exports):
        names.add("value")
    outputs = tuple(name for name in entry["outputs"] if name in names)
    if wrong == 0:
        texts = {f"times {of[0]['times']:.6g}" for of in exports if "times" in of[0]}
        return Verdict("equal", ", ".join(sorted(texts)), outputs)
    if all(of[1][0] in ("equal", "fades") for of in exports) and any(of[1][0] == "fades" for of in exports):
        last = max(of[1][1] for of in exports if of[1][0] == "fades")
        return Verdict("fades", last, tuple(name for name in entry["outputs"] if name in {of[0]["output"] for of in exports}))
    return Verdict("differs", f"at {wrong} of {count} values", outputs)
