import { type Candle, isSame } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import { backoffMs } from '../../../runtime/backoff.js'
import { recentEntries } from '../../../runtime/caches.js'
import { withTimeout } from '../../../runtime/deadline.js'
import { pause } from '../../../runtime/pause.js'
import { CandleChannel } from '../channel.js'
import { decompressMessage } from '../response-body.js'
import { SourceFailure } from '../source.js'
import { type Client, loadStreamingClass, type Row } from './client.js'

/** Members of ccxt's WebSocket clients that are used here. */
export interface StreamingClient {
  readonly has: Readonly<Record<string, unknown>>
  /** ccxt's own connections by address. */
  readonly clients: Readonly<Record<string, { readonly connection?: { terminate?(): void } }>>
  /** The rows that ccxt stores, by symbol and timeframe. */
  readonly ohlcvs: Record<string, Record<string, unknown> | undefined>
  watchOHLCV(symbol: string, timeframe: string): Promise<readonly Row[]>
  unWatchOHLCV(symbol: string, timeframe: string): Promise<unknown>
  close(): Promise<unknown>
}

const streamingOptions = {
  // With `newUpdates`, ccxt would report corrections of the newest candle only.
  newUpdates: false,
  // Number of rows that ccxt stores for each series. Its default is 1000, but only the last few rows are read.
  OHLCVLimit: 20,
} as const
/** Maximum bytes of a message, after decompression. The default of the WebSocket library is 100 MiB. */
const maxMessageBytes = 8 * 2 ** 20

/** ccxt's connection to one address. */
interface CcxtConnection {
  /** Compression of binary messages. */
  readonly gunzip?: boolean
  readonly inflate?: boolean
  onMessage(event: { readonly data: unknown }): void
  onError(error: unknown): void
  close(): unknown
}

/**
 * Creates a streaming client of the exchange `id`, with ccxt's constructor settings and the markets that `rest` has
 * loaded. Undefined if ccxt streams no candles of this exchange.
 */
export async function openStreamingClient(
  id: string,
  settings: Readonly<Record<string, unknown>>,
  rest: Client,
): Promise<StreamingClient | undefined> {
  const Class = await loadStreamingClass(id)
  if (Class === undefined) return undefined
  const { ws, ...otherOptions } = (settings.options ?? {}) as { readonly ws?: { readonly options?: object } }
  const client = new Class({
    ...settings,
    enableRateLimit: true,
    // CandleStreams delays reconnections for all clients of the exchange. ccxt's own delay would outlive a closed
    // client.
    options: {
      ...otherOptions,
      ...streamingOptions,
      ws: { ...ws, options: { maxPayload: maxMessageBytes, ...ws?.options }, backoff: { base: 0 } },
    },
  })
  if (client.has.watchOHLCV !== true) return undefined
  limitMessages(client as unknown as { client(url: string): CcxtConnection })
  client.setMarketsFromExchange(rest)
  // ccxt needs an agent for addresses without TLS, and the proxy modules if a proxy is set.
  await Promise.all([client.loadHttpProxyAgent(), client.loadProxyModules()])
  return client as unknown as StreamingClient
}

/** Limits the decompressed size of binary messages. ccxt decompresses them without a limit. */
function limitMessages(client: { client(url: string): CcxtConnection }): void {
  const limited = new WeakSet<CcxtConnection>()
  const connectionTo = client.client.bind(client)
  client.client = url => {
    const connection = connectionTo(url)
    const { gunzip, inflate } = connection
    if (limited.has(connection) || !(gunzip || inflate)) return connection
    limited.add(connection)
    const read = connection.onMessage.bind(connection)
    connection.onMessage = ({ data }) => {
      let text: unknown = data
      try {
        if (Buffer.isBuffer(data))
          text = decompressMessage(data, gunzip ? 'gzip' : 'deflate', maxMessageBytes)
      } catch (error) {
        // ccxt ends a connection in the same way after a message that it cannot decompress.
        connection.onError(error)
        connection.close()
        return
      }
      read({ data: text })
    }
    return connection
  }
}

