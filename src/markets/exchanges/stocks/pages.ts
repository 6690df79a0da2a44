import { endOf, openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import type { Ask, HistoryBounds, PageRequest } from './provider.js'
import { sessionAt } from './trading-hours.js'

const day = 86_400
const hour = 3600
/** Minimum days of every page after the first one: a weekend with a holiday, and one day more. */
const minPageDays = 4

/** Candles of a timeframe per whole trading day. */
const candlesPerDay: Readonly<Record<Timeframe, number>> = {
  '1m': 390,
  '3m': 130,
  '5m': 78,
  '15m': 26,
  '30m': 13,
  '1h': 7,
  '2h': 4,
  '4h': 2,
  '6h': 2,
  '8h': 1,
  '12h': 1,
  '1d': 1,
  // Less than 1/2: three days may be a weekend with a holiday.
  '3d': 1 / 2.2,
  '1w': 1 / 5,
  '1M': 1 / 21,
}

interface Options {
  readonly timeframe: Timeframe
  readonly count: number
  readonly now: number
  /** Only candles that open before this time (Unix seconds). */
  readonly until: number | undefined
  readonly bounds: HistoryBounds
  readonly genesis: number
}

/**
 * Time ranges of the pages of a history, from the newest one backwards. The first page has the expected length of
 * the requested candles, and each further page is twice as long. Pages start and end at whole candles of a day or
 * more, so that no candle is cut.
 */
export class PageRanges {
  readonly oldest: number
  /** An hour after now, in case this machine's clock is behind. */
  readonly #present: number
  readonly #unit: Timeframe
  #end: number
  /** Days of the next page. 0 means only today. */
  #days: number

  constructor(private readonly options: Options) {
    const { timeframe, count, now, until, bounds, genesis } = options
    this.#unit = timeframes[timeframe] > day ? timeframe : '1d'
    const reached = Number.isFinite(bounds.historyDays)
      ? openOf('1d', now - bounds.historyDays * day) + day
      : genesis
    this.oldest = Math.max(genesis, reached)
    this.#present = Math.ceil(now) + hour
    this.#end =
      until === undefined
        ? this.#present
        : Math.min(this.#present, endOf(this.#unit, openOf(this.#unit, until - 1)))
    this.#days = isToday(timeframe, count, until ?? now, now)
      ? 0
      : calendarDays(Math.ceil(count / candlesPerDay[timeframe]))
  }

  /** Whether the provider has nothing older. */
  get isAtEnd(): boolean {
    return this.#end <= this.oldest
  }

  get isNewest(): boolean {
    return this.#end === this.#present
  }

  /** The next page: from `start` to before `end`, Unix seconds. */
  get next(): { readonly start: number; readonly end: number; readonly days: number } {
    const { now, bounds } = this.options
    const unit = this.#unit
    const end = this.#end
    let start = this.#days === 0 ? sessionAt(now).date : openOf(unit, end - this.#days * day)
    if (end - start > bounds.pageDays * day) start = endOf(unit, openOf(unit, end - bounds.pageDays * day))
    return { start: Math.max(this.oldest, start), end, days: this.#days }
  }

  /** Continues with the page before the one just answered. */
  advance(): void {
    this.#end = this.next.start
    this.#days = Math.max(minPageDays, this.#days * 2)
  }

  /** Halves the next page. Returns false if the page already has the minimum length. */
  shorten(): boolean {
    if (this.#days <= minPageDays) return false
    this.#days = Math.max(minPageDays, Math.floor(this.#days / 2))
    return true
  }
}

/**
 * Calendar days that contain `tradingDays` trading days. A year has 252 trading days. Adds three days for a weekend
 * with a holiday.
 */
const calendarDays = (tradingDays: number) => Math.ceil((tradingDays * 365) / 252) + 3

/** Whether the newest `count` candles before `end` are within today's session. */
function isToday(timeframe: Timeframe, count: number, end: number, now: number): boolean {
  const { open, close, isWeekend } = sessionAt(now)
  const length = timeframes[timeframe]
  return length < day && !isWeekend && Math.min(end, now, close) - open >= count * length
}

/** Fetches bars of securities by their spellings. Spellings may be added until the first request is sent. */
type FetchBars<Bar> = (
  spellings: ReadonlySet<string>,
  request: PageRequest,
  ask: Ask,
) => Promise<ReadonlyMap<string, readonly Bar[]>>

/** A fetch of the bars of several securities. */
interface Batch<Bar> {
  readonly spellings: Set<string>
  readonly bars: Promise<ReadonlyMap<string, readonly Bar[]>>
}

/** Maximum securities of a request, so that its address is not too long. */
const maxSpellings = 100
/** Approximate maximum of bars fetched together: five responses of Alpaca. */
const maxBatchBars = 50_000

/** Maximum number of securities fetched together, if each has a bar for every interval of the range. */
const mostOf = ({ interval, start, end }: PageRequest): number =>
  Math.max(1, Math.min(maxSpellings, Math.floor((maxBatchBars * timeframes[interval]) / (end - start))))

/**
 * Joins pages of the same range and kind into one fetch, for example those of a screen of many securities. Nothing
 * is delayed: further pages join while the request waits for its turn.
 */
export class BatchedPages<Bar> {
  readonly #waiting = new Map<string, Batch<Bar>>()

  /** @param isOfOne whether a single security may have caused the failure of a joint fetch */
  constructor(
    private readonly fetch: FetchBars<Bar>,
    private readonly isOfOne: (error: unknown) => boolean,
  ) {}

  async page(request: PageRequest, ask: Ask): Promise<readonly Bar[]> {
    const { spelling } = request
    const { spellings, bars } = this.#batch(request, ask)
    try {
      return (await bars).get(spelling) ?? []
    } catch (error) {
      if (spellings.size === 1 || !this.isOfOne(error)) throw error
      return (await this.fetch(new Set([spelling]), request, ask)).get(spelling) ?? []
    }
  }

  #batch(request: PageRequest, ask: Ask): Batch<Bar> {
    const { spelling, interval, start, end, adjustment, isBackground } = request
    const key = [interval, start, end, adjustment, isBackground].join()
    const open = this.#waiting.get(key)
    if (open && (open.spellings.has(spelling) || open.spellings.size < mostOf(request))) {
      open.spellings.add(spelling)
      return open
    }
    const spellings = new Set([spelling])
    let isOpen = true
    const close = () => {
      isOpen = false
      if (this.#waiting.get(key)?.spellings === spellings) this.#waiting.delete(key)
    }
    const bars = this.fetch(spellings, request, work =>
      ask(fetch => {
        close()
        return work(fetch)
      }),
    )
    // The fetch may fail before its turn.
    bars.then(close, close)
    const batch: Batch<Bar> = { spellings, bars }
    if (isOpen) this.#waiting.set(key, batch)
    return batch
  }
}
