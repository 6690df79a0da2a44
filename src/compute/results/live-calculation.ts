import { type Columns, closedCandles, type Inputs, type Snapshot } from '../../candles/columns.js'
import type { IndicatorSpec } from '../../contract/query.js'
import type { Calculator } from '../kernels/calculator.js'
import { shapeOf } from '../kernels/shape.js'
import type { KeptResults, ResultCache } from './result-cache.js'
import { type PackedResults, ResultSeries } from './result-series.js'

/** Updates since the last call. */
export interface CandleUpdates {
  /** Updates of the candles that closed, oldest first. Each is emitted once. */
  readonly closed: readonly string[]
  readonly forming: string | undefined
}

/**
 * A live query: turns the results of a calculation into updates for subscribers, as JSON objects of the indicator's
 * outputs and the candle's `timestamp`. A closed candle is one step, and a forming candle is a step whose state is
 * discarded. The cost of a step does not depend on the length of the history.
 * After corrections, or when the oldest candles were dropped, the kernel runs over the whole history again, so that the
 * values equal those of REST.
 */
export class LiveCalculation {
  readonly #calculator: Calculator
  readonly spec: IndicatorSpec
  readonly #cache: ResultCache | undefined
  /** Text before the value of each output. */
  readonly #keys: readonly string[]
  readonly #warmup: number
  #kept: KeptResults | undefined
  #results: ResultSeries
  #followed: Columns | undefined
  /** Columns of the last call of `advance`; undefined after a failed call. */
  #columns: Columns | undefined
  /** Number of closed candles at the last call of `advance`. */
  #advanced = 0
  /** Open time of the newest candle emitted as closed. Neither this candle nor earlier ones are emitted again. */
  #newestEmitted: number | undefined
  #closed: string | undefined
  #forming: string | undefined

  /** With `cache`, shares its results with REST until `close`. Candles before the first settled one have no update. */
  constructor(calculator: Calculator, spec: IndicatorSpec, cache?: ResultCache) {
    const { settled, indicator } = spec
    const names =
      indicator.outputs.length === 1 ? [indicator.name] : indicator.outputs.map(({ name }) => name)
    this.#keys = names.map((name, k) => `${k === 0 ? '{' : ','}"${name}":`)
    this.#calculator = calculator
    this.spec = spec
    this.#cache = cache
    this.#warmup = Math.max(shapeOf(spec).warmup, settled?.first ?? 0)
    this.#results = new ResultSeries(spec)
  }

  /** Update of the newest closed candle; undefined if the history is too short. */
  get closed(): string | undefined {
    return this.#closed
  }

  /** Update of the forming candle; undefined if no candle is forming or the history is too short. */
  get forming(): string | undefined {
    return this.#forming
  }

