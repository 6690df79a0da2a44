"""pandas-ta-classic: functions over series, by their names in the catalogue."""

import inspect

import pandas as pd
import pandas_ta_classic as library

from markets import columns

title = "pandas-ta-classic"
version = library.version if isinstance(library.version, str) else "0.8.32"

# Names of parameters there, by ours. The first that a function has is given.
parameter_names = {
    "period": ("length",),
    "fastPeriod": ("fast",),
    "slowPeriod": ("slow",),
    "shortPeriod": ("fast", "short"),
    "longPeriod": ("slow", "long"),
    "signalPeriod": ("signal",),
    "stddev": ("std",),
    "multiplier": ("multiplier", "scalar", "factor"),
    "kPeriod": ("k",),
    "dPeriod": ("d",),
    "kSmooth": ("smooth_k",),
    "rsiPeriod": ("rsi_length", "length"),
    "stochasticPeriod": ("length",),
    "runLength": ("run_length",),
    "lookback": ("lookback",),
    "highPeriod": ("high_length",),
    "lowPeriod": ("low_length",),
    "stdDevPeriod": ("length",),
    "gamma": ("gamma",),
    "offset": ("distribution_offset",),
    "sigma": ("sigma",),
    **{name: (name,) for name in ("roc1", "roc2", "roc3", "roc4", "sma1", "sma2", "sma3", "sma4", "phase")},
}


def names(catalogue):
    """The function of each indicator that has one."""
    found = {}
    for indicator, entry in catalogue.items():
        name = entry["namesElsewhere"].get("pandasta", "").split(" ")[0]
        if name and callable(getattr(library, name, None)):
            found[indicator] = name
    return found


def compute(name, entry, params, market, theirs):
    """All columns that the function gives."""
    function = getattr(library, name)
    accepted = inspect.signature(function).parameters
    index = pd.to_datetime(market["timestamp"], unit="s")
    series = {column: pd.Series(market[column], index=index) for column in columns}
    series["open_"] = series["open"]
    given = {key: series[key] for key in ("open_", "high", "low", "close", "volume") if key in accepted}
    for ours, value in params.items():
        for name_there in parameter_names.get(ours, ()):
            if name_there in accepted and name_there not in given:
                given[name_there] = value
                break
    if "talib" in accepted:
        given["talib"] = False
    found = function(**{**given, **theirs})
    frames = found if isinstance(found, tuple) else (found,)
    arrays = []
    for frame in frames:
        if isinstance(frame, pd.Series):
            arrays.append(frame.to_numpy(dtype=float))
        elif isinstance(frame, pd.DataFrame):
            arrays.extend(frame[column].to_numpy(dtype=float) for column in frame if frame[column].dtype != object)
    return [array for array in arrays if len(array) == len(market["close"])]
