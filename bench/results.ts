import type { Snapshot } from '#dist/candles/columns.js'
import { catalogue } from '#dist/catalogue/index.js'
import { layoutBulk } from '#dist/compute/bulk-layout.js'
import { Executor, type ResponseBody } from '#dist/compute/executor.js'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { ResultCache } from '#dist/compute/results/result-cache.js'
import { readBulk } from '#dist/contract/bulk.js'
import { readFields } from '#dist/contract/fields.js'
import { isRefusal, type Refusal } from '#dist/contract/refusals.js'
import type { HttpRequest, Reply } from '#dist/http/reply.js'
import { BodyFragments } from '#dist/runtime/buffer-pool.js'
import type { Table } from './baseline.js'
import { effort, some } from './effort.js'
import { measure, newRun, startBare } from './http.js'
import { createMovingRoutes } from './moving-market.js'
import { randomWalk } from './random-walk.js'
import { bulkBody } from './request-bodies.js'
import { type ServerProcess, startServer } from './service-process.js'
import { median, percentile, rounded, sorted } from './statistics.js'
import { hasUws } from './transports.js'

/**
 * Processor time of one call, in microseconds. Calls alternate, so that other work on the machine slows all of them.
 * `prepare` runs before each call and is not counted.
 */
export async function interleaved<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  prepare?: () => void,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const costs = new Map<Name, number[]>(names.map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      prepare?.()
      const before = process.cpuUsage()
      await works[name]()
      const { user, system } = process.cpuUsage(before)
      // The first third warms up.
      if (round >= rounds / 3) costs.get(name)?.push(user + system)
    }
  }
  return Object.fromEntries(names.map(name => [name, median(costs.get(name) ?? [])])) as Record<Name, number>
}

export function settle(body: ResponseBody | Refusal): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (!(body instanceof BodyFragments)) throw new Error(body.error)
  const bytes = body.buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
  body.release()
  return bytes
}

/** A repeated body of `POST /bulk`: 20 indicators on each of 20 series, compared with their kernels alone. */
async function bulkRow(candles: number, results: number | 'max', rounds: number): Promise<Table[string]> {
  const size = effort(20, 2)
  const bulk = readBulk(readFields(JSON.stringify(bulkBody(size, size, results))) as never)
  if (isRefusal(bulk)) throw new Error(bulk.error)
  const series = Array.from({ length: size }, (_, i) => randomWalk(candles + rounds + 2, i + 1).columns)
  let closed = candles
  let moves = 0
  const snapshots = (): readonly Snapshot[] => {
    moves++
    return series.map(columns => {
      const forming = columns.read(closed)
      const moved = { ...forming, close: forming.close * (1 + moves / 1e7) }
      return { columns, closed, forming: moved, count: closed + 1 }
    })
  }
  const calculator = new Calculator()
  const executor = new Executor({
    calculator,
    resultCache: new ResultCache(64 * 2 ** 20),
    bodyParser: new BodyParser(),
    threads: 2,
    maxQueuedTasks: 100,
    inlineBudgetUs: 400,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
  })
  const caller = { accountId: 'bench' }
  const ask = async () => {
    const now = snapshots()
    const sections = bulk.constructs.map(({ id, items }, at) => ({
      id,
      items,
      candles: [now[at] as Snapshot] as const,
    }))
    return settle(await executor.executeAll(layoutBulk(sections, false), caller))
  }
  const kernels = () => {
    const now = snapshots()
    for (const [at, { items }] of bulk.constructs.entries())
      for (const { query } of items) calculator.calculate(query, [now[at] as Snapshot])
  }
  const values: unknown[] = []
  for (const [at, { items }] of bulk.constructs.entries()) {
    for (const { query } of items) {
      const { columns, count, lookback } = calculator.calculate(query, [snapshots()[at] as Snapshot])
      const from = Math.max(lookback, count - query.results)
      values.push([
        ...columns.map(column => Array.from(column.subarray(from, count))),
        Array.from((series[at] as { timestamp: Float64Array }).timestamp.subarray(from, count)),
      ])
    }
  }
  // The first two requests compute the results that the others read.
  for (let i = 0; i < 3; i++) await ask()
  // Measured separately, because its garbage is collected while others run.
  const { text } = await interleaved({ text: () => JSON.stringify(values) }, Math.ceil(rounds / 3))
  const costs = await interleaved(
    {
      kernels,
      moved: ask,
      closed: () => {
        closed++
        return ask()
      },
    },
    rounds,
  )
  await executor.close()
  return {
    'kernels µs': Math.round(costs.kernels),
    'JSON.stringify µs': Math.round(text),
    'forming candles moved µs': Math.round(costs.moved),
    'candles closed µs': Math.round(costs.closed),
    'moved / kernels': rounded(costs.moved / costs.kernels),
    'closed / kernels': rounded(costs.closed / costs.kernels),
    'moved / (kernels + stringify)': rounded(costs.moved / (costs.kernels + text)),
  }
}

