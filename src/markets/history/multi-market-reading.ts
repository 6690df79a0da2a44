import type { Inputs, Snapshot } from '../../candles/columns.js'
import { joinCandles } from '../../candles/multi-market-series.js'
import { endOf } from '../../candles/timeframe.js'
import { type Market, type Markets, marketKey } from '../../contract/market.js'
import type { PreparedQuestion } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type {
  MarketData,
  MarketReading,
  PendingMarket,
  RefusedMarket,
  RequestedHistory,
} from './market-data.js'
import type { Reading } from './reading.js'

/** Joins the candles of markets, for an expression over all of them. */
export const joinMarkets = (
  [{ timeframe }, ...others]: Markets,
  snapshots: readonly [own: Snapshot, ...others: Snapshot[]],
): Inputs => joinCandles(timeframe, others.map(marketKey).join(), snapshots)

/**
 * Candles of the markets of a question. Pending while any market is fetched for the first time, refused if one cannot
 * be read or its newest candle is older than `maxAge`, and stale if one is stale. With `requested` includes the candles
 * older than those in memory.
 */
export function readMultiMarket(
  marketData: Pick<MarketData, 'read' | 'refuseOld'>,
  { markets, maxAge }: Pick<PreparedQuestion, 'markets' | 'maxAge'>,
  callerId?: string,
  requested?: RequestedHistory,
): MarketReading | Promise<MarketReading> {
  const whole = requested && markets.length > 1 ? { ...requested, isByThread: true } : requested
  const readings = markets.map(each => {
    const read = marketData.read(each, callerId, whole)
    if (maxAge === undefined) return read
    const bounded = (reading: MarketReading): MarketReading =>
      reading.kind === 'pending'
        ? { ...reading, ready: async () => marketData.refuseOld(await reading.ready(), each, maxAge) }
        : marketData.refuseOld(reading, each, maxAge)
    return 'kind' in read ? bounded(read) : read.then(bounded)
  })
  const arrived = readings.filter(reading => 'kind' in reading)
  return arrived.length === readings.length
    ? joinReadings(arrived, markets)
    : Promise.all(readings).then(all => joinReadings(all, markets))
}

/** Result of `readMultiMarket`, from the readings of all markets. */
export function joinReadings(readings: readonly MarketReading[], markets: Markets): MarketReading {
  if (markets.length === 1) return readings[0] as MarketReading
  const pending = readings.find(reading => reading.kind === 'pending')
  const refused = readings.find(reading => reading.kind === 'refused')
  if (refused) return refused
  return pending
    ? { kind: 'pending', key: pending.key, ready: () => whenReady(readings, markets) }
    : joinArrived(readings as readonly Reading[], markets)
}

async function whenReady(
  readings: readonly MarketReading[],
  markets: Markets,
): Promise<Reading | RefusedMarket> {
  const arrived = await Promise.all(
    readings.map(reading => (reading.kind === 'pending' ? reading.ready() : reading)),
  )
  return joinReadings(arrived, markets) as Exclude<MarketReading, PendingMarket>
}

function joinArrived(readings: readonly Reading[], markets: Markets): Reading {
  const snapshots = readings.map(({ inputs }) => inputs[0]) as [Snapshot, ...Snapshot[]]
  const stale = readings.some(reading => reading.stale)
  const ages = readings.flatMap(({ age }) => age ?? [])
  return {
    kind: 'candles',
    inputs: withOlder(joinMarkets(markets, snapshots), snapshots),
    stale,
    ...(ages.length > 0 && { age: Math.max(...ages) }),
  }
}

/**
 * Candles of markets as known at a time (Unix seconds). A candle of another market that has ended by then counts even
 * if its market has not closed it yet, provided that it counts in `now`.
 */
export function knownAsOf(
  marketData: Pick<MarketData, 'asOf'>,
  [market, ...others]: Markets,
  [now, ...othersNow]: Inputs,
  time: number,
): Inputs | Refusal {
  const own = marketData.asOf(market, now, time)
  if (isRefusal(own)) return own
  const snapshots: Snapshot[] = []
  for (const [k, { columns, closed, forming, hasEnded }] of othersNow.entries()) {
    const read = { columns, closed, count: closed, forming: undefined }
    const known = marketData.asOf(others[k] as Market, read, time)
    if (isRefusal(known)) return known
    const isKnown = hasEnded && forming && endOf(market.timeframe, forming.timestamp) <= time
    snapshots.push(isKnown ? { ...known, forming } : known)
  }
  return joinMarkets([market, ...others], [own, ...snapshots])
}

/** Adds the candles older than those in memory, if they were read for a time. */
function withOlder(joined: Inputs, snapshots: readonly Snapshot[]): Inputs {
  const [older] = snapshots.map(each => each.older)
  if (!older) return joined
  const id = snapshots.map(each => each.older?.id).join(' ')
  const [own, ...others] = joined
  return [
    { ...own, older: { ...older, id } },
    ...others.map((other, k) => ({ ...other, older: snapshots[k + 1]?.older })),
  ]
}
