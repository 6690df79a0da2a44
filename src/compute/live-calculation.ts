import type { Columns, Snapshot } from '../candles/columns.js'
import type { PlacedOutput } from '../catalogue/define.js'
import { formatNames, formatterOf } from './answer.js'
import type { Calculation, Calculator } from './calculator.js'
import { formatNumber } from './json/number-writer.js'

/** What changed since the last update, as JSON objects of the indicator's outputs and the candle's `timestamp`. */
export interface CandleUpdates {
  /** Candles that closed, oldest first; each one is emitted once. */
  readonly closed: readonly string[]
  /** The newest candle while it is forming. */
  readonly forming: string | undefined
}

interface Field {
  /** The text before the value. */
  readonly key: string
  readonly output: PlacedOutput
  readonly text: (value: number) => string
}

/**
 * A live query with the state of its kernel. A closed candle is a step whose state is saved, a forming candle a step
 * whose state is discarded; neither takes longer in a longer history. When candles were corrected or the oldest ones
 * dropped, the kernel runs over the whole history again, so that the values equal those of REST.
 */
export class LiveCalculation {
  readonly #calculator: Calculator
  readonly #calculation: Calculation
  readonly #warmup: number
  readonly #state: Float64Array
  readonly #fields: readonly Field[]
  #columns: Columns | undefined
  /** The number of closed candles that the state includes. */
  #included = 0
  /** The open time of the newest candle that was emitted as closed; it and earlier ones are not emitted again. */
  #newestEmitted: number | undefined
  #closed: string | undefined
  #forming: string | undefined

  constructor(calculator: Calculator, calculation: Calculation) {
    const { indicator, params } = calculation
    this.#calculator = calculator
    this.#calculation = calculation
    this.#warmup = indicator.warmup(params)
    this.#state = new Float64Array(indicator.state(params))
    const isSingle = indicator.outputs.length === 1
    this.#fields = indicator.outputs.map((output, k) => ({
      key: `${k === 0 ? '{' : ','}"${isSingle ? indicator.name : output.name}":`,
      output,
      text: formatterOf(output) ?? formatNumber,
    }))
  }

  /** The newest closed candle's value; undefined where the history is too short for one. */
  get closed(): string | undefined {
    return this.#closed
  }

  /** The forming candle's value; undefined where no candle is forming, or the history is too short for its value. */
  get forming(): string | undefined {
    return this.#forming
  }

  /** Advances to the present candles. The first call emits no closed candle: updates begin after it. */
  advance(snapshot: Snapshot): CandleUpdates {
    const { columns, closed, forming } = snapshot
    const isSame = columns === this.#columns && closed >= this.#included
    const from = isSame ? this.#included : 0
    this.#columns = undefined
    const emitted: string[] = []
    this.#calculator.resume(this.#calculation, snapshot, from, this.#state)
    if (closed > from) {
      this.#run(from, closed)
      this.#calculator.save(this.#state)
      const first = this.#firstNotEmitted(columns.timestamp, Math.max(from, this.#warmup), closed)
      for (let i = first; i < closed; i++) emitted.push(this.#write(i, columns.timestamp[i] as number))
    }
    if (closed > from || !isSame) {
      this.#closed =
        emitted.at(-1) ??
        (closed > this.#warmup ? this.#write(closed - 1, columns.timestamp[closed - 1] as number) : undefined)
    }
    // It is earlier than before where candles were taken back, as after the clock was set back.
    this.#newestEmitted = closed > 0 ? (columns.timestamp[closed - 1] as number) : Number.NEGATIVE_INFINITY
    this.#forming = forming && closed >= this.#warmup ? this.#preview(closed, forming.timestamp) : undefined
    this.#columns = columns
    this.#included = closed
    return { closed: emitted, forming: this.#forming }
  }

  /**
   * The forming candle's value over candles of which only that one differs from the last call of `advance`; undefined
   * as `forming` is. The state stays as it is.
   */
  preview(snapshot: Snapshot): string | undefined {
    const { columns, closed, forming } = snapshot
    if (columns !== this.#columns || closed !== this.#included) return this.#forming
    if (!forming || closed < this.#warmup) return undefined
    this.#calculator.resume(this.#calculation, snapshot, closed, this.#state)
    return this.#preview(closed, forming.timestamp)
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

  #run(from: number, to: number): void {
    this.#calculator.run(this.#calculation.indicator, from, to)
  }

  #preview(at: number, timestamp: number): string {
    this.#run(at, at + 1)
    return this.#write(at, timestamp)
  }

  #write(at: number, timestamp: number): string {
    let json = ''
    for (let k = 0; k < this.#fields.length; k++) {
      const { key, output, text } = this.#fields[k] as Field
      json +=
        output.kind === 'names'
          ? key + formatNames(output, column => this.#calculator.value(column, at))
          : key + text(this.#calculator.value(output.column, at))
    }
    return `${json},"timestamp":${timestamp}}`
  }
}
