import { allUntil, closedCandles, type Inputs, type Snapshot } from '../candles/columns.js'
import { refuseShort } from '../compute/answer.js'
import { barsInSlices, type Executor } from '../compute/executor.js'
import { hasOtherMarkets } from '../compute/expressions/compile.js'
import { isDeep } from '../compute/ranges/range-answers.js'
import type { Plan } from '../contract/account.js'
import { marketsPerConstruct, maxMarkets } from '../contract/limits.js'
import { liveKey, type Query, type Settled } from '../contract/query.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { tooManyMarketsForPlan } from '../contract/screen-refusals.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import { findExchange, type MarketData } from '../markets/history/market-data.js'
import { marketsAsked, type NamedLists } from '../markets/named-lists.js'
import type { ScannedRequest, ScreenRequest } from './request.js'
import {
  commonOf,
  type OlderNeed,
  oldest,
  type Scan,
  type ScannedCandles,
  Scans,
  scannedCandles,
} from './scan.js'

export interface ScreenerOptions {
  readonly marketData: MarketData
  readonly exchanges: ExchangeLookup
  /** Named lists of the accounts; absent if there are none. */
  readonly lists?: Pick<NamedLists, 'expand'>
  readonly executor: Executor
  /** Unix seconds. */
  readonly clock: () => number
}

/** Client of a request, and the bounds of its plan. */
export interface Asker {
  readonly id: string
  /** Maximum number of constructs in a bulk request. */
  readonly constructs: number
  /** Plan that bounds the number of older candles that are fetched. Undefined to fetch none. */
  readonly plan?: Plan
}

/** Answer to a screen or a breadth, as JSON, with the age of its oldest candles if they are old. */
export interface ScreenAnswer extends Pick<ScreenState, 'age'> {
  readonly text: string
}

/** New values of a live screen or breadth, to be sent to its client. */
export interface LiveUpdate {
  /** Whether the update has all values. Otherwise it has only new and changed ones. */
  readonly isWhole: boolean
  /** Fields of a JSON object. */
  readonly text: string
  /** Must be called after the update was sent. */
  sent(): void
}

/** Result of a screen at one moment. */
export interface ScreenState {
  /** Matches as JSON texts by symbol, in the order of the markets. */
  readonly matches: ReadonlyMap<string, string>
  /** Number of markets at which the condition was evaluated. */
  readonly screened: number
  /** All other markets as JSON texts: `{ symbol, error }`. */
  readonly failed: readonly string[]
  /** Markets with old candles as JSON texts: `{ symbol, age }`. */
  readonly stale: readonly string[]
  /** Set if candles of a market are old: greatest number of seconds since the end of a market's newest candle. */
  readonly age?: number | undefined
}

interface Match {
  readonly symbol: string
  readonly text: string
  /** Sort value; NaN if undefined. */
  readonly rank: number
}

/** Answers screens from the candles in memory, which scans refresh. */
export class Screener {
  readonly #scans: Scans

  constructor(private readonly options: ScreenerOptions) {
    this.#scans = new Scans(options)
  }

  /**
   * Finds or starts the scan over the markets of a screen. Refused without markets, with more than the plan allows,
   * with too many running scans, or if another market of the expressions has no candles.
   */
  async scan(request: ScannedRequest, { id: accountId, constructs, plan }: Asker): Promise<Scan | Refusal> {
    const exchange = findExchange(this.options.exchanges, request.exchange)
    if (isRefusal(exchange)) return exchange
    const markets = await marketsAsked(exchange, request, this.options.lists, accountId)
    if (isRefusal(markets)) return markets
    const allowed = Math.min(maxMarkets, constructs * marketsPerConstruct)
    if (markets.length > allowed) return tooManyMarketsForPlan(markets.length, allowed)
    for (const other of commonOf(request)) {
      const reading = await this.options.marketData.read(other, accountId)
      if (reading.kind === 'refused') return reading.refusal
    }
    return this.#scans.find(markets, request.query.indicator, accountId, this.#olderOf(request, plan))
  }

