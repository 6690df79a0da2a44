"""Writes test/vectors/oracles/talib-calls.json: every function of TA-Lib, called with values that are not its defaults.

The test of the names of parameters calls the indicators by TA-Lib's names and compares.
"""

import json

import numpy as np

import markets
import talib_library as library

market = markets.read("shapes")


def other_values(function):
    """A value for each parameter that is not its default, a different one for each period."""
    given = {}
    for place, (name, default) in enumerate(library.parameters(function).items()):
        if "MAType" in name:
            given[name] = default
        elif isinstance(default, int):
            given[name] = default + 2 + place
        elif name.startswith("optInNbDev"):
            given[name] = default + 0.5
        else:
            given[name] = default * 0.8
    return {**given, **fixed.get(function, {})}


# Parameters of which an indicator supports one value only.
fixed = {
    "AC": {"optInFastPeriod": 5, "optInSlowPeriod": 34, "optInSignalPeriod": 5},
    "AO": {"optInFastPeriod": 5, "optInSlowPeriod": 34},
    "BBW": {"optInNbDevUp": 2.5, "optInNbDevDn": 2.5},
    "CVI": {"optInROCPeriod": 12},
    "KVO": {"optInSignalPeriod": 13},
    "MASSI": {"optInFastPeriod": 9},
    "SQZMOM": {"optInBBPeriod": 22, "optInKCPeriod": 22},
}

calls = []
for function, indicator in sorted(library.functions().items()):
    given = other_values(function)
    outputs = library.in_our_order(indicator, library.call(function, market, given))
    first = int(np.flatnonzero(~np.isnan(outputs[0]))[0]) if not np.isnan(outputs[0]).all() else None
    candles = [399, 398, 397, 350, 300] if first is None or first < 300 else [399, 398, 397]
    calls.append(
        {
            "function": function,
            "indicator": indicator,
            "names": given,
            "candles": candles,
            "outputs": [[None if np.isnan(column[i]) else float(column[i]) for i in candles] for column in outputs],
        }
    )
lines = ",\n".join(json.dumps(call) for call in calls)
path = markets.project / "test/vectors/oracles/talib-calls.json"
path.write_text(
    f'{{ "source": "TA-Lib {library.version}, market shapes", "calls": [\n{lines}\n] }}\n', encoding="utf-8"
)
print(f"{len(calls)} functions")
