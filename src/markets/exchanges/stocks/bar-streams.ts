import { backoffMs } from '../../../runtime/backoff.js'
import { pause } from '../../../runtime/pause.js'
import { WebSocket } from '../../../runtime/web-sockets.js'
import { CandleChannel } from '../channel.js'
import { SourceFailure } from '../source.js'
import type { StreamEvent, StreamProtocol } from './stream-protocol.js'

type BarLength = '1m' | '1d'

/** One reader of the bars of a security. */
interface Reader {
  readonly interval: BarLength
  readonly channel: CandleChannel
}

/** The connection to a provider. */
interface Connection {
  readonly socket: WebSocket
  /** Ends it where its server does not answer any more. */
  readonly pings: NodeJS.Timeout
  isReady: boolean
  isAlive: boolean
}

const maxBackoffMs = 60_000
const pingMs = 20_000
/** The most bytes of a message: thousands of bars of one minute. */
const maxMessageBytes = 8 * 2 ** 20
/** How long no connection is opened that was refused: meanwhile candles are fetched. */
const refusedMs = 600_000

/**
 * The bars that a provider streams. All securities share one connection, because providers allow one for each account. It is
 * opened for the first reader and closed with the last one. Where it is lost, all readers end with a failure, and what they miss
 * until they read again has to be fetched.
 */
export class BarStreams {
  readonly intervals: readonly BarLength[]
  readonly #readers = new Map<string, Set<Reader>>()
  readonly #halted = new Set<string>()
  #connection: Connection | undefined
  /** Connections that failed since the last bar. */
  #failures = 0
  /** The times (of `performance.now()`) before which no connection is opened: after a failure, and after a refusal. */
  #connectAfter = 0
  #refusedUntil = Number.NEGATIVE_INFINITY
  #isClosed = false

  /** `id` is what failures name. A lost connection is opened again after `firstBackoffMs` milliseconds, then after more. */
  constructor(
    private readonly id: string,
    private readonly protocol: StreamProtocol,
    private readonly firstBackoffMs: number,
  ) {
    this.intervals = protocol.intervals
  }

  /** Whether the stream has said that trading in a security was halted. */
  isHalted(symbol: string): boolean {
    return this.#halted.has(symbol)
  }

  /** The bars of a security, in the provider's spelling, until `signal` aborts; undefined while the provider refuses the stream. */
  async watch(symbol: string, interval: BarLength, signal: AbortSignal): Promise<CandleChannel | undefined> {
    const waitMs = this.#connectAfter - performance.now()
    if (waitMs > 0) await pause(waitMs, signal)
    if (this.#refusedUntil > performance.now()) return undefined
    const channel = new CandleChannel()
    if (signal.aborted || this.#isClosed) {
      channel.end()
      return channel
    }
    const reader = { interval, channel }
    const readers = this.#readers.get(symbol) ?? new Set()
    const isFirst = readers.size === 0
    this.#readers.set(symbol, readers.add(reader))
    channel.endWith(signal, () => {
      readers.delete(reader)
      if (readers.size === 0) this.#leave(symbol)
      // The stream is silent: the next one on this connection would be, too.
      if (signal.reason instanceof SourceFailure) this.#lose(new Error('the stream went silent'))
    })
    if (!this.#connection) this.#connect()
    else if (isFirst && this.#connection.isReady)
      this.#connection.socket.send(this.protocol.subscribe([symbol]))
    return channel
  }

  close(): void {
    this.#isClosed = true
    this.#drop()
    for (const readers of [...this.#readers.values()]) for (const { channel } of readers) channel.end()
  }

  #leave(symbol: string): void {
    if (this.#readers.get(symbol)?.size !== 0) return
    this.#readers.delete(symbol)
    this.#halted.delete(symbol)
    if (this.#readers.size === 0) this.#drop()
    else if (this.#connection?.isReady) this.#connection.socket.send(this.protocol.unsubscribe([symbol]))
  }

  #connect(): void {
    const socket = new WebSocket(this.protocol.url, { maxPayload: maxMessageBytes })
    const pings = setInterval(() => this.#ping(connection), pingMs).unref()
    const connection: Connection = { socket, pings, isReady: false, isAlive: true }
    this.#connection = connection
    let failure: Error | undefined
    socket.on('message', data => {
      if (this.#connection !== connection) return
      try {
        for (const event of this.protocol.read(String(data))) this.#take(event, connection)
      } catch (error) {
        this.#lose(error as Error)
      }
    })
    socket.on('pong', () => {
      connection.isAlive = true
    })
    socket.on('error', error => {
      failure = error
    })
    socket.on('close', code => {
      if (this.#connection === connection)
        this.#lose(failure ?? new Error(`the connection closed with code ${code}`))
    })
  }

  #ping(connection: Connection): void {
    if (!connection.isAlive) connection.socket.terminate()
    else if (connection.socket.readyState === WebSocket.OPEN) {
      connection.isAlive = false
      connection.socket.ping()
    }
  }

  #take(event: StreamEvent, connection: Connection): void {
    const { protocol } = this
    switch (event.kind) {
      case 'greeted':
        connection.socket.send(protocol.login())
        break
      case 'ready':
        connection.isReady = true
        connection.socket.send(protocol.subscribe([...this.#readers.keys()]))
        break
      case 'bar':
        this.#failures = 0
        this.#halted.delete(event.symbol)
        for (const { interval, channel } of this.#readers.get(event.symbol) ?? [])
          if (interval === event.interval) channel.push([event.candle])
        break
      case 'halt':
        if (event.isHalted) this.#halted.add(event.symbol)
        else this.#halted.delete(event.symbol)
        break
      case 'refused':
        this.#refusedUntil = performance.now() + refusedMs
        this.#end(new SourceFailure('unavailable', `${this.id}: no stream, because ${event.words}`))
        break
    }
  }

  /** Ends all readers, because the connection is of no use any more. */
  #lose(cause: Error): void {
    if (!this.#connection) return
    const waitMs = backoffMs(this.#failures, this.firstBackoffMs, maxBackoffMs)
    // The first failure causes no delay: servers close connections when they are started again.
    if (this.#failures++ > 0) this.#connectAfter = performance.now() + waitMs
    this.#end(new SourceFailure('unavailable', `the stream of ${this.id} broke off`, { cause }))
  }

  #end(failure: SourceFailure): void {
    this.#drop()
    for (const readers of [...this.#readers.values()])
      for (const { channel } of [...readers]) channel.end(failure)
  }

  #drop(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#halted.clear()
    if (!connection) return
    clearInterval(connection.pings)
    connection.socket.terminate()
  }
}
