import { formatTime } from '../../candles/format-time.js'
import { catalogue, type Entry, talibConstantsOf, talibNamesOf } from '../../catalogue/index.js'
import type { TextFields } from '../../contract/fields.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { type Query, readQuery } from '../../contract/query.js'
import { isRefusal, type Refusal, unknownIndicator } from '../../contract/refusals.js'

const indicatorNames: Readonly<Record<string, string>> = { bbands2: 'bbands' }

export const indicatorName = (name: string): string =>
  indicatorNames[name.toLowerCase()] ?? name.toLowerCase()

/** Parameters with another name in version 1, in addition to the names of TA-Lib that the catalogue accepts everywhere. */
const parameterNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stochf: { fastK: 'fastKPeriod', fastD: 'fastDPeriod' },
  coppockcurve: { wmaLength: 'wmaPeriod' },
  kvo: { short_period: 'shortPeriod', long_period: 'longPeriod' },
  vidya: { short_period: 'shortPeriod', long_period: 'longPeriod' },
}

/**
 * Name under which the catalogue accepts a parameter of an indicator; undefined for an unknown parameter. Bots send
 * many unknown parameters, and version 1 ignores them.
 */
export function parameterName(indicator: Entry, name: string): string | undefined {
  const renamed = parameterNames[indicator.name]?.[name] ?? name
  if (renamed in indicator.params) return renamed
  if (indicator.sources > 0 && renamed === 'source') return renamed
  const isTalibs =
    renamed in talibConstantsOf(indicator.name) ||
    Object.keys(indicator.params).some(param => talibNamesOf(indicator.name, param).includes(renamed))
  return isTalibs ? renamed : undefined
}

/**
 * Outputs with other names in version 1, by indicator. An output with two names is written under both, because bots
 * read either.
 */
const outputNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  abs: { abs: ['value'] },
  vwma: { vwma: ['value'] },
  accbands: {
    valueRealUpperBand: ['valueUpperBand'],
    valueRealMiddleBand: ['valueMiddleBand'],
    valueRealLowerBand: ['valueLowerBand'],
  },
  // The interface itself lacks the `t`.
  tdsequential: { buyCountdownIndex: ['buyCoundownIndex'], sellCountdownIndex: ['sellCoundownIndex'] },
  dmi: { pdi: ['pdi', 'plusdi'], mdi: ['mdi', 'minusdi'] },
  stoch: { valueK: ['valueK', 'valueSlowK'], valueD: ['valueD', 'valueSlowD'] },
}

/** Indicators whose outputs are the fields of one `value`. */
const nested: ReadonlySet<string> = new Set(['donchianchannels'])

/** Outputs of an indicator under their names in version 1. */
export function renameOutputs(
  indicator: string,
  outputs: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (nested.has(indicator)) return { value: outputs }
  const names = outputNames[indicator]
  if (!names) return { ...outputs }
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, value]) =>
      (names[name] ?? [name]).map((written): [string, unknown] => [written, value]),
    ),
  )
}

export interface Calculation {
  readonly query: Query
  /** One value, columns of values with the oldest first, or rows with the newest first. */
  readonly form: 'single' | 'columns' | 'rows'
  readonly hasTimestamp: boolean
}

type Outputs = Readonly<Record<string, readonly unknown[]>>

/** Reads one indicator. Unknown fields are ignored, as version 1 does. */
export function readCalculation(name: string, fields: TextFields): Calculation | Refusal {
  const indicator = catalogue.get(indicatorName(name))
  if (!indicator) return unknownIndicator(name.slice(0, 60), nearIndicators(name))
  const known = new Map<string, string>()
  for (const [field, value] of fields) {
    const parameter = parameterName(indicator, field)
    if (parameter !== undefined) known.set(parameter, value)
  }
  const form = fields.has('backtracks') ? 'rows' : fields.has('results') ? 'columns' : 'single'
  const results = fields.get('backtracks') ?? fields.get('results')
  const backtrack = fields.get('backtrack')
  if (results !== undefined) known.set('results', results)
  if (backtrack !== undefined) known.set('backtrack', backtrack)
  const query = readQuery(indicator, known, 'text')
  if (isRefusal(query)) return query
  return { query, form, hasTimestamp: fields.get('addResultTimestamp') === 'true' }
}

/** Answer to the query of a calculation, in the form of version 1. */
export function resultOf({ query, form, hasTimestamp }: Calculation, text: string, from?: number): unknown {
  const { timestamp, ...outputs } = JSON.parse(text) as Outputs & { readonly timestamp: readonly number[] }
  const { indicator, backtrack } = query
  if (indicator.name === 'candles') return timestamp.map((time, at) => candleOf(time, outputs, at))
  const rowOf = (at: number) => {
    const time = timestamp[at] as number
    if (indicator.name === 'candle') return candleOf(time, outputs, at)
    return { ...valuesOf(indicator, outputs, at), ...(hasTimestamp ? { timestamp: time } : {}) }
  }
  const last = timestamp.length - 1
  if (form === 'rows')
    return timestamp.map((_, ago) => ({ ...rowOf(last - ago), backtrack: backtrack + ago }))
  if (form === 'columns' || from !== undefined)
    return { ...renameOutputs(indicator.name, outputs), timestamp }
  return rowOf(last)
}

/** Values of one candle. Version 1 writes the signals of candlestick patterns as texts. */
function valuesOf(indicator: Entry, outputs: Outputs, at: number): Record<string, unknown> {
  const isPattern = indicator.category === 'Pattern Recognition - Simple'
  const values = indicator.outputs.map(({ name, kind }): [string, unknown] => {
    const value = outputs[name]?.[at]
    return [name, isPattern && kind === 'signal' && typeof value === 'number' ? String(value) : value]
  })
  return renameOutputs(indicator.name, Object.fromEntries(values))
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A candle with its time as in `2021-01-14 15:00:00 (Thursday) UTC`. */
const candleOf = (time: number, outputs: Outputs, at: number) => ({
  timestampHuman: `${formatTime(time)} (${weekdays[new Date(time * 1000).getUTCDay()]}) UTC`,
  timestamp: time,
  ...Object.fromEntries(Object.entries(outputs).map(([name, values]) => [name, values[at]])),
})
