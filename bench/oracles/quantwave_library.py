"""quantwave: functions in Rust over lists, with their bindings for Python."""

import inspect
import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import quantwave

title = "quantwave"
version = "0.8.1"

# The function of an indicator, and our parameters by the names there.
known = {
    "bandpass": ("bandpass", {"period": "period", "bandwidth": "bandwidth"}),
    "butterworth2": ("butterworth2", {"period": "period"}),
    "butterworth3": ("butterworth3", {"period": "period"}),
    "correlationcycle": ("correlation_cycle", {"period": "period"}),
    "cybercycle": ("cyber_cycle", {}),
    "dsma": ("dsma", {"period": "period"}),
    "edcf": ("ehlers_filter", {"length": "period"}),
    "emd": ("emd", {"period": "period", "delta": "delta", "fraction": "fraction"}),
    "ecema": ("zero_lag", {"length": "period", "gain_limit": "gainLimit"}),
    "frama": ("frama", {"length": "period"}),
    "gaussianfilter": ("gaussian", {"period": "period", "poles": "poles"}),
    "hannma": ("hann", {"period": "period"}),
    "highpass": ("high_pass", {"period": "period"}),
    "highpass2": ("high_pass", {"period": "period"}),
    "hurst": ("hurst_exponent", {"length": "period"}),
    "ichimoku": ("ichimoku", {"tenkan": "conversionPeriod", "kijun": "basePeriod", "senkou_b": "spanPeriod"}),
    "itrend": ("instantaneous_trendline", {}),
    "laguerrefilter": ("classic_laguerre", {"gamma": "gamma"}),
    "lrsi": ("laguerre_rsi", {"gamma": "gamma"}),
    "laguerrersi": ("laguerre_rsi", {"gamma": "gamma"}),
    "netmyrsi": ("noise_elimination", {"period": "period"}),
    "pma": ("projected_moving_average", {}),
    "reflex": ("reflex", {"length": "period"}),
    "roofing": ("roofing_filter", {"hp_period": "hpPeriod", "ss_period": "lpPeriod"}),
    "supersmoother": ("super_smoother", {"period": "period"}),
    "swissarmyknife": ("swiss_army_knife", {"mode": "type", "period": "period", "delta": "delta"}),
    "trendflex": ("trendflex", {"length": "period"}),
    "ttmsqueeze": ("ttm_squeeze", {}),
    "ultimatesmoother": ("ultimate_smoother", {"period": "period"}),
    "universaloscillator": ("universal_oscillator", {"band_edge": "period"}),
    "vortex": ("vortex", {"period": "period"}),
    "voss": ("voss_predictor", {"period": "period", "predict": "predict"}),
    "atrtrailingstop": ("atr_ts", {"period": "period", "multiplier": "multiplier"}),
    "wavetrend": ("wavetrend", {"n1": "channelPeriod", "n2": "averagePeriod", "n3": "signalPeriod"}),
}


modes = {"gauss": "Gaussian", "butter": "Butterworth", "hp": "HighPass", "2php": "TwoPoleHighPass", "bp": "BandPass"}


def names(catalogue):
    """The function of each indicator that has one."""
    return {indicator: pair[0] for indicator, pair in known.items() if indicator in catalogue}


def series_of(entry, market):
    return (market["high"] + market["low"]) / 2 if entry["inputs"] == ["high", "low"] else market["close"]


def fields(result):
    """The numbers or columns of a result by their names, in alphabetical order."""
    names = [name for name in dir(result) if not name.startswith("_") and not callable(getattr(result, name))]
    return tuple(getattr(result, name) for name in names)


def compute(name, entry, params, market, theirs):
    """All columns that the function gives."""
    function = getattr(quantwave, name)
    named = {option: params[ours] for option, ours in known[entry["id"]][1].items()}
    options = {**named, **theirs}
    given = []
    for each in inspect.signature(function).parameters:
        if each == "series":
            given.append(list(series_of(entry, market)))
        elif each in market:
            given.append(list(market[each]))
        elif each == "price":
            given.append(list(market["close"]))
        else:
            given.append(getattr(quantwave.SwissMode, modes[options[each]]) if each == "mode" else options[each])
    found = function(*given)
    if not isinstance(found, (tuple, list)):
        found = fields(found)
    elif len(found) and not isinstance(found[0], (int, float, tuple, list)):
        rows = [fields(row) for row in found]
        found = tuple(zip(*rows))
    if isinstance(found, tuple):
        return [np.asarray(column, dtype=float) for column in found]
    table = np.asarray([list(row) if isinstance(row, tuple) else row for row in found], dtype=float)
    return [table] if table.ndim == 1 else [table[:, k] for k in range(table.shape[1])]
