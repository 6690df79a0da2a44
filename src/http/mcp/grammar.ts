/** The grammar of expressions, as a resource: what `docs/expressions.md` says, for a reader who knows other languages. */
export const grammar = `# Expressions

An expression has one value for each candle: a number, or true or false. It is undefined in the warm-up of an indicator.

## Values
- Numbers: 30, 0.5, 1e-3. Conditions: true, false.
- Prices: open, high, low, close, volume, hl2, hlc3, ohlc4.
- Indicators by their names (find_indicators): rsi, rsi(21), rsi(period=21). Parameters in their order or by name; those left out have their defaults.
- Outputs: macd.valueMACDHist, bbands(20).valueUpperBand. Where there are several, one must be named.
- Indicators of expressions: sma(rsi(14), 5), ema(high - low, 20), correl(close, volume, 20). Only what reads one or two columns of choice; not atr or adx.
- Pattern indicators are 0, 100, or -100 where bearish: engulfing == 100, doublebottom.value != 0.

## Operators, from the weakest to the strongest
or; and; not; < <= > >= == != (not chained: 30 < rsi(14) and rsi(14) < 70); + -; * / %; -x; .output [n] @timeframe {MARKET}
- x[n]: the value n candles ago, 0 to 500: (close - close[24]) / close[24] * 100
- x@4h: over candles of a longer timeframe, at the newest that has closed: rsi(14)@4h > 50 and rsi(14) < 40
- x{ETHUSDT}, x{binance:ETHUSDT}: over another market: close / close{ETHUSDT}
  A longer timeframe is made of the candles of the request, of which there are 1,000 by default: better ask in it.

## Functions
crossover(a, b), crossunder(a, b), cross(a, b), crossany(a, b): a rises above b at this candle, falls below it, either
rising(x, n), falling(x, n): each of the last n steps went up, or down
highest(x, n), lowest(x, n): of the last n candles. max(a, b), min(a, b): of several values
sum(x, n): the total of the last n. if(condition, a, b). nz(x, y): x, or y where x is undefined. na(x). pow(x, y)
abs(x), sqrt(x), ln(x), floor(x), round(x) and other mathematics are indicators.

## Often needed
- Within the last 7 candles: sum(if(crossover(close, sma(200)), 1, 0), 7) > 0
- Candles since it was last true, as a negative number: highestbars(if(crossover(sma(50), sma(200)), 1, 0), 400)
- Change in per cent since 24 candles: roc(close, 24)
- Breakout: close > highest(high, 20)[1]
- Twice the usual volume: volume > 2 * sma(volume, 20)
- Distance from the high of 365 candles in per cent: (close / highest(high, 365) - 1) * 100
- Strength against another market: close / close{ETHUSDT} > sma(close / close{ETHUSDT}, 50)
- Above the upper band: close > bbands(20).valueUpperBand
- Turnover: sma(close * volume, 30)
`
