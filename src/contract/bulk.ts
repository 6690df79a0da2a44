import type { Snapshot } from '../candles/columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import { catalogue } from '../catalogue/index.js'
import type { TextCache } from '../runtime/caches.js'
import { type Fields, fieldsOf, refuseUnknown } from './fields.js'
import { isAbsent, isObject, type JsonObject, jsonText } from './json-value.js'
import { idPattern, maxConstructs, maxIndicators, maxNameLength, reservedIds } from './limits.js'
import { type Market, marketNames, readMarket } from './market.js'
import { nearIndicators } from './near-indicators.js'
import { type Query, readQuery } from './query.js'
import {
  badElementId,
  constructPlace,
  duplicateConstruct,
  duplicateConstructId,
  duplicateIndicatorId,
  elementIdNotName,
  elementNotObject,
  elementWithoutId,
  expected,
  inConstruct,
  indicatorPlace,
  inIndicator,
  invalidValue,
  isRefusal,
  missingConstructs,
  missingIndicators,
  missingRequired,
  type Refusal,
  reservedIndicatorId,
  tooManyConstructs,
  tooManyConstructsForPlan,
  tooManyIndicators,
  unknownIndicatorInConstruct,
} from './refusals.js'
import { readSuppliedCandles } from './supplied-candles.js'
import { ageNames, type CandleAge, readAge } from './time-range.js'

/** One indicator of a construct, with the id chosen by the caller. */
export interface BulkItem {
  readonly id: string
  readonly query: Query
  /** Text before the result in an answer. Joined once, because a join for each answer takes an eighth of a short one. */
  head?: string
}

/** Indicators over one series of candles. */
export interface Construct {
  readonly id: string
  readonly items: readonly BulkItem[]
}
export interface MarketConstruct extends Construct, CandleAge {
  readonly market: Market
}
export interface CandlesConstruct extends Construct {
  readonly snapshot: Snapshot
}

/** A bulk request, checked and complete. Constructs and items are in the caller's order. */
export interface BulkRequest<C extends Construct> {
  readonly constructs: readonly C[]
  readonly verbose: boolean
}

/** Queries of items in addition to the indicators of the catalogue, and a cache of queries. */
export interface OtherQueries {
  /** Cache of indicator queries by their text. The same texts recur within a request and across requests. */
  readonly known: Pick<TextCache<Query>, 'get' | 'add'>
  /**
   * Reads the fields of an item except `id` and `indicator`. Returns undefined if there is no other query with this
   * name. The timeframe of supplied candles is not known yet.
   */
  read(name: string, fields: Fields, timeframe: Timeframe | undefined): Query | Refusal | undefined
  /** Completes a query once the supplied candles are read. */
  over(query: Query, snapshot: Snapshot): Query | Refusal
}

const noOthers: OtherQueries = {
  known: { get: () => undefined, add: () => {} },
  read: () => undefined,
  over: query => query,
}

export function refuseDuplicates(markets: readonly Market[]): Refusal | undefined {
  const seen = new Set<string>()
  for (const { exchange, symbol, timeframe } of markets) {
    const key = JSON.stringify([exchange, symbol, timeframe])
    if (seen.has(key)) return duplicateConstruct(exchange, symbol, timeframe)
    seen.add(key)
  }
  return undefined
}

/** Reads the body of `POST /bulk`. Does not check the plan of the caller, so that the result can be cached. */
export function readBulk(
  fields: Fields,
  others: OtherQueries = noOthers,
): BulkRequest<MarketConstruct> | Refusal {
  const envelope = readEnvelope(fields, 'bulk')
  if (isRefusal(envelope)) return envelope
  const markets: Market[] = []
  for (const construct of envelope.constructs) {
    const market = readMarket(construct)
    if (isRefusal(market)) return inConstruct(construct.id as string, market)
    markets.push(market)
  }
  const duplicate = refuseDuplicates(markets)
  if (duplicate) return duplicate
  const constructs: MarketConstruct[] = []
  for (const [at, construct] of envelope.constructs.entries()) {
    const market = markets[at] as Market
    const items = readConstruct(construct, [...marketNames, ...ageNames], others, market.timeframe)
    if (isRefusal(items)) return items
    const id = construct.id as string
    const age = readAge({ get: name => construct[name] }, 'json')
    if (isRefusal(age)) return inConstruct(id, age)
    constructs.push({ id, market, items, ...age })
  }
  return { constructs, verbose: envelope.verbose }
}

/**
 * Reads the body of `POST /bulk-candles` for a plan that allows `maxPlanConstructs`. Reads candles last, because they
 * cost more than everything else.
 */
export function readBulkCandles(
  fields: Fields,
  maxPlanConstructs: number,
  readCandles: (field: unknown) => Snapshot | Refusal = readSuppliedCandles,
  others: OtherQueries = noOthers,
): BulkRequest<CandlesConstruct> | Refusal {
  const envelope = readEnvelope(fields, 'bulk-candles')
  if (isRefusal(envelope)) return envelope
  const queries: (readonly BulkItem[])[] = []
  for (const construct of envelope.constructs) {
    if (isAbsent(construct.candles)) {
      return inConstruct(construct.id as string, missingRequired(['candles']))
    }
    const items = readConstruct(construct, ['candles'], others, undefined)
    if (isRefusal(items)) return items
    queries.push(items)
  }
  if (queries.length > maxPlanConstructs) return tooManyConstructsForPlan(maxPlanConstructs)
  const constructs: CandlesConstruct[] = []
  for (const [at, construct] of envelope.constructs.entries()) {
    const id = construct.id as string
    const snapshot = readCandles(construct.candles)
    if (isRefusal(snapshot)) return inConstruct(id, snapshot)
    const items: BulkItem[] = []
    for (const item of queries[at] as readonly BulkItem[]) {
      const query = others.over(item.query, snapshot)
      if (isRefusal(query)) return inIndicator(id, item.id, query)
      items.push(query === item.query ? item : { id: item.id, query })
    }
    constructs.push({ id, snapshot, items })
  }
  return { constructs, verbose: envelope.verbose }
}

