"""Tulip Indicators through tulipy, by their names in the catalogue."""

import numpy as np
import tulipy

title = "Tulip"
version = "0.8 through tulipy 0.4.0"

inputs = {"real": "close", "open": "open", "high": "high", "low": "low", "close": "close", "volume": "volume"}


def names(catalogue):
    """The function of each indicator that has one."""
    found = {}
    for indicator, entry in catalogue.items():
        name = entry["namesElsewhere"].get("tulip", "").split(" ")[0]
        if name and hasattr(tulipy, name):
            found[indicator] = name
    return found


def compute(name, entry, params, market, theirs):
    """All columns that the function gives, NaN before the first value."""
    function = getattr(tulipy, name)
    # Functions of one or two columns read those of the indicator.
    reals = iter(entry["inputs"])
    given = [market[inputs[each]] if each in inputs and each != "real" else market[next(reals)] for each in function.inputs]
    options = [params.get(camel(option), None) for option in function.options]
    if None in options:
        numbers = [value for value in params.values() if isinstance(value, (int, float))]
        options = numbers[: len(options)]
    found = function(*given, *options)
    length = len(market["close"])
    found = found if isinstance(found, tuple) else (found,)
    return [np.concatenate([np.full(length - len(column), np.nan), column]) for column in found]


def camel(name):
    """The name of an option in our spelling of parameters."""
    name = name.replace("%k", "k").replace("%d", "d").replace("%", "").replace(" ", "_")
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)
