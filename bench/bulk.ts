import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Snapshot } from '#dist/candles/columns.js'
import { layoutBulk } from '#dist/compute/bulk-layout.js'
import { Executor } from '#dist/compute/executor.js'
import { Expressions } from '#dist/compute/expressions/expressions.js'
import { BodyParser, constructsOf } from '#dist/compute/json/body-parser.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { type BulkRequest, type MarketConstruct, readBulk } from '#dist/contract/bulk.js'
import { isRefusal } from '#dist/contract/refusals.js'
import { BodyFragments } from '#dist/runtime/buffer-pool.js'
import type { Table } from './baseline.js'
import { effort, some } from './effort.js'
import { LoadClient } from './load-client.js'
import type { LoadReport } from './load-process.js'
import { randomWalk } from './random-walk.js'
import { bulkBody, suppliedBody } from './request-bodies.js'
import { startService } from './service-process.js'
import { median, rounded } from './statistics.js'

const roundMs = effort(1_500, 20)

const neverAborted = { accountId: 'bench' }
const encoder = new TextEncoder()
const bodyParser = new BodyParser()
const expressions = new Expressions()

type Bulk = BulkRequest<MarketConstruct>

const microseconds = (ms: number) => Math.round(ms * 1000)

/** The processor time of this process (all its threads) and the wall time that one call takes, in milliseconds. */
async function cost(work: () => unknown, ms = roundMs): Promise<{ cpu: number; wall: number }> {
  const warm = performance.now() + ms / 2
  while (performance.now() < warm) await work()
  let calls = 0
  const cpu = process.cpuUsage()
  const began = performance.now()
  while (performance.now() - began < ms) {
    await work()
    calls++
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000 / calls, wall: (performance.now() - began) / calls }
}

function readBody(body: Uint8Array): Bulk {
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulk(fields, expressions)
  if (isRefusal(bulk)) throw new Error(bulk.error)
  return bulk
}

const sectionsOf = ({ constructs }: Bulk, series: readonly Snapshot[]) =>
  constructs.map(({ id, items }, at) => ({ id, items, candles: [series[at] as Snapshot] as const }))

function openExecutor(calculator: Calculator, threads: number, inlineBudgetUs = 400): Executor {
  return new Executor({
    calculator,
    threads,
    maxQueuedTasks: 1000,
    inlineBudgetUs,
    bodyParser,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
  })
}

/** Cost of `POST /bulk` without sockets, compared with the kernels alone and with `JSON.stringify` of their values. */
async function cachedRows(): Promise<Table> {
  const table: Record<string, Record<string, unknown>> = {}
  const calculator = new Calculator()
  const executor = openExecutor(calculator, availableParallelism())
  const run = (body: Uint8Array, series: readonly Snapshot[]) => {
    const read = readBody(body)
    const { verbose } = read
    const rows = layoutBulk(sectionsOf(read, series), verbose)
    return settle(executor.executeAll(rows, neverAborted))
  }
  // The threads compile their code first, whichever row is measured first.
  const large = encoder.encode(JSON.stringify(bulkBody(20, 20, 100)))
  const walks = Array.from({ length: 20 }, (_, i) => randomWalk(1_000, i + 1))
  await cost(() => run(large, walks))
  for (const candles of some([500, 1_000, 5_000])) {
    const series = Array.from({ length: 20 }, (_, i) => randomWalk(candles, i + 1))
    for (const [constructs, indicators] of some([
      [1, 1],
      [3, 10],
      [20, 20],
    ] as const)) {
      for (const results of some([1, 100, 'max'] as const)) {
        const body = encoder.encode(JSON.stringify(bulkBody(constructs, indicators, results)))
        const bulk = readBody(body)
        const kernels = () => {
          for (const [at, { items }] of bulk.constructs.entries())
            for (const { query } of items) calculator.calculate(query, [series[at] as Snapshot])
        }
        const ms = constructs === 20 ? roundMs / 2 : roundMs / 6
        const floor = await cost(kernels, ms)
        const values: unknown[] = []
        for (const [at, { items }] of bulk.constructs.entries()) {
          for (const { query } of items) {
            const { columns, count, lookback } = calculator.calculate(query, [series[at] as Snapshot])
            const from = Math.max(lookback, count - query.results)
            values.push([
              ...columns.map(column => Array.from(column.subarray(from, count))),
              Array.from((series[at] as Snapshot).columns.timestamp.subarray(from, count)),
            ])
          }
        }
        const text = await cost(() => JSON.stringify(values), ms)
        const whole = await cost(() => run(body, series), ms)
        table[`${constructs}×${indicators} over ${candles}, results=${results}`] = {
          'kernels µs': microseconds(floor.cpu),
          'JSON.stringify µs': microseconds(text.cpu),
          'bulk CPU µs': microseconds(whole.cpu),
          'bulk wall µs': microseconds(whole.wall),
          'CPU / kernels': rounded(whole.cpu / floor.cpu),
          'CPU / (kernels + stringify)': rounded(whole.cpu / (floor.cpu + text.cpu)),
        }
      }
    }
  }
  await executor.close()
  return table
}

/** 20 × 20 over 500 supplied candles, compared with `JSON.parse` of the body alone. */
async function suppliedRows(): Promise<Table> {
  const text = JSON.stringify(suppliedBody({ constructs: 20, indicators: 20 }))
  // In shared memory, as the service receives a body of that size.
  const bytes = encoder.encode(text)
  const body = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  body.set(bytes)
  const executor = openExecutor(new Calculator(), availableParallelism())
  const parses: number[] = []
  const wholes: number[] = []
  const walls: number[] = []
  for (let round = 0; round < effort(5, 1); round++) {
    parses.push((await cost(() => JSON.parse(text) as unknown)).cpu)
    const { cpu, wall } = await cost(() => settle(executor.executeSupplied(body, 20, neverAborted)))
    wholes.push(cpu)
    walls.push(wall)
  }
  await executor.close()
  return {
    // The size is rounded: the name of the row is a key of the baseline.
    [`20×20 over 500 supplied candles, ${Math.round(body.byteLength / 100_000) * 100} kB`]: {
      'JSON.parse µs': microseconds(median(parses)),
      'bulk CPU µs': microseconds(median(wholes)),
      'bulk wall µs': microseconds(median(walls)),
      'CPU / JSON.parse': rounded(median(wholes) / median(parses)),
    },
  }
}

