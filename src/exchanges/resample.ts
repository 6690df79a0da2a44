import type { Candle } from '../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import {
  type FetchOptions,
  type NativeSource,
  type OnAnomaly,
  type Source,
  SourceFailure,
  timeframeNotOffered,
} from './source.js'

/** Where the candles of each timeframe come from. */
export type TimeframeOrigins = Readonly<Record<Timeframe, 'native' | Timeframe | undefined>>

const fromCoarse = (Object.keys(timeframes) as Timeframe[]).sort((a, b) => timeframes[b] - timeframes[a])

/**
 * Where the candles of each timeframe come from when an exchange has the timeframes given (others than ours are passed
 * over): from the exchange itself, from the coarsest finer timeframe it has, or from nowhere. Each of the seven divides
 * the coarser ones.
 */
export function timeframeOrigins(nativeTimeframes: Iterable<string>): TimeframeOrigins {
  const native = new Set(nativeTimeframes)
  return Object.fromEntries(
    fromCoarse
      .toReversed()
      .map(timeframe => [
        timeframe,
        native.has(timeframe)
          ? 'native'
          : fromCoarse.find(finer => timeframes[finer] < timeframes[timeframe] && native.has(finer)),
      ]),
  ) as TimeframeOrigins
}

/**
 * Candles of a coarser timeframe made of finer ones, both ascending: one wherever there is a finer one. The last candle
 * is forming when the last finer one is; the first may lack its beginning.
 */
export function resample(finer: readonly Candle[], timeframe: Timeframe): Candle[] {
  const coarse: Candle[] = []
  for (const candle of finer) {
    const timestamp = openOf(timeframe, candle.timestamp)
    const begun = coarse.at(-1)
    if (begun?.timestamp !== timestamp) coarse.push({ ...candle, timestamp })
    else
      coarse[coarse.length - 1] = {
        timestamp,
        open: begun.open,
        high: Math.max(begun.high, candle.high),
        low: Math.min(begun.low, candle.low),
        close: candle.close,
        volume: begun.volume + candle.volume,
      }
  }
  return coarse
}

const opensIn = (timeframe: Timeframe) => (candle: Candle) =>
  openOf(timeframe, candle.timestamp) === candle.timestamp

/** The fewest candles that tell how an exchange counts: a market that is younger may open anywhere. */
const tellingCandles = 3

/**
 * A source with all timeframes that can be made of those it has: 4h from 1h, 1w from 1d, and so on. A timeframe whose
 * candles open elsewhere than ours (weeks on Thursdays, days at noon) counts as one that it lacks.
 */
export function createResampledSource(source: NativeSource, exchange: string, onAnomaly?: OnAnomaly): Source {
  return new ResampledSource(source, exchange, onAnomaly)
}

class ResampledSource implements Source {
  readonly freshSeconds?: number
  readonly #source: NativeSource
  readonly #exchange: string
  readonly #onAnomaly: OnAnomaly | undefined
  /** Timeframes that the exchange counts in another way. */
  readonly #foreign = new Set<string>()

  constructor(source: NativeSource, exchange: string, onAnomaly?: OnAnomaly) {
    if (source.freshSeconds !== undefined) this.freshSeconds = source.freshSeconds
    this.#source = source
    this.#exchange = exchange
    this.#onAnomaly = onAnomaly
  }

  symbols(): readonly string[] | Promise<readonly string[]> {
    return this.#source.symbols()
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    wanted: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    const origin = await this.#origin(timeframe)
    if (origin !== 'native') return this.#join(symbol, timeframe, origin, count, wanted)
    const candles = await this.#source.candles(symbol, timeframe, count, wanted)
    const aligned = this.#aligned(candles, timeframe)
    return aligned ?? this.#join(symbol, timeframe, await this.#finer(timeframe), count, wanted)
  }

  async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly Candle[]> | undefined> {
    const origin = await this.#origin(timeframe)
    const stream = await this.#source.watch?.(symbol, origin === 'native' ? timeframe : origin, signal)
    if (stream === undefined) return undefined
    return origin === 'native'
      ? this.#watchAligned(stream, timeframe)
      : this.#watchJoined(stream, symbol, timeframe, origin)
  }