  /**
   * Need for older candles of markets whose candles in memory are too few for the screen's time. Undefined if the
   * screen has no time or may not fetch.
   */
  #olderOf(request: ScannedRequest, plan: Plan | undefined): OlderNeed | undefined {
    const { at, query } = request
    if (at === undefined || plan === undefined || hasOtherMarkets(query.indicator)) return undefined
    const isNeeded = async (inputs: Inputs) => {
      const bars = await barsInSlices(query.chart, inputs)
      return refuseShort(queryAt(request, bars[0]), bars) !== undefined
    }
    const key = `${at} ${liveKey(query)}`
    return { reach: this.options.marketData.requestedHistory(at, plan, true), key, isNeeded }
  }

  /** Resolves when the candles of the expressions' common markets have arrived. Undefined if all are in memory. */
  othersReady(request: ScannedRequest, accountId: string): Promise<unknown> | undefined {
    const { marketData } = this.options
    const missing = commonOf(request).filter(other => !marketData.recall(other))
    return missing.length === 0
      ? undefined
      : Promise.all(missing.map(other => marketData.readWhenReady(other, accountId)))
  }

  /** Answers a screen after its scan. Long computations run on worker threads, for the account `accountId`. */
  async answer(request: ScreenRequest, scan: Scan, accountId: string): Promise<ScreenAnswer> {
    const state = await this.state(request, scan, accountId)
    return { text: `{${screenText(state)}}`, age: state.age }
  }

  /** Values of a screen at a market: from the candles in memory, or from older ones if they are too few. */
  async #find(
    request: ScreenRequest,
    scan: Scan,
    { market, inputs }: Extract<ScannedCandles, { readonly error: undefined }>,
    accountId: string,
  ): Promise<FoundValues | Refusal> {
    const { query: asked, at: to = Number.POSITIVE_INFINITY } = request
    const reading = (await scan.older?.isNeeded(inputs)) ? await scan.read(market) : undefined
    if (reading?.kind === 'refused') return reading.refusal
    const older = reading && closedCandles(reading.inputs)
    const isOlder = older && isDeep(older) && to >= older[0].older.first
    const bars = isOlder ? older : await barsInSlices(asked.chart, inputs)
    const query = isOlder
      ? { ...asked, range: { from: Number.NEGATIVE_INFINITY, to } }
      : queryAt(request, bars[0])
    const question = { query, inputs: bars, isCharted: !isOlder }
    const answer = await this.options.executor.execute(question, { accountId })
    if (isRefusal(answer)) return answer
    const { body, before = bars[0].count - query.backtrack - 1 } = answer
    return { text: typeof body === 'string' ? body : body.takeText(), at: before }
  }

  /** Screens the markets of a scan, one after the other, in the candles in memory. */
  async state(request: ScreenRequest, scan: Scan, accountId: string): Promise<ScreenState> {
    // The condition is the first output.
    const met = `{${JSON.stringify(request.compiled.outputs[0]?.name)}:[true]`
    const matches: Match[] = []
    const failed: string[] = []
    const stale: string[] = []
    const ages: number[] = []
    for await (const candles of scannedCandles(this.options.marketData, request, scan, accountId)) {
      const { market, error } = candles
      const { symbol } = market
      if (error !== undefined) {
        failed.push(failure(symbol, error))
        continue
      }
      const { age } = candles
      if (age !== undefined) {
        ages.push(age)
        stale.push(JSON.stringify({ symbol, age }))
      }
      const found = await this.#find(request, scan, candles, accountId)
      if (isRefusal(found)) failed.push(failure(symbol, found.error))
      else if (found.text.startsWith(met))
        matches.push(matchOf(request, symbol, JSON.parse(found.text), found.at))
    }
    const { order, limit } = request
    if (order) sortByRank(matches, order.isDescending)
    return {
      matches: new Map(matches.slice(0, limit).map(({ symbol, text }) => [symbol, text])),
      screened: scan.markets.length - failed.length,
      failed,
      stale,
      age: oldest(ages),
    }
  }
}

interface FoundValues {
  /** Answer to the query, as JSON. */
  readonly text: string
  /** Index in the history of the candle with these values. */
  readonly at: number
}

/** JSON of a market that could not be scanned. */
export const failure = (symbol: string, error: string): string => JSON.stringify({ symbol, error })

/** Fields of a JSON object: `matches`, `screened`, `failed`, and `stale` if candles are old. */
export const screenText = ({ matches, screened, failed, stale }: ScreenState): string =>
  `"matches":[${[...matches.values()].join(',')}],"screened":${screened},"failed":[${failed.join(',')}]${staleText(stale)}`

/** Member `stale` of a screen; empty if no market has old candles. */
export const staleText = (stale: readonly string[]): string =>
  stale.length > 0 ? `,"stale":[${stale.join(',')}]` : ''

/** Query of a screen for the candles of a market: at the last closed candle up to the screen's time, if it has one. */
function queryAt({ query, at }: ScannedRequest, snapshot: Snapshot): Query {
  if (at === undefined) return query
  const until = Math.min(snapshot.closed, allUntil(snapshot, at))
  return { ...query, backtrack: snapshot.count - until }
}

/** Match of a market, from the value of each output at candle `at`. */
function matchOf(
  { compiled: { outputs }, names, order, settled }: ScreenRequest,
  symbol: string,
  values: Readonly<Record<string, readonly unknown[]>>,
  at: number,
): Match {
  const isSettled = (k: number) => settled === undefined || (settled[k] as Settled).first <= at
  const newest = outputs.map(({ name }, k) => (isSettled(k) ? values[name]?.[0] : null))
  const selected = names.map((name, k) => `,"${name}":${JSON.stringify(newest[1 + k])}`)
  return {
    symbol,
    text: `{"symbol":${JSON.stringify(symbol)},"timestamp":${values.timestamp?.[0]}${selected.join('')}}`,
    rank: order ? Number(newest[order.output] ?? Number.NaN) : 0,
  }
}

/** Sorts matches in place. Matches without a rank come last; equal ones keep their order. */
function sortByRank(matches: Match[], isDescending: boolean): void {
  const sign = isDescending ? -1 : 1
  matches.sort((a, b) => {
    const [isLastA, isLastB] = [Number.isNaN(a.rank), Number.isNaN(b.rank)]
    if (isLastA || isLastB) return Number(isLastA) - Number(isLastB)
    return sign * (a.rank - b.rank)
  })
}