/** Waits for a reply and releases its buffers, as the server does when it has written them. */
async function settle(reply: ReturnType<Executor['executeSupplied']>): Promise<void> {
  const body = await reply
  if (body instanceof BodyFragments) body.release()
}

/** Replies per second of `work` with four calls in flight. */
async function rate(work: () => Promise<void>, ms: number): Promise<number> {
  const began = performance.now()
  const end = began + ms
  let replies = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < end) {
        await work()
        replies++
      }
    }),
  )
  return (replies / (performance.now() - began)) * 1000
}

/** Bulk replies per second with one thread and with two, without sockets, and the delay of the event loop at that time. */
async function threadRows(): Promise<Table> {
  const table: Record<string, Record<string, unknown>> = {}
  const executors = [1, 2].map(threads => openExecutor(new Calculator(), threads, 0))
  for (const [candles, results] of some([
    [1_000, 1],
    [1_000, 100],
    [5_000, 1],
    [5_000, 100],
  ] as const)) {
    const series = Array.from({ length: 20 }, (_, i) => randomWalk(candles, i + 1))
    const body = encoder.encode(JSON.stringify(bulkBody(20, 20, results)))
    const sections = sectionsOf(readBody(body), series)
    const rates: [number[], number[]] = [[], []]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    // Alternating rounds, so that other work on the machine slows both.
    for (let round = 0; round < effort(10, 2); round++) {
      for (const [at, executor] of executors.entries()) {
        if (round > 0 && at === 1) delay.enable()
        const perSecond = await rate(
          () => settle(executor.executeAll(layoutBulk(sections, false), neverAborted)),
          roundMs / 3,
        )
        delay.disable()
        if (round > 0) rates[at as 0 | 1].push(perSecond)
      }
    }
    table[`20×20 over ${candles}, results=${results}`] = {
      'one thread, replies/s': rounded(median(rates[0])),
      'two threads, replies/s': rounded(median(rates[1])),
      'two threads / one': rounded(median(rates[0].map((one, at) => (rates[1][at] as number) / one))),
      'loop delay with two: p50 µs': Math.round(delay.percentile(50) / 1000),
      'p99 µs': Math.round(delay.percentile(99) / 1000),
    }
  }
  for (const executor of executors) await executor.close()
  return table
}

/** Bulk replies per second over sockets, from kept results; the client runs on the same machine. */
async function serviceRows(): Promise<Table> {
  const service = await startService({ HISTORY_DEPTH: '5000' })
  try {
    const table: Record<string, Record<string, unknown>> = {}
    for (const results of some([1, 100] as const)) {
      const request = { method: 'POST', path: '/bulk', body: JSON.stringify(bulkBody(20, 20, results)) }
      const client = await LoadClient.start(service, [request], { connections: 4 })
      await sleep(roundMs)
      await client.report()
      await sleep(3 * roundMs)
      const { repliesPerSecond } = await client.stop()
      table[`20×20 over 5000, results=${results}, over sockets`] = { 'replies/s': rounded(repliesPerSecond) }
    }
    return table
  } finally {
    await service.stop()
  }
}

/** Latency of a small request while bulk requests keep every thread busy, and without them. */
async function saturationRows(): Promise<Table> {
  const service = await startService()
  const probe = { method: 'GET', path: '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h' }
  const bulk = { method: 'POST', path: '/bulk', body: JSON.stringify(bulkBody(20, 20, 100)) }
  const latency = async () => {
    const client = await LoadClient.start(service, [probe], { maxPauseMs: 8 })
    await sleep(roundMs / 5)
    await client.report()
    await sleep(2 * roundMs)
    return (await client.stop()).latencyMs
  }
  try {
    const warmUp = await LoadClient.start(service, [bulk], { connections: 2 })
    await sleep(2 * roundMs)
    await warmUp.stop()
    const idle: LoadReport['latencyMs'][] = []
    const loaded: LoadReport['latencyMs'][] = []
    const rates: number[] = []
    for (let round = 0; round < effort(7, 1); round++) {
      idle.push(await latency())
      const load = await LoadClient.start(service, [bulk], { connections: 2 })
      await sleep(roundMs / 5)
      await load.report()
      loaded.push(await latency())
      rates.push((await load.stop()).repliesPerSecond)
    }
    const row = (name: 'p50' | 'p90' | 'p99') => {
      const alone = median(idle.map(round => round[name]))
      const beside = median(loaded.map(round => round[name]))
      return {
        'idle µs': microseconds(alone),
        'under bulk load µs': microseconds(beside),
        'loaded / idle': rounded(beside / alone),
        'bulk replies/s': rounded(median(rates)),
      }
    }
    const names = ['p50', 'p90', 'p99'] as const
    return Object.fromEntries(names.map(name => [`GET /indicator/rsi, ${name}`, row(name)]))
  } finally {
    await service.stop()
  }
}

/** Cost of bulk requests, their scaling with threads, and their effect on small requests. */
export async function benchBulk(): Promise<readonly Table[]> {
  return [
    await cachedRows(),
    await suppliedRows(),
    await threadRows(),
    await serviceRows(),
    await saturationRows(),
  ]
}
