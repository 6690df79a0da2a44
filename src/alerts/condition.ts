import { countBefore, type Snapshot } from '../candles/columns.js'
import type { Caller, ComputeDispatcher } from '../compute/compute-dispatcher.js'
import { mostNsPerCandle, placeOf } from '../compute/costs.js'
import { LiveExpression } from '../compute/expression/expression-values.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { ResultSeries } from '../compute/results/result-series.js'
import { isRefusal } from '../contract/refusals.js'
import type { CompiledExpression } from '../expression/compile.js'
import { candlesOfTurn, type TurnBudget } from '../runtime/turn-budget.js'
import type { Alert } from './alert.js'

/** Called with a condition at a candle and at the one before: 1, 0 or NaN where it is undefined. */
export type OnValue = (timestamp: number, value: number, before: number) => void

/** What conditions compute with. */
export interface ConditionParts {
  readonly calculator: Calculator
  readonly budget: TurnBudget
  /** Runs plans over long histories; without it they are run on the event loop. */
  readonly threads: Pick<ComputeDispatcher, 'build'> | undefined
  /** Who waits for a thread. */
  readonly caller: Caller
}

/** One expression over one market, evaluated once for all alerts that have it. */
export class Condition {
  /** By id. */
  readonly alerts = new Map<string, Alert>()
  readonly #parts: ConditionParts
  readonly #compiled: CompiledExpression
  readonly #live: LiveExpression
  /** Nanoseconds that a step takes at most, about. */
  readonly #nsPerCandle: number
  /** The value at the newest closed candle. */
  #newest = Number.NaN
  /** The open time of the newest closed candle that was evaluated. */
  #newestAt: number | undefined

  constructor(parts: ConditionParts, compiled: CompiledExpression) {
    this.#parts = parts
    this.#compiled = compiled
    this.#live = new LiveExpression(parts.calculator, compiled)
    this.#nsPerCandle = mostNsPerCandle(compiled.spec)
  }

  get isOnUpdate(): boolean {
    for (const { on } of this.alerts.values()) if (on === 'update') return true
    return false
  }

  /**
   * Evaluates the closed candles of a snapshot that open after `mark`, the oldest first, whatever was evaluated before;
   * without `mark` those that have closed since the last call. It waits for turns of the event loop that have time for it;
   * where it has to begin with the first candle of a long history, a thread computes it.
   */
  async evaluate(snapshot: Snapshot, mark: number | undefined, onValue: OnValue): Promise<void> {
    const live = this.#live
    const { budget, caller } = this.#parts
    const { columns, closed } = snapshot
    const after = mark ?? this.#newestAt ?? Number.POSITIVE_INFINITY
    if (mark !== undefined) live.reset()
    // A correction changes what was, but fires nothing: what was compared with before it still is.
    let before = mark === undefined ? this.#newest : Number.NaN
    const visit = (i: number, value: number) => {
      const timestamp = columns.timestamp[i] as number
      const isNew = timestamp > after
      if (isNew) onValue(timestamp, value, before)
      if (isNew || mark !== undefined) before = value
    }
    if (live.candlesToRun(snapshot) === closed) await this.#build(snapshot, after, visit)
    for (let left = live.candlesToRun(snapshot); left > 0; left = live.candlesToRun(snapshot)) {
      const part = Math.min(left, candlesOfTurn(this.#nsPerCandle))
      await budget.wait(part * this.#nsPerCandle)
      caller.signal.throwIfAborted()
      if (this.alerts.size === 0) return
      live.advancePart(snapshot, part, (i, [value = Number.NaN]) => visit(i, value))
    }
    live.advance(snapshot)
    this.#newest = live.values[0] as number
    this.#newestAt = closed > 0 ? columns.timestamp[closed - 1] : undefined
  }

  /** Has a thread compute a long history; `visit` is called with its candles after `after`. */
  async #build(snapshot: Snapshot, after: number, visit: (i: number, value: number) => void): Promise<void> {
    const { columns, closed } = snapshot
    const { threads, caller } = this.#parts
    if (!threads || placeOf(closed * this.#nsPerCandle) === 'here') return
    const { spec } = this.#compiled
    const [alert] = this.alerts.values()
    // One more, because the value before is compared with.
    const first = Math.max(0, countBefore(columns, closed, after + 1) - 1)
    const values = Math.max(1, closed - first)
    const packed = await threads.build(spec, snapshot, values, caller, alert?.account ?? '')
    if (isRefusal(packed)) throw new Error(packed.error)
    const results = new ResultSeries(spec)
    results.unpack(packed)
    const valueAt = (i: number) =>
      i < results.warmup ? Number.NaN : numberOf(results.texts(i, this.#parts.calculator.writer)[0])
    for (let i = first; i < closed; i++) visit(i, valueAt(i))
    this.#live.adopt(snapshot, packed, [valueAt(closed - 1)])
  }

  /** Evaluates the forming candle of the snapshot of the last call. */
  async preview(snapshot: Snapshot, onValue: OnValue): Promise<void> {
    if (!snapshot.forming) return
    await this.#parts.budget.wait(this.#nsPerCandle)
    const values = this.#live.preview(snapshot)
    if (values) onValue(snapshot.forming.timestamp, values[0] as number, this.#newest)
  }
}

/** The value of a condition that was written as a text. */
const numberOf = (text: string | undefined): number =>
  text === 'true' ? 1 : text === 'false' ? 0 : Number.NaN
