import { z } from 'zod'
import { aliases, type Entry, type Param, type SourceName, sources, type Values } from '../catalogue/index.js'
import {
  invalidValue,
  jsonText,
  outOfOrder,
  type Refusal,
  repeatedParameter,
  unknownParameter,
} from './refusals.js'

/** What a caller wants calculated: parameters checked and complete. */
export interface IndicatorSpec {
  readonly indicator: Entry
  readonly params: Values
  /** The price column in the place of the indicator's first input, where the caller chose one. */
  readonly source?: SourceName | undefined
  /** The one in the place of its second input. */
  readonly source2?: SourceName | undefined
}

/** What a caller asks of one indicator, and which values are wanted. */
export interface Query extends IndicatorSpec {
  /** The most values to return; Infinity for all there are. */
  readonly results: number
  /** Candles to skip from the newest. */
  readonly backtrack: number
}

/** How values arrive: as text in a query string, or typed in a JSON body. */
export type ValueFormat = 'text' | 'json'

/** Fields as they arrived, by name. */
export type Fields = ReadonlyMap<string, unknown>

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** A schema with the words that say what it accepts. */
interface Check {
  readonly schema: z.ZodType
  readonly expected: string
}

function checkOf(param: Param): Check {
  switch (param.kind) {
    case 'integer':
      return {
        schema: z.int().min(param.min).max(param.max),
        expected: `integer, ${param.min} to ${param.max}`,
      }
    case 'number':
      return {
        schema: z.number().min(param.min).max(param.max),
        expected: `number, ${param.min} to ${param.max}`,
      }
    case 'choice':
      return { schema: z.enum(param.of), expected: `one of ${param.of.join(', ')}` }
    case 'flag':
      return { schema: z.boolean(), expected: 'true or false' }
  }
}

const resultsCheck: Check = {
  schema: z.union([z.literal('max').transform(() => Number.POSITIVE_INFINITY), z.int().min(1)]),
  expected: 'integer, 1 or more, or max',
}
const backtrackCheck: Check = { schema: z.int().min(0), expected: 'integer, 0 or more' }
const sourceCheck: Check = { schema: z.enum(sources), expected: `one of ${sources.join(', ')}` }

