import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Snapshot } from '#dist/candles/columns.js'
import { Calculator } from '#dist/compute/calculator.js'
import { compose } from '#dist/compute/compose.js'
import { Dispatch } from '#dist/compute/dispatch.js'
import { constructsOf, Intake } from '#dist/compute/intake.js'
import { type Bulk, type CandlesConstruct, readBulk } from '#dist/contract/bulk.js'
import { isRefusal } from '#dist/contract/refusals.js'
import { seeded, walk } from './walk.js'

/** Twenty indicators of all sorts: averages, oscillators, bands, ranges. */
const names = [
  'rsi',
  'macd',
  'stoch',
  'stochrsi',
  'kdj',
  'aroon',
  'adx',
  'cci',
  'sma',
  'ema',
  'wma',
  'bbands',
  'atr',
  'obv',
  'psar',
  'supertrend',
  'accbands',
  'max',
  'abs',
  'engulfing',
] as const
const timeframes = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const
const roundMs = 1_500

const root = fileURLToPath(new URL('../..', import.meta.url))
const forever = { gone: new AbortController().signal }
const encoder = new TextEncoder()
const intake = new Intake()
const microseconds = (ms: number) => Math.round(ms * 1000)
const rounded = (value: number) => Math.round(value * 100) / 100

/** The body of a bulk request for so many constructs with so many indicators each. */
const bulkBody = (constructs: number, indicators: number, results: number | 'max') => ({
  constructs: Array.from({ length: constructs }, (_, i) => ({
    id: `c${i}`,
    exchange: 'demo',
    symbol: symbols[i % symbols.length],
    timeframe: timeframes[Math.floor(i / symbols.length)],
    indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name, results })),
  })),
})

function suppliedBody(constructs: number, indicators: number) {
  const digits = (value: number) => Number(value.toFixed(2))
  return {
    constructs: Array.from({ length: constructs }, (_, i) => {
      const { columns } = walk(500, i + 1)
      const candles = Array.from({ length: 500 }, (_, k) => {
        const { timestamp, open, high, low, close, volume } = columns.read(k)
        return {
          timestamp,
          open: digits(open),
          high: digits(high) + 0.01,
          low: digits(low),
          close: digits(close),
          volume: digits(volume),
        }
      })
      return {
        id: `c${i}`,
        candles,
        indicators: names.slice(0, indicators).map(name => ({ id: name, indicator: name })),
      }
    }),
  }
}

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

function openDispatch(calculator: Calculator, threads: number, inlineBudgetUs = 400): Dispatch {
  return new Dispatch({
    calculator,
    threads,
    queue: 1000,
    inlineBudgetUs,
    intake,
    inlineBodyBytes: 65_536,
    onFailure: error => {
      throw error
    },
  })
}

