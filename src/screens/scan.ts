import type { Snapshot } from '../candles/columns.js'
import type { Market } from '../contract/market.js'
import type { Refusal } from '../contract/refusals.js'
import type { MarketData, Reach, RefusedMarket } from '../markets/history/market-data.js'
import type { Reading } from '../markets/history/reading.js'
import { pause } from '../runtime/pause.js'
import { scheduler } from '../runtime/scheduler.js'

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
