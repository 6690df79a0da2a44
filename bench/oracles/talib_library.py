"""TA-Lib through its Python package: which function an indicator is, and what it gives."""

import json
import re

import numpy as np
import talib
from talib import abstract

from markets import project

version = f"{talib.__version__} with the C library {talib.__ta_version__.decode().split(' ')[0]}"

# Indicators under other names. Patterns have the prefix CDL there and none here.
other_names = {
    "AC": "accosc",
    "COPPOCK": "coppockcurve",
    "DONCHIAN": "donchianchannels",
    "EFI": "forceindex",
    "ER": "efficiencyratio",
    "ERI": "elderray",
    "FRACTAL": "fractals",
    "HA": "heikinashi",
    "KC": "keltnerchannels",
    "MASSI": "mass",
    "PERCENTILE": "percentilenearest",
    "RMA": "wilders",
    "RVOL": "relativevolume",
}

# Indicators whose k-th output is not the k-th of the function: the function's outputs by ours.
output_order = {"keltnerchannels": (2, 1, 0), "accbands": (0, 1, 2)}

# Functions that cannot be asked for with the columns of a candle.
without_form = {"MAVP"}


def spelling():
    """TA-Lib's names of parameters, as the C library spells them, by their lower-case forms."""
    source = (project / "src/catalogue/talib-names.ts").read_text(encoding="utf-8")
    return {name[5:].lower(): name for name in re.findall(r"optIn\w+", source)}


def indicator_of(function):
    """The indicator that a function is."""
    return other_names.get(function, function.removeprefix("CDL").lower())


def functions():
    """All functions that can be asked for, with the indicators that they are."""
    return {name: indicator_of(name) for name in talib.get_functions() if name not in without_form}


def parameters(function):
    """The parameters of a function with their defaults, in lower case."""
    return dict(abstract.Function(function).info["parameters"])


def compute(function, market, given):
    """The outputs of a function over a market, NaN before the first value, in the order of the function."""
    outputs = abstract.Function(function)(market, **given)
    outputs = outputs if isinstance(outputs, list) else [outputs]
    # Integers have zeros for the candles before the first value.
    lookback = abstract.Function(function)
    lookback.parameters = given
    start = lookback.lookback
    found = []
    for column in outputs:
        column = np.asarray(column, dtype=float).copy()
        column[:start] = np.nan
        found.append(column)
    return found


def in_our_order(indicator, outputs):
    """The outputs in the order of the indicator's."""
    order = output_order.get(indicator)
    return [outputs[k] for k in order] if order else outputs
