import { formatAge } from '../candles/age.js'
import type { Market } from './market.js'
import { quote, type Refusal, refusal } from './refusal.js'

/** The newest candle of a market ended `age` seconds ago, and the request allows `maxAge`. */
export const candlesTooOld = (
  { exchange, symbol, timeframe }: Market,
  age: number,
  maxAge: number,
): Refusal =>
  refusal(
    503,
    `The candles of ${quote(`${exchange} ${symbol} ${timeframe}`)} are too old: the last one ended ${formatAge(age)} ago, and maxAge is ${maxAge} seconds`,
  )