/** Reads the common part of both bulk requests: constructs with unique ids, and `verbose`. */
function readEnvelope(
  fields: Fields,
  owner: string,
): { readonly constructs: readonly JsonObject[]; readonly verbose: boolean } | Refusal {
  const constructs = fields.get('constructs')
  if (!Array.isArray(constructs) || constructs.length === 0) return missingConstructs()
  if (constructs.length > maxConstructs) return tooManyConstructs()
  const unknown = refuseUnknown(fields.keys(), owner, ['constructs', 'verbose'])
  if (unknown) return unknown
  const verbose = fields.has('verbose') ? fields.get('verbose') : false
  if (typeof verbose !== 'boolean') return invalidValue('verbose', jsonText(verbose), expected.flag)
  const fault = refuseIds(constructs, constructPlace, duplicateConstructId)
  return fault ?? { constructs: constructs as JsonObject[], verbose }
}

/** Refuses the first list element that is not an object with a valid id. Also refuses duplicate ids. */
function refuseIds(
  elements: readonly unknown[],
  labelOf: (at: number) => string,
  duplicateId: (id: string) => Refusal,
  refuseReserved: (id: string) => Refusal | undefined = () => undefined,
): Refusal | undefined {
  for (const [at, element] of elements.entries()) {
    if (!isObject(element)) return elementNotObject(labelOf(at))
    const { id } = element
    if (isAbsent(id)) return elementWithoutId(labelOf(at))
    if (typeof id !== 'string') return elementIdNotName(labelOf(at), id)
    if (!idPattern.test(id)) return badElementId(labelOf(at), id)
    if (id.length > maxNameLength) return elementIdNotName(labelOf(at), id)
    const reserved = refuseReserved(id)
    if (reserved) return reserved
  }
  const seen = new Set<string>()
  for (const { id } of elements as readonly { readonly id: string }[]) {
    if (seen.has(id)) return duplicateId(id)
    seen.add(id)
  }
  return undefined
}

/** Reads the indicators of a construct. `otherFields` are its fields except `id` and `indicators`. */
function readConstruct(
  construct: JsonObject,
  otherFields: readonly string[],
  others: OtherQueries,
  timeframe: Timeframe | undefined,
): readonly BulkItem[] | Refusal {
  const id = construct.id as string
  const unknown = refuseUnknown(Object.keys(construct), 'a construct', ['id', ...otherFields, 'indicators'])
  if (unknown) return inConstruct(id, unknown)
  const { indicators } = construct
  if (!Array.isArray(indicators) || indicators.length === 0) return missingIndicators(id)
  if (indicators.length > maxIndicators) return tooManyIndicators(id)
  const fault = refuseIds(
    indicators,
    at => indicatorPlace(id, at),
    indicatorId => duplicateIndicatorId(id, indicatorId),
    indicatorId => (reservedIds.includes(indicatorId) ? reservedIndicatorId(id, indicatorId) : undefined),
  )
  if (fault) return fault
  const items: BulkItem[] = []
  for (const indicator of indicators as JsonObject[]) {
    const query = readItem(id, indicator, others, timeframe)
    if (isRefusal(query)) return query
    items.push({ id: indicator.id as string, query })
  }
  return items
}

const nearNamesOf = (name: unknown): readonly string[] =>
  typeof name === 'string' ? nearIndicators(name) : []

/** Maximum text length of a cached query, in characters. */
const maxCachedLength = 300

function otherFieldsOf(item: JsonObject): Fields {
  const fields = fieldsOf(item)
  fields.delete('id')
  fields.delete('indicator')
  return fields
}

function readItem(
  construct: string,
  item: JsonObject,
  others: OtherQueries,
  timeframe: Timeframe | undefined,
): Query | Refusal {
  const { id, indicator } = item
  const rest = otherFieldsOf(item)
  if (isAbsent(indicator))
    return inIndicator(construct, id as string, missingRequired(['indicator'], [...rest.keys()]))
  const name = typeof indicator === 'string' ? indicator.toLowerCase() : ''
  const entry = catalogue.get(name)
  const other = entry ? undefined : others.read(name, rest, timeframe)
  if (other) return isRefusal(other) ? inIndicator(construct, id as string, other) : other
  if (!entry) return unknownIndicatorInConstruct(construct, indicator, nearNamesOf(indicator))
  const isFlat = [...rest.values()].every(value => typeof value !== 'object' || value === null)
  const text = isFlat ? `${entry.name} ${JSON.stringify([...rest])}` : ''
  const key = isFlat && text.length <= maxCachedLength ? text : undefined
  const cached = key === undefined ? undefined : others.known.get(key)
  if (cached) return cached
  const query = readQuery(entry, rest, 'json')
  if (isRefusal(query)) return inIndicator(construct, id as string, query)
  if (key !== undefined) others.known.add(key, query)
  return query
}
