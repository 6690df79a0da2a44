import type { Candle } from '../candles/candle.js'
import { type Gap, gapsIn } from '../candles/gaps.js'
import { isRescaled } from '../candles/rescale.js'
import { openOf, timeframes } from '../candles/timeframe.js'
import { keyOf, type Market } from '../contract/market.js'
import type { Archive } from './archive.js'
import type { Source } from './source.js'

/** Where the candles of a backfill are kept. */
type Place = Pick<Archive, 'read' | 'write' | 'depth' | 'keep' | 'reach' | 'remove'>

interface Options {
  readonly archive: Place
  readonly source: Source
  readonly market: Market
  /** Closed candles to have in the end, the newest ones. */
  readonly depth: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Candles that are asked for at once. */
  readonly portion?: number
}

/** How far a backfill has come. */
export interface Progress {
  /** Closed candles that are archived without anything to ask for between them, counted from the newest. */
  readonly done: number
  /** Unix seconds of the open of the oldest of them; undefined where there is none. */
  readonly back: number | undefined
  /** Candles that this run has fetched. */
  readonly fetched: number
  /** Whether the exchange has nothing older. */
  readonly isExhausted: boolean
}

/**
 * A little less than two pages of a thousand candles, because pages overlap by one; pages of 500, 200 and 100 candles
 * make it up as well, with little left over.
 */
const usualPortion = 1980

/**
 * Fetches what is missing among the newest `depth` closed candles of a market, from the newest backwards, and keeps
 * each portion before it asks for the next one: whatever ends it, the next run goes on from there. Candles that are
 * kept already are not fetched, unless the exchange shows the newest of them in another scale (after a split): then
 * none of them is of use. Rejects with a SourceFailure.
 */
export async function* backfill(options: Options): AsyncGenerator<Progress, void, void> {
  const { archive, source, market, depth, clock, portion = usualPortion } = options
  const { symbol, timeframe } = market
  const key = keyOf(market)
  const length = timeframes[timeframe]
  const now = openOf(timeframe, clock())
  /** Down to here there is to be no hole, even where fewer candles are wanted. */
  const held = Math.max(depth, archive.depth(key))
  const reach = archive.reach(key)
  const stored = archive.read(key)
  /** The open times of what is archived, ascending. */
  const known = stored ? [...stored.columns.timestamp.subarray(0, stored.closed)].filter(at => at < now) : []

  let fetched = 0
  let done = 0
  let back: number | undefined
  let isExhausted = false
  let isOutOfScale = false
  const progress = (): Progress => ({ done: Math.min(done, depth), back, fetched, isExhausted })

  /** Counts the archived candles down to `floor` as done. */
  const pass = (floor: number) => {
    for (let last = known.at(-1); last !== undefined && last >= floor && done < held; last = known.at(-1)) {
      back = known.pop()
      done++
    }
  }

  /** Fetches the candles that open from `from` on and before `to`, until there are `most`. */
  async function* fill(from: number, to: number, most: number): AsyncGenerator<Progress, void, void> {
    let waiting: readonly Candle[] = []
    for (let until = to; until > from && done < most && !isExhausted; ) {
      const missing = Math.min(most - done, (until - from) / length)
      const count = missing <= 2 * portion ? missing : portion
      const page = await source.candles(symbol, timeframe, count, { until, isBackground: true })
      if (stored && isRescaled({ ...stored, forming: undefined, count: stored.closed }, page)) {
        isOutOfScale = true
        return
      }
      // Candles of a session open when it does: one that opened before `now` may not have ended.
      const fresh = page.filter(
        ({ timestamp }) => timestamp >= from && timestamp < until && timestamp + length <= clock(),
      )
      isExhausted = page.length === 0
      const isFilled = fresh.length === 0 || (page[0] as Candle).timestamp < from
      until = isFilled ? from : (fresh[0] as Candle).timestamp
      waiting = [...fresh, ...waiting]
      // What an interruption leaves must not be so short that it is taken for a gap of the exchange.
      if (until > from && (until - from) / length < portion) continue
      const times = new Set(waiting.map(({ timestamp }) => timestamp))
      for (let last = known.at(-1); last !== undefined && last >= until; last = known.at(-1)) {
        times.add(last)
        known.pop()
      }
      done += times.size
      for (const time of times) if (back === undefined || time < back) back = time
      fetched += waiting.length
      // A depth that is there already keeps a service from fetching the same candles meanwhile.
      archive.keep(key, Math.min(done + known.length, depth))
      archive.write(key, waiting, done)
      waiting = []
      yield progress()
    }
  }

  for (const span of spansOf(known, { now, length, reach, held, portion })) {
    pass(span.to)
    yield progress()
    if (done >= held || isExhausted) break
    yield* fill(span.from, span.to, held)
    if (isOutOfScale) {
      archive.remove(key)
      return yield* backfill(options)
    }
  }
  pass(Number.NEGATIVE_INFINITY)
  yield progress()
  if (done < depth && !isExhausted) yield* fill(Number.NEGATIVE_INFINITY, back ?? now, depth)
  const newest = archive.read(key, 1)
  if (newest) archive.write(key, [newest.columns.read(0)], depth)
  archive.keep(key, depth)
  yield progress()
}

/**
 * The stretches of time to ask for, newest first: what is missing at the end, and the gaps among the newest `held`
 * candles that may be filled. Gaps within what the exchange was asked for before are its own, unless they are so long
 * that something must have come between. Neighbouring gaps are one stretch where one request holds both.
 */
function spansOf(
  known: readonly number[],
  {
    now,
    length,
    reach,
    held,
    portion,
  }: Readonly<Record<'now' | 'length' | 'reach' | 'held' | 'portion', number>>,
): readonly Gap[] {
  const newest = known.at(-1)
  if (newest === undefined) return []
  const spans: Gap[] = []
  const add = ({ from, to }: Gap) => {
    const above = spans.at(-1)
    if (above && (above.to - from) / length <= portion) spans[spans.length - 1] = { from, to: above.to }
    else spans.push({ from, to })
  }
  // The newest one is asked for again: it shows whether the exchange still counts in the same scale.
  if (newest + length < now) add({ from: newest, to: now })
  const oldest = known[Math.max(0, known.length - reach)] ?? now
  const kept = known.slice(-held)
  for (const gap of gapsIn(kept, kept.length, length).reverse()) {
    const isAsked = gap.from > oldest && (gap.to - gap.from) / length < portion
    if (!isAsked) add(gap)
  }
  return spans
}
