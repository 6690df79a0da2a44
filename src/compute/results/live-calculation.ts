import type { Columns, Snapshot } from '../../candles/columns.js'
import type { LiveSpec } from '../../contract/query.js'
import type { Calculation, Calculator } from '../kernels/calculator.js'
import type { KeptResults, ResultCache } from './result-cache.js'
import { type PackedResults, ResultSeries } from './result-series.js'

/** The update of one candle, made of its texts, one for each output. */
type Write<Update> = (texts: readonly string[], timestamp: number) => Update

/** What changed since the last call. */
export interface CandleUpdates<Update = string> {
  /** Candles that closed, oldest first; each one is emitted once. */
  readonly closed: readonly Update[]
  /** The newest candle while it is forming. */
  readonly forming: Update | undefined
}

/** Writes updates as JSON objects of the indicator's outputs and the candle's `timestamp`. */
export function jsonUpdates({ indicator: { name, outputs } }: Calculation): Write<string> {
  const isSingle = outputs.length === 1
  const keys = outputs.map((output, k) => `${k === 0 ? '{' : ','}"${isSingle ? name : output.name}":`)
  return (texts, timestamp) => {
    let json = ''
    for (let k = 0; k < keys.length; k++) json += (keys[k] as string) + (texts[k] as string)
    return `${json},"timestamp":${timestamp}}`
  }
}

/**
 * A live query: the updates that the results of a calculation mean for those who follow it. A closed candle is one step, a
 * forming candle a step whose state is discarded; neither takes longer in a longer history. When candles were corrected
 * or the oldest ones dropped, the kernel runs over the whole history again, so that the values equal those of REST.
 */
export class LiveCalculation<Update = string> {
  readonly #calculator: Calculator
  readonly #calculation: Calculation
  readonly #cache: ResultCache | undefined
  readonly #write: Write<Update>
  readonly #warmup: number
  #kept: KeptResults | undefined
  #results: ResultSeries
  /** The columns that `#results` are about. */
  #followed: Columns | undefined
  /** The columns of the last call of `advance`; undefined after one that failed. */
  #columns: Columns | undefined
  /** The closed candles of the last call of `advance`. */
  #advanced = 0
  /** The open time of the newest candle that was emitted as closed; it and earlier ones are not emitted again. */
  #newestEmitted: number | undefined
  #closed: Update | undefined
  #forming: Update | undefined

  /** With `cache` its results are those that REST reads, until `close`. Candles before the first settled one have no update. */
  constructor(
    calculator: Calculator,
    calculation: Calculation & Pick<LiveSpec, 'settled'>,
    write: Write<Update>,
    cache?: ResultCache,
  ) {
    const { indicator, params, settled } = calculation
    this.#calculator = calculator
    this.#calculation = calculation
    this.#cache = cache
    this.#write = write
    this.#warmup = Math.max(indicator.warmup(params), settled?.first ?? 0)
    this.#results = new ResultSeries(calculation)
  }

  /** The newest closed candle's update; undefined where the history is too short for one. */
  get closed(): Update | undefined {
    return this.#closed
  }

  /** The forming candle's update; undefined where no candle is forming, or the history is too short for its value. */
  get forming(): Update | undefined {
    return this.#forming
  }

  /** From now on `advance` emits the closed candles that open after this time, also those that it emitted before. */
  emitAfter(time: number): void {
    this.#newestEmitted = time
    this.#columns = undefined
  }

