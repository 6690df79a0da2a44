import fc from 'fast-check'
import { expect } from 'vitest'
import { type Timeframe, timeframes } from '../../src/candles/timeframe.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { readQuery } from '../../src/contract/query.js'
import { isRefusal } from '../../src/contract/refusals.js'
import { entryOf, type PlainColumns } from './kernel.js'
import { settings } from './laws/settings.js'

/** A random query: an indicator with one of its settings or an expression, over candles or bars. */
export interface RandomQuery {
  /** Name of an indicator, or `expression`. */
  readonly name: string
  readonly setting: number
  readonly text: string
  readonly chart: string
  readonly size: number
  readonly withSettled: boolean
}

/**
 * The last one is an indicator with parameters of its own called `from` and `to`, so that it has times only in an
 * expression.
 */
const texts = [
  'ema(20) > ema(50)',
  'rsi(14)@1d + close[3]',
  'sma(ema(5), 9)',
  'highest(high, 40)@1M',
  'macd().valueMACDSignal',
  'ote(from=0.5, to=0.9).top',
]
/** Indicators for which `from` is a time, and not a parameter. */
const names = [...catalogue.keys()].filter(name => !Object.hasOwn(entryOf(name).params, 'from'))

/** A share of a whole. */
export const part = fc.nat(1000).map(thousandths => thousandths / 1000)

/** Generators of the parts of a random query. */
export const randomQueries = {
  name: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...names) }, fc.constant('expression')),
  setting: fc.nat(),
  text: fc.constantFrom(...texts),
  chart: fc.constantFrom('candles', 'candles', 'heikinashi', 'renko', 'renko:atr', 'range', 'linebreak'),
  size: fc.integer({ min: 1, max: 20 }),
  withSettled: fc.boolean(),
}

/** The mean range of candles, the unit of the sizes of bars. */
export const meanRangeOf = ({ high, low }: PlainColumns): number =>
  high.reduce((sum, each, i) => sum + each - (low[i] as number), 0) / high.length

/** The fields of a request in JSON. */
export type JsonFields = Readonly<Record<string, string | number | boolean>>

/** The fields of the request for a random query. */
export function jsonFieldsOf(drawn: RandomQuery, timeframe: Timeframe, meanRange: number): JsonFields {
  const { name, setting, text, chart, size, withSettled } = drawn
  const sizes: Readonly<Record<string, string>> = {
    renko: `:${size * 0.3 * meanRange}`,
    range: `:${size * 0.5 * meanRange}`,
    linebreak: `:${size}`,
  }
  const shown = { chart: chart === 'renko:atr' ? `renko:atr${size}` : chart + (sizes[chart] ?? '') }
  if (name === 'expression') {
    const fits = text.includes('@') ? chart === 'candles' && timeframes[timeframe] < timeframes['1d'] : true
    return { ...shown, expression: fits ? text : 'ema(9)' }
  }
  const tried = settings(entryOf(name))
  const given = { ...shown, ...tried[setting % tried.length]?.values }
  const settled = { ...given, settled: 4 }
  const mayBeSettled =
    withSettled && !isRefusal(readQuery(entryOf(name), new Map(Object.entries(settled)), 'json'))
  return mayBeSettled ? settled : given
}

/** The same fields as texts of a query string. */
export const textFieldsOf = (...args: Parameters<typeof jsonFieldsOf>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(jsonFieldsOf(...args)).map(([name, value]) => [name, String(value)]))

/** Values in the form of a stream or a file: the values of a candle or a bar together. */
export type Rows = readonly Readonly<Record<string, unknown> & { readonly timestamp: number }>[]

/** The rows whose candles open between two times, both included. */
export const within = (rows: Rows, from: number, to: number): Rows =>
  rows.filter(({ timestamp }) => timestamp >= from && timestamp <= to)

/** Checks that rows of closed candles or bars have the first `closed` values of a reply at the same times. */
export function expectRows(
  rows: Rows,
  { name, outputs }: Pick<Entry, 'name' | 'outputs'>,
  values: Readonly<Record<string, readonly unknown[]>>,
  closed: number,
): void {
  const times = values.timestamp?.slice(0, closed) ?? []
  // Before the first value a file has rows, and a stream has none.
  const own = rows.slice(Math.max(0, rows.length - times.length))
  const missing = times.length - own.length
  expect(own.map(({ timestamp }) => timestamp)).toEqual(times.slice(missing))
  for (const { name: output } of outputs) {
    const found = own.map(row => (Object.hasOwn(row, output) ? row[output] : row[name]))
    expect([...Array.from({ length: missing }, () => null), ...found], output).toEqual(
      values[output]?.slice(0, closed),
    )
  }
}
