"""vector-ta: functions in Rust over arrays, with their bindings for Python."""

import inspect
import re

import numpy as np
import vector_ta

title = "vector-ta"
version = "0.2.8"

# Functions with other names than their indicator.
other_names = {
    "accosc": "acosc", "asi": "accumulation_swing_index", "autocorrelationperiodogram": "ehlers_autocorrelation_periodogram",
    "bbands": "bollinger_bands", "bbw": "bollinger_bands_width", "chandekrollstop": "cksp", "closevolatility": "historical_volatility",
    "cog": "cg", "coppockcurve": "coppock", "cybercycle": "ehlers_simple_cycle_indicator", "decycleroscillator": "dec_osc",
    "donchianchannels": "donchian", "dymi": "dynamic_momentum_index", "ecema": "ehlers_ecema", "efficiencyratio": "er",
    "elderray": "eri", "emv": "emv", "evwma": "elastic_volume_weighted_moving_average", "forceindex": "efi",
    "garmanklass": "garman_klass_volatility", "gaussianfilter": "gaussian", "gator": "gatorosc", "highpass2": "highpass_2_pole",
    "hvpercentile": "historical_volatility_percentile", "ibs": "", "imi": "intraday_momentum_index", "iftrsi": "ift_rsi",
    "impulsemacd": "impulse_macd", "itrend": "", "ehlersitrend": "ehlers_itrend", "keltnerchannels": "keltner",
    "keltnerwidth": "keltner_channel_width_oscillator", "marketfi": "marketefi", "medianabsdev": "medium_ad",
    "nadarayawatson": "nadaraya_watson_envelope", "naturalma": "nma", "netmyrsi": "net_myrsi", "parkinson": "parkinson_volatility",
    "percentilenearest": "percentile_nearest_rank", "pgo": "pretty_good_oscillator", "pma": "ehlers_pma", "psl": "psychological_line",
    "pvt": "vpt", "qqemod": "", "randomwalkindex": "random_walk_index", "rangefilter": "range_filter", "rci": "rank_correlation_index",
    "reversersi": "reverse_rsi", "rogerssatchell": "rogers_satchell_volatility", "rvir": "", "savitzkygolay": "sgf",
    "smi": "", "spearman": "spearman_correlation", "squeeze": "squeeze_momentum", "squeezepro": "ttm_squeeze", "stochrsi": "srsi",
    "supersmoother3": "supersmoother_3_pole", "t3": "tilson", "trendtriggerfactor": "trend_trigger_factor", "ttmtrend": "ttm_trend",
    "twiggs": "twiggs_money_flow", "vhf": "vertical_horizontal_filter", "volumeadjustedma": "VolumeAdjustedMa", "vortex": "vi",
    "vwmacd": "vwmacd", "vzo": "volume_zone_oscillator", "williamsalligator": "alligator", "yangzhang": "yang_zhang_volatility",
    "ulcerindex": "ui", "gopalakrishnan": "gopalakrishnan_range_index", "fvgtrailingstop": "fvg_trailing_stop",
    "correlationcycle": "correlation_cycle", "ccicycle": "cci_cycle", "gmma": "", "premierstoch": "", "maaq": "maaq", "emd": "emd",
    "ad": "ad", "ma": "", "vama": "", "rvi": "rvi", "dti": "dti", "epma": "epma", "wad": "wad", "projectionosc": "projection_oscillator",
    "sinema": "sinwma", "sinwma": "sinwma", "kri": "kairi_relative_index", "disparity": "disparity_index", "md": "mean_ad",
    "avgdev": "mean_ad", "wilders": "wilders", "swma": "swma", "laguerrersi": "lrsi", "lrsi": "lrsi", "fdi": "fractal_dimension_index",
    "sobv": "", "andean": "andean_oscillator", "tii": "", "demandindex": "demand_index", "vqi": "volatility_quality_index",
    "insync": "insync_index", "kurtosis": "kurtosis", "halftrend": "halftrend_tuple",
}

