import type { Candle } from '../../candles/candle.js'
import { divides, endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { hasTimes } from '../../contract/market.js'
import {
  type CandleStream,
  type FetchOptions,
  type NativeSource,
  type OnAnomaly,
  SourceFailure,
  timeframeNotOffered,
  WrappedSource,
} from './source.js'

/** Origin of the candles of each timeframe: the exchange, a finer timeframe, or none. */
export type TimeframeOrigins = Readonly<Record<Timeframe, 'native' | Timeframe | undefined>>

const coarsestFirst = (Object.keys(timeframes) as Timeframe[]).sort((a, b) => timeframes[b] - timeframes[a])

/**
 * Origins of the timeframes for an exchange with the given native timeframes (unknown names are ignored). The
 * origin is the exchange itself if it has the timeframe. Otherwise it is the coarsest native timeframe that divides
 * the timeframe, if there is any.
 */
export function timeframeOrigins(nativeTimeframes: Iterable<string>): TimeframeOrigins {
  const native = new Set(nativeTimeframes)
  return Object.fromEntries(
    coarsestFirst
      .toReversed()
      .map(timeframe => [
        timeframe,
        native.has(timeframe)
          ? 'native'
          : coarsestFirst.find(
              finer => finer !== timeframe && divides(finer, timeframe) && native.has(finer),
            ),
      ]),
  ) as TimeframeOrigins
}

/**
 * Makes candles of a coarser timeframe from finer ones, both ascending. Only times with a finer candle have a
 * coarser one. The last candle is forming if the last finer one is. The first candle may lack its beginning.
 */
export const resample = (finer: readonly Candle[], timeframe: Timeframe): Candle[] =>
  fold(finer, time => openOf(timeframe, time))

const isAligned = (timeframe: Timeframe) => (candle: Candle) =>
  openOf(timeframe, candle.timestamp) === candle.timestamp

/**
 * Minimum number of candles that show where an exchange opens a timeframe. The first candle of a new market may
 * open anywhere.
 */
const minCandlesToJudge = 3

/**
 * A source with its native timeframes and all that can be made from them: 4h from 1h, 1w from 1d, and so on. A
 * native timeframe counts as missing if its candles open at other times than ours (weeks on Thursdays, days at
 * noon).
 */
export class ResampledSource extends WrappedSource<NativeSource> {
  readonly #misaligned = new Set<string>()

  constructor(
    source: NativeSource,
    private readonly exchange: string,
    private readonly onAnomaly?: OnAnomaly,
  ) {
    super(source)
  }

  override async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    if (hasTimes(symbol)) return this.source.candles(symbol, timeframe, count, options)
    let origin = await this.#origin(timeframe)
    if (origin === 'native') {
      const aligned = this.#aligned(await this.source.candles(symbol, timeframe, count, options), timeframe)
      if (aligned) return aligned
      origin = await this.#origin(timeframe, timeframe)
    }
    return this.#resampled(symbol, timeframe, origin as Timeframe, count, options)
  }

  override async watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<CandleStream | undefined> {
    if (hasTimes(symbol)) return undefined
    const origin = await this.#origin(timeframe)
    const stream = await this.source.watch?.(symbol, origin === 'native' ? timeframe : origin, signal)
    if (stream === undefined) return undefined
    return origin === 'native'
      ? this.#watchAligned(stream, timeframe)
      : foldStream(stream, timeframe, {
          openOf: time => openOf(timeframe, time),
          fetchFiner: () => this.candles(symbol, origin, 2 * (timeframes[timeframe] / timeframes[origin])),
        })
  }

  /** Origin of the candles of a timeframe. Does not use the native candles of the timeframe `without`. */
  async #origin(timeframe: Timeframe, without?: Timeframe): Promise<'native' | Timeframe> {
    const native = await this.source.timeframes()
    const usable = native.filter(each => each !== without && !this.#misaligned.has(each))
    const origin = timeframeOrigins(usable)[timeframe]
    if (origin === undefined) throw timeframeNotOffered(this.exchange, timeframe)
    return origin
  }

  /** Candles that open at the times of the timeframe. Undefined if most candles open at other times. */
  #aligned(candles: readonly Candle[], timeframe: Timeframe): readonly Candle[] | undefined {
    const aligned = candles.filter(isAligned(timeframe))
    const misaligned = candles.length - aligned.length
    if (misaligned === 0) return candles
    if (misaligned > aligned.length) {
      if (candles.length >= minCandlesToJudge) this.#misaligned.add(timeframe)
      return undefined
    }
    for (let k = 0; k < misaligned; k++) this.onAnomaly?.('misaligned', this.exchange)
    return aligned
  }

  async #resampled(
    symbol: string,
    timeframe: Timeframe,
    finer: Timeframe,
    count: number,
    { until, isEnded: _, ...options }: FetchOptions,
  ): Promise<readonly Candle[]> {
    if (count < 1) return []
    const length = timeframes[timeframe]
    const candles = await this.candles(symbol, finer, (count + 1) * (length / timeframes[finer]), {
      ...options,
      ...(until === undefined ? {} : { until: endOf(timeframe, openOf(timeframe, until - 1)) }),
    })
    const coarse = resample(candles, timeframe)
    const [first] = candles
    // The oldest candle may lack its beginning. If it is the only one, the market itself is that young.
    const isFirstWhole = coarse.length <= 1 || (first !== undefined && isAligned(timeframe)(first))
    return coarse.slice(isFirstWhole ? 0 : 1).slice(-count)
  }

  async *#watchAligned(stream: CandleStream, timeframe: Timeframe): AsyncGenerator<readonly Candle[]> {
    for await (const candles of stream) {
      const aligned = this.#aligned(candles, timeframe)
      if (aligned === undefined) {
        // After the failure the caller opens a new stream, which is resampled.
        this.#misaligned.add(timeframe)
        throw new SourceFailure('unavailable', `${this.exchange} counts ${timeframe} in another way`)
      }
      if (aligned.length > 0) yield aligned
    }
  }
}

