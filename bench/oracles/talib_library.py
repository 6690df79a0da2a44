"""TA-Lib through its crate in Rust: functions and outputs of indicators."""

import numpy as np

import program
from markets import environment, project

title = "TA-Lib"
version = "0.8.3"

# Indicators under other names. Patterns have the prefix CDL there and none here.
other_names = {
    "AC": "accosc",
    "CG": "cog",
    "CKSP": "chandekrollstop",
    "COPPOCK": "coppockcurve",
    "CRSI": "connorsrsi",
    "DONCHIAN": "donchianchannels",
    "DOSC": "derivativeosc",
    "EFI": "forceindex",
    "ER": "efficiencyratio",
    "ERI": "elderray",
    "FRACTAL": "fractals",
    "HA": "heikinashi",
    "KC": "keltnerchannels",
    "MASSI": "mass",
    "MCGD": "mcginleydynamic",
    "PERCENTILE": "percentilenearest",
    "PSO": "premierstoch",
    "RMA": "wilders",
    "RVOL": "relativevolume",
    "SI": "swingindex",
    "EMV": "eom",
    "SQZMOM": "squeezepro",
    "SWAK_GAUSS": "swissarmyknife",
}

# Functions without an indicator, with the reason.
without_indicator = {
    "CHOPTR": "the choppiness index over true highs and true lows; `chop` here is `CHOP`, over highs and lows",
    "KSTEXT": "`KST` with an average of the caller's choice; the averages of `kst` here are simple",
    "SWAK_2PHP": "`swissarmyknife` with `type=2php`",
    "SWAK_BP": "`swissarmyknife` with `type=bp`",
    "SWAK_BUTTER": "`swissarmyknife` with `type=butter`",
    "SWAK_HP": "`swissarmyknife` with `type=hp`",
}

# Indicators whose k-th output is not the k-th of the function: the function's outputs by ours.
output_order = {"keltnerchannels": (2, 1, 0), "accbands": (0, 1, 2)}

oracle = program.Program([str(environment / "talib/release/talib-oracle")], project)
listed = oracle.ask({})


def indicator_of(function):
    """The indicator of a function."""
    return other_names.get(function, function.removeprefix("CDL").lower())


def functions():
    """All functions with their indicators."""
    return {name: indicator_of(name) for name in sorted(listed) if name not in without_indicator}


def parameters(function):
    """The parameters of a function with their defaults, by TA-Lib's names."""
    return listed[function]["parameters"]


def call(function, market, given):
    """The outputs of a function over a market, NaN before the first value, in the order of the function."""
    columns = program.lists(market)
    return program.arrays(oracle.ask({"function": function, "columns": columns, "given": given})["outputs"])


def in_our_order(indicator, outputs):
    """The outputs in the order of the indicator's."""
    order = output_order.get(indicator)
    return [outputs[k] for k in order] if order else outputs


def behind(column, calculate):
    """The columns that are calculated from a column, from its first value on."""
    start = int(np.flatnonzero(np.isfinite(column))[0]) if np.isfinite(column).any() else 0
    return [np.concatenate([np.full(start, np.nan), found]) for found in calculate(column[start:])]


def ma(column, period, kind):
    """An average of a column by TA-Lib's number of its kind."""
    given = {"optInTimePeriod": period, "optInMAType": kind}
    return behind(column, lambda values: call("MA", {"close": values}, given))[0]


def plus(*columns):
    return sum(columns[1:], columns[0])


def period(params, name="period"):
    return {"optInTimePeriod": params[name]}


# Pring's distances, lengths and weights.
special_k = (
    (10, 10, 1), (15, 10, 2), (20, 10, 3), (30, 15, 4), (40, 50, 1), (65, 65, 2), (75, 75, 3), (100, 100, 4), (195, 130, 1),
    (265, 130, 2), (390, 130, 3), (530, 195, 4),
)


def standard_error(column, length):
    """The standard error of the line of least squares, from TA-Lib's line and variance."""
    slope = call("LINEARREG_SLOPE", {"close": column}, {"optInTimePeriod": length})[0]
    variance = call("VAR", {"close": column}, {"optInTimePeriod": length})[0]
    return np.sqrt(np.maximum(length * (variance - slope**2 * (length**2 - 1) / 12), 0) / (length - 2))


