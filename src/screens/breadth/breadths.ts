import type { Snapshot } from '../../candles/columns.js'
import { withinRange } from '../../compute/answer.js'
import type { Measure } from '../../compute/expressions/measures.js'
import type { Query, QueryWindow } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { finishInSlices, scheduler } from '../../runtime/scheduler.js'
import { oldest, type Scan, type ScannedCandles, scannedCandles } from '../scan.js'
import { failure, type ScreenAnswer, type ScreenerOptions, staleText } from '../screener.js'
import { BreadthSeries, closedUntil, type MarketValues } from './breadth-series.js'
import type { BreadthRequest } from './request.js'

/** The candles of the markets of a breadth at one moment. */
interface Markets {
  readonly candles: readonly Extract<ScannedCandles, { readonly error: undefined }>[]
  /** The markets that have none, with JSON texts: `{ symbol, error }`. */
  readonly failed: ReadonlyMap<string, string>
}

/** What of a market a live breadth has counted. */
type Counted = Pick<Snapshot, 'columns' | 'closed' | 'forming'>

/** Measures over many markets from the candles in memory, which scans bring up to date. */
export class Breadths {
  readonly #options: ScreenerOptions

  constructor(options: ScreenerOptions) {
    this.#options = options
  }

  /** The answer to a request whose scan has ended. What takes long is computed by threads, for the account `accountId`. */
  async answer(request: BreadthRequest, scan: Scan, accountId: string): Promise<ScreenAnswer | Refusal> {
    const markets = await this.marketsOf(request, scan, accountId)
    const filled = await this.fill(request, markets, accountId)
    const text = await this.answerText(request, filled, request.window, accountId, false)
    const age = oldest(markets.candles.flatMap(each => each.age ?? []))
    return isRefusal(text) ? text : { text: `{${text}${staleOf(markets)}}`, age }
  }

  /** A breadth that goes on. */
  live(request: BreadthRequest, accountId: string): LiveBreadth {
    return new LiveBreadth(this, request, accountId)
  }

  /** The candles of all markets of a scan that are in memory. */
  async marketsOf(request: BreadthRequest, scan: Scan, accountId: string): Promise<Markets> {
    const candles: Extract<ScannedCandles, { readonly error: undefined }>[] = []
    const failed = new Map<string, string>()
    for await (const each of scannedCandles(this.#options.marketData, request, scan, accountId))
      if (each.error === undefined) candles.push(each)
      else failed.set(each.market.symbol, failure(each.market.symbol, each.error))
    return { candles, failed }
  }

  /** All values of all markets. */
  async fill(request: BreadthRequest, { candles, failed }: Markets, accountId: string): Promise<Filled> {
    const until = closedUntil(candles.map(({ joined }) => joined))
    const series = new BreadthSeries(request.measures, request.compiled.outputs.length, until)
    const failures = [...failed.values()]
    let screened = 0
    for (const { market, joined } of candles) {
      const values = await this.#allValuesOf(request, joined, accountId)
      if (isRefusal(values)) failures.push(failure(market.symbol, values.error))
      else {
        await finishInSlices('screens', series.fill(market.symbol, values))
        screened++
      }
    }
    await series.finish()
    const isFull = candles.some(({ own }) => own.isFull)
    return { series, screened, failed: failures, isFull }
  }

  /** The values over all candles of one market. */
  async #allValuesOf(
    { query }: BreadthRequest,
    snapshot: Snapshot,
    accountId: string,
  ): Promise<MarketValues | Refusal> {
    await scheduler.slice('screens')
    const found = await this.#options.executor.executeColumns([{ query, snapshot }], { accountId })
    if (isRefusal(found)) return found
    const [packed] = found as readonly [Float64Array | Refusal]
    if (isRefusal(packed)) return packed
    const rows = packed.length / (1 + query.indicator.columns)
    const [timestamp, ...outputs] = Array.from({ length: packed.length / rows }, (_, k) =>
      packed.subarray(k * rows, (k + 1) * rows),
    ) as [Float64Array, ...Float64Array[]]
    return { timestamp, outputs }
  }

  /** The newest values of one market, of results that are kept. */
  async newestValuesOf(
    { compiled, query }: BreadthRequest,
    results: number,
    snapshot: Snapshot,
    accountId: string,
  ): Promise<MarketValues | Refusal> {
    const text = await this.#answerText({ ...query, results }, snapshot, accountId, true)
    if (isRefusal(text)) return text
    const values: Readonly<Record<string, readonly (number | boolean | null)[]>> = JSON.parse(text)
    const column = (name: string) =>
      Float64Array.from(values[name] ?? [], value => Number(value ?? Number.NaN))
    return { timestamp: column('timestamp'), outputs: compiled.outputs.map(({ name }) => column(name)) }
  }

  /** The values of all measures in a window, as the fields of a JSON object. `isKept` where they are wanted again and again. */
  async answerText(
    { measures }: BreadthRequest,
    { series, screened, failed, isFull }: Filled,
    window: QueryWindow,
    accountId: string,
    isKept: boolean,
  ): Promise<string | Refusal> {
    const texts: string[] = []
    let times: readonly number[] = []
    for (const [k, measure] of measures.entries()) {
      await scheduler.slice('screens')
      const text = await this.#textOfMeasure(measure, series.snapshotOf(k, isFull), window, accountId, isKept)
      if (isRefusal(text)) return text
      // The times are those of all measures.
      const end = text.lastIndexOf(timesField)
      if (k === 0) times = JSON.parse(text.slice(end + timesField.length, -1))
      texts.push(`${JSON.stringify(measure.name)}:${text.slice(0, end)}}`)
    }
    const isForming = series.formingTime !== undefined && times.at(-1) === series.formingTime
    return `"timestamp":${JSON.stringify(times)},"measures":{${texts.join(',')}},"forming":${isForming},"screened":${screened},"failed":[${failed.join(',')}]`
  }

  async #textOfMeasure(
    { compiled }: Measure,
    snapshot: Snapshot,
    window: QueryWindow,
    accountId: string,
    isKept: boolean,
  ): Promise<string | Refusal> {
    if (snapshot.count === 0) return '{"markets":[],"value":[],"timestamp":[]}'
    const query = withinRange({ ...compiled.spec, ...window }, snapshot)
    return this.#answerText(query, snapshot, accountId, isKept)
  }

