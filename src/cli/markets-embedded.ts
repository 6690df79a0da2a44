import type { Candle } from '../candles/candle.js'
import { barsOf } from '../candles/charts/bars.js'
import type { Chart } from '../candles/charts/chart.js'
import { candleAt, type Snapshot } from '../candles/columns.js'
import type {
  BreadthRequest,
  BreadthResult,
  Evaluation,
  EvaluationRequest,
  ScreenProgress,
  ScreenRequest,
  ScreenResult,
} from '../client/types.js'
import { answer, refuseShort } from '../compute/answer.js'
import { Executor } from '../compute/executor.js'
import { Expressions } from '../compute/expressions/expressions.js'
import { BodyParser } from '../compute/json/body-parser.js'
import { Calculator } from '../compute/kernels/calculator.js'
import { jsonUpdates, LiveCalculation } from '../compute/results/live-calculation.js'
import { ResultCache } from '../compute/results/result-cache.js'
import { readObject } from '../contract/body.js'
import { maxConstructs } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec, LiveSpec } from '../contract/query.js'
import { type ExchangeLookup, ExchangeRegistry } from '../markets/exchanges/registry.js'
import { FeedRegistry } from '../markets/feeds/feed-registry.js'
import { sourceRefusal } from '../markets/history/failure.js'
import { History } from '../markets/history/history.js'
import { findExchange, MarketData } from '../markets/history/market-data.js'
import { configure } from '../operate/settings/config.js'
import { Breadths } from '../screens/breadth/breadths.js'
import { readBreadth } from '../screens/breadth/request.js'
import { evaluateAtOnce } from '../screens/evaluation/evaluation.js'
import { compileConditions, readEvaluation } from '../screens/evaluation/request.js'
import { readScreen, type ScannedRequest } from '../screens/request.js'
import type { Scan } from '../screens/scan.js'
import { Screener, type ScreenerOptions } from '../screens/screener.js'
import { CommandFailure, orFail } from './failure.js'
import type { FollowOptions, IndicatorValues, Markets } from './markets.js'

/** How often the progress of a screen is reported, in milliseconds. */
const progressMs = 200

/**
 * Markets as a service has them, in this process: nothing is stored, so it works beside a running service, and candles
 * are fetched anew by each process.
 */
