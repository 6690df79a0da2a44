import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../candles/columns.js'
import { isTimeframe } from '../candles/timeframe.js'
import { catalogue } from '../catalogue/index.js'
import { canonicalSymbol, type Market, marketFields } from './market.js'
import { type Query, readQuery } from './query.js'
import {
  badCandles,
  badConstructId,
  badIndicatorId,
  constructNotObject,
  constructWithoutId,
  duplicateConstruct,
  duplicateConstructId,
  duplicateIndicatorId,
  inConstruct,
  indicatorNotObject,
  indicatorWithoutId,
  inIndicator,
  invalidTimeframe,
  invalidValue,
  isRefusal,
  jsonText,
  missingConstructs,
  missingIndicators,
  missingRequired,
  type Refusal,
  reservedIndicatorId,
  tooManyConstructs,
  tooManyConstructsForPlan,
  tooManyIndicators,
  unknownIndicatorInConstruct,
  unknownParameter,
} from './refusals.js'
import { readSuppliedCandles } from './supplied-candles.js'

/** The most constructs of a request and the most indicators of a construct, whatever the plan. */
export const bulkLimits = { constructs: 20, indicators: 20, nameLength: 100 } as const

/** What an id may consist of. */
export const idPattern = /^[a-zA-Z0-9_]+$/

/** Keys beside the indicator ids in a construct's answer. */
const reserved = ['_asset', '_error']

/** One indicator of a construct under the id that the caller gave it. */
export interface BulkItem {
  readonly id: string
  readonly query: Query
}

/** One series and what is asked of it. */
export interface Construct {
  readonly id: string
  readonly items: readonly BulkItem[]
}
export interface MarketConstruct extends Construct {
  readonly market: Market
}
export interface CandlesConstruct extends Construct {
  readonly snapshot: Snapshot
}

/** A bulk request, checked and complete; constructs and items in the caller's order. */
export interface BulkRequest<C extends Construct> {
  readonly constructs: readonly C[]
  readonly verbose: boolean
}

type Json = Readonly<Record<string, unknown>>
type Fields = ReadonlyMap<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether something is absent: as good as not written. */
const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/** Refuses more constructs than the plan allows. */
export const refuseOverPlan = (constructs: number, allowed: number): Refusal | undefined =>
  constructs > allowed ? tooManyConstructsForPlan(allowed) : undefined

/** Reads the body of `POST /bulk`; the plan of the caller is not looked at. */
export function readBulk(fields: Fields): BulkRequest<MarketConstruct> | Refusal {
  const envelope = readEnvelope(fields, 'bulk')
  if (isRefusal(envelope)) return envelope
  const markets: Market[] = []
  for (const construct of envelope.constructs) {
    const market = readMarketOf(construct)
    if (isRefusal(market)) return inConstruct(construct.id as string, market)
    markets.push(market)
  }
  const seen = new Set<string>()
  for (const { exchange, symbol, timeframe } of markets) {
    const key = JSON.stringify([exchange, symbol, timeframe])
    if (seen.has(key)) return duplicateConstruct(exchange, symbol, timeframe)
    seen.add(key)
  }
  const constructs: MarketConstruct[] = []
  for (const [at, construct] of envelope.constructs.entries()) {
    const items = readConstruct(construct, marketFields)
    if (isRefusal(items)) return items
    constructs.push({ id: construct.id as string, market: markets[at] as Market, items })
  }
  return { constructs, verbose: envelope.verbose }
}

/**
 * Reads the body of `POST /bulk-candles` for a plan that allows so many constructs. Candles are looked at last:
 * they cost more than all the rest.
 */
export function readBulkCandles(
  fields: Fields,
  allowed: number,
  readCandles: (field: unknown) => Snapshot | string = readSuppliedCandles,
): BulkRequest<CandlesConstruct> | Refusal {
  const envelope = readEnvelope(fields, 'bulk-candles')
  if (isRefusal(envelope)) return envelope
  const queries: (readonly BulkItem[])[] = []
  for (const construct of envelope.constructs) {
    if (isAbsent(construct.candles)) {
      return inConstruct(construct.id as string, missingRequired(['candles']))
    }
    const items = readConstruct(construct, ['candles'])
    if (isRefusal(items)) return items
    queries.push(items)
  }
  const tooMany = refuseOverPlan(queries.length, allowed)
  if (tooMany) return tooMany
  const constructs: CandlesConstruct[] = []
  for (const [at, construct] of envelope.constructs.entries()) {
    const id = construct.id as string
    const snapshot = readCandles(construct.candles)
    if (typeof snapshot === 'string') return inConstruct(id, badCandles(snapshot))
    constructs.push({ id, snapshot, items: queries[at] as readonly BulkItem[] })
  }
  return { constructs, verbose: envelope.verbose }
}

