import { openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import { busy, type Refusal } from '../contract/refusals.js'
import { tooManyScreens } from '../contract/screen-refusals.js'
import type { MarketData } from '../markets/history/market-data.js'
import { Counts } from '../runtime/counts.js'
import { recentEntries } from '../runtime/recent-entries.js'
import { maxScans, maxScansPerAccount } from './limits.js'
import { type OlderNeed, Scan, type SeriesNeed } from './scan.js'

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
