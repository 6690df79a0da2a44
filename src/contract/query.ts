import { z } from 'zod'
import { type Chart, chartForms, readChart } from '../candles/charts/chart.js'
import { firstSettled, mostDigits } from '../catalogue/fading.js'
import {
  type Entry,
  impliedByTalib,
  type Param,
  type SourceName,
  sources,
  talibConstantsOf,
  talibNamesOf,
  type Values,
} from '../catalogue/index.js'
import { once } from '../runtime/once.js'
import { chartBesideSettled, invalidChart } from './expression-refusals.js'
import {
  type Fields,
  optional,
  readShape,
  readValue,
  refusedBy,
  takingIntegers,
  type ValueFormat,
} from './fields.js'
import { nearNames } from './hints.js'
import { isAbsent, jsonText, typedText } from './json-value.js'
import type { Markets } from './market.js'
import {
  contradictoryParameter,
  expected,
  invalidValue,
  isRefusal,
  neverSettles,
  outOfOrder,
  type Refusal,
  rangeBackwards,
  rangeBesideCount,
  repeatedParameter,
  unknownParameter,
} from './refusals.js'
import { whyNever } from './settled-candles.js'
import { type CandleAge, rangeShape, type TimeRange } from './time-range.js'

/** An indicator with its parameters, checked and complete. */
export interface IndicatorSpec {
  readonly indicator: Entry
  readonly params: Values
  /** Price column to use instead of the indicator's first input; undefined for the default. */
  readonly source?: SourceName | undefined
  /** Price column to use instead of the second input. */
  readonly source2?: SourceName | undefined
  /** Chart to build from the candles first; undefined for the candles themselves. */
  readonly chart?: Chart | undefined
  /** Required settled digits. Values without them are masked, because they may depend on where the history begins. */
  readonly settled?: Settled | undefined
}

/** An indicator and the window of its values that a caller requests. */
export interface Query extends IndicatorSpec {
  /** Number of newest values to return; Infinity for all. */
  readonly results: number
  /** Number of newest candles to skip. */
  readonly backtrack: number
  /**
   * Time range of the values, instead of `results` and `backtrack`. `withinRange` sets these two for a series of
   * candles.
   */
  readonly range?: TimeRange | undefined
}

/** Number of leading digits of a value that must not depend on where the history begins. */
export interface Settled {
  readonly digits: number
  /** Index of the first candle whose value has `digits` settled digits, counted from the start of the history. */
  readonly first: number
}

/** A query over markets, in its final form and independent of its caller. */
export interface PreparedQuestion extends CandleAge {
  readonly query: Query
  readonly markets: Markets
}

/** Window of values that a caller requests. */
export type QueryWindow = Pick<Query, 'results' | 'backtrack' | 'range' | 'chart'>

/** Property of a specification that holds its key, and its owner: a copy with other parameters has another key. */
const ownKey = Symbol('key')
type KnownKey = { readonly spec: IndicatorSpec; readonly key: string }

/** Key of a calculation. Equal for all spellings of the same calculation. */
export function specKey(spec: IndicatorSpec & { [ownKey]?: KnownKey }): string {
  if (spec[ownKey]?.spec === spec) return spec[ownKey].key
  const { indicator, params, source, source2, chart } = spec
  // Unambiguous, because the parameters have a fixed order and no value has a comma.
  let key = indicator.name
  for (const name in params) key += `,${params[name]}`
  if (source !== undefined || source2 !== undefined) key += `;${source};${source2}`
  if (chart !== undefined) key += `;${chart.text}`
  spec[ownKey] = { spec, key }
  return key
}

/** Key of a followed calculation. Equal for specifications with the same live values. */
export const liveKey = (spec: IndicatorSpec): string =>
  spec.settled ? `${specKey(spec)};${spec.settled.digits} digits` : specKey(spec)