/** What both requests share: constructs that have ids of their own. */
function readEnvelope(
  fields: Fields,
  owner: string,
): { readonly constructs: readonly Json[]; readonly verbose: boolean } | Refusal {
  const constructs = fields.get('constructs')
  if (!Array.isArray(constructs) || constructs.length === 0) return missingConstructs()
  if (constructs.length > bulkLimits.constructs) return tooManyConstructs()
  for (const name of fields.keys()) {
    if (name !== 'constructs' && name !== 'verbose')
      return unknownParameter(name, owner, ['constructs', 'verbose'])
  }
  const verbose = fields.has('verbose') ? fields.get('verbose') : false
  if (typeof verbose !== 'boolean') return invalidValue('verbose', jsonText(verbose), 'true or false')
  for (const [at, construct] of constructs.entries()) {
    if (!isObject(construct)) return constructNotObject(at)
    if (isAbsent(construct.id)) return constructWithoutId(at)
    if (typeof construct.id !== 'string' || !idPattern.test(construct.id))
      return badConstructId(at, construct.id)
  }
  const twice = firstDouble(constructs)
  return twice === undefined ? { constructs, verbose } : duplicateConstructId(twice)
}

function firstDouble(objects: readonly Json[]): string | undefined {
  const seen = new Set<string>()
  for (const object of objects) {
    const id = object.id as string
    if (seen.has(id)) return id
    seen.add(id)
  }
  return undefined
}

function readMarketOf(construct: Json): Market | Refusal {
  const missing = marketFields.filter(name => isAbsent(construct[name]))
  if (missing.length > 0) return missingRequired(missing)
  for (const name of ['exchange', 'symbol'] as const) {
    const value = construct[name]
    if (typeof value !== 'string' || value.length > bulkLimits.nameLength) {
      return invalidValue(name, jsonText(value), `text of at most ${bulkLimits.nameLength} characters`)
    }
  }
  const { exchange, symbol, timeframe } = construct as Readonly<Record<string, string>>
  if (typeof timeframe !== 'string' || !isTimeframe(timeframe)) return invalidTimeframe(timeframe)
  return {
    exchange: (exchange as string).toLowerCase(),
    symbol: canonicalSymbol(symbol as string),
    timeframe,
  }
}

/** The indicators of a construct; `own` are its fields beside `id` and `indicators`. */
function readConstruct(construct: Json, own: readonly string[]): readonly BulkItem[] | Refusal {
  const id = construct.id as string
  for (const name in construct) {
    if (name !== 'id' && name !== 'indicators' && !own.includes(name))
      return inConstruct(id, unknownParameter(name, 'a construct', ['id', ...own, 'indicators']))
  }
  const { indicators } = construct
  if (!Array.isArray(indicators) || indicators.length === 0) return missingIndicators(id)
  if (indicators.length > bulkLimits.indicators) return tooManyIndicators(id)
  for (const [at, indicator] of indicators.entries()) {
    if (!isObject(indicator)) return indicatorNotObject(id, at)
    if (isAbsent(indicator.id)) return indicatorWithoutId(id, at)
    if (typeof indicator.id !== 'string' || !idPattern.test(indicator.id))
      return badIndicatorId(id, at, indicator.id)
    if (reserved.includes(indicator.id)) return reservedIndicatorId(id, indicator.id)
  }
  const twice = firstDouble(indicators)
  if (twice !== undefined) return duplicateIndicatorId(id, twice)
  const items: BulkItem[] = []
  for (const indicator of indicators as Json[]) {
    const query = readItem(id, indicator)
    if (isRefusal(query)) return query
    items.push({ id: indicator.id as string, query })
  }
  return items
}

/** How long the text of a query may be that is remembered, in characters. */
const longestRemembered = 300

/** Questions recur, within a request and from one to the next. */
const remembered = new LRUCache<string, Query>({ max: 5_000 })

function readItem(construct: string, { id, indicator, ...rest }: Json): Query | Refusal {
  if (isAbsent(indicator)) return inIndicator(construct, id as string, missingRequired(['indicator']))
  const entry = typeof indicator === 'string' ? catalogue.get(indicator.toLowerCase()) : undefined
  if (!entry) return unknownIndicatorInConstruct(construct, indicator)
  const isFlat = Object.values(rest).every(value => typeof value !== 'object' || value === null)
  const text = isFlat ? `${entry.name} ${JSON.stringify(rest)}` : ''
  const key = isFlat && text.length <= longestRemembered ? text : undefined
  const known = key === undefined ? undefined : remembered.get(key)
  if (known) return known
  const query = readQuery(entry, new Map(Object.entries(rest)), 'json')
  if (isRefusal(query)) return inIndicator(construct, id as string, query)
  if (key !== undefined) remembered.set(key, query)
  return query
}
