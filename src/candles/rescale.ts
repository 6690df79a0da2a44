import { type Candle, inOrder } from './candle.js'
import { type Columns, countBefore, type Snapshot } from './columns.js'

/** Minimum relative change of prices by a rescale. Smaller changes are corrections. */
const minChange = 0.005
/** Maximum relative difference between the factors of a candle's four prices. Providers round rescaled prices. */
const maxSpread = 0.002
/** Maximum relative difference between the factor of the volume and the inverse of the factor of the prices. */
const maxVolumeSpread = 0.02
/** Greatest number in a plausible ratio such as 3:2; ratios p:1 are not limited. 21:20 is a stock dividend of 5 %. */
const maxTerm = 21

/** Factors of the prices and the volume of candles. */
export interface Factors {
  readonly price: number
  readonly volume: number
}

/** Factors that convert known candles to the scale in which an exchange shows a series. */
export interface Scale extends Factors {
  /** Open time of the newest known candle in the old scale, in Unix seconds. */
  readonly until: number
}

/**
 * Whether arrived candles show a known closed candle with all four prices multiplied by the same factor. The cause may be a
 * split, a redenomination of a coin, or a correction of a candle with equal prices. Only all candles of the exchange show which
 * it is.
 */
export function mayBeRescaled({ columns, closed }: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const at = indexOf(columns, closed, candle)
    return at !== undefined && factorOf(columns, at, candle) !== undefined
  })
}

/**
 * Whether arrived candles may be in another scale than a series: known candles are multiplied by a factor. If the exchange
 * restates candles (`isRestated`), any difference counts, because the factor may be as small as that of a dividend.
 */
export const isInAnotherScale = (known: Snapshot, arrived: readonly Candle[], isRestated = false): boolean =>
  mayBeRescaled(known, arrived) || (isRestated && isCorrected(known, arrived))

function isCorrected({ columns, closed }: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const at = indexOf(columns, closed, candle)
    return at !== undefined && columns.close[at] !== candle.close
  })
}

/**
 * Scale of known candles relative to the candles that an exchange shows now. Compares the two oldest common candles whose four
 * prices are not all equal. Both must be multiplied by the same plausible factor. Plausible are p:1 and 1:p for any whole number
 * p (a split, a redenomination), and ratios of whole numbers up to 21.
 *
 * The volumes show whether volumes were multiplied by the inverse. Returns `same` if the two candles are unchanged, and `unknown`
 * in all other cases.
 */
export function scaleOf({ columns, closed }: Snapshot, shown: readonly Candle[]): Scale | 'same' | 'unknown' {
  const oldest: (readonly [factor: number | undefined, volume: number])[] = []
  for (const candle of shown) {
    if (oldest.length === 2) break
    const at = indexOf(columns, closed, candle)
    if (at === undefined || isFlat(candle) || isFlat(columns.read(at))) continue
    oldest.push([factorOf(columns, at, candle), candle.volume / (columns.volume[at] as number)])
  }
  const [one, other] = oldest
  if (!one || !other) return 'unknown'
  if (one[0] === undefined && other[0] === undefined) return 'same'
  if (one[0] === undefined || other[0] === undefined || !isNear(one[0], other[0])) return 'unknown'
  const price = plausibleOf(one[0])
  if (price === undefined) return 'unknown'
  const isInverse = oldest.every(([, volume]) => Math.abs(volume * price - 1) < maxVolumeSpread)
  const newest = shown.findLast(candle => {
    const at = indexOf(columns, closed, candle)
    return at !== undefined && isNear(factorOf(columns, at, candle) ?? 1, price)
  }) as Candle
  return { price, volume: isInverse ? 1 / price : 1, until: newest.timestamp }
}

/** Known closed candles that are older than the newest shown candle and not among the shown ones, converted to their scale. */
export function restInScale({ columns, closed }: Snapshot, shown: readonly Candle[], scale: Scale): Candle[] {
  const rest: Candle[] = []
  let at = 0
  for (const { timestamp } of inOrder(shown)) {
    for (; at < closed && (columns.timestamp[at] as number) < timestamp; at++) {
      const candle = columns.read(at)
      rest.push(candle.timestamp <= scale.until ? scaled(candle, scale) : candle)
    }
    if (at < closed && columns.timestamp[at] === timestamp) at++
  }
  return rest
}

export const scaled = (candle: Candle, { price, volume }: Factors): Candle => ({
  timestamp: candle.timestamp,
  open: candle.open * price,
  high: candle.high * price,
  low: candle.low * price,
  close: candle.close * price,
  volume: candle.volume * volume,
})

function indexOf(columns: Columns, closed: number, { timestamp }: Candle): number | undefined {
  const at = countBefore(columns, closed, timestamp)
  return at < closed && columns.timestamp[at] === timestamp ? at : undefined
}

/** Common factor of the four prices of a known candle; undefined if the factors differ or the prices hardly changed. */
function factorOf(columns: Columns, at: number, { open, high, low, close }: Candle): number | undefined {
  const factor = close / (columns.close[at] as number)
  if (!(factor > 0) || Math.abs(factor - 1) < minChange) return undefined
  const old = columns.read(at)
  return [open / old.open, high / old.high, low / old.low].every(other => isNear(other, factor))
    ? factor
    : undefined
}

const isNear = (one: number, other: number): boolean => Math.abs(one / other - 1) < maxSpread

const isFlat = ({ open, high, low, close }: Candle): boolean =>
  high === low && open === close && open === high

/** Plausible factor near a given factor, with the smallest whole numbers; undefined if there is none. */
function plausibleOf(factor: number): number | undefined {
  const ratio = Math.max(factor, 1 / factor)
  for (let q = 1; q < maxTerm; q++) {
    const p = Math.round(ratio * q)
    if (p === q || (q > 1 && p > maxTerm) || !isNear(p / q, ratio)) continue
    return factor > 1 ? p / q : q / p
  }
  return undefined
}