  /** Number of candles over which the kernel must run for the closed candles of a snapshot: all if it must restart. */
  candlesToRun([snapshot]: Inputs): number {
    const { closed } = snapshot
    this.#follow(snapshot)
    if (this.#isAhead(snapshot)) return 0
    return this.#isBehind(snapshot) ? closed - this.#results.included : closed
  }

  /**
   * Computes at least `candles` of the candles counted by `candlesToRun`. Returns the updates of new closed candles.
   */
  advancePart(inputs: Inputs, candles: number): readonly string[] {
    const snapshot = inputs[0]
    const { columns, closed } = snapshot
    const isAnew = this.candlesToRun(inputs) === closed
    const results = this.#results
    let to = Math.min(closed, (isAnew ? 0 : results.included) + candles)
    // Bars with equal times are emitted together.
    while (to < closed && columns.timestamp[to] === columns.timestamp[to - 1]) to++
    const part = closedCandles(inputs, to)
    const isNew =
      this.#newestEmitted !== undefined && (columns.timestamp[to - 1] as number) > this.#newestEmitted
    if (isNew && !isAnew) return this.advance(part).closed
    // The candles to emit later must be among the kept values.
    if (isAnew)
      results.build(this.#calculator, part, Math.max(results.values.kept, to - this.#firstToEmit(snapshot)))
    else results.advance(this.#calculator, part, false)
    return []
  }

  /** Number of newest values that another thread must build, so that all candles still to be emitted are included. */
  valuesToBuild([snapshot]: Inputs): number {
    this.#follow(snapshot)
    return Math.max(this.#results.values.kept, snapshot.closed - this.#firstToEmit(snapshot))
  }

  /** Adopts results that another thread has built over the closed candles of a snapshot. */
  adopt(inputs: Inputs, packed: PackedResults): void {
    // REST may have computed these and later candles since then.
    if (this.candlesToRun(inputs) < inputs[0].closed) return
    this.#results.unpack(packed)
    if (this.#kept) this.#cache?.measure(this.#kept)
  }

  /** Advances to the current candles. The first call emits no closed candle: updates begin after it. */
  advance(inputs: Inputs): CandleUpdates {
    const snapshot = inputs[0]
    const { columns, closed } = snapshot
    const isSame = columns === this.#columns && closed >= this.#advanced
    const from = isSame ? this.#advanced : 0
    this.#follow(snapshot)
    const first = this.#firstToEmit(snapshot)
    this.#columns = undefined
    const emitted: string[] = []
    if (closed > from) this.#emit(inputs, first, emitted)
    if (closed > from || !isSame) this.#closed = emitted.at(-1) ?? this.#newest(snapshot)
    // This time may go back if candles were removed, as after the clock was set back.
    this.#newestEmitted = closed > 0 ? (columns.timestamp[closed - 1] as number) : Number.NEGATIVE_INFINITY
    this.#forming = this.#preview(inputs)
    this.#columns = columns
    this.#advanced = closed
    return { closed: emitted, forming: this.#forming }
  }

  /**
   * Update of the forming candle, if only that candle has changed since the last call of `advance`; else the last
   * update. The state is not changed.
   */
  preview(inputs: Inputs): string | undefined {
    const { columns, closed } = inputs[0]
    if (columns !== this.#columns || closed !== this.#advanced) return this.#forming
    return this.#preview(inputs)
  }

  /** Releases the results. Call it once, when there are no subscribers left. */
  close(): void {
    if (this.#kept) this.#cache?.unfollow(this.#kept)
    this.#kept = undefined
  }

  /** First candle from `from` on that was not emitted. Searches from the newest, because few are new. */
  #firstNotEmitted(timestamp: Float64Array, from: number, to: number): number {
    if (this.#newestEmitted === undefined) return to
    // A series in which all candles are newer has restarted. As at the first call, nothing is emitted.
    const isAnew =
      this.#newestEmitted > Number.NEGATIVE_INFINITY && (timestamp[0] as number) > this.#newestEmitted
    if (isAnew) return to
    let at = to
    while (at > from && (timestamp[at - 1] as number) > this.#newestEmitted) at--
    return at
  }

  /** Index of the first closed candle of a snapshot that `advance` emits. */
  #firstToEmit({ columns, closed }: Snapshot): number {
    const isSame = columns === this.#columns && closed >= this.#advanced
    const from = Math.max(isSame ? this.#advanced : 0, this.#warmup)
    return this.#firstNotEmitted(columns.timestamp, from, closed)
  }

  /** Switches to the results for the columns of a snapshot. */
  #follow(snapshot: Snapshot): void {
    if (snapshot.columns === this.#followed) return
    this.#followed = snapshot.columns
    this.close()
    this.#kept = this.#cache?.follow(this.spec, snapshot)
    this.#results = this.#kept?.results ?? new ResultSeries(this.spec)
  }

  /** Updates the results to the closed candles of a snapshot, and emits the candles from `first` on. */
  #emit(inputs: Inputs, first: number, emitted: string[]): void {
    const snapshot = inputs[0]
    const { columns, closed } = snapshot
    const results = this.#results
    const advanceTo = (to: number) => {
      const part = to === closed ? inputs : closedCandles(inputs, to)
      if (results.included < to) results.advance(this.#calculator, part, true)
    }
    if (this.#isAhead(snapshot) || this.#isBehind(snapshot)) advanceTo(Math.min(first, closed))
    else results.build(this.#calculator, inputs, Math.max(results.values.kept, closed - first))
    for (let i = first; i < closed; i++) {
      // One by one, because only few of the newest values are kept.
      advanceTo(i + 1)
      const texts = results.values.textsAt(i, this.#calculator.writer)
      emitted.push(this.#write(texts, columns.timestamp[i] as number))
    }
    if (this.#kept) this.#cache?.measure(this.#kept)
    // Only this calculation reads the results, so the newest value is enough.
    if (results.values.kept > 1 && !this.#kept?.isCounted) results.shrink()
  }

  /**
   * Whether the results can continue from an earlier candle, and have the values of the candles still to be emitted.
   */
  #isBehind(snapshot: Snapshot): boolean {
    const { included } = this.#results
    if (included < 0 || included > snapshot.closed) return false
    return this.#results.covers(Math.min(this.#firstToEmit(snapshot), included), included)
  }

  /**
   * Whether other users of the results have computed later candles than this snapshot has, and all values that it needs
   * are kept.
   */
  #isAhead(snapshot: Snapshot): boolean {
    const { closed } = snapshot
    if (this.#results.included <= closed) return false
    const newest = Math.max(this.#warmup, closed - 1)
    return this.#results.covers(Math.min(this.#firstToEmit(snapshot), newest), closed)
  }

  #newest({ columns: { timestamp }, closed }: Snapshot): string | undefined {
    if (closed <= this.#warmup) return undefined
    return this.#write(
      this.#results.values.textsAt(closed - 1, this.#calculator.writer),
      timestamp[closed - 1] as number,
    )
  }

  #write(texts: readonly string[], timestamp: number): string {
    let json = ''
    for (let k = 0; k < this.#keys.length; k++) json += (this.#keys[k] as string) + (texts[k] as string)
    return `${json},"timestamp":${timestamp}}`
  }

  #preview(inputs: Inputs): string | undefined {
    const { closed, forming } = inputs[0]
    if (!forming || closed < this.#warmup) return undefined
    const results = this.#results
    if (results.included !== closed) results.build(this.#calculator, inputs, results.values.kept)
    results.preview(this.#calculator, inputs)
    return this.#write(results.values.formingTexts(this.#calculator.writer), forming.timestamp)
  }
}
