import { type BulkSection, layoutBulk } from '../../compute/bulk/bulk-layout.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import { readFields, readText } from '../../contract/body.js'
import { type MarketConstruct, refuseOverPlan } from '../../contract/bulk.js'
import { candlesTooLate, fetchFailed, isRefusal, type Refusal } from '../../contract/refusals.js'
import { planBytesOf } from '../../expression/compile.js'
import { failureCacheSeconds } from '../../history/failure.js'
import type { MarketData, RefusedMarket } from '../../history/market-data.js'
import type { Reading } from '../../history/reading.js'
import { withTimeout } from '../../runtime/deadline.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import type { Account } from '../../store/store.js'
import { staleWarning } from '../candles-reply.js'
import { type Caller, type Reply, refused, replyOf } from '../reply.js'
import { type MarketBulk, readMarketBulk, refuseRepeatedMarkets } from './bulk-markets.js'

interface Dependencies {
  readonly dispatch: ComputeDispatcher
  readonly marketData: MarketData
  /** How long a request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
}

/** The candles of one construct, or why there are none. */
type Outcome = Reading | RefusedMarket

/** Longer bodies are not cached, in characters. */
const maxCachedLength = 200_000

/** Bytes that an item takes whose query no other item has, without its text, about. */
const bytesPerItem = 600

/** Bodies of a bot are the same each time. */
const requestCache = new RepeatCache<MarketBulk>({ maxBytes: 16_000_000, bytesOf: bytesOfBulk })

/** Bytes of memory that a request takes in the cache with the text of its body, about. */
export function bytesOfBulk({ constructs }: Pick<MarketBulk, 'constructs'>, text: string): number {
  let bytes = text.length
  for (const { items } of constructs)
    for (const { query } of items) bytes += bytesPerItem + planBytesOf(query.indicator)
  return bytes
}

/** `POST /bulk`: many indicators over many markets. */
export function postBulk(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const bulk = readRequest(dependencies, body, account.id, caller)
  return bulk instanceof Promise
    ? bulk.then(settled => reply(dependencies, settled, account, caller))
    : reply(dependencies, bulk, account, caller)
}

/** Bodies that are read on the event loop are parsed there, longer ones by a worker. */
function readRequest(
  dependencies: Dependencies,
  body: Uint8Array,
  accountId: string,
  caller: Caller,
): MarketBulk | Refusal | Promise<MarketBulk | Refusal> {
  if (body.byteLength > maxCachedLength) return readLongRequest(dependencies, body, accountId, caller)
  const text = readText(body)
  if (isRefusal(text)) return text
  const cached = requestCache.get(text)
  if (cached) return cached
  const { dispatch, marketData } = dependencies
  if (!dispatch.isLong(body)) return remember(text, parse(text, marketData))
  return readLongRequest(dependencies, body, accountId, caller).then(bulk => remember(text, bulk))
}

async function readLongRequest(
  { dispatch, marketData }: Dependencies,
  body: Uint8Array,
  accountId: string,
  caller: Caller,
): Promise<MarketBulk | Refusal> {
  const answer = await dispatch.runBody({ kind: 'bulk', body }, caller, accountId)
  if (isRefusal(answer)) return answer
  return parse(answer.takeText(), marketData)
}

function parse(text: string, marketData: MarketData): MarketBulk | Refusal {
  const fields = readFields(text)
  return isRefusal(fields) ? fields : readMarketBulk(fields, marketData)
}

function remember(text: string, bulk: MarketBulk | Refusal): MarketBulk | Refusal {
  if (!isRefusal(bulk)) requestCache.add(text, bulk)
  return bulk
}

function reply(
  dependencies: Dependencies,
  bulk: MarketBulk | Refusal,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  if (isRefusal(bulk)) return refused(bulk)
  const tooMany = refuseOverPlan(bulk.constructs.length, account.constructs)
  if (tooMany) return refused(tooMany)
  if (!bulk.isAmbiguous) return answer(dependencies, bulk, account, caller)
  return refuseRepeatedMarkets(bulk, dependencies.marketData).then(repeated =>
    repeated ? refused(repeated) : answer(dependencies, bulk, account, caller),
  )
}

function answer(
  dependencies: Dependencies,
  bulk: MarketBulk,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const { marketData, bulkWaitSeconds } = dependencies
  const outcomes = bulk.constructs.map(({ market }) => marketData.readWhenReady(market, account.id))
  return areSettled(outcomes)
    ? compute(dependencies, bulk, outcomes, caller, account.id)
    : settle(bulk.constructs, outcomes, bulkWaitSeconds).then(settled =>
        compute(dependencies, bulk, settled, caller, account.id),
      )
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
  { constructs, verbose }: MarketBulk,
  outcomes: readonly Outcome[],
  caller: Caller,
  accountId: string,
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
  const result = dispatch.run(layoutBulk(sections, verbose), verbose, caller, accountId)
  return result instanceof Promise ? result.then(body => replyOf(body, headers)) : replyOf(result, headers)
}
