"""QuanTAlib: functions in C#, compiled ahead of time, with their bindings for Python."""

import inspect

import numpy as np

import quantalib_binary

quantalib_binary.fit()
import quantalib  # noqa: E402 the binary is fitted to the C library before

title = "QuanTAlib"
version = quantalib.__version__

# The functions of indicators that no other program confirms.
known = {
    "acceleration": "accel", "adaptivelaguerre": "alaguerre", "adf": "adf", "ahrensma": "ahrens", "atrtrailingstop": "atrstop",
    "autocorrelationperiodogram": "acp", "cma": "cma", "covariance": "covariance", "decaychannel": "decaychannel",
    "detrendedsyntheticprice": "dsp", "elderthermometer": "etherm", "geomean": "geomean", "harmean": "harmean",
    "henderson": "hend", "holt": "holt", "hurst": "hurst", "jerk": "jerk", "kalman": "kalman", "maenvelope": "maenv",
    "midbody": "midbody", "naturalma": "nma", "normalize": "normalize", "pacf": "pacf", "polyfit": "polyfit",
    "pricevolumerank": "pvr", "savitzkygolay": "sgf", "stddevchannel": "sdchannel", "theil": "theil", "trama": "trama",
    "trimmedmean": "trim", "ttest": "ztest", "universaloscillator": "uo", "volatilityratio": "vr", "volofvol": "vov",
    "volumeaccumulation": "va", "vwad": "vwad", "vwapbands": "vwapbands", "winsorizedmean": "wins",
}

# Options there, by our parameters.
options = {
    "period": ("period", "length"), "stddev": ("std", "mult", "multiplier", "numDevs"), "multiplier": ("mult", "multiplier", "factor"),
    "fastPeriod": ("fastPeriod", "fast"), "slowPeriod": ("slowPeriod", "slow"), "signalPeriod": ("signalPeriod", "signal"),
    "shortPeriod": ("shortPeriod", "short_period"), "longPeriod": ("longPeriod", "long_period"),
}
series = ("open", "high", "low", "close", "volume", "price", "x", "y")


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def names(catalogue):
    """The function of each indicator that has one."""
    return {indicator: name for indicator, name in known.items() if indicator in catalogue}


def column_of(name, entry, market):
    """The column of an argument; functions of one series take the one that the indicator reads."""
    read = [each for each in entry["inputs"] if each != "timestamp"]
    if name in ("x", "y"):
        return market[read["xy".index(name) % len(read)]]
    if name == "price":
        return (market["high"] + market["low"] + market["close"]) / 3
    if name == "close" and "close" not in read:
        return (market["high"] + market["low"]) / 2 if read == ["high", "low"] else market[read[0]]
    return market[name]


def compute(name, entry, params, market, theirs):
    """All columns that the function gives."""
    function = getattr(quantalib, name)
    accepted = inspect.signature(function).parameters
    given = {each: np.ascontiguousarray(column_of(each, entry, market)) for each in accepted if each in series}
    for ours, value in params.items():
        for option in (*options.get(ours, ()), ours, snake(ours)):
            if option in accepted and option not in given and isinstance(value, (int, float)):
                given[option] = value
                break
    found = function(**{**given, **theirs})
    found = found if isinstance(found, tuple) else (found,)
    return [np.asarray(column, dtype=float) for column in found]
