import { createRandom } from '../../bench/random.js'
import type { PlainColumns } from './kernel.js'

const hour = 3600
/** A Monday, 00:00 UTC. */
const start = 1_699_833_600
/** The candles of a day of trade, after which the market is closed until the next day. */
const sessionHours = 16
const tick = 0.01

/**
 * `length` hourly candles shaped like those of an exchange: trends that begin and end, volatility in clusters, days and
 * weekends with a gap in time and price, candles without trade, spikes, and prices in whole ticks, so that equal highs and
 * lows occur.
 */
export function realShaped(length: number, seed: number): PlainColumns {
  const next = createRandom(seed)
  const normal = () => (next() + next() + next() + next() - 2) * 1.7
  const ticks = (price: number) => Math.max(tick, Math.round(price / tick) * tick)
  const rows: (readonly [number, number, number, number, number, number])[] = []
  let close = 40
  let trend = 0
  let volatility = 0.004
  for (let i = 0; i < length; i++) {
    const day = Math.floor(i / sessionHours)
    const isFirstOfDay = i % sessionHours === 0
    const timestamp = start + (day + 2 * Math.floor(day / 5)) * 24 * hour + (i % sessionHours) * hour
    if (next() < 0.02) trend = (next() - 0.5) * 0.004 - 0.001 * Math.log(close / 40)
    volatility = 0.0002 + 0.9 * volatility + 0.1 * Math.abs(normal()) * volatility * (next() < 0.02 ? 12 : 1)
    volatility = Math.min(0.03, volatility)
    if (!isFirstOfDay && next() < 0.03) {
      rows.push([timestamp, close, close, close, close, 0])
      continue
    }
    const open = ticks(isFirstOfDay ? close * (1 + 3 * volatility * normal()) : close)
    const drift = open * (1 + trend + volatility * normal())
    close = ticks(drift)
    const wick = () => volatility * next() * (next() < 0.02 ? 6 : 1)
    const high = ticks(Math.max(open, close) * (1 + wick()))
    const low = ticks(Math.min(open, close) * (1 - wick()))
    const volume = Math.round(1000 * (0.3 + next()) * (1 + 100 * volatility))
    rows.push([timestamp, open, Math.max(open, high, close), Math.min(open, low, close), close, volume])
  }
  const column = (k: 0 | 1 | 2 | 3 | 4 | 5) => rows.map(row => row[k])
  return {
    timestamp: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  }
}
