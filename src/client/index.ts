import { CandelaError } from './errors.js'
import { HttpClient, type HttpOptions } from './http.js'
import { follow, type StreamOptions } from './stream.js'
import type {
  BulkResult,
  Candle,
  CandleInput,
  CandlesConstruct,
  IndicatorName,
  IndicatorParams,
  IndicatorResult,
  Market,
  MarketConstruct,
  ResultWindow,
  Subscription,
  Update,
} from './types.js'

export { CandelaError } from './errors.js'
export type * from './types.js'

export interface CandelaOptions extends HttpOptions {
  /** The class of WebSockets, where the platform has none of its own: on Node 20 that of the package `ws`. */
  readonly WebSocket?: StreamOptions['WebSocket']
}

/** How a request may be ended early. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** The constructs that one request may have, whatever the plan. */
const maxConstructs = 20

/**
 * A client of one Candela. Every method throws CandelaError where the service refuses. A request waits for candles that
 * are fetched for the first time, for the next window of the rate limit and for a busy service, up to `waitSeconds`.
 */
export class Candela {
  readonly #http: HttpClient
  readonly #options: CandelaOptions
  /** How many constructs the plan allows, as far as the service has said. */
  #planConstructs = maxConstructs

  constructor(options: CandelaOptions) {
    this.#http = new HttpClient(options)
    this.#options = options
  }

  /** One indicator over the candles of an exchange. */
  indicator<Name extends IndicatorName>(
    name: Name,
    { exchange, symbol, timeframe }: Market,
    query?: IndicatorParams<Name> & ResultWindow,
    { signal }: CallOptions = {},
  ): Promise<IndicatorResult> {
    const path = `/indicator/${name}${queryString({ exchange, symbol, timeframe, ...query })}`
    return this.#http.send({ path, signal })
  }

  /** One indicator over candles of the caller, oldest first. */
  compute<Name extends IndicatorName>(
    name: Name,
    candles: readonly CandleInput[],
    query?: IndicatorParams<Name> & ResultWindow,
    { signal }: CallOptions = {},
  ): Promise<IndicatorResult> {
    return this.#http.send({ path: `/indicator/${name}`, body: { ...query, candles }, signal })
  }

  /** The newest candles of an exchange, oldest first. */
  candles(
    { exchange, symbol, timeframe }: Market,
    window: ResultWindow = {},
    { signal }: CallOptions = {},
  ): Promise<readonly Candle[]> {
    return this.#http.send({
      path: `/candles${queryString({ exchange, symbol, timeframe, ...window })}`,
      signal,
    })
  }

  /** Many indicators over many markets, in as many requests as the plan needs. */
  bulk(constructs: readonly MarketConstruct[], { signal }: CallOptions = {}): Promise<BulkResult> {
    return this.#sendBulk('/bulk', constructs, signal)
  }

  /** Many indicators over many series of the caller. */
  bulkCandles(constructs: readonly CandlesConstruct[], { signal }: CallOptions = {}): Promise<BulkResult> {
    return this.#sendBulk('/bulk-candles', constructs, signal)
  }

  /** The identifiers of all exchanges. */
  async exchanges({ signal }: CallOptions = {}): Promise<readonly string[]> {
    const { exchanges } = await this.#http.send<{ readonly exchanges: readonly string[] }>({
      path: '/exchanges',
      signal,
    })
    return exchanges
  }

  /** The symbols of an exchange. */
  async symbols(exchange: string, { signal }: CallOptions = {}): Promise<readonly string[]> {
    const path = `/exchanges/${encodeURIComponent(exchange)}/symbols`
    const { symbols } = await this.#http.send<{ readonly symbols: readonly string[] }>({ path, signal })
    return symbols
  }

  /**
   * Follows subscriptions until the loop ends or the signal is aborted. A connection that breaks is opened again and
   * subscribes again; between two forming states of a candle that were not read yet only the newer one is kept.
   */
  stream(
    subscriptions: readonly Subscription[],
    options: CallOptions & Pick<StreamOptions, 'onState'> = {},
  ): AsyncIterableIterator<Update> {
    const { key, WebSocket: Socket } = this.#options
    return follow(subscriptions, {
      url: this.#http.url.replace(/^http/, 'ws'),
      key,
      ...(Socket ? { WebSocket: Socket } : {}),
      ...options,
    })
  }

  async #sendBulk(
    path: string,
    constructs: readonly { readonly id: string }[],
    signal: AbortSignal | undefined,
  ): Promise<BulkResult> {
    const results: Record<string, BulkResult[string]> = {}
    let sent = 0
    do {
      const part = constructs.slice(sent, sent + this.#planConstructs)
      try {
        Object.assign(results, await this.#http.send({ path, body: { constructs: part }, signal }))
        sent += part.length
      } catch (error) {
        const allowed = planConstructsOf(error)
        if (allowed === undefined || allowed >= part.length) throw error
        this.#planConstructs = allowed
      }
    } while (sent < constructs.length)
    return results
  }
}

/** How many constructs the plan allows, where an error says that a request had more. */
function planConstructsOf(error: unknown): number | undefined {
  if (!(error instanceof CandelaError) || error.status !== 429) return undefined
  const match = /Your plan allows (\d+) construct/.exec(error.message)
  return match && Number(match[1]) > 0 ? Number(match[1]) : undefined
}

function queryString(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return `?${query}`
}
