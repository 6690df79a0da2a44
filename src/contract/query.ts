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
import { isAbsent } from './json-value.js'
import {
  contradictoryParameter,
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
import { rangeShape, type TimeRange } from './time-range.js'

/** An indicator with its parameters, checked and complete. */
export interface IndicatorSpec {
  readonly indicator: Entry
  readonly params: Values
  /** The price column in the place of the indicator's first input, where the caller chose one. */
  readonly source?: SourceName | undefined
  /** The price column in the place of its second input. */
  readonly source2?: SourceName | undefined
  /** What is made of the candles first; undefined for the candles themselves. */
  readonly chart?: Chart | undefined
}

/** An indicator whose values are followed as candles come, where so many of their digits have settled. */
export interface LiveSpec extends IndicatorSpec {
  readonly settled?: Settled | undefined
}

/** An indicator and the window of its values that a caller requests. */
export interface Query extends IndicatorSpec {
  /** How many values to return, the newest ones; Infinity for all. */
  readonly results: number
  /** How many of the newest candles to skip. */
  readonly backtrack: number
  /** The time of the values, in the place of the other two, which `withinRange` sets for a series of candles. */
  readonly range?: TimeRange | undefined
  /** Which values are masked, because they may depend on where the history begins. */
  readonly settled?: Settled | undefined
}

/** How many digits of a value must not depend on where the history begins. */
export interface Settled {
  readonly digits: number
  /** The first candle whose value has so many settled digits, counted from the start of the history. */
  readonly first: number
}

/** The window of values that a caller requests. */
export type QueryWindow = Pick<Query, 'results' | 'backtrack' | 'range' | 'chart'>

/** What is remembered of a specification. */
export interface SpecMemo {
  /** A copy of this one with other parameters gets a memo of its own. */
  readonly spec: IndicatorSpec
  readonly key: string
  /** Where a cache of calculations has found this one. */
  handle?: unknown
}

/** Where it is. A WeakMap takes three times as long to look it up. */
const memo = Symbol('memo')

export function memoOf(spec: IndicatorSpec & { [memo]?: SpecMemo }): SpecMemo {
  const known = spec[memo]
  if (known?.spec === spec) return known
  const made: SpecMemo = { spec, key: toKey(spec), handle: undefined }
  spec[memo] = made
  return made
}

/** Equal for two specifications of the same calculation, however the client spelled them. */
export const specKey = (spec: IndicatorSpec): string => memoOf(spec).key

/** Equal for two specifications that are followed alike. */
export const liveKey = (spec: LiveSpec): string =>
  spec.settled ? `${specKey(spec)};${spec.settled.digits} digits` : specKey(spec)

function toKey({ indicator, params, source, source2, chart }: IndicatorSpec): string {
  // The parameters of an indicator have an order, and no text among their values has a comma.
  let key = indicator.name
  for (const name in params) key += `,${params[name]}`
  if (source !== undefined || source2 !== undefined) key += `;${source};${source2}`
  if (chart !== undefined) key += `;${chart.text}`
  return key
}

/** The schema of a parameter's values. */
function schemaOf(param: Param): z.ZodType {
  switch (param.kind) {
    case 'integer':
      return takingIntegers(z.int().min(param.min).max(param.max), param.min, param.max)
    case 'number':
      return z.number().min(param.min).max(param.max)
    case 'average':
      // A name that TA-Lib has a number for means that number.
      return z.xor([
        z.int().min(param.min).max(param.max),
        z.enum(param.of).transform(name => {
          const number = param.of.indexOf(name)
          return number <= param.max ? number : name
        }),
      ])
    case 'choice':
      return z.enum(param.of)
    case 'flag':
      return z.boolean()
  }
}

/** A value of a parameter is quoted up to so many characters. */
const maxQuoted = 60

const quote = (text: string): string => (text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text)

/** The field that says how many digits of a value must have settled. */
export const settledShape = once(() => ({
  settled: optional(z.int().min(1).max(mostDigits)).describe(
    'Values are null whose first so many digits may depend on where the history begins: 1 to 8. Refused for what never settles.',
  ),
}))
export const settledName = 'settled'

/** When the values of an indicator have so many settled digits; refused where they never have. */
export function settledAt({ indicator, params }: IndicatorSpec, digits: number): Settled | Refusal {
  const first = firstSettled(indicator, params)[digits - 1]
  return first === undefined ? neverSettles(...whyNever({ indicator, params })) : { digits, first }
}

/** Reads how many digits must have settled; undefined where the request does not say. */
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

/** The fields that choose the window of values. */
export const windowShape = once(() => ({
  results: takingIntegers(
    z
      .xor([z.int().min(1), z.literal('max').transform(() => Number.POSITIVE_INFINITY)])
      .prefault(1)
      .describe(
        'How many values, the newest ones; max for all in memory (HISTORY_DEPTH candles), before which `from` reads.',
      ),
    1,
  ),
  backtrack: takingIntegers(
    z.int().min(0).prefault(0).describe('Candles to skip from the newest, which is the forming one.'),
    0,
  ),
  ...rangeShape(),
  ...chartShape(),
}))

const countFields = ['results', 'backtrack'] as const
const rangeFields = ['from', 'to'] as const
type WindowField = (typeof countFields)[number] | (typeof rangeFields)[number] | 'chart'
/** The names of the fields that choose the window of values. */
export const windowFields: readonly WindowField[] = [...countFields, ...rangeFields, 'chart']
const withoutRanges: readonly WindowField[] = [...countFields, 'chart']

/** Those of an indicator: one with parameters that are called `from` or `to` has no ranges of time. */
export const windowFieldsOf = (params: readonly string[]): readonly WindowField[] =>
  rangeFields.some(name => params.includes(name)) ? withoutRanges : windowFields

/**
 * Reads the window of values, which indicators and raw candles share, from those of its fields that are named: by default
 * the newest `defaultResults`.
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
  if (count !== undefined)
    for (const name of countFields) {
      if (!fields.has(name)) continue
      const read = readValue(name, fields.get(name), windowShape()[name], format, quote)
      if (isRefusal(read)) return read
      window = { ...window, [name]: read.value }
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

/** The parameters that replace an indicator's inputs by other price columns, in the order of the inputs. */
const sourceNames = ['source', 'source2'] as const
const sourceSchema = z.enum(sources)

/** Reads the queries of one indicator. */
class QueryReader {
  /** By parameter, in the order of the catalogue entry; the sources come last. */
  readonly schemas: ReadonlyMap<string, z.ZodType>
  /** The parameter that each accepted name stands for: its own, or that of an alias. */
  readonly #parameterOf: ReadonlyMap<string, string>
  /** The default of each parameter, in the order of the catalogue entry. */
  readonly #defaults: Values
  /** Each parameter whose default is the value of another one, with that other one. */
  readonly #following: readonly (readonly [name: string, followed: string, receiver: string | undefined])[]
  readonly #windowFields: readonly WindowField[]
  /** The fields of a query that are not parameters. */
  readonly #ownFields: readonly string[]
  /** Names of TA-Lib that may have one value only. */
  readonly #constants: ReadonlyMap<string, z.ZodType>

  constructor(readonly indicator: Entry) {
    const names = Object.keys(indicator.params)
    this.#windowFields = windowFieldsOf(names)
    this.#ownFields = [...this.#windowFields, settledName]
    this.schemas = new Map([
      ...names.map((name): [string, z.ZodType] => [name, schemaOf(indicator.params[name] as Param)]),
      ...sourceNames
        .slice(0, indicator.sources)
        .filter(name => !names.includes(name))
        .map((name): [string, z.ZodType] => [name, sourceSchema]),
    ])
    const parameterOf = new Map([...this.schemas.keys()].map(name => [name, name]))
    for (const name of names) {
      for (const alias of talibNamesOf(indicator.name, name))
        if (!parameterOf.has(alias)) parameterOf.set(alias, name)
    }
    this.#parameterOf = parameterOf
    const params = Object.entries(indicator.params)
    this.#defaults = Object.fromEntries(params.map(([name, param]) => [name, param.default]))
    this.#following = params.flatMap(([name, { follows, passesTo }]) =>
      follows === undefined ? [] : [[name, follows, passesTo]],
    )
    this.#constants = new Map(
      Object.entries(talibConstantsOf(indicator.name)).map(([name, value]) => [name, z.literal(value)]),
    )
  }

  /** Reads a query; `otherFields` are fields of the request that are read elsewhere. */
  read(fields: Fields, format: ValueFormat, otherFields: readonly string[]): Query | Refusal {
    const spec = this.readSpec(fields, format, this.#ownFields, otherFields)
    if (isRefusal(spec)) return spec
    const window = readWindow(fields, format, this.indicator.results(spec.params), this.#windowFields)
    if (isRefusal(window)) return window
    const settled = fields.has(settledName) ? readSettled(spec, fields, format) : undefined
    if (isRefusal(settled)) return settled
    if (settled && window.chart) return chartBesideSettled(window.chart.text)
    const { indicator, params, source, source2 } = spec
    return { indicator, params, source, source2, ...window, settled }
  }

  /** Reads the parameters; `ownFields` and `otherFields` are the fields that are not parameters. */
  readSpec(
    fields: Fields,
    format: ValueFormat,
    ownFields: readonly string[],
    otherFields: readonly string[],
  ): IndicatorSpec | Refusal {
    /** The name by which the request gives each parameter. */
    const given = new Map<string, string>()
    let hasTalibs = false
    for (const name of fields.keys()) {
      const constant = this.#constants.get(name)
      if (constant) {
        const read = readValue(name, fields.get(name), constant, format, quote)
        if (isRefusal(read)) return read
        hasTalibs = true
        continue
      }
      const parameter = this.#parameterOf.get(name)
      if (parameter === undefined) {
        if (ownFields.includes(name) || otherFields.includes(name)) continue
        const accepted = [...this.schemas.keys(), ...ownFields, ...otherFields]
        return unknownParameter(quote(name), this.indicator.name, accepted)
      }
      hasTalibs ||= name !== parameter
      const other = given.get(parameter)
      if (other === undefined) given.set(parameter, name)
      else if (other === parameter || name === parameter) return repeatedParameter(parameter)
      else if (fields.get(name) !== fields.get(other)) return contradictoryParameter(name, other)
    }
    const values: Record<string, number | string | boolean> = {}
    const chosen: Partial<Record<(typeof sourceNames)[number], SourceName>> = {}
    for (const [parameter, schema] of this.schemas) {
      const name = given.get(parameter)
      if (name === undefined) continue
      const read = readValue(name, fields.get(name), schema, format, quote)
      if (isRefusal(read)) return read
      if (parameter in this.indicator.params) values[parameter] = read.value as number
      else chosen[parameter as keyof typeof chosen] = read.value as SourceName
    }
    const params = this.#complete(hasTalibs ? { ...impliedByTalib(this.indicator.name), ...values } : values)
    const fault = this.indicator.relations.length > 0 ? this.#refuseOrder(params, given) : undefined
    return fault ?? { indicator: this.indicator, params, ...chosen }
  }

  /** The values of all parameters in the order of the catalogue entry, with defaults for those that are not given. */
  #complete(given: Values): Values {
    const values: Record<string, Values[string]> = { ...this.#defaults }
    for (const name in given) values[name] = given[name] as Values[string]
    for (const [name, followed] of this.#following)
      if (!(name in given)) values[name] = values[followed] as Values[string]
    for (const [name, followed, receiver] of this.#following)
      if (receiver && name in given && !(receiver in given) && values[name] === values[followed])
        values[receiver] = values[name] as Values[string]
    return values
  }

  /** Refuses a parameter that exceeds the one that bounds it. The refusal names the one that the request gives. */
  #refuseOrder(values: Values, given: ReadonlyMap<string, string>): Refusal | undefined {
    for (const { lower, upper } of this.indicator.relations) {
      const [low, high] = [values[lower] as number, values[upper] as number]
      if (low <= high) continue
      const name = given.get(lower)
      return name === undefined
        ? outOfOrder(given.get(upper) ?? upper, high, 'at least', lower, low)
        : outOfOrder(name, low, 'at most', upper, high)
    }
    return undefined
  }
}

const readers = new Map<string, QueryReader>()

function readerOf(indicator: Entry): QueryReader {
  let reader = readers.get(indicator.name)
  if (!reader) {
    reader = new QueryReader(indicator)
    readers.set(indicator.name, reader)
  }
  return reader
}

/**
 * Reads a query about `indicator` from the fields of a request; the first fault is the refusal. `otherFields` are
 * fields of the request that are read elsewhere.
 */
export const readQuery = (
  indicator: Entry,
  fields: Fields,
  format: ValueFormat,
  otherFields: readonly string[] = [],
): Query | Refusal => (readers.get(indicator.name) ?? readerOf(indicator)).read(fields, format, otherFields)

/** The schemas of the parameters of `indicator`, by their names. */
export const parametersOf = (indicator: Entry): ReadonlyMap<string, z.ZodType> => readerOf(indicator).schemas

/** Reads the parameters of `indicator` for a subscription, which has no window of values. */
export const readIndicatorSpec = (
  indicator: Entry,
  fields: Fields,
  format: ValueFormat,
): IndicatorSpec | Refusal => readerOf(indicator).readSpec(fields, format, [], [])

const kinds = ['candles', 'heikinashi', 'renko', 'range', 'linebreak'] as const

/** The charts that a wrong one may stand for: one of another kind with what it is given. */
function nearCharts(value: unknown): readonly string[] {
  const [kind = '', ...given] = typeof value === 'string' ? value.split(':') : []
  return nearNames(kind, kinds)
    .map(near => [near, ...given].join(':'))
    .filter(near => readChart(near) !== undefined)
}

/** The field that chooses what is made of candles before anything is computed; undefined for the candles themselves. */
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
        'What is made of the candles first: `heikinashi`, `renko:<size>`, `renko:atr<n>`, `range:<size>` or `linebreak:<n>`. Default: `candles`. Results and steps back count bars.',
      examples: ['heikinashi', 'renko:atr14'],
    }),
    value => invalidChart(value, chartForms, nearCharts(value)),
  ),
}))
