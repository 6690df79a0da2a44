import { rewind, type Snapshot, timestampAt } from '../candles/columns.js'
import { refuseShort } from '../compute/answer.js'
import type { ComputeDispatcher } from '../compute/compute-dispatcher.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { formatAt } from '../compute/kernels/output-format.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import { maxMarkets } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { Query } from '../contract/query.js'
import { fetchFailed, isRefusal, type Refusal } from '../contract/refusals.js'
import { candlesLeftMemory, noSymbolsOfQuote, tooManyMarketsForPlan } from '../contract/screen-refusals.js'
import type { Exchange, ExchangeLookup } from '../exchanges/registry.js'
import { listedSymbols } from '../exchanges/source.js'
import { findExchange, type MarketData } from '../history/market-data.js'
import type { Reading } from '../history/reading.js'
import { sourceRefusal } from '../history/source-refusal.js'
import { eventLoop } from '../runtime/event-loop.js'
import { marketsPerConstruct } from './limits.js'
import type { ScreenRequest } from './request.js'
import type { Scan } from './scan.js'
import { Scans } from './scans.js'

interface Options {
  readonly marketData: MarketData
  readonly exchanges: ExchangeLookup
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  /** Computes what takes long; without one everything is computed on the event loop. */
  readonly dispatch?: Pick<ComputeDispatcher, 'textOfLong'>
  /** Unix seconds. */
  readonly clock: () => number
}

/** Who asks, and what the plan allows. */
interface Asker {
  readonly id: string
  /** Constructs of a bulk request. */
  readonly constructs: number
}

/** The answer to a screen. */
export interface ScreenAnswer {
  /** JSON: `{ matches, screened, failed }`. */
  readonly text: string
  /** Whether candles of a market are older than they should be, because its exchange gave no newer ones. */
  readonly isStale: boolean
}

/** What a screen finds at one moment. */
export interface ScreenState {
  /** The matches as JSON texts by symbol, in the order of the markets. */
  readonly matches: ReadonlyMap<string, string>
  /** The number of markets at which the condition was looked at. */
  readonly screened: number
  /** The others, as JSON texts: `{ symbol, error }`. */
  readonly failed: readonly string[]
}

/** One market that matches. */
interface Match {
  readonly symbol: string
  readonly text: string
  /** What it is sorted by; NaN where that is undefined. */
  readonly rank: number
}

/** Answers screens from the candles in memory, which scans bring up to date. */
export class Screener {
  readonly #options: Options
  readonly #scans: Scans

  constructor(options: Options) {
    this.#options = options
    this.#scans = new Scans(options)
  }

  /**
   * The scan over the markets of a screen. A refusal where there are none, more than the plan allows, or too many
   * scans under way.
   */
  scan(request: ScreenRequest, asker: Asker): Scan | Refusal | Promise<Scan | Refusal> {
    const exchange = findExchange(this.#options.exchanges, request.exchange)
    if (isRefusal(exchange)) return exchange
    const begin = (symbols: readonly string[]) => this.#scan(request, exchange, symbols, asker)
    if (request.symbols) return begin(request.symbols)
    const symbols = exchange.source.symbols()
    return symbols instanceof Promise
      ? symbols.then(begin, error => sourceRefusal(error, exchange.id, ''))
      : begin(symbols)
  }

  #scan(
    { timeframe, quote = '' }: ScreenRequest,
    { id, source }: Exchange,
    symbols: readonly string[],
    { id: accountId, constructs }: Asker,
  ): Scan | Refusal {
    const wanted = quote === '' ? symbols : symbols.filter(symbol => symbol.endsWith(quote))
    if (wanted.length === 0) return noSymbolsOfQuote(id, quote)
    const allowed = Math.min(maxMarkets, constructs * marketsPerConstruct)
    if (wanted.length > allowed) return tooManyMarketsForPlan(wanted.length, allowed)
    const markets = listedSymbols(source, wanted).map(symbol => ({ exchange: id, symbol, timeframe }))
    return this.#scans.find(markets, timeframe, accountId)
  }

