"""Names of columns of candles. Written by scripts/docs-python.mjs: changes here are lost."""

from __future__ import annotations

#: By column: the names that it may have, preferred ones first, in the form of `normalize`.
SPELLINGS: dict[str, tuple[str, ...]] = {
    "time": ("opentime", "timeopen", "opentimestamp", "windowstart", "timestamp", "unix", "unixtime", "unixtimestamp", "epoch", "ts", "t", "datetime", "time", "gmttime", "localtime", "date", "datum", "indexlevel0", "index", ),
    "open": ("open", "o", "openprice", "priceopen", "eröffnung", "erffnung", "eröffn", "erffn", "erster", ),
    "high": ("high", "h", "highprice", "pricehigh", "hoch", "höchst", "hchst", ),
    "low": ("low", "l", "lowprice", "pricelow", "tief", "tiefst", ),
    "close": ("close", "c", "closeprice", "priceclose", "closelast", "last", "schluss", "schlusskurs", "zuletzt", "price", ),
    "volume": ("volumebase", "basevolume", "volbase", "basevol", "volume", "vol", "v", "stuecke", "stücke", "stcke", "volumen", "tickvolume", "tickvol", ),
}

#: Names of a column that has the symbol of each row.
SYMBOLS = ("ticker", "symbol", )

#: Currencies in which volumes are given beside those in the base currency.
QUOTE_CURRENCIES = ("usd", "usdt", "usdc", "busd", "tusd", "fdusd", "eur", "gbp", "jpy", "krw", "try", )
