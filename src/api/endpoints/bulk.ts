import { LRUCache } from 'lru-cache'
import type { BulkDispatcher } from '../../compute/bulk-dispatch.js'
import { type BulkSection, layoutBulk } from '../../compute/bulk-layout.js'
import { readFields, readText } from '../../contract/body.js'
import {
  type BulkRequest,
  type MarketConstruct,
  readBulk,
  refuseDuplicates,
  refuseOverPlan,
} from '../../contract/bulk.js'
import type { Market } from '../../contract/market.js'
import { candlesTooLate, fetchFailed, isRefusal, type Refusal } from '../../contract/refusals.js'
import { withTimeout } from '../../exchanges/timeout.js'
import { failureCacheSeconds } from '../../history/failure.js'
import type { MarketData, RefusedMarket } from '../../history/market-data.js'
import type { Reading } from '../../history/reading.js'
import type { Account } from '../../store/store.js'
import { staleWarning } from '../candles-reply.js'
import { type Caller, type Reply, refused, replyOf } from '../reply.js'

interface Dependencies {
  readonly dispatch: BulkDispatcher
  readonly marketData: MarketData
  /** How long a request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
}

interface Bulk extends BulkRequest<MarketConstruct> {
  /** Whether only the exchange's list of symbols shows that no two constructs are of one market. */
  readonly isAmbiguous: boolean
}

/** The candles of one construct, or why there are none. */
type Outcome = Reading | RefusedMarket

/** Bodies of a bot are the same each time. Their sizes are in characters. */
const requestCache = new LRUCache<string, Bulk>({
  maxSize: 8_000_000,
  maxEntrySize: 200_000,
  sizeCalculation: (_, text) => text.length,
})

/** `POST /bulk`: many indicators over many markets. */
export function postBulk(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const { marketData } = dependencies
  const bulk = readRequest(body, marketData)
  if (isRefusal(bulk)) return refused(bulk)
  const tooMany = refuseOverPlan(bulk.constructs.length, account.constructs)
  if (tooMany) return refused(tooMany)
  if (!bulk.isAmbiguous) return answer(dependencies, bulk, account, caller)
  const markets = bulk.constructs.map(({ market }) => marketData.fetchListed(market))
  return Promise.all(markets).then(listed => {
    const duplicate = refuseDuplicates(listed)
    return duplicate ? refused(duplicate) : answer(dependencies, bulk, account, caller)
  })
}

function answer(
  dependencies: Dependencies,
  bulk: Bulk,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const outcomes = bulk.constructs.map(({ market }) => read(dependencies.marketData, market, account.id))
  return areSettled(outcomes)
    ? compute(dependencies, bulk, outcomes, caller)
    : settle(bulk.constructs, outcomes, dependencies.bulkWaitSeconds).then(settled =>
        compute(dependencies, bulk, settled, caller),
      )
}

function readRequest(body: Uint8Array, marketData: MarketData): Bulk | Refusal {
  const text = readText(body)
  if (isRefusal(text)) return text
  const cached = requestCache.get(text)
  if (cached) return cached
  const fields = readFields(text)
  if (isRefusal(fields)) return fields
  const read = readBulk(fields)
  if (isRefusal(read)) return read
  const constructs = read.constructs.map(construct => ({
    ...construct,
    market: marketData.canonical(construct.market),
  }))
  const markets = constructs.map(({ market }) => market)
  const duplicate = refuseDuplicates(markets)
  if (duplicate) return duplicate
  const bulk = { ...read, constructs, isAmbiguous: mayRepeat(markets) }
  requestCache.set(text, bulk)
  return bulk
}

/**
 * Whether one symbol may be another one without its separator, as BRKB is BRK.B: both are of one exchange and one
 * timeframe, and equal up to the separator.
 */
const mayRepeat = (markets: readonly Market[]): boolean =>
  markets.some(({ exchange, symbol, timeframe }) => {
    const separator = symbol.search(/[^A-Z0-9]/)
    if (separator < 1) return false
    const start = symbol.slice(0, separator)
    return markets.some(
      other =>
        other.exchange === exchange &&
        other.timeframe === timeframe &&
        other.symbol !== symbol &&
        other.symbol.startsWith(start),
    )
  })

function read(
  marketData: MarketData,
  market: MarketConstruct['market'],
  accountId: string,
): Outcome | Promise<Outcome> {
  const reading = marketData.read(market, accountId)
  return reading instanceof Promise || reading.kind !== 'pending' ? reading : reading.ready()
}

const areSettled = (outcomes: readonly (Outcome | Promise<Outcome>)[]): outcomes is readonly Outcome[] =>
  !outcomes.some(outcome => outcome instanceof Promise)

/** Waits for all outcomes, but at most `seconds`: those that are late are refused. */
async function settle(
  constructs: readonly MarketConstruct[],
  outcomes: readonly (Outcome | Promise<Outcome>)[],
  seconds: number,
): Promise<readonly Outcome[]> {
  const settled = constructs.map(
    ({ market }): Outcome => ({
      kind: 'refused',
      refusal: candlesTooLate(market.exchange, seconds, failureCacheSeconds.unavailable),
    }),
  )
  const all = Promise.all(
    outcomes.map(async (outcome, at) => {
      settled[at] = await outcome
    }),
  )
  await withTimeout(all, seconds)
  // An outcome that arrives from now on must not change what is being answered.
  return [...settled]
}

function compute(
  { dispatch, marketData }: Dependencies,
  { constructs, verbose }: Bulk,
  outcomes: readonly Outcome[],
  caller: Caller,
): Reply | Promise<Reply> {
  let isStale = false
  const sections = constructs.map(({ id, market: requested, items }, at): BulkSection => {
    const outcome = outcomes[at] as Outcome
    // Only a verbose answer names the market.
    const market = verbose ? marketData.listed(requested) : requested
    if (outcome.kind === 'refused') return { id, items, market, candles: fetchFailed(outcome.refusal) }
    isStale ||= outcome.stale
    return { id, items, market, candles: outcome.snapshot }
  })
  const headers = isStale ? staleWarning : undefined
  const result = dispatch.run(layoutBulk(sections, verbose), verbose, caller)
  return result instanceof Promise ? result.then(body => replyOf(body, headers)) : replyOf(result, headers)
}
