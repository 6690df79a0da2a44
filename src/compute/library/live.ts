import type { Candle } from '../../candles/candle.js'
import { Columns, columnNames, type Snapshot, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { type OutputValue, outputValue } from '../../catalogue/output-values.js'
import { CandelaError } from '../../client/errors.js'
import { candlesOfMarketMissing } from '../../contract/expression-refusals.js'
import { candleNotObject, missingRequired, priceNotNumber, savedNotObject } from '../../contract/refusals.js'
import { refuseTime } from '../../contract/supplied-candles.js'
import { expressionName } from '../expressions/compile.js'
import { nameOfOther } from '../expressions/plan.js'
import { expressionProgram, programOf } from './compute.js'
import { kernelsVersion, type Program, withEngine } from './engine.js'
import { onlyColumn, orThrow, readOwn } from './own-candles.js'
import type { Library, Live, OwnCandle, OwnCandles, SavedLive } from './types.js'

/** Values of all outputs at one candle, by name. */
type Values = Readonly<Record<string, OutputValue>>

/** Candles in memory in addition to twice the lookback. */
const spareCandles = 128

class LiveProgram implements Live<Values> {
  readonly #name: string
  readonly #params: object
  readonly #program: Program
  /** Number of candles that the calculation looks back at. */
  readonly #lookback: number
  readonly #state: Float64Array
  /** The candles from `#first` on, in the columns that the calculation reads. */
  #window: Columns
  #first = 0
  /** Index of the next candle. Candle 0 of an indicator is the first one after a candle that lacked an input. */
  #next = 0
  /** Open time of the last closed candle. */
  readonly #times = Float64Array.of(-1)
  /** Values at a candle without any. Others are copies with the same properties, which are faster than new ones. */
  readonly #missing: Values
  #values: Values | undefined

  constructor(name: string, params: object, program: Program) {
    const { shape, plan } = program
    const [market] = plan.markets
    if (market) orThrow(candlesOfMarketMissing(nameOfOther(market)))
    this.#name = name
    this.#params = params
    this.#program = program
    this.#lookback = Math.max(...plan.state.histories)
    this.#state = new Float64Array(shape.stateLength)
    this.#window = Columns.unshared(this.#capacity)
    this.#missing = Object.fromEntries(
      shape.calculation.indicator.outputs.map(output => [output.name, outputValue(output, () => Number.NaN)]),
    )
  }

  get #capacity(): number {
    return 2 * this.#lookback + spareCandles
  }

  get values(): Values | undefined {
    return this.#values
  }

  update(candle: OwnCandle): Values {
    const forming = this.#read(candle)
    const closed = this.#next
    const snapshot = { columns: this.#window, closed, forming, count: closed + 1 }
    return this.#compute(snapshot, this.#first, false) ?? { ...this.#missing }
  }

  close(candle: OwnCandle): Values {
    const read = this.#read(candle)
    const at = this.#next - this.#first
    this.#window.write(at, read)
    const values = this.#close(this.#window, this.#next + 1, this.#first)
    this.#times[0] = read.timestamp
    this.#next = values ? this.#next + 1 : 0
    if (!values || at + 1 === this.#capacity) this.#keep(this.#window, at + 1)
    this.#values = values ?? { ...this.#missing }
    return this.#values
  }

  /** Adds the closed candles of a history, before all others. */
  closeAll(candles: OwnCandles): this {
    const { columns, count } = readOwn(candles, this.#program.columns)
    if (count === 0) return this
    let start = 0
    let values = this.#close(columns, count, 0)
    if (!values) {
      start = withEngine(({ kernels }) => {
        let from = count
        while (kernels.isWhole(this.#program.shape, from - 1, from)) from--
        return from
      })
      if (start < count) values = this.#close(columns, count - start, -start)
    }
    this.#values = values ?? { ...this.#missing }
    this.#next = count - start
    this.#keep(columns, count)
    this.#times[0] = columns.timestamp?.[count - 1] ?? count - 1
    return this
  }

  save(): SavedLive {
    const { buffer } = this.#lookedBack(this.#window, this.#next - this.#first)
    return {
      ...{ version: kernelsVersion(), indicator: this.#name, params: this.#params },
      ...{ index: this.#next, last: this.#times[0] as number },
      timeframe: this.#program.plan.timelines[0]?.timeframe,
      state: toText(this.#state),
      candles: toText(new Float64Array(buffer as ArrayBuffer)),
    }
  }

  /** Continues a saved calculation. */
  resume({ index, last, state, candles }: SavedLive): this {
    this.#state.set(fromText(state))
    this.#next = index
    this.#times[0] = last
    const columns = Columns.over(fromText(candles).buffer)
    this.#keep(columns, columns.capacity)
    return this
  }

  /** Computes the candles up to `closed`, which the columns have from candle `first` on, and keeps the state. */
  #close(columns: Columns, closed: number, first: number): Values | undefined {
    return this.#compute({ columns, closed, forming: undefined, count: closed }, first, true)
  }

  /**
   * Computes the candles from `#next` on, and returns the values at the last one. The columns begin with candle `first`.
   * Undefined if an indicator lacks an input; expressions restart by themselves.
   */
  #compute(snapshot: Snapshot, first: number, keepsState: boolean): Values | undefined {
    return withEngine(({ kernels }) => {
      const { shape } = this.#program
      const { count } = snapshot
      const from = this.#next
      kernels.resume(shape, [snapshot], from, this.#state, first)
      if (!shape.plan && !kernels.isWhole(shape, from, count)) return undefined
      kernels.run(from, count)
      if (keepsState) kernels.save(shape, this.#state)
      const values: Record<string, OutputValue> = { ...this.#missing }
      const read = (column: number) => kernels.value(column, count - 1)
      for (const output of shape.calculation.indicator.outputs)
        values[output.name] = outputValue(output, read)
      return values
    })
  }

  /** Copies the candles within the lookback of the next one, the last of which is before index `end` of the columns. */
  #lookedBack(columns: Columns, end: number, capacity?: number): Columns {
    const count = Math.min(this.#next, this.#lookback)
    const copy = Columns.unshared(capacity ?? count)
    for (const name of this.#program.columns) copy[name].set(columns[name].subarray(end - count, end))
    return copy
  }

  /** Keeps the candles within the lookback. The kernels recognise new columns by their identity. */
  #keep(columns: Columns, end: number): void {
    this.#window = this.#lookedBack(columns, end, this.#capacity)
    this.#first = Math.max(0, this.#next - this.#lookback)
  }

  /** A candle with its time, by default one second after the last one. */
  #read(given: OwnCandle): Candle {
    const { columns } = this.#program
    const next = (this.#times[0] as number) + 1
    if (typeof given === 'number') {
      onlyColumn(columns)
      return { timestamp: next, open: given, high: given, low: given, close: given, volume: given }
    }
    if (typeof given !== 'object' || given === null) return orThrow<Candle>(candleNotObject(0, given))
    for (const name of columns) {
      const value = given[name]
      if (typeof value === 'number' || name === 'timestamp') continue
      orThrow(
        value === undefined ? missingRequired([name], Object.keys(given)) : priceNotNumber(0, name, value),
      )
    }
    if (given.timestamp === undefined) return { ...given, timestamp: next } as Candle
    const fault = refuseTime(this.#times, next === 0 ? 0 : 1, given.timestamp)
    return fault ? orThrow<Candle>(fault) : (given as Candle)
  }
}

const toText = (numbers: Float64Array): string => {
  let text = ''
  for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
    text += String.fromCharCode(byte)
  return btoa(text)
}

const fromText = (text: string): Float64Array<ArrayBuffer> =>
  new Float64Array(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer)

export const live = ((name: string, params: object = {}, history?: OwnCandles) => {
  const found = () => history && timeframeOf(readOwn(history, columnNames))
  const made = new LiveProgram(name, params, namedProgram(name, params, found))
  return history === undefined ? made : made.closeAll(history)
}) as unknown as Library['live']

/** The program of an indicator, or of the expression in `params`. */
function namedProgram(name: string, params: object, timeframe: () => Timeframe | undefined): Program {
  if (name !== expressionName) return programOf(name, params)
  const given = params as { readonly expression: string; readonly timeframe?: Timeframe }
  return expressionProgram(given.expression, () => given.timeframe ?? timeframe())
}

export const restore: Library['restore'] = saved => {
  if (typeof saved !== 'object' || saved === null) orThrow(savedNotObject(saved))
  const { version, indicator, params, timeframe } = saved
  if (version !== kernelsVersion())
    throw new CandelaError(`The state was saved by version ${version}, this is ${kernelsVersion()}`, 400)
  return new LiveProgram(
    indicator,
    params,
    namedProgram(indicator, params, () => timeframe),
  ).resume(saved)
}
