import { type BulkSection, layoutBulk, makeBars } from '../../compute/bulk-layout.js'
import type { Executor, Caller as TaskCaller } from '../../compute/executor.js'
import { marketsOf, planBytesOf } from '../../compute/expressions/compile.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import { type SentBulk, unpackBulk } from '../../compute/task.js'
import type { Plan } from '../../contract/account.js'
import {
  type BulkItem,
  type BulkRequest,
  type MarketConstruct,
  readBulk,
  refuseDuplicates,
} from '../../contract/bulk.js'
import { named, readFields, readText } from '../../contract/fields.js'
import { type Market, type Markets, marketKey } from '../../contract/market.js'
import type { PreparedQuestion } from '../../contract/query.js'
import { fetchFailed, isRefusal, type Refusal, tooManyConstructsForPlan } from '../../contract/refusals.js'
import { bulkOf, candlesConstruct, marketConstruct } from '../../contract/requests.js'
import { bulkFormatShape } from '../../contract/table-format.js'
import type { MarketData, RefusedMarket, RequestedHistory } from '../../markets/history/market-data.js'
import { joinReadings, knownAsOf } from '../../markets/history/multi-market-reading.js'
import type { Reading } from '../../markets/history/reading.js'
import { TextCache } from '../../runtime/caches.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import { type AskedSeries, oldestHeaders, readMarkets } from '../candles-reply.js'
import {
  type Caller,
  type QueryHead,
  type Reply,
  readAnswerOptions,
  refused,
  replyOf,
  withHeaders,
} from '../reply.js'
import { type Call, type KeyRoute, post } from '../route.js'
import { layoutBulkTable } from '../tables/bulk-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

/** Parts of the service that answer bulk requests. */
export interface Parts {
  readonly executor: Executor
  readonly expressions: Expressions
  readonly marketData: MarketData
  readonly tables: TableReplies
  readonly bulkWaitSeconds: number
  /** Parsed requests by body, because a bot sends the same body each time. */
  readonly bulkRequests: TextCache<MarketBulk>
}

interface BulkCall extends Pick<Call, 'account' | 'body'> {
  readonly request: QueryHead & Caller
}

/** Approximate memory of an item with a unique query, without its text, in bytes. */
const bytesPerItem = 700

/** Approximate memory of a cached request with the text of its body, in bytes. */
export function bytesOfBulk(
  { constructs }: Pick<BulkRequest<MarketConstruct>, 'constructs'>,
  text: string,
): number {
  let bytes = text.length
  for (const { items } of constructs)
    for (const { query } of items) bytes += bytesPerItem + planBytesOf(query.indicator)
  return bytes
}

export const createBulkRequests = (): Parts['bulkRequests'] =>
  new TextCache<MarketBulk>({ maxBytes: 16_000_000, bytesOf: bytesOfBulk })

/** `POST /bulk`: many indicators over many markets. */
export async function answerBulk(parts: Parts, { request, account, body }: BulkCall): Promise<Reply> {
  const { executor, marketData, tables, bulkWaitSeconds } = parts
  const asked = readAnswerOptions(request, bulkFormatShape, '/bulk')
  if (isRefusal(asked)) return refused(asked)
  const caller = { accountId: account.id, signal: request.signal }
  const bulk = executor.isLong(body) ? await readLong(parts, body, caller) : read(parts, body)
  if (isRefusal(bulk)) return refused(bulk)
  if (bulk.constructs.length > account.constructs)
    return refused(tooManyConstructsForPlan(account.constructs))
  const repeated = bulk.isAmbiguous ? await refuseRepeatedMarkets(bulk, marketData) : undefined
  if (repeated) return refused(repeated)
  const reaches = bulk.hasRanges ? reachesOf(bulk, marketData, account.plan) : undefined
  const all = bulk.others.length > 0 ? [...bulk.constructs, ...bulk.others] : bulk.constructs
  const readings = await readMarkets(marketData, all, account.id, bulkWaitSeconds, reaches)
  const bare = sectionsOf(bulk, readings, marketData)
  const sections = bulk.hasCharts ? await finishInSlices('requests', makeBars(bare)) : bare
  const headers: Record<string, string> = { ...oldestHeaders(readings) }
  // Id of the first failed fetch, which is also in the log.
  for (const reading of readings) {
    const id = reading.kind === 'refused' ? reading.refusal.headers?.['X-Request-Id'] : undefined
    if (id !== undefined) headers['X-Request-Id'] ??= id
  }
  const { format } = asked
  if (format === 'json')
    return replyOf(await executor.executeAll(layoutBulk(sections, bulk.verbose), caller), headers)
  const layout = await layoutBulkTable(
    executor,
    sections,
    { ...bulk, isWide: asked.layout === 'wide' },
    caller,
  )
  return isRefusal(layout)
    ? withHeaders(refused(layout), headers)
    : tables.ofLayout(layout, format, request, account.id, headers)
}

