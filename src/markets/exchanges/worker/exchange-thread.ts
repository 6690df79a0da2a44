import { unpackCandles } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import { backoffMs } from '../../../runtime/backoff.js'
import { withTimeout } from '../../../runtime/deadline.js'
import { scheduler } from '../../../runtime/scheduler.js'
import { CandleChannel } from '../channel.js'
import { unpackError, unpackInSlices } from '../packing.js'
import {
  type CandleStream,
  type FetchedCandles,
  type FetchOptions,
  type OnAnomaly,
  type Source,
  SourceFailure,
  type SourceTraits,
} from '../source.js'
import type { SymbolCache } from '../symbol-cache.js'
import type { Answer, FromThread, PackedCandles, Question, ToThread } from './messages.js'

/** Members of a Worker that are used here. */
export interface Thread {
  postMessage(message: ToThread): void
  on(event: 'message', listener: (message: FromThread) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  terminate(): Promise<unknown>
}

interface Options {
  readonly start: () => Thread
  readonly onAnomaly?: OnAnomaly | undefined
  readonly symbolCache?: SymbolCache | undefined
  /** Called when the thread ends by itself, and with unhandled rejections in the thread. */
  readonly onFault?: ((error: Error) => void) | undefined
}

interface PendingQuestion {
  readonly exchange: string
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

interface OpenStream {
  readonly exchange: string
  readonly channel: CandleChannel
}

interface Running {
  readonly thread: Thread
  readonly startedMs: number
  /** Exchanges known to the thread. */
  readonly exchanges: Set<string>
  readonly pending: Map<number, PendingQuestion>
  readonly streams: Map<number, OpenStream>
  readonly pings: NodeJS.Timeout
  unansweredPings: number
  error: Error | undefined
  onClosed: () => void
}

/** Seconds in which the exchanges may close their connections regularly. */
const closeGraceSeconds = 0.5
/** Minimum run time in milliseconds after which the end of a thread counts as its first failure. */
const stableMs = 60_000
const firstBackoffMs = 1000
const maxBackoffMs = 60_000
const pingMs = 10_000
/** Unanswered pings after which a thread is stuck. Reading the longest response takes a few seconds. */
const maxUnansweredPings = 6

/**
 * The exchange thread, as seen by the service's event loop. The first question starts the thread. After the thread
 * has ended by itself, the next question restarts it. From the second consecutive failure on, a restart is delayed,
 * and the delay doubles with every further failure.
 */
export class ExchangeThread {
  readonly #spellings = new Map<string, ReadonlyMap<string, string>>()
  #running: Running | undefined
  #closing: Promise<void> | undefined
  #lastId = 0
  #failures = 0
  /** The time (of `performance.now()`) before which no thread is started. */
  #startAfterMs = 0

  constructor(private readonly options: Options) {}

  /** Known listed spellings of an exchange, by the spelling without a separator. */
  spellingsOf(exchange: string): ReadonlyMap<string, string> | undefined {
    return this.#spellings.get(exchange)
  }

  /** Asks an exchange. Rejects with the failure of its source, or if no thread is available. */
  async ask(exchange: string, question: Question): Promise<Answer> {
    return this.#ask(this.#open(exchange), exchange, question, ++this.#lastId)
  }

  /** Candles of a stream until `signal` aborts. Undefined if the exchange has no such stream. */
  async watch(
    exchange: string,
    question: Question & { ask: 'stream' },
    signal: AbortSignal,
  ): Promise<CandleStream | undefined> {
    const running = this.#open(exchange)
    const { streams, thread } = running
    const id = ++this.#lastId
    const channel = new CandleChannel()
    const answered = this.#ask(running, exchange, question, id)
    streams.set(id, { exchange, channel })
    channel.endWith(signal, () => {
      streams.delete(id)
      if (signal.aborted)
        thread.postMessage({ kind: 'end-stream', id, isSilent: signal.reason instanceof SourceFailure })
    })
    const isOpen = await answered.catch(error => {
      channel.end()
      throw error
    })
    if (isOpen) return channel
    channel.end()
    return undefined
  }

  /** Ends the thread. Unanswered questions fail. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const running = this.#running
    if (running === undefined) return
    const closed = new Promise<void>(resolve => {
      running.onClosed = resolve
    })
    running.thread.postMessage({ kind: 'close' })
    await withTimeout(closed, closeGraceSeconds)
    this.#end(running)
    await running.thread.terminate()
  }

  #ask(running: Running, exchange: string, question: Question, id: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      running.pending.set(id, { exchange, resolve, reject })
      const isFirst = !running.exchanges.has(exchange)
      running.exchanges.add(exchange)
      const stored = isFirst ? this.options.symbolCache?.get(exchange) : undefined
      running.thread.postMessage({ kind: 'question', id, exchange, question, stored })
    })
  }

  /** Returns the running thread, or starts one. Throws if no thread may be started. */
  #open(exchange: string): Running {
    if (this.#closing) throw closedFailure(exchange)
    this.#running ??= this.#start(exchange)
    return this.#running
  }

