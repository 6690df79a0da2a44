"""Compares candela_ta with other libraries of Python: whole columns, and updates of one value.

python -m pip install -r requirements.txt ../../dist/packages/candela_ta-1.0.0-py3-none-any.whl
python -m pip install --no-deps --target takt ta-lib-takt==0.8.2
python library.py [--sizes 1000 100000 1000000] [--rounds 5]

Each library has a process of its own, and they take turns, so that other load affects all of them. A figure is the shortest
processor time of a call. Libraries that are not installed are left out; slow ones have no large columns.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

#: Processor seconds of a measurement, and of a call after which a library has no larger columns.
SECONDS, MOST = 0.05, 2.0


def candela(o, h, l, c):
    import candela_ta as ta

    live = ta.live("rsi", c[:200], period=14)
    frame = {"high": h, "low": l, "close": c}
    return {
        "rsi": lambda: ta.rsi(c, 14), "macd": lambda: ta.macd(c), "bbands": lambda: ta.bbands(c, 20),
        "atr": lambda: ta.atr(h, l, c, 14), "adx": lambda: ta.adx(h, l, 14),
        "supertrend": lambda: ta.supertrend(h, l, c, 10, 3), "live rsi": lambda: live.close(101.5),
        "its line": lambda: ta.expression("supertrend(10, 3).value", frame),
    }


def talib(o, h, l, c):
    import talib

    found = {
        "rsi": lambda: talib.RSI(c, 14), "macd": lambda: talib.MACD(c), "bbands": lambda: talib.BBANDS(c, 20),
        "atr": lambda: talib.ATR(h, l, c, 14), "adx": lambda: talib.ADX(h, l, c, 14),
    }
    if hasattr(talib, "SUPERTREND"):
        # Its direction is a number.
        found["supertrend"] = found["its line"] = lambda: talib.SUPERTREND(h, l, c, 10, 3)
    return found


def pandas_ta(o, h, l, c):
    import pandas
    import pandas_ta_classic as pta

    h, l, c = (pandas.Series(each) for each in (h, l, c))
    # Otherwise TA-Lib computes them.
    own = {"talib": False}
    return {
        "rsi": lambda: pta.rsi(c, length=14, **own), "macd": lambda: pta.macd(c, **own),
        "bbands": lambda: pta.bbands(c, length=20, **own), "atr": lambda: pta.atr(h, l, c, length=14, **own),
        "adx": lambda: pta.adx(h, l, c, length=14, **own), "supertrend": lambda: pta.supertrend(h, l, c, length=10),
    }


def talipp(o, h, l, c):
    from talipp import indicators as own
    from talipp.ohlcv import OHLCV

    closes, candles = c.tolist(), [OHLCV(*row) for row in zip(o, h, l, c)]
    live = own.RSI(14, closes[:200])
    return {
        "rsi": lambda: own.RSI(14, closes), "macd": lambda: own.MACD(12, 26, 9, closes), "bbands": lambda: own.BB(20, 2, closes),
        "atr": lambda: own.ATR(14, candles), "adx": lambda: own.ADX(14, 14, candles),
        "supertrend": lambda: own.SuperTrend(10, 3, candles), "live rsi": lambda: live.add(101.5),
    }


def wickra(o, h, l, c):
    import wickra as own

    live = own.RSI(14)
    live.batch(c[:200])
    fast = lambda kind, *columns: getattr(kind, "batch_fast", kind.batch)(*columns)
    return {
        "rsi": lambda: fast(own.RSI(14), c), "macd": lambda: fast(own.MACD(), c),
        "bbands": lambda: fast(own.BollingerBands(20, 2.0), c), "atr": lambda: fast(own.ATR(14), h, l, c),
        "adx": lambda: fast(own.ADX(14), h, l, c), "supertrend": lambda: fast(own.SuperTrend(10, 3.0), h, l, c),
        "live rsi": lambda: live.update(101.5),
    }


LIBRARIES = {"candela_ta": candela, "TA-Lib": talib, "takt": talib, "pandas-ta-classic": pandas_ta, "talipp": talipp, "wickra": wickra}
MODULES = {"candela_ta": "candela_ta", "pandas-ta-classic": "pandas_ta_classic", "talipp": "talipp", "wickra": "wickra"}
CASES = ["rsi", "macd", "bbands", "atr", "adx", "supertrend", "its line", "live rsi"]


def random_walk(size: int):
    """Candles with ranges that differ, as those of markets do: open, high, low, close."""
    random = np.random.default_rng(1)
    prices = 100 + np.cumsum(random.normal(scale=0.1, size=size + 1))
    opens, closes = prices[:-1].copy(), prices[1:].copy()
    high = np.maximum(opens, closes) + random.random(size)
    low = np.minimum(opens, closes) - random.random(size)
    return opens, high, low, closes


def measure(call) -> float:
    """Processor seconds of a call."""
    begin = time.process_time()
    call()
    once = time.process_time() - begin
    repetitions = max(1, int(SECONDS / max(once, 1e-6)))
    begin = time.process_time()
    for _ in range(repetitions):
        call()
    return (time.process_time() - begin) / repetitions


def work(name: str) -> None:
    """Answers each line with a size and a case with the processor seconds of a call."""
    importlib.import_module(MODULES.get(name, "talib"))
    print("ready", flush=True)
    calls, of_size = {}, 0
    for line in sys.stdin:
        size, case = line.rstrip().split(" ", 1)
        if int(size) != of_size:
            of_size = int(size)
            calls = LIBRARIES[name](*random_walk(of_size))
        print(measure(calls[case]) if case in calls else "nan", flush=True)


def start(name: str):
    takt = Path(__file__).parent / "takt"
    if name == "takt" and not takt.exists():
        return None
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **({"PYTHONPATH": str(takt)} if name == "takt" else {})}
    arguments = [sys.executable, __file__, "--worker", name]
    child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    return child if child.stdout.readline() else None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.worker:
        work(options.worker)
        return
    children = {name: child for name in LIBRARIES if (child := start(name))}
    print(f"{'µs':>24}", *(f"{name:>18}" for name in children))
    slow = set()
    for size in options.sizes:
        for case in CASES:
            if case == "live rsi" and size != options.sizes[0]:
                continue
            best = dict.fromkeys(children, float("nan"))
            for _ in range(options.rounds):
                for name, child in children.items():
                    if (name, case) in slow:
                        continue
                    child.stdin.write(f"{size} {case}\n")
                    child.stdin.flush()
                    seconds = float(child.stdout.readline())
                    best[name] = np.fmin(best[name], seconds)
                    if seconds * 5 > MOST:
                        slow.add((name, case))
            print(f"{case:>12} {size:>11,}", *(f"{seconds * 1e6:>18,.1f}" for seconds in best.values()), flush=True)
    for child in children.values():
        child.stdin.close()
        child.wait()


if __name__ == "__main__":
    main()
