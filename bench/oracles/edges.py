"""Comparison of TA-Lib and the kernels where nothing moves, prices tie, nothing is traded or candles are few."""

import json

import numpy as np

import markets
import talib_library

length = 120


def edge_markets():
    """Four markets of a few candles, by their special property."""
    real = {name: column[:length] for name, column in markets.read("volatile").items()}
    still = {name: np.full(length, real["close"][0]) for name in ("open", "high", "low", "close")}
    step = np.ptp(real["close"]) / 6
    tied = {name: np.round(real[name] / step) * step for name in ("open", "high", "low", "close")}
    return {
        "flat": {**real, **still, "volume": np.full(length, 1000.0)},
        "ties": {**real, **tied},
        "no volume": {**real, "volume": np.zeros(length)},
        "few candles": real,
    }


def as_lists(market):
    return {name: column.tolist() for name, column in market.items()}


def number(value):
    return "none" if value is None or not np.isfinite(value) else f"{value:.6g}"


def difference(ours, theirs, price):
    """A text about the last candle at which two columns differ, by more than rounding of prices, or nothing."""
    both = np.isfinite(ours) & np.isfinite(theirs)
    scale = np.max(np.abs(ours[both])) if both.any() else 0.0
    wrong = np.isfinite(ours) != np.isfinite(theirs)
    with np.errstate(all="ignore"):
        wrong |= both & (np.abs(ours - theirs) > 1e-9 * np.maximum(np.abs(ours), 1e-3 * scale)) & (np.abs(ours - theirs) > 1e-13 * price)
    at = np.flatnonzero(wrong)
    if len(at) == 0:
        return ""
    i = int(at[-1])
    return f"{number(theirs[i])} there, {number(ours[i])} here at {len(at)} of {len(ours)} candles"


def rows(catalogue, ask):
    """Differing functions: name, indicator, and a text for each market."""
    functions = {name: of for name, of in talib_library.names(catalogue).items() if name == "mavp" or name not in talib_library.composed}
    samples = edge_markets()
    calls = [
        {"id": indicator, "market": as_lists(market), "params": {}} for indicator in functions for market in samples.values()
    ]
    answers = iter(ask(calls))
    found = []
    for indicator, function in functions.items():
        entry = catalogue[indicator]
        texts = []
        for market in samples.values():
            answer = next(answers)
            theirs = talib_library.compute(function, entry, answer["params"], market, {})
            theirs = talib_library.in_our_order(indicator, theirs)
            outputs = [np.array([np.nan if value is None else value for value in column], dtype=float) for column in answer["outputs"]]
            pairs = [(ours, column) for ours, column in zip(outputs, theirs)]
            price = float(np.max(market["close"]))
            texts.append(next((text for text in (difference(*pair, price) for pair in pairs) if text), ""))
        if any(texts):
            found.append((function, indicator, texts))
    return list(samples), found


def section(catalogue, ask):
    """The section of the page."""
    decisions = json.loads((markets.project / "bench/oracles/decisions.json").read_text(encoding="utf-8"))
    names, found = rows(catalogue, ask)
    lines = [
        "",
        "## TA-Lib where nothing moves",
        "",
        f"All {len(talib_library.listed)} functions of TA-Lib {talib_library.version} over four markets of {length} candles: prices that never move, prices in few steps, so that many are equal, nothing traded, and",
        "the plain market, in which long windows just begin. Functions that are not in this table agree in all of them, candle by candle, where",
        "both have values and where they have none. The parameters are the defaults here.",
        "",
        "| Function | Indicator | " + " | ".join(names) + " | Decision |",
        "|---|---|" + "---|" * len(names) + "---|",
        *(f"| `{function}` | {indicator} | " + " | ".join(texts) + f" | {decisions['cases'].get(function, '')} |" for function, indicator, texts in sorted(found)),
        "",
        "### Functions without an indicator of their name",
        "",
        "| Function | Here |",
        "|---|---|",
        *(f"| `{function}` | {text} |" for function, text in talib_library.without_indicator.items()),
        "",
        "### Defaults",
        "",
        "Parameters whose default is another one here. The defaults here are those that the interface had before; TA-Lib's names of parameters mean TA-Lib's.",
        "",
        "| Function | Parameter | TA-Lib | Here |",
        "|---|---|---:|---:|",
    ]
    for function, indicator in sorted((function, indicator) for indicator, function in talib_library.names(catalogue).items()):
        if indicator in talib_library.composed:
            continue
        entry = catalogue[indicator]
        for name, default in talib_library.parameters(function).items():
            ours = entry["params"].get(entry["talib"].get(name))
            if ours is not None and isinstance(ours, (int, float)) and ours != default:
                lines.append(f"| `{function}` | {name} | {default:g} | {ours:g} |")
    return lines