/** Field with the number of digits of a value that must have settled. */
export const settledShape = once(() => ({
  settled: optional(z.int().min(1).max(mostDigits)).describe(
    'Required settled digits, 1 to 8: values are null if these first digits may depend on where the history begins. Refused for values that never settle.',
  ),
}))
export const settledName = 'settled'

/** Returns the first candle whose value has `digits` settled digits. Refuses an indicator whose values never settle. */
export function settledAt({ indicator, params }: IndicatorSpec, digits: number): Settled | Refusal {
  const first = firstSettled(indicator, params)[digits - 1]
  return first === undefined ? neverSettles(...whyNever({ indicator, params })) : { digits, first }
}

/** Reads the number of digits that must have settled; undefined if the request omits it. */
export function readSettled(
  spec: IndicatorSpec,
  fields: Fields,
  format: ValueFormat,
): Settled | Refusal | undefined {
  if (!fields.has(settledName)) return undefined
  const read = readValue(settledName, fields.get(settledName), settledShape().settled, format, quote)
  if (isRefusal(read)) return read
  return read.value === undefined ? undefined : settledAt(spec, read.value)
}

/** Fields that select the window of values. */
export const windowShape = once(() => ({
  results: takingIntegers(
    z
      .xor([z.int().min(1), z.literal('max').transform(() => Number.POSITIVE_INFINITY)])
      .prefault(1)
      .describe(
        'Number of newest values; `max` for all in memory (HISTORY_DEPTH candles). `from` reads older values.',
      ),
    1,
  ),
  backtrack: takingIntegers(
    z
      .int()
      .min(0)
      .prefault(0)
      .describe('Number of newest candles to skip. The newest one is the forming candle.'),
    0,
  ),
  ...rangeShape(),
  ...chartShape(),
}))

const countFields = ['results', 'backtrack'] as const
const rangeFields = ['from', 'to'] as const
type WindowField = (typeof countFields)[number] | (typeof rangeFields)[number] | 'chart'
/** Names of the fields that select the window of values. */
export const windowFields: readonly WindowField[] = [...countFields, ...rangeFields, 'chart']
const withoutRanges: readonly WindowField[] = [...countFields, 'chart']

/** Window fields of an indicator. An indicator with a parameter named `from` or `to` has no time ranges. */
export const windowFieldsOf = (params: readonly string[]): readonly WindowField[] =>
  rangeFields.some(name => params.includes(name)) ? withoutRanges : windowFields

/**
 * Reads the window of values of indicators or raw candles. Reads `from` and `to` only if they are in `named`. Default:
 * the newest `defaultResults` values.
 */
export function readWindow(
  fields: Fields,
  format: ValueFormat,
  defaultResults = 1,
  named = windowFields,
): QueryWindow | Refusal {
  let window: QueryWindow = { results: defaultResults, backtrack: 0 }
  let count: (typeof countFields)[number] | undefined
  for (const name of countFields) if (fields.has(name)) count ??= name
  for (const name of rangeFields) {
    if (!fields.has(name) || !named.includes(name) || isAbsent(fields.get(name))) continue
    if (count !== undefined) return rangeBesideCount(name, count)
    const ranged = readRange(fields, format)
    if (isRefusal(ranged)) return ranged
    window = ranged
    break
  }
  if (count !== undefined) {
    const counts = { results: defaultResults, backtrack: 0 }
    for (const name of countFields) {
      const value = fields.get(name)
      if (value === undefined) continue
      const read = readValue(name, value, windowShape()[name], format, quote)
      if (isRefusal(read)) return read
      counts[name] = read.value
    }
    window = counts
  }
  if (!fields.has('chart')) return window
  const read = readShape(chartShape(), { chart: fields.get('chart') }, undefined, format)
  return isRefusal(read) ? read : { ...window, ...read }
}

