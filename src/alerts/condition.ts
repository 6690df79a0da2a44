import { type Columns, closedCandles, countUntil, type Inputs, timestampAt } from '../candles/columns.js'
import { refuseShort } from '../compute/answer.js'
import { barsInSlices, type Executor } from '../compute/executor.js'
import type { PreparedQuestion } from '../contract/query.js'
import { isRefusal } from '../contract/refusals.js'
import { scheduler } from '../runtime/scheduler.js'
import type { Alert } from './alert.js'

/** Called with the values of a condition at a candle and at the previous one: 1, 0, or NaN if undefined. */
export type OnValue = (timestamp: number, value: number, before: number) => void

/** One question about one market, evaluated once for all alerts with its expression and chart. */
export class Condition {
  readonly alerts = new Map<string, Alert>()
  /** Columns of the last evaluation. */
  #columns: Columns | undefined
  #newest = Number.NaN
  /** Open time of the newest evaluated closed candle. */
  #newestAt: number | undefined

  /** The signal ends evaluations. */
  constructor(
    readonly question: PreparedQuestion,
    private readonly executor: Pick<Executor, 'answerText'>,
    private readonly signal: AbortSignal,
  ) {}

  get #isOnUpdate(): boolean {
    for (const { on } of this.alerts.values()) if (on === 'update') return true
    return false
  }

  /**
   * Evaluates the closed candles that open after `checkpoint`, oldest first, even if they were already evaluated.
   * Without `checkpoint`, evaluates the candles that have closed since the last call. Then evaluates the forming candle
   * if an alert wants updates.
   */
  async evaluate(candles: Inputs, checkpoint: number | undefined, onValue: OnValue): Promise<void> {
    const bars = await barsInSlices(this.question.query.chart, candles)
    const inputs = this.#isOnUpdate ? bars : closedCandles(bars)
    const [snapshot] = inputs
    const { columns, closed, count } = snapshot
    const first = countUntil(columns, closed, checkpoint ?? this.#newestAt ?? Number.POSITIVE_INFINITY)
    if (first === count && columns === this.#columns) return
    // An edge needs the previous value.
    const values = await this.#newestValues(inputs, count - Math.max(0, first - 1))
    const begin = count - values.length
    const newest = values[closed - 1 - begin] ?? Number.NaN
    // A corrected candle fires nothing: the next candle is compared with the value already reported.
    const isReported = checkpoint === undefined && first < closed
    let before = isReported ? this.#newest : (values[first - 1 - begin] ?? Number.NaN)
    for (let at = Math.max(first, begin); at < count; at++) {
      const value = values[at - begin] as number
      onValue(timestampAt(snapshot, at), value, before)
      before = value
    }
    this.#columns = columns
    this.#newest = newest
    this.#newestAt = closed > 0 ? columns.timestamp[closed - 1] : undefined
  }

  /** Values at the newest `results` candles; fewer if the history is too short. */
  async #newestValues(inputs: Inputs, results: number): Promise<readonly number[]> {
    const query = { ...this.question.query, results }
    if (refuseShort(query, inputs)) return []
    await scheduler.slice('alerts')
    const [alert] = this.alerts.values()
    const caller = { accountId: alert?.account ?? '', signal: this.signal }
    const text = await this.executor.answerText({ query, inputs, isCharted: true }, caller)
    this.signal.throwIfAborted()
    if (isRefusal(text)) throw new Error(text.error)
    const { value }: { readonly value: readonly (boolean | null)[] } = JSON.parse(text)
    return value.map(each => (each === null ? Number.NaN : Number(each)))
  }
}
