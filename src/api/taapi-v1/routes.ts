import type { Snapshot } from '../../candles/columns.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { entriesOf, readBodyFields } from '../../contract/body.js'
import { isObject, type JsonObject } from '../../contract/json-value.js'
import { readQueryString } from '../../contract/query-string.js'
import {
  candlesTooLate,
  exchangeNotFound,
  isRefusal,
  methodNotAllowed,
  missingCandles,
  missingRequired,
  notFound,
  type Refusal,
  rateExceeded,
  tooManyOfKey,
} from '../../contract/refusals.js'
import { maxSeconds, maxSuppliedCandles, readSuppliedCandles } from '../../contract/supplied-candles.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import { failureCacheSeconds } from '../../history/failure.js'
import type { MarketData, RefusedMarket } from '../../history/market-data.js'
import type { Reading } from '../../history/reading.js'
import { sourceRefusal } from '../../history/source-refusal.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { Account, RateWindows, WindowUse } from '../../store/store.js'
import type { Access } from '../access.js'
import type { OpenReplies } from '../open-replies.js'
import { rateHeaders } from '../rate-limits.js'
import { type NeedsBody, ok, type Reply, type RequestHead, withHeaders } from '../reply.js'
import { type BulkConstruct, type BulkEntry, readBulk, tooMany, writeEntries, writeObjects } from './bulk.js'
import { readCalculation } from './calculation.js'
import { computeEntries, computeOne } from './entries.js'
import { refusalReply, resultReply, textReply } from './replies.js'
import { readSeries, type Series } from './series.js'
import { symbolList } from './symbols.js'
import { type TextFields, toTextFields } from './text-fields.js'

/** Where the version 1 interface is served. */
export const taapiPrefix = '/taapi-v1/'

/** Largest body, in bytes: 500 candles take less than a third of it, and it is parsed within a millisecond or two. */
const maxBytes = 256 * 1024

/** Fields of a body beyond these are ignored. */
const maxFields = 100

/** Answers a request that was admitted and counted. */
type Respond = (account: Account) => Reply | Promise<Reply>

interface Dependencies {
  readonly access: Access
  readonly windows: RateWindows
  readonly openReplies: OpenReplies
  readonly calculator: Calculator
  readonly dispatch: ComputeDispatcher
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  /** How long a request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
}

/**
 * The version 1 interface of the hosted service that many bots speak: a bot changes its base URL and its secret. The
 * key is in the query or in the body, unknown parameters are ignored, and a request waits for candles that are pending.
 */
export class TaapiRoutes {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Answers a request, or returns what to do with its body. `segment` is the path without the prefix. */
  handle(
    { method, path, queryString, authorization }: RequestHead,
    segment: string,
  ): Reply | Promise<Reply> | NeedsBody {
    const name = nameOf(segment)
    if (name === undefined) return refusalReply(notFound(path.slice(0, 200)))
    const query = readQueryString(queryString)
    if (isRefusal(query)) return refusalReply(query)
    const fields = toTextFields(query)
    if (method === 'post') {
      return { maxBytes, read: body => this.#post(name, body, fields, authorization) }
    }
    if (method !== 'get' || name === 'bulk') {
      return refusalReply(methodNotAllowed(name === 'bulk' ? 'POST' : 'GET, POST'))
    }
    return this.#admit(fields, authorization, account =>
      name === 'exchange-symbols'
        ? this.#symbols(fields)
        : this.#answer([this.#single(name, fields)], account, ([entry]) =>
            textReply((entry as BulkEntry).result),
          ),
    )
  }