interface StreamFolding {
  /** Open time of the longer candle that contains a time. Undefined for times that are left out. */
  readonly openOf: (time: number) => number | undefined
  /** Fetches the newest shorter candles, enough for two longer ones. */
  readonly fetchFiner: () => readonly Candle[] | Promise<readonly Candle[]>
}

/** Converts a stream of candles into a stream of longer candles. */
export async function* foldStream(
  stream: CandleStream,
  timeframe: Timeframe,
  { openOf, fetchFiner }: StreamFolding,
): AsyncGenerator<readonly Candle[]> {
  const length = timeframes[timeframe]
  const known = new Map<number, Candle>()
  let hasHistory = false
  for await (const all of stream) {
    const candles = all.filter(({ timestamp }) => openOf(timestamp) !== undefined)
    const [first] = candles
    if (first === undefined) continue
    for (const candle of candles) known.set(candle.timestamp, candle)
    if (!hasHistory) {
      // The history is fetched after the first candles of the stream, so its states are at least as new.
      for (const candle of await fetchFiner()) known.set(candle.timestamp, candle)
      hasHistory = true
    }
    const ordered = [...known.values()].sort((a, b) => a.timestamp - b.timestamp)
    const changedFrom = openOf(first.timestamp) as number
    yield fold(ordered, openOf).filter(({ timestamp }) => timestamp >= changedFrom)
    const previous = (openOf((ordered.at(-1) as Candle).timestamp) as number) - length
    for (const timestamp of known.keys()) if (timestamp < previous) known.delete(timestamp)
  }
}

/**
 * Merges ascending candles into longer ones. `openOf` returns the open time of the longer candle that contains a
 * time, or undefined to leave the candle out.
 */
export function fold(candles: Iterable<Candle>, openOf: (time: number) => number | undefined): Candle[] {
  const folded: Candle[] = []
  for (const candle of candles) {
    const timestamp = openOf(candle.timestamp)
    if (timestamp === undefined) continue
    const last = folded.at(-1)
    if (last?.timestamp !== timestamp) folded.push({ ...candle, timestamp })
    else
      folded[folded.length - 1] = {
        timestamp,
        open: last.open,
        high: Math.max(last.high, candle.high),
        low: Math.min(last.low, candle.low),
        close: candle.close,
        volume: last.volume + candle.volume,
      }
  }
  return folded
}