function read({ expressions, marketData, bulkRequests }: Parts, body: Uint8Array): MarketBulk | Refusal {
  const text = readText(body)
  if (isRefusal(text)) return text
  const known = bulkRequests.get(text)
  if (known) return known
  const fields = readFields(text)
  const bulk = toMarketBulk(isRefusal(fields) ? fields : readBulk(fields, expressions), marketData)
  if (!isRefusal(bulk)) bulkRequests.add(text, bulk)
  return bulk
}

/** Reads a long body on a worker thread. */
async function readLong(
  { executor, expressions, marketData }: Parts,
  body: Uint8Array,
  caller: TaskCaller,
): Promise<MarketBulk | Refusal> {
  const sent = await executor.run({ kind: 'bulk', body }, caller)
  return toMarketBulk(isRefusal(sent) ? sent : unpackBulk(sent.bulk as SentBulk, expressions), marketData)
}

/** Constructs with their candles or their refusals. Only a verbose answer names the market. */
function sectionsOf(
  { constructs, verbose, others }: MarketBulk,
  readings: readonly (Reading | RefusedMarket)[],
  marketData: MarketData,
): readonly BulkSection[] {
  const othersRead = new Map(
    others.map(({ market }, k) => [marketKey(market), readings[constructs.length + k]]),
  )
  const sections: BulkSection[] = []
  for (const [at, { id, items, market: requested, asOf, maxAge, isJoined }] of constructs.entries()) {
    const read = readings[at] as Reading | RefusedMarket
    const reading = maxAge === undefined ? read : marketData.refuseOld(read, requested, maxAge)
    const market = verbose ? marketData.listed(requested) : requested
    if (reading.kind === 'refused') {
      sections.push({ id, items, market, candles: fetchFailed(reading.refusal) })
      continue
    }
    const readOther = (other: Market) =>
      marketData.refuseOld(othersRead.get(marketKey(other)) as Reading | RefusedMarket, other, maxAge)
    const inputsOf = ({ markets }: Pick<PreparedQuestion, 'markets'>) => {
      const joined = joinReadings([reading, ...markets.slice(1).map(readOther)], markets)
      if (joined.kind !== 'candles') return fetchFailed((joined as RefusedMarket).refusal)
      if (asOf === undefined) return joined.inputs
      const known = knownAsOf(marketData, markets, joined.inputs, asOf)
      return isRefusal(known) ? known.error : known
    }
    let { age } = reading
    for (const other of isJoined ? items.flatMap(({ markets }) => markets.slice(1).map(readOther)) : [])
      if ('age' in other && other.age !== undefined) age = Math.max(age ?? 0, other.age)
    const candles = asOf === undefined ? reading.inputs : inputsOf({ markets: [requested] })
    sections.push({ id, items, market, age, candles, ...(isJoined && { shown: items.map(inputsOf) }) })
  }
  return sections
}

/** Requested history of each construct and of each other market; undefined if the history in memory is enough. */
function reachesOf(
  { constructs, others, othersFrom }: MarketBulk,
  marketData: MarketData,
  plan: Plan,
): readonly (RequestedHistory | undefined)[] {
  const reachOf = (from: number | undefined, isByThread?: boolean) =>
    from === undefined ? undefined : marketData.requestedHistory(from, plan, isByThread)
  return [
    ...constructs.map(({ from, asOf, needsThread }) =>
      asOf === undefined ? reachOf(from, needsThread) : undefined,
    ),
    ...others.map(({ market }) => reachOf(othersFrom.get(marketKey(market)), true)),
  ]
}

/** One indicator of a construct, prepared. */
interface ReadItem extends BulkItem, PreparedQuestion {}

interface ReadConstruct extends MarketConstruct, AskedSeries {
  readonly market: Market
  readonly items: readonly ReadItem[]
  /** Start of the earliest range of the items; undefined if no item has a range. */
  readonly from?: number | undefined
  /** Whether an item has a range over the bars of a chart or over several markets. */
  readonly needsThread?: boolean
  /** Whether an expression of an item names other markets. */
  readonly isJoined: boolean
}

/** A bulk request over markets, under the identifiers of their exchanges. */
interface MarketBulk extends BulkRequest<ReadConstruct> {
  /** Whether two constructs may name the same market, which only the exchange's list of symbols can show. */
  readonly isAmbiguous: boolean
  readonly hasCharts: boolean
  readonly hasRanges: boolean
  /** Distinct other markets of all expressions. */
  readonly others: readonly AskedSeries[]
  /** Start of the earliest range of the items that name another market, by the key of that market. */
  readonly othersFrom: ReadonlyMap<string, number>
}

