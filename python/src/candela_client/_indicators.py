"""The indicators of the catalogue. Written by scripts/docs-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")

Timeframe = Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"]

#: Of the exchange `stocks`: prices adjusted for splits, as they were traded, or adjusted for splits and dividends.
Adjustment = Literal["split", "raw", "all"]

#: Seconds of a candle of each timeframe; of a month its greatest length.
TIMEFRAMES: dict[str, int] = {
    "1m": 60,
    "3m": 180,
    "5m": 300,
    "15m": 900,
    "30m": 1800,
    "1h": 3600,
    "2h": 7200,
    "4h": 14400,
    "6h": 21600,
    "8h": 28800,
    "12h": 43200,
    "1d": 86400,
    "3d": 259200,
    "1w": 604800,
    "1M": 2678400,
}

#: The parameters of each indicator, in their order.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "2crows": (),
    "3blackcrows": (),
    "3inside": (),
    "3linestrike": (),
    "3outside": (),
    "3starsinsouth": (),
    "3whitesoldiers": (),
    "abandonedbaby": ("penetration",),
    "abcd": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "aberration": ("period", "atrPeriod",),
    "abs": (),
    "accbands": ("period",),
    "acceleration": (),
    "accosc": ("lengthSlow", "lengthFast",),
    "acf": ("period", "lag",),
    "acos": (),
    "ad": (),
    "adaptivelaguerre": ("period", "medianPeriod",),
    "add": (),
    "adf": ("period", "lags", "regression",),
    "adosc": ("fastPeriod", "slowPeriod",),
    "adoscdivergence": ("fastPeriod", "slowPeriod", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "adr": ("period",),
    "advanceblock": (),
    "adx": ("period",),
    "adxr": ("period",),
    "ahrensma": ("period",),
    "alltimehigh": (),
    "alltimelow": (),
    "alma": ("period", "offset", "sigma",),
    "alphatrend": ("period", "coefficient", "momentum",),
    "altbat": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "amat": ("fastPeriod", "slowPeriod", "lookback",),
    "amihud": ("period",),
    "ao": (),
    "aobv": ("fastPeriod", "slowPeriod", "runLength",),
    "aodivergence": ("pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "apo": ("fastPeriod", "slowPeriod", "maType",),
    "apz": ("period", "multiplier",),
    "aroon": ("period",),
    "aroonosc": ("period",),
    "asi": ("limitMove", "unit",),
    "asin": (),
    "aso": ("period", "mode",),
    "atan": (),
    "atr": ("period",),
    "atrbands": ("period", "multiplier",),
    "atrtrailingstop": ("period", "multiplier", "endType",),
    "autocorrelationperiodogram": ("minPeriod", "maxPeriod", "avgLength",),
    "avgdev": ("period",),
    "avgprice": (),
    "bandpass": ("period", "bandwidth",),
    "bat": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "bbands": ("period", "stddev", "maType",),
    "bbtrend": ("shortPeriod", "longPeriod", "stddev",),
    "bbw": ("period", "stddev",),
    "bearishsticksandwich": (),
    "belthold": (),
    "beta": ("period",),
    "bettervolume": ("period", "averagePeriod",),
    "bigcandle": ("period", "factor",),
    "blockade": (),
    "bop": (),
    "bos": ("swingLeft", "swingRight", "breakOn",),
    "bottle": (),
    "brar": ("period",),
    "breakaway": (),
    "breakerblocks": ("swingLeft", "swingRight",),
    "butterfly": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "butterworth2": ("period",),
    "butterworth3": ("period",),
    "calmarratio": ("period", "periodsPerYear",),
    "candle": (),
    "candlepatterns": (),
    "candles": ("period",),
    "candlez": ("period", "estimator",),
    "cci": ("period", "tp",),
    "ccicycle": ("period", "factor",),
    "ccidivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "ceil": (),
    "chandekrollstop": ("period", "multiplier", "stopPeriod",),
    "chandelierexit": ("period", "multiplier",),
    "channeldown": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches",),
    "channelup": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches",),
    "choch": ("swingLeft", "swingRight", "breakOn",),
    "chop": ("period",),
    "chopzone": ("period", "emaPeriod",),
    "closevolatility": ("period", "annualPeriods",),
    "closingmarubozu": (),
    "cma": (),
    "cmf": ("period",),
    "cmfdivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "cmo": ("period",),
    "cmou": ("period",),
    "coefficientofvariation": ("period", "estimator",),
    "cog": ("period",),
    "collapsingdojistar": (),
    "concealbabyswall": (),
    "connorsrsi": ("rsiPeriod", "streakPeriod", "rankPeriod",),
    "consolidation": ("period", "widthATR", "atrPeriod",),
    "coppockcurve": ("wmaPeriod", "longRoc", "shortRoc",),
    "coral": ("period", "cd",),
    "correl": ("period",),
    "correlationcycle": ("period", "threshold",),
    "cos": (),
    "cosh": (),
    "counterattack": (),
    "covariance": ("period", "estimator",),
    "cpr": ("anchor",),
    "crab": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "crossany": (),
    "crossover": (),
    "crossunder": (),
    "cti": ("period",),
    "cumsum": (),
    "cupandhandle": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "minLength", "maxLength",),
    "cvi": ("period",),
    "cwma": ("period",),
    "cybercycle": ("alpha",),
    "cypher": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "damiani": ("visAtr", "visStd", "sedAtr", "sedStd", "threshold",),
    "darkcloudcover": ("penetration",),
    "darvasbox": ("period",),
    "decay": ("period",),
    "decaychannel": ("period",),
    "decycler": ("hpPeriod",),
    "decycleroscillator": ("hpPeriod", "k",),
    "deepcrab": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "deliberationblock": (),
    "dema": ("period",),
    "demarker": ("period",),
    "derivativeosc": ("rsiPeriod", "firstSmooth", "secondSmooth", "signalPeriod",),
    "descendinghawk": (),
    "descentblock": (),
    "detrendedsyntheticprice": ("period",),
    "devstop": ("period", "multiplier",),
    "di": ("period",),
    "disparityindex": ("period",),
    "distancecorrelation": ("period",),
    "div": (),
    "dm": ("period",),
    "dmi": ("period",),
    "doji": (),
    "dojistar": (),
    "donchianchannels": ("period",),
    "doublebottom": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "bottomToleranceATR", "minHeightATR", "symmetryMin", "symmetryMax", "breakoutLookahead", "necklineBuffer",),
    "doubletop": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "topToleranceATR", "minHeightATR", "symmetryMin", "symmetryMax", "breakoutLookahead", "necklineBuffer",),
    "doubletrouble": ("period", "multiplier",),
    "downsidedeviation": ("period", "target",),
    "downsidegaptworabbits": (),
    "dpo": ("period",),
    "dragonflydoji": (),
    "drawdown": (),
    "drawdownduration": (),
    "dsma": ("period",),
    "dssbressert": ("stochPeriod", "smoothPeriod",),
    "dti": ("r", "s", "u",),
    "dvdiqqe": ("period", "smoothPeriod", "fastFactor", "slowFactor",),
    "dwma": ("period",),
    "dx": ("period",),
    "dymi": ("period", "deviationPeriod", "averagePeriod", "minPeriod", "maxPeriod",),
    "ebsw": ("hpPeriod", "ssfPeriod",),
    "ecema": ("period", "gainLimit",),
    "edcf": ("period",),
    "edecay": ("period",),
    "efficiencyratio": ("period",),
    "ehma": ("period",),
    "elderimpulse": ("emaPeriod", "fastPeriod", "slowPeriod", "signalPeriod",),
    "elderray": ("period",),
    "elderthermometer": ("period",),
    "ema": ("period",),
    "emd": ("period", "delta", "fraction",),
    "emv": (),
    "engulfing": (),
    "entropy": ("period", "base",),
    "eom": ("period", "divisor",),
    "equalhighslows": ("swingLeft", "swingRight", "toleranceATR", "atrPeriod",),
    "euphoria": (),
    "eveningdojistar": ("penetration",),
    "eveningstar": ("penetration",),
    "evwma": ("period",),
    "ewmavolatility": ("decay", "annualPeriods",),
    "ewo": ("fastPeriod", "slowPeriod", "percent",),
    "exp": (),
    "expectedshortfall": ("period", "confidence",),
    "falling": ("period",),
    "fallingwindow": (),
    "fcb": ("windowSpan",),
    "fibonacciretracement": ("period", "retracement", "trend",),
    "fisher": ("period",),
    "flagbearish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "poleATR", "poleLength",),
    "flagbullish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "poleATR", "poleLength",),
    "floor": (),
    "forceindex": ("period",),
    "fosc": ("period",),
    "fourpricedoji": ("period", "limit",),
    "fractals": ("left", "right",),
    "frama": ("period",),
    "fve": ("period", "factor",),
    "fvg": ("minGapATR", "atrPeriod",),
    "fvgtrailingstop": ("lookback", "smoothing", "resetOnCross",),
    "fwma": ("period",),
    "gannhilo": ("highPeriod", "lowPeriod",),
    "gapo": ("period",),
    "gappingdoji": (),
    "gapsidesidewhite": (),
    "garmanklass": ("period", "annualPeriods",),
    "gartley": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "gator": ("jawPeriod", "jawOffset", "teethPeriod", "teethOffset", "lipsPeriod", "lipsOffset",),
    "gaussianfilter": ("period", "poles",),
    "geomean": ("period",),
    "gmma": (),
    "goldenzone": ("period", "first", "second",),
    "granger": ("period", "lag",),
    "gravestonedoji": (),
    "halflife": ("period",),
    "halftrend": ("amplitude", "channelDeviation", "atrPeriod",),
    "hammer": (),
    "hangingman": (),
    "hannma": ("period",),
    "harami": (),
    "haramicross": (),
    "harmean": ("period",),
    "headandshoulders": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "headProminenceATR", "shoulderToleranceATR", "minHeightATR", "symmetryMin", "symmetryMax", "breakoutLookahead", "necklineBuffer",),
    "heikinashi": (),
    "henderson": ("period",),
    "highestbars": ("period",),
    "highpass": ("period",),
    "highpass2": ("period", "k",),
    "highwave": (),
    "hikkake": (),
    "hikkakemod": (),
    "hma": ("period",),
    "holt": ("period", "gamma",),
    "homingpigeon": (),
    "hpattern": (),
    "ht_dcperiod": (),
    "ht_dcphase": (),
    "ht_phasor": (),
    "ht_sine": (),
    "ht_trendline": (),
    "ht_trendmode": (),
    "hurst": ("period",),
    "hurstbands": ("period", "inner", "outer", "extreme",),
    "hvpercentile": ("period", "rankPeriod", "signalPeriod",),
    "hwc": ("na", "nb", "nc", "nd", "multiplier",),
    "hwma": ("na", "nb", "nc",),
    "ibs": (),
    "ichimoku": ("conversionPeriod", "basePeriod", "spanPeriod", "displacement",),
    "identical3crows": (),
    "iftrsi": ("rsiPeriod", "wmaPeriod",),
    "ifvg": ("minGapATR", "atrPeriod",),
    "imi": ("period",),
    "impulsemacd": ("period", "signalPeriod",),
    "inertia": ("period", "stdDevPeriod", "rviPeriod", "smoothing",),
    "inneck": (),
    "insidebar": (),
    "intradayintensity": ("mode", "period",),
    "inversecupandhandle": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "minLength", "maxLength",),
    "inverseheadandshoulders": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "headProminenceATR", "shoulderToleranceATR", "minDepthATR", "symmetryMin", "symmetryMax", "breakoutLookahead", "necklineBuffer",),
    "invertedhammer": (),
    "iqr": ("period",),
    "islandreversal": ("maxLength",),
    "itrend": ("alpha",),
    "jarquebera": ("period",),
    "jerk": (),
    "jma": ("period", "phase", "power",),
    "jsa": ("period",),
    "kalman": ("q", "r",),
    "kama": ("period",),
    "kaufmanstop": ("period", "multiplier",),
    "kdj": ("period", "signal", "kPeriod", "dPeriod", "kSmooth",),
    "keltnerchannels": ("period", "multiplier", "atrLength",),
    "keltnerwidth": ("period", "multiplier", "atrLength",),
    "kendall": ("period",),
    "keyreversal": ("period",),
    "kicker": (),
    "kicking": (),
    "kickingbylength": (),
    "kirshenbaum": ("period", "regressionPeriod", "multiplier",),
    "kst": ("roc1", "roc2", "roc3", "roc4", "sma1", "sma2", "sma3", "sma4", "signalPeriod",),
    "kurtosis": ("period", "estimator",),
    "kvo": ("shortPeriod", "longPeriod",),
    "kyleslambda": ("period",),
    "ladderbottom": (),
    "laddertop": (),
    "lag": ("period",),
    "laguerrefilter": ("gamma",),
    "laguerrersi": ("gamma",),
    "linearreg": ("period",),
    "linearreg_angle": ("period",),
    "linearreg_intercept": ("period",),
    "linearreg_slope": ("period",),
    "linreg": ("period",),
    "linregintercept": ("period",),
    "linregslope": ("period",),
    "linregstderr": ("period",),
    "liquiditypools": ("swingLeft", "swingRight", "toleranceATR", "atrPeriod",),
    "liquiditysweeps": ("swingLeft", "swingRight",),
    "ln": (),
    "log10": (),
    "logreturn": ("period", "cumulative",),
    "longleggeddoji": (),
    "longline": (),
    "longlowershadow": ("percent",),
    "longuppershadow": ("percent",),
    "lowershadow": (),
    "lowestbars": ("period",),
    "ma": ("period", "maType",),
    "maaq": ("period", "fastPeriod", "slowPeriod",),
    "macd": ("fastPeriod", "slowPeriod", "signalPeriod",),
    "macddivergence": ("fastPeriod", "slowPeriod", "signalPeriod", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "macdext": ("fastPeriod", "fastMAType", "slowPeriod", "slowMAType", "signalPeriod", "signalMAType",),
    "macdfix": ("signalPeriod",),
    "macz": ("fastPeriod", "slowPeriod", "signalPeriod", "zPeriod", "deviationPeriod", "a", "b",),
    "maenvelope": ("period", "percent", "maType",),
    "mama": ("fastLimit", "slowLimit",),
    "maribbon": ("period", "step", "maType",),
    "marketfi": (),
    "marketstructure": ("swingLeft", "swingRight", "breakOn",),
    "marubozu": (),
    "mass": ("period",),
    "matchinghigh": (),
    "matchinglow": (),
    "mathold": ("penetration",),
    "mavp": ("minPeriod", "maxPeriod", "maType",),
    "max": ("period",),
    "maxdrawdown": ("period",),
    "maxindex": ("period",),
    "mcginleydynamic": ("period", "k",),
    "mcnichollma": ("period",),
    "md": ("period",),
    "median": ("period",),
    "medianabsdev": ("period",),
    "medprice": (),
    "mfi": ("period",),
    "mfidivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "midbody": (),
    "midpoint": ("period",),
    "midprice": ("period",),
    "min": ("period",),
    "minindex": ("period",),
    "minmax": ("period",),
    "minmaxindex": ("period",),
    "minus_di": ("period",),
    "minus_dm": ("period",),
    "mitigationblocks": ("swingLeft", "swingRight",),
    "mode": ("period",),
    "mom": ("period",),
    "momdivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "moonphase": (),
    "morningdojistar": ("penetration",),
    "morningstar": ("penetration",),
    "most": ("period", "percent", "maType",),
    "msw": ("period",),
    "mul": (),
    "mult": (),
    "mvwap": ("vwapPeriod", "period",),
    "nadarayawatson": ("bandwidth", "multiplier", "lookback",),
    "narrowrange": ("period",),
    "natr": ("period",),
    "naturalma": ("period",),
    "netmyrsi": ("period",),
    "netvolume": (),
    "newpricelines": ("lines",),
    "normalize": ("period",),
    "nrtr": ("percent",),
    "nvi": (),
    "obv": (),
    "obvdivergence": ("pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "omegaratio": ("period", "threshold",),
    "onneck": (),
    "openinggap": ("anchor",),
    "orderblocks": ("swingLeft", "swingRight",),
    "ote": ("swingLeft", "swingRight", "from", "to",),
    "ott": ("period", "percent",),
    "otto": ("ottPeriod", "ottPercent", "fastPeriod", "slowPeriod", "correction", "unit",),
    "outsidebar": (),
    "pacf": ("period", "lag",),
    "painindex": ("period",),
    "parkinson": ("period", "annualPeriods",),
    "pd": ("period",),
    "pennantbearish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "poleATR", "poleLength",),
    "pennantbullish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "poleATR", "poleLength",),
    "percentb": ("period", "stddev",),
    "percentilelinear": ("period", "percentage",),
    "percentilenearest": ("period", "percentage",),
    "percentrank": ("period", "compare",),
    "percentreturn": ("period", "cumulative",),
    "pfe": ("period", "smoothing",),
    "pgo": ("period",),
    "piercing": (),
    "pinbar": (),
    "pivotpoints": ("anchor", "family",),
    "pivotscamarilla": ("anchor",),
    "pivotsclassic": ("anchor",),
    "pivotsdemark": ("anchor",),
    "pivotsfibonacci": ("anchor",),
    "pivotstraditional": ("anchor",),
    "pivotswoodie": ("anchor",),
    "plus_di": ("period",),
    "plus_dm": ("period",),
    "pma": (),
    "pmax": ("period", "multiplier", "maType", "maPeriod",),
    "pmo": ("longPeriod", "shortPeriod", "signalPeriod",),
    "pocketpivot": ("period",),
    "polyfit": ("period", "degree",),
    "ppo": ("fastPeriod", "slowPeriod", "maType",),
    "premierstoch": ("period", "smoothPeriod",),
    "premiumdiscount": ("swingLeft", "swingRight",),
    "previoushighlow": ("anchor",),
    "price": (),
    "pricedistance": (),
    "pricevolume": ("signed",),
    "pricevolumerank": (),
    "priorswinghigh": ("period",),
    "priorswinglow": ("period",),
    "projectionbands": ("period", "slope",),
    "projectionosc": ("period", "smoothPeriod", "slope",),
    "psar": ("start", "increment", "maximum",),
    "psl": ("period",),
    "pvi": (),
    "pvo": ("fastPeriod", "slowPeriod", "signalPeriod",),
    "pvt": (),
    "pwma": ("period",),
    "qqe": ("rsiPeriod", "smoothPeriod", "factor",),
    "qqemod": ("rsiPeriod", "smoothPeriod", "factor", "threshold", "factor2", "bbPeriod", "bbStddev",),
    "qstick": ("period",),
    "quantile": ("period", "quantile",),
    "rainbow": ("period",),
    "rainbowoscillator": ("period", "lookback",),
    "randomwalkindex": ("period",),
    "range": ("period",),
    "rangefilter": ("period", "multiplier", "smoothPeriod",),
    "raschke310": ("fastPeriod", "slowPeriod", "signalPeriod",),
    "ravi": ("shortPeriod", "longPeriod",),
    "rci": ("period",),
    "realbody": (),
    "rectangle": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches",),
    "reflex": ("period",),
    "rei": ("period",),
    "rejectionblocks": ("swingLeft", "swingRight", "wickRatio",),
    "relativevolume": ("period",),
    "retracements": ("swingLeft", "swingRight",),
    "reversalbar": (),
    "reversersi": ("period", "level",),
    "rickshawman": (),
    "risefall3methods": (),
    "rising": ("period",),
    "risingwindow": (),
    "rmi": ("period", "momentum",),
    "roc": ("period",),
    "rocbands": ("period", "smoothPeriod", "deviationPeriod",),
    "rocp": ("period",),
    "rocr": ("period",),
    "rocr100": ("period",),
    "rogerssatchell": ("period", "annualPeriods",),
    "rollingpivots": ("period", "offset",),
    "rollspread": ("period",),
    "roofing": ("hpPeriod", "lpPeriod",),
    "round": (),
    "roundingbottom": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "minLength", "maxLength",),
    "roundingtop": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "minLength", "maxLength",),
    "rsi": ("period",),
    "rsidivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "rsquared": ("period",),
    "rsx": ("period",),
    "rvgi": ("period",),
    "rvi": ("stdDevPeriod", "period", "smoothing",),
    "rvir": ("stdDevPeriod", "period", "smoothing",),
    "safezonestop": ("period", "multiplier", "lookback",),
    "sampleentropy": ("period", "length", "tolerance",),
    "sar": ("acceleration", "maximum",),
    "sarext": ("startValue", "offsetOnReverse", "accelerationInitLong", "accelerationLong", "accelerationMaxLong", "accelerationInitShort", "accelerationShort", "accelerationMaxShort",),
    "savitzkygolay": ("period", "polyOrder",),
    "separatinglines": (),
    "sessions": ("session",),
    "shark": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "sharperatio": ("period", "riskFree",),
    "shootingstar": (),
    "shortline": (),
    "sin": (),
    "sinh": (),
    "sinwma": ("period",),
    "skewness": ("period", "estimator",),
    "slingshot": (),
    "sma": ("period",),
    "smi": ("period", "firstSmooth", "secondSmooth", "signalPeriod",),
    "smiergodic": ("longPeriod", "shortPeriod", "signalPeriod",),
    "smma": ("period",),
    "smoothedheikinashi": ("period", "smoothPeriod",),
    "sobv": ("period",),
    "sortinoratio": ("period", "target",),
    "spearman": ("period",),
    "specialk": ("scale", "signalPeriod",),
    "spinningtop": (),
    "sqrt": (),
    "squeeze": ("lengthBB", "lengthKC", "multBB", "multKC",),
    "squeezealert": (),
    "squeezepro": ("period", "stddev", "multLow", "multMid", "multHigh",),
    "sqwma": ("period",),
    "srwma": ("period",),
    "sslchannel": ("period",),
    "stalledpattern": (),
    "starcbands": ("period", "multiplier", "atrPeriod",),
    "stc": ("fastLength", "slowLength", "cycleLength", "d1Length", "d2Length",),
    "stddev": ("period", "nbDev",),
    "stddevchannel": ("period", "stddev", "deviation",),
    "stderr": ("period",),
    "sticksandwich": (),
    "stiffness": ("maPeriod", "period", "smoothPeriod", "factor",),
    "stoch": ("kPeriod", "dPeriod", "kSmooth",),
    "stochdivergence": ("kPeriod", "kSmooth", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "stochf": ("fastKPeriod", "fastDPeriod", "fastDMAType",),
    "stochrsi": ("kPeriod", "dPeriod", "rsiPeriod", "stochasticPeriod",),
    "stomach": (),
    "streak": (),
    "sub": (),
    "sum": ("period",),
    "supersmoother": ("period",),
    "supersmoother3": ("period",),
    "supertrend": ("period", "multiplier",),
    "supportresistance": ("swingLeft", "swingRight", "volumeThreshold",),
    "swingindex": ("limitMove", "unit",),
    "swings": ("swingLeft", "swingRight",),
    "swissarmyknife": ("type", "period", "delta",),
    "t3": ("period", "vFactor",),
    "takuri": (),
    "tan": (),
    "tanh": (),
    "tasukigap": (),
    "tdantidifferential": (),
    "tdcamouflage": (),
    "tdclop": (),
    "tdclopwin": (),
    "tddifferential": (),
    "tdi": ("rsiPeriod", "bandPeriod", "multiplier", "pricePeriod", "signalPeriod",),
    "tdopen": (),
    "tdpressure": ("period",),
    "tdrangeprojection": (),
    "tdreversedifferential": (),
    "tdsequential": (),
    "tdtrap": (),
    "tema": ("period",),
    "theil": ("period",),
    "thestrat": (),
    "threedrives": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "thrusting": (),
    "tke": ("period", "signalPeriod",),
    "todeg": (),
    "torad": (),
    "tr": (),
    "tradevolumeindex": ("minTick", "unit",),
    "trama": ("period",),
    "trange": (),
    "trendflex": ("period",),
    "trendintensity": ("maPeriod", "period",),
    "trendlines": ("swingLeft", "swingRight",),
    "trendmagic": ("cciPeriod", "atrPeriod", "multiplier",),
    "trendtriggerfactor": ("period",),
    "triangleascending": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "topToleranceATR", "minAscentATR", "invalidationCloses",),
    "triangledescending": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "bottomToleranceATR", "minDescentATR", "invalidationCloses",),
    "trianglesymmetricalbearish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "minDescentATR", "minAscentATR",),
    "trianglesymmetricalbullish": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches", "minDescentATR", "minAscentATR",),
    "trima": ("period",),
    "trimmedmean": ("period", "percent",),
    "triplebottom": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "toleranceATR", "minHeightATR", "breakoutLookahead",),
    "tripletop": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "toleranceATR", "minHeightATR", "breakoutLookahead",),
    "tristar": (),
    "trix": ("period",),
    "trixhistogram": ("period", "signalPeriod",),
    "trunc": (),
    "tsf": ("period",),
    "tsi": ("longPeriod", "shortPeriod", "signalPeriod",),
    "tsv": ("period", "signalPeriod",),
    "ttest": ("period", "mu",),
    "ttmtrend": ("period",),
    "turtlesoup": ("period", "separation",),
    "twap": ("anchorPeriod",),
    "tweezerbottom": (),
    "tweezertop": (),
    "twiggs": ("period",),
    "twoblackgapping": (),
    "tworabbits": (),
    "typprice": (),
    "ulcerindex": ("period", "peak",),
    "ultimatesmoother": ("period",),
    "ultosc": ("period1", "period2", "period3",),
    "unique3river": (),
    "uniquethreemountain": (),
    "universaloscillator": ("period",),
    "updownvolume": ("period",),
    "uppershadow": (),
    "upsidegap2crows": (),
    "utbot": ("multiplier", "period",),
    "valueatrisk": ("period", "confidence",),
    "var": ("period", "nbDev",),
    "varianceratio": ("period", "lag",),
    "vfi": ("period", "deviationPeriod", "coef", "volumeCoef", "smoothPeriod", "signalPeriod",),
    "vhf": ("period",),
    "vidya": ("shortPeriod", "longPeriod", "alpha",),
    "vlma": ("minPeriod", "maxPeriod",),
    "volatility": ("period",),
    "volatilityratio": ("period", "base",),
    "volatilitystop": ("period", "multiplier",),
    "volofvol": ("period", "vovPeriod",),
    "volume": (),
    "volumeaccumulation": ("period",),
    "volumeadjustedma": ("period", "factor", "samplePeriod", "strict",),
    "volumedivergence": ("pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "volumeimbalance": (),
    "volumesplit": (),
    "vortex": ("period",),
    "vosc": ("short_period", "long_period",),
    "voss": ("period", "predict", "bandwidth",),
    "vpci": ("shortPeriod", "longPeriod",),
    "vpwma": ("period", "power",),
    "vroc": ("period",),
    "vstop": ("period", "multiplier",),
    "vwad": ("period",),
    "vwap": ("anchorPeriod",),
    "vwapbands": ("stddev", "anchorPeriod",),
    "vwma": ("period",),
    "vwmacd": ("fastPeriod", "slowPeriod", "signalPeriod",),
    "vzo": ("period",),
    "wad": (),
    "waddahattar": ("sensitivity", "fastPeriod", "slowPeriod", "bbPeriod", "stddev", "atrPeriod", "deadZoneMultiplier",),
    "wavetrend": ("channelPeriod", "averagePeriod", "signalPeriod",),
    "wclprice": (),
    "wcprice": (),
    "wedgefalling": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches",),
    "wedgerising": ("lookback", "lookforward", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "touches",),
    "widerange": ("period",),
    "wilders": ("period",),
    "williamsalligator": ("jawsLength", "teethLength", "lipsLength", "jawsOffset", "teethOffset", "lipsOffset",),
    "willr": ("period",),
    "willrdivergence": ("period", "pivotLeft", "pivotRight", "minSpan", "maxSpan", "source",),
    "winsorizedmean": ("period", "percent",),
    "wma": ("period",),
    "wolfewave": ("depth", "deviationATR", "deviationType", "source", "heikinashi", "atrPeriod", "tolerance",),
    "woodiescci": ("period", "turboPeriod",),
    "wvad": ("period",),
    "xsidegap3methods": (),
    "yangzhang": ("period", "annualPeriods",),
    "zigzag": ("deviation", "deviationType", "atrPeriod", "source",),
    "zlema": ("period",),
    "zlsma": ("period",),
    "zscore": ("period", "estimator",),
}


class IndicatorMethods(Generic[T]):
    """A method for each indicator. Parameters that are not given have the defaults of the service."""

    def _ask(self, name: str, query: dict[str, Any]) -> T:
        raise NotImplementedError

    def _2crows(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Two Crows. Columns: value."""
        return self._ask("2crows", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3blackcrows(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Black Crows. Columns: value."""
        return self._ask("3blackcrows", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3inside(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Inside Up/Down. Columns: value."""
        return self._ask("3inside", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3linestrike(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three-Line Strike. Columns: value."""
        return self._ask("3linestrike", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3outside(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Outside Up/Down. Columns: value."""
        return self._ask("3outside", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3starsinsouth(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Stars in the South. Columns: value."""
        return self._ask("3starsinsouth", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def _3whitesoldiers(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Advancing White Soldiers. Columns: value."""
        return self._ask("3whitesoldiers", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def abandonedbaby(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Abandoned Baby. By default penetration=0.3. Columns: value."""
        return self._ask("abandonedbaby", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def abcd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """AB=CD. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("abcd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aberration(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Aberration. By default period=5, atrPeriod=15. Columns: upper, middle, lower, atr."""
        return self._ask("aberration", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def abs(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Absolute Value. Columns: abs."""
        return self._ask("abs", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def accbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Acceleration Bands. By default period=20. Columns: valueRealUpperBand, valueRealMiddleBand, valueRealLowerBand."""
        return self._ask("accbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def acceleration(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Acceleration. Columns: value."""
        return self._ask("acceleration", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def accosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lengthSlow: int | None = None, lengthFast: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Accelerator Oscillator. By default lengthSlow=34, lengthFast=5. Columns: value."""
        return self._ask("accosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lengthSlow": lengthSlow, "lengthFast": lengthFast, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def acf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lag: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Autocorrelation. By default period=20, lag=1. Columns: value."""
        return self._ask("acf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lag": lag, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def acos(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Arc cosine. Columns: value."""
        return self._ask("acos", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ad(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin A/D Line. Columns: value."""
        return self._ask("ad", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adaptivelaguerre(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, medianPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Adaptive Laguerre Filter (Ehlers). By default period=20, medianPeriod=5. Columns: value."""
        return self._ask("adaptivelaguerre", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "medianPeriod": medianPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def add(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Arithmetic Add. Columns: value."""
        return self._ask("add", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lags: int | None = None, regression: Literal["none", "constant", "trend"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Augmented Dickey-Fuller Statistic. By default period=50, lags=1, regression='constant'. Columns: value."""
        return self._ask("adf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lags": lags, "regression": regression, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin A/D Oscillator. By default fastPeriod=3, slowPeriod=10. Columns: value."""
        return self._ask("adosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adoscdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin A/D Oscillator divergence. By default fastPeriod=3, slowPeriod=10, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("adoscdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Day Range. By default period=14. Columns: value."""
        return self._ask("adr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def advanceblock(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Advance Block. Columns: value."""
        return self._ask("advanceblock", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adx(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Directional Movement Index. By default period=14. Columns: value."""
        return self._ask("adx", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def adxr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Directional Movement Index Rating. By default period=14. Columns: value."""
        return self._ask("adxr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ahrensma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ahrens Moving Average. By default period=9. Columns: value."""
        return self._ask("ahrensma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def alltimehigh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """All-time High. Columns: value."""
        return self._ask("alltimehigh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def alltimelow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """All-time Low. Columns: value."""
        return self._ask("alltimelow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def alma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, offset: float | None = None, sigma: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Arnaud Legoux Moving Average. By default period=9, offset=0.85, sigma=6. Columns: value."""
        return self._ask("alma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "offset": offset, "sigma": sigma, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def alphatrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, coefficient: float | None = None, momentum: Literal["mfi", "rsi"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """AlphaTrend. By default period=14, coefficient=1, momentum='mfi'. Columns: value, lagged."""
        return self._ask("alphatrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "coefficient": coefficient, "momentum": momentum, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def altbat(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Alternate Bat. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("altbat", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def amat(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, lookback: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Archer Moving Averages Trends. By default fastPeriod=8, slowPeriod=21, lookback=2. Columns: long, short."""
        return self._ask("amat", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "lookback": lookback, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def amihud(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Amihud Illiquidity. By default period=20. Columns: value."""
        return self._ask("amihud", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ao(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Awesome Oscillator. Columns: value."""
        return self._ask("ao", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aobv(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, runLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Archer On Balance Volume. By default fastPeriod=4, slowPeriod=12, runLength=2. Columns: value, fast, slow, long, short."""
        return self._ask("aobv", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "runLength": runLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aodivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Awesome Oscillator divergence. By default pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("aodivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def apo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Absolute Price Oscillator. By default fastPeriod=12, slowPeriod=26, maType=0. Columns: value."""
        return self._ask("apo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def apz(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Adaptive Price Zone. By default period=20, multiplier=2. Columns: upper, middle, lower."""
        return self._ask("apz", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aroon(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Aroon. By default period=14. Columns: valueAroonDown, valueAroonUp."""
        return self._ask("aroon", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aroonosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Aroon Oscillator. By default period=14. Columns: value."""
        return self._ask("aroonosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def asi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, limitMove: float | None = None, unit: Literal["price", "percent"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Accumulative Swing Index. By default limitMove=3, unit='price'. Columns: value."""
        return self._ask("asi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "limitMove": limitMove, "unit": unit, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def asin(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Arc sine. Columns: value."""
        return self._ask("asin", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def aso(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, mode: Literal["both", "candle", "group"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Sentiment Oscillator. By default period=10, mode='both'. Columns: bulls, bears."""
        return self._ask("aso", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "mode": mode, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def atan(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Trigonometric ATan. Columns: value."""
        return self._ask("atan", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def atr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average True Range. By default period=14. Columns: value."""
        return self._ask("atr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def atrbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """ATR Bands. By default period=14, multiplier=2.5. Columns: upper, middle, lower."""
        return self._ask("atrbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def atrtrailingstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, endType: Literal["close", "highlow"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """ATR Trailing Stop. By default period=21, multiplier=3, endType='close'. Columns: value, buyStop, sellStop."""
        return self._ask("atrtrailingstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "endType": endType, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def autocorrelationperiodogram(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minPeriod: int | None = None, maxPeriod: int | None = None, avgLength: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Autocorrelation Periodogram (Ehlers). By default minPeriod=10, maxPeriod=48, avgLength=3. Columns: value."""
        return self._ask("autocorrelationperiodogram", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minPeriod": minPeriod, "maxPeriod": maxPeriod, "avgLength": avgLength, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def avgdev(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Deviation. By default period=14. Columns: value."""
        return self._ask("avgdev", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def avgprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Average Price. Columns: value."""
        return self._ask("avgprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bandpass(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, bandwidth: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Band-pass Filter (Ehlers). By default period=20, bandwidth=0.3. Columns: value, normalized, signal, trigger."""
        return self._ask("bandpass", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "bandwidth": bandwidth, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bat(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bat. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("bat", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stddev: float | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bollinger Bands. By default period=20, stddev=2, maType=0. Columns: valueUpperBand, valueMiddleBand, valueLowerBand."""
        return self._ask("bbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stddev": stddev, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bbtrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, shortPeriod: int | None = None, longPeriod: int | None = None, stddev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """BBTrend. By default shortPeriod=20, longPeriod=50, stddev=2. Columns: value."""
        return self._ask("bbtrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "shortPeriod": shortPeriod, "longPeriod": longPeriod, "stddev": stddev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bbw(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stddev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bollinger Bands Width. By default period=20, stddev=2. Columns: value."""
        return self._ask("bbw", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stddev": stddev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bearishsticksandwich(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bearish Stick Sandwich. Columns: value."""
        return self._ask("bearishsticksandwich", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def belthold(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Belt-hold. Columns: value."""
        return self._ask("belthold", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def beta(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Beta. By default period=5. Columns: value."""
        return self._ask("beta", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bettervolume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, averagePeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Better Volume. By default period=20, averagePeriod=100. Columns: value, average."""
        return self._ask("bettervolume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "averagePeriod": averagePeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bigcandle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, factor: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Big Candle. By default period=10, factor=1.4. Columns: value."""
        return self._ask("bigcandle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "factor": factor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def blockade(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Blockade. Columns: value."""
        return self._ask("blockade", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Balance Of Power. Columns: value."""
        return self._ask("bop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bos(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, breakOn: Literal["close", "wick"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Break of Structure. By default swingLeft=5, swingRight=5, breakOn='close'. Columns: value, level."""
        return self._ask("bos", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "breakOn": breakOn, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def bottle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bottle. Columns: value."""
        return self._ask("bottle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def brar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """BRAR. By default period=26. Columns: ar, br."""
        return self._ask("brar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def breakaway(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Breakaway. Columns: value."""
        return self._ask("breakaway", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def breakerblocks(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Breaker blocks. By default swingLeft=5, swingRight=5. Columns: value, top, bottom."""
        return self._ask("breakerblocks", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def butterfly(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Butterfly. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("butterfly", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def butterworth2(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Butterworth Filter (2 poles). By default period=15. Columns: value."""
        return self._ask("butterworth2", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def butterworth3(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Butterworth Filter (3 poles). By default period=15. Columns: value."""
        return self._ask("butterworth3", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def calmarratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, periodsPerYear: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Calmar Ratio. By default period=252, periodsPerYear=252. Columns: value."""
        return self._ask("calmarratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "periodsPerYear": periodsPerYear, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def candle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Candle. Columns: open, high, low, close, volume."""
        return self._ask("candle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def candlepatterns(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """All candlestick patterns at once. Columns: bullish, bearish, patterns."""
        return self._ask("candlepatterns", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def candlez(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["sample", "population"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Candle Z-score. By default period=30, estimator='sample'. Columns: open, high, low, close."""
        return self._ask("candlez", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cci(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, tp: Literal["hlc3", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Commodity Channel Index. By default period=14, tp='hlc3'. Columns: value."""
        return self._ask("cci", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "tp": tp, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ccicycle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, factor: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """CCI Cycle. By default period=10, factor=0.5. Columns: value."""
        return self._ask("ccicycle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "factor": factor, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ccidivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """CCI divergence. By default period=20, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("ccidivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ceil(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Ceil. Columns: value."""
        return self._ask("ceil", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def chandekrollstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, stopPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chande Kroll Stop. By default period=10, multiplier=1, stopPeriod=9. Columns: long, short."""
        return self._ask("chandekrollstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "stopPeriod": stopPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def chandelierexit(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chandelier Exit. By default period=22, multiplier=3. Columns: long, short."""
        return self._ask("chandelierexit", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def channeldown(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Falling Channel. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2. Columns: value, upper, lower."""
        return self._ask("channeldown", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def channelup(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rising Channel. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2. Columns: value, upper, lower."""
        return self._ask("channelup", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def choch(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, breakOn: Literal["close", "wick"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Change of Character. By default swingLeft=5, swingRight=5, breakOn='close'. Columns: value, level."""
        return self._ask("choch", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "breakOn": breakOn, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def chop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Choppiness Index (CHOP). By default period=14. Columns: value."""
        return self._ask("chop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def chopzone(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, emaPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chop Zone. By default period=30, emaPeriod=34. Columns: value, zone."""
        return self._ask("chopzone", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "emaPeriod": emaPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def closevolatility(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, annualPeriods: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Close-to-Close Volatility. By default period=20, annualPeriods=252. Columns: value."""
        return self._ask("closevolatility", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "annualPeriods": annualPeriods, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def closingmarubozu(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Closing Marubozu. Columns: value."""
        return self._ask("closingmarubozu", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cumulative Mean. Columns: value."""
        return self._ask("cma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cmf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin Money Flow. By default period=20. Columns: value."""
        return self._ask("cmf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cmfdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin Money Flow divergence. By default period=20, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("cmfdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cmo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chande Momentum Oscillator. By default period=14. Columns: value."""
        return self._ask("cmo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cmou(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chande Momentum Oscillator (unsmoothed). By default period=14. Columns: value."""
        return self._ask("cmou", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def coefficientofvariation(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["population", "sample"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Coefficient of Variation. By default period=20, estimator='population'. Columns: value."""
        return self._ask("coefficientofvariation", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cog(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Center of Gravity. By default period=10. Columns: value."""
        return self._ask("cog", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def collapsingdojistar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Collapsing Doji Star. Columns: value."""
        return self._ask("collapsingdojistar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def concealbabyswall(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Concealing Baby Swallow. Columns: value."""
        return self._ask("concealbabyswall", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def connorsrsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, streakPeriod: int | None = None, rankPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Connors RSI. By default rsiPeriod=3, streakPeriod=2, rankPeriod=100. Columns: value."""
        return self._ask("connorsrsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "streakPeriod": streakPeriod, "rankPeriod": rankPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def consolidation(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, widthATR: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Consolidation range. By default period=20, widthATR=2, atrPeriod=14. Columns: inside, top, bottom, breakValue."""
        return self._ask("consolidation", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "widthATR": widthATR, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def coppockcurve(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, wmaPeriod: int | None = None, longRoc: int | None = None, shortRoc: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Coppock Curve. By default wmaPeriod=10, longRoc=14, shortRoc=11. Columns: value."""
        return self._ask("coppockcurve", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "wmaPeriod": wmaPeriod, "longRoc": longRoc, "shortRoc": shortRoc, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def coral(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, cd: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Coral Trend. By default period=21, cd=0.4. Columns: value."""
        return self._ask("coral", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "cd": cd, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def correl(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pearson’s Correlation Coefficient. By default period=30. Columns: value."""
        return self._ask("correl", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def correlationcycle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, threshold: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Correlation Cycle (Ehlers). By default period=20, threshold=9. Columns: real, imag, angle, state."""
        return self._ask("correlationcycle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "threshold": threshold, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cos(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Trigonometric Cos. Columns: value."""
        return self._ask("cos", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cosh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hyperbolic cosine. Columns: value."""
        return self._ask("cosh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def counterattack(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Counterattack. Columns: value."""
        return self._ask("counterattack", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def covariance(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["population", "sample"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Covariance. By default period=20, estimator='population'. Columns: value."""
        return self._ask("covariance", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cpr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Central pivot range. By default anchor='auto'. Columns: pivot, top, bottom, width."""
        return self._ask("cpr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def crab(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Crab. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("crab", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def crossany(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cross any. Columns: value."""
        return self._ask("crossany", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def crossover(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cross over. Columns: value."""
        return self._ask("crossover", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def crossunder(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cross under. Columns: value."""
        return self._ask("crossunder", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cti(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Correlation Trend Indicator. By default period=12. Columns: value."""
        return self._ask("cti", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cumsum(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cumulative Sum. Columns: value."""
        return self._ask("cumsum", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cupandhandle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, minLength: int | None = None, maxLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cup and Handle. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, minLength=20, maxLength=120. Columns: value, neckline, target."""
        return self._ask("cupandhandle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "minLength": minLength, "maxLength": maxLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cvi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Chaikin's Volatility. By default period=10. Columns: value."""
        return self._ask("cvi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cubed Weighted Moving Average. By default period=14. Columns: value."""
        return self._ask("cwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cybercycle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, alpha: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cyber Cycle (Ehlers). By default alpha=0.07. Columns: value, trigger."""
        return self._ask("cybercycle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "alpha": alpha, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def cypher(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Cypher. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("cypher", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def damiani(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, visAtr: int | None = None, visStd: int | None = None, sedAtr: int | None = None, sedStd: int | None = None, threshold: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Damiani Volatmeter. By default visAtr=13, visStd=20, sedAtr=40, sedStd=100, threshold=1.4. Columns: volatility, antiTrend."""
        return self._ask("damiani", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "visAtr": visAtr, "visStd": visStd, "sedAtr": sedAtr, "sedStd": sedStd, "threshold": threshold, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def darkcloudcover(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Dark Cloud Cover. By default penetration=0.5. Columns: value."""
        return self._ask("darkcloudcover", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def darvasbox(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Darvas box. By default period=5. Columns: top, bottom, breakValue."""
        return self._ask("darvasbox", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def decay(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear decay. By default period=5. Columns: value."""
        return self._ask("decay", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def decaychannel(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Decay Channel. By default period=100. Columns: upper, lower."""
        return self._ask("decaychannel", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def decycler(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, hpPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Decycler (Ehlers). By default hpPeriod=125. Columns: value."""
        return self._ask("decycler", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "hpPeriod": hpPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def decycleroscillator(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, hpPeriod: int | None = None, k: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Decycler Oscillator (Ehlers). By default hpPeriod=125, k=1. Columns: value."""
        return self._ask("decycleroscillator", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "hpPeriod": hpPeriod, "k": k, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def deepcrab(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Deep Crab. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("deepcrab", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def deliberationblock(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bullish Deliberation Block. Columns: value."""
        return self._ask("deliberationblock", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dema(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Exponential Moving Average. By default period=30. Columns: value."""
        return self._ask("dema", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def demarker(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """DeMarker. By default period=14. Columns: value."""
        return self._ask("demarker", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def derivativeosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, firstSmooth: int | None = None, secondSmooth: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Derivative Oscillator. By default rsiPeriod=14, firstSmooth=5, secondSmooth=3, signalPeriod=9. Columns: value."""
        return self._ask("derivativeosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "firstSmooth": firstSmooth, "secondSmooth": secondSmooth, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def descendinghawk(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Descending Hawk. Columns: value."""
        return self._ask("descendinghawk", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def descentblock(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Descent Block. Columns: value."""
        return self._ask("descentblock", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def detrendedsyntheticprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Detrended Synthetic Price. By default period=40. Columns: value."""
        return self._ask("detrendedsyntheticprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def devstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kase DevStop. By default period=20, multiplier=0. Columns: long, short."""
        return self._ask("devstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def di(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Directional Indicator. By default period=14. Columns: plus_di, minus_di."""
        return self._ask("di", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def disparityindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Disparity Index. By default period=14. Columns: value."""
        return self._ask("disparityindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def distancecorrelation(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Distance Correlation. By default period=20. Columns: value."""
        return self._ask("distancecorrelation", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def div(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Arithmetic Div. Columns: value."""
        return self._ask("div", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dm(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Directional Movement. By default period=14. Columns: plus_dm, minus_dm."""
        return self._ask("dm", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dmi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Directional Movement Index (ADX, +DI, -DI). By default period=14. Columns: adx, pdi, mdi."""
        return self._ask("dmi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def doji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Doji. Columns: value."""
        return self._ask("doji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dojistar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Doji Star. Columns: value."""
        return self._ask("dojistar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def donchianchannels(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Donchian Channels. By default period=20. Columns: upper, middle, lower."""
        return self._ask("donchianchannels", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def doublebottom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, bottomToleranceATR: float | None = None, minHeightATR: float | None = None, symmetryMin: float | None = None, symmetryMax: float | None = None, breakoutLookahead: int | None = None, necklineBuffer: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Bottom. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, bottomToleranceATR=0.75, minHeightATR=1.5, symmetryMin=0.3, symmetryMax=4, breakoutLookahead=20, necklineBuffer=0.1. Columns: value, neckline, target."""
        return self._ask("doublebottom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "bottomToleranceATR": bottomToleranceATR, "minHeightATR": minHeightATR, "symmetryMin": symmetryMin, "symmetryMax": symmetryMax, "breakoutLookahead": breakoutLookahead, "necklineBuffer": necklineBuffer, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def doubletop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, topToleranceATR: float | None = None, minHeightATR: float | None = None, symmetryMin: float | None = None, symmetryMax: float | None = None, breakoutLookahead: int | None = None, necklineBuffer: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Top. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, topToleranceATR=0.75, minHeightATR=1.5, symmetryMin=0.3, symmetryMax=4, breakoutLookahead=20, necklineBuffer=0.1. Columns: value, neckline, target."""
        return self._ask("doubletop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "topToleranceATR": topToleranceATR, "minHeightATR": minHeightATR, "symmetryMin": symmetryMin, "symmetryMax": symmetryMax, "breakoutLookahead": breakoutLookahead, "necklineBuffer": necklineBuffer, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def doubletrouble(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Trouble. By default period=10, multiplier=2. Columns: value."""
        return self._ask("doubletrouble", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def downsidedeviation(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, target: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Target Downside Deviation. By default period=30, target=0. Columns: value."""
        return self._ask("downsidedeviation", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "target": target, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def downsidegaptworabbits(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Downside Gap Two Rabbits. Columns: value."""
        return self._ask("downsidegaptworabbits", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dpo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Detrended Price Oscillator. By default period=20. Columns: value."""
        return self._ask("dpo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dragonflydoji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Dragonfly Doji. Columns: value."""
        return self._ask("dragonflydoji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def drawdown(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Drawdown. Columns: value, percent, log."""
        return self._ask("drawdown", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def drawdownduration(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Drawdown Duration. Columns: value."""
        return self._ask("drawdownduration", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dsma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Deviation Scaled Moving Average (Ehlers). By default period=40. Columns: value."""
        return self._ask("dsma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dssbressert(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, stochPeriod: int | None = None, smoothPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Smoothed Stochastic (Bressert). By default stochPeriod=13, smoothPeriod=8. Columns: value."""
        return self._ask("dssbressert", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "stochPeriod": stochPeriod, "smoothPeriod": smoothPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dti(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, r: int | None = None, s: int | None = None, u: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Directional Trend Index (Blau). By default r=14, s=10, u=5. Columns: value."""
        return self._ask("dti", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "r": r, "s": s, "u": u, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dvdiqqe(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothPeriod: int | None = None, fastFactor: float | None = None, slowFactor: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """DVDI-QQE. By default period=13, smoothPeriod=6, fastFactor=2.618, slowFactor=4.236. Columns: value, fast, slow, center."""
        return self._ask("dvdiqqe", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothPeriod": smoothPeriod, "fastFactor": fastFactor, "slowFactor": slowFactor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Double Weighted Moving Average. By default period=10. Columns: value."""
        return self._ask("dwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dx(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Directional Movement Index (DX). By default period=14. Columns: value."""
        return self._ask("dx", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def dymi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, deviationPeriod: int | None = None, averagePeriod: int | None = None, minPeriod: int | None = None, maxPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Dynamic Momentum Index. By default period=14, deviationPeriod=5, averagePeriod=10, minPeriod=3, maxPeriod=30. Columns: value."""
        return self._ask("dymi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "deviationPeriod": deviationPeriod, "averagePeriod": averagePeriod, "minPeriod": minPeriod, "maxPeriod": maxPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ebsw(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, hpPeriod: int | None = None, ssfPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Even Better Sinewave (Ehlers). By default hpPeriod=40, ssfPeriod=10. Columns: value."""
        return self._ask("ebsw", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "hpPeriod": hpPeriod, "ssfPeriod": ssfPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ecema(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, gainLimit: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Error Correcting EMA (Ehlers). By default period=20, gainLimit=50. Columns: value."""
        return self._ask("ecema", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "gainLimit": gainLimit, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def edcf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ehlers Distance Coefficient Filter. By default period=15. Columns: value."""
        return self._ask("edcf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def edecay(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Exponential decay. By default period=5. Columns: value."""
        return self._ask("edecay", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def efficiencyratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Efficiency Ratio. By default period=10. Columns: value."""
        return self._ask("efficiencyratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ehma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Exponential Hull Moving Average. By default period=16. Columns: value."""
        return self._ask("ehma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def elderimpulse(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, emaPeriod: int | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elder Impulse System. By default emaPeriod=13, fastPeriod=12, slowPeriod=26, signalPeriod=9. Columns: value."""
        return self._ask("elderimpulse", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "emaPeriod": emaPeriod, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def elderray(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elder Ray. By default period=13. Columns: bullPower, bearPower."""
        return self._ask("elderray", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def elderthermometer(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elder Market Thermometer. By default period=22. Columns: value, signal."""
        return self._ask("elderthermometer", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ema(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Exponential Moving Average (EMA). By default period=30. Columns: value."""
        return self._ask("ema", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def emd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, delta: float | None = None, fraction: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Empirical Mode Decomposition (Ehlers). By default period=20, delta=0.5, fraction=0.1. Columns: upper, middle, lower."""
        return self._ask("emd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "delta": delta, "fraction": fraction, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def emv(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ease of Movement. Columns: value."""
        return self._ask("emv", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def engulfing(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Engulfing Pattern. Columns: value."""
        return self._ask("engulfing", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def entropy(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, base: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Entropy. By default period=10, base=2. Columns: value."""
        return self._ask("entropy", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "base": base, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def eom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, divisor: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ease of Movement. By default period=14, divisor=10000. Columns: value."""
        return self._ask("eom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "divisor": divisor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def equalhighslows(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, toleranceATR: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Equal Highs and Lows. By default swingLeft=5, swingRight=5, toleranceATR=0.1, atrPeriod=14. Columns: value, level, touches."""
        return self._ask("equalhighslows", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "toleranceATR": toleranceATR, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def euphoria(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Euphoria. Columns: value."""
        return self._ask("euphoria", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def eveningdojistar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Evening Doji Star. By default penetration=0.3. Columns: value."""
        return self._ask("eveningdojistar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def eveningstar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Evening Star. By default penetration=0.3. Columns: value."""
        return self._ask("eveningstar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def evwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elastic Volume Weighted Moving Average. By default period=20. Columns: value."""
        return self._ask("evwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ewmavolatility(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, decay: float | None = None, annualPeriods: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """EWMA Volatility. By default decay=0.94, annualPeriods=252. Columns: value."""
        return self._ask("ewmavolatility", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "decay": decay, "annualPeriods": annualPeriods, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ewo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, percent: bool | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elliott Wave Oscillator. By default fastPeriod=5, slowPeriod=35, percent=True. Columns: value."""
        return self._ask("ewo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "percent": percent, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def exp(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Exponential. Columns: value."""
        return self._ask("exp", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def expectedshortfall(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, confidence: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Expected Shortfall (historical). By default period=252, confidence=0.95. Columns: value."""
        return self._ask("expectedshortfall", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "confidence": confidence, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def falling(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Falling. By default period=3. Columns: value."""
        return self._ask("falling", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fallingwindow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Falling Window. Columns: value."""
        return self._ask("fallingwindow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fcb(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, windowSpan: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fractal Chaos Bands. By default windowSpan=2. Columns: upper, lower."""
        return self._ask("fcb", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "windowSpan": windowSpan, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fibonacciretracement(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, retracement: float | None = None, trend: Literal["auto", "smart", "uptrend", "downtrend"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fibonacci Retracement. By default period=50, retracement=0.618, trend='auto'. Columns: value, trend, startPrice, endPrice, startTimestamp, endTimestamp."""
        return self._ask("fibonacciretracement", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "retracement": retracement, "trend": trend, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fisher(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fisher Transform. By default period=10. Columns: fisher, fisher_signal."""
        return self._ask("fisher", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def flagbearish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, poleATR: float | None = None, poleLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bear Flag. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, poleATR=3, poleLength=10. Columns: value, upper, lower, target."""
        return self._ask("flagbearish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "poleATR": poleATR, "poleLength": poleLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def flagbullish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, poleATR: float | None = None, poleLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bull Flag. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, poleATR=3, poleLength=10. Columns: value, upper, lower, target."""
        return self._ask("flagbullish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "poleATR": poleATR, "poleLength": poleLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def floor(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Floor. Columns: value."""
        return self._ask("floor", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def forceindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elder's Force Index. By default period=13. Columns: value."""
        return self._ask("forceindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Forecast Oscillator. By default period=14. Columns: value."""
        return self._ask("fosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fourpricedoji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, limit: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Four Price Doji. By default period=10, limit=0.05. Columns: value."""
        return self._ask("fourpricedoji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "limit": limit, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fractals(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, left: int | None = None, right: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams Fractals. By default left=2, right=2. Columns: up, down."""
        return self._ask("fractals", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "left": left, "right": right, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def frama(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fractal Adaptive Moving Average. By default period=16. Columns: value."""
        return self._ask("frama", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fve(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, factor: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Finite Volume Element. By default period=22, factor=0.3. Columns: value."""
        return self._ask("fve", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "factor": factor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fvg(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minGapATR: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fair value gap. By default minGapATR=0.5, atrPeriod=14. Columns: value, top, bottom, openGaps."""
        return self._ask("fvg", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minGapATR": minGapATR, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fvgtrailingstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, smoothing: int | None = None, resetOnCross: bool | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fair Value Gap Trailing Stop. By default lookback=5, smoothing=9, resetOnCross=False. Columns: upper, lower, upperStop, lowerStop."""
        return self._ask("fvgtrailingstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "smoothing": smoothing, "resetOnCross": resetOnCross, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def fwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fibonacci Weighted Moving Average. By default period=10. Columns: value."""
        return self._ask("fwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gannhilo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, highPeriod: int | None = None, lowPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gann HiLo Activator. By default highPeriod=13, lowPeriod=21. Columns: value, trend."""
        return self._ask("gannhilo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "highPeriod": highPeriod, "lowPeriod": lowPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gapo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gopalakrishnan Range Index. By default period=5. Columns: value."""
        return self._ask("gapo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gappingdoji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gapping Doji. Columns: value."""
        return self._ask("gappingdoji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gapsidesidewhite(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Up/Down-gap Side-by-side White Lines. Columns: value."""
        return self._ask("gapsidesidewhite", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def garmanklass(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, annualPeriods: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Garman-Klass Volatility. By default period=20, annualPeriods=252. Columns: value."""
        return self._ask("garmanklass", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "annualPeriods": annualPeriods, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gartley(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gartley. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("gartley", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gator(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, jawPeriod: int | None = None, jawOffset: int | None = None, teethPeriod: int | None = None, teethOffset: int | None = None, lipsPeriod: int | None = None, lipsOffset: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gator Oscillator. By default jawPeriod=13, jawOffset=8, teethPeriod=8, teethOffset=5, lipsPeriod=5, lipsOffset=3. Columns: upper, lower, upperExpanding, lowerExpanding."""
        return self._ask("gator", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "jawPeriod": jawPeriod, "jawOffset": jawOffset, "teethPeriod": teethPeriod, "teethOffset": teethOffset, "lipsPeriod": lipsPeriod, "lipsOffset": lipsOffset, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gaussianfilter(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, poles: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gaussian Filter (Ehlers). By default period=14, poles=4. Columns: value."""
        return self._ask("gaussianfilter", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "poles": poles, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def geomean(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Geometric Mean. By default period=14. Columns: value."""
        return self._ask("geomean", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gmma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Guppy Multiple Moving Average. Columns: short1, short2, short3, short4, short5, short6, long1, long2, long3, long4, long5, long6."""
        return self._ask("gmma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def goldenzone(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, first: float | None = None, second: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Golden Zone. By default period=60, first=0.5, second=0.618. Columns: upper, lower."""
        return self._ask("goldenzone", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "first": first, "second": second, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def granger(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lag: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Granger Causality F-statistic. By default period=50, lag=1. Columns: value."""
        return self._ask("granger", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lag": lag, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def gravestonedoji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Gravestone Doji. Columns: value."""
        return self._ask("gravestonedoji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def halflife(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Half-life of Mean Reversion. By default period=50. Columns: value."""
        return self._ask("halflife", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def halftrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, amplitude: int | None = None, channelDeviation: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """HalfTrend. By default amplitude=2, channelDeviation=2, atrPeriod=100. Columns: value, trend, upper, lower."""
        return self._ask("halftrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "amplitude": amplitude, "channelDeviation": channelDeviation, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hammer(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hammer. Columns: value."""
        return self._ask("hammer", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hangingman(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hanging Man. Columns: value."""
        return self._ask("hangingman", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hannma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hann Window Moving Average. By default period=14. Columns: value."""
        return self._ask("hannma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def harami(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Harami Pattern. Columns: value."""
        return self._ask("harami", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def haramicross(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Harami Cross Pattern. Columns: value."""
        return self._ask("haramicross", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def harmean(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Harmonic Mean. By default period=14. Columns: value."""
        return self._ask("harmean", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def headandshoulders(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, headProminenceATR: float | None = None, shoulderToleranceATR: float | None = None, minHeightATR: float | None = None, symmetryMin: float | None = None, symmetryMax: float | None = None, breakoutLookahead: int | None = None, necklineBuffer: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Head and Shoulders. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, headProminenceATR=1.2, shoulderToleranceATR=1.5, minHeightATR=1, symmetryMin=0.5, symmetryMax=2, breakoutLookahead=20, necklineBuffer=0.1. Columns: value, neckline, target."""
        return self._ask("headandshoulders", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "headProminenceATR": headProminenceATR, "shoulderToleranceATR": shoulderToleranceATR, "minHeightATR": minHeightATR, "symmetryMin": symmetryMin, "symmetryMax": symmetryMax, "breakoutLookahead": breakoutLookahead, "necklineBuffer": necklineBuffer, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def heikinashi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Heikin-Ashi Candles. Columns: open, high, low, close."""
        return self._ask("heikinashi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def henderson(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Henderson Moving Average. By default period=7. Columns: value."""
        return self._ask("henderson", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def highestbars(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Candles since the Highest High. By default period=14. Columns: value."""
        return self._ask("highestbars", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def highpass(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """High-pass Filter (1 pole). By default period=48. Columns: value."""
        return self._ask("highpass", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def highpass2(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, k: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """High-pass Filter (2 poles). By default period=48, k=0.707. Columns: value."""
        return self._ask("highpass2", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "k": k, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def highwave(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """High-Wave Candle. Columns: value."""
        return self._ask("highwave", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hikkake(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hikkake Pattern. Columns: value."""
        return self._ask("hikkake", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hikkakemod(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Modified Hikkake Pattern. Columns: value."""
        return self._ask("hikkakemod", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hull Moving Average. By default period=16. Columns: value."""
        return self._ask("hma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def holt(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, gamma: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Holt Exponential Moving Average. By default period=10, gamma=0. Columns: value."""
        return self._ask("holt", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "gamma": gamma, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def homingpigeon(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Homing Pigeon. Columns: value."""
        return self._ask("homingpigeon", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hpattern(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """H Pattern. Columns: value."""
        return self._ask("hpattern", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_dcperiod(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – Dominant Cycle Period. Columns: value."""
        return self._ask("ht_dcperiod", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_dcphase(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – Dominant Cycle Phase. Columns: value."""
        return self._ask("ht_dcphase", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_phasor(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – Phasor Components. Columns: valueInPhase, valueQuadrature."""
        return self._ask("ht_phasor", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_sine(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – SineWave. Columns: valueSine, valueLeadSine."""
        return self._ask("ht_sine", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_trendline(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – Instantaneous Trendline. Columns: value."""
        return self._ask("ht_trendline", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ht_trendmode(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hilbert Transform – Trend vs Cycle Mode. Columns: value."""
        return self._ask("ht_trendmode", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hurst(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hurst Exponent. By default period=100. Columns: value, corrected."""
        return self._ask("hurst", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hurstbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, inner: float | None = None, outer: float | None = None, extreme: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hurst Bands. By default period=10, inner=1.6, outer=2.6, extreme=4.2. Columns: middle, upperInner, lowerInner, upperOuter, lowerOuter, upperExtreme, lowerExtreme."""
        return self._ask("hurstbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "inner": inner, "outer": outer, "extreme": extreme, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hvpercentile(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, rankPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Historical Volatility Percentile. By default period=21, rankPeriod=252, signalPeriod=21. Columns: value, signal."""
        return self._ask("hvpercentile", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "rankPeriod": rankPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hwc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, na: float | None = None, nb: float | None = None, nc: float | None = None, nd: float | None = None, multiplier: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Holt-Winter Channel. By default na=0.2, nb=0.1, nc=0.1, nd=0.1, multiplier=1. Columns: upper, middle, lower."""
        return self._ask("hwc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "na": na, "nb": nb, "nc": nc, "nd": nd, "multiplier": multiplier, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def hwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, na: float | None = None, nb: float | None = None, nc: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Holt-Winters Moving Average. By default na=0.2, nb=0.1, nc=0.1. Columns: value."""
        return self._ask("hwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "na": na, "nb": nb, "nc": nc, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ibs(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Internal Bar Strength. Columns: value."""
        return self._ask("ibs", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ichimoku(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, conversionPeriod: int | None = None, basePeriod: int | None = None, spanPeriod: int | None = None, displacement: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ichimoku Cloud. By default conversionPeriod=9, basePeriod=26, spanPeriod=52, displacement=26. Columns: conversion, base, spanA, spanB, currentSpanA, currentSpanB, laggingSpanA, laggingSpanB."""
        return self._ask("ichimoku", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "conversionPeriod": conversionPeriod, "basePeriod": basePeriod, "spanPeriod": spanPeriod, "displacement": displacement, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def identical3crows(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Identical Three Crows. Columns: value."""
        return self._ask("identical3crows", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def iftrsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, wmaPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inverse Fisher Transform of RSI. By default rsiPeriod=5, wmaPeriod=9. Columns: value."""
        return self._ask("iftrsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "wmaPeriod": wmaPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ifvg(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minGapATR: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inverse fair value gap. By default minGapATR=0.5, atrPeriod=14. Columns: value, top, bottom."""
        return self._ask("ifvg", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minGapATR": minGapATR, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def imi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Intraday Momentum Index. By default period=14. Columns: value."""
        return self._ask("imi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def impulsemacd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Impulse MACD. By default period=34, signalPeriod=9. Columns: value, signal, histogram."""
        return self._ask("impulsemacd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def inertia(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stdDevPeriod: int | None = None, rviPeriod: int | None = None, smoothing: Literal["wilder", "ema"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inertia. By default period=20, stdDevPeriod=14, rviPeriod=14, smoothing='wilder'. Columns: value."""
        return self._ask("inertia", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stdDevPeriod": stdDevPeriod, "rviPeriod": rviPeriod, "smoothing": smoothing, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def inneck(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """In-Neck Pattern. Columns: value."""
        return self._ask("inneck", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def insidebar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inside Bar. Columns: value."""
        return self._ask("insidebar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def intradayintensity(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, mode: Literal["quotient", "product"] | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Intraday Intensity Index. By default mode='quotient', period=1. Columns: value."""
        return self._ask("intradayintensity", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "mode": mode, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def inversecupandhandle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, minLength: int | None = None, maxLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inverse Cup and Handle. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, minLength=20, maxLength=120. Columns: value, neckline, target."""
        return self._ask("inversecupandhandle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "minLength": minLength, "maxLength": maxLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def inverseheadandshoulders(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, headProminenceATR: float | None = None, shoulderToleranceATR: float | None = None, minDepthATR: float | None = None, symmetryMin: float | None = None, symmetryMax: float | None = None, breakoutLookahead: int | None = None, necklineBuffer: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inverse Head and Shoulders. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, headProminenceATR=1.2, shoulderToleranceATR=1.5, minDepthATR=1, symmetryMin=0.5, symmetryMax=2, breakoutLookahead=20, necklineBuffer=0.1. Columns: value, neckline, target."""
        return self._ask("inverseheadandshoulders", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "headProminenceATR": headProminenceATR, "shoulderToleranceATR": shoulderToleranceATR, "minDepthATR": minDepthATR, "symmetryMin": symmetryMin, "symmetryMax": symmetryMax, "breakoutLookahead": breakoutLookahead, "necklineBuffer": necklineBuffer, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def invertedhammer(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Inverted Hammer. Columns: value."""
        return self._ask("invertedhammer", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def iqr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Interquartile Range. By default period=20. Columns: value."""
        return self._ask("iqr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def islandreversal(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, maxLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Island Reversal. By default maxLength=10. Columns: value."""
        return self._ask("islandreversal", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "maxLength": maxLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def itrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, alpha: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Instantaneous Trendline (Ehlers). By default alpha=0.07. Columns: value, trigger."""
        return self._ask("itrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "alpha": alpha, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def jarquebera(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Jarque-Bera Statistic. By default period=20. Columns: value."""
        return self._ask("jarquebera", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def jerk(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Third Difference. Columns: value."""
        return self._ask("jerk", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def jma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, phase: float | None = None, power: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Jurik Moving Average. By default period=7, phase=50, power=2. Columns: value."""
        return self._ask("jma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "phase": phase, "power": power, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def jsa(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Jsa Moving Average. By default period=30. Columns: value."""
        return self._ask("jsa", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kalman(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, q: float | None = None, r: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kalman Filter. By default q=0.01, r=0.1. Columns: value."""
        return self._ask("kalman", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "q": q, "r": r, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kama(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kaufman Adaptive Moving Average. By default period=30. Columns: value."""
        return self._ask("kama", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kaufmanstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kaufman Stop. By default period=22, multiplier=2. Columns: long, short."""
        return self._ask("kaufmanstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kdj(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, signal: int | None = None, kPeriod: int | None = None, dPeriod: int | None = None, kSmooth: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """KDJ. By default period=9, signal=3, kPeriod=9, dPeriod=9, kSmooth=3. Columns: valueK, valueD, valueJ."""
        return self._ask("kdj", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "signal": signal, "kPeriod": kPeriod, "dPeriod": dPeriod, "kSmooth": kSmooth, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def keltnerchannels(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, atrLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Keltner Channels. By default period=20, multiplier=2, atrLength=10. Columns: lower, middle, upper."""
        return self._ask("keltnerchannels", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "atrLength": atrLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def keltnerwidth(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, atrLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Keltner Channel Width. By default period=20, multiplier=2, atrLength=10. Columns: value."""
        return self._ask("keltnerwidth", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "atrLength": atrLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kendall(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kendall Rank Correlation. By default period=20. Columns: value."""
        return self._ask("kendall", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def keyreversal(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Key Reversal. By default period=1. Columns: value."""
        return self._ask("keyreversal", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kicker(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kicker. Columns: value."""
        return self._ask("kicker", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kicking(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kicking. Columns: value."""
        return self._ask("kicking", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kickingbylength(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kicking by Length. Columns: value."""
        return self._ask("kickingbylength", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kirshenbaum(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, regressionPeriod: int | None = None, multiplier: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kirshenbaum Bands. By default period=30, regressionPeriod=20, multiplier=1. Columns: upper, middle, lower."""
        return self._ask("kirshenbaum", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "regressionPeriod": regressionPeriod, "multiplier": multiplier, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kst(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, roc1: int | None = None, roc2: int | None = None, roc3: int | None = None, roc4: int | None = None, sma1: int | None = None, sma2: int | None = None, sma3: int | None = None, sma4: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Know Sure Thing. By default roc1=10, roc2=15, roc3=20, roc4=30, sma1=10, sma2=10, sma3=10, sma4=15, signalPeriod=9. Columns: value, signal."""
        return self._ask("kst", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "roc1": roc1, "roc2": roc2, "roc3": roc3, "roc4": roc4, "sma1": sma1, "sma2": sma2, "sma3": sma3, "sma4": sma4, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kurtosis(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["sample", "population"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kurtosis (excess). By default period=30, estimator='sample'. Columns: value."""
        return self._ask("kurtosis", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kvo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, shortPeriod: int | None = None, longPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Klinger Volume Oscillator. By default shortPeriod=34, longPeriod=55. Columns: value."""
        return self._ask("kvo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "shortPeriod": shortPeriod, "longPeriod": longPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def kyleslambda(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Kyle’s Lambda. By default period=20. Columns: value."""
        return self._ask("kyleslambda", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ladderbottom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ladder Bottom. Columns: value."""
        return self._ask("ladderbottom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def laddertop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ladder Top. Columns: value."""
        return self._ask("laddertop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def lag(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Lag. By default period=1. Columns: value."""
        return self._ask("lag", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def laguerrefilter(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, gamma: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Laguerre Filter (Ehlers). By default gamma=0.8. Columns: value."""
        return self._ask("laguerrefilter", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "gamma": gamma, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def laguerrersi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, gamma: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Laguerre RSI. By default gamma=0.5. Columns: value."""
        return self._ask("laguerrersi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "gamma": gamma, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linearreg(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression. By default period=14. Columns: value."""
        return self._ask("linearreg", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linearreg_angle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression Angle. By default period=14. Columns: value."""
        return self._ask("linearreg_angle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linearreg_intercept(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression Intercept. By default period=14. Columns: value."""
        return self._ask("linearreg_intercept", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linearreg_slope(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression Slope. By default period=14. Columns: value."""
        return self._ask("linearreg_slope", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linreg(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression (Tulip). By default period=14. Columns: value."""
        return self._ask("linreg", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linregintercept(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression Intercept (Tulip). By default period=14. Columns: value."""
        return self._ask("linregintercept", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linregslope(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Linear Regression Slope (Tulip). By default period=14. Columns: linregslope."""
        return self._ask("linregslope", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def linregstderr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Standard Error of the Linear Regression. By default period=14. Columns: value."""
        return self._ask("linregstderr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def liquiditypools(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, toleranceATR: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Liquidity Pools. By default swingLeft=5, swingRight=5, toleranceATR=0.25, atrPeriod=14. Columns: buySide, sellSide."""
        return self._ask("liquiditypools", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "toleranceATR": toleranceATR, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def liquiditysweeps(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Liquidity Sweeps. By default swingLeft=5, swingRight=5. Columns: value, level."""
        return self._ask("liquiditysweeps", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ln(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Log Natural. Columns: value."""
        return self._ask("ln", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def log10(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Log10. Columns: value."""
        return self._ask("log10", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def logreturn(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, cumulative: bool | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Log Return. By default period=1, cumulative=False. Columns: value."""
        return self._ask("logreturn", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "cumulative": cumulative, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def longleggeddoji(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Long Legged Doji. Columns: value."""
        return self._ask("longleggeddoji", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def longline(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Long Line Candle. Columns: value."""
        return self._ask("longline", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def longlowershadow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, percent: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Long Lower Shadow. By default percent=75. Columns: value."""
        return self._ask("longlowershadow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "percent": percent, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def longuppershadow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, percent: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Long Upper Shadow. By default percent=75. Columns: value."""
        return self._ask("longuppershadow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "percent": percent, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def lowershadow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Lower Shadow. Columns: value."""
        return self._ask("lowershadow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def lowestbars(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Candles since the Lowest Low. By default period=14. Columns: value."""
        return self._ask("lowestbars", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving Average. By default period=30, maType=0. Columns: value."""
        return self._ask("ma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def maaq(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving Average Adaptive Q. By default period=11, fastPeriod=2, slowPeriod=30. Columns: value."""
        return self._ask("maaq", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def macd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving Average Convergence Divergence (MACD). By default fastPeriod=12, slowPeriod=26, signalPeriod=9. Columns: valueMACD, valueMACDSignal, valueMACDHist."""
        return self._ask("macd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def macddivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MACD histogram divergence. By default fastPeriod=12, slowPeriod=26, signalPeriod=9, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("macddivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def macdext(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, fastMAType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, slowPeriod: int | None = None, slowMAType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, signalPeriod: int | None = None, signalMAType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MACD with controllable MA type. By default fastPeriod=12, fastMAType=0, slowPeriod=26, slowMAType=0, signalPeriod=9, signalMAType=0. Columns: valueMACD, valueMACDSignal, valueMACDHist."""
        return self._ask("macdext", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "fastMAType": fastMAType, "slowPeriod": slowPeriod, "slowMAType": slowMAType, "signalPeriod": signalPeriod, "signalMAType": signalMAType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def macdfix(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MACD fixed 12/26. By default signalPeriod=9. Columns: valueMACD, valueMACDSignal, valueMACDHist."""
        return self._ask("macdfix", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def macz(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, zPeriod: int | None = None, deviationPeriod: int | None = None, a: float | None = None, b: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MAC-Z. By default fastPeriod=12, slowPeriod=25, signalPeriod=9, zPeriod=20, deviationPeriod=25, a=1, b=1. Columns: value, signal, histogram."""
        return self._ask("macz", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "zPeriod": zPeriod, "deviationPeriod": deviationPeriod, "a": a, "b": b, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def maenvelope(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percent: float | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving Average Envelope. By default period=20, percent=2.5, maType=0. Columns: upper, middle, lower."""
        return self._ask("maenvelope", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percent": percent, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mama(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastLimit: float | None = None, slowLimit: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MESA Adaptive Moving Average. By default fastLimit=0.5, slowLimit=0.05. Columns: valueMAMA, valueFAMA."""
        return self._ask("mama", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastLimit": fastLimit, "slowLimit": slowLimit, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def maribbon(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, step: int | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving Average Ribbon. By default period=10, step=5, maType=1. Columns: value1, value2, value3, value4, value5, value6."""
        return self._ask("maribbon", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "step": step, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def marketfi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Market Facilitation Index. Columns: value."""
        return self._ask("marketfi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def marketstructure(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, breakOn: Literal["close", "wick"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Market Structure Trend. By default swingLeft=5, swingRight=5, breakOn='close'. Columns: trend, lastHigh, lastLow, event."""
        return self._ask("marketstructure", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "breakOn": breakOn, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def marubozu(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Marubozu. Columns: value."""
        return self._ask("marubozu", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mass(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mass Index. By default period=25. Columns: value."""
        return self._ask("mass", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def matchinghigh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Matching High. Columns: value."""
        return self._ask("matchinghigh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def matchinglow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Matching Low. Columns: value."""
        return self._ask("matchinglow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mathold(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mat Hold. By default penetration=0.5. Columns: value."""
        return self._ask("mathold", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mavp(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minPeriod: int | None = None, maxPeriod: int | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving average with variable period. By default minPeriod=2, maxPeriod=30, maType=0. Columns: value."""
        return self._ask("mavp", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minPeriod": minPeriod, "maxPeriod": maxPeriod, "maType": maType, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def max(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Highest value over a specified period. By default period=30. Columns: value."""
        return self._ask("max", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def maxdrawdown(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Maximum Drawdown. By default period=252. Columns: value."""
        return self._ask("maxdrawdown", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def maxindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Index of highest value over a specified period. By default period=30. Columns: value."""
        return self._ask("maxindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mcginleydynamic(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, k: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """McGinley Dynamic. By default period=14, k=0.6. Columns: value."""
        return self._ask("mcginleydynamic", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "k": k, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mcnichollma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """McNicholl Moving Average. By default period=20. Columns: value."""
        return self._ask("mcnichollma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def md(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mean deviation. By default period=20. Columns: value."""
        return self._ask("md", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def median(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Median. By default period=30. Columns: value."""
        return self._ask("median", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def medianabsdev(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Median Absolute Deviation. By default period=5. Columns: value."""
        return self._ask("medianabsdev", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def medprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Median Price. Columns: value."""
        return self._ask("medprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mfi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Money Flow Index. By default period=14. Columns: value."""
        return self._ask("mfi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mfidivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Money Flow Index divergence. By default period=14, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("mfidivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def midbody(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Middle of the Body. Columns: value."""
        return self._ask("midbody", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def midpoint(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MidPoint over period. By default period=14. Columns: value."""
        return self._ask("midpoint", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def midprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Midpoint Price over period. By default period=14. Columns: value."""
        return self._ask("midprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def min(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Lowest value over a specified period. By default period=30. Columns: value."""
        return self._ask("min", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def minindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Index of lowest value over a specified period. By default period=30. Columns: value."""
        return self._ask("minindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def minmax(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Lowest and highest values over a specified period. By default period=30. Columns: valueMin, valueMax."""
        return self._ask("minmax", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def minmaxindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Indexes of lowest and highest values over a specified period. By default period=30. Columns: valueMinIdx, valueMaxIdx."""
        return self._ask("minmaxindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def minus_di(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Minus Directional Indicator. By default period=14. Columns: value."""
        return self._ask("minus_di", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def minus_dm(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Minus Directional Movement. By default period=14. Columns: value."""
        return self._ask("minus_dm", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mitigationblocks(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mitigation blocks. By default swingLeft=5, swingRight=5. Columns: value, top, bottom."""
        return self._ask("mitigationblocks", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mode(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mode. By default period=14. Columns: value."""
        return self._ask("mode", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Momentum. By default period=10. Columns: value."""
        return self._ask("mom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def momdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Momentum divergence. By default period=10, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("momdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def moonphase(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moon Phase. Columns: value, illumination."""
        return self._ask("moonphase", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def morningdojistar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Morning Doji Star. By default penetration=0.3. Columns: value."""
        return self._ask("morningdojistar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def morningstar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, penetration: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Morning Star. By default penetration=0.3. Columns: value."""
        return self._ask("morningstar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "penetration": penetration, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def most(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percent: float | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """MOST (Moving Stop Loss). By default period=9, percent=2, maType=1. Columns: value, ma, trend."""
        return self._ask("most", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percent": percent, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def msw(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Mesa Sine Wave. By default period=25. Columns: msw_sine, msw_lead."""
        return self._ask("msw", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mul(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Multiplication. Columns: value."""
        return self._ask("mul", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mult(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Arithmetic Mult. Columns: value."""
        return self._ask("mult", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def mvwap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, vwapPeriod: int | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Moving VWAP. By default vwapPeriod=14, period=8. Columns: value."""
        return self._ask("mvwap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "vwapPeriod": vwapPeriod, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def nadarayawatson(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, bandwidth: float | None = None, multiplier: float | None = None, lookback: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Nadaraya-Watson Envelope. By default bandwidth=8, multiplier=3, lookback=200. Columns: upper, middle, lower."""
        return self._ask("nadarayawatson", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "bandwidth": bandwidth, "multiplier": multiplier, "lookback": lookback, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def narrowrange(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Narrow Range (NR4, NR7). By default period=7. Columns: value, inside."""
        return self._ask("narrowrange", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def natr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Normalized Average True Range. By default period=14. Columns: value."""
        return self._ask("natr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def naturalma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Natural Moving Average (Sloman). By default period=40. Columns: value."""
        return self._ask("naturalma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def netmyrsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """NET of MyRSI. By default period=14. Columns: value."""
        return self._ask("netmyrsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def netvolume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Net Volume. Columns: value."""
        return self._ask("netvolume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def newpricelines(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lines: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """New Price Lines. By default lines=8. Columns: value."""
        return self._ask("newpricelines", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lines": lines, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def normalize(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Min-max Normalization. By default period=14. Columns: value."""
        return self._ask("normalize", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def nrtr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, percent: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Nick Rypock Trailing Reverse. By default percent=2. Columns: value, trend."""
        return self._ask("nrtr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "percent": percent, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def nvi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Negative Volume Index. Columns: value."""
        return self._ask("nvi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def obv(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """On Balance Volume. Columns: value."""
        return self._ask("obv", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def obvdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """On Balance Volume divergence. By default pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("obvdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def omegaratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, threshold: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Omega Ratio. By default period=30, threshold=0. Columns: value."""
        return self._ask("omegaratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "threshold": threshold, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def onneck(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """On-Neck Pattern. Columns: value."""
        return self._ask("onneck", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def openinggap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["day", "week"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Opening gap. By default anchor='day'. Columns: value, top, bottom, filled."""
        return self._ask("openinggap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def orderblocks(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Order blocks. By default swingLeft=5, swingRight=5. Columns: value, top, bottom, volume."""
        return self._ask("orderblocks", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ote(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, from_: float | None = None, to: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Optimal Trade Entry. By default swingLeft=5, swingRight=5, from_=0.618, to=0.79. Columns: value, top, bottom."""
        return self._ask("ote", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "from": from_, "to": to, "results": results, "backtrack": backtrack, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ott(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percent: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Optimized Trend Tracker. By default period=2, percent=1.4. Columns: value, support, trend."""
        return self._ask("ott", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percent": percent, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def otto(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, ottPeriod: int | None = None, ottPercent: float | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, correction: float | None = None, unit: Literal["price", "percent"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """OTTO (Optimized Trend Tracker Oscillator). By default ottPeriod=2, ottPercent=0.6, fastPeriod=10, slowPeriod=25, correction=100000, unit='price'. Columns: hott, lott."""
        return self._ask("otto", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "ottPeriod": ottPeriod, "ottPercent": ottPercent, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "correction": correction, "unit": unit, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def outsidebar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Outside Bar. Columns: value."""
        return self._ask("outsidebar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pacf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lag: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Partial Autocorrelation. By default period=20, lag=1. Columns: value."""
        return self._ask("pacf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lag": lag, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def painindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pain Index. By default period=14. Columns: value."""
        return self._ask("painindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def parkinson(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, annualPeriods: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Parkinson Volatility. By default period=20, annualPeriods=252. Columns: value."""
        return self._ask("parkinson", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "annualPeriods": annualPeriods, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price direction. By default period=5. Columns: value."""
        return self._ask("pd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pennantbearish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, poleATR: float | None = None, poleLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bear Pennant. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, poleATR=3, poleLength=10. Columns: value, upper, lower, target."""
        return self._ask("pennantbearish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "poleATR": poleATR, "poleLength": poleLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pennantbullish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, poleATR: float | None = None, poleLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Bull Pennant. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, poleATR=3, poleLength=10. Columns: value, upper, lower, target."""
        return self._ask("pennantbullish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "poleATR": poleATR, "poleLength": poleLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def percentb(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stddev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percent B (Bollinger Bands). By default period=20, stddev=2. Columns: value."""
        return self._ask("percentb", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stddev": stddev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def percentilelinear(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percentage: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percentile (linear interpolation). By default period=15, percentage=50. Columns: value."""
        return self._ask("percentilelinear", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percentage": percentage, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def percentilenearest(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percentage: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percentile (nearest rank). By default period=15, percentage=50. Columns: value."""
        return self._ask("percentilenearest", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percentage": percentage, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def percentrank(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, compare: Literal["lessorequal", "less"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percent Rank. By default period=100, compare='lessorequal'. Columns: value."""
        return self._ask("percentrank", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "compare": compare, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def percentreturn(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, cumulative: bool | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percent Return. By default period=1, cumulative=False. Columns: value."""
        return self._ask("percentreturn", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "cumulative": cumulative, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pfe(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothing: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Polarized Fractal Efficiency. By default period=10, smoothing=5. Columns: value."""
        return self._ask("pfe", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothing": smoothing, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pgo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pretty Good Oscillator. By default period=14. Columns: value."""
        return self._ask("pgo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def piercing(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Piercing Pattern. Columns: value."""
        return self._ask("piercing", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pinbar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pin Bar. Columns: value."""
        return self._ask("pinbar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotpoints(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month", "year"] | None = None, family: Literal["standard", "fibonacci", "camarilla", "woodie", "demark"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pivot points. By default anchor='auto', family='standard'. Columns: r3, r2, r1, p, s1, s2, s3."""
        return self._ask("pivotpoints", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "family": family, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotscamarilla(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Camarilla pivot points. By default anchor='auto'. Columns: r4, r3, r2, r1, p, s1, s2, s3, s4."""
        return self._ask("pivotscamarilla", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotsclassic(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Classic Pivot Points. By default anchor='day'. Columns: r4, r3, r2, r1, p, s1, s2, s3, s4."""
        return self._ask("pivotsclassic", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotsdemark(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """DeMark pivot points. By default anchor='auto'. Columns: r1, p, s1."""
        return self._ask("pivotsdemark", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotsfibonacci(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Fibonacci pivot points. By default anchor='auto'. Columns: r3, r2, r1, p, s1, s2, s3."""
        return self._ask("pivotsfibonacci", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotstraditional(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Traditional Pivot Points (five levels). By default anchor='day'. Columns: r5, r4, r3, r2, r1, p, s1, s2, s3, s4, s5."""
        return self._ask("pivotstraditional", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pivotswoodie(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["auto", "day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Woodie pivot points. By default anchor='auto'. Columns: r3, r2, r1, p, s1, s2, s3."""
        return self._ask("pivotswoodie", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def plus_di(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Plus Directional Indicator. By default period=14. Columns: value."""
        return self._ask("plus_di", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def plus_dm(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Plus Directional Movement. By default period=14. Columns: value."""
        return self._ask("plus_dm", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Predictive Moving Average (Ehlers). Columns: value, trigger."""
        return self._ask("pma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pmax(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, maPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """PMax (Profit Maximizer). By default period=10, multiplier=3, maType=1, maPeriod=10. Columns: value, trend, ma."""
        return self._ask("pmax", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "maType": maType, "maPeriod": maPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pmo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, longPeriod: int | None = None, shortPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price Momentum Oscillator. By default longPeriod=35, shortPeriod=20, signalPeriod=10. Columns: value, signal."""
        return self._ask("pmo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "longPeriod": longPeriod, "shortPeriod": shortPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pocketpivot(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pocket Pivot. By default period=10. Columns: value."""
        return self._ask("pocketpivot", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def polyfit(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, degree: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Polynomial Regression. By default period=20, degree=2. Columns: value."""
        return self._ask("polyfit", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "degree": degree, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ppo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, maType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percentage Price Oscillator. By default fastPeriod=12, slowPeriod=26, maType=0. Columns: value."""
        return self._ask("ppo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "maType": maType, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def premierstoch(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Premier Stochastic Oscillator. By default period=8, smoothPeriod=5. Columns: value."""
        return self._ask("premierstoch", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothPeriod": smoothPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def premiumdiscount(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Premium and Discount Zones. By default swingLeft=5, swingRight=5. Columns: zone, equilibrium, position."""
        return self._ask("premiumdiscount", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def previoushighlow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchor: Literal["day", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Previous high and low. By default anchor='day'. Columns: high, low, brokenHigh, brokenLow."""
        return self._ask("previoushighlow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchor": anchor, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def price(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price. Columns: value."""
        return self._ask("price", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pricedistance(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price Distance. Columns: value."""
        return self._ask("pricedistance", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pricevolume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, signed: bool | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price Volume. By default signed=False. Columns: value."""
        return self._ask("pricevolume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "signed": signed, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pricevolumerank(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price Volume Rank. Columns: value."""
        return self._ask("pricevolumerank", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def priorswinghigh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Prior Swing High. By default period=14. Columns: valueClose, valueHigh."""
        return self._ask("priorswinghigh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def priorswinglow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Prior Swing Low. By default period=14. Columns: valueClose, valueLow."""
        return self._ask("priorswinglow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def projectionbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, slope: Literal["highlow", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Projection Bands. By default period=14, slope='highlow'. Columns: upper, lower."""
        return self._ask("projectionbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "slope": slope, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def projectionosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothPeriod: int | None = None, slope: Literal["highlow", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Projection Oscillator. By default period=14, smoothPeriod=1, slope='highlow'. Columns: value."""
        return self._ask("projectionosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothPeriod": smoothPeriod, "slope": slope, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def psar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, start: float | None = None, increment: float | None = None, maximum: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Parabolic SAR. By default start=0.02, increment=0.02, maximum=0.2. Columns: value."""
        return self._ask("psar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "start": start, "increment": increment, "maximum": maximum, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def psl(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Psychological Line. By default period=12. Columns: value."""
        return self._ask("psl", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pvi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Positive Volume Index. Columns: value."""
        return self._ask("pvi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pvo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Percentage Volume Oscillator. By default fastPeriod=12, slowPeriod=26, signalPeriod=9. Columns: value, signal, histogram."""
        return self._ask("pvo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pvt(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Price Volume Trend. Columns: value."""
        return self._ask("pvt", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def pwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pascal Weighted Moving Average. By default period=10. Columns: value."""
        return self._ask("pwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def qqe(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, smoothPeriod: int | None = None, factor: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Quantitative Qualitative Estimation (QQE). By default rsiPeriod=14, smoothPeriod=5, factor=4.236. Columns: value, line, trend."""
        return self._ask("qqe", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "smoothPeriod": smoothPeriod, "factor": factor, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def qqemod(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, smoothPeriod: int | None = None, factor: float | None = None, threshold: float | None = None, factor2: float | None = None, bbPeriod: int | None = None, bbStddev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """QQE Mod. By default rsiPeriod=6, smoothPeriod=5, factor=3, threshold=3, factor2=1.61, bbPeriod=50, bbStddev=0.35. Columns: value, line, trend."""
        return self._ask("qqemod", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "smoothPeriod": smoothPeriod, "factor": factor, "threshold": threshold, "factor2": factor2, "bbPeriod": bbPeriod, "bbStddev": bbStddev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def qstick(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Qstick. By default period=14. Columns: value."""
        return self._ask("qstick", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def quantile(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, quantile: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Quantile. By default period=30, quantile=0.5. Columns: value."""
        return self._ask("quantile", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "quantile": quantile, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rainbow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rainbow Moving Averages. By default period=2. Columns: value1, value2, value3, value4, value5, value6, value7, value8, value9, value10."""
        return self._ask("rainbow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rainbowoscillator(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lookback: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rainbow Oscillator. By default period=2, lookback=10. Columns: value, upper, lower."""
        return self._ask("rainbowoscillator", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lookback": lookback, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def randomwalkindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Random Walk Index. By default period=14. Columns: high, low."""
        return self._ask("randomwalkindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def range(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Range of a Period. By default period=14. Columns: value."""
        return self._ask("range", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rangefilter(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, smoothPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Range Filter (DW). By default period=14, multiplier=2.618, smoothPeriod=27. Columns: value, upper, lower."""
        return self._ask("rangefilter", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "smoothPeriod": smoothPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def raschke310(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """3/10 Oscillator. By default fastPeriod=3, slowPeriod=10, signalPeriod=16. Columns: value, signal, histogram."""
        return self._ask("raschke310", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ravi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, shortPeriod: int | None = None, longPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Range Action Verification Index. By default shortPeriod=7, longPeriod=65. Columns: value."""
        return self._ask("ravi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "shortPeriod": shortPeriod, "longPeriod": longPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rci(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rank Correlation Index. By default period=9. Columns: value."""
        return self._ask("rci", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def realbody(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Real Body. Columns: value."""
        return self._ask("realbody", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rectangle(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rectangle. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2. Columns: value, upper, lower."""
        return self._ask("rectangle", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def reflex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Reflex (Ehlers). By default period=20. Columns: value."""
        return self._ask("reflex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rei(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Range Expansion Index. By default period=5. Columns: value."""
        return self._ask("rei", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rejectionblocks(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, wickRatio: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rejection blocks. By default swingLeft=5, swingRight=5, wickRatio=0.6. Columns: value, top, bottom."""
        return self._ask("rejectionblocks", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "wickRatio": wickRatio, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def relativevolume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Volume. By default period=20. Columns: value."""
        return self._ask("relativevolume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def retracements(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Retracements of the Last Leg. By default swingLeft=5, swingRight=5. Columns: direction, current, deepest."""
        return self._ask("retracements", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def reversalbar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Reversal Bar (Bill Williams). Columns: value."""
        return self._ask("reversalbar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def reversersi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, level: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Reverse RSI. By default period=14, level=50. Columns: value."""
        return self._ask("reversersi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "level": level, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rickshawman(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rickshaw Man. Columns: value."""
        return self._ask("rickshawman", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def risefall3methods(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rising/Falling Three Methods. Columns: value."""
        return self._ask("risefall3methods", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rising(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rising. By default period=3. Columns: value."""
        return self._ask("rising", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def risingwindow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rising Window. Columns: value."""
        return self._ask("risingwindow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rmi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, momentum: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Momentum Index. By default period=20, momentum=5. Columns: value."""
        return self._ask("rmi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "momentum": momentum, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def roc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rate of change. By default period=10. Columns: value."""
        return self._ask("roc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rocbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothPeriod: int | None = None, deviationPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rate of Change with Bands. By default period=20, smoothPeriod=5, deviationPeriod=5. Columns: value, average, upper, lower."""
        return self._ask("rocbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothPeriod": smoothPeriod, "deviationPeriod": deviationPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rocp(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rate of change Percentage. By default period=10. Columns: value."""
        return self._ask("rocp", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rocr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rate of change ratio. By default period=10. Columns: value."""
        return self._ask("rocr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rocr100(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rate of change ratio 100 scale. By default period=10. Columns: value."""
        return self._ask("rocr100", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rogerssatchell(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, annualPeriods: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rogers-Satchell Volatility. By default period=20, annualPeriods=252. Columns: value."""
        return self._ask("rogerssatchell", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "annualPeriods": annualPeriods, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rollingpivots(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, offset: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rolling pivot points. By default period=20, offset=0. Columns: r3, r2, r1, p, s1, s2, s3."""
        return self._ask("rollingpivots", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "offset": offset, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rollspread(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Roll Spread. By default period=20. Columns: value."""
        return self._ask("rollspread", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def roofing(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, hpPeriod: int | None = None, lpPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Roofing Filter (Ehlers). By default hpPeriod=48, lpPeriod=10. Columns: value."""
        return self._ask("roofing", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "hpPeriod": hpPeriod, "lpPeriod": lpPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def round(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Round. Columns: value."""
        return self._ask("round", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def roundingbottom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, minLength: int | None = None, maxLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rounding Bottom. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, minLength=20, maxLength=120. Columns: value, neckline, target."""
        return self._ask("roundingbottom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "minLength": minLength, "maxLength": maxLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def roundingtop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, minLength: int | None = None, maxLength: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rounding Top. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, minLength=20, maxLength=120. Columns: value, neckline, target."""
        return self._ask("roundingtop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "minLength": minLength, "maxLength": maxLength, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Strength Index (RSI). By default period=14. Columns: value."""
        return self._ask("rsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rsidivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """RSI divergence. By default period=14, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("rsidivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rsquared(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """R-squared of the Linear Regression. By default period=14. Columns: value."""
        return self._ask("rsquared", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rsx(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Strength Xtra (RSX). By default period=14. Columns: value."""
        return self._ask("rsx", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rvgi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Vigor Index. By default period=10. Columns: rvgi, signal, trend."""
        return self._ask("rvgi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rvi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, stdDevPeriod: int | None = None, period: int | None = None, smoothing: Literal["wilder", "ema"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Volatility Index. By default stdDevPeriod=10, period=14, smoothing='wilder'. Columns: value."""
        return self._ask("rvi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "stdDevPeriod": stdDevPeriod, "period": period, "smoothing": smoothing, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def rvir(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, stdDevPeriod: int | None = None, period: int | None = None, smoothing: Literal["wilder", "ema"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Relative Volatility Index (1995). By default stdDevPeriod=10, period=14, smoothing='wilder'. Columns: value."""
        return self._ask("rvir", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "stdDevPeriod": stdDevPeriod, "period": period, "smoothing": smoothing, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def safezonestop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, lookback: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Elder SafeZone Stop. By default period=22, multiplier=2.5, lookback=3. Columns: long, short."""
        return self._ask("safezonestop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "lookback": lookback, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sampleentropy(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, length: int | None = None, tolerance: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Sample Entropy. By default period=50, length=2, tolerance=0.2. Columns: value."""
        return self._ask("sampleentropy", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "length": length, "tolerance": tolerance, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, acceleration: float | None = None, maximum: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Parabolic SAR. By default acceleration=0.02, maximum=0.2. Columns: value."""
        return self._ask("sar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "acceleration": acceleration, "maximum": maximum, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sarext(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, startValue: float | None = None, offsetOnReverse: float | None = None, accelerationInitLong: float | None = None, accelerationLong: float | None = None, accelerationMaxLong: float | None = None, accelerationInitShort: float | None = None, accelerationShort: float | None = None, accelerationMaxShort: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Parabolic SAR extended. By default startValue=0, offsetOnReverse=0, accelerationInitLong=0.02, accelerationLong=0.02, accelerationMaxLong=0.2, accelerationInitShort=0.02, accelerationShort=0.02, accelerationMaxShort=0.2. Columns: value."""
        return self._ask("sarext", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "startValue": startValue, "offsetOnReverse": offsetOnReverse, "accelerationInitLong": accelerationInitLong, "accelerationLong": accelerationLong, "accelerationMaxLong": accelerationMaxLong, "accelerationInitShort": accelerationInitShort, "accelerationShort": accelerationShort, "accelerationMaxShort": accelerationMaxShort, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def savitzkygolay(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, polyOrder: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Savitzky-Golay Filter. By default period=21, polyOrder=2. Columns: value."""
        return self._ask("savitzkygolay", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "polyOrder": polyOrder, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def separatinglines(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Separating Lines. Columns: value."""
        return self._ask("separatinglines", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sessions(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, session: Literal["asia", "london", "newyork"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Session range. By default session='london'. Columns: active, high, low."""
        return self._ask("sessions", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "session": session, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def shark(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Shark. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("shark", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sharperatio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, riskFree: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Sharpe Ratio. By default period=30, riskFree=0. Columns: value."""
        return self._ask("sharperatio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "riskFree": riskFree, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def shootingstar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Shooting Star. Columns: value."""
        return self._ask("shootingstar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def shortline(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Short Line Candle. Columns: value."""
        return self._ask("shortline", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sin(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Trigonometric Sin. Columns: value."""
        return self._ask("sin", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sinh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Hyperbolic sine. Columns: value."""
        return self._ask("sinh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sinwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Sine Weighted Moving Average. By default period=14. Columns: value."""
        return self._ask("sinwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def skewness(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["sample", "population"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Skewness. By default period=30, estimator='sample'. Columns: value."""
        return self._ask("skewness", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def slingshot(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Slingshot. Columns: value."""
        return self._ask("slingshot", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Simple Moving Average. By default period=30. Columns: value."""
        return self._ask("sma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def smi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, firstSmooth: int | None = None, secondSmooth: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stochastic Momentum Index. By default period=13, firstSmooth=25, secondSmooth=2, signalPeriod=3. Columns: value, signal."""
        return self._ask("smi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "firstSmooth": firstSmooth, "secondSmooth": secondSmooth, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def smiergodic(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, longPeriod: int | None = None, shortPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """SMI Ergodic Indicator. By default longPeriod=20, shortPeriod=5, signalPeriod=5. Columns: value, signal, oscillator."""
        return self._ask("smiergodic", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "longPeriod": longPeriod, "shortPeriod": shortPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def smma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Smoothed Moving Average (SMMA). By default period=7. Columns: value."""
        return self._ask("smma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def smoothedheikinashi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, smoothPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Smoothed Heikin-Ashi. By default period=10, smoothPeriod=10. Columns: open, high, low, close."""
        return self._ask("smoothedheikinashi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "smoothPeriod": smoothPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sobv(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Smoothed On Balance Volume. By default period=7. Columns: value."""
        return self._ask("sobv", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sortinoratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, target: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Sortino Ratio. By default period=30, target=0. Columns: value."""
        return self._ask("sortinoratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "target": target, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def spearman(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Spearman Rank Correlation. By default period=20. Columns: value."""
        return self._ask("spearman", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def specialk(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, scale: float | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Pring's Special K. By default scale=1, signalPeriod=10. Columns: value, signal."""
        return self._ask("specialk", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "scale": scale, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def spinningtop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Spinning Top. Columns: value."""
        return self._ask("spinningtop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sqrt(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Square Root. Columns: value."""
        return self._ask("sqrt", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def squeeze(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lengthBB: int | None = None, lengthKC: int | None = None, multBB: float | None = None, multKC: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Squeeze Momentum Indicator (SMI). By default lengthBB=20, lengthKC=20, multBB=2, multKC=1.5. Columns: value, squeeze."""
        return self._ask("squeeze", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lengthBB": lengthBB, "lengthKC": lengthKC, "multBB": multBB, "multKC": multKC, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def squeezealert(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Squeeze Alert. Columns: value."""
        return self._ask("squeezealert", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def squeezepro(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stddev: float | None = None, multLow: float | None = None, multMid: float | None = None, multHigh: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Squeeze Pro. By default period=20, stddev=2, multLow=2, multMid=1.5, multHigh=1. Columns: value, squeeze."""
        return self._ask("squeezepro", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stddev": stddev, "multLow": multLow, "multMid": multMid, "multHigh": multHigh, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sqwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Square Weighted Moving Average. By default period=14. Columns: value."""
        return self._ask("sqwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def srwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Square Root Weighted Moving Average. By default period=14. Columns: value."""
        return self._ask("srwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sslchannel(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """SSL Channel. By default period=10. Columns: up, down, trend."""
        return self._ask("sslchannel", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stalledpattern(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stalled Pattern. Columns: value."""
        return self._ask("stalledpattern", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def starcbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, atrPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """STARC Bands. By default period=5, multiplier=2, atrPeriod=10. Columns: upper, middle, lower."""
        return self._ask("starcbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "atrPeriod": atrPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastLength: int | None = None, slowLength: int | None = None, cycleLength: int | None = None, d1Length: int | None = None, d2Length: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Schaff Trend Cycle. By default fastLength=23, slowLength=50, cycleLength=10, d1Length=3, d2Length=3. Columns: value, trend."""
        return self._ask("stc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastLength": fastLength, "slowLength": slowLength, "cycleLength": cycleLength, "d1Length": d1Length, "d2Length": d2Length, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stddev(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, nbDev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Standard Deviation. By default period=5, nbDev=1. Columns: value."""
        return self._ask("stddev", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "nbDev": nbDev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stddevchannel(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, stddev: float | None = None, deviation: Literal["price", "residual"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Standard Deviation Channel. By default period=20, stddev=2, deviation='price'. Columns: upper, middle, lower."""
        return self._ask("stddevchannel", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "stddev": stddev, "deviation": deviation, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stderr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Standard error. By default period=20. Columns: value."""
        return self._ask("stderr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sticksandwich(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stick Sandwich. Columns: value."""
        return self._ask("sticksandwich", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stiffness(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, maPeriod: int | None = None, period: int | None = None, smoothPeriod: int | None = None, factor: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stiffness. By default maPeriod=100, period=60, smoothPeriod=3, factor=0.2. Columns: value."""
        return self._ask("stiffness", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "maPeriod": maPeriod, "period": period, "smoothPeriod": smoothPeriod, "factor": factor, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stoch(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, kPeriod: int | None = None, dPeriod: int | None = None, kSmooth: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stochastic. By default kPeriod=5, dPeriod=3, kSmooth=3. Columns: valueK, valueD."""
        return self._ask("stoch", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "kPeriod": kPeriod, "dPeriod": dPeriod, "kSmooth": kSmooth, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stochdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, kPeriod: int | None = None, kSmooth: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stochastic %K divergence. By default kPeriod=14, kSmooth=3, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("stochdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "kPeriod": kPeriod, "kSmooth": kSmooth, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stochf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastKPeriod: int | None = None, fastDPeriod: int | None = None, fastDMAType: int | Literal["sma", "ema", "wma", "dema", "tema", "trima", "kama", "mama", "t3", "ahrensma", "alma", "butterworth2", "butterworth3", "coral", "cwma", "dwma", "ehma", "fwma", "gaussianfilter", "hannma", "hma", "holt", "jma", "jsa", "linearreg", "maaq", "mcnichollma", "naturalma", "pwma", "sinwma", "smma", "sqwma", "srwma", "supersmoother", "supersmoother3", "ultimatesmoother", "vpwma", "zlema", "zlsma"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Stochastic Fast. By default fastKPeriod=5, fastDPeriod=3, fastDMAType=0. Columns: valueFastK, valueFastD."""
        return self._ask("stochf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastKPeriod": fastKPeriod, "fastDPeriod": fastDPeriod, "fastDMAType": fastDMAType, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stochrsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, kPeriod: int | None = None, dPeriod: int | None = None, rsiPeriod: int | None = None, stochasticPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """StochRSI – Stochastic Relative Strength Index. By default kPeriod=5, dPeriod=3, rsiPeriod=14, stochasticPeriod=14. Columns: valueFastK, valueFastD."""
        return self._ask("stochrsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "kPeriod": kPeriod, "dPeriod": dPeriod, "rsiPeriod": rsiPeriod, "stochasticPeriod": stochasticPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def stomach(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Above/Below the Stomach. Columns: value."""
        return self._ask("stomach", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def streak(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Streak. Columns: value."""
        return self._ask("streak", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sub(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, source2: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Arithmetic Subtraction. Columns: value."""
        return self._ask("sub", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "source2": source2, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def sum(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Summation. By default period=30. Columns: value."""
        return self._ask("sum", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def supersmoother(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Super Smoother (2 poles). By default period=10. Columns: value."""
        return self._ask("supersmoother", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def supersmoother3(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Super Smoother (3 poles). By default period=14. Columns: value."""
        return self._ask("supersmoother3", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def supertrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Supertrend. By default period=7, multiplier=3. Columns: value, valueAdvice."""
        return self._ask("supertrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def supportresistance(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, volumeThreshold: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Support and resistance with breaks. By default swingLeft=5, swingRight=5, volumeThreshold=20. Columns: support, resistance, breakValue."""
        return self._ask("supportresistance", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "volumeThreshold": volumeThreshold, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def swingindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, limitMove: float | None = None, unit: Literal["price", "percent"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Swing Index. By default limitMove=3, unit='price'. Columns: value."""
        return self._ask("swingindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "limitMove": limitMove, "unit": unit, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def swings(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Swing Highs and Lows. By default swingLeft=5, swingRight=5. Columns: value, level."""
        return self._ask("swings", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def swissarmyknife(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, type: Literal["gauss", "butter", "hp", "2php", "bp"] | None = None, period: int | None = None, delta: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Swiss Army Knife (Ehlers). By default type='gauss', period=20, delta=0.1. Columns: value."""
        return self._ask("swissarmyknife", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "type": type, "period": period, "delta": delta, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def t3(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, vFactor: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Triple Exponential Moving Average (T3). By default period=5, vFactor=0.7. Columns: value."""
        return self._ask("t3", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "vFactor": vFactor, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def takuri(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Takuri. Columns: value."""
        return self._ask("takuri", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tan(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Trigonometric Tan. Columns: value."""
        return self._ask("tan", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tanh(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Trigonometric Tanh. Columns: value."""
        return self._ask("tanh", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tasukigap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Tasuki Gap. Columns: value."""
        return self._ask("tasukigap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdantidifferential(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Anti-Differential. Columns: value."""
        return self._ask("tdantidifferential", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdcamouflage(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Camouflage. Columns: value."""
        return self._ask("tdcamouflage", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdclop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Clop. Columns: value."""
        return self._ask("tdclop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdclopwin(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Clopwin. Columns: value."""
        return self._ask("tdclopwin", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tddifferential(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Differential. Columns: value."""
        return self._ask("tddifferential", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, rsiPeriod: int | None = None, bandPeriod: int | None = None, multiplier: float | None = None, pricePeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trader's Dynamic Index. By default rsiPeriod=13, bandPeriod=34, multiplier=1.6185, pricePeriod=2, signalPeriod=7. Columns: value, signal, upper, middle, lower."""
        return self._ask("tdi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "rsiPeriod": rsiPeriod, "bandPeriod": bandPeriod, "multiplier": multiplier, "pricePeriod": pricePeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdopen(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Open. Columns: value."""
        return self._ask("tdopen", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdpressure(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Pressure. By default period=5. Columns: value."""
        return self._ask("tdpressure", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdrangeprojection(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Range Projection. Columns: high, low."""
        return self._ask("tdrangeprojection", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdreversedifferential(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Reverse Differential. Columns: value."""
        return self._ask("tdreversedifferential", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdsequential(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Sequential Countdown (DeMark style). Columns: buySetupIndex, sellSetupIndex, buyCountdownIndex, sellCountdownIndex, buySetup, sellSetup, buySetupPerfection, sellSetupPerfection, bullishFlip, bearishFlip, TDSTBuy, TDSTSell."""
        return self._ask("tdsequential", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tdtrap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TD Trap. Columns: value."""
        return self._ask("tdtrap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tema(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Triple Exponential Moving Average. By default period=30. Columns: value."""
        return self._ask("tema", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def theil(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Theil Index. By default period=14. Columns: value."""
        return self._ask("theil", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def thestrat(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TheStrat Scenario. Columns: value."""
        return self._ask("thestrat", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def threedrives(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Three Drives. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("threedrives", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def thrusting(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Thrusting Pattern. Columns: value."""
        return self._ask("thrusting", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tke(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TKE. By default period=14, signalPeriod=5. Columns: value, signal."""
        return self._ask("tke", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def todeg(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Degree Conversion. Columns: value."""
        return self._ask("todeg", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def torad(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Radian Conversion. Columns: value."""
        return self._ask("torad", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """True range. Columns: value."""
        return self._ask("tr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tradevolumeindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minTick: float | None = None, unit: Literal["price", "percent"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trade Volume Index. By default minTick=0.125, unit='price'. Columns: value."""
        return self._ask("tradevolumeindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minTick": minTick, "unit": unit, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trama(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trend Regularity Adaptive Moving Average. By default period=99. Columns: value."""
        return self._ask("trama", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trange(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """True Range. Columns: value."""
        return self._ask("trange", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trendflex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trendflex (Ehlers). By default period=20. Columns: value."""
        return self._ask("trendflex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trendintensity(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, maPeriod: int | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trend Intensity Index. By default maPeriod=60, period=30. Columns: value."""
        return self._ask("trendintensity", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "maPeriod": maPeriod, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trendlines(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, swingLeft: int | None = None, swingRight: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Automatic trendlines. By default swingLeft=5, swingRight=5. Columns: upper, lower, breakValue."""
        return self._ask("trendlines", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "swingLeft": swingLeft, "swingRight": swingRight, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trendmagic(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, cciPeriod: int | None = None, atrPeriod: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trend Magic. By default cciPeriod=20, atrPeriod=5, multiplier=1. Columns: value, trend."""
        return self._ask("trendmagic", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "cciPeriod": cciPeriod, "atrPeriod": atrPeriod, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trendtriggerfactor(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trend Trigger Factor. By default period=15. Columns: value."""
        return self._ask("trendtriggerfactor", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def triangleascending(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, topToleranceATR: float | None = None, minAscentATR: float | None = None, invalidationCloses: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ascending Triangle. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, topToleranceATR=0.75, minAscentATR=0, invalidationCloses=2. Columns: value, upper, lower."""
        return self._ask("triangleascending", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "topToleranceATR": topToleranceATR, "minAscentATR": minAscentATR, "invalidationCloses": invalidationCloses, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def triangledescending(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, bottomToleranceATR: float | None = None, minDescentATR: float | None = None, invalidationCloses: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Descending Triangle. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2, bottomToleranceATR=0.75, minDescentATR=0, invalidationCloses=2. Columns: value, upper, lower."""
        return self._ask("triangledescending", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "bottomToleranceATR": bottomToleranceATR, "minDescentATR": minDescentATR, "invalidationCloses": invalidationCloses, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trianglesymmetricalbearish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, minDescentATR: float | None = None, minAscentATR: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Symmetrical Triangle (bearish). By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=3, minDescentATR=0, minAscentATR=0. Columns: value, upper, lower."""
        return self._ask("trianglesymmetricalbearish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "minDescentATR": minDescentATR, "minAscentATR": minAscentATR, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trianglesymmetricalbullish(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, minDescentATR: float | None = None, minAscentATR: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Symmetrical Triangle (bullish). By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=3, minDescentATR=0, minAscentATR=0. Columns: value, upper, lower."""
        return self._ask("trianglesymmetricalbullish", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "minDescentATR": minDescentATR, "minAscentATR": minAscentATR, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trima(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Triangular Moving Average. By default period=30. Columns: value."""
        return self._ask("trima", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trimmedmean(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percent: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Trimmed Mean. By default period=20, percent=10. Columns: value."""
        return self._ask("trimmedmean", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percent": percent, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def triplebottom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, toleranceATR: float | None = None, minHeightATR: float | None = None, breakoutLookahead: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Triple Bottom. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, toleranceATR=0.75, minHeightATR=1.5, breakoutLookahead=20. Columns: value, neckline, target."""
        return self._ask("triplebottom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "toleranceATR": toleranceATR, "minHeightATR": minHeightATR, "breakoutLookahead": breakoutLookahead, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tripletop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, toleranceATR: float | None = None, minHeightATR: float | None = None, breakoutLookahead: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Triple Top. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, toleranceATR=0.75, minHeightATR=1.5, breakoutLookahead=20. Columns: value, neckline, target."""
        return self._ask("tripletop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "toleranceATR": toleranceATR, "minHeightATR": minHeightATR, "breakoutLookahead": breakoutLookahead, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tristar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Tristar Pattern. Columns: value."""
        return self._ask("tristar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trix(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TRIX. By default period=30. Columns: value."""
        return self._ask("trix", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trixhistogram(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TRIX with Signal and Histogram. By default period=18, signalPeriod=9. Columns: value, signal, histogram."""
        return self._ask("trixhistogram", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def trunc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vector Truncate. Columns: value."""
        return self._ask("trunc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tsf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Time Series Forecast. By default period=14. Columns: value."""
        return self._ask("tsf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tsi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, longPeriod: int | None = None, shortPeriod: int | None = None, signalPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """True Strength Index. By default longPeriod=25, shortPeriod=13, signalPeriod=13. Columns: value, signal."""
        return self._ask("tsi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "longPeriod": longPeriod, "shortPeriod": shortPeriod, "signalPeriod": signalPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tsv(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Time Segmented Volume. By default period=13, signalPeriod=7. Columns: value, signal."""
        return self._ask("tsv", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ttest(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, mu: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """One-sample t-statistic. By default period=30, mu=0. Columns: value."""
        return self._ask("ttest", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "mu": mu, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ttmtrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """TTM Trend. By default period=6. Columns: value."""
        return self._ask("ttmtrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def turtlesoup(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, separation: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Turtle Soup. By default period=20, separation=4. Columns: value."""
        return self._ask("turtlesoup", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "separation": separation, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def twap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchorPeriod: Literal["session", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Time Weighted Average Price. By default anchorPeriod='session'. Columns: value."""
        return self._ask("twap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchorPeriod": anchorPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tweezerbottom(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Tweezer Bottom. Columns: value."""
        return self._ask("tweezerbottom", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tweezertop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Tweezer Top. Columns: value."""
        return self._ask("tweezertop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def twiggs(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Twiggs Money Flow. By default period=21. Columns: value."""
        return self._ask("twiggs", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def twoblackgapping(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Two Black Gapping Candles. Columns: value."""
        return self._ask("twoblackgapping", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def tworabbits(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Two Rabbits. Columns: value."""
        return self._ask("tworabbits", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def typprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Typical Price. Columns: value."""
        return self._ask("typprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ulcerindex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, peak: Literal["rolling", "window"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ulcer Index. By default period=14, peak='rolling'. Columns: value."""
        return self._ask("ulcerindex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "peak": peak, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ultimatesmoother(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ultimate Smoother (Ehlers). By default period=20. Columns: value."""
        return self._ask("ultimatesmoother", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def ultosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period1: int | None = None, period2: int | None = None, period3: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Ultimate Oscillator. By default period1=7, period2=14, period3=28. Columns: value."""
        return self._ask("ultosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period1": period1, "period2": period2, "period3": period3, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def unique3river(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Unique 3 River. Columns: value."""
        return self._ask("unique3river", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def uniquethreemountain(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Unique Three Mountain Top. Columns: value."""
        return self._ask("uniquethreemountain", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def universaloscillator(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Universal Oscillator (Ehlers). By default period=20. Columns: value."""
        return self._ask("universaloscillator", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def updownvolume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Up/Down Volume Ratio. By default period=50. Columns: value."""
        return self._ask("updownvolume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def uppershadow(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Upper Shadow. Columns: value."""
        return self._ask("uppershadow", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def upsidegap2crows(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Upside Gap Two Crows. Columns: value."""
        return self._ask("upsidegap2crows", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def utbot(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, multiplier: float | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """UT Bot Alerts. By default multiplier=1, period=10. Columns: value, signal."""
        return self._ask("utbot", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "multiplier": multiplier, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def valueatrisk(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, confidence: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Value at Risk. By default period=252, confidence=0.95. Columns: value."""
        return self._ask("valueatrisk", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "confidence": confidence, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def var(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, nbDev: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Variance. By default period=5, nbDev=1. Columns: value."""
        return self._ask("var", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "nbDev": nbDev, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def varianceratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, lag: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Variance Ratio (Lo-MacKinnon). By default period=64, lag=2. Columns: value."""
        return self._ask("varianceratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "lag": lag, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vfi(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, deviationPeriod: int | None = None, coef: float | None = None, volumeCoef: float | None = None, smoothPeriod: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Flow Indicator. By default period=130, deviationPeriod=30, coef=0.2, volumeCoef=2.5, smoothPeriod=3, signalPeriod=5. Columns: value, signal."""
        return self._ask("vfi", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "deviationPeriod": deviationPeriod, "coef": coef, "volumeCoef": volumeCoef, "smoothPeriod": smoothPeriod, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vhf(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vertical Horizontal Filter. By default period=28. Columns: value."""
        return self._ask("vhf", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vidya(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, shortPeriod: int | None = None, longPeriod: int | None = None, alpha: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Variable Index Dynamic Average. By default shortPeriod=9, longPeriod=30, alpha=0.2. Columns: value."""
        return self._ask("vidya", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "shortPeriod": shortPeriod, "longPeriod": longPeriod, "alpha": alpha, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vlma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, minPeriod: int | None = None, maxPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Variable Length Moving Average. By default minPeriod=5, maxPeriod=50. Columns: value."""
        return self._ask("vlma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "minPeriod": minPeriod, "maxPeriod": maxPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volatility(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Annualized Historical Volatility. By default period=20. Columns: value."""
        return self._ask("volatility", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volatilityratio(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, base: Literal["atr", "range"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volatility Ratio. By default period=14, base='atr'. Columns: value."""
        return self._ask("volatilityratio", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "base": base, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volatilitystop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volatility Stop (Wilder). By default period=7, multiplier=3. Columns: value, trend, stop."""
        return self._ask("volatilitystop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volofvol(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, vovPeriod: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volatility of Volatility. By default period=20, vovPeriod=10. Columns: value."""
        return self._ask("volofvol", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "vovPeriod": vovPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volume(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume. Columns: value."""
        return self._ask("volume", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volumeaccumulation(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Accumulation. By default period=14. Columns: value, oscillator."""
        return self._ask("volumeaccumulation", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volumeadjustedma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, factor: float | None = None, samplePeriod: int | None = None, strict: bool | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Adjusted Moving Average (Arms). By default period=13, factor=0.67, samplePeriod=0, strict=True. Columns: value."""
        return self._ask("volumeadjustedma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "factor": factor, "samplePeriod": samplePeriod, "strict": strict, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volumedivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume divergence. By default pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("volumedivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volumeimbalance(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume imbalance. Columns: value, top, bottom."""
        return self._ask("volumeimbalance", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def volumesplit(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Split. Columns: valueTotal, valueBuy, valueSell, percentBuy, percentSell."""
        return self._ask("volumesplit", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vortex(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Vortex. By default period=14. Columns: plus, minus."""
        return self._ask("vortex", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vosc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, short_period: int | None = None, long_period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Oscillator. By default short_period=5, long_period=10. Columns: value."""
        return self._ask("vosc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "short_period": short_period, "long_period": long_period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def voss(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, predict: int | None = None, bandwidth: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Voss Predictor (Ehlers). By default period=20, predict=3, bandwidth=0.25. Columns: value, filter."""
        return self._ask("voss", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "predict": predict, "bandwidth": bandwidth, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vpci(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, shortPeriod: int | None = None, longPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Price Confirmation Indicator. By default shortPeriod=5, longPeriod=25. Columns: value, signal."""
        return self._ask("vpci", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "shortPeriod": shortPeriod, "longPeriod": longPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vpwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, power: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Variable Power Weighted Moving Average. By default period=14, power=0.382. Columns: value."""
        return self._ask("vpwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "power": power, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vroc(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Rate of Change. By default period=12. Columns: value."""
        return self._ask("vroc", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vstop(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, multiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volatility Stop (TradingView). By default period=20, multiplier=2. Columns: value, trend."""
        return self._ask("vstop", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "multiplier": multiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vwad(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Weighted Accumulation/Distribution. By default period=20. Columns: value."""
        return self._ask("vwad", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vwap(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, anchorPeriod: Literal["week", "session", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Weighted Average Price (VWAP). By default anchorPeriod='week'. Columns: value."""
        return self._ask("vwap", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "anchorPeriod": anchorPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vwapbands(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, stddev: float | None = None, anchorPeriod: Literal["session", "week", "month"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """VWAP Bands. By default stddev=1, anchorPeriod='session'. Columns: value, upper, lower."""
        return self._ask("vwapbands", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "stddev": stddev, "anchorPeriod": anchorPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vwma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Weighted Moving Average. By default period=20. Columns: vwma."""
        return self._ask("vwma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vwmacd(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume-Weighted MACD. By default fastPeriod=12, slowPeriod=26, signalPeriod=9. Columns: value, signal, histogram."""
        return self._ask("vwmacd", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def vzo(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Volume Zone Oscillator. By default period=14. Columns: value."""
        return self._ask("vzo", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wad(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams Accumulation/Distribution (A/D). Columns: value."""
        return self._ask("wad", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def waddahattar(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, sensitivity: float | None = None, fastPeriod: int | None = None, slowPeriod: int | None = None, bbPeriod: int | None = None, stddev: float | None = None, atrPeriod: int | None = None, deadZoneMultiplier: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Waddah Attar Explosion. By default sensitivity=150, fastPeriod=20, slowPeriod=40, bbPeriod=20, stddev=2, atrPeriod=100, deadZoneMultiplier=3.7. Columns: trendUp, trendDown, explosion, deadZone."""
        return self._ask("waddahattar", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "sensitivity": sensitivity, "fastPeriod": fastPeriod, "slowPeriod": slowPeriod, "bbPeriod": bbPeriod, "stddev": stddev, "atrPeriod": atrPeriod, "deadZoneMultiplier": deadZoneMultiplier, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wavetrend(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, channelPeriod: int | None = None, averagePeriod: int | None = None, signalPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """WaveTrend Oscillator. By default channelPeriod=10, averagePeriod=21, signalPeriod=4. Columns: value, signal."""
        return self._ask("wavetrend", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "channelPeriod": channelPeriod, "averagePeriod": averagePeriod, "signalPeriod": signalPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wclprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Weighted Close Price. Columns: value."""
        return self._ask("wclprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wcprice(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Weighted close price (Tulip). Columns: value."""
        return self._ask("wcprice", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wedgefalling(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Falling Wedge. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2. Columns: value, upper, lower."""
        return self._ask("wedgefalling", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wedgerising(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, lookback: int | None = None, lookforward: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, touches: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Rising Wedge. By default lookback=5, lookforward=5, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, touches=2. Columns: value, upper, lower."""
        return self._ask("wedgerising", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "lookback": lookback, "lookforward": lookforward, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "touches": touches, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def widerange(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Wide Spread (WS4, WS7). By default period=7. Columns: value."""
        return self._ask("widerange", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wilders(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Wilders Smoothing. By default period=14. Columns: value."""
        return self._ask("wilders", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def williamsalligator(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, jawsLength: int | None = None, teethLength: int | None = None, lipsLength: int | None = None, jawsOffset: int | None = None, teethOffset: int | None = None, lipsOffset: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams Alligator. By default jawsLength=13, teethLength=8, lipsLength=5, jawsOffset=8, teethOffset=5, lipsOffset=3. Columns: valueJaws, valueTeeth, valueLips."""
        return self._ask("williamsalligator", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "jawsLength": jawsLength, "teethLength": teethLength, "lipsLength": lipsLength, "jawsOffset": jawsOffset, "teethOffset": teethOffset, "lipsOffset": lipsOffset, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def willr(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams’ %R. By default period=14. Columns: value."""
        return self._ask("willr", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def willrdivergence(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, pivotLeft: int | None = None, pivotRight: int | None = None, minSpan: int | None = None, maxSpan: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams %R divergence. By default period=14, pivotLeft=5, pivotRight=5, minSpan=5, maxSpan=60, source='wick'. Columns: regular, hidden, span."""
        return self._ask("willrdivergence", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "pivotLeft": pivotLeft, "pivotRight": pivotRight, "minSpan": minSpan, "maxSpan": maxSpan, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def winsorizedmean(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, percent: float | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Winsorized Mean. By default period=20, percent=10. Columns: value."""
        return self._ask("winsorizedmean", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "percent": percent, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Weighted Moving Average. By default period=30. Columns: value."""
        return self._ask("wma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wolfewave(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, depth: int | None = None, deviationATR: float | None = None, deviationType: Literal["atr", "percent"] | None = None, source: Literal["wick", "body"] | None = None, heikinashi: bool | None = None, atrPeriod: int | None = None, tolerance: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Wolfe Wave. By default depth=10, deviationATR=1, deviationType='atr', source='wick', heikinashi=True, atrPeriod=14, tolerance=0.05. Columns: value, entry, stop, target."""
        return self._ask("wolfewave", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "depth": depth, "deviationATR": deviationATR, "deviationType": deviationType, "source": source, "heikinashi": heikinashi, "atrPeriod": atrPeriod, "tolerance": tolerance, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def woodiescci(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, turboPeriod: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Woodies CCI. By default period=14, turboPeriod=6. Columns: value, turbo, histogram."""
        return self._ask("woodiescci", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "turboPeriod": turboPeriod, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def wvad(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Williams Variable Accumulation Distribution. By default period=1. Columns: value."""
        return self._ask("wvad", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def xsidegap3methods(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Upside/Downside Gap Three Methods. Columns: value."""
        return self._ask("xsidegap3methods", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def yangzhang(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, annualPeriods: float | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Yang-Zhang Volatility. By default period=20, annualPeriods=252. Columns: value."""
        return self._ask("yangzhang", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "annualPeriods": annualPeriods, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def zigzag(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, deviation: float | None = None, deviationType: Literal["percent", "atr"] | None = None, atrPeriod: int | None = None, source: Literal["wick", "close"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """ZigZag. By default deviation=5, deviationType='percent', atrPeriod=14, source='wick'. Columns: value, level, legDirection."""
        return self._ask("zigzag", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "deviation": deviation, "deviationType": deviationType, "atrPeriod": atrPeriod, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def zlema(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Zero-Lag Exponential Moving Average. By default period=20. Columns: value."""
        return self._ask("zlema", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def zlsma(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Zero-lag Least Squares Moving Average. By default period=32. Columns: value."""
        return self._ask("zlsma", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})

    def zscore(self, *, exchange: str, symbol: str, timeframe: Timeframe, adjustment: Adjustment | None = None, period: int | None = None, estimator: Literal["sample", "population"] | None = None, source: Literal["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] | None = None, results: int | Literal["max"] | None = None, backtrack: int | None = None, from_: str | float | None = None, to: str | float | None = None, as_of: str | float | None = None, max_age: int | None = None, chart: str | None = None, settled: int | None = None) -> T:
        """Z-score. By default period=30, estimator='sample'. Columns: value."""
        return self._ask("zscore", {"exchange": exchange, "symbol": symbol, "timeframe": timeframe, "adjustment": adjustment, "period": period, "estimator": estimator, "source": source, "results": results, "backtrack": backtrack, "from": from_, "to": to, "asOf": as_of, "maxAge": max_age, "chart": chart, "settled": settled})
