"""numpy, pandas, scipy and statsmodels: statistics, windows and functions of one number."""

import numpy as np
import pandas as pd
import scipy
import scipy.signal
import scipy.stats
import statsmodels
import statsmodels.api
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
    "coefficientofvariation": of_close(lambda w: scipy.stats.variation(w, ddof=1)),
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
    "savitzkygolay": lambda m, p: [],
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


def names():
    """The function of each indicator that has one."""
    return {name: name for name in functions}


def compute(name, entry, params, market):
    """The columns."""
    return functions[name](market, params)
