"""A bot that trades on paper: it buys when the fast average is above the slow one, and sells when it is below.

python3 examples/python/bot.py <exchange> <symbol> <timeframe> [--candles <count>] [--poll <seconds>]

It requests closed candles only, so that a decision never changes. With --candles it ends after that number of candles.
"""

import argparse
import time

import candela

INDICATORS = [
    {"id": "fast", "indicator": "ema", "period": 9, "backtrack": 1},
    {"id": "slow", "indicator": "ema", "period": 21, "backtrack": 1},
    {"id": "price", "indicator": "candle", "backtrack": 1},
]


def main():
    parser = argparse.ArgumentParser()
    for name in ("exchange", "symbol", "timeframe"):
        parser.add_argument(name)
    parser.add_argument("--candles", type=int, default=None)
    parser.add_argument("--poll", type=float, default=5)
    options = parser.parse_args()
    market = {"exchange": options.exchange, "symbol": options.symbol, "timeframe": options.timeframe}

    last, holds, seen = None, False, 0
    while options.candles is None or seen < options.candles:
        result = candela.bulk([{"id": "market", **market, "indicators": INDICATORS}])["market"]
        if "_error" in result:
            raise candela.CandelaError(result["_error"], 200)
        opened = result["price"]["timestamp"][-1]
        if opened == last:
            time.sleep(options.poll)
            continue
        last, seen = opened, seen + 1
        fast, slow = result["fast"]["value"][-1], result["slow"]["value"][-1]
        action = "hold"
        if fast > slow and not holds:
            action, holds = "buy", True
        elif fast < slow and holds:
            action, holds = "sell", False
        at = time.strftime("%Y-%m-%d %H:%M", time.gmtime(opened))
        print(f"{at} {action} at {result['price']['close'][-1]} (fast {fast:.4f}, slow {slow:.4f})", flush=True)


candela.run(main)
