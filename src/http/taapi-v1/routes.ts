import { allBefore, type Inputs } from '../../candles/columns.js'
import type { Executor } from '../../compute/executor.js'
import type { Account } from '../../contract/account.js'
import { readBodyFields, readQueryString, type TextFields, toTextFields } from '../../contract/fields.js'
import { isObject, type JsonObject } from '../../contract/json-value.js'
import { maxSuppliedCandles } from '../../contract/limits.js'
import {
  exchangeNotFound,
  isRefusal,
  methodNotAllowed,
  missingCandles,
  missingRequired,
  notFound,
  type Refusal,
} from '../../contract/refusals.js'
import { maxSeconds, readSuppliedCandles } from '../../contract/supplied-candles.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import { sourceRefusal } from '../../markets/history/candle-fetcher.js'
import type { MarketData, RefusedMarket } from '../../markets/history/market-data.js'
import type { Reading } from '../../markets/history/reading.js'
import { scheduler } from '../../runtime/scheduler.js'
import type { Admission } from '../admission.js'
import { oldestHeaders, readMarkets } from '../candles-reply.js'
import { type HttpRequest, ok, type Reply, refused, withHeaders } from '../reply.js'
import { type BulkConstruct, type BulkEntry, readBulk, tooMany, writeEntries, writeObjects } from './bulk.js'
import { type Calculation, readCalculation, resultOf } from './calculation.js'
import { derivedCandles, readSeries } from './series.js'

/**
 * JSON text of the result of one calculation, from the candle that opens at `from` (Unix seconds) on, if limited. A
 * worker thread runs long computations.
 */
export async function computeOne(
  { executor }: { readonly executor: Pick<Executor, 'answerText'> },
  calculation: Calculation,
  inputs: Inputs,
  accountId: string,
  from?: number,
): Promise<string | Refusal> {
  const [snapshot] = inputs
  const query =
    from === undefined
      ? calculation.query
      : { ...calculation.query, results: Math.max(1, snapshot.count - allBefore(snapshot, from)) }
  const text = await executor.answerText({ query, inputs, isCharted: true }, { accountId })
  return isRefusal(text) ? text : JSON.stringify(resultOf(calculation, text, from))
}

/** Quote assets of markets. Longer ones come before assets that are their endings. */
const quoteAssets = [
  'FDUSD',
  'USDT',
  'USDC',
  'BUSD',
  'TUSD',
  'USDE',
  'DAI',
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'KRW',
  'TRY',
  'BRL',
  'AUD',
  'BTC',
  'ETH',
  'BNB',
  'SOL',
]

/**
 * Lists symbols as in version 1: with a slash before the quote asset. The symbols here have no slash, so the quote
 * asset is recognized by its name. A symbol without a known quote asset is unchanged.
 */
export function symbolList(
  symbols: readonly string[],
  type: string,
  quoteAsset: string | undefined,
): readonly string[] {
  if (type === 'stocks') return symbols
  const wanted = quoteAsset?.toUpperCase()
  const known = wanted === undefined ? quoteAssets : [wanted]
  return symbols.flatMap(symbol => {
    const quote = known.find(asset => symbol.endsWith(asset) && symbol.length > asset.length)
    if (quote === undefined) return wanted === undefined ? [symbol] : []
    return [`${symbol.slice(0, -quote.length)}/${quote}`]
  })
}

/** Path prefix of the version 1 interface. */
export const taapiPrefix = '/taapi-v1/'

/**
 * Maximum length of a body, in bytes. 500 candles need less than a third of it, and parsing lasts one or two
 * milliseconds.
 */
const maxBytes = 256 * 1024

/** Access of all these requests: they need the scope to read. */
const routeAccess = { scope: 'read', kind: 'taapi-v1' } as const

/** Answers a request that was admitted and counted. */
type Respond = (account: Account) => Reply | Promise<Reply>

interface Dependencies {
  readonly admission: Admission
  readonly executor: Executor
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  readonly bulkWaitSeconds: number
}

/**
 * The version 1 interface of the hosted service that many bots use. A bot changes only its base URL and its secret. The
 * key is in the query or in the body. Unknown parameters are ignored, and a request waits for pending candles.
 */
export class TaapiRoutes {
  constructor(private readonly dependencies: Dependencies) {}

