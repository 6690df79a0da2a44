import { z } from 'zod'
import { aliases, type Entry, type Param, type SourceName, sources, type Values } from '../catalogue/index.js'
import { jsonText } from './json-value.js'
import {
  contradictoryParameter,
  expected,
  invalidValue,
  isRefusal,
  outOfOrder,
  type Refusal,
  repeatedParameter,
  unknownParameter,
} from './refusals.js'

/** An indicator with its parameters, checked and complete. */
export interface IndicatorSpec {
  readonly indicator: Entry
  readonly params: Values
  /** The price column in the place of the indicator's first input, where the caller chose one. */
  readonly source?: SourceName | undefined
  /** The price column in the place of its second input. */
  readonly source2?: SourceName | undefined
}

/** An indicator and the window of its values that a caller requests. */
export interface Query extends IndicatorSpec {
  /** How many values to return, the newest ones; Infinity for all. */
  readonly results: number
  /** How many of the newest candles to skip. */
  readonly backtrack: number
}

/** Where the key of a specification is kept. A WeakMap takes three times as long to look it up. */
const keptKey = Symbol('key')

/** Equal for two specifications of the same calculation, however the client spelled them. */
export function specKey(spec: IndicatorSpec & { readonly [keptKey]?: string }): string {
  const kept = spec[keptKey]
  if (kept !== undefined) return kept
  const value = toKey(spec)
  // Not enumerable: a copy with other parameters must not have it.
  Object.defineProperty(spec, keptKey, { value })
  return value
}

function toKey({ indicator, params, source, source2 }: IndicatorSpec): string {
  // The parameters of an indicator have an order, and no text among their values has a comma.
  let key = indicator.name
  for (const name in params) key += `,${params[name]}`
  if (source !== undefined || source2 !== undefined) key += `;${source};${source2}`
  return key
}

/** How values arrive: as text in a query string, or typed in a JSON body. */
export type ValueFormat = 'text' | 'json'

/** The unchecked fields of a request, by name. */
export type Fields = Pick<ReadonlyMap<string, unknown>, 'get' | 'has' | 'keys'>

const decimal = /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/

/** A schema, and the text that says what it accepts. */
interface Check {
  readonly schema: z.ZodType
  readonly expected: string
}

/** A value that passed its check. */
interface Valid {
  readonly value: unknown
}

function checkOf(param: Param): Check {
  switch (param.kind) {
    case 'integer':
      return {
        schema: z.int().min(param.min).max(param.max),
        expected: expected.range('integer', param.min, param.max),
      }
    case 'number':
      return {
        schema: z.number().min(param.min).max(param.max),
        expected: expected.range('number', param.min, param.max),
      }
    case 'average':
      return {
        // A name that TA-Lib has a number for means that number.
        schema: z.union([
          z.int().min(param.min).max(param.max),
          z.enum(param.of).transform(name => {
            const number = param.of.indexOf(name)
            return number <= param.max ? number : name
          }),
        ]),
        expected: `${expected.range('integer', param.min, param.max)}, or ${expected.oneOf(param.of)}`,
      }
    case 'choice':
      return { schema: z.enum(param.of), expected: expected.oneOf(param.of) }
    case 'flag':
      return { schema: z.boolean(), expected: expected.flag }
  }
}

const resultsCheck: Check = {
  schema: z.union([z.literal('max').transform(() => Number.POSITIVE_INFINITY), z.int().min(1)]),
  expected: expected.results,
}
const backtrackCheck: Check = { schema: z.int().min(0), expected: expected.backtrack }
const sourceCheck: Check = { schema: z.enum(sources), expected: expected.oneOf(sources) }

