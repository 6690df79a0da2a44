import { walk } from './walk.js'

/** Twenty indicators of all sorts: averages, oscillators, bands, ranges. */
const names = [
  'rsi',
  'macd',
  'stoch',
  'stochrsi',
  'kdj',
  'aroon',
  'adx',
  'cci',
  'sma',
  'ema',
  'wma',
  'bbands',
  'atr',
  'obv',
  'psar',
  'supertrend',
  'accbands',
  'max',
  'abs',
  'engulfing',
] as const
const timeframes = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const

/** The body of `POST /bulk` for so many constructs with so many indicators each. */
export const bulkBody = (constructs: number, indicators: number, results: number | 'max') => ({
  constructs: Array.from({ length: constructs }, (_, i) => ({
    id: `c${i}`,
    exchange: 'demo',
    symbol: symbols[i % symbols.length],
    timeframe: timeframes[Math.floor(i / symbols.length)],
    indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name, results })),
  })),
})

/** The body of `POST /bulk-candles` for so many constructs of 500 candles with two decimals. */
export function suppliedBody(constructs: number, indicators: number) {
  const digits = (value: number) => Number(value.toFixed(2))
  return {
    constructs: Array.from({ length: constructs }, (_, i) => {
      const { columns } = walk(500, i + 1)
      const candles = Array.from({ length: 500 }, (_, k) => {
        const { timestamp, open, high, low, close, volume } = columns.read(k)
        return {
          timestamp,
          open: digits(open),
          high: digits(high) + 0.01,
          low: digits(low),
          close: digits(close),
          volume: digits(volume),
        }
      })
      return {
        id: `c${i}`,
        candles,
        indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name })),
      }
    }),
  }
}
