"""A second implementation: formulas written here with numpy, pandas, scipy and statsmodels.

It confirms our understanding, not that somebody else has the same.
"""

import numpy as np
import pandas as pd
import scipy
import scipy.signal
import scipy.stats
import statsmodels
import statsmodels.api
from statsmodels.stats.dist_dependence_measures import distance_correlation
from statsmodels.tsa import stattools

title = "numpy, pandas, scipy, statsmodels"
version = f"{np.__version__}, {pd.__version__}, {scipy.__version__}, {statsmodels.__version__}"


def rolling(column, period, calculate):
    """`calculate` of the last `period` values, NaN while there are fewer."""
    out = np.full(len(column), np.nan)
    for i in range(period - 1, len(column)):
        out[i] = calculate(column[i - period + 1 : i + 1])
    return out


def pairs(market, period, calculate, first="high", second="low"):
    """`calculate` of the last `period` values of two columns."""
    out = np.full(len(market[first]), np.nan)
    for i in range(period - 1, len(out)):
        window = slice(i - period + 1, i + 1)
        out[i] = calculate(market[first][window], market[second][window])
    return out


def weighted(weights):
    """A mean with weights, the last one for the newest value."""
    return lambda window: np.average(window, weights=weights)


def line(window):
    """Slope and intercept of the line of least squares, and its standard error."""
    return scipy.stats.linregress(np.arange(len(window)), window)


def returns(column):
    return np.concatenate([[np.nan], column[1:] / column[:-1] - 1])


def logs(column):
    return np.concatenate([[np.nan], np.log(column[1:] / column[:-1])])


def of_close(calculate):
    """A function of the close and the period."""
    return lambda market, params: [rolling(market["close"], params["period"], calculate)]


def elementwise(calculate, column="close"):
    return lambda market, params: [calculate(market[column])]


def of_two(calculate):
    return lambda market, params: [calculate(market["high"], market["low"])]


def of_close_with(calculate):
    """A function of the close and all parameters."""
    return lambda market, params: [rolling(market["close"], params["period"], lambda window: calculate(window, params))]


def odd(period):
    return period - 1 + period % 2


def middle_of_polynomial(period, degree):
    weights = scipy.signal.savgol_coeffs(period, degree, use="dot")
    return lambda window: weights @ window


def streaks(close):
    """Number of candles in a row in which the close has moved the same way."""
    sign = np.sign(close.diff())
    run = sign.groupby((sign != sign.shift()).cumsum()).cumcount() + 1
    return (sign * run).to_numpy()


def half_life(window):
    slope = statsmodels.api.OLS(np.diff(window), statsmodels.api.add_constant(window[:-1])).fit().params[1]
    return -np.log(2) / slope if slope < 0 else np.nan


def granger(effect, cause, lag):
    """F of the test that the second column foretells the first."""
    return stattools.grangercausalitytests(np.column_stack([effect, cause]), [lag])[lag][0]["ssr_ftest"][0]


def roll_spread(close, period):
    change = np.diff(close, prepend=np.nan)
    before = np.concatenate([[np.nan], change[:-1]])
    covariance = pd.Series(change).rolling(period).cov(pd.Series(before), ddof=0).to_numpy()
    return np.where(np.isnan(covariance), np.nan, 2 * np.sqrt(np.maximum(-covariance, 0)))


def kyles_lambda(market, period):
    change = np.diff(market["close"], prepend=np.nan)
    flow = np.sign(change) * market["volume"]
    out = np.full(len(change), np.nan)
    for i in range(period, len(change)):
        window = slice(i - period + 1, i + 1)
        out[i] = scipy.stats.linregress(flow[window], change[window]).slope
    return out


def holt(close, period, gamma):
    """The forecast of Holt's method from the first value and no slope on."""
    weight = 2 / (period + 1)
    model = statsmodels.tsa.holtwinters.Holt(close, initialization_method="known", initial_level=close[0], initial_trend=0.0)
    fitted = model.fit(smoothing_level=weight, smoothing_trend=gamma or weight, optimized=False)
    return np.asarray(fitted.level) + np.asarray(fitted.trend)


def local_level(close, q, r):
    """The filtered level of a random walk seen with noise, from the first value with the variance of the noise on."""
    model = statsmodels.api.tsa.UnobservedComponents(close, "local level")
    model.ssm.initialize_known(np.array([close[0]]), np.array([[r]]))
    return model.filter([r, q]).filtered_state[0]