  async close(): Promise<void> {
    await this.#source.close?.()
  }

  async #plan(lacking: Iterable<string> = []): Promise<TimeframeOrigins> {
    const lacks = new Set([...this.#foreign, ...lacking])
    const native = await this.#source.timeframes()
    return timeframeOrigins(native.filter(timeframe => !lacks.has(timeframe)))
  }

  async #origin(timeframe: Timeframe): Promise<'native' | Timeframe> {
    const origin = (await this.#plan())[timeframe]
    if (origin === undefined) throw timeframeNotOffered(this.#exchange, timeframe)
    return origin
  }

  /** What to make a timeframe of without the exchange's own candles. */
  async #finer(timeframe: Timeframe): Promise<Timeframe> {
    const origin = (await this.#plan([timeframe]))[timeframe]
    if (origin === undefined || origin === 'native') throw timeframeNotOffered(this.#exchange, timeframe)
    return origin
  }

  /** The candles that open where the timeframe does; undefined when that is not how the exchange counts. */
  #aligned(candles: readonly Candle[], timeframe: Timeframe): readonly Candle[] | undefined {
    const aligned = candles.filter(opensIn(timeframe))
    const strays = candles.length - aligned.length
    if (strays === 0) return candles
    if (strays > aligned.length) {
      if (candles.length >= tellingCandles) this.#foreign.add(timeframe)
      return undefined
    }
    for (let k = 0; k < strays; k++) this.#onAnomaly?.('misaligned', this.#exchange)
    return aligned
  }

  async #join(
    symbol: string,
    timeframe: Timeframe,
    finer: Timeframe,
    count: number,
    { until, ...wanted }: FetchOptions,
  ): Promise<readonly Candle[]> {
    if (count < 1) return []
    const length = timeframes[timeframe]
    const candles = await this.candles(symbol, finer, (count + 1) * (length / timeframes[finer]), {
      ...wanted,
      ...(until === undefined ? {} : { until: openOf(timeframe, until - 1) + length }),
    })
    const coarse = resample(candles, timeframe)
    const [first] = candles
    // The oldest one may lack its beginning. A market that has no other one is as young as that.
    const isWhole = coarse.length <= 1 || (first !== undefined && opensIn(timeframe)(first))
    return coarse.slice(isWhole ? 0 : 1).slice(-count)
  }

  async *#watchAligned(
    stream: AsyncIterable<readonly Candle[]>,
    timeframe: Timeframe,
  ): AsyncGenerator<readonly Candle[]> {
    for await (const candles of stream) {
      const aligned = this.#aligned(candles, timeframe)
      if (aligned === undefined) {
        // Whoever watches starts anew, and is given resampled candles then.
        this.#foreign.add(timeframe)
        throw new SourceFailure('unavailable', `${this.#exchange} counts ${timeframe} in another way`)
      }
      if (aligned.length > 0) yield aligned
    }
  }

  async *#watchJoined(
    stream: AsyncIterable<readonly Candle[]>,
    symbol: string,
    timeframe: Timeframe,
    finer: Timeframe,
  ): AsyncGenerator<readonly Candle[]> {
    const length = timeframes[timeframe]
    const known = new Map<number, Candle>()
    let isSeeded = false
    for await (const candles of stream) {
      for (const candle of candles) known.set(candle.timestamp, candle)
      if (!isSeeded) {
        // Fetched after the first candles were shown, so newer than these.
        const before = await this.candles(symbol, finer, 2 * (length / timeframes[finer]))
        for (const candle of before) known.set(candle.timestamp, candle)
        isSeeded = true
      }
      const ordered = [...known.values()].sort((a, b) => a.timestamp - b.timestamp)
      const [first, last] = [candles[0], ordered.at(-1)]
      if (first === undefined || last === undefined) continue
      const touched = openOf(timeframe, first.timestamp)
      yield resample(ordered, timeframe).filter(({ timestamp }) => timestamp >= touched)
      const previous = openOf(timeframe, last.timestamp) - length
      for (const timestamp of known.keys()) if (timestamp < previous) known.delete(timestamp)
    }
  }
}
