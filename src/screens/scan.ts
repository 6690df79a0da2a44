import type { Snapshot } from '../candles/columns.js'
import { openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import { commonMarketsOf, hasOtherMarkets, otherMarketsOf } from '../compute/expressions/compile.js'
import { type Market, marketKey } from '../contract/market.js'
import { busy, fetchFailed, type Refusal } from '../contract/refusals.js'
import { candlesLeftMemory, tooManyScreens } from '../contract/screen-refusals.js'
import type { MarketData, Reach, RefusedMarket } from '../markets/history/market-data.js'
import { joinMarkets } from '../markets/history/multi-market-reading.js'
import type { Reading } from '../markets/history/reading.js'
import { recentEntries } from '../runtime/caches.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import { scheduler } from '../runtime/scheduler.js'
import type { ScannedRequest } from './request.js'

/** Screens of one account that fetch candles at once. */
const maxScansPerAccount = 2
/** Screens of all accounts that fetch candles at once. */
const maxScans = 20

/** Markets that are fetched at once: enough to keep an exchange's queue busy, and few enough to let others between. */
const concurrency = 8
/** After so many refusals in a row that say that an exchange is not available, the others are not tried. */
const maxRefusalsInRow = 16
/** Attempts to fetch a market while too many others of the account are being fetched. */
const maxAttempts = 60

/** Where a screen is of a time before the candles in memory. */
export interface OlderNeed {
  readonly reach: Reach
  /** Equal for two screens that need the same. */
  readonly key: string
  /** Whether the candles in memory are too few. */
  readonly isNeeded: (snapshot: Snapshot) => Promise<boolean>
}

/** The series of each market that a screen reads beside its candles. */
export interface SeriesNeed {
  readonly seriesOf: (market: Market) => readonly Market[]
  /** Equal for two screens that need the same. */
  readonly key: string
}

/**
 * Brings the candles of many markets of one exchange up to date, a few at a time. It keeps none of them: they are in the
 * memory of the history.
 */
export class Scan {
  readonly #marketData: MarketData
  readonly #accountId: string
  /** Why the candles of a market could not be had, by symbol. */
  readonly refusals = new Map<string, Refusal>()
  /** Ends when all markets were tried. Never rejects. */
  readonly ended: Promise<void>
  /** The number of markets that were tried. */
  done = 0
  #next = 0
  #refusalsInRow = 0

  /** First fetches count for the account. Candles before those in memory are fetched, too, where they are needed. */
  constructor(
    readonly markets: readonly Market[],
    marketData: MarketData,
    accountId: string,
    readonly older?: OlderNeed,
    readonly series?: SeriesNeed,
  ) {
    this.#marketData = marketData
    this.#accountId = accountId
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

  /** Reads a market, again and again while it is refused because the account fetches too many others. */
  async #read(market: Market): Promise<Reading | RefusedMarket> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.read(market)
      if (outcome.kind !== 'refused' || outcome.refusal.status !== 429 || attempt === maxAttempts)
        return outcome
      await pause(Number(outcome.refusal.headers?.['Retry-After'] ?? 1) * 1000)
    }
  }

  /** The candles of a market, with those before the ones in memory and its series where they are needed. Never rejects. */
  async read(market: Market): Promise<Reading | RefusedMarket> {
    for (const each of this.series?.seriesOf(market) ?? []) {
      const series = await this.#marketData.readWhenReady(each, this.#accountId)
      if (series.kind === 'refused') return series
    }
    const outcome = await this.#marketData.readWhenReady(market, this.#accountId)
    const { older } = this
    if (outcome.kind === 'refused' || !older || !(await older.isNeeded(outcome.snapshot))) return outcome
    return this.#marketData.readWhenReady(market, this.#accountId, older.reach)
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

  /** Refuses the markets that were not tried yet. */
  #giveUp(refusal: Refusal): void {
    for (const market of this.markets.slice(this.#next)) {
      this.refusals.set(market.symbol, refusal)
      this.done++
    }
    this.#next = this.markets.length
  }
}

/** Candles of a scan are used for so many seconds, or for as long as it took where that is longer. */
const keptSeconds = 30
/** Scans that have ended and are remembered. */
const maxRemembered = 200
/** Seconds after which a request may be repeated that was refused because too many scans are under way. */
const retrySeconds = 1

interface Options {
  readonly marketData: MarketData
  /** Unix seconds. */
  readonly clock: () => number
}

interface Remembered {
  readonly scan: Scan
  readonly startedAt: number
  /** Undefined while it is under way. */
  endedAt: number | undefined
}

/**
 * The scans of all screens. Screens of the same markets share one, also those of different keys: as long as it is under way, and for a
 * while after it, unless a candle has closed since.
 */
export class Scans {
  readonly #options: Options
  readonly #ended = recentEntries<Remembered>(maxRemembered)
  readonly #underWay = new Map<string, Remembered>()
  readonly #byAccount = new Counts()

  constructor(options: Options) {
    this.#options = options
  }

  /** The scan of these markets of one exchange and timeframe, which has ended or not. */
  find(
    markets: readonly Market[],
    timeframe: Timeframe,
    accountId: string,
    older?: OlderNeed,
    series?: SeriesNeed,
  ): Scan | Refusal {
    const { marketData, clock } = this.#options
    const key = keyOfAll(markets) + (older ? ` ${older.key}` : '') + (series ? ` ${series.key}` : '')
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay.scan
    const ended = this.#ended.get(key)
    if (ended && isFresh(ended, timeframe, clock())) return ended.scan
    if (this.#byAccount.of(accountId) >= maxScansPerAccount)
      return tooManyScreens(maxScansPerAccount, retrySeconds)
    if (this.#underWay.size >= maxScans) return busy(retrySeconds)
    const scan = new Scan(markets, marketData, accountId, older, series)
    const begun: Remembered = { scan, startedAt: clock(), endedAt: undefined }
    this.#underWay.set(key, begun)
    this.#byAccount.change(accountId, 1)
    const end = () => {
      this.#underWay.delete(key)
      begun.endedAt = clock()
      this.#ended.set(key, begun)
      this.#byAccount.change(accountId, -1)
    }
    void scan.ended.then(end)
    return scan
  }
}

const keyOfAll = (markets: readonly Market[]): string => {
  const { exchange = '', timeframe = '' } = markets[0] ?? {}
  return `${exchange}:${timeframe}:${markets.map(({ symbol }) => symbol).join()}`
}

/**
 * Whether a scan need not be repeated at `now`: it is not old, and no candle has closed since it began. Where it takes as
 * long as candles do, one always closes meanwhile; then those count that have closed since it ended.
 */
function isFresh({ startedAt, endedAt = startedAt }: Remembered, timeframe: Timeframe, now: number): boolean {
  const seconds = endedAt - startedAt
  if (now < startedAt || now - endedAt >= Math.max(keptSeconds, seconds)) return false
  const since = seconds < timeframes[timeframe] / 2 ? startedAt : endedAt
  return openOf(timeframe, now) === openOf(timeframe, since)
}

/** The candles of one market of a scan as they are in memory, or why it has none. */
export type ScannedCandles =
  | { readonly market: Market; readonly error: string }
  | {
      readonly market: Market
      readonly error: undefined
      /** With those of the other markets of the expressions. */
      readonly joined: Snapshot
      readonly own: Snapshot
      /** Where they, or those of another market, are old: seconds since the end of the newest one of the oldest. */
      readonly age: number | undefined
    }

/** The greatest of some ages; undefined where there is none. */
export const oldest = (ages: readonly number[]): number | undefined =>
  ages.length > 0 ? Math.max(...ages) : undefined

/** The other markets of the expressions of a request that are the same for all of its markets. */
export const commonOf = ({ compiled, exchange, timeframe }: ScannedRequest): readonly Market[] =>
  commonMarketsOf(compiled.spec.indicator, { exchange, timeframe })

/** The series that the expressions of a request read of each market; undefined where these are none. */
export function seriesNeed(request: ScannedRequest): SeriesNeed | undefined {
  const { exchange, timeframe } = request
  const { indicator } = request.compiled.spec
  const common = new Set(commonOf(request).map(marketKey))
  const seriesOf = (market: Market) =>
    otherMarketsOf(indicator, market).filter(other => !common.has(marketKey(other)))
  const named = seriesOf({ exchange, symbol: '', timeframe })
  return named.length === 0 ? undefined : { seriesOf, key: named.map(marketKey).join() }
}

/** The candles in memory of all markets of a scan, in their order, in turns of the event loop. */
export async function* scannedCandles(
  marketData: MarketData,
  request: ScannedRequest,
  scan: Scan,
  accountId: string,
): AsyncGenerator<ScannedCandles> {
  // Candles that are computed are as they are now, all others as the scan or a feed has left them.
  const isComputed = marketData.isComputed(request)
  // One reading of each for all markets.
  const common = commonOf(request)
  const readCommon = async (other: Market) =>
    marketData.refuseOld(await marketData.readWhenReady(other, accountId), other, request.maxAge)
  const commonReadings = new Map(
    await Promise.all(common.map(async other => [marketKey(other), await readCommon(other)] as const)),
  )
  const missing = [...commonReadings.values()].find(each => each.kind === 'refused')
  const { indicator } = request.compiled.spec
  const hasOthers = hasOtherMarkets(indicator)
  for (const market of scan.markets) {
    await scheduler.slice('screens')
    const refusal = scan.refusals.get(market.symbol) ?? missing?.refusal
    if (isComputed)
      for (const each of [market, ...(scan.series?.seriesOf(market) ?? [])]) await marketData.read(each)
    const recall = (each: Market) => {
      const recalled = refusal ? undefined : marketData.recall(each)
      return recalled && marketData.refuseOld(recalled, each, request.maxAge)
    }
    const others = hasOthers ? otherMarketsOf(indicator, market) : []
    const readings = [
      recall(market),
      ...others.map(each => commonReadings.get(marketKey(each)) ?? recall(each)),
    ]
    const reason = refusal ?? readings.find(each => each?.kind === 'refused')?.refusal
    const [own, ...snapshots] = readings.flatMap(each => (each?.kind === 'candles' ? [each.snapshot] : []))
    if (own === undefined || snapshots.length < others.length) {
      yield { market, error: reason ? fetchFailed(reason) : candlesLeftMemory() }
      continue
    }
    const joined = hasOthers ? joinMarkets(market, others, own, snapshots) : own
    const age = oldest(readings.flatMap(each => (each?.kind === 'candles' ? (each.age ?? []) : [])))
    yield { market, error: undefined, joined, own, age }
  }
}
