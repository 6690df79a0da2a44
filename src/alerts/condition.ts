import type { Chart } from '../candles/charts/chart.js'
import { countBefore, type Snapshot } from '../candles/columns.js'
import type { Entry } from '../catalogue/index.js'
import { mostNsPerCandle } from '../compute/costs.js'
import type { Executor } from '../compute/executor.js'
import { barsInSlices } from '../compute/executor.js'
import type { CompiledExpression } from '../compute/expressions/compile.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { LiveCalculation } from '../compute/results/live-calculation.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import { isRefusal } from '../contract/refusals.js'
import { candlesPerSlice, type Scheduler, sliceNs } from '../runtime/scheduler.js'
import type { Alert } from './alert.js'

/** Called with a condition at a candle and at the one before: 1, 0 or NaN where it is undefined. */
export type OnValue = (timestamp: number, value: number, before: number) => void

/** What conditions compute with. */
export interface ConditionParts {
  readonly calculator: Calculator
  /** The results that REST and streams read. */
  readonly resultCache?: ResultCache | undefined
  readonly scheduler: Scheduler
  /** Runs plans over long histories; without it they are run on the event loop. */
  readonly threads: Pick<Executor, 'build'> | undefined
  /** Who waits for a thread. */
  readonly caller: { readonly signal: AbortSignal }
}

/** A condition at one candle. */
interface ConditionValue {
  readonly timestamp: number
  readonly value: number
}

const readCondition = ([text]: readonly string[], timestamp: number): ConditionValue => ({
  timestamp,
  value: text === 'true' ? 1 : text === 'false' ? 0 : Number.NaN,
})

/** One expression over one market, evaluated once for all alerts that have it. */
export class Condition {
  /** By id. */
  readonly alerts = new Map<string, Alert>()
  readonly #parts: ConditionParts
  readonly #compiled: CompiledExpression
  readonly #chart: Chart | undefined
  readonly #live: LiveCalculation<ConditionValue>
  /** Nanoseconds that a step takes at most, about. */
  readonly #nsPerCandle: number
  /** The value at the newest closed candle. */
  #newest = Number.NaN
  /** The open time of the newest closed candle that was evaluated. */
  #newestAt: number | undefined

  /** `chart` is what is made of the candles first. */
  constructor(parts: ConditionParts, compiled: CompiledExpression, chart?: Chart) {
    this.#chart = chart
    this.#parts = parts
    this.#compiled = compiled
    this.#live = new LiveCalculation(parts.calculator, compiled.spec, readCondition, parts.resultCache)
    this.#nsPerCandle = mostNsPerCandle(compiled.spec)
  }

  get indicator(): Entry {
    return this.#compiled.spec.indicator
  }

  get isOnUpdate(): boolean {
    for (const { on } of this.alerts.values()) if (on === 'update') return true
    return false
  }

  /**
   * Evaluates the closed candles of a snapshot that open after `checkpoint`, the oldest first, whatever was evaluated before;
   * without `checkpoint` those that have closed since the last call. It waits for turns of the event loop that have time for it;
   * where it has to begin with the first candle of a long history, a thread computes it.
   */
  async evaluate(candles: Snapshot, checkpoint: number | undefined, onValue: OnValue): Promise<void> {
    const snapshot = await barsInSlices(this.#chart, candles)
    const live = this.#live
    const { caller } = this.#parts
    const { columns, closed } = snapshot
    const after = checkpoint ?? this.#newestAt ?? Number.POSITIVE_INFINITY
    this.#emitAfter(snapshot, checkpoint)
    // A correction changes what was, but fires nothing: what was compared with before it still is.
    let before = checkpoint === undefined ? this.#newest : Number.NaN
    const visit = ({ timestamp, value }: ConditionValue) => {
      if (timestamp > after) onValue(timestamp, value, before)
      before = value
    }
    if (live.candlesToRun(snapshot) === closed) await this.#build(snapshot)
    for (let left = live.candlesToRun(snapshot); left > 0; left = live.candlesToRun(snapshot)) {
      const part = Math.min(left, candlesPerSlice(this.#nsPerCandle))
      await this.#timeFor(part)
      caller.signal.throwIfAborted()
      if (this.alerts.size === 0) return
      for (const value of live.advancePart(snapshot, part)) visit(value)
    }
    for (const value of live.advance({ columns, closed, forming: undefined, count: closed }).closed)
      visit(value)
    this.#newest = live.closed?.value ?? Number.NaN
    this.#newestAt = closed > 0 ? columns.timestamp[closed - 1] : undefined
  }

  /** The candles after `checkpoint` are emitted again, and the one before them: the first of them is compared with it. */
  #emitAfter({ columns, closed }: Snapshot, checkpoint: number | undefined): void {
    const { timestamp } = columns
    // A series may begin anew with candles of which none was seen.
    const isAnew = this.#newestAt !== undefined && closed > 0 && (timestamp[0] as number) > this.#newestAt
    if (checkpoint === undefined && !isAnew) return
    const first = checkpoint === undefined ? 0 : countBefore(columns, closed, checkpoint + 1)
    let at = first - 2
    // Bars of one time are emitted together.
    while (at >= 0 && timestamp[at] === timestamp[first - 1]) at--
    this.#live.emitAfter(at < 0 ? Number.NEGATIVE_INFINITY : (timestamp[at] as number))
  }

  /** Computes a long history in a thread. */
  async #build(snapshot: Snapshot): Promise<void> {
    const { threads, caller } = this.#parts
    const live = this.#live
    if (!threads || snapshot.closed * this.#nsPerCandle <= sliceNs) return
    const [alert] = this.alerts.values()
    const account = { accountId: alert?.account ?? '', signal: caller.signal }
    const values = live.valuesToBuild(snapshot)
    const packed = await threads.build(this.#compiled.spec, snapshot, values, account)
    if (isRefusal(packed)) throw new Error(packed.error)
    live.adopt(snapshot, packed)
  }

  /** Resolves in a turn that has time for so many candles. */
  async #timeFor(candles: number): Promise<void> {
    const ns = candles * this.#nsPerCandle
    const { scheduler } = this.#parts
    await scheduler.slice('alerts', ns)
  }

  /** Evaluates the forming candle of the snapshot of the last call. */
  async preview(candles: Snapshot, onValue: OnValue): Promise<void> {
    const snapshot = await barsInSlices(this.#chart, candles)
    if (!snapshot.forming) return
    await this.#timeFor(1)
    const forming = this.#live.preview(snapshot)
    if (forming) onValue(forming.timestamp, forming.value, this.#newest)
  }

  /** Keeps its results no longer. */
  close(): void {
    this.#live.close()
  }
}
