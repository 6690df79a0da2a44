/** Anything that belongs to one candle. */
export interface Row {
  /** Unix seconds of the open of the candle. */
  readonly timestamp: number
}

export interface Candle extends Row {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export type Value = number | string | boolean | readonly string[] | null

/** The values of an indicator at one candle, in the order of its outputs. */
export interface StudyRow extends Row {
  readonly values: readonly Value[]
}

/** The index of the first row at or after a time, in rows sorted by time. */
export function indexAt(rows: readonly Row[], timestamp: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as Row).timestamp < timestamp) low = middle + 1
    else high = middle
  }
  return low
}

/** Both lists merged and sorted, each candle once; the row of `more` has priority. */
export function mergeRows<R extends Row>(rows: readonly R[], more: readonly R[]): readonly R[] {
  const [first, last] = [more[0], more.at(-1)]
  if (!first || !last) return rows
  const before = rows.slice(0, indexAt(rows, first.timestamp))
  const after = rows.slice(indexAt(rows, last.timestamp + 1))
  const inside = rows.slice(before.length, rows.length - after.length)
  if (inside.length === 0) return [...before, ...more, ...after]
  const byTime = new Map<number, R>()
  for (const row of [...inside, ...more]) byTime.set(row.timestamp, row)
  const merged = [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
  return [...before, ...merged, ...after]
}

/** Inserts one row into `rows` itself: appends a new one, replaces the newest one. */
export function putRow<R extends Row>(rows: R[], row: R): 'appended' | 'replaced' | 'inserted' {
  const last = rows.at(-1)
  if (!last || row.timestamp > last.timestamp) {
    rows.push(row)
    return 'appended'
  }
  const at = indexAt(rows, row.timestamp)
  const isThere = rows[at]?.timestamp === row.timestamp
  rows.splice(at, isThere ? 1 : 0, row)
  return isThere ? 'replaced' : 'inserted'
}

/**
 * Number of the newest candles to request after a pause, so that the last known candle is among them: that candle was still
 * forming when it arrived.
 */
export const missedCandles = (lastKnown: number, newest: number, candleSeconds: number): number =>
  Math.max(0, Math.round((newest - lastKnown) / candleSeconds)) + 2

/** Whether candles may be missing between the last known one and a new one. */
export const isGap = (lastKnown: number, next: number, candleSeconds: number): boolean =>
  next - lastKnown > candleSeconds
