import type { Snapshot } from '../candles/columns.js'
import type { Market } from '../contract/market.js'
import { fetchFailed } from '../contract/refusals.js'
import { candlesLeftMemory } from '../contract/screen-refusals.js'
import { otherMarketsOf } from '../expression/compile.js'
import { joinMarkets } from '../history/joined-reading.js'
import type { MarketData } from '../history/market-data.js'
import type { Reading } from '../history/reading.js'
import { eventLoop } from '../runtime/event-loop.js'
import type { ScannedRequest } from './request.js'
import type { Scan } from './scan.js'

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

/** The other markets of the expressions of a request. */
export const othersOf = ({ compiled, exchange, timeframe }: ScannedRequest): readonly Market[] =>
  otherMarketsOf(compiled.spec.indicator, { exchange, symbol: '', timeframe })

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
  const others = othersOf(request)
  const readings = await Promise.all(
    others.map(async other =>
      marketData.refuseOld(await marketData.readWhenReady(other, accountId), other, request.maxAge),
    ),
  )
  const missing = readings.find(each => each.kind === 'refused')
  const snapshots = (readings as readonly Reading[]).map(({ snapshot }) => snapshot)
  const ages = readings.flatMap(each => (each.kind === 'candles' ? (each.age ?? []) : []))
  for (const market of scan.markets) {
    if (!eventLoop.hasTime('screens')) await eventLoop.next('screens')
    const refusal = scan.refusals.get(market.symbol) ?? missing?.refusal
    if (isComputed) await marketData.read(market)
    const recalled = refusal ? undefined : marketData.recall(market)
    const reading = recalled && marketData.refuseOld(recalled, market, request.maxAge)
    if (reading?.kind !== 'candles') {
      const reason = refusal ?? reading?.refusal
      yield { market, error: reason ? fetchFailed(reason) : candlesLeftMemory() }
      continue
    }
    const { snapshot: own, age: ownAge } = reading
    const joined = others.length > 0 ? joinMarkets(market, others, own, snapshots) : own
    const age = oldest(ownAge === undefined ? ages : [...ages, ownAge])
    yield { market, error: undefined, joined, own, age }
  }
}