  #answerText(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
    isKept: boolean,
  ): Promise<string | Refusal> {
    return this.#options.executor.answerText({ query, snapshot, isCharted: true, isKept }, { accountId })
  }
}

/** The member `stale` of an answer, where there are markets with old candles. */
const staleOf = ({ candles }: Pick<Markets, 'candles'>): string =>
  staleText(
    candles.flatMap(({ market: { symbol }, age }) =>
      age === undefined ? [] : JSON.stringify({ symbol, age }),
    ),
  )

/** The markets that have no candles, as one text. Their errors are left out, because the text of an error may change each second. */
const failedOf = ({ failed }: Pick<Markets, 'failed'>): string => [...failed.keys()].join()

/** What stands before the times in the values of a measure. */
const timesField = ',"timestamp":'

/** A breadth with the values of all markets. */
interface Filled {
  readonly series: BreadthSeries
  /** Markets whose values were looked at. */
  readonly screened: number
  readonly failed: readonly string[]
  readonly isFull: boolean
}

/** What a live breadth sends. */
export interface BreadthState {
  /** Whether it is all that the request asks for; else it has only candles that have come or changed. */
  readonly isWhole: boolean
  /** The fields of a JSON object. */
  readonly text: string
  /** To be called when it was sent. */
  sent(): void
}

/** A breadth that goes on: it takes what is new of each market, and knows what was sent. */
export class LiveBreadth {
  readonly #breadths: Breadths
  readonly #request: BreadthRequest
  readonly #accountId: string
  readonly #counted = new Map<string, Counted>()
  #filled: Filled | undefined
  #failed = ''
  /** When the first candle opens of what is sent next; undefined where all is. */
  #sentFrom: number | undefined
  #hasBegun = false
  /** Whether there is something that was not sent. */
  #hasNews = true

  constructor(breadths: Breadths, request: BreadthRequest, accountId: string) {
    this.#breadths = breadths
    this.#request = request
    this.#accountId = accountId
  }

  /** What has come or changed since the state that was sent last; undefined where nothing has. */
  async next(scan: Scan): Promise<BreadthState | undefined | Refusal> {
    const markets = await this.#breadths.marketsOf(this.#request, scan, this.#accountId)
    const filled = (await this.#goOn(markets)) ?? (await this.#fill(markets))
    const from = this.#sentFrom
    const window: QueryWindow =
      from === undefined
        ? this.#request.window
        : { results: Number.POSITIVE_INFINITY, backtrack: 0, range: { from, to: Number.POSITIVE_INFINITY } }
    const { series } = filled
    const newest = series.formingTime ?? series.closedTime
    if (!this.#hasNews || (from !== undefined && (newest === undefined || newest < from))) return undefined
    const text = await this.#breadths.answerText(this.#request, filled, window, this.#accountId, true)
    if (isRefusal(text)) return text
    return {
      isWhole: !this.#hasBegun,
      text: text + staleOf(markets),
      sent: () => {
        this.#hasNews = false
        this.#hasBegun = true
        const { formingTime, closedTime } = series
        this.#sentFrom = formingTime ?? (closedTime === undefined ? undefined : closedTime + 1)
      },
    }
  }

  /** Fills in all markets. What was sent may be different. */
  async #fill(markets: Markets): Promise<Filled> {
    const filled = await this.#breadths.fill(this.#request, markets, this.#accountId)
    this.#counted.clear()
    for (const { market, joined } of markets.candles) this.#counted.set(market.symbol, joined)
    this.#failed = failedOf(markets)
    this.#filled = filled
    this.#sentFrom = undefined
    this.#hasNews = true
    return filled
  }

  /** Takes what is new of each market; undefined where all has to be filled in anew. */
  async #goOn(markets: Markets): Promise<Filled | undefined> {
    const filled = this.#filled
    const { candles } = markets
    if (!filled || failedOf(markets) !== this.#failed || candles.length !== this.#counted.size)
      return undefined
    const { series } = filled
    for (const { market, joined } of candles) {
      const counted = this.#counted.get(market.symbol)
      const { columns, closed, forming } = joined
      if (!counted || counted.columns !== columns || counted.closed > closed) return undefined
      if (counted.closed === closed && counted.forming === forming) continue
      await scheduler.slice('screens')
      const results = closed - counted.closed + (forming ? 1 : 0)
      if (results === 0) return undefined
      this.#hasNews = true
      const values = await this.#breadths.newestValuesOf(this.#request, results, joined, this.#accountId)
      if (isRefusal(values)) return undefined
      // What was forming has closed, or is forming yet.
      if (counted.forming && counted.forming.timestamp !== values.timestamp[0]) return undefined
      if (!series.update(market.symbol, values)) return undefined
      this.#counted.set(market.symbol, joined)
    }
    return series.advance(closedUntil(candles.map(({ joined }) => joined))) ? filled : undefined
  }
}