  #post(name: string, body: Uint8Array, query: TextFields, authorization: string): Reply | Promise<Reply> {
    const parsed = readBodyFields(body)
    if (isRefusal(parsed)) return refusalReply(parsed)
    const given = [...entriesOf(parsed, maxFields)]
    const fields = new Map([...query, ...toTextFields(given)])
    return this.#admit(fields, authorization, account => {
      if (name === 'bulk') return this.#bulk(Object.fromEntries(given), account)
      return this.#manual(name, fields, parsed.get('candles'), account)
    })
  }

  /** Authenticates and counts a request, and answers it with `respond`. */
  #admit(fields: TextFields, authorization: string, respond: Respond): Reply | Promise<Reply> {
    const secret = fields.get('secret')
    const account = this.#dependencies.access.authenticate(
      secret === undefined ? authorization : `Bearer ${secret}`,
    )
    return account instanceof Promise
      ? account.then(known => this.#count(known, respond))
      : this.#count(account, respond)
  }

  #count(account: Account | Refusal, respond: Respond): Reply | Promise<Reply> {
    if (isRefusal(account)) return refusalReply(account)
    const { openReplies, windows } = this.#dependencies
    if (openReplies.isFull(account))
      return refusalReply(tooManyOfKey('requests at once', openReplies.maxPerAccount))
    const use = windows.take(account)
    return use instanceof Promise
      ? use.then(settled => this.#respond(account, settled, respond))
      : this.#respond(account, use, respond)
  }

  #respond(account: Account, use: WindowUse, respond: Respond): Reply | Promise<Reply> {
    const headers = rateHeaders(account, use)
    if (!use.allowed) return withHeaders(refusalReply(rateExceeded(account.requests, use.reset)), headers)
    const reply = respond(account)
    return reply instanceof Promise
      ? this.#dependencies.openReplies.settle(account, reply, settled => withHeaders(settled, headers))
      : withHeaders(reply, headers)
  }

  /** A request for one indicator as a construct with one item. */
  #single(name: string, fields: TextFields): BulkConstruct {
    const calculation = readCalculation(name, fields)
    return { id: name, series: readSeries(fields), items: [{ id: name, indicator: name, calculation }] }
  }

  #bulk(fields: JsonObject, account: Account): Reply | Promise<Reply> {
    const bulk = readBulk(fields)
    if (isRefusal(bulk)) return refusalReply(bulk)
    if (bulk.constructs.length > account.constructs) return refusalReply(tooMany('constructs'))
    const write = bulk.format === 'objects' ? writeObjects : writeEntries
    return this.#answer(bulk.constructs, account, entries => ok(write(entries)))
  }

  /** One indicator over candles of the caller, whose timestamps are milliseconds. */
  #manual(name: string, fields: TextFields, candles: unknown, { id }: Account): Reply | Promise<Reply> {
    const calculation = readCalculation(name, fields)
    if (isRefusal(calculation)) return refusalReply(calculation)
    const snapshot = candles === undefined ? missingCandles() : readSuppliedCandles(inSeconds(candles))
    if (isRefusal(snapshot)) return refusalReply(snapshot)
    const result = computeOne(this.#dependencies, calculation, snapshot, id)
    return result instanceof Promise ? result.then(textReply) : textReply(result)
  }

  #symbols(fields: TextFields): Reply | Promise<Reply> {
    const type = fields.get('type') ?? 'crypto'
    const name = type === 'stocks' ? 'stocks' : fields.get('exchange')?.toLowerCase()
    if (name === undefined) return refusalReply(missingRequired(['exchange']))
    const exchange = this.#dependencies.exchanges.find(name)
    if (!exchange) return refusalReply(exchangeNotFound(name))
    const list = (symbols: readonly string[]) =>
      resultReply(symbolList(symbols, type, fields.get('quoteAsset')))
    const symbols = exchange.source.symbols()
    return symbols instanceof Promise
      ? symbols.then(list, error => refusalReply(sourceRefusal(error, exchange.id, '')))
      : list(symbols)
  }

  /** Reads the candles of all constructs, computes them, and answers with `respond`. */
  #answer(
    constructs: readonly BulkConstruct[],
    account: Account,
    respond: (entries: readonly BulkEntry[]) => Reply,
  ): Reply | Promise<Reply> {
    const compute = (snapshots: readonly (Snapshot | Refusal)[]) => {
      const entries = computeEntries(this.#dependencies, constructs, snapshots, account.id)
      return entries instanceof Promise ? entries.then(respond) : respond(entries)
    }
    const readings = constructs.map(({ series }) =>
      isRefusal(series) ? series : this.#read(series, account.id),
    )
    return readings.some(reading => reading instanceof Promise)
      ? Promise.all(readings).then(compute)
      : compute(readings as readonly (Snapshot | Refusal)[])
  }

  #read(series: Series, accountId: string): Snapshot | Refusal | Promise<Snapshot | Refusal> {
    const { marketData, bulkWaitSeconds } = this.#dependencies
    const reading = marketData.readWhenReady(series.market, accountId)
    if (!(reading instanceof Promise)) return snapshotOf(reading)
    return withTimeout(reading, bulkWaitSeconds).then(settled =>
      settled
        ? snapshotOf(settled)
        : candlesTooLate(series.market.exchange, bulkWaitSeconds, failureCacheSeconds.unavailable),
    )
  }
}

const snapshotOf = (reading: Reading | RefusedMarket): Snapshot | Refusal =>
  reading.kind === 'refused' ? reading.refusal : reading.snapshot

/** The name that a path asks for; undefined where it is empty, has more parts or a wrong escape. */
function nameOf(segment: string): string | undefined {
  if (segment === '' || segment.includes('/')) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Candles with their timestamps in seconds. What cannot be a candle is left to the check that follows. */
function inSeconds(candles: unknown): unknown {
  if (!Array.isArray(candles) || candles.length > maxSuppliedCandles) return candles
  return candles.map((candle: unknown) => {
    if (!isObject(candle)) return candle
    const { timestamp } = candle
    if (typeof timestamp !== 'number' || timestamp <= maxSeconds) return candle
    return { ...candle, timestamp: Math.floor(timestamp / 1000) }
  })
}
