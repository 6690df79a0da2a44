import type { Candle } from '../candles/candle.js'
import type { Columns } from '../candles/columns.js'
import { type Gap, gapsIn } from '../candles/gaps.js'
import { openOf, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import type { Source } from './source.js'

/** Where the candles of a backfill are kept. */
interface Place {
  read(key: string, count?: number): { readonly columns: Columns; readonly closed: number } | undefined
  /** Takes candles in; `reach` is how many of the newest ones the exchange was asked for. */
  write(key: string, candles: readonly Candle[], reach?: number): void
  /** Takes candles in, in the place of all that was there. */
  replace(key: string, candles: readonly Candle[], reach?: number): void
  /** Candles to keep at least of a series. */
  depth(key: string): number
  keep(key: string, depth: number): void
  /** The newest candles of which the exchange was asked for all. */
  reach(key: string): number
}

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

export const keyOf = ({ exchange, symbol, timeframe }: Market): string => `${exchange}:${symbol}:${timeframe}`

/**
 * Fetches what is missing among the newest `depth` closed candles of a market, and keeps each portion before it asks for
 * the next one: whatever ends it, the next run goes on from there. Candles that are kept already are not fetched. What
 * is missing between them and now comes first, forwards, so that whoever reads meanwhile meets no hole; then everything
 * else from the newest backwards. Rejects with a SourceFailure.
 */
export async function* backfill({
  archive,
  source,
  market,
  depth,
  clock,
  portion = usualPortion,
}: Options): AsyncGenerator<Progress, void, void> {
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
  const newest = known.at(-1)
  /** What is there is older than all that is to be kept: new candles take its place. */
  let isOutdated = newest !== undefined && (now - newest) / length > held
  if (isOutdated) known.length = 0

  let fetched = 0
  /** Fetched to close the distance to now. */
  let joined = 0
  let done = 0
  let back: number | undefined
  let isExhausted = false
  const progress = (): Progress => ({
    done: Math.min(Math.max(done, joined), depth),
    back,
    fetched,
    isExhausted,
  })

  /**
   * Takes in candles, `above` of which there are as many above them. The depth grows with what is there: a service
   * that finds less than it is to keep fetches the rest by itself.
   */
  const write = (candles: readonly Candle[], above: number) => {
    const count = above + candles.length
    archive.keep(key, Math.min(depth, count + known.length))
    if (isOutdated && candles.length > 0) archive.replace(key, candles, count)
    else archive.write(key, candles, count)
    if (candles.length > 0) isOutdated = false
    fetched += candles.length
  }

  /** Notes down how many of the newest candles the exchange was asked for. */
  const reached = (count: number) => {
    const newest = archive.read(key, 1)
    if (newest) archive.write(key, [newest.columns.read(newest.closed - 1)], count)
  }

  /** Counts the archived candles down to `floor` as done. */
  const pass = (floor: number) => {
    for (let last = known.at(-1); last !== undefined && last >= floor && done < held; last = known.at(-1)) {
      back = known.pop()
      done++
    }
  }

  const isClosed = ({ timestamp }: Candle) => timestamp + length <= clock()

  /** The newest candles that open before a moment. */
  const ask = (count: number, until: number) =>
    source.candles(symbol, timeframe, count, { until, isBackground: true })

  /** Fetches the candles that open from `from` on and before `to`. */
  async function whole(from: number, to: number): Promise<readonly Candle[]> {
    const found: Candle[] = []
    for (let until = to; until > from; ) {
      const page = await ask((until - from) / length, until)
      const fresh = page.filter(({ timestamp }) => timestamp >= from && timestamp < until)
      found.unshift(...fresh)
      const [oldest] = page
      if (fresh.length === 0 || (oldest as Candle).timestamp <= from) break
      until = (fresh[0] as Candle).timestamp
    }
    return found.filter(isClosed)
  }

  /** Fetches the candles that open from `from` on and before `to`, until there are `most`. */
  async function* fill(from: number, to: number, most: number): AsyncGenerator<Progress, void, void> {
    let waiting: readonly Candle[] = []
    for (let until = to; until > from && done < most && !isExhausted; ) {
      const missing = Math.min(most - done, (until - from) / length)
      const count = missing <= 2 * portion ? missing : portion
      const page = await ask(count, until)
      const fresh = page.filter(
        candle => candle.timestamp >= from && candle.timestamp < until && isClosed(candle),
      )
      isExhausted = page.length === 0
      const isFilled = fresh.length === 0 || (page[0] as Candle).timestamp < from
      until = isFilled ? from : (fresh[0] as Candle).timestamp
      waiting = [...fresh, ...waiting]
      // What an interruption leaves must not be so short that it is taken for a gap of the exchange.
      if (until > from && (until - from) / length < portion) continue
      write(waiting, done)
      const times = new Set(waiting.map(({ timestamp }) => timestamp))
      for (let last = known.at(-1); last !== undefined && last >= until; last = known.at(-1)) {
        times.add(last)
        known.pop()
      }
      done += times.size
      back = times.size > 0 ? Math.min(...times) : back
      waiting = []
      reached(done)
      yield progress()
    }
  }

  for (
    let from = (known.at(-1) ?? now) + length;
    (now - from) / length > 2 * portion;
    from += portion * length
  ) {
    const fresh = await whole(from, from + portion * length)
    archive.keep(key, Math.min(depth, known.length + fresh.length))
    archive.write(key, fresh)
    fetched += fresh.length
    joined += fresh.length
    for (const { timestamp } of fresh) known.push(timestamp)
    yield progress()
  }
  for (const span of spansOf(known, { now, length, reach, held, portion })) {
    pass(span.to)
    yield progress()
    if (done >= held || isExhausted) break
    yield* fill(span.from, span.to, held)
  }
  pass(Number.NEGATIVE_INFINITY)
  yield progress()
  if (done < depth && !isExhausted) yield* fill(Number.NEGATIVE_INFINITY, back ?? now, depth)
  reached(depth)
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
  if (newest + length < now) add({ from: newest + length, to: now })
  const oldest = known[Math.max(0, known.length - reach)] ?? now
  const kept = known.slice(-held)
  for (const gap of gapsIn(kept, kept.length, length).reverse()) {
    const isAsked = gap.from > oldest && (gap.to - gap.from) / length < portion
    if (!isAsked) add(gap)
  }
  return spans
}
