import { type BulkSection, layoutBulk } from '../../compute/bulk/bulk-layout.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import { readFields, readText } from '../../contract/body.js'
import { readBulk, refuseOverPlan } from '../../contract/bulk.js'
import { fetchFailed, isRefusal, type Refusal } from '../../contract/refusals.js'
import { planBytesOf } from '../../expression/compile.js'
import type { Expressions } from '../../expression/expressions.js'
import type { MarketData, RefusedMarket } from '../../history/market-data.js'
import type { Reading } from '../../history/reading.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import type { Account } from '../../store/store.js'
import { readMarkets, staleWarning } from '../candles-reply.js'
import { type Caller, type Reply, refused, replyOf } from '../reply.js'
import { type MarketBulk, refuseRepeatedMarkets, toMarketBulk } from './bulk-markets.js'

interface Dependencies {
  readonly dispatch: ComputeDispatcher
  readonly expressions: Expressions
  readonly marketData: MarketData
  /** How long a request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
}

/** Bytes that an item takes whose query no other item has, without its text, about. */
const bytesPerItem = 600

/** Bytes of memory that a request takes in the cache with the text of its body, about. */
export function bytesOfBulk({ constructs }: Pick<MarketBulk, 'constructs'>, text: string): number {
  let bytes = text.length
  for (const { items } of constructs)
    for (const { query } of items) bytes += bytesPerItem + planBytesOf(query.indicator)
  return bytes
}

/** `POST /bulk`: many indicators over many markets. */
export class BulkEndpoint {
  readonly #dependencies: Dependencies
  /** Bodies of a bot are the same each time. */
  readonly #requests = new RepeatCache<MarketBulk>({ maxBytes: 16_000_000, bytesOf: bytesOfBulk })

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async post(caller: Caller, account: Account, body: Uint8Array): Promise<Reply> {
    const { dispatch, marketData, bulkWaitSeconds } = this.#dependencies
    const bulk = dispatch.isLong(body) ? await this.#readLong(caller, account, body) : this.#read(body)
    if (isRefusal(bulk)) return refused(bulk)
    const refusal =
      refuseOverPlan(bulk.constructs.length, account.constructs) ??
      (bulk.isAmbiguous ? await refuseRepeatedMarkets(bulk, marketData) : undefined)
    if (refusal) return refused(refusal)
    const markets = bulk.constructs.map(({ market }) => market)
    const readings = await readMarkets(marketData, markets, account.id, bulkWaitSeconds)
    const layout = layoutBulk(sectionsOf(bulk, readings, marketData), bulk.verbose)
    const answer = await dispatch.run(layout, caller, account.id)
    return replyOf(
      answer,
      readings.some(reading => 'stale' in reading && reading.stale) ? staleWarning : undefined,
    )
  }

  #read(body: Uint8Array): MarketBulk | Refusal {
    const text = readText(body)
    if (isRefusal(text)) return text
    const known = this.#requests.get(text)
    if (known) return known
    const fields = readFields(text)
    const { expressions, marketData } = this.#dependencies
    const read = isRefusal(fields) ? fields : readBulk(fields, expressions)
    const bulk = toMarketBulk(read, marketData)
    if (!isRefusal(bulk)) this.#requests.add(text, bulk)
    return bulk
  }

  /** A thread reads a long body. */
  async #readLong(caller: Caller, { id }: Account, body: Uint8Array): Promise<MarketBulk | Refusal> {
    const { dispatch, marketData } = this.#dependencies
    return toMarketBulk(await dispatch.readBulk(body, caller, id), marketData)
  }
}

/** The constructs with their candles, or why there are none. Only a verbose answer names the market. */
const sectionsOf = (
  { constructs, verbose }: MarketBulk,
  readings: readonly (Reading | RefusedMarket)[],
  marketData: MarketData,
): BulkSection[] =>
  constructs.map(({ id, items, texts, market: requested }, at) => {
    const reading = readings[at] as Reading | RefusedMarket
    const market = verbose ? marketData.listed(requested) : requested
    const candles = reading.kind === 'refused' ? fetchFailed(reading.refusal) : reading.snapshot
    return { id, items, texts, market, candles }
  })
