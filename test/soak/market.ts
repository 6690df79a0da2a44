import type { Candle } from '../../src/candles/candle.js'
import type { Timeframe } from '../../src/candles/timeframe.js'
import { CandleChannel } from '../../src/markets/exchanges/channel.js'
import { type FetchOptions, type Source, SourceFailure } from '../../src/markets/exchanges/source.js'

/** States of every minute's candle; the last one is final. */
export const states = 4

/** A number in [0, 1) that depends on the three integers only. */
function noise(seed: number, series: number, i: number): number {
  let bits = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(series + 1, 0xc2b2_ae35)
  bits = Math.imul(bits ^ (bits >>> 15) ^ Math.imul(i, 0x27d4_eb2f), 0x1656_67b1)
  bits = Math.imul(bits ^ (bits >>> 13), 0x9e37_79b1)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}

/** An exchange of many markets whose candles depend on a seed and the time only, and whose streams a test drives. */
export class SoakMarket implements Source {
  readonly #seed: number
  readonly #streams = new Map<string, CandleChannel>()
  /** Minutes of a market that were corrected after their end. */
  readonly #corrected = new Map<string, Set<number>>()
  readonly #names: readonly string[]

  constructor(
    seed: number,
    count: number,
    readonly clock: () => number,
  ) {
    this.#seed = seed
    this.#names = Array.from({ length: count }, (_, i) => `S${i}`)
  }

  symbols(): readonly string[] {
    return this.#names
  }

  /** The candle of a minute, in its state number `state` of four. */
  candleAt(symbol: string, minute: number, state = states): Candle {
    const series = Number(symbol.slice(1))
    const price = (i: number) => this.#priceAt(series, i)
    const open = price(minute * states)
    const seen = Array.from({ length: state }, (_, k) => price(minute * states + k + 1))
    const isCorrected = state === states && this.#corrected.get(symbol)?.has(minute) === true
    const close = seen.at(-1) as number
    return {
      timestamp: minute * 60,
      open,
      high: Math.max(open, ...seen),
      low: Math.min(open, ...seen) * (isCorrected ? 0.999 : 1),
      close,
      volume:
        state * (1 + Math.floor(1000 * noise(this.#seed, series, -1 - minute))) + (isCorrected ? 0.5 : 0),
    }
  }

  async candles(symbol: string, _timeframe: Timeframe, count: number, options: FetchOptions = {}) {
    const now = this.clock()
    const open = Math.floor(now / 60)
    const last = options.until === undefined ? open : Math.min(open, Math.ceil(options.until / 60) - 1)
    return Array.from({ length: count }, (_, i) => {
      const minute = last - count + 1 + i
      const state = minute === open ? 1 + Math.floor(((now % 60) / 60) * states) : states
      return this.candleAt(symbol, minute, state)
    })
  }

  watch(symbol: string, _timeframe: Timeframe, signal: AbortSignal): CandleChannel {
    const channel = new CandleChannel()
    if (signal.aborted) channel.end()
    signal.addEventListener('abort', () => channel.end(), { once: true })
    this.#streams.set(symbol, channel)
    return channel
  }

  emit(symbol: string, ...candles: readonly Candle[]): void {
    this.#streams.get(symbol)?.push(candles)
  }

  /** Cuts the stream of a market. */
  drop(symbol: string): void {
    this.#streams.get(symbol)?.end(new SourceFailure('unavailable', 'the connection was lost'))
    this.#streams.delete(symbol)
  }

  /** Corrects a candle that has ended. */
  correct(symbol: string, minute: number): Candle {
    this.#corrected.set(symbol, (this.#corrected.get(symbol) ?? new Set()).add(minute))
    return this.candleAt(symbol, minute)
  }

  /** Waves of several lengths, and noise. */
  #priceAt(series: number, i: number): number {
    const phase = series * 1.7
    const waves =
      Math.sin(i / 7 + phase) / 200 + Math.sin(i / 131 + phase) / 40 + Math.sin(i / 2909 + phase) / 8
    return (10 + series) * (1 + waves + noise(this.#seed, series, i) / 150)
  }
}
