import { LRUCache } from 'lru-cache'
import type { BulkDispatcher } from '../compute/bulk-dispatch.js'
import { type BulkSection, layoutBulk } from '../compute/bulk-layout.js'
import { readFields, readText } from '../contract/body.js'
import { type BulkRequest, type MarketConstruct, readBulk, refuseOverPlan } from '../contract/bulk.js'
import type { Market } from '../contract/market.js'
import {
  exchangeNotFound,
  exchangeUnavailable,
  fetchFailed,
  isRefusal,
  type Refusal,
} from '../contract/refusals.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import { withTimeout } from '../exchanges/timeout.js'
import { failureCacheSeconds, type History, type Reading } from '../history/history.js'
import { sourceRefusal } from '../history/source-refusal.js'
import type { Bounds } from '../store/store.js'
import { staleWarning } from './market-data.js'
import { type Caller, ok, type Reply, type ResponseBody, refused } from './reply.js'

interface Parts {
  readonly dispatch: BulkDispatcher
  readonly exchanges: ExchangeLookup
  readonly history: History
  /** How long a request waits for candles that are not there yet, in seconds. */
  readonly bulkWaitSeconds: number
}

/** The same bots send the same bodies: those seen are not read again. In characters. */
const remembered = { all: 8_000_000, one: 200_000 } as const

type Read = BulkRequest<MarketConstruct>

/** Candles of one construct: there, refused, or on their way. */
type Outcome = Reading | Refusal | Promise<Reading | Refusal>

/** `POST /bulk` and `POST /bulk-candles`. */
export class BulkRoute {
  readonly #parts: Parts
  readonly #read = new LRUCache<string, Read>({
    maxSize: remembered.all,
    maxEntrySize: remembered.one,
    sizeCalculation: (_, text) => text.length,
  })

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Many indicators over many markets. */
  post(body: Uint8Array, bounds: Bounds, caller: Caller): Reply | Promise<Reply> {
    const bulk = this.#readBody(body)
    if (isRefusal(bulk)) return refused(bulk)
    const tooMany = refuseOverPlan(bulk.constructs.length, bounds.constructs)
    if (tooMany) return refused(tooMany)
    const outcomes = bulk.constructs.map(({ market }) => this.#fetch(market))
    if (!outcomes.some(outcome => outcome instanceof Promise))
      return this.#answer(bulk, outcomes as (Reading | Refusal)[], caller)
    return this.#settle(bulk.constructs, outcomes).then(settled => this.#answer(bulk, settled, caller))
  }

  /** Many indicators over candles of the caller. */
  postCandles(body: Uint8Array, bounds: Bounds, caller: Caller): Reply | Promise<Reply> {
    const answered = this.#parts.dispatch.runSupplied(body, bounds.constructs, caller)
    return answered instanceof Promise ? answered.then(replyOf) : replyOf(answered)
  }

  #readBody(body: Uint8Array): Read | Refusal {
    const text = readText(body)
    if (typeof text !== 'string') return text
    const known = this.#read.get(text)
    if (known) return known
    const fields = readFields(text)
    if (isRefusal(fields)) return fields
    const bulk = readBulk(fields)
    if (!isRefusal(bulk)) this.#read.set(text, bulk)
    return bulk
  }

  #fetch(market: Market): Outcome {
    const exchange = this.#parts.exchanges.find(market.exchange)
    if (!exchange) return exchangeNotFound(market.exchange)
    const failed = (error: unknown) => sourceRefusal(error, exchange.id, market.symbol)
    try {
      const reading = this.#parts.history.read({ ...market, exchange: exchange.id }, exchange.source)
      if (reading instanceof Promise) return reading.catch(failed)
      return 'ready' in reading ? reading.ready.catch(failed) : reading
    } catch (error) {
      return failed(error)
    }
  }

  /** Waits for all outcomes, but not for ever: those that are late by then have failed. */
  async #settle(
    constructs: readonly MarketConstruct[],
    outcomes: readonly Outcome[],
  ): Promise<readonly (Reading | Refusal)[]> {
    const seconds = this.#parts.bulkWaitSeconds
    const settled = constructs.map(({ market }): Reading | Refusal =>
      exchangeUnavailable(
        market.exchange,
        `no candles within ${seconds} seconds`,
        failureCacheSeconds.unavailable,
      ),
    )
    const all = Promise.all(
      outcomes.map(async (outcome, at) => {
        settled[at] = await outcome
      }),
    )
    await withTimeout(all, seconds)
    return [...settled]
  }

  #answer(
    { constructs, verbose }: Read,
    outcomes: readonly (Reading | Refusal)[],
    caller: Caller,
  ): Reply | Promise<Reply> {
    let stale = false
    const sections = constructs.map(({ id, market, items }, at): BulkSection => {
      const outcome = outcomes[at] as Reading | Refusal
      if (isRefusal(outcome)) return { id, items, market, candles: fetchFailed(outcome) }
      stale ||= outcome.stale
      return { id, items, market, candles: outcome.snapshot }
    })
    const headers = stale ? staleWarning : undefined
    const answered = this.#parts.dispatch.run(layoutBulk(sections, verbose), verbose, caller)
    return answered instanceof Promise
      ? answered.then(result => replyOf(result, headers))
      : replyOf(answered, headers)
  }
}

const replyOf = (result: ResponseBody | Refusal, headers?: Readonly<Record<string, string>>): Reply =>
  isRefusal(result) ? refused(result) : ok(result, headers)
