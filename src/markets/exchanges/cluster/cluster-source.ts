import { type Candle, candlesFromBytes, candlesToBytes } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import {
  type Cluster,
  type ClusterStreams,
  type FetchOutcome,
  type HeldStream,
  NotShared,
} from '../../../contract/storage/cluster.js'
import type { Store } from '../../../contract/storage/stores.js'
import { pause } from '../../../runtime/pause.js'
import { CandleChannel } from '../channel.js'
import { packError, packedError, unpackError } from '../packing.js'
import { type ExchangeLookup, wrapSources } from '../registry.js'
import {
  type CandleStream,
  type FetchedCandles,
  type FetchOptions,
  freshSecondsOf,
  type Source,
  SourceFailure,
  WrappedSource,
} from '../source.js'
import { symbolsKey } from '../symbol-cache.js'

/**
 * Decodes candles of another node: six numbers each, so that all nodes have the same bits. Throws if the bytes are not
 * candles.
 */
function decodeCandles(bytes: Uint8Array): Candle[] {
  const candles = candlesFromBytes(bytes)
  for (const candle of candles)
    if (!Number.isSafeInteger(candle.timestamp) || !Object.values(candle).every(Number.isFinite))
      throw new Error('bytes of another node that are no candles')
  return candles
}

const encodeFailure = (failure: SourceFailure): Uint8Array => Buffer.from(JSON.stringify(packError(failure)))

/** Decodes the result of another node's fetch: candles or a failure. Throws if it cannot be read. */
function decodeOutcome({ bytes, isFailure }: FetchOutcome): Candle[] | SourceFailure {
  if (!isFailure) return decodeCandles(bytes)
  const failure = unpackError(packedError.parse(JSON.parse(Buffer.from(bytes).toString())))
  if (failure instanceof SourceFailure) return failure
  throw new Error('an error of another node that is no failure of an exchange', { cause: failure })
}

const lost = (name: string, reason: string) =>
  new SourceFailure('unavailable', `the stream of ${name} is lost: ${reason}`)

/**
 * A stream that only this node reads, while the shared store does not answer. It ends when the store answers again,
 * so that one node opens a stream for all.
 */
