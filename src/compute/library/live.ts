import type { Candle } from '../../candles/candle.js'
import { Columns, columnNames, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { type OutputValue, outputValue } from '../../catalogue/output-values.js'
import { CandelaError } from '../../client/errors.js'
import { candlesOfMarketMissing } from '../../contract/expression-refusals.js'
import { missingRequired } from '../../contract/refusals.js'
import { refuseTime } from '../../contract/supplied-candles.js'
import { expressionName } from '../expressions/compile.js'
import { nameOfOther } from '../expressions/plan.js'
import { BlockCalculator } from '../kernels/block-calculator.js'
import { expressionProgram, programOf } from './compute.js'
import { kernelsVersion, type Program, withEngine } from './engine.js'
import { onlyColumn, orThrow, readOwn } from './own-candles.js'
import type { Library, Live, OwnCandle, OwnCandles, SavedLive } from './types.js'

/** Values of all outputs at one candle, by name. */
type Values = Readonly<Record<string, OutputValue>>

/** Candles per block of a history. */
const blockSize = 256

class LiveProgram implements Live<Values> {
  readonly #name: string
  readonly #params: object
  readonly #program: Program
  readonly #calculator: BlockCalculator
  readonly #times = new Float64Array(1)
  #values: Values | undefined

  constructor(name: string, params: object, program: Program) {
    const [market] = program.plan.markets
    if (market) orThrow(candlesOfMarketMissing(nameOfOther(market)))
    this.#name = name
    this.#params = params
    this.#program = program
    this.#calculator = withEngine(
      ({ module }) => new BlockCalculator([program.calculation], module, blockSize, undefined, true),
    )
  }

  get values(): Values | undefined {
    return this.#values
  }

  update(candle: OwnCandle): Values {
    return this.#compute(this.#read(candle))
  }

  close(candle: OwnCandle): Values {
    const read = this.#read(candle)
    this.#times[0] = read.timestamp
    this.#calculator.add(read)
    this.#values = this.#compute()
    return this.#values
  }

  /** Adds the closed candles of a history. */
  closeAll(candles: OwnCandles): this {
    const history = readOwn(candles, this.#program.columns)
    const { next } = this.#calculator
    const whole = Columns.unshared(history.count)
    for (const name of columnNames) {
      const own = history.columns[name] as Float64Array | undefined
      whole[name].set(own ?? Float64Array.from(whole[name], (_, i) => next + i))
    }
    for (let from = 0; from < history.count; ) {
      from += this.#calculator.addFrom(whole, from, history.count)
      this.#values = this.#compute()
    }
    this.#times[0] = whole.timestamp.at(-1) ?? 0
    return this
  }

  save(): SavedLive {
    const { index, last, state } = this.#calculator.checkpoint()
    return {
      ...{ version: kernelsVersion(), indicator: this.#name, params: this.#params, index, last },
      timeframe: this.#program.plan.timelines[0]?.timeframe,
      state: toText(state),
      candles: toText(new Float64Array(this.#calculator.lookback().buffer as ArrayBuffer)),
    }
  }

  /** Continues a saved calculation. */
  resume({ index, last, state, candles }: SavedLive): this {
    const columns = Columns.over(fromText(candles).buffer)
    this.#calculator.resume({ index, passed: index, from: 0, last, state: fromText(state) })
    for (let i = 0; i < columns.capacity; i++) this.#calculator.add(columns.read(i))
    this.#times[0] = last
    return this
  }

  #compute(forming?: Candle): Values {
    const { outputs } = this.#program.calculation.indicator
    const { columns, count } = withEngine(() => this.#calculator.compute(forming))
    const values: Record<string, OutputValue> = {}
    for (const output of outputs)
      values[output.name] = outputValue(output, k => columns[0]?.[k]?.[count - 1] as number)
    return values as Values
  }

  /** A candle with its time: without one, the number of the candle. */
  #read(given: OwnCandle): Candle {
    const { columns } = this.#program
    const { next } = this.#calculator
    if (typeof given === 'number')
      return { timestamp: next, [onlyColumn(columns)]: given } as unknown as Candle
    for (const name of columns)
      if (given[name] === undefined && name !== 'timestamp')
        orThrow(missingRequired([name], Object.keys(given)))
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
  const { version, indicator, params, timeframe } = saved
  if (version !== kernelsVersion())
    throw new CandelaError(`The state was saved by version ${version}, this is ${kernelsVersion()}`, 400)
  return new LiveProgram(
    indicator,
    params,
    namedProgram(indicator, params, () => timeframe),
  ).resume(saved)
}