const pathOf = (name: string) => `/indicator/${name}?exchange=demo&symbol=BTCUSDT&timeframe=1h`

const requestOf = (name: string): HttpRequest => {
  const [path = '', queryString = ''] = pathOf(name).split('?')
  const head = { method: 'get', path, queryString, authorization: 'Bearer a', contentType: '' }
  const body = () => Promise.reject(new Error('a GET has no body'))
  return { ...head, header: () => '', body, signal: new AbortController().signal }
}

/** `GET /indicator/<name>` for every indicator, without sockets, after a short history and after a long one. */
async function historyRows(): Promise<Table> {
  const [short, long] = [createMovingRoutes(1_000), createMovingRoutes(effort(50_000, 1_000))]
  const calls = effort(200, 1)
  const rows: { name: string; short: number; ratio: number }[] = []
  for (const name of some([...catalogue.keys()])) {
    const request = requestOf(name)
    // A thread answers until the results of a long history are kept.
    for (const routes of [short, long]) for (let i = 0; i < 3; i++) await routes.handle(request)
    const repeat = (routes: typeof short) => () => {
      for (let i = 0; i < calls; i++) {
        const reply = routes.handle(request) as Reply
        if (reply.status !== 200) throw new Error(`${name}: ${reply.body}`)
      }
    }
    const costs = await interleaved({ short: repeat(short), long: repeat(long) }, effort(9, 3))
    rows.push({ name, short: costs.short / calls, ratio: costs.long / costs.short })
  }
  const row = ({ short: µs, ratio }: Pick<(typeof rows)[number], 'short' | 'ratio'>) => ({
    'CPU µs/request': rounded(µs),
    'after 50,000 / after 1,000': rounded(ratio),
  })
  const slowest = [...rows].sort((a, b) => b.short - a.short).slice(0, 8)
  const ratios = sorted(rows.map(({ ratio }) => ratio))
  return {
    'median of all': row({
      short: median(rows.map(({ short: µs }) => µs)),
      ratio: median(ratios),
    }),
    '95 % of them below': row({
      short: percentile(sorted(rows.map(({ short: µs }) => µs)), 0.95),
      ratio: percentile(ratios, 0.95),
    }),
    ...Object.fromEntries(slowest.map(each => [each.name, row(each)])),
  }
}

/** Requests per second of a market whose forming candle moves before every request, compared with a bare server. */
async function socketRows(): Promise<Table> {
  if (!hasUws) return {}
  const servers: ServerProcess[] = []
  const start = async (server: Promise<ServerProcess>) => {
    servers.push(await server)
    return servers.at(-1) as ServerProcess
  }
  try {
    const [short, long] = [
      await start(startServer(['build/bench/moving-server.js', '1000'], /^(\d+)/)),
      await start(startServer(['build/bench/moving-server.js', `${effort(50_000, 1_000)}`], /^(\d+)/)),
    ]
    const names = some(['rsi', 'macd', 'supertrend'])
    const table: Record<string, Record<string, unknown>> = {}
    for (const name of names) {
      const requests = [{ method: 'GET', path: pathOf(name) }]
      const bare = await start(startBare(short.port, 'a', pathOf(name)))
      const runs = [bare, short, long].map(server => newRun(name, server, 'a', requests))
      for (let round = 0; round < effort(5, 1); round++) for (const run of runs) await measure(run)
      const [floor, ...others] = runs.map(({ cpuMicroseconds, replies }) => cpuMicroseconds / replies)
      const rates = runs.map(({ replies, seconds }) => replies / seconds)
      for (const [at, history] of [1_000, 50_000].entries()) {
        table[`GET /indicator/${name}, ${history} candles`] = {
          'requests/s': Math.round(rates[at + 1] as number),
          'share of bare': rounded((rates[at + 1] as number) / (rates[0] as number)),
          'CPU µs/request': rounded(others[at] as number),
          'share of bare by CPU': rounded((floor as number) / (others[at] as number)),
        }
      }
    }
    return table
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Cost of replies whose calculations were requested earlier. */
export async function benchResults(): Promise<readonly Table[]> {
  return [
    {
      '20×20 over 1,000, results=1': await bulkRow(1_000, 1, effort(150, 3)),
      '20×20 over 1,000, results=100': await bulkRow(1_000, 100, effort(150, 3)),
      '20×20 over 5,000, results=max': await bulkRow(effort(5_000, 1_000), 'max', effort(9, 3)),
    },
    await historyRows(),
    await socketRows(),
  ]
}
