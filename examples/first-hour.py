"""The first hour of a quant: a frame of candles, indicators over it, closes alone, and what followed a condition.

It needs candela-client[pandas], and a service at CANDELA_URL with a key in CANDELA_KEY.
"""

import os

import candela_client
from candela_client import Candela
from candela_client.types import Market

client = Candela(os.environ.get("CANDELA_URL", "http://127.0.0.1:8080"), key=os.environ.get("CANDELA_KEY", ""))
candela_client.configure(client)
market: Market = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1h"}

candles = client.candles(**market, results="max", backtrack=1).to_pandas()
candles["rsi"] = candles.candela.rsi(14)
candles["rising"] = candles.candela.expression("close > sma(50)")
print(f"{len(candles)} candles, {candles['rising'].sum()} of them above their average")
print(f"pullbacks: {len(candles[candles['rising'] & (candles['rsi'] < 45)])}")

daily = candles["close"].resample("1D").last()
print(f"RSI of days: {daily.candela.rsi(14).iloc[-1]:.2f}")

found = client.evaluate("rsi(14) < 30", exit="rsi(14) > 50", **market)
print(f"{found['trades']['count']} trades, {found['trades']['totalReturn']:.2%} in all")