# Our names of parameters, by the library's names.
parameter_names = {
    "length": ("period", "lookback"), "period": ("period", "length"), "devup": ("stddev",), "devdn": ("stddev",), "mult": ("multiplier",),
    "multiplier": ("multiplier",), "fastk_period": ("kPeriod",), "slowk_period": ("kSmooth",), "slowd_period": ("dPeriod",),
    "fast": ("fastPeriod",), "slow": ("slowPeriod",), "signal": ("signalPeriod",), "short_range": ("shortPeriod",),
    "long_range": ("longPeriod",), "hp_period": ("hpPeriod",), "lookback": ("period",), "order": ("period",), "window": ("period",),
    "smoothing_period": ("smoothPeriod",), "fast_multiplier": ("fastFactor",), "slow_multiplier": ("slowFactor",),
    "length_ma": ("period",), "length_signal": ("signalPeriod",), "rsi_length": ("period", "rsiPeriod"), "rsi_level": ("level",),
    "max_lookback": ("lookback",), "vis_atr": ("visAtr",), "vis_std": ("visStd",), "sed_atr": ("sedAtr",), "sed_std": ("sedStd",),
    "length_bb": ("lengthBB",), "mult_bb": ("multBB",), "length_kc": ("lengthKC",), "mult_kc": ("multKC",), "coeff": ("coefficient",),
    "unmitigated_fvg_lookback": ("lookback",), "smoothing_length": ("smoothing",), "range_size": ("multiplier",), "range_period": ("period",),
    "smooth_period": ("smoothPeriod",), "fast_vidya_length": ("fastPeriod",), "slow_vidya_length": ("slowPeriod",),
    "correcting_constant": ("correction",), "volatility_period": ("deviationPeriod",), "volatility_sma_period": ("averagePeriod",),
    "rsi_period": ("rsiPeriod", "period"), "upper_limit": ("maxPeriod",), "lower_limit": ("minPeriod",), "atr_length": ("atrLength",),
    "fast_length": ("fastPeriod",), "slow_length": ("slowPeriod",), "signal_length": ("signalPeriod",), "lengthz": ("zPeriod",),
    "length_stdev": ("deviationPeriod",), "annual_length": ("rankPeriod",), "poly_order": ("polyOrder",), "daily_limit": ("limitMove",),
    "jaw_period": ("jawsLength",), "teeth_period": ("teethLength",), "lips_period": ("lipsLength",), "jaws_length": ("jawPeriod",),
    "teeth_length": ("teethPeriod",), "lips_length": ("lipsPeriod",), "channel_length": ("channelPeriod",), "average_length": ("averagePeriod",),
    "p": ("period",), "x": ("multiplier",), "q": ("stopPeriod",), "devtype": (), "gain_limit": ("gainLimit",), "sc": (), "fc": (),
    "ma_len": ("period",), "channel_deviation": ("channelDeviation",), "atr_period": ("atrPeriod",), "percent": ("percent",),
}

inputs = {
    "data": None, "source": None, "src": None, "series": None, "main": "high", "compare": "low", "open": "open", "open_": "open", "high": "high",
    "low": "low", "close": "close", "volume": "volume", "price": "close", "prices": "close", "volumes": "volume", "typical_price": "typical",
    "timestamps": "timestamp",
}


def camel(name):
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def names(catalogue):
    """The function of each indicator that has one."""
    plain = {re.sub("_", "", name): name for name in dir(vector_ta) if name[0] != "_" and "batch" not in name and "Stream" not in name}
    found = {}
    for indicator in catalogue:
        name = other_names.get(indicator, plain.get(re.sub("_", "", indicator)))
        if name and callable(getattr(vector_ta, name, None)):
            found[indicator] = name
    return found


def column_of(name, entry, market):
    if name == "typical_price" or (name == "prices" and entry["id"] == "vwap"):
        return (market["high"] + market["low"] + market["close"]) / 3
    if name == "source" and entry["id"] == "ttmtrend":
        return (market["high"] + market["low"]) / 2
    if inputs[name]:
        return market[inputs[name]]
    read = [each for each in entry["inputs"] if each != "timestamp"]
    if read == ["high", "low"]:
        return (market["high"] + market["low"]) / 2
    return market["close"] if "close" in read else market[read[0]]


def compute(name, entry, params, market, theirs):
    """All columns that the function gives."""
    function = getattr(vector_ta, name)
    given = {}
    signature = inspect.signature(function)
    for each, parameter in signature.parameters.items():
        if each in inputs:
            given[each] = np.ascontiguousarray(column_of(each, entry, market)) * (1000 if each == "timestamps" else 1)
        elif each in theirs:
            given[each] = theirs[each]
        elif each not in ("kernel",):
            for ours in (camel(each), *parameter_names.get(each, ())):
                if ours in params and isinstance(params[ours], (int, float)):
                    given[each] = params[ours]
                    break
    found = function(**given)
    if isinstance(found, dict):
        found = [value for value in found.values()]
    found = found if isinstance(found, (tuple, list)) else [found]
    columns = []
    for each in found:
        table = np.asarray(each, dtype=float)
        columns += [table] if table.ndim == 1 else list(table)
    return columns