  #start(exchange: string): Running {
    const waitMs = this.#startAfterMs - performance.now()
    if (waitMs > 0) throw endedFailure(exchange, undefined, Math.ceil(waitMs / 1000))
    let thread: Thread
    try {
      thread = this.options.start()
    } catch (error) {
      throw endedFailure(exchange, error as Error, 1)
    }
    const running: Running = {
      thread,
      startedMs: performance.now(),
      exchanges: new Set(),
      pending: new Map(),
      streams: new Map(),
      pings: setInterval(() => this.#ping(running), pingMs).unref(),
      unansweredPings: 0,
      error: undefined,
      onClosed: () => {},
    }
    thread.on('message', message => this.#receive(running, message))
    thread.on('error', error => {
      running.error = error
    })
    thread.on('exit', () => {
      if (this.#running === running) this.#end(running)
    })
    return running
  }

  #receive(running: Running, message: FromThread): void {
    const { onAnomaly, symbolCache, onFault } = this.options
    const { pending, streams } = running
    switch (message.kind) {
      case 'streamed':
        inTurn(() => streams.get(message.id)?.channel.push(unpackCandles(message.candles)))
        break
      case 'stream-ended':
        inTurn(() => streams.get(message.id)?.channel.end(message.error && unpackError(message.error)))
        break
      case 'answer':
      case 'failure': {
        const question = pending.get(message.id)
        if (!question) break
        pending.delete(message.id)
        if (message.kind === 'answer') question.resolve(message.answer)
        else question.reject(unpackError(message.error))
        break
      }
      case 'store-symbols':
        symbolCache?.set(message.exchange, message.list)
        break
      case 'spellings':
        this.#spellings.set(message.exchange, message.spellings)
        break
      case 'anomalies':
        for (let k = 0; k < message.count; k++) onAnomaly?.(message.anomaly, message.exchange)
        break
      case 'fault':
        onFault?.(unpackError(message.error))
        break
      case 'pong':
        running.unansweredPings = 0
        break
      case 'closed':
        running.onClosed()
        break
    }
  }

  /** Pings the thread. Ends a thread that does not answer. */
  #ping(running: Running): void {
    if (running.unansweredPings >= maxUnansweredPings) {
      running.error = new Error(
        `the thread did not answer for ${(running.unansweredPings * pingMs) / 1000} s`,
      )
      void running.thread.terminate()
      return
    }
    running.unansweredPings++
    running.thread.postMessage({ kind: 'ping' })
  }

  /** Cleans up after a thread that has ended or is being closed. All unanswered questions and open streams fail. */
  #end(running: Running): void {
    this.#running = undefined
    clearInterval(running.pings)
    const { pending, streams, error = new Error('the thread ended') } = running
    let waitMs = 0
    if (!this.#closing) {
      const isStable = performance.now() - running.startedMs > stableMs
      this.#failures = isStable ? 1 : this.#failures + 1
      if (this.#failures > 1) waitMs = backoffMs(this.#failures - 2, firstBackoffMs, maxBackoffMs)
      this.#startAfterMs = performance.now() + waitMs
      this.options.onFault?.(new Error('it ended, and questions start it again', { cause: error }))
    }
    const failureFor = (exchange: string) =>
      this.#closing ? closedFailure(exchange) : endedFailure(exchange, error, Math.ceil(waitMs / 1000))
    for (const { exchange, reject } of pending.values()) reject(failureFor(exchange))
    for (const { exchange, channel } of [...streams.values()]) channel.end(failureFor(exchange))
  }
}

/**
 * Handles stream messages in order, in slices of the event loop. At the end of a minute, each of a thousand markets
 * sends a message.
 */
const inTurn = (work: () => void) => void scheduler.run('streams', work)

const closedFailure = (exchange: string) => new SourceFailure('unavailable', `${exchange} was closed`)

const endedFailure = (exchange: string, error: Error | undefined, retryAfter: number) =>
  new SourceFailure('unavailable', `${exchange} could not be asked: the thread of the exchanges ended`, {
    cause: error ?? new Error('the thread of the exchanges is started again after a wait'),
    retryAfter: Math.max(1, retryAfter),
  })

/** An exchange whose source runs in the exchange thread. */
export class RemoteSource implements Source {
  readonly spellings?: NonNullable<Source['spellings']>
  readonly #lists: Record<'symbols' | 'ranking', readonly string[]> = { symbols: [], ranking: [] }

  /** An exchange with `traits` lists symbols that callers may spell differently. */
  constructor(
    private readonly thread: ExchangeThread,
    private readonly exchange: string,
    readonly traits?: SourceTraits,
  ) {
    if (traits) this.spellings = () => thread.spellingsOf(exchange)
  }

  symbols(): Promise<readonly string[]> {
    return this.#list('symbols')
  }

  ranking(): Promise<readonly string[]> {
    return this.#list('ranking')
  }

  async #list(ask: 'symbols' | 'ranking'): Promise<readonly string[]> {
    const list = (await this.thread.ask(this.exchange, { ask })) as readonly string[] | undefined
    if (list) this.#lists[ask] = Object.freeze(list)
    return this.#lists[ask]
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<FetchedCandles> {
    const question = { ask: 'candles', symbol, timeframe, count, options } as const
    const { packed, requestedAt } = (await this.thread.ask(this.exchange, question)) as PackedCandles
    const candles = await unpackInSlices(packed)
    return requestedAt === undefined ? candles : Object.assign(candles, { requestedAt })
  }

  watch(symbol: string, timeframe: Timeframe, signal: AbortSignal): Promise<CandleStream | undefined> {
    return this.thread.watch(this.exchange, { ask: 'stream', symbol, timeframe }, signal)
  }
}
