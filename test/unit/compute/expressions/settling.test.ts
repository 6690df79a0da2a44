import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { Columns, type Snapshot } from '../../../../src/candles/columns.js'
import { type Dependence, settledAfter } from '../../../../src/catalogue/fading.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { entryOf, valuesOf } from '../../../support/kernel.js'

const calculator = new Calculator()
const hour = 3600

function compiled(text: string): CompiledExpression {
  const read = compileExpression(text, { timeframe: '1h' })
  if (isRefusal(read)) throw new Error(`${text}: ${read.error}`)
  return read
}

const promised = (text: string, digits: number): number | undefined => {
  const { indicator, params } = compiled(text).spec
  return settledAfter(indicator, params, digits)
}

const indicatorPromise = (name: string, given: Record<string, number>, digits: number) => {
  const entry = entryOf(name)
  return settledAfter(entry, valuesOf(entry, given).params, digits)
}

/** Numbers whose start fades, or that depend on a window. */
const numbers = [
  'ema(20)',
  'ema(close, 20) * 2 + 1',
  'ema(12) - ema(26)',
  'ema(ema(10), 10)',
  'sma(rsi(14), 9)',
  'ema(rsi(14), 9)',
  'rsi(ema(20), 14)',
  'rsi(14)[5]',
  'ema(rsi(14)[5], 9)',
  'highest(ema(20), 30)',
  'max(ema(5), sma(50))',
  'if(rsi(14) > 50, ema(10), sma(10))',
  'nz(rsi(14), 50)',
  'abs(ema(10) - ema(30))',
  'ema(high - low, 14) / close',
  'stddev(ema(10), 20)',
  'close / ema(50) - 1',
  'atr(14) / close',
  'ema(volume, 20)',
  'ema(hlc3, 15)',
  'rsi(14)@4h',
  'ema(10)@1d',
  'ema(rsi(14)@4h, 10)',
  'ema(20)@4h - ema(20)',
  'sma(20)@4h',
  'macd(12, 26, 9).valueMACDSignal',
  'tema(9) - dema(9)',
  'wma(roc(10), 5)',
  'ema(if(close > open, 1, 0), 10)',
  'ema(if(crossover(close, ema(20)), 1, 0), 30)',
  'sma(if(rsi(14) > 50, 1, 0), 20)',
] as const
const conditions = [
  'rsi(14) < 40',
  'close > ema(50) and rsi(14) > 50',
  'crossover(ema(9), ema(21))',
  'rising(ema(20), 3)',
  'ema(10) > ema(10)[1]',
  'not (adx(14) > 25) or close < lowest(low, 20)[1]',
  'rsi(14)@4h > 50 and close > ema(20)',
  'cross(rsi(14), sma(rsi(14), 9))',
] as const

/** Six starts of a history, as numbers of candles after the start of the market. */
const starts = [1, 2, 7, 50, 313, 777] as const
/** Candles that are compared after the last promise. */
const compared = 200

/** A market of hourly candles without gaps that walks around 100 and returns to it. */
function market(length: number, seed: number): Columns {
  const next = createRandom(seed)
  const columns = new Columns(length)
  let close = 100
  for (let i = 0; i < length; i++) {
    const open = close
    close *= 1 + 0.03 * (next() + next() - 1) - 0.02 * (close / 100 - 1)
    const [high, low] = [Math.max(open, close) + next(), Math.min(open, close) - next()]
    const timestamp = 1_700_006_400 + i * hour
    columns.write(i, { timestamp, open, high, low, close, volume: 200 + 1000 * next() })
  }
  return columns
}

/** The candles from `start` on. */
function startingAt(all: Columns, start: number): Snapshot {
  const columns = new Columns(all.capacity - start)
  for (let i = start; i < all.capacity; i++) columns.write(i - start, all.read(i))
  return { columns, closed: columns.capacity, forming: undefined, count: columns.capacity }
}

const valuesOver = ({ spec }: CompiledExpression, snapshot: Snapshot): Float64Array =>
  (calculator.calculate(spec, [snapshot]).columns[0] as Float64Array).slice()

/** The last candle of each later history at which a value differs by more than `tolerance` from that of the whole one. */
function lastDifferences(text: string, digits: number, isCondition: boolean): readonly number[] {
  const expression = compiled(text)
  const length = (promised(text, digits) as number) + starts[5] + compared
  const all = market(length, 11)
  const whole = valuesOver(expression, startingAt(all, 0))
  const defined = whole.filter(value => !Number.isNaN(value))
  const size = defined.reduce((sum, value) => sum + Math.abs(value), 0) / defined.length
  const tolerance = isCondition ? 0 : size * 10 ** -digits
  return starts.map(start => {
    const later = valuesOver(expression, startingAt(all, start))
    for (let i = later.length - 1; i >= 0; i--) {
      const [value, expected] = [later[i] as number, whole[i + start] as number]
      if (Number.isNaN(value) !== Number.isNaN(expected) || Math.abs(value - expected) > tolerance) return i
    }
    return -1
  })
}

describe('an expression that begins at six different candles', () => {
  it.each(numbers)('has the promised digits: %s', text => {
    for (const digits of [4, 8])
      for (const last of lastDifferences(text, digits, false))
        expect(last, `${digits} digits`).toBeLessThan(promised(text, digits) as number)
  })

  // A comparison may be as close as the fourth digit.
  it.each(conditions)('decides alike when eight digits have settled: %s', text => {
    for (const last of lastDifferences(text, 8, true)) expect(last).toBeLessThan(promised(text, 8) as number)
  })

  it('settles late for a reason: what is promised is at most four times what is measured', () => {
    for (const text of numbers.filter(each => (promised(each, 4) as number) > 60)) {
      const measured = 1 + Math.max(...lastDifferences(text, 4, false))
      expect(promised(text, 4), text).toBeLessThanOrEqual(4 * Math.max(measured, compiled(text).depth))
    }
  })
})

describe('an expression settles', () => {
  it('when the slowest of its parts has', () => {
    expect(promised('rsi(14) < 30 and close > sma(50)', 4)).toBe(indicatorPromise('rsi', { period: 14 }, 4))
    expect(promised('rsi(3) < 30 and close > sma(200)', 4)).toBe(199)
    expect(promised('close > open', 8)).toBe(0)
    expect(promised('close[3]', 8)).toBe(3)
  })

  it('later by the window of an indicator over it', () => {
    const rsi = indicatorPromise('rsi', { period: 14 }, 4) as number
    expect(promised('sma(rsi(14), 9)', 4)).toBe(rsi + 8)
    expect(promised('rsi(14)[5]', 4)).toBe(rsi + 5)
  })

  it('as an average of averages does', () => {
    // An exponential average over 10 candles keeps 9/11 of its past with each candle, and begins with their mean.
    const [dependence] = compiled('ema(ema(10), 10)').spec.indicator.memory as readonly Dependence[]
    expect(dependence).toEqual({ window: 18, keeps: [9 / 11, 9 / 11] })
  })

  it('never with an indicator that never does, wherever that is', () => {
    for (const text of ['obv', 'ema(obv, 5)', 'close > 1 and supertrend.value > 1', 'vidya(9)[3] > close'])
      expect(promised(text, 1), text).toBeUndefined()
    expect(compiled('close > 1 and sma(obv, 3) > 1').spec.indicator.memories()).toEqual([
      { because: entryOf('obv') },
    ])
  })
})
