import type { Candle } from '../../src/candles/candle.js'
import type { Snapshot } from '../../src/candles/columns.js'
import { CandleChannel } from '../../src/markets/exchanges/channel.js'
import type { Source } from '../../src/markets/exchanges/source.js'

/** Number of states of every minute of the scripted market: a new one every fifteen seconds. */
const states = 4

/** The minute candle that opens at `timestamp`, after its first `state` of four states. */
export function candleAt(timestamp: number, state = states): Candle {
  const minute = timestamp / 60
  const open = 100 + (minute % 13)
  return {
    timestamp,
    open,
    high: open + state * 2,
    low: open - 1,
    close: open + state * 2 - (minute % 2),
    volume: state + (minute % 5),
  }
}

export const closedOf = ({ columns, closed }: Snapshot): Candle[] =>
  Array.from({ length: closed }, (_, at) => columns.read(at))

/** A market of known candles whose stream and REST replies are controlled by a test. */
export class ScriptedSource implements Source {
  /** Opened streams, newest last. */
  readonly streams: { readonly channel: CandleChannel; readonly signal: AbortSignal }[] = []
  /** The number of candles of each request. */
  readonly requests: number[] = []
  /** Whether the exchange has a stream at all. */
  isStreamed = true
  /** Seconds by which REST replies are behind. */
  lag = 0
  /** Factor of all prices. */
  scale = 1
  /** Called before a REST reply. */
  before: () => Promise<void> | void = () => {}
  /** Called before a stream is opened. */
  beforeWatch: () => Promise<void> | void = () => {}
  /** Whether anything is traded in the minute that opens at a time. */
  isTraded: (timestamp: number) => boolean = () => true

  constructor(readonly clock: () => number) {}

  symbols(): readonly string[] {
    return ['BTCUSDT']
  }

  /** The newest `count` candles in their state at `time`. */
  truth(count: number, time = this.clock()): Candle[] {
    const candles: Candle[] = []
    const open = Math.floor(time / 60) * 60
    for (let timestamp = open; candles.length < count && open - timestamp < 86_400; timestamp -= 60)
      if (this.isTraded(timestamp))
        candles.unshift(
          candleAt(timestamp, timestamp === open ? 1 + Math.floor(((time - open) / 60) * states) : states),
        )
    const { scale } = this
    return candles.map(({ timestamp, open, high, low, close, volume }) => ({
      timestamp,
      open: open * scale,
      high: high * scale,
      low: low * scale,
      close: close * scale,
      volume,
    }))
  }

  async candles(_symbol: string, _timeframe: string, count: number): Promise<readonly Candle[]> {
    this.requests.push(count)
    await this.before()
    return this.truth(count, this.clock() - this.lag)
  }

  async watch(_symbol: string, _timeframe: string, signal: AbortSignal) {
    await this.beforeWatch()
    if (!this.isStreamed) return undefined
    const channel = new CandleChannel()
    if (signal.aborted) channel.end()
    signal.addEventListener('abort', () => channel.end(), { once: true })
    this.streams.push({ channel, signal })
    return channel
  }

  /** Emits candles on the newest stream; without any, the newest candle in its present state. */
  emit(...candles: readonly Candle[]): void {
    this.streams.at(-1)?.channel.push(candles.length > 0 ? candles : this.truth(1))
  }

  /** Fails the newest stream. */
  drop(): void {
    this.streams.at(-1)?.channel.end(new Error('the connection was lost'))
  }
}