interface Settings {
  readonly id: string
  /** Creates a client with the markets of the exchange. Undefined if ccxt streams no candles of this exchange. */
  readonly create: () => Promise<StreamingClient | undefined>
  readonly read: (row: Row, timeframe: Timeframe) => Candle | undefined
  /** Milliseconds before the next connection after a failure. They double with every further failure. Default 1000. */
  readonly backoffMs?: number
}

/**
 * Maximum series of one client. Exchanges allow some hundreds of subscriptions per connection (Binance 1024). All
 * series of a client have the same timeframe, because some of ccxt's clients (Kraken's) confuse subscriptions of
 * one symbol to several timeframes.
 */
const maxSeriesPerConnection = 200
/**
 * Milliseconds for a client to close its sockets regularly. On a dead connection the regular close needs half a
 * minute.
 */
const closeGraceMs = 1000
/** Milliseconds that a new subscription waits until the end of an old one to the same series is confirmed. */
const unwatchMs = 3000
const maxBackoffMs = 60_000
/** Milliseconds for which a refused subscription is not retried. */
const refusedMs = 3_600_000
/** Maximum number of remembered refused series, about 100 bytes each. */
const maxRefusedSeries = 2000
/** ccxt's errors for a series that cannot be streamed. */
const refusalErrors = new Set(['NotSupported', 'BadSymbol', 'BadRequest', 'ArgumentsRequired'])
/** ccxt's errors that concern a whole connection. All other errors concern one series. */
const connectionErrors = new Set(['NetworkError', 'RequestTimeout', 'ExchangeNotAvailable'])

interface StreamConnection {
  readonly timeframe: Timeframe
  readonly client: StreamingClient
  readonly watched: Set<string>
  /** Unwatched symbols, each with a promise for the end of its subscription. Some clients cannot end subscriptions. */
  readonly idle: Map<string, Promise<unknown>>
}

/** Candle streams of one exchange. A connection is opened when a series needs it, and closed with its last series. */
export class CandleStreams {
  readonly #connections = new Set<StreamConnection>()
  readonly #refused = recentEntries<true>(maxRefusedSeries, refusedMs)
  readonly #closing = new Set<Promise<void>>()
  #isClosed = false
  /** Number of failed connections since the last candle. */
  #failures = 0
  /** The time (of `performance.now()`) before which no connection is opened. */
  #connectAfter = 0

  constructor(private readonly settings: Settings) {}

