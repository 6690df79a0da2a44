"""Names of columns of candles. Written by scripts/docs-python.mjs: changes here are lost."""

from __future__ import annotations

#: By role of a column: the names that it may have, preferred ones first, in the form of `normalize`.
SPELLINGS: dict[str, tuple[str, ...]] = {
    "time": ("opentime", "timeopen", "opentimestamp", "windowstart", "timestamp", "unix", "unixtime", "unixtimestamp", "epoch", "ts", "t", "datetime", "gmttime", "localtime", "zeitstempel", "datumzeit", "datumuhrzeit", "horodatage", "fechahora", "fechayhora", "dataora", "datahora", "datumtijd", ),
    "date": ("date", "day", "tradedate", "tradingdate", "tradingday", "tradeday", "dtyyyymmdd", "yyyymmdd", "ymd", "datum", "tag", "handelstag", "jour", "fecha", "dia", "data", "giorno", "dag", ),
    "clock": ("time", "timeofday", "clock", "hhmmss", "hhmm", "tradetime", "uhrzeit", "zeit", "heure", "hora", "ora", "tijd", ),
    "open": ("open", "o", "openprice", "priceopen", "opening", "eroffnung", "eroffnungskurs", "eroeffnung", "erffnung", "eroffn", "erffn", "erster", "ouverture", "ouv", "apertura", "abertura", "opening", ),
    "high": ("high", "h", "highprice", "pricehigh", "hoch", "hochst", "hchst", "hoechst", "hochstkurs", "plushaut", "haut", "maximo", "maxima", "massimo", "max", "hoog", ),
    "low": ("low", "l", "lowprice", "pricelow", "tief", "tiefst", "tiefstkurs", "plusbas", "bas", "minimo", "minima", "min", "laag", ),
    "close": ("close", "c", "closeprice", "priceclose", "closelast", "last", "latest", "schluss", "schlusskurs", "zuletzt", "cloture", "fermeture", "dernier", "cierre", "chiusura", "fechamento", "ultimo", "slot", "laatst", "price", ),
    "volume": ("volumebase", "basevolume", "volbase", "basevol", "volume", "vol", "v", "stuecke", "stucke", "stcke", "volumen", "volumes", "tickvolume", "tickvol", ),
    "symbol": ("ticker", "symbol", "pair", "instrument", "code", ),
}

#: Names of the index of a frame.
INDEX_NAMES = ("indexlevel0", "index", )

#: Names of a first column that is the index of a frame.
FIRST_NAMES = ("", "price", "unnamed0", )

#: Number of price changes, which stands for the volume where a broker knows none.
TICK_NAMES = ("tickvol", "tickvolume", )

#: Currencies in which volumes are given beside those in the base currency.
QUOTE_CURRENCIES = ("usd", "usdt", "usdc", "busd", "tusd", "fdusd", "eur", "gbp", "jpy", "krw", "try", )

#: Words behind volume that name a calculation over volumes.
VOLUME_STUDIES = ("ma", "sma", "ema", "wma", "average", "avg", "mean", "median", "delta", "change", "chg", "pct", "ratio", "oscillator", "osc", "profile", "up", "down", "buy", "sell", "weighted", "vwap", "zscore", "usdma", "trend", )
