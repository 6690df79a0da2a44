"""empyrical-reloaded and arch: ratios of risk over windows of returns."""

import arch
import empyrical
import numpy as np
from arch.unitroot import VarianceRatio

from science_library import returns, rolling

title = "empyrical-reloaded, arch"
version = f"{empyrical.__version__}, {arch.__version__}"


def of_returns(calculate):
    return lambda close, params: rolling(returns(close), params["period"], lambda window: calculate(window, params))


functions = {
    "sharperatio": ("sharpe_ratio", of_returns(lambda w, p: empyrical.sharpe_ratio(w, p["riskFree"], annualization=1))),
    "sortinoratio": ("sortino_ratio", of_returns(lambda w, p: empyrical.sortino_ratio(w, p["target"], annualization=1))),
    "downsidedeviation": ("downside_risk", of_returns(lambda w, p: empyrical.downside_risk(w, p["target"], annualization=1))),
    "omegaratio": (
        "omega_ratio",
        of_returns(lambda w, p: empyrical.omega_ratio(w, required_return=p["threshold"], annualization=1)),
    ),
    "expectedshortfall": (
        "conditional_value_at_risk",
        of_returns(lambda w, p: empyrical.conditional_value_at_risk(w, 1 - p["confidence"])),
    ),
    "calmarratio": (
        "calmar_ratio",
        of_returns(lambda w, p: empyrical.calmar_ratio(w, annualization=p["periodsPerYear"])),
    ),
    "maxdrawdown": (
        "max_drawdown",
        lambda close, p: rolling(returns(close), p["period"] - 1, empyrical.max_drawdown),
    ),
    "varianceratio": (
        "VarianceRatio",
        lambda close, p: rolling(np.log(close), p["period"] + 1, lambda w: VarianceRatio(w, p["lag"], debiased=True).vr),
    ),
}


def names(catalogue):
    """The function of each indicator that has one."""
    return {indicator: name for indicator, (name, _) in functions.items() if indicator in catalogue}


def compute(name, entry, params, market, theirs):
    """The column as a list."""
    return [functions[entry["id"]][1](market["close"], params)]