/** A query string has only texts: those that read as a number or a truth value are taken as such. */
function typed(text: string): unknown {
  if (decimal.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}

/** A value as an error text shows it. */
function shown(value: unknown, spelling: ValueFormat): string {
  const text = spelling === 'text' ? String(value) : jsonText(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function check(
  name: string,
  value: unknown,
  { schema, expected }: Check,
  spelling: ValueFormat,
): { readonly value: unknown } | Refusal {
  const parsed = schema.safeParse(spelling === 'text' ? typed(value as string) : value)
  return parsed.success ? { value: parsed.data } : invalidValue(name, shown(value, spelling), expected)
}

/** The fields that say which values are wanted. */
const windowFields = ['results', 'backtrack'] as const

/** `results`, else as many as are `usual`, and `backtrack`: indicators and raw candles share them. */
export function readWindow(
  fields: Fields,
  spelling: ValueFormat,
  usual = 1,
): Pick<Query, 'results' | 'backtrack'> | Refusal {
  let results = usual
  if (fields.has('results')) {
    const read = check('results', fields.get('results'), resultsCheck, spelling)
    if (!('value' in read)) return read
    results = read.value as number
  }
  let backtrack = 0
  if (fields.has('backtrack')) {
    const read = check('backtrack', fields.get('backtrack'), backtrackCheck, spelling)
    if (!('value' in read)) return read
    backtrack = read.value as number
  }
  return { results, backtrack }
}

/** What an entry calls the columns that the caller may choose, in the order of its inputs. */
const sourceNames = ['source', 'source2'] as const

/** The reader of one entry's queries, made once per entry. */
class QueryReader {
  /** By parameter, in the order of the entry; the sources come last. */
  readonly #checks: ReadonlyMap<string, Check>
  /** The parameter that each accepted name means. */
  readonly #meanings: ReadonlyMap<string, string>
  /** Parameters in an order in which none follows a later one. */
  readonly #order: readonly string[]

  constructor(readonly indicator: Entry) {
    const names = Object.keys(indicator.params)
    this.#checks = new Map([
      ...names.map((name): [string, Check] => [name, checkOf(indicator.params[name] as Param)]),
      ...sourceNames
        .slice(0, indicator.sources)
        .filter(name => !names.includes(name))
        .map((name): [string, Check] => [name, sourceCheck]),
    ])
    const meanings = new Map([...this.#checks.keys()].map(name => [name, name]))
    for (const name of names) {
      for (const alias of aliases[name] ?? []) if (!meanings.has(alias)) meanings.set(alias, name)
    }
    this.#meanings = meanings
    const leads = (name: string) => indicator.params[name]?.follows === undefined
    this.#order = [...names.filter(leads), ...names.filter(name => !leads(name))]
  }

  /** Reads a query; `beside` are fields of the request that are read elsewhere. */
  read(fields: Fields, spelling: ValueFormat, beside: readonly string[]): Query | Refusal {
    const asked = this.readSpec(fields, spelling, [...windowFields, ...beside])
    if ('error' in asked) return asked
    const window = readWindow(fields, spelling, this.indicator.results(asked.params))
    return 'error' in window ? window : { ...asked, ...window }
  }

  /** Reads what is calculated; `others` are the fields that are no parameters. */
  readSpec(fields: Fields, spelling: ValueFormat, others: readonly string[]): IndicatorSpec | Refusal {
    /** The caller's spelling of each parameter that was given. */
    const given = new Map<string, string>()
    for (const name of fields.keys()) {
      const meaning = this.#meanings.get(name)
      if (meaning === undefined) {
        if (others.includes(name)) continue
        const accepted = [...this.#checks.keys(), ...others]
        return unknownParameter(shown(name, 'text'), this.indicator.name, accepted)
      }
      if (given.has(meaning)) return repeatedParameter(meaning)
      given.set(meaning, name)
    }
    const values: Record<string, number | string | boolean> = {}
    const chosen: Partial<Record<(typeof sourceNames)[number], SourceName>> = {}
    for (const [meaning, rule] of this.#checks) {
      const name = given.get(meaning)
      if (name === undefined) continue
      const read = check(name, fields.get(name), rule, spelling)
      if (!('value' in read)) return read
      if (meaning in this.indicator.params) values[meaning] = read.value as number
      else chosen[meaning as keyof typeof chosen] = read.value as SourceName
    }
    for (const name of this.#order) {
      const param = this.indicator.params[name] as Param
      if (!(name in values))
        values[name] = (param.follows === undefined ? undefined : values[param.follows]) ?? param.default
    }
    // What the caller wrote is what the refusal names, be it the one that is too large or the one that is too small.
    for (const { lower, upper } of this.indicator.relations) {
      const [low, high] = [values[lower] as number, values[upper] as number]
      if (low <= high) continue
      const name = given.get(lower)
      return name === undefined
        ? outOfOrder(given.get(upper) ?? upper, high, 'at least', lower, low)
        : outOfOrder(name, low, 'at most', upper, high)
    }
    const params = Object.fromEntries(
      Object.keys(this.indicator.params).map(name => [name, values[name]]),
    ) as Values
    return { indicator: this.indicator, params, ...chosen }
  }
}

const readers = new Map<string, QueryReader>()

function readerOf(indicator: Entry): QueryReader {
  let form = readers.get(indicator.name)
  if (!form) {
    form = new QueryReader(indicator)
    readers.set(indicator.name, form)
  }
  return form
}

/** Reads a query about `indicator` from the fields of a request; the first fault found is the refusal. */
export const readQuery = (
  indicator: Entry,
  fields: Fields,
  spelling: ValueFormat,
  beside: readonly string[] = [],
): Query | Refusal => readerOf(indicator).read(fields, spelling, beside)

/** Reads the parameters of `indicator` where there is no window of values to choose: live, there is only now. */
export const readIndicatorSpec = (
  indicator: Entry,
  fields: Fields,
  spelling: ValueFormat,
): IndicatorSpec | Refusal => readerOf(indicator).readSpec(fields, spelling, [])