/** What `POST /bulk` costs apart from its sockets, beside its floor: kernels alone and `JSON.stringify` of what they gave. */
async function cachedRows(): Promise<Record<string, unknown>> {
  const table: Record<string, unknown> = {}
  const calculator = new Calculator()
  const dispatch = openDispatch(calculator, availableParallelism())
  for (const candles of [500, 1_000, 5_000]) {
    const series = Array.from({ length: 20 }, (_, i) => walk(candles, i + 1))
    for (const [constructs, indicators] of [
      [1, 1],
      [3, 10],
      [20, 20],
    ] as const) {
      for (const results of [1, 100, 'max'] as const) {
        const body = encoder.encode(JSON.stringify(bulkBody(constructs, indicators, results)))
        const read = () => {
          const fields = intake.fields(body, constructsOf)
          const bulk = isRefusal(fields) ? fields : readBulk(fields)
          if (isRefusal(bulk)) throw new Error(bulk.error)
          return bulk
        }
        const bulk = read()
        const kernels = () => {
          for (const [at, { items }] of bulk.constructs.entries())
            for (const { question } of items) calculator.calculate(question, series[at] as Snapshot)
        }
        const ms = constructs === 20 ? roundMs / 2 : roundMs / 6
        const floor = await cost(kernels, ms)
        const printed: unknown[] = []
        for (const [at, { items }] of bulk.constructs.entries()) {
          for (const { question } of items) {
            const { columns, count, lookback } = calculator.calculate(question, series[at] as Snapshot)
            const from = Math.max(lookback, count - question.results)
            printed.push([
              ...columns.map(column => Array.from(column.subarray(from, count))),
              Array.from((series[at] as Snapshot).columns.timestamp.subarray(from, count)),
            ])
          }
        }
        const text = await cost(() => JSON.stringify(printed), ms)
        const whole = await cost(() => {
          const { constructs, verbose } = read()
          const sections = constructs.map(({ id, items }, at) => ({
            id,
            items,
            outcome: series[at] as Snapshot,
          }))
          return dispatch.run(compose(sections, verbose), verbose, forever)
        }, ms)
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
  await dispatch.close()
  return table
}

/** 20 × 20 over 500 supplied candles, beside `JSON.parse` of the body alone. */
async function suppliedRows(): Promise<Record<string, unknown>> {
  const text = JSON.stringify(suppliedBody(20, 20))
  const body = encoder.encode(text)
  const dispatch = openDispatch(new Calculator(), availableParallelism())
  const parse = await cost(() => JSON.parse(text) as Bulk<CandlesConstruct>)
  const whole = await cost(() => dispatch.runSupplied(body, 20, forever))
  await dispatch.close()
  return {
    [`20×20 over 500 supplied candles, ${Math.round(body.byteLength / 1000)} kB`]: {
      'JSON.parse µs': microseconds(parse.cpu),
      'bulk CPU µs': microseconds(whole.cpu),
      'bulk wall µs': microseconds(whole.wall),
      'CPU / JSON.parse': rounded(whole.cpu / parse.cpu),
    },
  }
}

/** Bulk answers per second with one thread and with two, and what the event loop feels of it. */
async function threadRows(): Promise<Record<string, unknown>> {
  const table: Record<string, unknown> = {}
  const series = Array.from({ length: 20 }, (_, i) => walk(1_000, i + 1))
  const fields = intake.fields(encoder.encode(JSON.stringify(bulkBody(20, 20, 100))), constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulk(fields)
  if (isRefusal(bulk)) throw new Error(bulk.error)
  const sections = bulk.constructs.map(({ id, items }, at) => ({
    id,
    items,
    outcome: series[at] as Snapshot,
  }))
  const rates: number[] = []
  const dispatches = [1, 2].map(threads => openDispatch(new Calculator(), threads, 0))
  const answered = [0, 0]
  const delays = dispatches.map(() => monitorEventLoopDelay({ resolution: 1 }))
  // Alternating rounds, so that what others do on the machine falls on both.
  for (let round = 0; round < 7; round++) {
    for (const [at, dispatch] of dispatches.entries()) {
      const delay = delays[at] as ReturnType<typeof monitorEventLoopDelay>
      const end = performance.now() + roundMs / 2
      if (round > 0) delay.enable()
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          while (performance.now() < end) {
            await dispatch.run(compose(sections, false), false, forever)
            if (round > 0) answered[at] = (answered[at] as number) + 1
          }
        }),
      )
      delay.disable()
    }
  }
  for (const [at, dispatch] of dispatches.entries()) {
    await dispatch.close()
    const delay = delays[at] as ReturnType<typeof monitorEventLoopDelay>
    rates.push((answered[at] as number) / ((6 * roundMs) / 2 / 1000))
    table[`${at + 1} thread${at === 0 ? '' : 's'}, 20×20 over 1000, results=100`] = {
      'answers/s': rounded(rates[at] as number),
      'loop delay p50 µs': Math.round(delay.percentile(50) / 1000),
      'loop delay p99 µs': Math.round(delay.percentile(99) / 1000),
      'loop delay max µs': Math.round(delay.max / 1000),
    }
  }
  table['two threads / one'] = { 'answers/s': rounded((rates[1] as number) / (rates[0] as number)) }
  return table
}

/** A service in a process of its own. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const bounds = ['--requests', '1000000000', '--constructs', '20']
  const key = execFileSync(
    process.execPath,
    ['dist/cli/candela.js', 'keys', 'create', '--plan', 'enterprise', '--name', 'bench', ...bounds],
    { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
    .toString()
    .trim()
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
    if (port) {
      const stop = async () => {
        child.kill()
        await once(child, 'exit')
        rmSync(dataDir, { recursive: true, force: true })
      }
      return { port: Number(port), key, pid: child.pid as number, stop }
    }
  }
  throw new Error(`the service ended before it listened:\n${text}`)
}
type Running = Awaited<ReturnType<typeof start>>

/** Sends one request and reads its answer to the end. */
function ask(service: Running, agent: Agent, method: string, path: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        headers: {
          authorization: `Bearer ${service.key}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      response => {
        response.on('data', () => {})
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Percentiles of the latency of `GET /indicator/rsi`, one request every few milliseconds, in microseconds. */
async function latency(service: Running, ms: number): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  const end = performance.now() + ms
  while (performance.now() < end) {
    const began = performance.now()
    await ask(service, agent, 'GET', '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h')
    took.push(performance.now() - began)
    await sleep(4)
  }
  agent.destroy()
  took.sort((a, b) => a - b)
  const at = (share: number) => microseconds(took[Math.floor(share * (took.length - 1))] as number)
  return { 'p50 µs': at(0.5), 'p99 µs': at(0.99), 'max µs': at(1), requests: took.length }
}

/** How long a small request takes while others keep every thread busy, with their load and without. */
async function saturationRows(): Promise<Record<string, unknown>> {
  const service = await start()
  try {
    const agent = new Agent({ keepAlive: true })
    const body = JSON.stringify(bulkBody(20, 20, 100))
    for (let i = 0; i < 30; i++) await ask(service, agent, 'POST', '/bulk', body)
    await latency(service, 500)
    const idle = await latency(service, 4 * roundMs)
    let busy = true
    let answered = 0
    const load = Array.from({ length: 2 }, async () => {
      while (busy) {
        await ask(service, agent, 'POST', '/bulk', body)
        answered++
      }
    })
    const began = performance.now()
    const loaded = await latency(service, 4 * roundMs)
    busy = false
    await Promise.all(load)
    const seconds = (performance.now() - began) / 1000
    agent.destroy()
    return {
      'GET /indicator/rsi, idle': idle,
      'GET /indicator/rsi under bulk load': { ...loaded, 'bulk answers/s': rounded(answered / seconds) },
      'loaded / idle': {
        'p50 µs': rounded((loaded['p50 µs'] as number) / (idle['p50 µs'] as number)),
        'p99 µs': rounded((loaded['p99 µs'] as number) / (idle['p99 µs'] as number)),
      },
    }
  } finally {
    await service.stop()
  }
}

/** Resident memory of a process in MB; undefined where the system has no /proc. */
function resident(pid: number): number | undefined {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
  } catch {
    return undefined
  }
}

/** Memory over many requests of random shapes, valid and invalid, and what they were answered with. */
async function memoryRows(): Promise<Record<string, unknown>> {
  const service = await start()
  try {
    const random = seeded(11)
    const agent = new Agent({ keepAlive: true })
    const pick = (most: number) => 1 + Math.floor(random() * most)
    const spoil = (text: string) => {
      const cut = Math.floor(random() * text.length)
      return random() < 0.5 ? text.slice(0, cut) : `${text.slice(0, cut)}x${text.slice(cut + 1)}`
    }
    const supplied = Array.from({ length: 4 }, (_, i) => JSON.stringify(suppliedBody(3 * i + 1, 10)))
    const statuses: Record<string, number> = {}
    const rows: Record<string, unknown> = {}
    const requests = 10_000
    for (let sent = 0; sent < requests; ) {
      const batch = Array.from({ length: 4 }, () => {
        const isSupplied = random() < 0.1
        const results = ([1, 100, 'max'] as const)[pick(3) - 1] as 1 | 100 | 'max'
        const body = isSupplied
          ? (supplied[pick(4) - 1] as string)
          : JSON.stringify({ ...bulkBody(pick(20), pick(20), results), verbose: random() < 0.5 })
        const path = isSupplied ? '/bulk-candles' : '/bulk'
        return ask(service, agent, 'POST', path, random() < 0.2 ? spoil(body) : body)
      })
      for (const status of await Promise.all(batch)) statuses[status] = (statuses[status] ?? 0) + 1
      sent += batch.length
      if (sent % (requests / 5) === 0) rows[`${sent} requests`] = { 'resident MB': resident(service.pid) }
    }
    agent.destroy()
    rows.statuses = statuses
    return rows
  } finally {
    await service.stop()
  }
}

/** All of it, one table after the other. */
export async function benchBulk(): Promise<readonly Record<string, unknown>[]> {
  return [
    await cachedRows(),
    await suppliedRows(),
    await threadRows(),
    await saturationRows(),
    await memoryRows(),
  ]
}