  /** The answer to a screen whose scan has ended. What takes long is computed by threads, for the account `accountId`. */
  async answer(request: ScreenRequest, scan: Scan, accountId: string): Promise<ScreenAnswer> {
    const run = new ScreenRun(this.#options, request, scan, accountId)
    await run.finish()
    return run.answer()
  }

  /** What a screen finds in the candles that are in memory of the markets of a scan. */
  async state(request: ScreenRequest, scan: Scan, accountId: string): Promise<ScreenState> {
    const run = new ScreenRun(this.#options, request, scan, accountId)
    await run.finish()
    return run.state()
  }
}

/** One screen over the markets of a scan. */
class ScreenRun {
  readonly #options: Options
  readonly #request: ScreenRequest
  readonly #scan: Scan
  readonly #accountId: string
  readonly #matches: Match[] = []
  readonly #failed: string[] = []
  #isStale = false

  constructor(options: Options, request: ScreenRequest, scan: Scan, accountId: string) {
    this.#options = options
    this.#request = request
    this.#scan = scan
    this.#accountId = accountId
  }

  /** Screens all markets, those that take long one after the other. */
  async finish(): Promise<void> {
    for (const market of this.#scan.markets) {
      if (!eventLoop.hasTime('screens')) await eventLoop.next('screens')
      await this.#screen(market)
    }
  }

  answer(): ScreenAnswer {
    const { order, limit } = this.#request
    const matches = this.#matches
    if (order) sortByRank(matches, order.isDescending)
    const texts = matches.slice(0, limit).map(({ text }) => text)
    return {
      text: `{"matches":[${texts.join(',')}],"screened":${this.#screened},"failed":[${this.#failed.join(',')}]}`,
      isStale: this.#isStale,
    }
  }

  state(): ScreenState {
    const matches = new Map(this.#matches.map(({ symbol, text }) => [symbol, text]))
    return { matches, screened: this.#screened, failed: this.#failed }
  }

  get #screened(): number {
    return this.#scan.markets.length - this.#failed.length
  }

  #screen(market: Market): Promise<void> | undefined {
    const refusal = this.#scan.refusals.get(market.symbol)
    const reading = refusal ? undefined : this.#options.marketData.recall(market)
    if (reading) return this.#compute(market, reading)
    this.#fail(market, refusal ? fetchFailed(refusal) : candlesLeftMemory())
    return undefined
  }

  #compute(market: Market, { snapshot, stale }: Reading): Promise<void> | undefined {
    const { query } = this.#request
    this.#isStale ||= stale
    // Where the condition is long enough, other expressions may still be undefined.
    const short = refuseShort(query, snapshot)
    if (short) {
      this.#fail(market, short.error)
      return undefined
    }
    const long = this.#options.dispatch?.textOfLong(query, snapshot, this.#accountId)
    if (long) return long.then(text => this.#matchLong(market, snapshot, text))
    this.#match(market, snapshot, newestTexts(this.#options, query, snapshot))
    return undefined
  }

  /** Takes the answer that a thread has computed. */
  #matchLong(market: Market, snapshot: Snapshot, text: string | Refusal): void {
    if (isRefusal(text)) {
      this.#fail(market, text.error)
      return
    }
    const values: Readonly<Record<string, readonly unknown[]>> = JSON.parse(text)
    const { outputs } = this.#request.compiled
    this.#match(
      market,
      snapshot,
      outputs.map(({ name }) => JSON.stringify(values[name]?.[0])),
    )
  }

  #match(market: Market, snapshot: Snapshot, texts: readonly string[]): void {
    const { query, names, order } = this.#request
    if (texts[0] !== 'true') return
    const at = rewind(snapshot, query.backtrack)
    let text = `{"symbol":${JSON.stringify(market.symbol)},"timestamp":${timestampAt(at, at.count - 1)}`
    for (const [k, name] of names.entries()) text += `,"${name}":${texts[1 + k]}`
    const rank = order ? rankOf(texts[order.output]) : 0
    this.#matches.push({ symbol: market.symbol, text: `${text}}`, rank })
  }

  #fail({ symbol }: Market, error: string): void {
    this.#failed.push(JSON.stringify({ symbol, error }))
  }
}

const rankOf = (text: string | undefined): number =>
  text === undefined || text === 'null' ? Number.NaN : Number(text)

/** Sorts matches in place; those without a rank come last, and equal ones stay in their order. */
function sortByRank(matches: Match[], isDescending: boolean): void {
  const sign = isDescending ? -1 : 1
  matches.sort((a, b) => {
    const [isLastA, isLastB] = [Number.isNaN(a.rank), Number.isNaN(b.rank)]
    if (isLastA || isLastB) return Number(isLastA) - Number(isLastB)
    return sign * (a.rank - b.rank)
  })
}

/**
 * The values of a query that is not refused at its newest candle as JSON texts, one for each output. They come from kept
 * results where there are any.
 */
function newestTexts(
  { calculator, resultCache }: Options,
  query: Query,
  snapshot: Snapshot,
): readonly string[] {
  const { indicator, backtrack } = query
  const kept = resultCache.find(query, snapshot)
  const window = kept && resultCache.prepare(calculator, kept, query, snapshot)
  if (kept && window) {
    const { forming, closed } = window.snapshot
    if (!forming) return kept.results.texts(closed - 1, calculator.writer)
    kept.results.preview(calculator, window.snapshot)
    return kept.results.previewTexts(calculator.writer)
  }
  if (!kept) resultCache.count(false)
  const { columns, count } = calculator.calculate(query, rewind(snapshot, backtrack))
  return calculator
    .formatsOf(indicator)
    .map(format => formatAt(format, column => columns[column]?.[count - 1] ?? Number.NaN))
}
