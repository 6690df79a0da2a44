import type { Candle } from '../../candles/candle.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import { SourceFailure } from '../source.js'
import type { ListedMarket, Opened, Row } from './client.js'

/** Candles per request where ccxt does not know the exchange's bound. */
const usualPage = 500
/** The least that the newest page asks for: several exchanges take a time range and answer nothing for one candle. */
const leastPage = 10
/** Unix seconds of 2009-01-03, the first block of Bitcoin: no market is older, and some exchanges refuse the epoch. */
const genesis = Date.UTC(2009, 0, 3) / 1000

/** How a history is fetched page by page. */
interface Options {
  /** Candles asked for in one request at most; the exchange's own bound holds where it is lower. */
  readonly pageLimit: number
  readonly maxPages: number
  /** Does one request, as often as is sensible. */
  readonly ask: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
}

/** ccxt's row as a candle, or undefined when its time or a price is missing or not a finite number. */
function candleOf([time, open, high, low, close, volume]: Row): Candle | undefined {
  if (![time, open, high, low, close].every(Number.isFinite)) return undefined
  return {
    timestamp: Math.floor((time as number) / 1000),
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: Number.isFinite(volume) ? (volume as number) : 0,
  }
}

/**
 * The newest candles of a market, ascending, by pages from the newest one backwards. History ends at the first page
 * that brings nothing older, so a hole that is longer than a page ends it too.
 */
export async function fetchHistory(
  { client, errors }: Opened,
  market: ListedMarket,
  timeframe: Timeframe,
  count: number,
  { pageLimit, maxPages, ask }: Options,
): Promise<readonly Candle[]> {
  const bound =
    client.featureValueByType(market.type, market.subType, 'fetchOHLCV', 'limit', usualPage) ?? usualPage
  const size = Math.max(2, Math.min(pageLimit, bound))
  const length = timeframes[timeframe]
  let pages = 0

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
        const until = from + limit * length * 1000
        return client.fetchOHLCV(market.symbol, timeframe, from, limit, { until })
      }
    })
    return rows.map(candleOf).filter(candle => candle !== undefined)
  }

  /** All candles from `since` to `end`, both included; none where history has ended or the pages ran out. */
  const span = async (since: number, end: number): Promise<Iterable<Candle>> => {
    const found = new Map<number, Candle>()
    for (let from = since; pages < maxPages; ) {
      const candles = await page(from, size)
      const known = found.size
      let reached = from
      for (const candle of candles) {
        reached = Math.max(reached, candle.timestamp)
        if (candle.timestamp <= end) found.set(candle.timestamp, candle)
      }
      if (found.size === known || reached + length >= end) return found.values()
      // The exchange answered less than was asked, which leaves a hole before `end`.
      from = reached
    }
    return []
  }

  const found = new Map<number, Candle>()
  const keep = (candles: Iterable<Candle>): void => {
    for (const candle of candles) found.set(candle.timestamp, candle)
  }
  keep(await page(undefined, Math.min(size, Math.max(count, leastPage))))
  let end = Math.min(...found.keys())
  while (found.size > 0 && found.size < count && pages < maxPages && end > genesis) {
    // Spans overlap by one candle, for the exchanges that leave out the one that opens at `since`.
    const since = Math.max(genesis, end - (size - 1) * length)
    const known = found.size
    try {
      keep(await span(since, end))
    } catch (error) {
      // Several exchanges refuse a range that is too long ago instead of answering nothing.
      const cause = error instanceof SourceFailure ? error.cause : undefined
      if (!(cause instanceof errors.BadRequest) || cause instanceof errors.BadSymbol) throw error
    }
    if (found.size === known) break
    end = since
  }
  return [...found.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-count)
}
