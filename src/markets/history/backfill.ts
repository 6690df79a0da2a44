import type { Candle } from '../../candles/candle.js'
import { Columns, type Snapshot } from '../../candles/columns.js'
import type { Gap } from '../../candles/gaps.js'
import { mayBeRescaled, restInScale, scaleOf } from '../../candles/rescale.js'
import { candlesBetween, endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { type Market, marketKey } from '../../contract/market.js'
import { finishInSlices, inSlices } from '../../runtime/scheduler.js'
import type { Archive } from '../archive/archive.js'
import type { Source } from '../exchanges/source.js'

/** Candles without gaps: each opens at the end of the previous one. */
interface Run {
  /** Open times of the first and the last candle, in Unix seconds. */
  readonly first: number
  last: number
  count: number
}

/** A gap, and the number of newer candles. */
export interface CountedGap extends Gap {
  readonly newer: number
}

/** Open times of candles of a timeframe, ascending. Memory grows with the number of gaps, not of candles. */
export class OpenTimes {
  readonly #runs: Run[] = []
  #count = 0

  constructor(private readonly timeframe: Timeframe) {}

  get length(): number {
    return this.#count
  }

  /** In Unix seconds. */
  get newest(): number | undefined {
    return this.#runs.at(-1)?.last
  }

  push(time: number): void {
    const run = this.#runs.at(-1)
    this.#count++
    if (!run || time !== endOf(this.timeframe, run.last))
      this.#runs.push({ first: time, last: time, count: 1 })
    else {
      run.last = time
      run.count++
    }
  }

  /** Removes the newest times at `from` or later, at most `most`. Returns their number and the oldest removed time. */
  take(from: number, most: number): { readonly count: number; readonly oldest: number | undefined } {
    const length = this.timeframe === '1M' ? undefined : timeframes[this.timeframe]
    let count = 0
    let oldest: number | undefined
    for (let run = this.#runs.at(-1); run && run.last >= from && count < most; run = this.#runs.at(-1)) {
      const isWhole = run.first >= from && run.count <= most - count
      const part =
        length === undefined ? 1 : Math.min(most - count, Math.floor((run.last - from) / length) + 1)
      const taken = isWhole ? run.count : part
      oldest = isWhole ? run.first : run.last - (taken - 1) * (length ?? 0)
      count += taken
      run.count -= taken
      run.last = length === undefined ? Math.max(run.first, openOf('1M', oldest - 1)) : oldest - length
      if (run.count === 0) this.#runs.pop()
    }
    this.#count -= count
    return { count, oldest }
  }

  /** Gaps between the candles, the newest first. */
  *gaps(): Generator<CountedGap> {
    let newer = 0
    for (let k = this.#runs.length - 1; k > 0; k--) {
      const [before, after] = [this.#runs[k - 1], this.#runs[k]] as [Run, Run]
      newer += after.count
      const from = endOf(this.timeframe, before.last)
      if (after.first > from) yield { from, to: after.first, newer }
    }
  }

  clear(): void {
    this.#runs.length = 0
    this.#count = 0
  }
}

interface Options {
  readonly times: OpenTimes
  readonly now: number
  readonly timeframe: Timeframe
  /** Largest number of candles requested from the exchange earlier. */
  readonly requestedDepth: number
  /** Number of newest candles among which gaps are filled. */
  readonly depth: number
  readonly batchSize: number
}

/**
 * Time spans to fetch from an exchange, the newest first: from the newest archived candle to now, and the gaps
 * between archived ones. The exchange has no candles in a gap that was requested earlier, unless the gap is as long
 * as a batch. Such a gap comes from an interrupted backfill. Neighbouring gaps form one span if a single request
 * covers both.
 */
export function spansToFetch({
  times,
  now,
  timeframe,
  requestedDepth,
  depth,
  batchSize,
}: Options): readonly Gap[] {
  const { newest } = times
  if (newest === undefined) return []
  const spans: Gap[] = []
  const add = ({ from, to }: Gap) => {
    const later = spans.at(-1)
    if (later && candlesBetween(timeframe, from, later.to) <= batchSize)
      spans[spans.length - 1] = { from, to: later.to }
    else spans.push({ from, to })
  }
  // The newest candle is fetched again: it shows whether the exchange still uses the same scale.
  if (endOf(timeframe, newest) < now) add({ from: newest, to: now })
  for (const { newer, ...gap } of times.gaps()) {
    if (newer >= depth) break
    const isEmpty = newer < requestedDepth && candlesBetween(timeframe, gap.from, gap.to) < batchSize
    if (!isEmpty) add(gap)
  }
  return spans
}

interface BackfillOptions {
  readonly archive: Pick<
    Archive,
    'blocks' | 'info' | 'load' | 'read' | 'write' | 'replace' | 'adjustSplit' | 'setDepth'
  >
  readonly source: Source
  readonly market: Market
  /** Number of newest closed candles to have at the end. */
  readonly depth: number
  readonly clock: () => number
  /** Maximum number of candles per request, except for the last one, which may have twice as many. */
  readonly batchSize?: number
  /** The candles may be dropped from a full archive and beyond the depth, unlike candles that an operator requested. */
  readonly isOnDemand?: boolean
  /** Called if the exchange shows another scale, and its candles do not tell the factor. */
  readonly onUnknownScale?: () => void
}

export interface Progress {
  /** Number of archived closed candles without missing ones between them, counted from the newest. */
  readonly done: number
  /** Open time of the oldest of these candles in Unix seconds; undefined if there is none. */
  readonly back: number | undefined
  readonly fetched: number
  /** Whether the exchange has nothing older. */
  readonly isExhausted: boolean
}

/**
 * A little less than two pages of a thousand candles, because pages overlap by one. Pages of 500, 200 and 100
 * candles also fill a batch with little left over.
 */
const defaultBatchSize = 1980

/**
 * Fetches the candles missing among the newest `depth` closed ones of a market. Each batch is archived before the
 * next request, so that an interrupted run is continued by the next one.
 *
 * The time from the newest archived candle to now is fetched first, forwards, so that readers see no hole during
 * the run. Then everything else is fetched, from the newest backwards. Archived candles are not fetched, unless the
 * exchange shows some of them in another scale (after a split). Then the archived candles are brought to this
 * scale, and all are fetched again. Candles that the exchange lacks stay; if the factor is unknown, they stay
 * unchanged. Rejects with a SourceFailure.
 */
export async function* backfill(options: BackfillOptions): AsyncGenerator<Progress, void, void> {
  const run = new BackfillRun(options)
  yield* run.run()
  if (!run.isOutOfScale) return
  const isSame = await run.rescale()
  yield* new BackfillRun(options, isSame ? 'extend' : 'anew').run()
}

/** One pass over the time of a market and the candles archived at its start. */
class BackfillRun {
  readonly #options: Required<BackfillOptions>
  readonly #key: string
  /** Open time of the forming candle. */
  readonly #now: number
  /** Number of candles among which there must be no hole: the stored depth, even if fewer are wanted now. */
  readonly #storedDepth: number
  readonly #isCompared: boolean
  /** Archived candles at the start of the run, or the newest part of them, which shows the scale. */
  readonly #before: Snapshot
  readonly #isAnew: boolean
  /** Open times of the archived candles that are not yet counted as done, ascending. */
  readonly #times: OpenTimes
  /** All archived candles are older than the wanted ones. They are replaced, because there would be a hole. */
  #isOutdated = false
  #fetched = 0
  /** Number of fetched candles between the newest archived one and now. */
  #connected = 0
  #done = 0
  #back: number | undefined
  #isExhausted = false
  /** The exchange shows archived candles in another scale, so the run has ended early. */
  isOutOfScale = false

  /**
   * Creates a run. With `uncompared` it does not compare scales: it extends the archived candles, or fetches all
   * from scratch.
   */
  constructor(options: BackfillOptions, uncompared?: 'extend' | 'anew') {
    const { archive, market, depth, clock } = options
    this.#options = { batchSize: defaultBatchSize, onUnknownScale: () => {}, isOnDemand: false, ...options }
    this.#isCompared = uncompared === undefined
    this.#key = marketKey(market)
    this.#now = openOf(market.timeframe, clock())
    this.#storedDepth = Math.max(depth, archive.info(this.#key).depth)
    const { columns, closed } = archive.load(this.#key) ?? { columns: new Columns(0), closed: 0 }
    this.#before = { columns, closed, count: closed, forming: undefined }
    this.#isAnew = uncompared === 'anew'
    this.#times = new OpenTimes(market.timeframe)
  }

  /** Reads the open times of the archived candles, which may be millions. */
  async #readTimes(): Promise<void> {
    if (this.#isAnew) return
    const blocks = this.#options.archive.blocks(this.#key, undefined, this.#now - 1)
    for await (const { columns, from, to } of inSlices('archive', blocks))
      for (let at = from; at < to; at++) this.#times.push(columns.timestamp[at] as number)
    const missingAtEnd = this.#candlesBetween(this.#times.newest ?? this.#now, this.#now)
    this.#isOutdated = missingAtEnd >= this.#storedDepth
    if (this.#isOutdated) this.#times.clear()
  }

  async *run(): AsyncGenerator<Progress, void, void> {
    await this.#readTimes()
    const requestedDepth = this.#times.length === 0 ? 0 : this.#options.archive.info(this.#key).requestedDepth
    const { newest } = this.#times
    if (newest !== undefined) yield* this.#connectToNow(newest)
    if (this.isOutOfScale) return
    const spans = spansToFetch({
      times: this.#times,
      now: this.#now,
      timeframe: this.#options.market.timeframe,
      requestedDepth,
      depth: this.#storedDepth,
      batchSize: this.#options.batchSize,
    })
    for (const { from, to } of spans) {
      this.#countArchived(to)
      yield this.#progress()
      if (this.#done >= this.#storedDepth || this.#isExhausted) break
      yield* this.#fetchSpan(from, to, this.#storedDepth)
      if (this.isOutOfScale) return
    }
    this.#countArchived(Number.NEGATIVE_INFINITY)
    yield this.#progress()
    yield* this.#fetchSpan(Number.NEGATIVE_INFINITY, this.#back ?? this.#now, this.#options.depth)
    if (this.isOutOfScale) return
    this.#storeDepth()
    yield this.#progress()
  }

  #progress(): Progress {
    return {
      done: Math.min(Math.max(this.#done, this.#connected), this.#options.depth),
      back: this.#back,
      fetched: this.#fetched,
      isExhausted: this.#isExhausted,
    }
  }

  #candlesBetween(from: number, to: number): number {
    return candlesBetween(this.#options.market.timeframe, from, to)
  }

  /** Counts archived candles as done, from the newest down to the one that opens at `from`. */
  #countArchived(from: number): void {
    const { count, oldest } = this.#times.take(from, this.#storedDepth - this.#done)
    this.#done += count
    if (oldest !== undefined) this.#back = oldest
  }

  /** Newest candles before `until`, or undefined if they are in another scale than the archived ones. */
  async #fetch(count: number, until: number): Promise<readonly Candle[] | undefined> {
    const { symbol, timeframe } = this.#options.market
    const candles = await this.#options.source.candles(symbol, timeframe, count, {
      until,
      isBackground: true,
      isEnded: true,
    })
    this.isOutOfScale = this.#isCompared && mayBeRescaled(this.#before, candles)
    return this.isOutOfScale ? undefined : candles
  }

  /**
   * Brings all archived candles to the scale in which the exchange shows the newest of them. Returns whether they
   * already are in this scale, so that the difference was a correction.
   */
  async rescale(): Promise<boolean> {
    const { symbol, timeframe } = this.#options.market
    const { columns, closed } = this.#before
    const until = endOf(timeframe, columns.timestamp[closed - 1] as number)
    const count = Math.min(closed, this.#options.batchSize)
    const shown = await this.#options.source.candles(symbol, timeframe, count, {
      until,
      isBackground: true,
      isEnded: true,
    })
    const scale = scaleOf(this.#before, shown)
    if (scale === 'unknown') this.#options.onUnknownScale()
    else if (scale !== 'same') {
      const all = [...restInScale(this.#before, shown, scale), ...shown]
      const newer = Array.from({ length: closed }, (_, at) => columns.read(at)).filter(
        ({ timestamp }) => timestamp > (all.at(-1) as Candle).timestamp,
      )
      await this.#adjustFrom(Number.NEGATIVE_INFINITY)
      this.#options.archive.replace(this.#key, [...all, ...newer], { scale })
      await this.#adjustFrom(Number.NEGATIVE_INFINITY)
    }
    return scale === 'same'
  }

  /** Brings archived candles that open from a time on to the scale of newer ones, sliced over event-loop turns. */
  #adjustFrom(time: number): Promise<void> {
    return finishInSlices('archive', this.#options.archive.adjustSplit(this.#key, time))
  }

  /** Fetches forwards from the newest archived candle, one batch after the other, until at most two batches are missing. */
  async *#connectToNow(newest: number): AsyncGenerator<Progress, void, void> {
    const step = this.#options.batchSize * timeframes[this.#options.market.timeframe]
    for (let from = newest; this.#now - from > 2 * step; from += step) {
      const found: Candle[] = []
      for (let until = from + step; until > from; ) {
        const candles = await this.#fetch(Math.ceil(this.#candlesBetween(from, until)), until)
        if (!candles) return
        const fresh = candles.filter(({ timestamp }) => timestamp >= from && timestamp < until)
        found.unshift(...fresh)
        if (fresh.length === 0) break
        until = (fresh[0] as Candle).timestamp
      }
      const fresh = found.filter(({ timestamp }) => timestamp > newest)
      this.#setDepth(this.#times.length + fresh.length)
      this.#options.archive.write(this.#key, fresh)
      for (const { timestamp } of fresh) this.#times.push(timestamp)
      this.#fetched += fresh.length
      this.#connected += fresh.length
      yield this.#progress()
    }
  }

  /** Fetches the candles that open from `from` on and before `to`, backwards, until `maxDone` are done. */
  async *#fetchSpan(from: number, to: number, maxDone: number): AsyncGenerator<Progress, void, void> {
    const { market, clock } = this.#options
    let waiting: readonly Candle[] = []
    for (let until = to; until > from && this.#done < maxDone && !this.#isExhausted; ) {
      const missing = Math.min(maxDone - this.#done, this.#candlesBetween(from, until))
      const count = missing <= 2 * this.#options.batchSize ? missing : this.#options.batchSize
      const candles = await this.#fetch(count, until)
      if (!candles) return
      // Candles of a session open with the session, so a candle that opened before `now` may not have ended. If the
      // clock of this machine is ahead, the source leaves out candles that have not ended.
      const fresh = candles.filter(
        ({ timestamp }) =>
          timestamp >= from && timestamp < until && endOf(market.timeframe, timestamp) <= clock(),
      )
      this.#isExhausted = candles.length === 0
      const isFilled = fresh.length === 0 || (candles[0] as Candle).timestamp < from
      until = isFilled ? from : (fresh[0] as Candle).timestamp
      waiting = [...fresh, ...waiting]
      // A rest shorter than a batch is fetched too. After an interruption, it would look like a gap of the exchange.
      if (until > from && this.#candlesBetween(from, until) < this.#options.batchSize) continue
      await this.#adjustFrom(until)
      this.#store(waiting, until)
      waiting = []
      yield this.#progress()
    }
  }

  /** Archives fetched candles. After this, everything from `until` on is done. */
  #store(candles: readonly Candle[], until: number): void {
    const times = new Set(candles.map(({ timestamp }) => timestamp))
    for (let time = this.#times.newest; time !== undefined && time >= until; time = this.#times.newest) {
      times.add(time)
      this.#times.take(time, 1)
    }
    this.#done += times.size
    for (const time of times) if (this.#back === undefined || time < this.#back) this.#back = time
    this.#fetched += candles.length
    // With its depth the series is whole, so a running service does not fetch the same candles at the same time.
    this.#setDepth(this.#done + this.#times.length)
    if (this.#isOutdated && candles.length > 0) {
      this.#options.archive.replace(this.#key, candles, { requestedDepth: this.#done })
      this.#isOutdated = false
    } else this.#options.archive.write(this.#key, candles, this.#done)
  }

  /** Sets the depth of the series, which has now been requested from the exchange. */
  #storeDepth(): void {
    const newest = this.#options.archive.read(this.#key, 1)
    if (newest) this.#options.archive.write(this.#key, [newest.columns.read(0)], this.#options.depth)
    this.#setDepth(this.#options.depth)
  }

  #setDepth(depth: number): void {
    const { archive, isOnDemand } = this.#options
    if (!isOnDemand) archive.setDepth(this.#key, Math.min(depth, this.#options.depth))
  }
}
