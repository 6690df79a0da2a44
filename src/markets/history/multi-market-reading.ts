import type { Inputs, Snapshot } from '../../candles/columns.js'
import { joinCandles } from '../../candles/multi-market-series.js'
import { endOf } from '../../candles/timeframe.js'
import { type Market, marketKey } from '../../contract/market.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type {
  MarketData,
  MarketReading,
  PendingMarket,
  RefusedMarket,
  RequestedHistory,
} from './market-data.js'
import type { Reading } from './reading.js'

/** Joins the candles of a market with those of other markets, for an expression over all of them. */
export const joinMarkets = (
  { timeframe }: Market,
  others: readonly Market[],
  own: Snapshot,
  snapshots: readonly Snapshot[],
): Inputs => joinCandles(timeframe, others.map(marketKey).join(), own, snapshots)

/**
 * A market with the other markets of an expression. Each is refused if its newest candle ended more than `maxAge`
 * seconds ago.
 */
export interface AskedMarkets {
  readonly market: Market
  readonly others?: readonly Market[] | undefined
  readonly maxAge?: number | undefined
}

/**
 * Candles of a market, joined with those of other markets if there are any. Pending while any market is fetched for
 * the first time, refused if one cannot be read, and stale if one is stale. With `requested` includes the candles older
 * than those in memory.
 */
export function readMultiMarket(
  marketData: Pick<MarketData, 'read' | 'refuseOld'>,
  { market, others = [], maxAge }: AskedMarkets,
  callerId?: string,
  requested?: RequestedHistory,
): MarketReading | Promise<MarketReading> {
  const whole = requested && others.length > 0 ? { ...requested, isByThread: true } : requested
  const readings = [market, ...others].map(each => {
    const read = marketData.read(each, callerId, whole)
    if (maxAge === undefined) return read
    const bounded = (reading: MarketReading): MarketReading =>
      reading.kind === 'pending'
        ? { ...reading, ready: async () => marketData.refuseOld(await reading.ready(), each, maxAge) }
        : marketData.refuseOld(reading, each, maxAge)
    return 'kind' in read ? bounded(read) : read.then(bounded)
  })
  const [own] = readings
  if (own && others.length === 0) return own
  const arrived = readings.filter(reading => 'kind' in reading)
  return arrived.length === readings.length
    ? joinReadings(arrived, market, others)
    : Promise.all(readings).then(all => joinReadings(all, market, others))
}

/** Result of `readMultiMarket`, from the readings of all markets, the own one first. */
export function joinReadings(
  readings: readonly MarketReading[],
  market: Market,
  others: readonly Market[],
): MarketReading {
  if (others.length === 0) return readings[0] as MarketReading
  const pending = readings.find(reading => reading.kind === 'pending')
  const refused = readings.find(reading => reading.kind === 'refused')
  if (refused) return refused
  return pending
    ? { kind: 'pending', key: pending.key, ready: () => whenReady(readings, market, others) }
    : joinArrived(readings as readonly Reading[], market, others)
}

async function whenReady(
  readings: readonly MarketReading[],
  market: Market,
  others: readonly Market[],
): Promise<Reading | RefusedMarket> {
  const arrived = await Promise.all(
    readings.map(reading => (reading.kind === 'pending' ? reading.ready() : reading)),
  )
  return joinReadings(arrived, market, others) as Exclude<MarketReading, PendingMarket>
}

function joinArrived(readings: readonly Reading[], market: Market, others: readonly Market[]): Reading {
  const [own, ...snapshots] = readings.map(({ inputs }) => inputs[0]) as [Snapshot, ...Snapshot[]]
  const stale = readings.some(reading => reading.stale)
  const ages = readings.flatMap(({ age }) => age ?? [])
  return {
    kind: 'candles',
    inputs: withOlder(joinMarkets(market, others, own, snapshots), own, snapshots),
    stale,
    ...(ages.length > 0 && { age: Math.max(...ages) }),
  }
}

/**
 * Candles of a market, joined with other markets if there are any, as known at a time (Unix seconds). A candle that
 * has ended by then counts even if its market has not closed it yet, provided that it counts in `now`.
 */
export function knownAsOf(
  marketData: Pick<MarketData, 'asOf'>,
  market: Market,
  others: readonly Market[],
  [now, ...othersNow]: Inputs,
  time: number,
): Inputs | Refusal {
  const own = marketData.asOf(market, now, time)
  if (isRefusal(own)) return own
  if (others.length === 0) return [own]
  const snapshots: Snapshot[] = []
  for (const [k, { columns, closed, forming, hasEnded }] of othersNow.entries()) {
    const read = { columns, closed, count: closed, forming: undefined }
    const known = marketData.asOf(others[k] as Market, read, time)
    if (isRefusal(known)) return known
    const isKnown = hasEnded && forming && endOf(market.timeframe, forming.timestamp) <= time
    snapshots.push(isKnown ? { ...known, forming } : known)
  }
  return joinMarkets(market, others, own, snapshots)
}

/** Adds the candles older than those in memory, if they were read for a time. */
function withOlder(joined: Inputs, { older }: Snapshot, others: readonly Snapshot[]): Inputs {
  if (!older) return joined
  const id = [older, ...others.map(other => other.older)].map(each => each?.id).join(' ')
  const [own, ...otherCandles] = joined
  return [
    { ...own, older: { ...older, id } },
    ...otherCandles.map((other, k) => ({ ...other, older: others[k]?.older })),
  ]
}
