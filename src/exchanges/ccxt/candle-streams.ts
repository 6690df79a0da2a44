import { type Candle, isSame } from '../../candles/candle.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { CandleChannel } from '../channel.js'
import { SourceFailure } from '../source.js'

/** A row as ccxt has it: milliseconds, open, high, low, close, volume. */
type Row = readonly (number | undefined)[]

/** What is used of ccxt's streaming clients. */
export interface StreamingClient {
  readonly has: Readonly<Record<string, unknown>>
  readonly clients: Readonly<Record<string, { readonly connection?: { terminate?(): void } }>>
  readonly ohlcvs: Record<string, Record<string, unknown> | undefined>
  watchOHLCV(symbol: string, timeframe: string): Promise<readonly Row[]>
  unWatchOHLCV(symbol: string, timeframe: string): Promise<unknown>
  close(): Promise<unknown>
}

interface Settings {
  /** The exchange's identifier. */
  readonly id: string
  /** A new client with the markets of the exchange, or undefined where there is none that streams candles. */
  readonly create: () => Promise<StreamingClient | undefined>
  readonly read: (row: Row) => Candle | undefined
  /** Milliseconds before the exchange is dialled again after a failure; they double with every further one. */
  readonly backoffMs?: number
}

/** Settings for the constructor of a streaming client. */
export const streamingOptions = {
  // With new updates only, a correction of any but the newest candle would not be told.
  newUpdates: false,
  // The candles it keeps of each series: a thousand by default, which nobody would read.
  OHLCVLimit: 20,
} as const

/**
 * Series on one client. Exchanges allow some hundreds of subscriptions on a connection (Binance 1024), and several of
 * ccxt's clients (Kraken's) take the timeframes of one symbol for the same subscription.
 */
const maxSeriesPerConnection = 200
/** How long a client is given to close its sockets politely; a half-open one would take half a minute. */
const closeGraceMs = 1000
/** How long a new subscription waits for the end of an old one to the same series. */
const unwatchMs = 3000
const longestBackoffMs = 60_000
/** How long a subscription that the exchange or ccxt refused is not tried again. */
const refusedMs = 3_600_000
const refusals = new Set(['NotSupported', 'BadSymbol', 'BadRequest', 'ArgumentsRequired'])
/** ccxt's errors that are about a whole connection; others concern one series. */
const breaks = new Set(['NetworkError', 'RequestTimeout', 'ExchangeNotAvailable'])

/** A client with the series that are watched on it. */
interface StreamConnection {
  readonly timeframe: Timeframe
  readonly client: StreamingClient
  readonly watched: Set<string>
  /** Series whose subscription cannot be ended, or is about to. */
  readonly idle: Map<string, Promise<unknown>>
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())

/**
 * The candle streams of one exchange. Clients are opened for the series that need them, and closed with the last one.
 */
