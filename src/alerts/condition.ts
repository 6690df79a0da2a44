import type { Chart } from '../candles/charts/chart.js'
import { closedCandles, countBefore, type Inputs, type Snapshot } from '../candles/columns.js'
import type { Entry } from '../catalogue/index.js'
import { catchUp, type LiveThreads, liveWork } from '../compute/catch-up.js'
import { barsInSlices } from '../compute/executor.js'
import type { CompiledExpression } from '../compute/expressions/compile.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { LiveCalculation } from '../compute/results/live-calculation.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Scheduler } from '../runtime/scheduler.js'
import type { Alert } from './alert.js'

/** Called with the values of a condition at a candle and at the previous one: 1, 0, or NaN if undefined. */
export type OnValue = (timestamp: number, value: number, before: number) => void

/** Services that conditions share. */
export interface ConditionParts {
  readonly calculator: Calculator
  /** Results shared with REST and streams. */
  readonly resultCache?: ResultCache | undefined
  readonly scheduler: Scheduler
  /** Thread pool for plans over long histories; undefined to run them on the event loop. */
  readonly threads?: LiveThreads | undefined
  /** Ends evaluations. */
  readonly signal: AbortSignal
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

/** One expression over one market, evaluated once for all alerts with this expression and chart. */
export class Condition {
  /** Alerts by id. */
  readonly alerts = new Map<string, Alert>()
  readonly #live: LiveCalculation<ConditionValue>
  /** The value at the newest closed candle. */
  #newest = Number.NaN
  /** Open time of the newest evaluated closed candle. */
  #newestAt: number | undefined

  /** `chart` is the chart into which candles are converted first. */
  constructor(
    private readonly parts: ConditionParts,
    private readonly compiled: CompiledExpression,
    private readonly chart?: Chart,
  ) {
    this.#live = new LiveCalculation(parts.calculator, compiled.spec, readCondition, parts.resultCache)
  }

  get indicator(): Entry {
    return this.compiled.spec.indicator
  }

  get isOnUpdate(): boolean {
    for (const { on } of this.alerts.values()) if (on === 'update') return true
    return false
  }

  /**
   * Evaluates the closed candles of a snapshot that open after `checkpoint`, oldest first, even if they were already
   * evaluated. Without `checkpoint`, evaluates the candles that have closed since the last call. Runs in slices of the
   * event loop. A long history is computed from its start on a worker thread.
   */
  async evaluate(candles: Inputs, checkpoint: number | undefined, onValue: OnValue): Promise<void> {
    const inputs = await barsInSlices(this.chart, candles)
    const [snapshot] = inputs
    const live = this.#live
    const { signal } = this.parts
    const { columns, closed } = snapshot
    const after = checkpoint ?? this.#newestAt ?? Number.POSITIVE_INFINITY
    this.#emitAfter(snapshot, checkpoint)
    // A corrected candle fires nothing: the next candle is compared with the value already reported.
    let before = checkpoint === undefined ? this.#newest : Number.NaN
    const visit = (values: readonly ConditionValue[]) => {
      for (const { timestamp, value } of values) {
        if (timestamp > after) onValue(timestamp, value, before)
        before = value
      }
    }
    const [alert] = this.alerts.values()
    const refusal = await catchUp(this.parts, {
      ...{ live, visit, name: 'alerts', caller: { accountId: alert?.account ?? '', signal } },
      inputs: () => (this.alerts.size > 0 ? inputs : undefined),
    })
    signal.throwIfAborted()
    if (refusal) throw new Error(refusal.error)
    if (this.alerts.size === 0) return
    visit(live.advance(closedCandles(inputs)).closed)
    this.#newest = live.closed?.value ?? Number.NaN
    this.#newestAt = closed > 0 ? columns.timestamp[closed - 1] : undefined
  }

  /**
   * Has the candles after `checkpoint` emitted again, and their predecessor, because an edge needs the previous value.
   */
  #emitAfter({ columns, closed }: Snapshot, checkpoint: number | undefined): void {
    const { timestamp } = columns
    // A series may restart with candles that are all newer than the last evaluated one.
    const isAnew = this.#newestAt !== undefined && closed > 0 && (timestamp[0] as number) > this.#newestAt
    if (checkpoint === undefined && !isAnew) return
    const first = checkpoint === undefined ? 0 : countBefore(columns, closed, checkpoint + 1)
    let at = first - 2
    // Bars with the same time are emitted together.
    while (at >= 0 && timestamp[at] === timestamp[first - 1]) at--
    this.#live.emitAfter(at < 0 ? Number.NEGATIVE_INFINITY : (timestamp[at] as number))
  }

  /** Evaluates the forming candle of the snapshot of the last call. */
  async preview(candles: Inputs, onValue: OnValue): Promise<void> {
    const inputs = await barsInSlices(this.chart, candles)
    if (!inputs[0].forming) return
    await this.parts.scheduler.slice('alerts', liveWork(this.#live, inputs).ns)
    const forming = this.#live.preview(inputs)
    if (forming) onValue(forming.timestamp, forming.value, this.#newest)
  }

  /** Releases the results. */
  close(): void {
    this.#live.close()
  }
}
