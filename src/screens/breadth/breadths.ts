import type { Inputs, Snapshot } from '../../candles/columns.js'
import { withinRange } from '../../compute/answer.js'
import type { Query, QueryWindow } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { finishInSlices, scheduler } from '../../runtime/scheduler.js'
import { oldest, type Scan, type ScannedCandles, scannedCandles } from '../scan.js'
import { failure, type LiveUpdate, type ScreenAnswer, type ScreenerOptions, staleText } from '../screener.js'
import { BreadthSeries, closedUntil, type MarketValues } from './breadth-series.js'
import type { BreadthRequest } from './request.js'

/** Candles of the markets of a breadth at one moment. */
interface Markets {
  readonly candles: readonly Extract<ScannedCandles, { readonly error: undefined }>[]
  /** Markets without candles, with JSON texts: `{ symbol, error }`. */
  readonly failed: ReadonlyMap<string, string>
}

/** Candles of a market that a live breadth has already counted. */
type Counted = Pick<Snapshot, 'columns' | 'closed' | 'forming'>

/** Computes measures over many markets from the candles in memory, which scans refresh. */
export class Breadths {
  constructor(private readonly options: ScreenerOptions) {}

  /** Answers a request after its scan. Long computations run on worker threads, for the account `accountId`. */
  async answer(request: BreadthRequest, scan: Scan, accountId: string): Promise<ScreenAnswer | Refusal> {
    const run = new BreadthRun(this.options, request, accountId)
    const markets = await run.marketsOf(scan)
    const text = await run.answerText(await run.fill(markets), request.window, false)
    const age = oldest(markets.candles.flatMap(each => each.age ?? []))
    return isRefusal(text) ? text : { text: `{${text}${staleOf(markets)}}`, age }
  }

  live(request: BreadthRequest, accountId: string): LiveBreadth {
    return new LiveBreadth(new BreadthRun(this.options, request, accountId))
  }
}

/** Computations of one request for an account. */
class BreadthRun {
  constructor(
    private readonly options: ScreenerOptions,
    readonly request: BreadthRequest,
    private readonly accountId: string,
  ) {}

  async marketsOf(scan: Scan): Promise<Markets> {
    const candles: Extract<ScannedCandles, { readonly error: undefined }>[] = []
    const failed = new Map<string, string>()
    for await (const each of scannedCandles(this.options.marketData, this.request, scan, this.accountId))
      if (each.error === undefined) candles.push(each)
      else failed.set(each.market.symbol, failure(each.market.symbol, each.error))
    return { candles, failed }
  }

  async fill({ candles, failed }: Markets): Promise<Filled> {
    const until = closedUntil(candles.map(({ inputs }) => inputs[0]))
    const { measures, compiled } = this.request
    const series = new BreadthSeries(measures, compiled.outputs.length, until)
    const failures = [...failed.values()]
    let screened = 0
    for (const { market, inputs } of candles) {
      const values = await this.#allValuesOf(inputs)
      if (isRefusal(values)) failures.push(failure(market.symbol, values.error))
      else {
        await finishInSlices('screens', series.fill(market.symbol, values))
        screened++
      }
    }
    await series.finish()
    const isFull = candles.some(({ inputs }) => inputs[0].isFull)
    return { series, screened, failed: failures, isFull }
  }

  /** Computes the values of one market over all its candles. */
  async #allValuesOf(inputs: Inputs): Promise<MarketValues | Refusal> {
    const { query } = this.request
    await scheduler.slice('screens')
    const accountId = this.accountId
    const found = await this.options.executor.executeColumns([{ query, inputs }], { accountId })
    if (isRefusal(found)) return found
    const [packed] = found as readonly [Float64Array | Refusal]
    if (isRefusal(packed)) return packed
    const rows = packed.length / (1 + query.indicator.columns)
    const [timestamp, ...outputs] = Array.from({ length: packed.length / rows }, (_, k) =>
      packed.subarray(k * rows, (k + 1) * rows),
    ) as [Float64Array, ...Float64Array[]]
    return { timestamp, outputs }
  }

  /** Newest values of one market, from cached results. */
  async newestValuesOf(results: number, inputs: Inputs): Promise<MarketValues | Refusal> {
    const { compiled, query } = this.request
    const text = await this.#answerText({ ...query, results }, inputs, true)
    if (isRefusal(text)) return text
    const values: Readonly<Record<string, readonly (number | boolean | null)[]>> = JSON.parse(text)
    const column = (name: string) =>
      Float64Array.from(values[name] ?? [], value => Number(value ?? Number.NaN))
    return { timestamp: column('timestamp'), outputs: compiled.outputs.map(({ name }) => column(name)) }
  }

  /**
   * Values of all measures in a window, as the fields of a JSON object. `isKept` is set if the values are requested
   * repeatedly.
   */
  async answerText(
    { series, screened, failed, isFull }: Filled,
    window: QueryWindow,
    isKept: boolean,
  ): Promise<string | Refusal> {
    const texts: string[] = []
    let times: readonly number[] = []
    for (const [k, { name, compiled }] of this.request.measures.entries()) {
      await scheduler.slice('screens')
      const snapshot = series.snapshotOf(k, isFull)
      const query = () => withinRange({ ...compiled.spec, ...window }, snapshot)
      const text = snapshot.count === 0 ? noValues : await this.#answerText(query(), [snapshot], isKept)
      if (isRefusal(text)) return text
      // All measures have the same times.
      const end = text.lastIndexOf(timesField)
      if (k === 0) times = JSON.parse(text.slice(end + timesField.length, -1))
      texts.push(`${JSON.stringify(name)}:${text.slice(0, end)}}`)
    }
    const isForming = series.formingTime !== undefined && times.at(-1) === series.formingTime
    return `"timestamp":${JSON.stringify(times)},"measures":{${texts.join(',')}},"forming":${isForming},"screened":${screened},"failed":[${failed.join(',')}]`
  }

  #answerText(query: Query, inputs: Inputs, isKept: boolean): Promise<string | Refusal> {
    const question = { query, inputs, isCharted: true, isKept }
    return this.options.executor.answerText(question, { accountId: this.accountId })
  }
}

