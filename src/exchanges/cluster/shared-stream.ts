import type { Candle } from '../../candles/candle.js'
import { pause } from '../../runtime/pause.js'
import { type HeldStream, NotShared, type SharedStreams } from '../../store/sharing.js'
import { CandleChannel } from '../channel.js'
import { SourceFailure } from '../source.js'
import { decodeCandles, encodeCandles } from './shared-outcome.js'

type Stream = AsyncIterable<readonly Candle[]> | undefined

interface Options {
  readonly streams: SharedStreams
  readonly name: string
  readonly formingPerSecond: number
  /** Opens the stream of the exchange. */
  readonly open: (signal: AbortSignal) => Stream | Promise<Stream>
  readonly signal: AbortSignal
}

const lost = (name: string, reason: string) =>
  new SourceFailure('unavailable', `the stream of ${name} is lost: ${reason}`)

/** The stream of a series, as `Source.watch` answers it: the exchange's own on one node, and what it sends on the others. */
export async function watchShared(options: Options): Promise<Stream> {
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
    void new StreamOfAll(stream, channel, held, options, () => isLost || signal.aborted).run()
    return channel
  } catch (error) {
    held.end('failed')
    throw error
  }
}

/** A stream of this node alone, until the nodes can reach each other again: then one of them opens it for all. */
function openAlone(streams: SharedStreams, signal: AbortSignal, lose: (reason: string) => void): HeldStream {
  const stop = streams.onBack(() => lose('it is shared again'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return { kind: 'held', append: async () => {}, end: stop }
}

/** The exchange's own stream, given to this node's reader at once and to the other nodes in turn. */
class StreamOfAll {
  /** What the other nodes do not have yet, the latest state of each candle. */
  readonly #outgoing = new CandleChannel()
  #newest = Number.NEGATIVE_INFINITY
  /** Aborts when a candle has closed that the other nodes do not know yet: the sender does not wait then. */
  #hurry = new AbortController()

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
        if (timestamp > this.#newest) this.#hurry.abort()
        this.#newest = timestamp
      }
      if (!this.isEnded()) failure = lost(this.options.name, 'it has ended')
    } catch (error) {
      failure = error as Error
    }
    this.#outgoing.end()
    this.#hurry.abort()
    await sending
    // A stream that was lost can be opened at once, one that never came may be tried again after a while.
    const hasBegun = this.#newest > Number.NEGATIVE_INFINITY
    this.held.end(failure && !hasBegun ? 'failed' : 'released')
    this.channel.end(failure)
  }

  async #send(): Promise<void> {
    const pauseMs = 1000 / this.options.formingPerSecond
    for await (const candles of this.#outgoing) {
      this.#hurry = new AbortController()
      await this.held.append(encodeCandles(candles))
      await pause(pauseMs, this.#hurry.signal)
    }
  }
}
