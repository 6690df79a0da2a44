// TA-Lib and Tulip as functions over whole columns, and the recurring shapes of a vector's description.
import { createRequire } from 'node:module'

// The package is one native file, which only require can load.
const talib = createRequire(import.meta.url)('talib')

/**
 * A TA-Lib function over whole columns: its outputs by TA-Lib's names, NaN before its first value. Leading NaN values of
 * columns are not passed to TA-Lib.
 */
export function ta(name, columns, options = {}) {
  const lists = Object.values(columns)
  const { length } = lists[0]
  const start = Math.max(...lists.map(list => list.findIndex(value => !Number.isNaN(value))))
  const inputs = Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, list.slice(start)]))
  const answer = talib.execute({ name, startIdx: 0, endIdx: length - start - 1, ...inputs, ...options })
  if (answer.error) throw new Error(`TA-Lib ${name}: ${JSON.stringify(answer.error)}`)
  // MACD with a signal period of 1 is such a case: TA-Lib miscounts and returns memory that it never wrote.
  if (answer.nbElement > 0 && start + answer.begIndex + answer.nbElement !== length)
    throw new Error(`TA-Lib ${name} does not end at the last candle with ${JSON.stringify(options)}`)
  const lead = new Array(start + answer.begIndex).fill(NaN)
  return Object.fromEntries(
    Object.entries(answer.result).map(([output, list]) => [
      output,
      answer.nbElement === 0 ? new Array(length).fill(NaN) : [...lead, ...list.slice(0, answer.nbElement)],
    ]),
  )
}

export const prices = ({ high, low, close }) => ({ high, low, close })
export const candlesticks = ({ open, high, low, close }) => ({ open, high, low, close })
export const source = name => `TA-Lib 0.6 ${name} through npm talib@1.1.6`

/** An indicator that is a TA-Lib function of the close with one period. */
export const ofClose = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, { inReal: candles.close }, { optInTimePeriod: p.period ?? period }).outReal,
  }),
})
export const ofPrices = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, prices(candles), { optInTimePeriod: p.period ?? period }).outReal,
  }),
})
export const pattern = (name, options = () => ({})) => ({
  source: source(name),
  compute: (candles, p) => ({ value: ta(name, candlesticks(candles), options(p)).outInteger }),
})