# Indicators that combine several functions, or call a function with other columns or parameters.
composed = {
    "di": ("PLUS_DI, MINUS_DI", lambda m, p: call("PLUS_DI", m, period(p)) + call("MINUS_DI", m, period(p))),
    "dmi": (
        "ADX, PLUS_DI, MINUS_DI",
        lambda m, p: [call(name, m, period(p))[0] for name in ("ADX", "PLUS_DI", "MINUS_DI")],
    ),
    "gmma": (
        "EMA",
        lambda m, p: [ma(m["close"], each, 1) for each in (3, 5, 8, 10, 12, 15, 30, 35, 40, 45, 50, 60)],
    ),
    "raschke310": (
        "MACDEXT",
        lambda m, p: call(
            "MACDEXT",
            m,
            {
                "optInFastPeriod": p["fastPeriod"], "optInSlowPeriod": p["slowPeriod"],
                "optInSignalPeriod": p["signalPeriod"], "optInFastMAType": 0, "optInSlowMAType": 0, "optInSignalMAType": 0,
            },
        ),
    ),
    "vroc": ("ROC", lambda m, p: call("ROC", {"close": m["volume"]}, period(p))),
    "woodiescci": (
        "CCI",
        lambda m, p: [call("CCI", m, {"optInTimePeriod": p["period"]})[0], call("CCI", m, {"optInTimePeriod": p["turboPeriod"]})[0]],
    ),
    "linregintercept": ("LINEARREG_INTERCEPT", lambda m, p: call("LINEARREG_INTERCEPT", m, period(p))),
    "squeeze": (
        "SQZMOM",
        lambda m, p: (
            found := call("SQZMOM", m, {
                "optInBBPeriod": p["lengthBB"], "optInNbDev": p["multBB"], "optInKCPeriod": p["lengthKC"],
                "optInFactorWide": p["multKC"], "optInFactorNormal": p["multKC"], "optInFactorNarrow": p["multKC"],
            })
        ) and [found[0], np.where(np.isnan(found[1]), np.nan, np.minimum(found[1], 1))],
    ),
    "starcbands": (
        "SMA, ATR",
        lambda m, p: [
            call("SMA", m, period(p))[0] + k * p["multiplier"] * call("ATR", m, period(p, "atrPeriod"))[0] for k in (1, 0, -1)
        ],
    ),
    "ravi": ("PPO", lambda m, p: call("PPO", m, {"optInFastPeriod": p["shortPeriod"], "optInSlowPeriod": p["longPeriod"], "optInMAType": 0})),
    "dwma": ("WMA", lambda m, p: [ma(ma(m["close"], p["period"], 2), p["period"], 2)]),
    "sobv": ("OBV, SMA", lambda m, p: [ma(call("OBV", m, {})[0], p["period"], 0)]),
    "apz": (
        "EMA",
        lambda m, p: (
            root := int(np.ceil(np.sqrt(p["period"]))),
            twice := lambda column: ma(ma(column, root, 1), root, 1),
        ) and [twice(m["close"]) + k * p["multiplier"] * twice(m["high"] - m["low"]) for k in (1, 0, -1)],
    ),
    "kirshenbaum": (
        "EMA, LINEARREG",
        lambda m, p: [
            ma(m["close"], p["period"], 1) + k * p["multiplier"] * standard_error(m["close"], p["regressionPeriod"])
            for k in (1, 0, -1)
        ],
    ),
    "mcnichollma": (
        "EMA",
        lambda m, p: (
            weight := 2 / (p["period"] + 1), one := ma(m["close"], p["period"], 1), two := ma(one, p["period"], 1),
        ) and [((2 - weight) * one - two) / (1 - weight)],
    ),
    "rocbands": (
        "ROC, EMA",
        lambda m, p: (
            rate := call("ROC", m, period(p))[0],
            band := np.sqrt(ma(rate**2, p["deviationPeriod"], 0)),
        ) and [rate, ma(rate, p["smoothPeriod"], 1), band, -band],
    ),
    "elderimpulse": (
        "EMA, MACD",
        lambda m, p: (
            steps := [
                np.diff(column, prepend=np.nan)
                for column in (
                    ma(m["close"], p["emaPeriod"], 1),
                    call("MACD", m, {"optInFastPeriod": p["fastPeriod"], "optInSlowPeriod": p["slowPeriod"], "optInSignalPeriod": p["signalPeriod"]})[2],
                )
            ]
        ) and [np.where((steps[0] > 0) & (steps[1] > 0), 1.0, np.where((steps[0] < 0) & (steps[1] < 0), -1.0, 0.0))],
    ),
    "tke": (
        "RSI, STOCHF, ULTOSC, MFI, WILLR, ROCR100, CCI",
        lambda m, p: (
            value := plus(
                call("RSI", m, period(p))[0],
                call("STOCHF", m, {"optInFastK_Period": p["period"], "optInFastD_Period": 1})[0],
                call("ULTOSC", m, {})[0],
                call("MFI", m, period(p))[0],
                call("WILLR", m, period(p))[0],
                call("ROCR100", m, period(p))[0],
                call("CCI", m, period(p))[0],
            ) / 7
        ) is not None and [value, ma(value, p["signalPeriod"], 1)],
    ),
    "specialk": (
        "ROC, SMA",
        lambda m, p: (
            value := p["scale"] * plus(*[
                weight * ma(call("ROC", m, {"optInTimePeriod": distance})[0], length, 0)
                for distance, length, weight in special_k
            ])
        ) is not None and [value, ma(value, p["signalPeriod"], 0)],
    ),
    "tdi": (
        "RSI, SMA, BBANDS",
        lambda m, p: (
            rsi := call("RSI", m, period(p, "rsiPeriod"))[0],
            bands := behind(rsi, lambda column: call("BBANDS", {"close": column}, {"optInTimePeriod": p["bandPeriod"], "optInNbDevUp": p["multiplier"], "optInNbDevDn": p["multiplier"]})),
        ) and [ma(rsi, p["pricePeriod"], 0), ma(rsi, p["signalPeriod"], 0), *bands],
    ),
    "mavp": (
        "MAVP",
        lambda m, p: call(
            "MAVP",
            {"close": m["close"], "inPeriods": m["volume"]},
            {"optInMinPeriod": p["minPeriod"], "optInMaxPeriod": p["maxPeriod"], "optInMAType": p["maType"]},
        ),
    ),
}


# Indicators whose formula is written here; the others only call a function.
written_here = {
    "apz", "dwma", "elderimpulse", "kirshenbaum", "mcnichollma", "rocbands", "sobv", "specialk", "starcbands", "tdi", "tke",
}


def names(catalogue):
    """The function of each indicator that has one."""
    plain = {indicator: function for function, indicator in functions().items() if indicator in catalogue}
    return {**plain, **{indicator: function for indicator, (function, _) in composed.items()}}


def compute(function, entry, params, market, theirs):
    """Outputs of the function with the parameters of the indicator that the function has."""
    if entry["id"] in composed:
        return composed[entry["id"]][1](market, params)
    given = {}
    for name, default in parameters(function).items():
        value = params.get(entry["talib"].get(name), default)
        given[name] = value if isinstance(value, (int, float)) else default
    return call(function, market, {**given, **theirs})
