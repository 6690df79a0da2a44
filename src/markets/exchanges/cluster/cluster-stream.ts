import type { Candle } from '../../../candles/candle.js'
import { type ClusterStreams, type HeldStream, NotShared } from '../../../contract/storage/cluster.js'
import { pause } from '../../../runtime/pause.js'
import { CandleChannel } from '../channel.js'
import { SourceFailure } from '../source.js'
import { decodeCandles, encodeCandles } from './cluster-messages.js'

type Stream = AsyncIterable<readonly Candle[]> | undefined

interface Options {
  readonly streams: ClusterStreams
  readonly name: string
  readonly formingPerSecond: number
  /** Opens the stream of the exchange. */
  readonly open: (signal: AbortSignal) => Stream | Promise<Stream>
  readonly signal: AbortSignal
}

const lost = (name: string, reason: string) =>
  new SourceFailure('unavailable', `the stream of ${name} is lost: ${reason}`)

/** The stream of a series, as `Source.watch` returns it. One node streams from the exchange and sends the candles to the others. */
export async function watchInCluster(options: Options): Promise<Stream> {
  const { streams, name, signal } = options
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
    const stream = await options.open(opened.signal)
    if (stream === undefined) {
      held.end('no stream')
      return undefined
    }
    void new StreamPublisher(stream, channel, held, options, () => isLost || signal.aborted).run()
    return channel
  } catch (error) {
    held.end('failed')
    throw error
  }
}

/** A stream that only this node reads, until the shared store answers again. Then it ends, so that one node opens it for all. */
function openAlone(streams: ClusterStreams, signal: AbortSignal, lose: (reason: string) => void): HeldStream {
  const stop = streams.onBack(() => lose('it is shared again'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return { kind: 'held', append: async () => {}, end: stop }
}

/** Passes the stream of the exchange to the reader in this process at once, and to the other nodes with pauses. */
class StreamPublisher {
  /** The latest state of each candle that was not sent to the other nodes yet. */
  readonly #outgoing = new CandleChannel()
  #newest = Number.NEGATIVE_INFINITY
  /** Ends the pause before the next message when a candle has closed: the other nodes do not know it yet. */
  #pause = new AbortController()

  constructor(
    private readonly stream: AsyncIterable<readonly Candle[]>,
    private readonly channel: CandleChannel,
    private readonly held: HeldStream,
    private readonly options: Pick<Options, 'formingPerSecond' | 'name'>,
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
    // A stream that was lost can be opened at once, one that never came may be tried again after a while.
    const hasBegun = this.#newest > Number.NEGATIVE_INFINITY
    this.held.end(failure && !hasBegun ? 'failed' : 'released')
    this.channel.end(failure)
  }

  async #send(): Promise<void> {
    const pauseMs = 1000 / this.options.formingPerSecond
    for await (const candles of this.#outgoing) {
      this.#pause = new AbortController()
      await this.held.append(encodeCandles(candles))
      await pause(pauseMs, this.#pause.signal)
    }
  }
}
