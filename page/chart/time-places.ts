import { indexAt, type Row } from '../model/rows.js'

/** Seconds from a candle to the next one: the least distance among the newest candles, because markets have breaks. */
export function stepOf(rows: readonly Row[]): number {
  const newest = rows.slice(-50)
  const steps = newest.slice(1).map(({ timestamp }, at) => timestamp - (newest[at] as Row).timestamp)
  return Math.min(...steps, 86_400 * 31)
}

/**
 * The place of the candle that contains a time, the oldest one being 0; times before and behind the candles have places,
 * too.
 */
export function placeOfTime(rows: readonly Row[], time: number): number {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return 0
  const step = stepOf(rows)
  if (time < first.timestamp) return Math.floor((time - first.timestamp) / step)
  if (time >= last.timestamp + step) return rows.length - 1 + Math.floor((time - last.timestamp) / step)
  return indexAt(rows, time + 1) - 1
}

/** The time at which the candle at a place opens. */
export function timeOfPlace(rows: readonly Row[], place: number): number {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return 0
  const step = stepOf(rows)
  if (place < 0) return first.timestamp + place * step
  const beyond = place - (rows.length - 1)
  return beyond > 0 ? last.timestamp + beyond * step : (rows[place] as Row).timestamp
}
