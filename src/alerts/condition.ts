import { countBefore, type Snapshot } from '../candles/columns.js'
import type { Calculator } from '../compute/calculator.js'
import { LiveExpression, newestValues } from '../compute/expression/expression-values.js'
import type { CompiledExpression } from '../expression/compile.js'
import type { Alert } from './alert.js'

/** Called with a condition at a candle and at the one before: 1, 0 or NaN where it is undefined. */
export type OnValue = (timestamp: number, value: number, before: number) => void

/** One expression over one market, evaluated once for all alerts that have it. */
export class Condition {
  /** By id. */
  readonly alerts = new Map<string, Alert>()
  readonly #calculator: Calculator
  readonly #compiled: CompiledExpression
  readonly #live: LiveExpression
  /** The value at the newest closed candle. */
  #newest = Number.NaN

  constructor(calculator: Calculator, compiled: CompiledExpression) {
    this.#calculator = calculator
    this.#compiled = compiled
    this.#live = new LiveExpression(calculator, compiled)
  }

  get isOnUpdate(): boolean {
    for (const { on } of this.alerts.values()) if (on === 'update') return true
    return false
  }

  /** Evaluates the closed candles after `mark` that the snapshot has, the oldest first, whatever was evaluated before. */
  catchUp(snapshot: Snapshot, mark: number, onValue: OnValue): void {
    const { columns, closed } = snapshot
    const [values = new Float64Array()] = newestValues(
      this.#calculator,
      this.#compiled,
      { columns, closed, forming: undefined, count: closed },
      closed,
    )
    for (let i = countBefore(columns, closed, mark + 1); i < closed; i++)
      onValue(
        columns.timestamp[i] as number,
        values[i] as number,
        i === 0 ? Number.NaN : (values[i - 1] as number),
      )
    this.#live.advance(snapshot)
    this.#newest = this.#live.values[0] as number
  }

  /** Evaluates the candles that have closed since the last call of this or of `catchUp`, the oldest first. */
  advance(snapshot: Snapshot, onValue: OnValue): void {
    this.#live.advance(snapshot, (timestamp, [value = Number.NaN]) => {
      onValue(timestamp, value, this.#newest)
      this.#newest = value
    })
    // A correction changes what was, but fires nothing.
    this.#newest = this.#live.values[0] as number
  }

  /** Evaluates the forming candle of the snapshot of the last call. */
  preview(snapshot: Snapshot, onValue: OnValue): void {
    const values = this.#live.preview(snapshot)
    if (values && snapshot.forming) onValue(snapshot.forming.timestamp, values[0] as number, this.#newest)
  }
}