export class EmbeddedMarkets implements Markets {
  readonly #exchanges: ExchangeLookup
  readonly #clock: () => number
  readonly #history: History
  readonly #data: MarketData
  readonly #calculator = new Calculator()
  readonly #executor = new Executor({
    ...{ calculator: this.#calculator, bodyParser: new BodyParser(), resultCache: new ResultCache(1) },
    ...{ threads: 1, maxQueuedTasks: maxConstructs, inlineBudgetUs: 400, inlineBodyBytes: 65_536 },
    onFailure: error => {
      throw error
    },
  })

  constructor(
    exchanges: ExchangeLookup = new ExchangeRegistry(configure()),
    clock = () => Date.now() / 1000,
  ) {
    const { historyDepth, historyBytes, refreshSeconds } = configure()
    this.#exchanges = exchanges
    this.#clock = clock
    this.#history = new History({ depth: historyDepth, bytes: historyBytes, refreshSeconds, clock })
    this.#data = new MarketData(exchanges, this.#history)
  }

  async candles(market: Market, count: number, chart?: Chart): Promise<readonly Candle[]> {
    const snapshot = barsOf(chart, await this.#read(market))
    const from = Math.max(0, snapshot.count - count)
    return Array.from({ length: snapshot.count - from }, (_, i) => candleAt(snapshot, from + i))
  }

  async values(market: Market, spec: IndicatorSpec, count: number): Promise<IndicatorValues> {
    const query = { ...spec, results: count, backtrack: 0 }
    const text = answer(this.#calculator, query, barsOf(spec.chart, await this.#read(market)))
    if (typeof text !== 'string') throw new CommandFailure(text.error)
    return JSON.parse(text)
  }

  async screen(body: ScreenRequest, onProgress: (progress: ScreenProgress) => void): Promise<ScreenResult> {
    const request = orFail(readScreen(orFail(readObject(body)), new Expressions()))
    const [scan, options] = await this.#scan(request, onProgress)
    return JSON.parse((await new Screener(options).answer(request, scan, '')).text)
  }

  async breadth(
    body: BreadthRequest,
    onProgress: (progress: ScreenProgress) => void,
  ): Promise<BreadthResult> {
    const request = orFail(readBreadth(orFail(readObject(body)), new Expressions()))
    const [scan, options] = await this.#scan(request, onProgress)
    return JSON.parse(orFail(await new Breadths(options).answer(request, scan, '')).text)
  }

  async evaluate(body: EvaluationRequest): Promise<Evaluation> {
    const { request, source } = orFail(readEvaluation(orFail(readObject(body))))
    if (!('market' in source)) throw new CommandFailure('a market is needed')
    const compiled = orFail(compileConditions(request, source.market.timeframe))
    const candles = barsOf(request.chart, await this.#read(source.market))
    return orFail(evaluateAtOnce(this.#calculator, compiled, request, candles))
  }

  async follow(market: Market, spec: LiveSpec, options: FollowOptions): Promise<void> {
    const { closedOnly, signal, onUpdate, onNote } = options
    const { id, source } = orFail(findExchange(this.#exchanges, market.exchange))
    const live = new LiveCalculation(this.#calculator, spec, jsonUpdates(spec))
    const emit = (text: string, closed: boolean) => onUpdate({ closed, data: JSON.parse(text) })
    const feeds = this.#openFeeds(onNote)
    try {
      const listed = await Promise.race([this.#data.fetchListed(market), aborted(signal)])
      if (!listed) return
      const followed = feeds.follow(listed, source, snapshot => {
        const { closed, forming } = live.advance(barsOf(spec.chart, snapshot))
        for (const text of closed) emit(text, true)
        if (forming !== undefined && !closedOnly) emit(forming, false)
      })
      const feed = await Promise.race([followed, aborted(signal)]).catch(error => {
        throw new CommandFailure(sourceRefusal(error, id, listed.symbol).error)
      })
      if (!feed) return
      const snapshot = barsOf(spec.chart, feed.snapshot())
      live.advance(snapshot)
      const forming = closedOnly ? undefined : live.forming
      const text = forming ?? live.closed
      if (text === undefined) {
        const tooShort = refuseShort({ ...spec, results: 1, backtrack: 0 }, snapshot)
        throw new CommandFailure(tooShort?.error ?? 'there is no value yet')
      }
      emit(text, forming === undefined)
      await aborted(signal)
    } finally {
      await feeds.close()
    }
  }

  close(): Promise<void> {
    return this.#exchanges.close()
  }

  /** The markets of a request when they were fetched, and what reads them. */
  async #scan(
    request: ScannedRequest,
    onProgress: (progress: ScreenProgress) => void,
  ): Promise<[Scan, ScreenerOptions]> {
    const options = {
      marketData: this.#data,
      exchanges: this.#exchanges,
      executor: this.#executor,
      clock: this.#clock,
    }
    // This process belongs to one user, so the bounds of plans do not apply.
    const scan = orFail(await new Screener(options).scan(request, { id: '', constructs: maxConstructs }))
    const timer = setInterval(() => onProgress({ done: scan.done, total: scan.markets.length }), progressMs)
    await scan.ended.finally(() => clearInterval(timer))
    return [scan, options]
  }

  async #read(market: Market): Promise<Snapshot> {
    const reading = await this.#data.readWhenReady(await this.#data.fetchListed(market))
    if (reading.kind === 'refused') throw new CommandFailure(reading.refusal.error)
    return reading.snapshot
  }

  #openFeeds(onNote: (text: string) => void): FeedRegistry {
    const { refreshSeconds: pollSeconds, formingPerSecond } = configure()
    return new FeedRegistry({
      history: this.#history,
      formingPerSecond,
      pollSeconds,
      lingerSeconds: 0,
      clock: this.#clock,
      onFault: error => onNote(error instanceof Error ? error.message : String(error)),
    })
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
