import { type TextFields, toTextFields } from '../../contract/fields.js'
import { isObject, type JsonObject } from '../../contract/json-value.js'
import { maxConstructs, maxIndicators } from '../../contract/limits.js'
import { expected, invalidValue, isRefusal, missingRequired, type Refusal } from '../../contract/refusals.js'
import { type Calculation, readCalculation } from './calculation.js'
import { readSeries, type Series } from './series.js'

/** One indicator of a construct. */
interface BulkItem {
  readonly id: string
  readonly indicator: string
  readonly calculation: Calculation | Refusal
}

/** One construct. A refusal applies to the whole construct. */
export interface BulkConstruct {
  /** Id of the construct in error texts. */
  readonly id: string
  readonly series: Series | Refusal
  readonly items: readonly BulkItem[]
}

export interface BulkRequest {
  readonly constructs: readonly BulkConstruct[]
  readonly format: 'default' | 'objects'
}

/** Result of one entry, or a refusal instead. Without an indicator, the entry stands for a whole construct. */
export interface BulkEntry {
  readonly id: string
  readonly indicator?: string
  /** The JSON text of the result. */
  readonly result: string | Refusal
}

const formats = ['default', 'objects'] as const

/** Reads the body of a bulk request: one construct, or a list of them. */
export function readBulk(fields: JsonObject): BulkRequest | Refusal {
  const { construct, outputFormat = 'default' } = fields
  const list = Array.isArray(construct) ? construct : [construct]
  if (list.length === 0 || !list.every(isObject)) return missingRequired(['construct'])
  if (list.length > maxConstructs) return tooMany('constructs')
  if (outputFormat !== 'default' && outputFormat !== 'objects' && outputFormat !== null)
    return invalidValue('outputFormat', outputFormat, expected.oneOf(formats))
  const constructs: BulkConstruct[] = []
  for (const each of list as JsonObject[]) {
    const items = readItems(each)
    if (isRefusal(items)) return items
    constructs.push(items)
  }
  return { constructs, format: outputFormat ?? 'default' }
}

/** Refusal of more constructs or calculations than a request or the plan of the caller allows. */
export const tooMany = (noun: 'constructs' | 'calculations'): Refusal => ({
  status: 400,
  error: `You are querying more ${noun} than your plan allows!`,
})

function readItems(construct: JsonObject): BulkConstruct | Refusal {
  const fields = toTextFields(Object.entries(construct))
  const owner = fields.get('type') === 'stocks' ? 'stocks' : (fields.get('exchange') ?? 'binance')
  const prefix = `${owner}_${fields.get('symbol') ?? ''}_${fields.get('interval') ?? ''}`
  const id = fields.get('id') ?? prefix
  const { indicators } = construct
  if (!Array.isArray(indicators) || indicators.length === 0 || !indicators.every(isObject))
    return missingRequired(['indicators'])
  if (indicators.length > maxIndicators) return tooMany('calculations')
  const shared = ['chart', 'gaps'].flatMap(name => (fields.has(name) ? [name] : []))
  return {
    id,
    series: readSeries(fields),
    items: (indicators as JsonObject[]).map(each => readItem(prefix, each, fields, shared)),
  }
}

function readItem(
  prefix: string,
  indicator: JsonObject,
  construct: TextFields,
  shared: readonly string[],
): BulkItem {
  const fields = toTextFields(Object.entries(indicator))
  const name = fields.get('indicator')
  const id = fields.get('id') ?? automaticId(prefix, fields)
  if (name === undefined) return { id, indicator: '', calculation: missingRequired(['indicator']) }
  const given = new Map([
    ...shared.map((field): [string, string] => [field, construct.get(field) as string]),
    ...fields,
  ])
  return { id, indicator: name, calculation: readCalculation(name, given) }
}

/**
 * Id of an indicator without one: its construct, its name and the values of its other fields in the order of the
 * request. A `backtrack` of 0 is appended if none was sent. Bots split this text at the underscores.
 */
function automaticId(construct: string, fields: TextFields): string {
  const values = [...fields].filter(([name]) => name !== 'indicator').map(([, value]) => value)
  if (!fields.has('backtrack')) values.push('0')
  return [construct, fields.get('indicator') ?? '', ...values].join('_')
}

/** JSON text of the entries in the form `default`, in the order of the request. */
export const writeEntries = (entries: readonly BulkEntry[]): string =>
  `{"data":[${entries.map(toItem).join()}]}`

function toItem({ id, indicator, result }: BulkEntry): string {
  const named = indicator === undefined ? { id } : { id, indicator }
  if (isRefusal(result)) return JSON.stringify({ ...named, errors: [result.error] })
  return `${JSON.stringify(named).slice(0, -1)},"result":${result},"errors":[]}`
}

/** JSON text of the entries in the form `objects`: results by id. A repeated id has a list of results. */
export function writeObjects(entries: readonly BulkEntry[]): string {
  const results = new Map<string, string[]>()
  for (const { id, result } of entries) {
    const written = isRefusal(result) ? JSON.stringify({ errors: [result.error] }) : result
    const known = results.get(id)
    if (known) known.push(written)
    else results.set(id, [written])
  }
  // The ids have the order of object keys: whole numbers come first.
  const fields = Object.entries(Object.fromEntries(results)).map(
    ([id, list]) => `${JSON.stringify(id)}:${list.length === 1 ? list[0] : `[${list.join()}]`}`,
  )
  return `{${fields.join()}}`
}
