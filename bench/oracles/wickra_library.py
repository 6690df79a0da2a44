"""Wickra: classes with a method that computes whole columns."""

import re

import numpy as np
import wickra

title = "Wickra"
version = "2.0.0"

# Classes with other names than their indicators.
other_names = {
    "ADL": "ad", "AccelerationBands": "accbands", "AcceleratorOscillator": "accosc", "AdOscillator": "adosc",
    "Alligator": "williamsalligator", "AmihudIlliquidity": "amihud", "AroonOscillator": "aroonosc", "Autocorrelation": "acf",
    "AverageDailyRange": "adr", "AwesomeOscillator": "ao", "BalanceOfPower": "bop", "BollingerBands": "bbands",
    "BollingerBandwidth": "bbw", "CFO": "fosc", "Camarilla": "pivotscamarilla", "CenterOfGravity": "cog",
    "CentralPivotRange": "cpr", "ChaikinMoneyFlow": "cmf", "ChaikinOscillator": "adosc", "ChaikinVolatility": "cvi",
    "ChoppinessIndex": "chop", "ClassicPivots": "pivotsclassic", "ConcealingBabySwallow": "concealbabyswall",
    "ConditionalValueAtRisk": "expectedshortfall", "Coppock": "coppockcurve", "CyberneticCycle": "cybercycle",
    "DemarkPivots": "pivotsdemark", "DerivativeOscillator": "derivativeosc", "Donchian": "donchianchannels",
    "DynamicMomentumIndex": "dymi", "EVENBETTERSINE": "ebsw", "EaseOfMovement": "eom", "ElderSafeZone": "safezonestop",
    "EmpiricalModeDecomposition": "emd", "FibonacciPivots": "pivotsfibonacci", "FisherTransform": "fisher",
    "FractalChaosBands": "fcb", "GarmanKlassVolatility": "garmanklass", "GatorOscillator": "gator",
    "GapSideBySideWhite": "gapsidesidewhite", "GrangerCausality": "granger", "HiLoActivator": "gannhilo",
    "HikkakeModified": "hikkakemod", "HilbertDominantCycle": "ht_dcperiod", "HurstChannel": "hurstbands",
    "HurstExponent": "hurst", "IdenticalThreeCrows": "identical3crows", "InstantaneousTrendline": "itrend",
    "KaseDevStop": "devstop", "Keltner": "keltnerchannels", "KendallTau": "kendall", "LinRegAngle": "linearreg_angle",
    "LinearRegression": "linearreg", "MarketFacilitationIndex": "marketfi", "MassIndex": "mass",
    "MedianAbsoluteDeviation": "medianabsdev", "MedianPrice": "medprice", "OuHalfLife": "halflife",
    "POLARIZED_FRACTAL_EFFICIENCY": "pfe", "ParkinsonVolatility": "parkinson", "PearsonCorrelation": "correl",
    "ProjectionOscillator": "projectionosc", "RVIVolatility": "rvi", "RWI": "randomwalkindex",
    "RogersSatchellVolatility": "rogerssatchell", "RollMeasure": "rollspread", "RollingCovariance": "covariance",
    "RollingIqr": "iqr", "RollingPercentileRank": "percentrank", "RollingQuantile": "quantile", "RoofingFilter": "roofing",
    "SAMPLEENT": "sampleentropy", "SHANNONENT": "entropy", "SpearmanCorrelation": "spearman", "StandardError": "linregstderr",
    "Stochastic": "stoch", "TDDeMarker": "demarker", "TDREI": "rei", "TII": "trendintensity", "TTM_TREND": "ttmtrend",
    "ThreeInside": "3inside", "ThreeLineStrike": "3linestrike", "ThreeOutside": "3outside",
    "ThreeStarsInSouth": "3starsinsouth", "TrueRange": "trange", "TtmSqueeze": "squeeze", "TwiggsMoneyFlow": "twiggs",
    "TwoCrows": "2crows", "TypicalPrice": "typprice", "UNIVERSALOSC": "universaloscillator", "UltimateOscillator": "ultosc",
    "UniqueThreeRiver": "unique3river", "UpsideGapTwoCrows": "upsidegap2crows", "Variance": "var",
    "VerticalHorizontalFilter": "vhf", "VoltyStop": "volatilitystop", "VolumeOscillator": "vosc", "VolumePriceTrend": "pvt",
    "VolumeWeightedMacd": "vwmacd", "VwapStdDevBands": "vwapbands", "WeightedClose": "wclprice",
    "WilliamsFractals": "fractals", "WilliamsR": "willr", "WoodiePivots": "pivotswoodie", "YangZhangVolatility": "yangzhang",
}

# Names of parameters there, by ours.
parameter_names = {
    "fastPeriod": "fast", "slowPeriod": "slow", "signalPeriod": "signal", "shortPeriod": "short", "longPeriod": "long",
    "kPeriod": "k_period", "dPeriod": "d_period", "stddev": "multiplier",
}

# Classes that are updated with returns.
of_returns = {"CalmarRatio", "ConditionalValueAtRisk", "OmegaRatio", "SharpeRatio", "SortinoRatio", "ValueAtRisk"}

orders = (
    ("close",), ("high", "low"), ("close", "volume"), ("high", "low", "close"), ("high", "low", "volume"), ("open", "close"),
    ("open", "high", "low", "close"), ("high", "low", "close", "volume"), ("open", "high", "low", "close", "volume"),
)


def names(catalogue):
    """The class of each indicator that has one."""
    plain = {re.sub("_", "", name): name for name in catalogue}
    found = {}
    for name in dir(wickra):
        if isinstance(getattr(wickra, name), type):
            indicator = other_names.get(name, plain.get(re.sub("_", "", name).lower()))
            if indicator in catalogue:
                found[indicator] = name
    return found


def compute(name, entry, params, market, theirs):
    """All columns that the class returns."""
    kind = getattr(wickra, name)
    signature = re.match(r"\(([^)]*)\)", kind.__text_signature__ or "()")
    accepted = [part.split("=")[0].strip() for part in signature.group(1).split(",")] if signature else []
    given = {}
    for ours, value in params.items():
        snake = re.sub(r"([A-Z])", lambda match: "_" + match.group(1).lower(), ours)
        for name_there in (parameter_names.get(ours), snake, ours):
            if name_there in accepted and name_there not in given and isinstance(value, (int, float)):
                given[name_there] = value
    if name in of_returns:
        market = {**market, "close": np.diff(market["close"], prepend=market["close"][0]) / np.roll(market["close"], 1)}
    own = tuple(each for each in entry["inputs"] if each != "timestamp")
    for order in (own, *orders):
        try:
            found = kind(**{**given, **theirs}).batch(*(market[column] for column in order))
        except (TypeError, ValueError, AttributeError):
            continue
        table = np.array(found, dtype=float) if not hasattr(found, "shape") else np.array(
            [list(row) for row in found] if not isinstance(found, np.ndarray) else found, dtype=float
        )
        if table.ndim == 1:
            return [table]
        return [table[:, column] for column in range(table.shape[1])]
    return []