export class CcxtStreams {
  readonly #settings: Settings
  readonly #lines = new Set<StreamConnection>()
  readonly #refused = new Map<string, number>()
  readonly #closing = new Set<Promise<void>>()
  #isClosed = false
  #failures = 0
  /** The moment before which the exchange is not dialled again. */
  #silentUntil = 0

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Candles of a market (in ccxt's spelling) as the exchange tells them; undefined where it does not. */
  async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly Candle[]> | undefined> {
    if ((this.#refused.get(`${symbol} ${timeframe}`) ?? 0) > Date.now()) return undefined
    while (this.#silentUntil > Date.now() && !signal.aborted && !this.#isClosed) {
      await pause(Math.min(this.#silentUntil - Date.now(), closeGraceMs))
    }
    const line = await this.#join(symbol, timeframe)
    if (line === undefined) return undefined
    const channel = new CandleChannel()
    const end = (failure?: Error) => {
      if (!line.watched.delete(symbol)) return
      signal.removeEventListener('abort', abort)
      channel.end(failure)
      // A stream that went silent has a dead connection, which would be just as silent for the next one.
      if (signal.reason instanceof SourceFailure || line.watched.size === 0) this.#drop(line)
      else if (failure === undefined) this.#unwatch(line, symbol)
    }
    const abort = () => end()
    signal.addEventListener('abort', abort)
    if (signal.aborted || this.#isClosed) end()
    else void this.#pump(line, symbol, channel, end)
    return channel
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const line of this.#lines) this.#drop(line)
    await Promise.all(this.#closing)
  }

  async #pump(
    line: StreamConnection,
    symbol: string,
    channel: CandleChannel,
    end: (failure: SourceFailure) => void,
  ): Promise<void> {
    const { client, timeframe, watched, idle } = line
    const { id, read } = this.#settings
    let told = new Map<number, Candle>()
    try {
      await idle.get(symbol)
      idle.delete(symbol)
      // Rows from before would be told as if they were new.
      delete client.ohlcvs[symbol]?.[timeframe]
      while (watched.has(symbol)) {
        if (!this.#lines.has(line)) throw new Error('the connection was given up')
        const rows = await client.watchOHLCV(symbol, timeframe)
        if (!watched.has(symbol)) return
        this.#failures = 0
        const candles = rows.map(read).filter(candle => candle !== undefined)
        const changed = candles.filter(candle => {
          const before = told.get(candle.timestamp)
          return !before || !isSame(before, candle)
        })
        told = new Map(candles.map(candle => [candle.timestamp, candle]))
        if (changed.length > 0) channel.push(changed)
      }
    } catch (error) {
      if (!watched.has(symbol)) return
      const { name } = error as Error
      if (refusals.has(name)) this.#refused.set(`${symbol} ${timeframe}`, Date.now() + refusedMs)
      if (breaks.has(name) && this.#lines.has(line)) this.#break(line)
      end(new SourceFailure('unavailable', `the stream of ${symbol} on ${id} broke off`, { cause: error }))
    } finally {
      // A call that was under way when the client was closed may have dialled once more.
      if (!this.#lines.has(line)) this.#shut(line)
    }
  }

  /** A connection that breaks off is counted once, however many series were on it. */
  #break(line: StreamConnection): void {
    const { backoffMs = 1000 } = this.#settings
    const wait = Math.min(longestBackoffMs, backoffMs * 2 ** Math.min(this.#failures, 16))
    // The first time it may be a server that renews its connections, as Binance does once a day.
    if (this.#failures++ > 0) this.#silentUntil = Date.now() + wait
    this.#drop(line)
  }

  /** Finds room for a series, on a new client where there is none. */
  async #join(symbol: string, timeframe: Timeframe): Promise<StreamConnection | undefined> {
    const join = () => {
      for (const line of this.#lines) {
        const { watched, idle } = line
        if (line.timeframe !== timeframe || watched.has(symbol)) continue
        if (!idle.has(symbol) && watched.size + idle.size >= maxSeriesPerConnection) continue
        watched.add(symbol)
        return line
      }
      return undefined
    }
    const joined = join()
    if (joined) return joined
    const client = await this.#settings.create()
    if (client === undefined) return undefined
    // Another series may have opened a client meanwhile.
    const other = join()
    if (other) return other
    const line: StreamConnection = { timeframe, client, watched: new Set([symbol]), idle: new Map() }
    this.#lines.add(line)
    return line
  }

  #unwatch(line: StreamConnection, symbol: string): void {
    const { client, timeframe, idle } = line
    if (client.has.unWatchOHLCV !== true) {
      idle.set(symbol, Promise.resolve())
      return
    }
    const answered = client.unWatchOHLCV(symbol, timeframe).then(
      () => idle.delete(symbol),
      () => {},
    )
    idle.set(symbol, Promise.race([answered, pause(unwatchMs)]))
  }

  #drop(line: StreamConnection): void {
    if (this.#lines.delete(line)) this.#shut(line)
  }

  #shut({ client }: StreamConnection): void {
    const sockets = Object.values(client.clients).map(({ connection }) => connection)
    if (sockets.length === 0) return
    const shut = async () => {
      const closed = client.close().catch(() => {})
      await Promise.race([closed, pause(closeGraceMs)])
      for (const socket of sockets) socket?.terminate?.()
      await closed
    }
    const closing = shut().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
