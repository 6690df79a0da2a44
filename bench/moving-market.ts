import { Series } from '#dist/candles/series.js'
import { Executor } from '#dist/compute/executor.js'
import { Expressions } from '#dist/compute/expressions/expressions.js'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { ResultCache } from '#dist/compute/results/result-cache.js'
import { Admission } from '#dist/http/admission.js'
import { StaticFiles } from '#dist/http/files/static-files.js'
import { Routes } from '#dist/http/routes.js'
import type { History } from '#dist/markets/history/history.js'
import { MarketData } from '#dist/markets/history/market-data.js'
import { CountedRetries, CountedWindows, MemoryTable } from '#dist/store/bounds.js'
import { randomWalk } from './random-walk.js'

/** A market of `history` closed candles and a forming one. */
function createMarket(history: number, seed: number) {
  const { columns } = randomWalk(history + 1, seed)
  const series = new Series('1h', history)
  for (let i = 0; i < history; i++) series.append(columns.read(i))
  return { series, forming: columns.read(history) }
}

/**
 * The routes of the service over markets whose forming candle moves before every request. The number in a symbol, such as
 * `S17USDT`, selects the market; the default is the first one.
 */
export function createMovingRoutes(history: number, markets = 1): Routes {
  const all = Array.from({ length: markets }, (_, i) => createMarket(history, i + 7))
  let moves = 0
  const readNow = ({ symbol }: { readonly symbol: string }) => {
    const { series, forming } = all[Number(/\d+/.exec(symbol)?.[0] ?? 0)] as (typeof all)[number]
    series.amend({ ...forming, close: forming.close * (1 + (++moves % 10_000) / 1e7) })
    return [series.snapshot()]
  }
  const find = (key: string) => {
    const entry = { symbol: key.split(':')[1] as string, source: {}, handle: { entry: {} } }
    entry.handle.entry = entry
    return entry
  }
  const exchange = {
    id: 'demo',
    source: {
      symbols: () => [],
      candles: () => {
        throw new Error('the market is in memory')
      },
    },
  }
  const exchanges = { ids: () => ['demo'], find: () => exchange, async close() {} }
  const calculator = new Calculator()
  const bodyParser = new BodyParser()
  const expressions = new Expressions()
  const resultCache = new ResultCache(64 * 2 ** 20)
  const limits = { requests: 1e9, constructs: 20, subscriptions: 1 }
  const account = { id: 'a', name: 'a', plan: 'enterprise', created: 0, ...limits } as const
  return new Routes({
    admission: new Admission(
      { recall: () => account, authenticate: () => account },
      {
        rateWindows: new CountedWindows(new MemoryTable(() => Math.floor(performance.now()))),
        freeRetries: new CountedRetries(new MemoryTable(() => performance.now())),
      },
      1_000_000,
    ),
    corsOrigins: [],
    taapiAtRoot: false,
    calculator,
    resultCache,
    executor: new Executor({
      calculator,
      resultCache,
      bodyParser,
      expressions,
      threads: 1,
      // One task per connection: all connections send requests while the first thread starts.
      maxQueuedTasks: 100,
      inlineBudgetUs: 400,
      inlineBodyBytes: 65_536,
      onFailure: error => {
        throw error
      },
    }),
    bodyParser,
    expressions,
    exchanges,
    marketData: new MarketData(exchanges, { find, readNow } as unknown as History),
    bulkWaitSeconds: 1,
    files: new StaticFiles([]),
    streaming: () => ({ connections: 0, subscriptions: 0, feeds: 0, uptime: 0 }),
    health: () => ({ isStopping: false, parts: [] }),
  } as unknown as ConstructorParameters<typeof Routes>[0])
}