function readRange(fields: Fields, format: ValueFormat): QueryWindow | Refusal {
  const given = { from: fields.get('from'), to: fields.get('to') }
  const read = readShape(rangeShape(), given, undefined, format)
  if (isRefusal(read)) return read
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = read
  if (from > to) return rangeBackwards()
  return { results: Number.POSITIVE_INFINITY, backtrack: 0, range: { from, to } }
}

/** Values that a parameter accepts: those of a catalogue entry, or the only value of a TA-Lib name. */
export type AcceptedValues = Param | { readonly kind: 'constant'; readonly value: number }

/** The choice of a price column instead of an input. */
export const sourceParam: Param = { kind: 'choice', default: 'close', of: sources }

const digits = /^\d+$/

export function readParameter(
  name: string,
  value: unknown,
  param: AcceptedValues,
  format: ValueFormat,
): { readonly value: Values[string] } | Refusal {
  if (param.kind === 'integer') {
    // As most values are.
    const whole = (format === 'text' && digits.test(value as string) ? Number(value) : value) as number
    if (Number.isSafeInteger(whole) && whole >= param.min && whole <= param.max) return { value: whole }
  }
  const typed = format === 'text' ? typedText(value as string) : value
  const accepted = acceptedValue(param, typed) ?? acceptedValue(param, value)
  if (accepted !== undefined) return { value: accepted }
  return invalidValue(name, quote(format === 'text' ? String(value) : jsonText(value)), acceptedText(param))
}

/** A value as calculations need it; undefined if the parameter does not accept the value. */
function acceptedValue(param: AcceptedValues, value: unknown): Values[string] | undefined {
  switch (param.kind) {
    case 'integer':
      return isWithin(param, value) && Number.isSafeInteger(value) ? value : undefined
    case 'number':
      return isWithin(param, value) ? value : undefined
    case 'average': {
      if (typeof value === 'number') return acceptedValue({ ...param, kind: 'integer', default: 0 }, value)
      // A name with a TA-Lib number is replaced by this number.
      const number = (param.of as readonly unknown[]).indexOf(value)
      return number < 0 || number > param.max ? param.of[number] : number
    }
    case 'choice':
      return param.of.find(name => name === value)
    case 'flag':
      return typeof value === 'boolean' ? value : undefined
    case 'constant':
      return value === param.value ? param.value : undefined
  }
}

const isWithin = (
  { min, max }: { readonly min: number; readonly max: number },
  value: unknown,
): value is number => typeof value === 'number' && value >= min && value <= max

function acceptedText(param: AcceptedValues): string {
  switch (param.kind) {
    case 'integer':
    case 'number':
      return expected.range(param.kind, param.min, param.max)
    case 'average':
      return `${expected.range('integer', param.min, param.max)}, or ${expected.oneOf(param.of)}`
    case 'choice':
      return expected.oneOf(param.of)
    case 'flag':
      return expected.flag
    case 'constant':
      return String(param.value)
  }
}

const maxQuoted = 60

/** Quotes the name or the value of a parameter. */
export const quote = (text: string): string =>
  text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text

/** Parameters that select other price columns as inputs of an indicator, in the order of the inputs. */
const sourceNames = ['source', 'source2'] as const

/** Names and values with which the queries of an indicator are read. */
interface QueryFields {
  readonly indicator: Entry
  /** Accepted values by parameter, in the order of the catalogue entry. The sources come last. */
  readonly accepted: ReadonlyMap<string, AcceptedValues>
  /** Parameter of each accepted name. A name is the parameter's own name or an alias. */
  readonly parameterOf: ReadonlyMap<string, string>
  /** Default of each parameter, in the order of the catalogue entry. */
  readonly defaults: Values
  /** Parameters whose default is the value of another parameter, each with this other parameter. */
  readonly following: readonly (readonly [name: string, followed: string, receiver: string | undefined])[]
  readonly windowFields: readonly WindowField[]
  /** Fields of a query that are not parameters. */
  readonly ownFields: readonly string[]
  /** Names of TA-Lib parameters that may have only one value. */
  readonly constants: ReadonlyMap<string, AcceptedValues>
  /** The last specification. The next one is the same object if it is equal, so that questions about many markets share it. */
  last: IndicatorSpec
}

