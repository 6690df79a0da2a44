import type { Candle } from '../candles/candle.js'
import { Columns } from '../candles/columns.js'
import { type Gap, gapsIn } from '../candles/gaps.js'
import { isRescaled } from '../candles/rescale.js'
import { openOf, timeframes } from '../candles/timeframe.js'
import { keyOf, type Market } from '../contract/market.js'
import type { Source } from '../exchanges/source.js'
import type { Archive } from './archive.js'

/** Where the candles of a backfill are kept. */
type Place = Pick<Archive, 'read' | 'write' | 'replace' | 'depth' | 'setDepth' | 'requestedDepth' | 'remove'>

interface Options {
  readonly archive: Place
  readonly source: Source
  readonly market: Market
  /** Closed candles to have in the end, the newest ones. */
  readonly depth: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Candles that are asked for at once. */
  readonly batchSize?: number
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
const defaultBatchSize = 1980

/**
 * Fetches what is missing among the newest `depth` closed candles of a market, and keeps each batchSize before it asks for
 * the next one: whatever ends it, the next run goes on from there. What is missing between the newest one kept and now
 * comes first, forwards, so that whoever reads meanwhile meets no hole; then everything else, from the newest
 * backwards. Candles that are kept already are not fetched, unless the exchange shows the newest of them in another
 * scale (after a split): then none of them is of use. Rejects with a SourceFailure.
 */
export async function* backfill(options: Options): AsyncGenerator<Progress, void, void> {
  const { archive, source, market, depth, clock, batchSize = defaultBatchSize } = options
  const { symbol, timeframe } = market
  const key = keyOf(market)
  const length = timeframes[timeframe]
  const now = openOf(timeframe, clock())
  /** Down to here there is to be no hole, even where fewer candles are wanted. */
  const held = Math.max(depth, archive.depth(key))
  const reach = archive.requestedDepth(key)
  const stored = archive.read(key)
  const before = {
    columns: stored?.columns ?? new Columns(0),
    closed: stored?.closed ?? 0,
    count: stored?.closed ?? 0,
    forming: undefined,
  }
  /** The open times of what is archived, ascending. */
  const known = stored ? [...stored.columns.timestamp.subarray(0, stored.closed)].filter(at => at < now) : []

  let fetched = 0
  /** Those of them that closed the distance to now. */
  let joined = 0
  let done = 0
  let back: number | undefined
  let isExhausted = false
  let isOutOfScale = false
  const distance = (now - (known.at(-1) ?? now)) / length
  /** What is there is older than all that is wanted: what is fetched takes its place, or there would be a hole. */
  let isOutdated = distance >= held
  if (isOutdated) known.length = 0
  const progress = (): Progress => ({
    done: Math.min(Math.max(done, joined), depth),
    back,
    fetched,
    isExhausted,
  })

  /** Counts the archived candles down to `floor` as done. */
  const pass = (floor: number) => {
    for (let last = known.at(-1); last !== undefined && last >= floor && done < held; last = known.at(-1)) {
      back = known.pop()
      done++
    }
  }

  /** Fetches forwards from the newest candle, until two portions at most are missing. */
  async function* join(newest: number): AsyncGenerator<Progress, void, void> {
    for (let from = newest; (now - from) / length > 2 * batchSize; from += batchSize * length) {
      const found: Candle[] = []
      for (let until = from + batchSize * length; until > from; ) {
        const page = await source.candles(symbol, timeframe, Math.ceil((until - from) / length), {
          until,
          isBackground: true,
        })
        if (isRescaled(before, page)) {
          isOutOfScale = true
          return
        }
        const fresh = page.filter(({ timestamp }) => timestamp >= from && timestamp < until)
        found.unshift(...fresh)
        if (fresh.length === 0) break
        until = (fresh[0] as Candle).timestamp
      }
      const fresh = found.filter(({ timestamp }) => timestamp > newest)
      archive.setDepth(key, Math.min(depth, known.length + fresh.length))
      archive.write(key, fresh)
      for (const { timestamp } of fresh) known.push(timestamp)
      fetched += fresh.length
      joined += fresh.length
      yield progress()
    }
  }

  /** Fetches the candles that open from `from` on and before `to`, until there are `most`. */
  async function* fill(from: number, to: number, most: number): AsyncGenerator<Progress, void, void> {
    let waiting: readonly Candle[] = []
    for (let until = to; until > from && done < most && !isExhausted; ) {
      const missing = Math.min(most - done, (until - from) / length)
      const count = missing <= 2 * batchSize ? missing : batchSize
      const page = await source.candles(symbol, timeframe, count, { until, isBackground: true })
      if (isRescaled(before, page)) {
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
      if (until > from && (until - from) / length < batchSize) continue
      const times = new Set(waiting.map(({ timestamp }) => timestamp))
      for (let last = known.at(-1); last !== undefined && last >= until; last = known.at(-1)) {
        times.add(last)
        known.pop()
      }
      done += times.size
      for (const time of times) if (back === undefined || time < back) back = time
      fetched += waiting.length
      // A depth that is there already keeps a service from fetching the same candles meanwhile.
      archive.setDepth(key, Math.min(done + known.length, depth))
      if (isOutdated && waiting.length > 0) {
        archive.replace(key, waiting, done)
        isOutdated = false
      } else archive.write(key, waiting, done)
      waiting = []
      yield progress()
    }
  }

  // What lies between the newest one and now comes first, forwards, so that whoever reads meanwhile meets no hole.
  const newestKept = known.at(-1)
  if (newestKept !== undefined && distance > 2 * batchSize) yield* join(newestKept)
  if (isOutOfScale) {
    archive.remove(key)
    return yield* backfill(options)
  }
  for (const span of spansOf(known, { now, length, reach, held, batchSize })) {
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
  archive.setDepth(key, depth)
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
    batchSize,
  }: Readonly<Record<'now' | 'length' | 'reach' | 'held' | 'batchSize', number>>,
): readonly Gap[] {
  const newest = known.at(-1)
  if (newest === undefined) return []
  const spans: Gap[] = []
  const add = ({ from, to }: Gap) => {
    const above = spans.at(-1)
    if (above && (above.to - from) / length <= batchSize) spans[spans.length - 1] = { from, to: above.to }
    else spans.push({ from, to })
  }
  // The newest one is asked for again: it shows whether the exchange still counts in the same scale.
  if (newest + length < now) add({ from: newest, to: now })
  const oldest = known[Math.max(0, known.length - reach)] ?? now
  const kept = known.slice(-held)
  for (const gap of gapsIn(kept, kept.length, length).reverse()) {
    const isAsked = gap.from > oldest && (gap.to - gap.from) / length < batchSize
    if (!isAsked) add(gap)
  }
  return spans
}