  /** The candles over which the kernel has to run for the closed ones of a snapshot: all where it begins anew. */
  candlesToRun(snapshot: Snapshot): number {
    const { closed } = snapshot
    this.#follow(snapshot)
    if (this.#isAhead(snapshot)) return 0
    return this.#isBehind(snapshot) ? closed - this.#results.included : closed
  }

  /** Computes so many of the candles that `candlesToRun` counts, or more. Returns the closed candles that are new. */
  advancePart(snapshot: Snapshot, candles: number): readonly Update[] {
    const { columns, closed } = snapshot
    const isAnew = this.candlesToRun(snapshot) === closed
    const results = this.#results
    let to = Math.min(closed, (isAnew ? 0 : results.included) + candles)
    // Bars of one time are emitted together.
    while (to < closed && columns.timestamp[to] === columns.timestamp[to - 1]) to++
    const part = { columns, closed: to, forming: undefined, count: to }
    const isNew =
      this.#newestEmitted !== undefined && (columns.timestamp[to - 1] as number) > this.#newestEmitted
    if (isNew && !isAnew) return this.advance(part).closed
    // Those that are to be emitted must be among its values.
    if (isAnew)
      results.build(this.#calculator, part, Math.max(results.kept, to - this.#firstToEmit(snapshot)))
    else results.advance(this.#calculator, part, false)
    return []
  }

  /** How many of the newest values another thread has to build for those that are still to be emitted. */
  valuesToBuild(snapshot: Snapshot): number {
    this.#follow(snapshot)
    return Math.max(this.#results.kept, snapshot.closed - this.#firstToEmit(snapshot))
  }

  /** Takes over what another thread has built over the closed candles of a snapshot. */
  adopt(snapshot: Snapshot, packed: PackedResults): void {
    // REST may have had them computed meanwhile, and more.
    if (this.candlesToRun(snapshot) < snapshot.closed) return
    this.#results.unpack(packed)
    if (this.#kept) this.#cache?.measure(this.#kept)
  }

  /** Advances to the present candles. The first call emits no closed candle: updates begin after it. */
  advance(snapshot: Snapshot): CandleUpdates<Update> {
    const { columns, closed } = snapshot
    const isSame = columns === this.#columns && closed >= this.#advanced
    const from = isSame ? this.#advanced : 0
    this.#follow(snapshot)
    const first = this.#firstToEmit(snapshot)
    this.#columns = undefined
    const emitted: Update[] = []
    if (closed > from) this.#emit(snapshot, first, emitted)
    if (closed > from || !isSame) this.#closed = emitted.at(-1) ?? this.#newest(snapshot)
    // It is earlier than before where candles were taken back, as after the clock was set back.
    this.#newestEmitted = closed > 0 ? (columns.timestamp[closed - 1] as number) : Number.NEGATIVE_INFINITY
    this.#forming = this.#preview(snapshot)
    this.#columns = columns
    this.#advanced = closed
    return { closed: emitted, forming: this.#forming }
  }

  /**
   * The forming candle's update over candles of which only that one differs from the last call of `advance`; undefined
   * as `forming` is. The state stays as it is.
   */
  preview(snapshot: Snapshot): Update | undefined {
    const { columns, closed } = snapshot
    if (columns !== this.#columns || closed !== this.#advanced) return this.#forming
    return this.#preview(snapshot)
  }

  /** Keeps its results no longer; to be called once, when there are no subscribers any more. */
  close(): void {
    if (this.#kept) this.#cache?.unfollow(this.#kept)
    this.#kept = undefined
  }

  /** The first candle from `from` on that was not emitted; searched from the newest on, since few are new. */
  #firstNotEmitted(timestamp: Float64Array, from: number, to: number): number {
    if (this.#newestEmitted === undefined) return to
    // A series without a candle from before has begun anew, as it did before the first call.
    const isAnew =
      this.#newestEmitted > Number.NEGATIVE_INFINITY && (timestamp[0] as number) > this.#newestEmitted
    if (isAnew) return to
    let at = to
    while (at > from && (timestamp[at - 1] as number) > this.#newestEmitted) at--
    return at
  }

  /** The first closed candle of a snapshot that `advance` emits. */
  #firstToEmit({ columns, closed }: Snapshot): number {
    const isSame = columns === this.#columns && closed >= this.#advanced
    const from = Math.max(isSame ? this.#advanced : 0, this.#warmup)
    return this.#firstNotEmitted(columns.timestamp, from, closed)
  }

  /** Takes the results over the columns of a snapshot. */
  #follow(snapshot: Snapshot): void {
    if (snapshot.columns === this.#followed) return
    this.#followed = snapshot.columns
    this.close()
    this.#kept = this.#cache?.follow(this.#calculation, snapshot)
    this.#results = this.#kept?.results ?? new ResultSeries(this.#calculation)
  }

  /** Brings the results up to the closed candles of a snapshot, and emits those from `first` on. */
  #emit(snapshot: Snapshot, first: number, emitted: Update[]): void {
    const { columns, closed } = snapshot
    const results = this.#results
    const advanceTo = (to: number) => {
      const part = to === closed ? snapshot : { columns, closed: to, forming: undefined, count: to }
      if (results.included < to) results.advance(this.#calculator, part, true)
    }
    if (this.#isAhead(snapshot) || this.#isBehind(snapshot)) advanceTo(Math.min(first, closed))
    else results.build(this.#calculator, snapshot, Math.max(results.kept, closed - first))
    for (let i = first; i < closed; i++) {
      // One after the other, because few of the newest ones are kept.
      advanceTo(i + 1)
      const texts = results.texts(i, this.#calculator.writer)
      emitted.push(this.#write(texts, columns.timestamp[i] as number))
    }
    if (this.#kept) this.#cache?.measure(this.#kept)
    // Nothing else reads them: the newest value is enough.
    if (results.kept > 1 && !this.#kept?.counted) results.shrink()
  }

  /** Whether the results can continue from a candle before, and have the values of those that are still to be emitted. */
  #isBehind(snapshot: Snapshot): boolean {
    const { isBuilt, included } = this.#results
    if (!isBuilt || included > snapshot.closed) return false
    return this.#results.covers(Math.min(this.#firstToEmit(snapshot), included), included)
  }

  /** Whether others who use the results had candles computed of which this snapshot is not, beside all that it needs. */
  #isAhead(snapshot: Snapshot): boolean {
    const { closed } = snapshot
    if (this.#results.included <= closed) return false
    const newest = Math.max(this.#warmup, closed - 1)
    return this.#results.covers(Math.min(this.#firstToEmit(snapshot), newest), closed)
  }

  #newest({ columns: { timestamp }, closed }: Snapshot): Update | undefined {
    if (closed <= this.#warmup) return undefined
    return this.#write(
      this.#results.texts(closed - 1, this.#calculator.writer),
      timestamp[closed - 1] as number,
    )
  }

  #preview(snapshot: Snapshot): Update | undefined {
    const { closed, forming } = snapshot
    if (!forming || closed < this.#warmup) return undefined
    const results = this.#results
    if (!results.isBuilt || results.included !== closed)
      results.build(this.#calculator, snapshot, results.kept)
    results.preview(this.#calculator, snapshot)
    return this.#write(results.previewTexts(this.#calculator.writer), forming.timestamp)
  }
}
