import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '../contract/market.js'
import type { Refusal } from '../contract/refusals.js'
import type { MarketData, RefusedMarket } from '../history/market-data.js'
import type { Reading } from '../history/reading.js'
import type { Turns } from '../runtime/turns.js'
import { pieceMs } from './limits.js'

/** Markets that are fetched at once: enough to keep an exchange's queue busy, and few enough to let others between. */
const concurrency = 8
/** After so many refusals in a row that say that an exchange is not available, the others are not tried. */
const maxRefusalsInRow = 16
/** Attempts to fetch a market while too many others of the account are being fetched. */
const maxAttempts = 60

/**
 * Brings the candles of many markets of one exchange up to date, a few at a time. It keeps none of them: they are in the
 * memory of the history.
 */
export class Scan {
  readonly #marketData: MarketData
  readonly #accountId: string
  readonly #turns: Turns
  /** Why the candles of a market could not be had, by symbol. */
  readonly refusals = new Map<string, Refusal>()
  /** Ends when all markets were tried. Never rejects. */
  readonly ended: Promise<void>
  /** The number of markets that were tried. */
  done = 0
  #next = 0
  #refusalsInRow = 0

  /** First fetches count for the account. Pieces of work take `turns` with those of others. */
  constructor(
    readonly markets: readonly Market[],
    marketData: MarketData,
    accountId: string,
    turns: Turns,
  ) {
    this.#marketData = marketData
    this.#accountId = accountId
    this.#turns = turns
    this.ended = Promise.all(Array.from({ length: concurrency }, () => this.#run())).then(() => {})
  }

  get hasEnded(): boolean {
    return this.done === this.markets.length
  }

  async #run(): Promise<void> {
    let start = await this.#turn()
    for (;;) {
      const market = this.markets[this.#next++]
      if (!market) return
      const reading = this.#read(market)
      const outcome = reading instanceof Promise ? await reading : reading
      this.#note(market, outcome)
      if (performance.now() - start >= pieceMs) start = await this.#turn()
    }
  }

  /** Waits until this piece of work is due, and returns when it begins. */
  #turn = () => this.#turns.run(async () => performance.now())

  #read(market: Market, attempt = 1): Reading | RefusedMarket | Promise<Reading | RefusedMarket> {
    const outcome = this.#marketData.readWhenReady(market, this.#accountId)
    return outcome instanceof Promise
      ? outcome.then(settled => this.#retry(market, settled, attempt))
      : this.#retry(market, outcome, attempt)
  }

  /** Tries a market again that was refused because the account fetches too many others. */
  #retry(
    market: Market,
    outcome: Reading | RefusedMarket,
    attempt: number,
  ): Reading | RefusedMarket | Promise<Reading | RefusedMarket> {
    if (outcome.kind !== 'refused' || outcome.refusal.status !== 429 || attempt === maxAttempts)
      return outcome
    const seconds = Number(outcome.refusal.headers?.['Retry-After'] ?? 1)
    return pause(seconds * 1000).then(() => this.#read(market, attempt + 1))
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