  /**
   * Changed candles of a market (in ccxt's spelling), until `signal` aborts. Undefined if the exchange does not
   * stream them, or refused to within the last hour.
   */
  async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly Candle[]> | undefined> {
    if (this.#refused.has(`${symbol} ${timeframe}`)) return undefined
    while (this.#connectAfter > performance.now() && !signal.aborted && !this.#isClosed) {
      await pause(Math.min(this.#connectAfter - performance.now(), closeGraceMs))
    }
    const connection = await this.#join(symbol, timeframe)
    if (connection === undefined) return undefined
    const channel = new CandleChannel()
    channel.endWith(signal, failure => {
      connection.watched.delete(symbol)
      // A silent stream has a dead connection: the next stream on this connection would be silent too.
      if (signal.reason instanceof SourceFailure || connection.watched.size === 0) this.#drop(connection)
      else if (failure === undefined) this.#unwatch(connection, symbol)
    })
    if (this.#isClosed) channel.end()
    else if (!signal.aborted) void this.#pump(connection, symbol, channel)
    return channel
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const connection of this.#connections) this.#drop(connection)
    await Promise.all(this.#closing)
  }

  /** Pushes the changes of a series into its channel until the series is unwatched or the stream fails. */
  async #pump(connection: StreamConnection, symbol: string, channel: CandleChannel): Promise<void> {
    const { client, timeframe, watched, idle } = connection
    const { id, read } = this.settings
    let emitted = new Map<number, Candle>()
    try {
      await idle.get(symbol)
      idle.delete(symbol)
      // ccxt may still have rows of an earlier subscription, which would be emitted as new.
      delete client.ohlcvs[symbol]?.[timeframe]
      while (watched.has(symbol)) {
        if (!this.#connections.has(connection)) throw new Error('the connection was dropped')
        const rows = await client.watchOHLCV(symbol, timeframe)
        if (!watched.has(symbol)) return
        this.#failures = 0
        const candles = rows.map(row => read(row, timeframe)).filter(candle => candle !== undefined)
        const changed = candles.filter(candle => {
          const before = emitted.get(candle.timestamp)
          return !before || !isSame(before, candle)
        })
        emitted = new Map(candles.map(candle => [candle.timestamp, candle]))
        if (changed.length > 0) channel.push(changed)
      }
    } catch (error) {
      if (!watched.has(symbol)) return
      const { name } = error as Error
      if (refusalErrors.has(name)) this.#refused.set(`${symbol} ${timeframe}`, true)
      if (connectionErrors.has(name) && this.#connections.has(connection)) this.#fail(connection)
      channel.end(
        new SourceFailure('unavailable', `the stream of ${symbol} on ${id} broke off`, { cause: error }),
      )
    } finally {
      // A call in flight while the client was closed may have opened a new socket.
      if (!this.#connections.has(connection)) this.#closeSockets(connection)
    }
  }

  /** Drops a failed connection and delays the next one. Counts one failure for all of its series. */
  #fail(connection: StreamConnection): void {
    const waitMs = backoffMs(this.#failures, this.settings.backoffMs ?? 1000, maxBackoffMs)
    // The first failure causes no delay, because servers such as Binance's close every connection once a day.
    if (this.#failures++ > 0) this.#connectAfter = performance.now() + waitMs
    this.#drop(connection)
  }

  /** Adds a series to a connection with free capacity, or to a new one. */
  async #join(symbol: string, timeframe: Timeframe): Promise<StreamConnection | undefined> {
    const joinOpen = () => {
      for (const connection of this.#connections) {
        const { watched, idle } = connection
        if (connection.timeframe !== timeframe || watched.has(symbol)) continue
        if (!idle.has(symbol) && watched.size + idle.size >= maxSeriesPerConnection) continue
        watched.add(symbol)
        return connection
      }
      return undefined
    }
    const open = joinOpen()
    if (open) return open
    const client = await this.settings.create()
    if (client === undefined) return undefined
    // Another series may have opened a connection during the wait.
    const other = joinOpen()
    if (other) return other
    const connection = { timeframe, client, watched: new Set([symbol]), idle: new Map() }
    this.#connections.add(connection)
    return connection
  }

  /** Ends the subscription to a series on a connection that other series still use. */
  #unwatch(connection: StreamConnection, symbol: string): void {
    const { client, timeframe, idle } = connection
    if (client.has.unWatchOHLCV !== true) {
      idle.set(symbol, Promise.resolve())
      return
    }
    const ended = client.unWatchOHLCV(symbol, timeframe).then(
      () => idle.delete(symbol),
      () => {},
    )
    idle.set(symbol, withTimeout(ended, unwatchMs / 1000))
  }

  #drop(connection: StreamConnection): void {
    if (this.#connections.delete(connection)) this.#closeSockets(connection)
  }

  #closeSockets({ client }: StreamConnection): void {
    const sockets = Object.values(client.clients).map(({ connection }) => connection)
    if (sockets.length === 0) return
    const close = async () => {
      const closed = client.close().catch(() => {})
      await withTimeout(closed, closeGraceMs / 1000)
      for (const socket of sockets) socket?.terminate?.()
      await closed
    }
    const closing = close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
