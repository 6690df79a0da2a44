import { originOf } from '../../src/catalogue/shape.js'
import { type Candle, indexAt, type StudyRow } from '../model/rows.js'
import type { Side } from './shape.js'

interface End {
  readonly timestamp: number
  readonly price: number
}

/** A straight line between two prices; without an end the line is level and reaches to the right edge. */
export interface Stroke {
  readonly from: End
  readonly to: End | undefined
  readonly side: Side
  readonly isDashed?: boolean
  readonly isFaint?: boolean
  readonly label?: string
}

/** The newest candle up to `at`, and after `after`, one of whose prices is `price`. */
const originIn = (candles: readonly Candle[], price: number, at: number, after = -1) =>
  originOf(price, Math.min(at, candles.length - 1), after, k => {
    const { high, low, close } = candles[k] as Candle
    return [high, low, close]
  })

/** The lowest and the highest price of some candles, and their times. */
function extremes(candles: readonly Candle[]): { readonly low: End; readonly high: End } | undefined {
  const [first, ...rest] = candles
  if (!first) return undefined
  let [low, high] = [first, first]
  for (const candle of rest) {
    if (candle.low < low.low) low = candle
    if (candle.high > high.high) high = candle
  }
  return {
    low: { timestamp: low.timestamp, price: low.low },
    high: { timestamp: high.timestamp, price: high.high },
  }
}

/** The lines from pivot to pivot of an output that gives the price of a pivot at the candle that confirms it, and a dashed one to the extreme since. */
export function segmentsOf(rows: readonly StudyRow[], output: number, candles: readonly Candle[]): Stroke[] {
  const pivots: (End & { readonly at: number })[] = []
  for (const { timestamp, values } of rows) {
    const price = values[output]
    if (typeof price !== 'number') continue
    const at = originIn(candles, price, indexAt(candles, timestamp), pivots.at(-1)?.at)
    const candle = at === undefined ? undefined : candles[at]
    if (candle && at !== undefined) pivots.push({ at, price, timestamp: candle.timestamp })
  }
  const lines: Stroke[] = pivots.slice(1).map((to, k) => ({ from: pivots[k] as End, to, side: 0 }))
  const [before, last] = [pivots.at(-2), pivots.at(-1)]
  const range = last && extremes(candles.slice(last.at + 1))
  if (!last || !range) return lines
  const isLow = before ? last.price < before.price : last.price === candles[last.at]?.low
  return [...lines, { from: last, to: isLow ? range.high : range.low, side: 0, isDashed: true }]
}

/** Levels from the candle whose price they are to the candle that gives them. */
export function breaksOf(
  rows: readonly StudyRow[],
  output: number,
  candles: readonly Candle[],
  sideAt: (row: StudyRow) => Side,
  label: string,
): Stroke[] {
  return rows.flatMap((row): Stroke[] => {
    const price = row.values[output]
    if (typeof price !== 'number') return []
    const { timestamp } = row
    const origin = candles[originIn(candles, price, indexAt(candles, timestamp) - 1) ?? -1]
    if (!origin) return []
    return [
      { from: { timestamp: origin.timestamp, price }, to: { timestamp, price }, side: sideAt(row), label },
    ]
  })
}

/** Lines between the lows, or the highs, of a marked candle and of the candle that its span names. */
export function spansOf(
  rows: readonly StudyRow[],
  { mark, span, shift }: { readonly mark: number; readonly span: number; readonly shift: number },
  candles: readonly Candle[],
): Stroke[] {
  return rows.flatMap((row): Stroke[] => {
    const [value, length] = [row.values[mark], row.values[span]]
    if (typeof value !== 'number' || value === 0 || typeof length !== 'number') return []
    const at = indexAt(candles, row.timestamp) + shift
    const [newer, older] = [candles[at], candles[at - length]]
    if (!newer || !older) return []
    const end = ({ timestamp, low, high }: Candle): End => ({ timestamp, price: value > 0 ? low : high })
    return [{ from: end(older), to: end(newer), side: value > 0 ? 1 : -1 }]
  })
}

/** The levels of a retracement at the newest row, with their shares and prices, and the move that is retraced. */
export function retracementOf(
  rows: readonly StudyRow[],
  places: readonly number[],
  ratios: readonly number[],
  priceText: (price: number) => string,
): Stroke[] {
  const [start, end, startTime, endTime] = places.map(place => rows.at(-1)?.values[place])
  if (typeof start !== 'number' || typeof end !== 'number') return []
  if (typeof startTime !== 'number' || typeof endTime !== 'number') return []
  const timestamp = Math.min(startTime, endTime)
  const levels = ratios.map((ratio): Stroke => {
    const price = end + (start - end) * ratio
    return {
      from: { timestamp, price },
      to: undefined,
      side: 0,
      isFaint: true,
      label: `${ratio}  ${priceText(price)}`,
    }
  })
  const from = { timestamp: startTime, price: start }
  return [...levels, { from, to: { timestamp: endTime, price: end }, side: 0, isDashed: true, isFaint: true }]
}
