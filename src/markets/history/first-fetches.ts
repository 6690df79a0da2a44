import { Counts } from '../../runtime/counts.js'
import { TooManyFirstFetches } from './failure.js'

/** How many there may be at once. */
interface Limits {
  readonly total: number
  /** Of those that one caller has started. */
  readonly perCaller: number
}

/** How many first fetches may be under way at once. */
export interface FirstFetchLimits extends Limits {
  /** How many exchanges may be fetched from that were never fetched from. */
  readonly exchanges?: Limits
}

/** A caller may begin with as many exchanges at once as one bulk request has constructs. */
const defaultExchangeLimits: Limits = { total: 50, perCaller: 20 }

/**
 * The series that are being fetched for the first time. A first fetch takes an exchange's time and memory for a thousand
 * candles, and the first one from an exchange opens it, so both are bounded, for each caller and for all of them.
 */
export class FirstFetches<Fetch extends { readonly ready: Promise<unknown> }> {
  readonly #limits: Required<FirstFetchLimits>
  readonly #fetches = new Map<string, Fetch>()
  /** Fetches under way by the caller that started them; callers without any are not in it. */
  readonly #byCaller = new Counts()
  /** The exchanges from which no first fetch has ended, with the callers that fetch from them. */
  readonly #opening = new Map<string, Set<string | undefined>>()
  readonly #opened = new Set<string>()

  constructor(limits: FirstFetchLimits) {
    this.#limits = { exchanges: defaultExchangeLimits, ...limits }
  }

  get(key: string): Fetch | undefined {
    return this.#fetches.get(key)
  }

  has(key: string): boolean {
    return this.#fetches.has(key)
  }

  /** Throws TooManyFirstFetches where one more is too many. Fetches without a caller count for the total only. */
  check(key: string, callerId: string | undefined): void {
    const { total, perCaller } = this.#limits
    if (callerId !== undefined && this.#byCaller.of(callerId) >= perCaller)
      throw new TooManyFirstFetches('caller', perCaller, 'markets')
    if (this.#fetches.size >= total) throw new TooManyFirstFetches('total', total, 'markets')
    this.#checkExchange(exchangeOf(key), callerId)
  }

  /** Remembers a fetch until `finish` is called for it. */
  add(key: string, fetch: Fetch, callerId: string | undefined): void {
    this.#fetches.set(key, fetch)
    if (callerId !== undefined) this.#byCaller.change(callerId, 1)
    const exchange = exchangeOf(key)
    if (this.#opened.has(exchange)) return
    this.#opening.set(exchange, (this.#opening.get(exchange) ?? new Set()).add(callerId))
  }

  finish(key: string, callerId: string | undefined): void {
    this.#fetches.delete(key)
    const exchange = exchangeOf(key)
    this.#opening.delete(exchange)
    this.#opened.add(exchange)
    if (callerId !== undefined) this.#byCaller.change(callerId, -1)
  }

  #checkExchange(exchange: string, callerId: string | undefined): void {
    if (this.#opened.has(exchange)) return
    const { total, perCaller } = this.#limits.exchanges
    const callers = this.#opening.get(exchange)
    if (!callers && this.#opening.size >= total) throw new TooManyFirstFetches('total', total, 'exchanges')
    if (callerId === undefined || callers?.has(callerId)) return
    let ofCaller = 0
    for (const others of this.#opening.values()) if (others.has(callerId)) ofCaller++
    if (ofCaller >= perCaller) throw new TooManyFirstFetches('caller', perCaller, 'exchanges')
  }
}

/** The exchange of a series (`exchange:SYMBOL:timeframe`). */
const exchangeOf = (key: string): string => key.slice(0, key.indexOf(':'))