  /** Answers a request. `segment` is the path without the prefix. */
  async answer(request: HttpRequest, segment: string): Promise<Reply> {
    const { method, path, queryString } = request
    const name = nameOf(segment)
    if (name === undefined) return refusalReply(notFound(path.slice(0, 200)))
    const query = readQueryString(queryString)
    if (isRefusal(query)) return refusalReply(query)
    const fields = toTextFields(query)
    if (method === 'post') {
      const body = await request.body(maxBytes)
      return isRefusal(body) ? refused(body) : this.#post(name, body, fields, request)
    }
    if (method !== 'get' || name === 'bulk')
      return refusalReply(methodNotAllowed(name === 'bulk' ? 'POST' : 'GET, POST'))
    return this.#admit(fields, request, account =>
      name === 'exchange-symbols' ? this.#symbols(fields) : this.#single(name, fields, account),
    )
  }

  async #post(name: string, body: Uint8Array, query: TextFields, request: HttpRequest): Promise<Reply> {
    const parsed = readBodyFields(body)
    if (isRefusal(parsed)) return refusalReply(parsed)
    const fields = new Map([...query, ...toTextFields(parsed)])
    return this.#admit(fields, request, account =>
      name === 'bulk'
        ? this.#bulk(Object.fromEntries(parsed), account)
        : this.#manual(name, fields, parsed.get('candles'), account),
    )
  }

  /** Authenticates and counts a request, and answers it with `respond`. */
  #admit(fields: TextFields, request: HttpRequest, respond: Respond): Promise<Reply> {
    const secret = fields.get('secret')
    const authorization = secret === undefined ? request.authorization : `Bearer ${secret}`
    return this.dependencies.admission.answer(
      request,
      { ...routeAccess, authorization },
      refusalReply,
      respond,
    )
  }

  async #single(name: string, fields: TextFields, account: Account): Promise<Reply> {
    const item = { id: name, indicator: name, calculation: readCalculation(name, fields) }
    const { entries, headers } = await this.#compute(
      [{ id: name, series: readSeries(fields), items: [item] }],
      account,
    )
    const reply = textReply((entries[0] as BulkEntry).result)
    return headers ? withHeaders(reply, headers) : reply
  }

  async #bulk(fields: JsonObject, account: Account): Promise<Reply> {
    const bulk = readBulk(fields)
    if (isRefusal(bulk)) return refusalReply(bulk)
    if (bulk.constructs.length > account.constructs) return refusalReply(tooMany('constructs'))
    const { entries, headers } = await this.#compute(bulk.constructs, account)
    return ok(bulk.format === 'objects' ? writeObjects(entries) : writeEntries(entries), headers)
  }

  /** Answers one indicator over candles of the caller, whose timestamps are in milliseconds. */
  async #manual(name: string, fields: TextFields, candles: unknown, { id }: Account): Promise<Reply> {
    const calculation = readCalculation(name, fields)
    if (isRefusal(calculation)) return refusalReply(calculation)
    const snapshot = candles === undefined ? missingCandles() : readSuppliedCandles(inSeconds(candles))
    if (isRefusal(snapshot)) return refusalReply(snapshot)
    return textReply(await computeOne(this.dependencies, calculation, [snapshot], id))
  }

  async #symbols(fields: TextFields): Promise<Reply> {
    const type = fields.get('type') ?? 'crypto'
    const name = type === 'stocks' ? 'stocks' : fields.get('exchange')?.toLowerCase()
    if (name === undefined) return refusalReply(missingRequired(['exchange']))
    const exchange = this.dependencies.exchanges.find(name)
    if (!exchange) return refusalReply(exchangeNotFound(name))
    try {
      const symbols = await exchange.source.symbols()
      return ok(JSON.stringify(symbolList(symbols, type, fields.get('quoteAsset'))))
    } catch (error) {
      return refusalReply(sourceRefusal(error, exchange.id, ''))
    }
  }

  /**
   * Reads the candles of all constructs, and computes their entries, over several turns of the event loop if needed. The
   * headers have the age of the candles if they are old.
   */
  async #compute(
    constructs: readonly BulkConstruct[],
    { id: accountId }: Account,
  ): Promise<{ readonly entries: readonly BulkEntry[]; readonly headers: Reply['headers'] }> {
    const { marketData, bulkWaitSeconds } = this.dependencies
    const asked = constructs.flatMap(({ series }) => (isRefusal(series) ? [] : { market: series.market }))
    const readings = await readMarkets(marketData, asked, accountId, bulkWaitSeconds)
    const arrived = readings.values()
    const entries: BulkEntry[] = []
    for (const { id, series, items } of constructs) {
      const reading = isRefusal(series)
        ? { refusal: series }
        : (arrived.next().value as Reading | RefusedMarket)
      if (isRefusal(series) || 'refusal' in reading) {
        entries.push({ id, result: (reading as RefusedMarket).refusal })
        continue
      }
      await scheduler.slice('requests')
      const derived = await derivedCandles(series, reading.inputs)
      for (const { id: itemId, indicator, calculation } of items) {
        await scheduler.slice('requests')
        const result = isRefusal(calculation)
          ? calculation
          : await computeOne(this.dependencies, calculation, derived, accountId, series.from)
        entries.push({ id: itemId, indicator, result })
      }
    }
    return { entries, headers: oldestHeaders(readings) }
  }
}

/** Name in a path; undefined if it is empty, has more parts or a wrong escape. */
function nameOf(segment: string): string | undefined {
  if (segment === '' || segment.includes('/')) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Converts the timestamps of candles to seconds. Invalid candles are left to the check that follows. */
function inSeconds(candles: unknown): unknown {
  if (!Array.isArray(candles) || candles.length > maxSuppliedCandles) return candles
  return candles.map((candle: unknown) => {
    if (!isObject(candle)) return candle
    const { timestamp } = candle
    if (typeof timestamp !== 'number' || timestamp <= maxSeconds) return candle
    return { ...candle, timestamp: Math.floor(timestamp / 1000) }
  })
}

const textReply = (result: string | Refusal): Reply => (isRefusal(result) ? refusalReply(result) : ok(result))

/**
 * A refusal in the forms of version 1, which differ by status. The texts of 401 and 429 are exactly those of the hosted
 * service, because clients compare them.
 */
export function refusalReply({ status, error, headers = {} }: Refusal): Reply {
  return { status, body: JSON.stringify(refusalBody(status, error)), headers }
}

function refusalBody(status: number, error: string): unknown {
  if (status === 401) {
    const message = 'You are not authenticated to query this endpoint! Please check your secret key.'
    return { message, statusCode: 401 }
  }
  if (status === 429 && error.startsWith('Rate limit exceeded')) {
    return { error: '429: You have exceeded your request limit (TAAPI.IO rate-limit)!' }
  }
  return { errors: [error] }
}
