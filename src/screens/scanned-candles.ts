import type { Snapshot } from '../candles/columns.js'
import { commonMarketsOf, hasOtherMarkets, otherMarketsOf } from '../compute/expressions/compile.js'
import { type Market, marketKey } from '../contract/market.js'
import { fetchFailed } from '../contract/refusals.js'
import { candlesLeftMemory } from '../contract/screen-refusals.js'
import type { MarketData } from '../markets/history/market-data.js'
import { joinMarkets } from '../markets/history/multi-market-reading.js'
import { scheduler } from '../runtime/scheduler.js'
import type { ScannedRequest } from './request.js'
import type { Scan, SeriesNeed } from './scan.js'

/** The candles of one market of a scan as they are in memory, or why it has none. */
export type ScannedCandles =
  | { readonly market: Market; readonly error: string }
  | {
      readonly market: Market
      readonly error: undefined
      /** With those of the other markets of the expressions. */
      readonly joined: Snapshot
      readonly own: Snapshot
      /** Where they, or those of another market, are old: seconds since the end of the newest one of the oldest. */
      readonly age: number | undefined
    }

/** The greatest of some ages; undefined where there is none. */
export const oldest = (ages: readonly number[]): number | undefined =>
  ages.length > 0 ? Math.max(...ages) : undefined

/** The other markets of the expressions of a request that are the same for all of its markets. */
export const commonOf = ({ compiled, exchange, timeframe }: ScannedRequest): readonly Market[] =>
  commonMarketsOf(compiled.spec.indicator, { exchange, timeframe })

/** The series that the expressions of a request read of each market; undefined where these are none. */
export function seriesNeed(request: ScannedRequest): SeriesNeed | undefined {
  const { exchange, timeframe } = request
  const { indicator } = request.compiled.spec
  const common = new Set(commonOf(request).map(marketKey))
  const seriesOf = (market: Market) =>
    otherMarketsOf(indicator, market).filter(other => !common.has(marketKey(other)))
  const named = seriesOf({ exchange, symbol: '', timeframe })
  return named.length === 0 ? undefined : { seriesOf, key: named.map(marketKey).join() }
}

/** The candles in memory of all markets of a scan, in their order, in turns of the event loop. */
export async function* scannedCandles(
  marketData: MarketData,
  request: ScannedRequest,
  scan: Scan,
  accountId: string,
): AsyncGenerator<ScannedCandles> {
  // Candles that are computed are as they are now, all others as the scan or a feed has left them.
  const isComputed = marketData.isComputed(request)
  // One reading of each for all markets.
  const common = commonOf(request)
  const readCommon = async (other: Market) =>
    marketData.refuseOld(await marketData.readWhenReady(other, accountId), other, request.maxAge)
  const commonReadings = new Map(
    await Promise.all(common.map(async other => [marketKey(other), await readCommon(other)] as const)),
  )
  const missing = [...commonReadings.values()].find(each => each.kind === 'refused')
  const { indicator } = request.compiled.spec
  const hasOthers = hasOtherMarkets(indicator)
  for (const market of scan.markets) {
    await scheduler.slice('screens')
    const refusal = scan.refusals.get(market.symbol) ?? missing?.refusal
    if (isComputed)
      for (const each of [market, ...(scan.series?.seriesOf(market) ?? [])]) await marketData.read(each)
    const recall = (each: Market) => {
      const recalled = refusal ? undefined : marketData.recall(each)
      return recalled && marketData.refuseOld(recalled, each, request.maxAge)
    }
    const others = hasOthers ? otherMarketsOf(indicator, market) : []
    const readings = [
      recall(market),
      ...others.map(each => commonReadings.get(marketKey(each)) ?? recall(each)),
    ]
    const reason = refusal ?? readings.find(each => each?.kind === 'refused')?.refusal
    const [own, ...snapshots] = readings.flatMap(each => (each?.kind === 'candles' ? [each.snapshot] : []))
    if (own === undefined || snapshots.length < others.length) {
      yield { market, error: reason ? fetchFailed(reason) : candlesLeftMemory() }
      continue
    }
    const joined = hasOthers ? joinMarkets(market, others, own, snapshots) : own
    const age = oldest(readings.flatMap(each => (each?.kind === 'candles' ? (each.age ?? []) : [])))
    yield { market, error: undefined, joined, own, age }
  }
}
