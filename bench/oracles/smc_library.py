"""smartmoneyconcepts: structure of markets after the Inner Circle Trader, over pandas."""

import os

import numpy as np
import pandas as pd

os.environ["SMC_CREDIT"] = "0"
from smartmoneyconcepts import smc  # noqa: E402 it prints a line without the variable

title = "smartmoneyconcepts"
version = "0.0.27"

functions = {"fvg": "fvg", "previoushighlow": "previous_high_low", "sessions": "sessions"}
sessions = {"asia": "Tokyo", "london": "London", "newyork": "New York"}


def names(catalogue):
    """The function of each indicator that has one."""
    return {indicator: name for indicator, name in functions.items() if indicator in catalogue}


def compute(name, entry, params, market, theirs):
    """All columns that the function gives."""
    columns = ("open", "high", "low", "close", "volume")
    candles = pd.DataFrame({each: market[each] for each in columns}, index=pd.to_datetime(market["timestamp"], unit="s"))
    given = {"session": sessions[params["session"]]} if name == "sessions" else {}
    found = getattr(smc, name)(candles, **given, **theirs)
    frame = found if isinstance(found, pd.DataFrame) else found.to_frame()
    table = [np.asarray(frame[column], dtype=float) for column in frame]
    if name == "fvg":
        table[0] = np.nan_to_num(table[0])
    return table
