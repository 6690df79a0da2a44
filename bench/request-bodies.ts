import { randomCandles } from './random-walk.js'

/** Twenty indicators of different kinds: averages, oscillators, bands, ranges, a candle pattern. */
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

/** The body of `POST /bulk` for the given number of constructs with the given number of indicators each. */
export const bulkBody = (constructs: number, indicators: number, results: number | 'max') => ({
  constructs: Array.from({ length: constructs }, (_, i) => ({
    id: `c${i}`,
    exchange: 'demo',
    symbol: symbols[i % symbols.length],
    timeframe: timeframes[Math.floor(i / symbols.length)],
    indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name, results })),
  })),
})

interface SuppliedBody {
  readonly constructs: number
  readonly indicators: number
  /** Decimals of prices and volumes. */
  readonly decimals?: number
  /** Factor for the prices of the random walk, which begins at 100. */
  readonly priceScale?: number
}

/** The body of `POST /bulk-candles` for constructs of 500 candles. */
export function suppliedBody({ constructs, indicators, decimals = 2, priceScale = 1 }: SuppliedBody) {
  const rounded = (value: number) => Number(value.toFixed(decimals))
  return {
    constructs: Array.from({ length: constructs }, (_, i) => ({
      id: `c${i}`,
      candles: randomCandles(500, i + 1).map(({ timestamp, open, high, low, close, volume }) => ({
        timestamp,
        open: rounded(open * priceScale),
        high: rounded(high * priceScale),
        low: rounded(low * priceScale),
        close: rounded(close * priceScale),
        volume: rounded(volume),
      })),
      indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name })),
    })),
  }
}
