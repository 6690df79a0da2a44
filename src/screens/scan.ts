import type { Inputs } from '../candles/columns.js'
import { openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import type { Entry } from '../catalogue/index.js'
import { commonMarketsOf, marketsOf, ownSeriesOf } from '../compute/expressions/compile.js'
import { type Market, marketKey } from '../contract/market.js'
import { busy, fetchFailed, type Refusal } from '../contract/refusals.js'
import { candlesLeftMemory, tooManyScreens } from '../contract/screen-refusals.js'
import type { MarketData, RefusedMarket, RequestedHistory } from '../markets/history/market-data.js'
import { joinReadings } from '../markets/history/multi-market-reading.js'
import type { Reading } from '../markets/history/reading.js'
import { recentEntries } from '../runtime/caches.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import { scheduler } from '../runtime/scheduler.js'
import type { ScannedRequest } from './request.js'

const maxScansPerAccount = 2
const maxScans = 20

/**
 * Markets fetched concurrently: enough to keep an exchange's queue busy, and few enough to let other requests in
 * between.
 */
const concurrency = 8
/** Number of consecutive refusals with an unavailable exchange after which the scan gives up. */
const maxRefusalsInRow = 16
/** Maximum number of attempts at a market while the account fetches too many others. */
const maxAttempts = 60

/** Need of a screen for candles older than those in memory. */
export interface OlderNeed {
  readonly reach: RequestedHistory
  /** Key that is equal for equal needs. */
  readonly key: string
  /** Whether memory has too few candles. */
  readonly isNeeded: (inputs: Inputs) => Promise<boolean>
}

/**
 * Refreshes the candles of many markets of one exchange, a few at a time. Keeps no candles itself: they are in the
 * history's memory.
 */
export class Scan {
  /** Refusals of markets without candles, by symbol. */
  readonly refusals = new Map<string, Refusal>()
  /** Resolves when all markets were tried. Never rejects. */
  readonly ended: Promise<void>
  done = 0
  #next = 0
  #refusalsInRow = 0

  /**
   * First fetches of markets count for the account. Candles older than those in memory are also fetched if `older`
   * needs them.
   */
  constructor(
    readonly markets: readonly Market[],
    private readonly marketData: MarketData,
    private readonly accountId: string,
    private readonly indicator: Entry,
    readonly older?: OlderNeed,
  ) {
    this.ended = Promise.all(Array.from({ length: concurrency }, () => this.#run())).then(() => {})
  }

  get hasEnded(): boolean {
    return this.done === this.markets.length
  }

  async #run(): Promise<void> {
    await scheduler.next('screens')
    for (let market = this.markets[this.#next++]; market; market = this.markets[this.#next++]) {
      await scheduler.slice('screens')
      this.#note(market, await this.#read(market))
    }
  }

  /** Reads a market, with retries while the account fetches too many others. */
  async #read(market: Market): Promise<Reading | RefusedMarket> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.read(market)
      if (outcome.kind !== 'refused' || outcome.refusal.status !== 429 || attempt === maxAttempts)
        return outcome
      await pause(Number(outcome.refusal.headers?.['Retry-After'] ?? 1) * 1000)
    }
  }

  /** Candles of a market. Also reads its series and older candles if needed. Never rejects. */
  async read(market: Market): Promise<Reading | RefusedMarket> {
    for (const each of ownSeriesOf(this.indicator, market)) {
      const series = await this.marketData.readWhenReady(each, this.accountId)
      if (series.kind === 'refused') return series
    }
    const outcome = await this.marketData.readWhenReady(market, this.accountId)
    const { older } = this
    if (outcome.kind === 'refused' || !older || !(await older.isNeeded(outcome.inputs))) return outcome
    return this.marketData.readWhenReady(market, this.accountId, older.reach)
  }

  #note({ symbol }: Market, outcome: Reading | RefusedMarket): void {
    this.done++
    if (outcome.kind === 'candles') {
      this.#refusalsInRow = 0
      return
    }
    const { refusal } = outcome
    this.refusals.set(symbol, refusal)
    this.#refusalsInRow = refusal.status === 503 ? this.#refusalsInRow + 1 : 0
    if (this.#refusalsInRow >= maxRefusalsInRow) this.#giveUp(refusal)
  }

  #giveUp(refusal: Refusal): void {
    for (const market of this.markets.slice(this.#next)) {
      this.refusals.set(market.symbol, refusal)
      this.done++
    }
    this.#next = this.markets.length
  }
}

/** Minimum time for which a scan is reused, in seconds. A scan that took longer is reused for as long as it took. */
const keptSeconds = 30
/** Maximum number of remembered scans. */
const maxRemembered = 200
/** Seconds after which a client may retry a request that was refused because too many scans are running. */
const retrySeconds = 1

interface Options {
  readonly marketData: MarketData
  /** Unix seconds. */
  readonly clock: () => number
}

interface Remembered {
  readonly scan: Scan
  readonly startedAt: number
  /** Undefined while the scan runs. */
  endedAt: number | undefined
}

/**
 * The scans of all screens. Screens of the same markets share a scan, even with different keys. A scan is shared while
 * it runs and for some time after, at most until the next candle closes.
 */
export class Scans {
  readonly #remembered = recentEntries<Remembered>(maxRemembered)
  /** Running scans. */
  readonly #byAccount = new Counts()

  constructor(private readonly options: Options) {}

  /** Finds or starts the scan of markets of one exchange and timeframe. The scan may be running or ended. */
  find(
    markets: readonly [Market, ...Market[]],
    indicator: Entry,
    accountId: string,
    older?: OlderNeed,
  ): Scan | Refusal {
    const { marketData, clock } = this.options
    const [{ exchange, timeframe }] = markets
    const symbols = markets.map(({ symbol }) => symbol)
    const series = ownSeriesOf(indicator, { exchange, symbol: '', timeframe }).map(marketKey)
    const key = JSON.stringify([exchange, timeframe, symbols, series, older?.key])
    const known = this.#remembered.get(key)
    if (known && isFresh(known, timeframe, clock())) return known.scan
    if (this.#byAccount.of(accountId) >= maxScansPerAccount)
      return tooManyScreens(maxScansPerAccount, retrySeconds)
    if (this.#byAccount.total >= maxScans) return busy(retrySeconds)
    const scan = new Scan(markets, marketData, accountId, indicator, older)
    const begun: Remembered = { scan, startedAt: clock(), endedAt: undefined }
    this.#remembered.set(key, begun)
    this.#byAccount.change(accountId, 1)
    void scan.ended.then(() => {
      begun.endedAt = clock()
      this.#byAccount.change(accountId, -1)
    })
    return scan
  }
}

/**
 * Whether a scan can be reused at `now`: it is running, or it is not old and no candle has closed since its start. In a
 * scan that takes half a candle or longer, only candles closed since its end count. Otherwise such a scan would never be
 * fresh.
 */
function isFresh({ startedAt, endedAt }: Remembered, timeframe: Timeframe, now: number): boolean {
  if (endedAt === undefined) return true
  const seconds = endedAt - startedAt
  if (now < startedAt || now - endedAt >= Math.max(keptSeconds, seconds)) return false
  const since = seconds < timeframes[timeframe] / 2 ? startedAt : endedAt
  return openOf(timeframe, now) === openOf(timeframe, since)
}

/** Candles in memory of one market of a scan, or the reason why it has none. */
export type ScannedCandles =
  | { readonly market: Market; readonly error: string }
  | {
      readonly market: Market
      readonly error: undefined
      /** Candles of the market and of the other markets of the expressions. */
      readonly inputs: Inputs
      /**
       * Set if candles of this or another market are old: greatest number of seconds since the end of a market's newest
       * candle.
       */
      readonly age: number | undefined
    }

export const oldest = (ages: readonly number[]): number | undefined =>
  ages.length > 0 ? Math.max(...ages) : undefined

/** Other markets in a request's expressions that are the same for all its markets. */
export const commonOf = ({ query, exchange, timeframe }: ScannedRequest): readonly Market[] =>
  commonMarketsOf(query.indicator, { exchange, timeframe })

/** Yields the candles in memory of all markets of a scan, in order, in slices of the event loop. */
export async function* scannedCandles(
  marketData: MarketData,
  request: ScannedRequest,
  scan: Scan,
  accountId: string,
): AsyncGenerator<ScannedCandles> {
  // Computed candles are current. All others are as the scan or a feed has stored them.
  const isComputed = marketData.isComputed(request)
  // Common markets are read once for all markets.
  const common = commonOf(request)
  const readCommon = async (other: Market) =>
    marketData.refuseOld(await marketData.readWhenReady(other, accountId), other, request.maxAge)
  const commonReadings = new Map(
    await Promise.all(common.map(async other => [marketKey(other), await readCommon(other)] as const)),
  )
  const missing = [...commonReadings.values()].find(each => each.kind === 'refused')
  const { indicator } = request.query
  for (const market of scan.markets) {
    await scheduler.slice('screens')
    const refusal = scan.refusals.get(market.symbol) ?? missing?.refusal
    if (isComputed)
      for (const each of [market, ...ownSeriesOf(indicator, market)]) await marketData.read(each)
    const recall = (each: Market) => {
      const recalled = refusal ? undefined : marketData.recall(each)
      return recalled && marketData.refuseOld(recalled, each, request.maxAge)
    }
    const markets = marketsOf(indicator, market)
    const readings = markets.map((each, k) =>
      k === 0 ? recall(each) : (commonReadings.get(marketKey(each)) ?? recall(each)),
    )
    const found = readings.filter(each => each !== undefined)
    const reading = found.length === readings.length ? joinReadings(found, markets) : undefined
    const reason = refusal ?? found.find(each => each.kind === 'refused')?.refusal
    if (reading?.kind === 'candles')
      yield { market, error: undefined, inputs: reading.inputs, age: reading.age }
    else yield { market, error: reason ? fetchFailed(reason) : candlesLeftMemory() }
  }
}
