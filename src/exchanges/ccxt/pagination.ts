import type { Candle } from '../../candles/candle.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import { type Anomaly, SourceFailure } from '../source.js'
import type { ListedMarket, OpenClient } from './client.js'
import { readRows } from './rows.js'

/** Candles per request where ccxt does not know the exchange's bound. */
const defaultPageSize = 500
/** The least that the newest page asks for: several exchanges take a time range and answer nothing for one candle. */
const minPageSize = 10
/** Unix seconds of 2009-01-03, the first block of Bitcoin: no market is older, and some exchanges refuse the epoch. */
const genesis = Date.UTC(2009, 0, 3) / 1000

/** Refetches in a row that fill no gap; after them the market is taken for one that trades seldom. */
const maxFruitlessRefetches = 3

/** How a history is fetched page by page. */
interface Options {
  /** Candles asked for in one request at most; the exchange's own bound holds where it is lower. */
  readonly pageLimit: number
  readonly maxPages: number
  /** Gaps that the exchange has shown twice, so that nothing was traded there. */
  readonly gaps: { has(gap: string): boolean; set(gap: string, isReal: true): unknown }
  /** Does one request, as often as is sensible. */
  readonly ask: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  readonly onAnomaly: (anomaly: Anomaly) => void
}

/**
 * The newest candles of a market, or the newest of those that open before `until`, ascending, by pages from the newest
 * one backwards. A page with a gap is asked for once more. History ends at the first page that brings nothing older,
 * so a gap that is longer than a page ends it too.
 */
export async function fetchHistory(
  { client, errors }: OpenClient,
  market: ListedMarket,
  timeframe: Timeframe,
  count: number,
  until: number | undefined,
  { pageLimit, maxPages, gaps, ask, onAnomaly }: Options,
): Promise<readonly Candle[]> {
  const bound =
    client.featureValueByType(market.type, market.subType, 'fetchOHLCV', 'limit', defaultPageSize) ??
    defaultPageSize
  const size = Math.max(2, Math.min(pageLimit, bound))
  const length = timeframes[timeframe]
  const found = new Map<number, Candle>()
  let pages = 0
  let fruitless = 0

  /** The sound candles of one reply: those from `since` (Unix seconds) on, or the newest ones. */
  const page = async (since: number | undefined, limit: number): Promise<Candle[]> => {
    pages++
    const rows = await ask(async () => {
      try {
        return await client.fetchOHLCV(market.symbol, timeframe, since && since * 1000, limit)
      } catch (error) {
        if (!(error instanceof errors.ArgumentsRequired)) throw error
        // A few exchanges (pacifica, zebpay) insist on both ends of the range.
        const from = since === undefined ? Date.now() - limit * length * 1000 : since * 1000
        return client.fetchOHLCV(market.symbol, timeframe, from, limit, {
          until: from + limit * length * 1000,
        })
      }
    })
    return readRows(rows, Date.now() / 1000, onAnomaly)
  }

  /** All candles from `since` to `end`, both included; none where history has ended or the pages ran out. */
  const span = async (since: number, end: number): Promise<Iterable<Candle>> => {
    const within = new Map<number, Candle>()
    for (let from = since; pages < maxPages; ) {
      const candles = await page(from, size)
      const known = within.size
      let reached = from
      for (const candle of candles) {
        reached = Math.max(reached, candle.timestamp)
        if (candle.timestamp <= end) within.set(candle.timestamp, candle)
      }
      if (within.size === known || reached + length >= end) return within.values()
      // The exchange answered less than was asked, which leaves a hole before `end`.
      from = reached
    }
    return []
  }

  const ascending = (times: Iterable<number>) => [...new Set(times)].sort((a, b) => a - b)

  /** Takes in all candles from `since` to `end`; answers when they open, ascending. */
  const keep = async (since: number, end: number): Promise<readonly number[]> => {
    const times: number[] = []
    try {
      for (const candle of await span(since, end)) {
        found.set(candle.timestamp, candle)
        times.push(candle.timestamp)
      }
    } catch (error) {
      // Several exchanges refuse a range that is too long ago instead of answering nothing.
      const cause = error instanceof SourceFailure ? error.cause : undefined
      if (!(cause instanceof errors.BadRequest) || cause instanceof errors.BadSymbol) throw error
    }
    return ascending(times)
  }

  const gapName = ([before, after]: readonly [number, number]) =>
    `${market.symbol} ${timeframe} ${before} ${after}`

  /** The gaps that are not known to be real, as the candles on either side. */
  const gapsAmong = (times: readonly number[]): (readonly [before: number, after: number])[] =>
    times
      .slice(1)
      .map((after, at) => [times[at] as number, after] as const)
      .filter(gap => gap[1] - gap[0] > length && !gaps.has(gapName(gap)))

  /** Asks once more for what lies around the gaps among the oldest candles so far; those that stay are real. */
  const mend = async (times: readonly number[]): Promise<void> => {
    // What is older than all that is wanted may have gaps.
    const wanted = times.slice(Math.max(0, found.size - count))
    const missing = gapsAmong(wanted)
    const [first, last] = [missing[0], missing.at(-1)]
    if (first === undefined || last === undefined || fruitless >= maxFruitlessRefetches || pages >= maxPages)
      return
    const known = found.size
    const again = await keep(first[0], last[1])
    if (again.length === 0) return
    const mended = found.size - known
    fruitless = mended > 0 ? 0 : fruitless + 1
    for (let k = 0; k < mended; k++) onAnomaly('filled-gap')
    for (const gap of gapsAmong(ascending([...wanted, ...again]))) {
      gaps.set(gapName(gap), true)
      onAnomaly('gap')
    }
  }

  let end = (until ?? 0) - 1
  let oldest = Number.POSITIVE_INFINITY
  if (until === undefined) {
    const candles = await page(undefined, Math.min(size, Math.max(count, minPageSize)))
    const [first] = candles
    if (first === undefined) return []
    for (const candle of candles) found.set(candle.timestamp, candle)
    end = oldest = first.timestamp
    await mend([...found.keys()])
  }
  while (found.size < count && pages < maxPages && end > genesis) {
    // Spans overlap by one candle, for the exchanges that leave out the one that opens at `since`.
    const since = Math.max(genesis, end - (size - 1) * length)
    const known = found.size
    const times = await keep(since, end)
    if (found.size === known) break
    await mend(ascending(Number.isFinite(oldest) ? [...times, oldest] : times))
    oldest = Math.min(oldest, times[0] as number)
    end = since
  }
  return [...found.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-count)
}