const known = new Map<string, QueryFields>()

function queryFieldsOf(indicator: Entry): QueryFields {
  const names = Object.keys(indicator.params)
  const params = Object.entries(indicator.params)
  const accepted = new Map<string, AcceptedValues>([
    ...params,
    ...sourceNames
      .slice(0, indicator.sources)
      .filter(name => !names.includes(name))
      .map((name): [string, AcceptedValues] => [name, sourceParam]),
  ])
  const parameterOf = new Map([...accepted.keys()].map(name => [name, name]))
  for (const name of names) {
    for (const alias of talibNamesOf(indicator.name, name))
      if (!parameterOf.has(alias)) parameterOf.set(alias, name)
  }
  const windowFields = windowFieldsOf(names)
  const fields: QueryFields = {
    indicator,
    accepted,
    parameterOf,
    defaults: Object.fromEntries(params.map(([name, param]) => [name, param.default])),
    following: params.flatMap(([name, { follows, passesTo }]) =>
      follows === undefined ? [] : [[name, follows, passesTo]],
    ),
    windowFields,
    ownFields: [...windowFields, settledName],
    constants: new Map(
      Object.entries(talibConstantsOf(indicator.name)).map(([name, value]) => [
        name,
        { kind: 'constant', value },
      ]),
    ),
    last: { indicator, params: {} },
  }
  known.set(indicator.name, fields)
  return fields
}

/**
 * Reads a query of `indicator` from the fields of a request. Refuses the first fault. `otherFields` are fields of the
 * request that are read elsewhere.
 */
export function readQuery(
  indicator: Entry,
  fields: Fields,
  format: ValueFormat,
  otherFields: readonly string[] = [],
): Query | Refusal {
  const own = known.get(indicator.name) ?? queryFieldsOf(indicator)
  const spec = readSpec(own, fields, format, own.ownFields, otherFields)
  if (isRefusal(spec)) return spec
  const window = readWindow(fields, format, indicator.results(spec.params), own.windowFields)
  if (isRefusal(window)) return window
  const settled = fields.has(settledName) ? readSettled(spec, fields, format) : undefined
  if (isRefusal(settled)) return settled
  if (settled && window.chart) return chartBesideSettled(window.chart.text)
  const { params, source, source2 } = spec
  const { results, backtrack, range, chart } = window
  return { indicator, params, source, source2, chart, results, backtrack, range, settled }
}

export const parametersOf = (indicator: Entry): ReadonlyMap<string, AcceptedValues> =>
  (known.get(indicator.name) ?? queryFieldsOf(indicator)).accepted

/** Reads the parameters of `indicator` for a subscription, which has no window of values. */
export const readIndicatorSpec = (
  indicator: Entry,
  fields: Fields,
  format: ValueFormat,
): IndicatorSpec | Refusal =>
  readSpec(known.get(indicator.name) ?? queryFieldsOf(indicator), fields, format, [], [])

