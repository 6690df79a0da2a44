import type { Candle } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import { CandleChannel } from '../channel.js'
import { type ExchangeLookup, wrapSources } from '../registry.js'
import {
  type CandleStream,
  type FetchedCandles,
  type FetchOptions,
  type Source,
  SourceFailure,
  WrappedSource,
} from '../source.js'
import { depthStep } from './cluster-source.js'

/** Seconds for which the candles of a fetch are cached. Readers accept candles that are at most a few seconds old. */
const keepSeconds = 10

interface Fetch {
  /** Unix seconds. */
  readonly requestedAt: number
  readonly depth: number
  readonly candles: Promise<readonly Candle[]>
}

/** A stream that is open or being opened, with its readers. */
interface OpenStream {
  readonly ending: AbortController
  readonly readers: Set<CandleChannel>
  readonly isThere: Promise<boolean>
  newest: readonly Candle[]
}

/** Shares fetches and streams of the exchanges between several readers of this process. */
export const shareInProcesses = (exchanges: ExchangeLookup, clock: () => number): ExchangeLookup =>
  wrapSources(exchanges, (_, source) => new ProcessSource(source, clock))

export class ProcessSource extends WrappedSource {
  /** Newest fetch by key, in start order. */
  readonly #fetches = new Map<string, Fetch>()
  readonly #streams = new Map<string, OpenStream>()

  constructor(
    source: Source,
    private readonly clock: () => number,
  ) {
    super(source)
  }

  override async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<FetchedCandles> {
    const now = this.clock()
    const { since = now, ...kind } = options
    const key = JSON.stringify([symbol, timeframe, kind])
    const known = this.#fetches.get(key)
    // A request time after `now` means that the clock was set back after the fetch.
    const isNew = !known || known.requestedAt < since || known.requestedAt > now || known.depth < count
    const { candles, requestedAt } = isNew ? this.#fetch(key, symbol, timeframe, count, options) : known
    const newest = (await candles).slice(-count)
    return isNew ? newest : Object.assign(newest, { requestedAt })
  }

  #fetch(key: string, symbol: string, timeframe: Timeframe, count: number, options: FetchOptions): Fetch {
    const requestedAt = this.clock()
    for (const [other, { requestedAt: at }] of this.#fetches) {
      if (Math.abs(requestedAt - at) < keepSeconds) break
      this.#fetches.delete(other)
    }
    const depth = Math.ceil(count / depthStep) * depthStep
    const candles = super.candles(symbol, timeframe, depth, options)
    const fetch = { requestedAt, depth, candles }
    this.#fetches.delete(key)
    this.#fetches.set(key, fetch)
    candles.catch(() => {
      if (this.#fetches.get(key) === fetch) this.#fetches.delete(key)
    })
    return fetch
  }

  override async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<CandleStream | undefined> {
    const key = `${symbol} ${timeframe}`
    const stream = this.#streams.get(key) ?? this.#open(key, symbol, timeframe)
    const reader = new CandleChannel()
    stream.readers.add(reader)
    reader.endWith(signal, () => this.#leave(key, stream, reader, signal.reason))
    // A later reader first gets the candles that were streamed last.
    if (stream.newest.length > 0) reader.push(stream.newest)
    try {
      if (await stream.isThere) return reader
      reader.end()
      return undefined
    } catch (error) {
      reader.end()
      throw error
    }
  }

  #open(key: string, symbol: string, timeframe: Timeframe): OpenStream {
    const ending = new AbortController()
    const opening = super.watch(symbol, timeframe, ending.signal)
    const stream: OpenStream = {
      ...{ ending, readers: new Set<CandleChannel>(), newest: [] },
      isThere: opening.then(candles => candles !== undefined),
    }
    this.#streams.set(key, stream)
    void opening
      .then(candles => this.#pass(candles, stream))
      .then(
        () => this.#end(key, stream),
        error => this.#end(key, stream, error),
      )
    return stream
  }

  async #pass(candles: CandleStream | undefined, stream: OpenStream): Promise<void> {
    for await (const changed of candles ?? []) {
      stream.newest = changed
      for (const reader of stream.readers) reader.push(changed)
    }
  }

  /** Ends the readers of a stream that has ended. The next reader opens a new stream. */
  #end(key: string, stream: OpenStream, failure?: Error): void {
    if (this.#streams.get(key) === stream) this.#streams.delete(key)
    for (const reader of [...stream.readers]) reader.end(failure)
  }

  /** Removes a reader. A stream ends with its last reader. If a reader found it silent, the stream ends for all. */
  #leave(key: string, stream: OpenStream, reader: CandleChannel, reason: unknown): void {
    stream.readers.delete(reader)
    const isSilent = reason instanceof SourceFailure
    if (stream.readers.size > 0 && !isSilent) return
    if (this.#streams.get(key) === stream) this.#streams.delete(key)
    stream.ending.abort(reason)
    for (const other of [...stream.readers]) other.end(isSilent ? reason : undefined)
  }
}
