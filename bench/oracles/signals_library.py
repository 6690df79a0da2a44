"""trading-signals: classes in TypeScript that are updated candle by candle."""

from javascript_library import ask

title = "trading-signals"
version = "8.3.0"


def object_of(**names):
    """Arguments as one object: our parameters by the names there."""
    return lambda params: [{theirs: params[ours] for theirs, ours in names.items()}]


def list_of(*names):
    return lambda params: [params[name] for name in names]


# The class, its arguments and its input: a candle unless a column is named.
known = {
    "asi": ("AccumulativeSwingIndex", list_of("limitMove"), None),
    "connorsrsi": ("ConnorsRSI", object_of(rsiInterval="rsiPeriod", streakRsiInterval="streakPeriod", percentRankInterval="rankPeriod"), "close"),
    "frama": ("FRAMA", list_of("period"), "middle"),
    "gannhilo": ("GannHiLo", object_of(highInterval="highPeriod", lowInterval="lowPeriod"), None),
    "gapo": ("GAPO", list_of("period"), None),
    "gator": ("GatorOscillator", object_of(jawInterval="jawPeriod", jawShift="jawOffset", teethInterval="teethPeriod", teethShift="teethOffset", lipsInterval="lipsPeriod", lipsShift="lipsOffset"), None),
    "ibs": ("IBS", list_of(), None),
    "pmo": ("PMO", object_of(smoothing1="longPeriod", smoothing2="shortPeriod", signalInterval="signalPeriod"), "close"),
    "premierstoch": ("PremierStochastic", object_of(stochInterval="period", smoothInterval="smoothPeriod"), None),
    "psl": ("PSL", object_of(interval="period"), "close"),
    "randomwalkindex": ("RandomWalkIndex", list_of("period"), None),
    "rci": ("RCI", list_of("period"), "close"),
    "rei": ("REI", list_of("period"), None),
    "rvgi": ("RelativeVigorIndex", list_of("period"), None),
    "rvi": ("RelativeVolatilityIndex", object_of(interval="period", stddevInterval="stdDevPeriod"), "close"),
    "squeeze": ("TTMSqueeze", object_of(bbInterval="lengthBB", bbMultiplier="multBB", kcInterval="lengthKC", kcMultiplier="multKC"), None),
    "supersmoother": ("SuperSmoother", list_of("period"), "close"),
    "swingindex": ("SwingIndex", list_of("limitMove"), None),
    "volatilitystop": ("VolatilityStop", object_of(interval="period", multiplier="multiplier"), None),
    "vroc": ("VROC", list_of("period"), "volume"),
    "waddahattar": ("WaddahAttarExplosion", object_of(sensitivity="sensitivity", shortInterval="fastPeriod", longInterval="slowPeriod", bandsInterval="bbPeriod", bandsMultiplier="stddev", atrInterval="atrPeriod", deadZoneMultiplier="deadZoneMultiplier"), None),
    "williamsalligator": ("Alligator", object_of(jawInterval="jawsLength", jawShift="jawsOffset", teethInterval="teethLength", teethShift="teethOffset", lipsInterval="lipsLength", lipsShift="lipsOffset"), None),
}


def names(catalogue):
    """The class of each indicator that has one."""
    return {indicator: known[indicator][0] for indicator in known if indicator in catalogue}


def compute(name, entry, params, market, theirs):
    """A column for each number of a result."""
    _, arguments, source = known[entry["id"]]
    given = arguments(params)
    if theirs and given and isinstance(given[0], dict):
        given = [{**given[0], **theirs}]
    return ask("trading-signals", name, market, given, source)
