#!/usr/bin/env bash
# An indicator over the candles of a CSV file:  bash examples/curl/csv-candles.sh examples/candles.csv rsi
# The columns are timestamp, open, high, low, close, volume, with a heading. The newest 500 candles are used.
source "$(dirname "$0")/ask.sh"
file=$1 indicator=$2

tail -n +2 "$file" | tail -n 500 | awk -F, '
  BEGIN { printf "{\"results\":3,\"candles\":[" }
  { printf "%s{\"t\":%s,\"o\":%s,\"h\":%s,\"l\":%s,\"c\":%s,\"v\":%s}", (NR > 1 ? "," : ""), $1, $2, $3, $4, $5, $6 }
  END { printf "]}" }
' | ask "/indicator/$indicator" --header 'Content-Type: application/json' --data-binary @-
echo
