import type { Candle } from '../candles/candle.js'
import type { Market } from '../contract/market.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import { backoffMs } from '../runtime/backoff.js'
import { pause } from '../runtime/pause.js'

interface Options {
  readonly market: Market
  readonly source: Source
  /** Milliseconds before a lost stream is opened again; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Ends the connection for good. */
  readonly ended: AbortSignal
  /** Called with the candles of each event, in their order. */
  readonly onCandles: (candles: readonly Candle[]) => void
  /** Called when a stream that had emitted candles is gone. */
  readonly onLost: () => void
  /** Called with every failure; the connection repairs itself. */
  readonly onFault: (error: unknown) => void
}

/** A stream without events for so many seconds is silent: its market is quiet, or its connection is dead. */
export const silentSeconds = 30
/** A stream may emit what happened so many seconds after REST showed it; after that its connection is dead. */
const maxLagSeconds = 5
/** The failure of a stream that lasted longer than this counts as the first one. */
const stableMs = 30_000
/** The longest wait before a repetition. */
export const maxBackoffMs = 60_000
/**
 * A source that has no stream for a market may have one later: ccxt's sources refuse a market for one hour after its
 * exchange did. Half of the time is random, so the source is asked again after one to two hours.
 */
const noStreamRetryMs = 2 * 3_600_000

/** The stream of one market from its source: opened again when it is lost, dropped when it is dead. */
export class SourceConnection {
  readonly #options: Options
  /** Aborts the stream that is open or being opened. */
  #stream: AbortController | undefined
  #isStreaming = false
  #lastEventAt = 0
  /** Since when it is known that the exchange has candles that the silent stream did not emit. */
  #missingSince: number | undefined

  constructor(options: Options) {
    this.#options = options
    options.ended.addEventListener('abort', () => this.#stream?.abort())
  }

  /** Whether the stream is open and has emitted candles. */
  get isStreaming(): boolean {
    return this.#isStreaming
  }

  /** When the stream emitted candles last, in Unix seconds. */
  get lastEventAt(): number {
    return this.#lastEventAt
  }

  isSilentAt(now: number): boolean {
    return now - this.#lastEventAt >= silentSeconds
  }

  /** Opens the stream, again and again; resolves when `ended` aborts, at once where the source never has one. */
  async run(): Promise<void> {
    const { source, ended } = this.#options
    if (!source.watch) return
    let failures = 0
    while (!ended.aborted) {
      const openedAt = performance.now()
      const outcome = await this.#read()
      if (ended.aborted) return
      if (outcome === 'no stream') {
        failures = 0
        await pause(backoffMs(0, noStreamRetryMs), ended)
        continue
      }
      this.#lose()
      if (performance.now() - openedAt > stableMs) failures = 0
      await pause(backoffMs(failures++, this.#options.backoffMs, maxBackoffMs), ended)
    }
  }

  /** The exchange's history, requested at `requestedAt`, has candles that the stream did not emit. */
  reportMissing(requestedAt: number): void {
    if (this.#isStreaming && this.isSilentAt(requestedAt)) this.#missingSince ??= this.#options.clock()
  }

  /** Drops a stream that has not emitted in time what the exchange's history shows; another one is opened. */
  dropIfDead(now: number): void {
    if (this.#missingSince === undefined || now - this.#missingSince < maxLagSeconds) return
    this.#missingSince = undefined
    const { market, onFault } = this.#options
    const { exchange, symbol } = market
    const failure = new SourceFailure('unavailable', `the stream of ${symbol} on ${exchange} went silent`)
    onFault(failure)
    this.#stream?.abort(failure)
  }

  /** The clock was set back to `now`, so the times noted before are of no use. */
  resetTimes(now: number): void {
    this.#lastEventAt = Math.min(this.#lastEventAt, now)
    this.#missingSince = undefined
  }

  /** Opens one stream and reads it to its end. */
  async #read(): Promise<'lost' | 'no stream'> {
    const { market, source, onFault } = this.#options
    const opened = new AbortController()
    this.#stream = opened
    try {
      const stream = await this.#untilEnded(source.watch?.(market.symbol, market.timeframe, opened.signal))
      if (stream === undefined) return 'no stream'
      for await (const candles of stream) {
        if (opened.signal.aborted) break
        this.#receive(candles)
      }
      if (!opened.signal.aborted) throw new SourceFailure('unavailable', 'the stream ended')
    } catch (error) {
      if (!opened.signal.aborted) onFault(error)
    } finally {
      opened.abort()
    }
    return 'lost'
  }

  #receive(candles: readonly Candle[]): void {
    this.#lastEventAt = this.#options.clock()
    this.#isStreaming = true
    this.#missingSince = undefined
    this.#options.onCandles(candles)
  }

  #lose(): void {
    if (!this.#isStreaming) return
    this.#isStreaming = false
    this.#missingSince = undefined
    this.#options.onLost()
  }

  /** The result of a promise, or undefined where `ended` aborts before. */
  #untilEnded<Result>(promise: Result | Promise<Result>): Promise<Result | undefined> {
    const { ended } = this.#options
    return new Promise((resolve, reject) => {
      const end = () => resolve(undefined)
      ended.addEventListener('abort', end)
      void Promise.resolve(promise)
        .then(resolve, reject)
        .finally(() => ended.removeEventListener('abort', end))
    })
  }
}
