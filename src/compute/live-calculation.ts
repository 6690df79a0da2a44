import type { Columns, Snapshot } from '../candles/columns.js'
import { formatterOf } from './answer.js'
import type { Calculation, Calculator } from './calculator.js'
import { formatNumber } from './json/number-writer.js'

/** What moved since the last look, as JSON objects of the indicator's outputs and the candle's `timestamp`. */
export interface CandleUpdates {
  /** Candles that closed, oldest first; each one is told once. */
  readonly closed: readonly string[]
  /** The newest candle while it is forming. */
  readonly forming: string | undefined
}

interface Field {
  /** What stands before the value. */
  readonly key: string
  readonly text: (value: number) => string
}

/**
 * One live query with the state of its kernel. A closed candle is a step that keeps the state, a forming one a step
 * that throws it away; neither takes longer in a longer history. When the candles were corrected or the oldest ones
 * dropped, the history is run again, as REST would.
 */
export class LiveCalculation {
  readonly #calculator: Calculator
  readonly #calculation: Calculation
  readonly #lookback: number
  readonly #state: Float64Array
  readonly #fields: readonly Field[]
  #columns: Columns | undefined
  /** Closed candles that the state has seen. */
  #seen = 0
  /** The open time of the newest candle that was told as closed; earlier ones are never told again. */
  #told: number | undefined
  #closed: string | undefined
  #forming: string | undefined

  constructor(calculator: Calculator, calculation: Calculation) {
    const { indicator, params } = calculation
    this.#calculator = calculator
    this.#calculation = calculation
    this.#lookback = indicator.lookback(params)
    this.#state = new Float64Array(indicator.state(params))
    const isSingle = indicator.outputs.length === 1
    this.#fields = indicator.outputs.map((output, k) => ({
      key: `${k === 0 ? '{' : ','}"${isSingle ? indicator.name : output.name}":`,
      text: formatterOf(output) ?? formatNumber,
    }))
  }

  /** The newest closed candle's value; undefined where the history is too short for one. */
  get closed(): string | undefined {
    return this.#closed
  }

  /** The newest candle's value, be it closed or forming. */
  get current(): string | undefined {
    return this.#forming ?? this.#closed
  }

  /** Takes in the candles as they are now. The first look tells nothing: it is where the stream begins. */
  advance(snapshot: Snapshot): CandleUpdates {
    const { columns, closed, forming } = snapshot
    const isSame = columns === this.#columns && closed >= this.#seen
    const from = isSame ? this.#seen : 0
    this.#columns = undefined
    const moves: string[] = []
    this.#calculator.resume(this.#calculation, snapshot, from, this.#state)
    if (closed > from) {
      this.#run(from, closed)
      this.#calculator.save(this.#state)
      const fresh = this.#firstUntold(columns.timestamp, Math.max(from, this.#lookback), closed)
      for (let i = fresh; i < closed; i++) moves.push(this.#write(i, columns.timestamp[i] as number))
    }
    if (closed > from || !isSame) {
      this.#closed =
        moves.at(-1) ??
        (closed > this.#lookback
          ? this.#write(closed - 1, columns.timestamp[closed - 1] as number)
          : undefined)
    }
    const newest = closed > 0 ? (columns.timestamp[closed - 1] as number) : Number.NEGATIVE_INFINITY
    if (this.#told === undefined || newest > this.#told) this.#told = newest
    this.#forming = forming && closed >= this.#lookback ? this.#preview(closed, forming.timestamp) : undefined
    this.#columns = columns
    this.#seen = closed
    return { closed: moves, forming: this.#forming }
  }

  /** The newest candle's value over candles that differ from the last look in the forming one only; leaves no trace. */
  preview(snapshot: Snapshot): string | undefined {
    const { columns, closed, forming } = snapshot
    if (columns !== this.#columns || closed !== this.#seen) return this.current
    if (!forming || closed < this.#lookback) return this.#closed
    this.#calculator.resume(this.#calculation, snapshot, closed, this.#state)
    return this.#preview(closed, forming.timestamp)
  }

  /** The first candle from `from` on that was not told; the newest are looked at first, since few are new. */
  #firstUntold(timestamp: Float64Array, from: number, to: number): number {
    if (this.#told === undefined) return to
    let at = to
    while (at > from && (timestamp[at - 1] as number) > this.#told) at--
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
      const { key, text } = this.#fields[k] as Field
      json += key + text(this.#calculator.value(k, at))
    }
    return `${json},"timestamp":${timestamp}}`
  }
}