def up_down_volume(market, period):
    change = pd.Series(market["close"]).diff()
    volume = pd.Series(market["volume"])
    rises = volume.where(change > 0, 0.0).rolling(period).sum()
    falls = volume.where(change < 0, 0.0).rolling(period).sum()
    out = (rises / falls).to_numpy().copy()
    out[:period] = np.nan
    return out


def weighted_mean(market, period):
    typical = pd.Series((market["high"] + market["low"] + market["close"]) / 3)
    volume = pd.Series(market["volume"])
    return (typical * volume).rolling(period).sum() / volume.rolling(period).sum()


functions = {
    **{
        name: elementwise(getattr(np, theirs))
        for name, theirs in {
            "abs": "abs", "acos": "arccos", "asin": "arcsin", "atan": "arctan", "ceil": "ceil", "cos": "cos", "cosh": "cosh",
            "exp": "exp", "floor": "floor", "ln": "log", "log10": "log10", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt",
            "tan": "tan", "tanh": "tanh", "trunc": "trunc", "todeg": "degrees", "torad": "radians", "cumsum": "cumsum",
            "alltimehigh": "maximum.accumulate", "alltimelow": "minimum.accumulate",
        }.items()
        if hasattr(np, theirs)
    },
    "add": of_two(np.add), "sub": of_two(np.subtract), "mult": of_two(np.multiply), "mul": of_two(np.multiply),
    "div": of_two(np.divide),
    "alltimehigh": lambda m, p: [np.maximum.accumulate(m["high"])],
    "alltimelow": lambda m, p: [np.minimum.accumulate(m["low"])],
    "sma": of_close(np.mean), "sum": of_close(np.sum), "max": of_close(np.max), "min": of_close(np.min),
    "median": of_close(np.median), "midpoint": of_close(lambda w: (w.max() + w.min()) / 2),
    "stddev": of_close(np.std), "var": of_close(np.var),
    "skewness": lambda m, p: [pd.Series(m["close"]).rolling(p["period"]).skew().to_numpy()],
    "kurtosis": lambda m, p: [pd.Series(m["close"]).rolling(p["period"]).kurt().to_numpy()],
    "zscore": of_close(lambda w: scipy.stats.zscore(w, ddof=1)[-1]),
    "geomean": of_close(scipy.stats.gmean), "harmean": of_close(scipy.stats.hmean),
    "medianabsdev": of_close(scipy.stats.median_abs_deviation), "iqr": of_close(scipy.stats.iqr),
    "coefficientofvariation": of_close(lambda w: scipy.stats.variation(w)),
    "avgdev": of_close(lambda w: np.mean(np.abs(w - w.mean()))), "md": of_close(lambda w: np.mean(np.abs(w - w.mean()))),
    "stderr": of_close(lambda w: np.std(w) / np.sqrt(len(w))),
    "linearreg": of_close(lambda w: line(w).intercept + line(w).slope * (len(w) - 1)),
    "linreg": of_close(lambda w: line(w).intercept + line(w).slope * (len(w) - 1)),
    "linearreg_slope": of_close(lambda w: line(w).slope), "linregslope": of_close(lambda w: line(w).slope),
    "linearreg_intercept": of_close(lambda w: line(w).intercept), "tsf": of_close(lambda w: line(w).intercept + line(w).slope * len(w)),
    "linearreg_angle": of_close(lambda w: np.degrees(np.arctan(line(w).slope))),
    "rsquared": of_close(lambda w: line(w).rvalue ** 2), "cti": of_close(lambda w: line(w).rvalue),
    "jarquebera": of_close(lambda w: scipy.stats.jarque_bera(w).statistic),
    "quantile": lambda m, p: [rolling(m["close"], p["period"], lambda w: np.quantile(w, p.get("quantile", p.get("q", 0.5))))],
    "percentilelinear": lambda m, p: [rolling(m["close"], p["period"], lambda w: np.percentile(w, p.get("percentage", 50)))],
    "percentilenearest": lambda m, p: [rolling(m["close"], p["period"], lambda w: np.percentile(w, p.get("percentage", 50), method="inverted_cdf"))],
    "trimmedmean": lambda m, p: [rolling(m["close"], p["period"], lambda w: scipy.stats.trim_mean(w, p.get("share", 10) / 100))],
    "winsorizedmean": lambda m, p: [rolling(m["close"], p["period"], lambda w: scipy.stats.mstats.winsorize(w, (0.1, 0.1)).mean())],
    "correl": lambda m, p: [pairs(m, p["period"], lambda a, b: np.corrcoef(a, b)[0, 1])],
    "covariance": lambda m, p: [pairs(m, p["period"], lambda a, b: np.cov(a, b, ddof=k)[0, 1]) for k in (0, 1)],
    "spearman": lambda m, p: [pairs(m, p["period"], lambda a, b: scipy.stats.spearmanr(a, b).statistic)],
    "kendall": lambda m, p: [pairs(m, p["period"], lambda a, b: scipy.stats.kendalltau(a, b).statistic)],
    "ttest": of_close(lambda w: scipy.stats.ttest_1samp(w, 0).statistic),
    "acf": lambda m, p: [rolling(m["close"], p["period"], lambda w: stattools.acf(w, nlags=p.get("lag", 1), fft=False)[-1])],
    "pacf": lambda m, p: [rolling(m["close"], p["period"], lambda w: stattools.pacf(w, nlags=p.get("lag", 1), method="ywm")[-1])],
    "adf": lambda m, p: [rolling(m["close"], p["period"], lambda w, k=k: stattools.adfuller(w, maxlag=p.get("lags", k), autolag=None)[0]) for k in (0, 1)],
    "hannma": lambda m, p: [rolling(m["close"], p["period"], weighted(scipy.signal.windows.hann(p["period"] + 2)[1:-1]))],
    "wma": lambda m, p: [rolling(m["close"], p["period"], weighted(np.arange(1, p["period"] + 1)))],
    "sqwma": lambda m, p: [rolling(m["close"], p["period"], weighted(np.arange(1, p["period"] + 1) ** 2))],
    "cwma": lambda m, p: [rolling(m["close"], p["period"], weighted(np.arange(1, p["period"] + 1) ** 3.0))],
    "srwma": lambda m, p: [rolling(m["close"], p["period"], weighted(np.sqrt(np.arange(1, p["period"] + 1))))],
    "savitzkygolay": lambda m, p: [rolling(m["close"], odd(p["period"]), middle_of_polynomial(odd(p["period"]), p["polyOrder"]))],
    "polyfit": of_close_with(lambda w, p: np.polyval(np.polyfit(np.arange(len(w)) - len(w) + 1, w, p["degree"]), 0)),
    "mode": lambda m, p: [rolling(m["close"], p["period"], lambda w: scipy.stats.mode(w).mode)],
    "percentrank": lambda m, p: [
        rolling(m["close"], p["period"] + 1, lambda w: scipy.stats.percentileofscore(w[:-1], w[-1], kind="weak"))
    ],
    "range": of_close(np.ptp),
    "highestbars": lambda m, p: [rolling(m["high"], p["period"], lambda w: np.argmax(w) - len(w) + 1)],
    "lowestbars": lambda m, p: [rolling(m["low"], p["period"], lambda w: np.argmin(w) - len(w) + 1)],
    "acceleration": lambda m, p: [np.diff(m["close"], 2, prepend=[np.nan, np.nan])],
    "jerk": lambda m, p: [np.diff(m["close"], 3, prepend=[np.nan] * 3)],
    "normalize": of_close(lambda w: (w[-1] - w.min()) / np.ptp(w) if np.ptp(w) else 0.5),
    "rising": lambda m, p: [rolling(m["close"], p["period"] + 1, lambda w: pd.Series(w).is_monotonic_increasing and np.all(np.diff(w) > 0))],
    "falling": lambda m, p: [rolling(m["close"], p["period"] + 1, lambda w: pd.Series(w).is_monotonic_decreasing and np.all(np.diff(w) < 0))],
    "streak": lambda m, p: [streaks(pd.Series(m["close"]))],
    "realbody": lambda m, p: [np.abs(m["close"] - m["open"]), m["close"] - m["open"]],
    "midbody": lambda m, p: [np.mean([m["open"], m["close"]], axis=0)],
    "uppershadow": lambda m, p: [m["high"] - np.maximum(m["open"], m["close"])],
    "lowershadow": lambda m, p: [np.minimum(m["open"], m["close"]) - m["low"]],
    "theil": of_close(lambda w: np.sum(scipy.special.kl_div(w / w.sum(), 1 / len(w)))),
    "valueatrisk": lambda m, p: [
        rolling(returns(m["close"]), p["period"], lambda w: scipy.stats.norm.ppf(1 - p["confidence"], w.mean(), w.std(ddof=1)))
    ],
    "halflife": of_close(half_life),
    "granger": lambda m, p: [pairs(m, p["period"] + p["lag"], lambda a, b: granger(a, b, p["lag"]), "close", "volume")],
    "distancecorrelation": lambda m, p: [pairs(m, p["period"], distance_correlation)],
    "rollspread": lambda m, p: [roll_spread(m["close"], p["period"])],
    "amihud": lambda m, p: [
        pd.Series(np.abs(returns(m["close"])) / (m["close"] * m["volume"])).rolling(p["period"]).mean().to_numpy()
    ],
    "kyleslambda": lambda m, p: [kyles_lambda(m, p["period"])],
    "volofvol": lambda m, p: [
        pd.Series(m["close"]).rolling(p["period"]).std(ddof=0).rolling(p["vovPeriod"]).std(ddof=0).to_numpy()
    ],
    "stddevchannel": lambda m, p: [
        rolling(m["close"], p["period"], lambda w, k=k: line(w).intercept + line(w).slope * (len(w) - 1) + k * p["stddev"] * np.std(w))
        for k in (1, 0, -1)
    ],
    "goldenzone": lambda m, p: [
        (top := pd.Series(m["high"]).rolling(p["period"]).max().to_numpy())
        - (top - pd.Series(m["low"]).rolling(p["period"]).min().to_numpy()) * p[share]
        for share in ("first", "second")
    ],
    "priorswinghigh": lambda m, p: [pd.Series(m[name]).rolling(p["period"]).max().shift(1).to_numpy() for name in ("close", "high")],
    "priorswinglow": lambda m, p: [pd.Series(m[name]).rolling(p["period"]).min().shift(1).to_numpy() for name in ("close", "low")],
    "holt": lambda m, p: [holt(m["close"], p["period"], p["gamma"])],
    "kalman": lambda m, p: [local_level(m["close"], p["q"], p["r"])],
    "updownvolume": lambda m, p: [up_down_volume(m, p["period"])],
    "mvwap": lambda m, p: [weighted_mean(m, p["vwapPeriod"]).rolling(p["period"]).mean().to_numpy()],
    "ema": lambda m, p: [pd.Series(m["close"]).ewm(span=p["period"], adjust=False).mean().to_numpy()],
    "wilders": lambda m, p: [pd.Series(m["close"]).ewm(alpha=1 / p["period"], adjust=False).mean().to_numpy()],
    "smma": lambda m, p: [pd.Series(m["close"]).ewm(alpha=1 / p["period"], adjust=False).mean().to_numpy()],
    "logreturn": lambda m, p: [np.log(m["close"] / np.roll(m["close"], p.get("period", 1)))],
    "percentreturn": lambda m, p: [m["close"] / np.roll(m["close"], p.get("period", 1)) - 1, 100 * (m["close"] / np.roll(m["close"], p.get("period", 1)) - 1)],
    "cma": lambda m, p: [pd.Series(m["close"]).expanding().mean().to_numpy()],
    "roc": lambda m, p: [100 * pd.Series(m["close"]).pct_change(p["period"]).to_numpy()],
    "rocp": lambda m, p: [pd.Series(m["close"]).pct_change(p["period"]).to_numpy()],
    "mom": lambda m, p: [pd.Series(m["close"]).diff(p["period"]).to_numpy()],
    "lag": lambda m, p: [pd.Series(m["close"]).shift(p["period"]).to_numpy()],
    "medprice": lambda m, p: [(m["high"] + m["low"]) / 2], "typprice": lambda m, p: [(m["high"] + m["low"] + m["close"]) / 3],
    "avgprice": lambda m, p: [(m["open"] + m["high"] + m["low"] + m["close"]) / 4],
    "wclprice": lambda m, p: [(m["high"] + m["low"] + 2 * m["close"]) / 4],
    "wcprice": lambda m, p: [(m["high"] + m["low"] + 2 * m["close"]) / 4],
    "donchianchannels": lambda m, p: [
        upper := pd.Series(m["high"]).rolling(p["period"]).max().to_numpy(),
        (upper + (lower := pd.Series(m["low"]).rolling(p["period"]).min().to_numpy())) / 2,
        lower,
    ],
}


second = True
written_here = set(functions)


def names(catalogue):
    """The function of each indicator that has one."""
    return {name: name for name in functions}


def compute(name, entry, params, market, theirs):
    """The columns."""
    return functions[name](market, params)
