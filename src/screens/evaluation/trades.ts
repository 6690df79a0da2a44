import type { Columns } from '../../candles/columns.js'
import type { Trade, TradeStatistics } from '../../client/types.js'
import type { Direction } from './signal-returns.js'

/** What became of trading every signal with all there was. */
export interface TradeRun {
  readonly trades: readonly Trade[]
  /** At the last close. */
  readonly open: TradeStatistics['open']
  /** At the close of each candle, beginning with 1. */
  readonly equity: Float64Array
  /** Candles at whose close a trade was open. */
  readonly exposed: number
}

interface Conditions {
  /** The candles at which the entry becomes true. */
  readonly signals: Int32Array
  /** 1 at candles at which the exit holds. */
  readonly exit: Float64Array
}

/** What costs make of a trade: the value of 1 that was put in at `entry`, when it is worth `price` per piece. */
interface Valuation {
  /** While the trade is open. */
  readonly held: (entry: number, price: number) => number
  /** After leaving at `price`. */
  readonly left: (entry: number, price: number) => number
}

/** `fee` is the share of the traded amount that each entry and each exit costs. Who sells short cannot lose more than all. */
const valuationOf = (direction: Direction, fee: number): Valuation =>
  direction === 1
    ? {
        held: (entry, price) => price / entry / (1 + fee),
        left: (entry, price) => (price / entry) * ((1 - fee) / (1 + fee)),
      }
    : {
        held: (entry, price) => Math.max(0, 2 - fee - price / entry),
        left: (entry, price) => Math.max(0, 2 - fee - (price / entry) * (1 + fee)),
      }

/**
 * Trades the signals among `count` candles one at a time. A trade is entered at the open of the candle after its signal,
 * and left at the open of the candle after the first one at whose close the exit holds. Signals up to that candle are ignored.
 */
export function runTrades(
  { timestamp, open, close }: Columns,
  count: number,
  { signals, exit }: Conditions,
  direction: Direction,
  fee: number,
): TradeRun {
  const { held, left } = valuationOf(direction, fee)
  const equity = new Float64Array(count)
  const trades: Trade[] = []
  let value = 1
  let exposed = 0
  let at = 0
  let last: TradeStatistics['open'] = null
  for (const signal of signals) {
    const entryAt = signal + 1
    const entryPrice = open[entryAt] as number
    if (entryAt <= at || entryAt >= count || !(entryPrice > 0)) continue
    equity.fill(value, at, entryAt)
    const leaving = nextTrue(exit, entryAt, count)
    const heldTo = Math.min(leaving + 1, count)
    for (let i = entryAt; i < heldTo; i++) equity[i] = value * held(entryPrice, close[i] as number)
    exposed += heldTo - entryAt
    at = heldTo
    const entryTimestamp = timestamp[entryAt] as number
    if (heldTo === count) {
      last = { entryTimestamp, entryPrice, return: held(entryPrice, close[count - 1] as number) - 1 }
      break
    }
    const exitPrice = open[heldTo] as number
    const factor = left(entryPrice, exitPrice)
    const exitTimestamp = timestamp[heldTo] as number
    const candles = heldTo - entryAt
    trades.push({ entryTimestamp, entryPrice, exitTimestamp, exitPrice, candles, return: factor - 1 })
    value *= factor
  }
  equity.fill(value, at, count)
  return { trades, open: last, equity, exposed }
}

/** The first candle from `from` on at which a condition holds; `count` where there is none. */
function nextTrue(condition: Float64Array, from: number, count: number): number {
  let i = from
  while (i < count && condition[i] !== 1) i++
  return i
}

/** The largest fall of a curve below a value that it had before, as a share of that value. */
export interface Drawdown {
  readonly share: number
  /** The indices of the value before, and of the lowest one after it. */
  readonly from: number
  readonly to: number
}

export function maximumDrawdown(equity: Float64Array): Drawdown {
  let [share, from, to] = [0, 0, 0]
  let peakAt = 0
  for (let i = 0; i < equity.length; i++) {
    const peak = equity[peakAt] as number
    const value = equity[i] as number
    if (value > peak) peakAt = i
    else if (peak > 0 && 1 - value / peak > share) [share, from, to] = [1 - value / peak, peakAt, i]
  }
  return { share, from, to }
}
