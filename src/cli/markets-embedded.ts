import { candleAt, type Snapshot } from '../candles/columns.js'
import type {
  Evaluation,
  EvaluationRequest,
  ScreenProgress,
  ScreenRequest,
  ScreenResult,
} from '../client/screen-types.js'
import { answer } from '../compute/answer.js'
import { Calculator } from '../compute/kernels/calculator.js'
import { jsonUpdates, LiveCalculation } from '../compute/results/live-calculation.js'
import { ResultCache } from '../compute/results/result-cache.js'
import { configure } from '../config/config.js'
import { readObject } from '../contract/body.js'
import { maxConstructs } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { Fields, IndicatorSpec } from '../contract/query.js'
import { isRefusal, notEnoughCandles, type Refusal } from '../contract/refusals.js'
import { evaluateAtOnce } from '../evaluate/evaluation.js'
import { compileConditions, readEvaluation } from '../evaluate/request.js'
import { type Exchange, type ExchangeLookup, ExchangeRegistry } from '../exchanges/registry.js'
import { FeedRegistry } from '../feeds/feed-registry.js'
import { History } from '../history/history.js'
import { findExchange, MarketData } from '../history/market-data.js'
import { sourceRefusal } from '../history/source-refusal.js'
import { readScreen } from '../screen/request.js'
import { Screener } from '../screen/screener.js'
import { CommandFailure } from './failure.js'
import type { FollowOptions, Markets, MarketUpdate } from './markets.js'

/** How often the progress of a screen is said, in milliseconds. */
const progressMs = 200

/**
 * Markets as a service has them, in this process: nothing is stored, so it works beside a running service, and candles
 * are fetched anew by each process.
 */
export function createEmbeddedMarkets(
  exchanges: ExchangeLookup = new ExchangeRegistry(configure()),
  clock = () => Date.now() / 1000,
): Markets {
  const { historyDepth, historyBytes, refreshSeconds, formingPerSecond } = configure()
  const history = new History({ depth: historyDepth, bytes: historyBytes, refreshSeconds, clock })
  const data = new MarketData(exchanges, history)
  const calculator = new Calculator()

  async function read(market: Market): Promise<Snapshot> {
    const reading = await data.readWhenReady(await data.fetchListed(market))
    return reading.kind === 'refused' ? fail(reading.refusal) : reading.snapshot
  }

  return {
    async candles(market, count) {
      const snapshot = await read(market)
      const from = Math.max(0, snapshot.count - count)
      return Array.from({ length: snapshot.count - from }, (_, i) => candleAt(snapshot, from + i))
    },

    async values(market, spec, count) {
      const text = answer(calculator, { ...spec, results: count, backtrack: 0 }, await read(market))
      return JSON.parse(typeof text === 'string' ? text : fail(text))
    },

    screen: (request, onProgress) =>
      screen(request, onProgress, { marketData: data, exchanges, calculator, clock }),

    evaluate: request => evaluateBy(request, calculator, read),

    follow: async (market, spec, options) =>
      follow(market, spec, options, {
        data,
        calculator,
        exchange: orFail(findExchange(exchanges, market.exchange)),
        feeds: new FeedRegistry({
          history,
          formingPerSecond,
          pollSeconds: refreshSeconds,
          lingerSeconds: 0,
          clock,
          onFault: error => options.onNote(error instanceof Error ? error.message : String(error)),
        }),
      }),

    close: () => exchanges.close(),
  }
}

interface FollowParts {
  readonly data: MarketData
  readonly calculator: Calculator
  readonly exchange: Exchange
  /** Those of this market alone; they are closed at the end. */
  readonly feeds: FeedRegistry
}

/** Emits the values of a market until the signal of the options is given. */
async function follow(
  market: Market,
  spec: IndicatorSpec,
  options: FollowOptions,
  { data, calculator, exchange, feeds }: FollowParts,
): Promise<void> {
  const live = new LiveCalculation(calculator, spec, jsonUpdates(spec))
  try {
    const followed = data
      .fetchListed(market)
      .then(listed =>
        feeds
          .follow(listed, exchange.source, snapshot => emit(live, snapshot, options))
          .catch(error => fail(sourceRefusal(error, exchange.id, listed.symbol))),
      )
    // Whoever ends it before there are candles does not want to know what became of them.
    followed.catch(() => {})
    const feed = await Promise.race([followed, aborted(options.signal)])
    if (!feed) return
    emitFirst(live, feed.snapshot(), spec, options)
    await aborted(options.signal)
  } finally {
    await feeds.close()
  }
}

/** The fields of a request that a command has put together. */
const fieldsOf = (body: object): Fields => orFail(readObject(body))

async function screen(
  body: ScreenRequest,
  onProgress: (progress: ScreenProgress) => void,
  parts: Omit<ConstructorParameters<typeof Screener>[0], 'resultCache'>,
): Promise<ScreenResult> {
  const request = orFail(readScreen(fieldsOf(body)))
  const screener = new Screener({ ...parts, resultCache: new ResultCache(1) })
  // This process belongs to one user, so the bounds of plans do not apply.
  const scan = orFail(await screener.scan(request, { id: '', constructs: maxConstructs }))
  const timer = setInterval(() => onProgress({ done: scan.done, total: scan.markets.length }), progressMs)
  await scan.ended.finally(() => clearInterval(timer))
  return JSON.parse((await screener.answer(request, scan, '')).text)
}

async function evaluateBy(
  body: EvaluationRequest,
  calculator: Calculator,
  read: (market: Market) => Promise<Snapshot>,
): Promise<Evaluation> {
  const { request, source } = orFail(readEvaluation(fieldsOf(body)))
  if (!('market' in source)) throw new CommandFailure('a market is needed')
  const { market } = source
  const compiled = orFail(compileConditions(request, market.timeframe))
  return orFail(evaluateAtOnce(calculator, compiled, request, await read(market)))
}

function fail({ error }: Refusal): never {
  throw new CommandFailure(error)
}

const orFail = <Value extends object>(value: Value | Refusal): Value =>
  isRefusal(value) ? fail(value) : value

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const updateOf = (text: string, closed: boolean): MarketUpdate => ({ closed, data: JSON.parse(text) })

/** Emits the values there are when the following begins. */
function emitFirst(
  live: LiveCalculation,
  snapshot: Snapshot,
  { indicator, params }: IndicatorSpec,
  { closedOnly, onUpdate }: FollowOptions,
): void {
  live.advance(snapshot)
  const forming = closedOnly ? undefined : live.forming
  const text = forming ?? live.closed
  if (text === undefined) fail(notEnoughCandles(indicator.name, indicator.warmup(params) + 1, snapshot.count))
  onUpdate(updateOf(text, forming === undefined))
}

function emit(live: LiveCalculation, snapshot: Snapshot, { closedOnly, onUpdate }: FollowOptions): void {
  const { closed, forming } = live.advance(snapshot)
  for (const text of closed) onUpdate(updateOf(text, true))
  if (forming !== undefined && !closedOnly) onUpdate(updateOf(forming, false))
}
