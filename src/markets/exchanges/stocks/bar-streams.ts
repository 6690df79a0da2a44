import { backoffMs } from '../../../runtime/backoff.js'
import { withDeadline } from '../../../runtime/deadline.js'
import { pause } from '../../../runtime/pause.js'
import { WebSocket } from '../../../runtime/web-sockets.js'
import { CandleChannel } from '../channel.js'
import { ExchangeClock } from '../exchange-clock.js'
import { RequestQueue, retryAfterMs } from '../request-queue.js'
import { readBody } from '../response-body.js'
import { type RetrySettings, retry, retryDefaults } from '../retry.js'
import { SourceFailure } from '../source.js'
import { faultOf, HttpFailure } from './failure.js'
import type { Fetch, Provider, StreamEvent, StreamProtocol } from './provider.js'
import type { StocksSettings } from './stocks.js'

const defaultTimeoutMs = 10_000
/** Upper bound for a Retry-After header, so that a wrong one does not block all requests forever. */
const maxRetryAfterMs = 86_400_000

/** A provider with the resources that an account limits: the request queue and the connection for bars. */
export class StocksConnection {
  readonly clock: ExchangeClock
  /** Unix seconds of this machine's clock. */
  readonly now: () => number
  readonly streams: BarStreams | undefined
  readonly closing = new AbortController()
  readonly #settings: StocksSettings & Required<RetrySettings>
  readonly #timeoutMs: number
  readonly #queue: RequestQueue

  /** @param id name of the exchange in failures */
  constructor(
    readonly id: string,
    readonly provider: Provider,
    settings: StocksSettings,
    requestsPerSecond = provider.requestsPerSecond,
  ) {
    this.#settings = { ...retryDefaults, ...settings }
    this.#timeoutMs = settings.timeoutMs ?? defaultTimeoutMs
    this.now = settings.clock ?? (() => Date.now() / 1000)
    this.clock = new ExchangeClock(this.now)
    this.#queue = new RequestQueue({
      exchange: id,
      spacingMs: 1000 / requestsPerSecond,
      concurrency: 4,
      maxWaitMs: 60_000,
      maxPauseMs: this.#settings.maxPauseMs,
      signal: this.closing.signal,
    })
    const { stream } = provider
    this.streams = stream && new BarStreams(id, stream, this.#settings.backoffMs)
  }

  /** Runs `work` in its turn, and retries it while its failure is transient. */
  ask<Answer>(isBackground: boolean, work: (fetch: Fetch) => Promise<Answer>): Promise<Answer> {
    const { retries, backoffMs, maxPauseMs } = this.#settings
    const run = () => work(this.#fetch)
    return retry(() => this.#queue.run(run, 1, isBackground ? 'background' : 'client'), {
      exchange: this.id,
      retries,
      backoffMs,
      maxPauseMs,
      queue: this.#queue,
      timeoutMs: this.#timeoutMs,
      signal: this.closing.signal,
      faultOf: error => ({
        ...faultOf(error),
        ...(error instanceof HttpFailure ? this.provider.explain?.(error) : undefined),
      }),
    })
  }

  close(): void {
    this.closing.abort()
    this.streams?.close()
  }

  /** Fetches a whole response within the timeout. Any status but 2xx is an HttpFailure. */
  readonly #fetch: Fetch = (url, headers = {}) =>
    withDeadline(this.#timeoutMs, this.closing.signal, async signal => {
      const response = await fetch(url, { headers, signal })
      this.clock.observe(response.headers.get('date'))
      const text = new TextDecoder().decode(response.body ? await readBody(response.body) : undefined)
      if (response.ok) return new Response(text, { headers: response.headers })
      const pauseMs = retryAfterMs(response.headers.get('retry-after'), maxRetryAfterMs)
      throw new HttpFailure(response.status, pauseMs, text)
    })
}

type BarLength = '1m' | '1d'

interface Reader {
  readonly interval: BarLength
  readonly channel: CandleChannel
}

interface Connection {
  readonly socket: WebSocket
  /** Timer of the pings. It ends the connection if the server does not answer. */
  readonly pings: NodeJS.Timeout
  isReady: boolean
  isAlive: boolean
}

const maxBackoffMs = 60_000
const pingMs = 20_000
/** Maximum bytes of a message: thousands of bars of one minute. */
const maxMessageBytes = 8 * 2 ** 20
/** Milliseconds without a new connection after a refusal. Candles are fetched during this time. */
const refusedMs = 600_000

/**
 * Bar streams of a provider. All securities share one connection, because providers allow one per account. It is
 * opened for the first reader and closed with the last one. A lost connection ends all readers with a failure. Bars
 * that they miss until they read again have to be fetched.
 */
export class BarStreams {
  readonly intervals: readonly BarLength[]
  readonly #readers = new Map<string, Set<Reader>>()
  #connection: Connection | undefined
  /** Number of failed connections since the last bar. */
  #failures = 0
  /** Times (of `performance.now()`) before which no connection is opened: after a failure, and after a refusal. */
  #connectAfter = 0
  #refusedUntil = Number.NEGATIVE_INFINITY
  #isClosed = false

  /**
   * @param id name of the exchange in failures
   * @param firstBackoffMs base of the delay before reconnections, in milliseconds; the delay increases with every
   * failure
   */
  constructor(
    private readonly id: string,
    private readonly protocol: StreamProtocol,
    private readonly firstBackoffMs: number,
  ) {
    this.intervals = protocol.intervals
  }

  /**
   * Bars of a security (in the provider's spelling) until `signal` aborts. Undefined while the provider refuses the
   * stream.
   */
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
      // The stream is silent: the next one on this connection would be silent too.
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
        for (const { interval, channel } of this.#readers.get(event.symbol) ?? [])
          if (interval === event.interval) channel.push([event.candle])
        break
      case 'refused':
        this.#refusedUntil = performance.now() + refusedMs
        this.#end(new SourceFailure('unavailable', `${this.id}: no stream, because ${event.words}`))
        break
    }
  }

  /** Drops the connection and ends all readers with a failure. */
  #lose(cause: Error): void {
    if (!this.#connection) return
    const waitMs = backoffMs(this.#failures, this.firstBackoffMs, maxBackoffMs)
    // The first failure causes no delay, because servers close connections when they restart.
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
    if (!connection) return
    clearInterval(connection.pings)
    connection.socket.terminate()
  }
}
