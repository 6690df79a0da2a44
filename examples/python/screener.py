"""Prints the RSI and the trend of several symbols, the most oversold first.

python3 examples/python/screener.py <exchange> <timeframe> <symbol>...
"""

import sys

import candela

#: The markets of one request: the service takes 20, a plan may allow fewer.
CONSTRUCTS = 20

INDICATORS = [
    {"id": "rsi", "indicator": "rsi", "period": 14, "backtrack": 1},
    {"id": "fast", "indicator": "ema", "period": 20, "backtrack": 1},
    {"id": "slow", "indicator": "ema", "period": 50, "backtrack": 1},
]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    exchange, timeframe, *symbols = sys.argv[1:]
    constructs = [
        {"id": f"m{at}", "exchange": exchange, "symbol": symbol, "timeframe": timeframe, "indicators": INDICATORS}
        for at, symbol in enumerate(symbols)
    ]
    results = {}
    for at in range(0, len(constructs), CONSTRUCTS):
        results.update(candela.bulk(constructs[at : at + CONSTRUCTS]))
    rows = []
    for at, symbol in enumerate(symbols):
        result = results[f"m{at}"]
        if any(result[each["id"]] is None for each in INDICATORS):
            print(f"{symbol}: {result.get('_error', 'too few candles')}", file=sys.stderr)
            continue
        rsi, fast, slow = (result[name]["value"][-1] for name in ("rsi", "fast", "slow"))
        rows.append((rsi, symbol, "up" if fast > slow else "down"))
    for rsi, symbol, trend in sorted(rows):
        print(f"{symbol:12} {rsi:6.2f} {trend}")


candela.run(main)
