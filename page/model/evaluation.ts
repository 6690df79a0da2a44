import type { Candle, StudyRow } from './rows.js'

/** A sample of returns as the service describes it; shares, so 0.01 is one per cent. */
export interface ReturnStatistics {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly hitRate: number | null
  readonly meanInterval: readonly [number, number] | null
}

/** The reply of `POST /evaluate`, as far as the page shows it. */
export interface Evaluation {
  readonly candles: number
  readonly from: number
  readonly to: number
  readonly fired: number
  readonly returns: readonly {
    readonly after: number
    readonly signals: ReturnStatistics
    readonly baseline: ReturnStatistics
  }[]
  readonly warnings: readonly string[]
}

/** Numbers of candles after which returns are measured. */
export const horizons = [1, 5, 10, 20]

/**
 * The returns after a condition became true: from the open of the next candle to the close of the one `after` candles later,
 * as the service measures them.
 */
export function returnsAfter(
  candles: readonly Candle[],
  rows: readonly StudyRow[],
  after: number,
): readonly number[] {
  const places = new Map(candles.map(({ timestamp }, at) => [timestamp, at]))
  const returns: number[] = []
  for (let row = 1; row < rows.length; row++) {
    if (rows[row]?.values[0] !== true || rows[row - 1]?.values[0] !== false) continue
    const at = places.get(rows[row]?.timestamp ?? 0) ?? candles.length
    const [entry, exit] = [candles[at + 1], candles[at + after]]
    if (entry && exit && entry.open > 0) returns.push(exit.close / entry.open - 1)
  }
  return returns
}

/** Number of values in each of `bins` equal steps from the smallest to the largest one, with 0 at a bound of a step. */
export function distribution(
  values: readonly number[],
  bins = 12,
): readonly { readonly from: number; readonly to: number; readonly count: number }[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (low === high) return []
  const step = (high - low) / bins
  const below = Math.ceil(-low / step - 1e-9)
  const above = Math.ceil(high / step - 1e-9)
  return Array.from({ length: below + above }, (_, at) => {
    const [from, to] = [(at - below) * step, (at - below + 1) * step]
    const isLast = at === below + above - 1
    const count = values.filter(
      value => value >= from && (value < to || (isLast && value <= to + 1e-12)),
    ).length
    return { from, to, count }
  })
}
