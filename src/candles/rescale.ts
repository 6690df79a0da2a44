import { type Candle, inOrder } from './candle.js'
import { type Columns, countBefore, type Snapshot } from './columns.js'

/** A candle whose prices differ by less than this share was corrected, not rescaled. */
const minChange = 0.005
/** How far the factors of a candle's four prices may differ: providers round rescaled prices. */
const maxSpread = 0.002
/** How far the factor of the volume may differ from the inverse of that of the prices. */
const maxVolumeSpread = 0.02
/** The greatest number in a plausible ratio, such as 3:2, but for those to one: 21:20 is a stock dividend of 5 %. */
const maxTerm = 21

/** By what candles are multiplied. */
export interface Factors {
  readonly price: number
  readonly volume: number
}

/** By what known candles are multiplied to be in the scale in which an exchange shows a series. */
export interface Scale extends Factors {
  /** The open time of the newest known candle that is in the other scale, Unix seconds. */
  readonly until: number
}

/**
 * Whether the candles that arrived show a known closed one with all four prices multiplied by one factor: after a split,
 * when a coin was redenominated, or by a correction of a candle whose prices are equal. What it is, all candles that the
 * exchange has can say.
 */
export function mayBeRescaled({ columns, closed }: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const at = placeOf(columns, closed, candle)
    return at !== undefined && factorOf(columns, at, candle) !== undefined
  })
}

/**
 * Whether candles that arrived may be in another scale than a series: known ones are multiplied, or differ at all where the
 * exchange restates them (`isRestated`), by factors that may be as small as a dividend.
 */
export const isInAnotherScale = (known: Snapshot, arrived: readonly Candle[], isRestated = false): boolean =>
  mayBeRescaled(known, arrived) || (isRestated && isCorrected(known, arrived))

function isCorrected({ columns, closed }: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const at = placeOf(columns, closed, candle)
    return at !== undefined && columns.close[at] !== candle.close
  })
}

/**
 * The scale of known candles that are older than those that an exchange shows now: two of the candles in common, the
 * oldest ones whose four prices are not equal, were multiplied by one plausible factor. That is p:1 or 1:p of any whole
 * number p (a split, a redenomination), or a ratio of whole numbers up to 21. Their volume says whether volumes were
 * multiplied by the inverse. `same` where these two are as they were, and `unknown` in all other cases.
 */
export function scaleOf({ columns, closed }: Snapshot, shown: readonly Candle[]): Scale | 'same' | 'unknown' {
  const oldest: (readonly [factor: number | undefined, volume: number])[] = []
  for (const candle of shown) {
    if (oldest.length === 2) break
    const at = placeOf(columns, closed, candle)
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
    const at = placeOf(columns, closed, candle)
    return at !== undefined && isNear(factorOf(columns, at, candle) ?? 1, price)
  }) as Candle
  return { price, volume: isInverse ? 1 / price : 1, until: newest.timestamp }
}

/** The known closed candles before the newest of those that an exchange shows that are not among these, in their scale. */
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

/** A candle in another scale. */
export const scaled = (candle: Candle, { price, volume }: Factors): Candle => ({
  timestamp: candle.timestamp,
  open: candle.open * price,
  high: candle.high * price,
  low: candle.low * price,
  close: candle.close * price,
  volume: candle.volume * volume,
})

/** Where the closed candle of the same time is; undefined where there is none. */
function placeOf(columns: Columns, closed: number, { timestamp }: Candle): number | undefined {
  const at = countBefore(columns, closed, timestamp)
  return at < closed && columns.timestamp[at] === timestamp ? at : undefined
}

/** The factor of all four prices of a known candle, or undefined where they have several or hardly changed. */
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

/** The plausible factor that another one is near, with the smallest numbers. */
function plausibleOf(factor: number): number | undefined {
  const ratio = Math.max(factor, 1 / factor)
  for (let q = 1; q < maxTerm; q++) {
    const p = Math.round(ratio * q)
    if (p === q || (q > 1 && p > maxTerm) || !isNear(p / q, ratio)) continue
    return factor > 1 ? p / q : q / p
  }
  return undefined
}