/** Resolves the identifiers of exchanges in a request. Two names of one exchange count as the same. */
function toMarketBulk(
  bulk: BulkRequest<MarketConstruct> | Refusal,
  marketData: MarketData,
): MarketBulk | Refusal {
  if (isRefusal(bulk)) return bulk
  const constructs = bulk.constructs.map((construct): ReadConstruct => {
    const { market, asOf, maxAge } = construct
    const items = construct.items.map(item => {
      const markets = marketsOf(item.query.indicator, market).map(each => marketData.canonical(each))
      return { ...item, markets: markets as unknown as Markets, asOf, maxAge }
    })
    return {
      ...construct,
      items,
      from: earliestOf(construct),
      needsThread: items.some(({ query, markets }) => query.range && (query.chart || markets.length > 1)),
      isJoined: items.some(({ markets }) => markets.length > 1),
      market: marketData.canonical(market),
    }
  })
  const named = new Map(
    constructs
      .flatMap(({ items }) => items.flatMap(({ markets }) => markets.slice(1)))
      .map(each => [marketKey(each), each]),
  )
  const markets = constructs.map(({ market }) => market)
  const hasCharts = constructs.some(({ items }) => items.some(({ query }) => query.chart !== undefined))
  const others = [...named.values()].map(market => ({ market }))
  const hasRanges = constructs.some(({ from }) => from !== undefined)
  const read = { constructs, isAmbiguous: mayRepeat(markets), hasCharts, hasRanges, others }
  return refuseDuplicates(markets) ?? { ...bulk, ...read, othersFrom: timesOfOthers(constructs) }
}

/** Start of the earliest range of the items that name another market, by the key of that market. */
function timesOfOthers(constructs: readonly ReadConstruct[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { query, markets } of constructs.flatMap(({ items }) => items))
    for (const key of query.range ? markets.slice(1).map(marketKey) : [])
      times.set(key, Math.min(times.get(key) ?? Number.POSITIVE_INFINITY, query.range?.from as number))
  return times
}

function earliestOf({ items }: MarketConstruct): number | undefined {
  const times = items.flatMap(({ query: { range } }) => (range ? [range.from] : []))
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Refuses two names of one market in an ambiguous request, according to the lists of symbols. Never rejects. */
const refuseRepeatedMarkets = async (
  { constructs }: MarketBulk,
  marketData: MarketData,
): Promise<Refusal | undefined> =>
  refuseDuplicates(await Promise.all(constructs.map(({ market }) => marketData.fetchListed(market))))

/**
 * Whether one symbol may be another one without its separator, as BRKB is BRK.B. Both have the same exchange, timeframe
 * and beginning.
 */
const mayRepeat = (markets: readonly Market[]): boolean =>
  markets.some(({ exchange, symbol, timeframe }) => {
    const separator = symbol.search(/[^A-Z0-9]/)
    if (separator < 1) return false
    const start = symbol.slice(0, separator)
    return markets.some(
      other =>
        other.exchange === exchange &&
        other.timeframe === timeframe &&
        other.symbol !== symbol &&
        other.symbol.startsWith(start),
    )
  })

const construct = named('MarketConstruct', marketConstruct)
const bulkBody = named('Bulk', () => bulkOf(construct()))

export const bulkRoute: KeyRoute<Parts> = post({
  path: '/bulk',
  hasNoQuery: false,
  answer: answerBulk,
  describe: () => ({
    id: 'bulk',
    tag: 'Bulk',
    summary: 'Many indicators over many markets',
    description: 'Candles that cannot be had mark only their own construct, by `_error`.',
    query: bulkFormatShape(),
    body: bulkBody(),
    replies: {
      200: {
        description: 'The results.',
        schema: 'bulkResult',
        headers: ['Warning', 'Age'],
        isTable: true,
      },
    },
  }),
})

const suppliedConstruct = named('CandlesConstruct', candlesConstruct)
const suppliedBulkBody = named('BulkCandles', () => bulkOf(suppliedConstruct()))

export const bulkCandlesRoute: KeyRoute<Pick<Parts, 'executor'>> = post({
  path: '/bulk-candles',
  answer: async ({ executor }, { request, account: { constructs, id }, body }) =>
    replyOf(await executor.executeSupplied(body, constructs, { accountId: id, signal: request.signal })),
  describe: () => ({
    id: 'bulkCandles',
    tag: 'Bulk',
    summary: 'Many indicators over supplied candles',
    body: suppliedBulkBody(),
    replies: { 200: { description: 'The results.', schema: 'bulkResult' } },
  }),
})