/** Reads the parameters. `ownFields` and `otherFields` are the fields that are not parameters. */
function readSpec(
  own: QueryFields,
  fields: Fields,
  format: ValueFormat,
  ownFields: readonly string[],
  otherFields: readonly string[],
): IndicatorSpec | Refusal {
  const { indicator, accepted, parameterOf, constants, defaults, following } = own
  /** Name of each given parameter in the request. */
  const given = new Map<string, string>()
  let hasTalibs = false
  for (const name of fields.keys()) {
    const constant = constants.get(name)
    if (constant) {
      const read = readParameter(name, fields.get(name), constant, format)
      if (isRefusal(read)) return read
      hasTalibs = true
      continue
    }
    const parameter = parameterOf.get(name)
    if (parameter === undefined) {
      if (ownFields.includes(name) || otherFields.includes(name)) continue
      const names = [...accepted.keys(), ...ownFields, ...otherFields]
      return unknownParameter(quote(name), indicator.name, names)
    }
    hasTalibs ||= name !== parameter
    const other = given.get(parameter)
    if (other === undefined) given.set(parameter, name)
    else if (other === parameter || name === parameter) return repeatedParameter(parameter)
    else if (fields.get(name) !== fields.get(other)) return contradictoryParameter(name, other)
  }
  const values: Record<string, Values[string]> = hasTalibs ? { ...impliedByTalib(indicator.name) } : {}
  const chosen: Partial<Record<(typeof sourceNames)[number], SourceName>> = {}
  for (const [parameter, param] of accepted) {
    const name = given.get(parameter)
    if (name === undefined) continue
    const value = fields.get(name)
    const read = readParameter(name, value, param, format)
    if (isRefusal(read)) return read
    if (indicator.params[parameter] !== undefined) values[parameter] = read.value
    else chosen[parameter as keyof typeof chosen] = read.value as SourceName
  }
  const params = { ...defaults, ...values }
  if (following.length > 0) follow(params, values, following)
  const fault = indicator.relations.length > 0 ? refuseOrder(indicator, params, given) : undefined
  if (fault) return fault
  const { source, source2 } = chosen
  const { last } = own
  let isSame = last.source === source && last.source2 === source2
  for (const name in params) isSame &&= params[name] === last.params[name]
  if (!isSame) own.last = { indicator, params, source, source2 }
  return own.last
}

/** Sets omitted parameters whose default is the value of another parameter. */
function follow(
  params: Record<string, Values[string]>,
  given: Values,
  following: QueryFields['following'],
): void {
  for (const [name, followed] of following)
    if (!(name in given)) params[name] = params[followed] as Values[string]
  for (const [name, followed, receiver] of following)
    if (receiver && name in given && !(receiver in given) && params[name] === params[followed])
      params[receiver] = params[name] as Values[string]
}

/** Refuses a lower parameter that exceeds its upper parameter. The refusal names a parameter that the request has. */
function refuseOrder(
  { relations }: Entry,
  values: Values,
  given: ReadonlyMap<string, string>,
): Refusal | undefined {
  for (const { lower, upper } of relations) {
    const [low, high] = [values[lower] as number, values[upper] as number]
    if (low <= high) continue
    const name = given.get(lower)
    return name === undefined
      ? outOfOrder(given.get(upper) ?? upper, high, 'at least', lower, low)
      : outOfOrder(name, low, 'at most', upper, high)
  }
  return undefined
}

const kinds = ['candles', 'heikinashi', 'renko', 'range', 'linebreak'] as const

/** Charts that an invalid chart may mean: charts of a similar kind with the same arguments. */
function nearCharts(value: unknown): readonly string[] {
  const [kind = '', ...given] = typeof value === 'string' ? value.split(':') : []
  return nearNames(kind, kinds)
    .map(near => [near, ...given].join(':'))
    .filter(near => readChart(near) !== undefined)
}

/**
 * Field that selects the chart built from the candles before the computation. Its value is undefined for the candles
 * themselves.
 */
export const chartShape = once(() => ({
  chart: refusedBy(
    optional(
      z.string().transform((name, context): Chart | undefined => {
        const chart = readChart(name)
        if (chart === undefined) context.addIssue('no chart')
        return chart === 'candles' ? undefined : chart
      }),
    ).meta({
      description:
        'Chart type to build from the candles first: `heikinashi`, `renko:<size>`, `renko:atr<n>`, `range:<size>` or `linebreak:<n>`. Default: `candles`. `results` and `backtrack` count bars.',
      examples: ['heikinashi', 'renko:atr14'],
    }),
    value => invalidChart(value, chartForms, nearCharts(value)),
  ),
}))