/** Member `stale` of an answer; empty if no market has old candles. */
const staleOf = ({ candles }: Pick<Markets, 'candles'>): string =>
  staleText(
    candles.flatMap(({ market: { symbol }, age }) =>
      age === undefined ? [] : JSON.stringify({ symbol, age }),
    ),
  )

/** Symbols without candles, as one text. The errors are left out, because an error text may change every second. */
const failedOf = ({ failed }: Pick<Markets, 'failed'>): string => [...failed.keys()].join()

/** Text before the times in the values of a measure. */
const timesField = ',"timestamp":'
/** Values of a measure over markets without candles. */
const noValues = '{"markets":[],"value":[],"timestamp":[]}'

interface Filled {
  readonly series: BreadthSeries
  /** Number of markets with values. */
  readonly screened: number
  readonly failed: readonly string[]
  readonly isFull: boolean
}

/** A live breadth: applies new values of each market, and tracks the sent candles. */
export class LiveBreadth {
  readonly #counted = new Map<string, Counted>()
  #filled: Filled | undefined
  #failed = ''
  /** Open time of the first candle of the next update; undefined to send everything. */
  #sentFrom: number | undefined
  #hasBegun = false
  /** Whether something has changed since the last sent update. */
  #hasNews = true

  constructor(private readonly run: BreadthRun) {}

  /** New and changed candles since the last sent update; undefined if there are none. */
  async next(scan: Scan): Promise<LiveUpdate | undefined | Refusal> {
    const markets = await this.run.marketsOf(scan)
    const filled = (await this.#goOn(markets)) ?? (await this.#fill(markets))
    const from = this.#sentFrom
    const window: QueryWindow =
      from === undefined
        ? this.run.request.window
        : { results: Number.POSITIVE_INFINITY, backtrack: 0, range: { from, to: Number.POSITIVE_INFINITY } }
    const { series } = filled
    const newest = series.formingTime ?? series.closedTime
    if (!this.#hasNews || (from !== undefined && (newest === undefined || newest < from))) return undefined
    const text = await this.run.answerText(filled, window, true)
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

  /** Refills all markets. The next update has all values, because values that were sent may have changed. */
  async #fill(markets: Markets): Promise<Filled> {
    const filled = await this.run.fill(markets)
    this.#counted.clear()
    for (const { market, inputs } of markets.candles) this.#counted.set(market.symbol, inputs[0])
    this.#failed = failedOf(markets)
    this.#filled = filled
    this.#sentFrom = undefined
    this.#hasNews = true
    return filled
  }

  /** Applies new values of each market. Undefined if all markets must be refilled. */
  async #goOn(markets: Markets): Promise<Filled | undefined> {
    const filled = this.#filled
    const { candles } = markets
    if (!filled || failedOf(markets) !== this.#failed || candles.length !== this.#counted.size)
      return undefined
    const { series } = filled
    for (const { market, inputs } of candles) {
      const counted = this.#counted.get(market.symbol)
      const { columns, closed, forming } = inputs[0]
      if (!counted || counted.columns !== columns || counted.closed > closed) return undefined
      if (counted.closed === closed && counted.forming === forming) continue
      await scheduler.slice('screens')
      const results = closed - counted.closed + (forming ? 1 : 0)
      if (results === 0) return undefined
      this.#hasNews = true
      const values = await this.run.newestValuesOf(results, inputs)
      if (isRefusal(values)) return undefined
      // The candle that was forming must have closed or still be forming.
      if (counted.forming && counted.forming.timestamp !== values.timestamp[0]) return undefined
      if (!series.update(market.symbol, values)) return undefined
      this.#counted.set(market.symbol, inputs[0])
    }
    return series.advance(closedUntil(candles.map(({ inputs }) => inputs[0]))) ? filled : undefined
  }
}
