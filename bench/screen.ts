import type { Snapshot } from '#dist/candles/columns.js'
import { layoutBulk } from '#dist/compute/bulk-layout.js'
import { Executor } from '#dist/compute/executor.js'
import { Expressions } from '#dist/compute/expressions/expressions.js'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { ResultCache } from '#dist/compute/results/result-cache.js'
import { type BulkRequest, type MarketConstruct, readBulk } from '#dist/contract/bulk.js'
import { readFields } from '#dist/contract/fields.js'
import { isRefusal, type Refusal } from '#dist/contract/refusals.js'
import { readScreen } from '#dist/screens/request.js'
import type { Scan } from '#dist/screens/scan.js'
import { Screener } from '#dist/screens/screener.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { randomWalk } from './random-walk.js'
import { interleaved, settle } from './results.js'
import { rounded } from './statistics.js'

const [symbols, candles, rounds] = [effort(500, 20), 1_000, effort(60, 3)]
const market = { exchange: 'bench', timeframe: '1h' }
const account = { id: 'bench', constructs: 20 }

function orThrow<Value extends object>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(value.error)
  return value
}

const readBody = (body: unknown) => orThrow(readFields(JSON.stringify(body)))

/** Many series whose forming candles all move between two readings. */
class MovingMarkets {
  readonly #series = Array.from({ length: symbols }, (_, i) => randomWalk(candles + 1, i + 1).columns)
  #moves = 0
  snapshots: readonly Snapshot[] = []

  constructor() {
    this.move()
  }

  move(): void {
    this.#moves++
    this.snapshots = this.#series.map(columns => {
      const forming = columns.read(candles)
      const moved = { ...forming, close: forming.close * (1 + this.#moves / 1e7) }
      return { columns, closed: candles, forming: moved, count: candles + 1 }
    })
  }
}

const names = Array.from({ length: symbols }, (_, i) => `S${String(i).padStart(3, '0')}`)

const createExecutor = (calculator: Calculator, resultCache: ResultCache) =>
  new Executor({
    calculator,
    resultCache,
    bodyParser: new BodyParser(),
    threads: 1,
    maxQueuedTasks: 100,
    // All on this thread, as a screen is.
    inlineBudgetUs: 1e9,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
  })

function createScreener(markets: MovingMarkets, calculator: Calculator, resultCache: ResultCache) {
  const indexOf = new Map(names.map((name, i) => [name, i]))
  const read = ({ symbol }: { readonly symbol: string }) => {
    const snapshot = markets.snapshots[indexOf.get(symbol) as number] as Snapshot
    return { kind: 'candles' as const, inputs: [snapshot] as const, stale: false }
  }
  const exchange = { id: market.exchange, source: { symbols: () => names } }
  return new Screener({
    marketData: {
      isComputed: () => false,
      recall: read,
      readWhenReady: read,
      refuseOld: <Reading>(reading: Reading) => reading,
    } as never,
    exchanges: { find: () => exchange, ids: () => [exchange.id] } as never,
    executor: createExecutor(calculator, resultCache),
    clock: () => 0,
  })
}

/** The same parts as items of a bulk request with a construct for each symbol, which no plan allows. */
function createBulk(markets: MovingMarkets, calculator: Calculator, resultCache: ResultCache) {
  const indicators = [
    { id: 'rsi', indicator: 'rsi' },
    { id: 'ema', indicator: 'ema', period: 50 },
    { id: 'adx', indicator: 'adx' },
  ]
  const construct = { id: 'x', ...market, symbol: 'S', indicators }
  const bulk: BulkRequest<MarketConstruct> = orThrow(readBulk(readBody({ constructs: [construct] })))
  const { items } = bulk.constructs[0] as MarketConstruct
  const executor = createExecutor(calculator, resultCache)
  const caller = { accountId: 'bench' }
  return async () => {
    // Kept results of more than a few milliseconds go to threads, so that they are requested in parts.
    for (let from = 0; from < symbols; from += 100) {
      const sections = markets.snapshots
        .slice(from, from + 100)
        .map((snapshot, at) => ({ id: names[from + at] as string, items, candles: [snapshot] as const }))
      settle(await executor.executeAll(layoutBulk(sections, false), caller))
    }
  }
}

/** A screen of many symbols with three indicators, compared with a bulk reply of the same indicators. */
export async function benchScreen(): Promise<Table> {
  const markets = new MovingMarkets()
  const calculator = new Calculator()
  const screener = createScreener(markets, calculator, new ResultCache(64 * 2 ** 20))
  const request = orThrow(
    readScreen(
      readBody({
        ...market,
        where: 'rsi(14) < 45 and close > ema(50) and adx(14) > 15',
        select: { rsi: 'rsi(14)', ema: 'ema(50)', adx: 'adx(14)' },
        orderBy: 'rsi desc',
      }),
      new Expressions(),
    ),
  )
  const scan = orThrow((await screener.scan(request, account)) as Scan | Refusal)
  await scan.ended
  const screen = async () => {
    const { text } = await screener.answer(request, scan, account.id)
    if (!text.includes(`"screened":${symbols},"failed":[]`)) throw new Error(text.slice(-200))
  }
  const bulk = createBulk(markets, calculator, new ResultCache(64 * 2 ** 20))
  const cold = () => createScreener(markets, calculator, new ResultCache(1)).answer(request, scan, account.id)
  // The first two compute the results that the others read.
  for (let i = 0; i < 3; i++) {
    await screen()
    await bulk()
  }
  const again = await interleaved({ screen, bulk }, rounds)
  const moved = await interleaved(
    {
      screen: () => {
        markets.move()
        return screen()
      },
      bulk: () => {
        markets.move()
        return bulk()
      },
      cold,
    },
    rounds,
  )
  let hold = 0
  for (let i = 0; i < effort(20, 1); i++)
    hold = Math.max(hold, await longestHold(() => cold() as Promise<unknown>))
  const row = (costs: { readonly screen: number; readonly bulk: number }) => ({
    'screen ms': rounded(costs.screen / 1000),
    'bulk ms': rounded(costs.bulk / 1000),
    'screen / bulk': rounded(costs.screen / costs.bulk),
  })
  return {
    [`${symbols} × ${candles}, nothing new`]: row(again),
    [`${symbols} × ${candles}, forming candles moved`]: row(moved),
    [`${symbols} × ${candles}, computed anew`]: {
      'screen ms': rounded(moved.cold / 1000),
      'longest hold ms': rounded(hold, 1),
    },
  }
}

/**
 * Longest processor time between two turns of the event loop during `work`, in milliseconds. Other work on the machine does
 * not count.
 */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.cpuUsage()
  let isDone = false
  const tick = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isDone = true
  await new Promise(setImmediate)
  return longest
}
