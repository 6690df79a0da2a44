#!/usr/bin/env bash
# One of each request:  bash examples/curl/requests.sh
source "$(dirname "$0")/ask.sh"

echo '# the RSI of a market, three values'
ask '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h&period=14&results=3'

printf '\n# the newest two candles\n'
ask '/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=2'

printf '\n# two indicators on each of two markets\n'
ask /bulk --json '{"constructs":[
  {"id":"btc","exchange":"demo","symbol":"BTCUSDT","timeframe":"1h","indicators":[{"id":"rsi","indicator":"rsi"},{"id":"macd","indicator":"macd"}]},
  {"id":"eth","exchange":"demo","symbol":"ETHUSDT","timeframe":"1h","indicators":[{"id":"rsi","indicator":"rsi"},{"id":"ema","indicator":"ema","period":50}]}
]}'

printf '\n# a moving average of your own candles\n'
ask /indicator/sma --json '{"period":2,"results":"max","candles":[
  {"o":1,"h":3,"l":1,"c":2,"v":10},{"o":2,"h":4,"l":2,"c":4,"v":12},{"o":4,"h":5,"l":3,"c":3,"v":9}
]}'
echo