function openAlone(streams: ClusterStreams, signal: AbortSignal, lose: (reason: string) => void): HeldStream {
  const stop = streams.onBack(() => lose('it is shared again'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return { kind: 'held', append: async () => {}, end: stop }
}

/** Passes the stream of the exchange immediately to the reader in this process, and with pauses to the other nodes. */
class StreamPublisher {
  /** Latest unsent state of each candle. */
  readonly #outgoing = new CandleChannel()
  #newest = Number.NEGATIVE_INFINITY
  /**
   * Ends the pause before the next message early when a candle has closed, because the other nodes do not know it
   * yet.
   */
  #pause = new AbortController()

  constructor(
    private readonly stream: CandleStream,
    private readonly channel: CandleChannel,
    private readonly held: HeldStream,
    private readonly options: Pick<Settings, 'formingPerSecond'> & { readonly name: string },
    private readonly isEnded: () => boolean,
  ) {}

  async run(): Promise<void> {
    const sending = this.#send()
    let failure: Error | undefined
    try {
      for await (const candles of this.stream) {
        if (this.isEnded()) break
        this.channel.push(candles)
        this.#outgoing.push(candles)
        const { timestamp } = candles.at(-1) ?? { timestamp: this.#newest }
        if (timestamp > this.#newest) this.#pause.abort()
        this.#newest = timestamp
      }
      if (!this.isEnded()) failure = lost(this.options.name, 'it has ended')
    } catch (error) {
      failure = error as Error
    }
    this.#outgoing.end()
    this.#pause.abort()
    await sending
    // A lost stream can be reopened immediately. A stream without any candle may be retried after a while.
    const hasBegun = this.#newest > Number.NEGATIVE_INFINITY
    this.held.end(failure && !hasBegun ? 'failed' : 'released')
    this.channel.end(failure)
  }

  async #send(): Promise<void> {
    const pauseMs = 1000 / this.options.formingPerSecond
    for await (const candles of this.#outgoing) {
      this.#pause = new AbortController()
      await this.held.append(candlesToBytes(candles))
      await pause(pauseMs, this.#pause.signal)
    }
  }
}

interface Settings {
  readonly store: Pick<Store, 'cluster' | 'keyValues'>
  /** Seconds for which other nodes may use fetched candles. The source may set another time. */
  readonly refreshSeconds: number
  /** Maximum states of a forming candle sent to other nodes per second. */
  readonly formingPerSecond: number
  readonly clock: () => number
}

/**
 * Step to which the number of fetched candles is rounded up, so that nodes that need slightly different counts ask
 * the same question.
 */
export const depthStep = 10

/** Seconds for which stale candles stay in the store, for nodes that accept older ones. */
const keepSeconds = 5

/**
 * Shares the exchanges between the nodes of a store: one node at a time fetches and streams each series. Returns
 * `exchanges` unchanged if only this node uses the store.
 */
export function shareInCluster(exchanges: ExchangeLookup, settings: Settings): ExchangeLookup {
  const { cluster } = settings.store
  if (!cluster) return exchanges
  return wrapSources(exchanges, (id, source) => new ClusterSource(id, source, cluster, settings))
}

/**
 * A source that fetches and streams each series on one node at a time. The other nodes get the candles from that
 * node.
 */
class ClusterSource extends WrappedSource {
  constructor(
    private readonly exchange: string,
    source: Source,
    private readonly cluster: Cluster,
    private readonly settings: Settings,
  ) {
    super(source)
  }

  override async symbols(): Promise<readonly string[]> {
    // The stored list is optional, because the exchange can be asked.
    await this.settings.store.keyValues.prepare?.(symbolsKey(this.exchange))?.catch(() => {})
    return this.source.symbols()
  }

  /** One node streams from the exchange and sends the candles to the others. */
  override async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<CandleStream | undefined> {
    const { streams } = this.cluster
    const name = `${this.exchange}:${symbol}:${timeframe}`
    const channel = new CandleChannel()
    const opened = new AbortController()
    let isLost = false
    const lose = (reason: string) => {
      isLost = true
      channel.end(lost(name, reason))
      opened.abort()
    }
    const listener = { onEvent: (bytes: Uint8Array) => channel.push(decodeCandles(bytes)), onLost: lose }
    const joined = await streams.join(name, listener).catch(error => {
      if (error instanceof NotShared) return undefined
      throw error
    })
    if (joined === 'no stream') return undefined
    const end = () => {
      if (joined?.kind === 'followed') joined.end()
      channel.end()
      opened.abort(signal.reason)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    if (joined?.kind === 'followed') return channel
    const held = joined ?? openAlone(streams, opened.signal, lose)
    try {
      const stream = await super.watch(symbol, timeframe, opened.signal)
      if (stream === undefined) {
        held.end('no stream')
        return undefined
      }
      const options = { ...this.settings, name }
      void new StreamPublisher(stream, channel, held, options, () => isLost || signal.aborted).run()
      return channel
    } catch (error) {
      held.end('failed')
      throw error
    }
  }

  override async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<FetchedCandles> {
    if (count < 1) return []
    const { clock, refreshSeconds } = this.settings
    const now = clock()
    const { since = now, until, isBackground } = options
    // Background fetches have their own names: they are slower, and a client must not wait for them.
    const kind = `${until === undefined ? '' : `:${until}`}${isBackground ? ':background' : ''}`
    const name = `${this.exchange}:${symbol}:${timeframe}${kind}`
    const depth = Math.ceil(count / depthStep) * depthStep
    const question = {
      maxAgeMs: Math.max(0, now - since) * 1000,
      depth,
      keepMs: (keepSeconds + (freshSecondsOf(this.source, symbol) ?? refreshSeconds)) * 1000,
    }
    /** Result of a fetch by this node. Undefined if another node fetches. */
    let own: readonly Candle[] | SourceFailure | undefined
    let isOwn = false
    const work = async () => {
      isOwn = true
      try {
        own = await this.source.candles(symbol, timeframe, depth, options)
        return { bytes: candlesToBytes(own), isFailure: false }
      } catch (error) {
        // Other errors are bugs of the source and are not shared.
        if (!(error instanceof SourceFailure)) throw error
        own = error
        return { bytes: encodeFailure(error), isFailure: true }
      }
    }
    let outcome: readonly Candle[] | SourceFailure | undefined
    let ageMs = 0
    try {
      const answer = await this.cluster.fetches.fetch(name, question, work)
      outcome = answer && decodeOutcome(answer)
      ageMs = answer?.ageMs ?? 0
    } catch (error) {
      // Sharing has failed, so this node fetches by itself.
      if (!isOwn) return this.source.candles(symbol, timeframe, count, options)
      if (own === undefined) throw error
    }
    const found = outcome ?? own
    if (found instanceof SourceFailure) throw found
    const newest = (found as readonly Candle[]).slice(-count)
    return isOwn ? newest : Object.assign(newest, { requestedAt: clock() - ageMs / 1000 })
  }
}
