#!/usr/bin/env bash
# The RSI of several symbols, the lowest first:  bash examples/curl/screener.sh demo 1h BTCUSDT ETHUSDT
source "$(dirname "$0")/ask.sh"
exchange=$1 timeframe=$2
shift 2

for symbol in "$@"; do
  answer=$(ask "/indicator/rsi?exchange=$exchange&symbol=$symbol&timeframe=$timeframe&backtrack=1") || {
    echo "$symbol: $answer" >&2
    continue
  }
  value=$(sed 's/.*"value":\[\([^]]*\)\].*/\1/' <<< "$answer")
  printf '%-12s %6.2f\n' "$symbol" "$value"
done | sort -k2 -n