/** The value of a text in a query string: a number or a boolean where it is written as one. */
function parseText(text: string): unknown {
  if (decimal.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}

/** A value as an error quotes it. */
function quote(value: unknown, format: ValueFormat): string {
  const text = format === 'text' ? String(value) : jsonText(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function check(
  name: string,
  value: unknown,
  { schema, expected: range }: Check,
  format: ValueFormat,
): Valid | Refusal {
  const parsed = schema.safeParse(format === 'text' ? parseText(value as string) : value)
  return parsed.success ? { value: parsed.data } : invalidValue(name, quote(value, format), range)
}

/** The fields that choose the window of values. */
export const windowFields = ['results', 'backtrack'] as const

/** Reads `results` (by default `defaultResults`) and `backtrack`, which indicators and raw candles share. */
export function readWindow(
  fields: Fields,
  format: ValueFormat,
  defaultResults = 1,
): Pick<Query, 'results' | 'backtrack'> | Refusal {
  let results = defaultResults
  if (fields.has('results')) {
    const read = check('results', fields.get('results'), resultsCheck, format)
    if (isRefusal(read)) return read
    results = read.value as number
  }
  let backtrack = 0
  if (fields.has('backtrack')) {
    const read = check('backtrack', fields.get('backtrack'), backtrackCheck, format)
    if (isRefusal(read)) return read
    backtrack = read.value as number
  }
  return { results, backtrack }
}

/** The parameters that replace an indicator's inputs by other price columns, in the order of the inputs. */
const sourceNames = ['source', 'source2'] as const

/** Reads the queries of one indicator. */
class QueryReader {
  /** By parameter, in the order of the catalogue entry; the sources come last. */
  readonly #checks: ReadonlyMap<string, Check>
  /** The parameter that each accepted name stands for: its own, or that of an alias. */
  readonly #parameterOf: ReadonlyMap<string, string>
  /** The default of each parameter, in the order of the catalogue entry. */
  readonly #defaults: Values
  /** Each parameter whose default is the value of another one, with that other one. */
  readonly #following: readonly (readonly [name: string, followed: string])[]

  constructor(readonly indicator: Entry) {
    const names = Object.keys(indicator.params)
    this.#checks = new Map([
      ...names.map((name): [string, Check] => [name, checkOf(indicator.params[name] as Param)]),
      ...sourceNames
        .slice(0, indicator.sources)
        .filter(name => !names.includes(name))
        .map((name): [string, Check] => [name, sourceCheck]),
    ])
    const parameterOf = new Map([...this.#checks.keys()].map(name => [name, name]))
    for (const name of names) {
      for (const alias of aliases[name] ?? []) if (!parameterOf.has(alias)) parameterOf.set(alias, name)
    }
    this.#parameterOf = parameterOf
    const params = Object.entries(indicator.params)
    this.#defaults = Object.fromEntries(params.map(([name, param]) => [name, param.default]))
    this.#following = params.flatMap(([name, { follows }]) =>
      follows === undefined ? [] : [[name, follows]],
    )
  }

  /** Reads a query; `otherFields` are fields of the request that are read elsewhere. */
  read(fields: Fields, format: ValueFormat, otherFields: readonly string[]): Query | Refusal {
    const spec = this.readSpec(fields, format, [...windowFields, ...otherFields])
    if (isRefusal(spec)) return spec
    const window = readWindow(fields, format, this.indicator.results(spec.params))
    if (isRefusal(window)) return window
    const { indicator, params, source, source2 } = spec
    return { indicator, params, source, source2, results: window.results, backtrack: window.backtrack }
  }

  /** Reads the parameters; `otherFields` are the fields that are not parameters. */
  readSpec(fields: Fields, format: ValueFormat, otherFields: readonly string[]): IndicatorSpec | Refusal {
    /** The name by which the request gives each parameter. */
    const given = new Map<string, string>()
    for (const name of fields.keys()) {
      const parameter = this.#parameterOf.get(name)
      if (parameter === undefined) {
        if (otherFields.includes(name)) continue
        const accepted = [...this.#checks.keys(), ...otherFields]
        return unknownParameter(quote(name, 'text'), this.indicator.name, accepted)
      }
      const other = given.get(parameter)
      if (other === undefined) given.set(parameter, name)
      else if (other === parameter || name === parameter) return repeatedParameter(parameter)
      else if (fields.get(name) !== fields.get(other)) return contradictoryParameter(name, other)
    }
    const values: Record<string, number | string | boolean> = {}
    const chosen: Partial<Record<(typeof sourceNames)[number], SourceName>> = {}
    for (const [parameter, rule] of this.#checks) {
      const name = given.get(parameter)
      if (name === undefined) continue
      const read = check(name, fields.get(name), rule, format)
      if (isRefusal(read)) return read
      if (parameter in this.indicator.params) values[parameter] = read.value as number
      else chosen[parameter as keyof typeof chosen] = read.value as SourceName
    }
    const params = this.#complete(values)
    return this.#refuseOrder(params, given) ?? { indicator: this.indicator, params, ...chosen }
  }

  /** The values of all parameters in the order of the catalogue entry, with defaults for those that are not given. */
  #complete(given: Values): Values {
    const values: Record<string, Values[string]> = { ...this.#defaults }
    for (const name in given) values[name] = given[name] as Values[string]
    for (const [name, followed] of this.#following)
      if (!(name in given)) values[name] = values[followed] as Values[string]
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
): Query | Refusal => readerOf(indicator).read(fields, format, otherFields)

/** Reads the parameters of `indicator` for a subscription, which has no window of values. */
export const readIndicatorSpec = (
  indicator: Entry,
  fields: Fields,
  format: ValueFormat,
): IndicatorSpec | Refusal => readerOf(indicator).readSpec(fields, format, [])
