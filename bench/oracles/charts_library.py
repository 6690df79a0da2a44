"""lightweight-charts-indicators: indicators of TradingView's library and of its community, in JavaScript."""

from javascript_library import ask

title = "lightweight-charts-indicators"
version = "0.4.2"

# The indicator there and its options by our parameters. Options that are not named have the defaults of the library.
known = {
    "adr": ("ADR", {"period": "lengthInput"}),
    "alma": ("ALMA", {"period": "length", "offset": "offset", "sigma": "sigma"}),
    "alphatrend": ("AlphaTrend", {"period": "period", "coefficient": "coeff"}),
    "aso": ("AverageSentimentOscillator", {"period": "length"}),
    "atrtrailingstop": ("ATRTrailingStops", {"period": "atrPeriod", "multiplier": "atrMultiplier"}),
    "bbtrend": ("BBTrend", {"shortPeriod": "shortLength", "longPeriod": "longLength", "stddev": "stdDev"}),
    "bettervolume": ("BetterVolume", {"averagePeriod": "length"}),
    "chandekrollstop": ("ChandeKrollStop", {"period": "atrLength", "multiplier": "atrCoeff", "stopPeriod": "stopLength"}),
    "chopzone": ("ChopZone", {}),
    "chop": ("Choppiness", {"period": "length"}),
    "connorsrsi": ("ConnorsRSI", {"rsiPeriod": "lenrsi", "streakPeriod": "lenupdown", "rankPeriod": "lenroc"}),
    "coral": ("CoralTrend", {"period": "smoothingPeriod", "cd": "constantD"}),
    "darvasbox": ("DarvasBox", {"period": "boxLength"}),
    "dmi": ("DMI", {"period": "diLength"}),
    "ewo": ("ElliottWaveOscillator", {"fastPeriod": "sma1Length", "slowPeriod": "sma2Length"}),
    "fallingwindow": ("FallingWindow", {}),
    "fosc": ("ForecastOscillator", {"period": "length"}),
    "gannhilo": ("GannHighLow", {"highPeriod": "highLength", "lowPeriod": "lowLength"}),
    "gmma": ("GMMA", {}),
    "halftrend": ("HalfTrend", {"amplitude": "amplitude", "channelDeviation": "channelDeviation"}),
    "ichimoku": ("IchimokuCloud", {"conversionPeriod": "conversionPeriods", "basePeriod": "basePeriods", "spanPeriod": "laggingSpan2Periods", "displacement": "displacement"}),
    "iftrsi": ("IFTStochRSICCI", {"rsiPeriod": "rsiLength", "wmaPeriod": "wmaLength"}),
    "impulsemacd": ("ImpulseMACD", {"period": "lengthMA", "signalPeriod": "lengthSignal"}),
    "itrend": ("EhlersInstantaneousTrend", {"alpha": "alpha"}),
    "longlowershadow": ("LongLowerShadow", {}),
    "longuppershadow": ("LongUpperShadow", {}),
    "moonphase": ("MoonPhases", {}),
    "netvolume": ("NetVolume", {}),
    "ott": ("OptimizedTrendTracker", {"period": "period", "percent": "percent"}),
    "otto": ("OTTO", {"ottPeriod": "period", "ottPercent": "percent", "fastPeriod": "fastVidyaLen", "slowPeriod": "slowVidyaLen", "correction": "correctingConst"}),
    "pmax": ("ProfitMaximizer", {"period": "atrPeriod", "multiplier": "atrMult", "maPeriod": "maLength"}),
    "pmo": ("PriceMomentumOscillator", {"longPeriod": "firstLength", "shortPeriod": "secondLength", "signalPeriod": "signalLength"}),
    "premierstoch": ("PremierStochastic", {"period": "stochLength", "smoothPeriod": "smoothLength"}),
    "qqe": ("QQE", {}),
    "qqemod": ("QQEMod", {}),
    "rangefilter": ("RangeFilterDW", {"period": "period", "multiplier": "mult"}),
    "rci": ("RankCorrelationIndex", {"period": "length"}),
    "risingwindow": ("RisingWindow", {}),
    "rvgi": ("RVI", {"period": "length"}),
    "rvi": ("RelativeVolatilityIndex", {"stdDevPeriod": "length"}),
    "smoothedheikinashi": ("SmoothedHeikenAshi", {"period": "emaLength1", "smoothPeriod": "emaLength2"}),
    "squeeze": ("SqueezeMomentum", {"lengthBB": "bbLength", "lengthKC": "kcLength", "multBB": "bbMult", "multKC": "kcMult"}),
    "squeezepro": ("TTMSqueezePro", {"period": "bbLength"}),
    "sslchannel": ("SSLChannel", {"period": "period"}),
    "tdi": ("TDIHLCTrix", {"rsiPeriod": "rsiLen", "bandPeriod": "bbLen", "multiplier": "bbMult", "signalPeriod": "tradeSignalLen"}),
    "trama": ("TRAMA", {"period": "length"}),
    "trendmagic": ("TrendMagic", {"cciPeriod": "cciPeriod", "atrPeriod": "atrPeriod", "multiplier": "atrMultiplier"}),
    "trendtriggerfactor": ("TrendTriggerFactor", {"period": "length"}),
    "twap": ("TWAP", {}),
    "tweezerbottom": ("TweezerBottom", {}),
    "tweezertop": ("TweezerTop", {}),
    "utbot": ("UTBot", {"multiplier": "keyValue", "period": "atrPeriod"}),
    "vfi": ("VolumeFlowIndicator", {"period": "length", "coef": "coef", "volumeCoef": "vcoef", "signalPeriod": "signalLength"}),
    "volumeaccumulation": ("VolumeAccumulationPct", {"period": "length"}),
    "volumedivergence": ("VolumeDivergence", {}),
    "vpci": ("VPCI", {"shortPeriod": "shortLength", "longPeriod": "longLength"}),
    "vwmacd": ("VWMACDV2", {"fastPeriod": "fastLength", "slowPeriod": "slowLength", "signalPeriod": "signalLength"}),
    "waddahattar": ("WaddahAttarExplosion", {"sensitivity": "sensitivity", "fastPeriod": "fastLength", "slowPeriod": "slowLength", "bbPeriod": "channelLength", "stddev": "bbMult"}),
    "wavetrend": ("WaveTrend", {}),
    "williamsalligator": ("WilliamsAlligator", {"jawsLength": "jawLength", "teethLength": "teethLength", "lipsLength": "lipsLength", "jawsOffset": "jawOffset", "teethOffset": "teethOffset", "lipsOffset": "lipsOffset"}),
    "fractals": ("WilliamsFractals", {}),
    "woodiescci": ("WoodiesCCI", {"turboPeriod": "turboLength", "period": "cciLength"}),
    "zlsma": ("ZLSMA", {"period": "length"}),
    "zigzag": ("ZigZag", {"deviation": "deviation"}),
    "mode": None, "rsidivergence": ("RSIDivergence", {}),
    "vwapbands": None, "mvwap": ("VwapMvwapEmaCrossover", {"vwapPeriod": "vwapLength", "period": "mvwapLength"}),
}


def names(catalogue):
    """The library's name of each of our indicators that it has."""
    return {indicator: pair[0] for indicator, pair in known.items() if pair and indicator in catalogue}


def compute(name, entry, params, market, theirs):
    """The plots, and the markers if there are any."""
    options = {option: params[ours] for ours, option in known[entry["id"]][1].items() if ours in params}
    return ask("lightweight-charts-indicators", name, market, {**options, **theirs})
