import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runHostileClients } from './hostile-clients.js'
import { LoadClient, type LoadRequest } from './load-client.js'
import { drawLoad, type PhaseFigure } from './load-figure.js'
import { bulkBody, suppliedBody } from './request-bodies.js'
import { createKey } from './service-process.js'
import { rounded } from './statistics.js'

// `npm run test:load`: an ordinary client next to a mixed load at 80 % and at three times the capacity of the service, with
// hostile clients and without. `-- --seconds 600` uses ten minutes for each phase, and `--out load.svg` names the file of
// the figure. `--max-hold 50` limits the milliseconds of processor time for which the event loop may be held. `--max-growth
// 1.1` limits the memory at the end relative to that after a warm-up by the same phases. Beyond either limit it ends with
// code 1.

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '20' },
    out: { type: 'string', default: 'build/load.svg' },
    'max-hold': { type: 'string', default: '50' },
    'max-growth': { type: 'string', default: '1.1' },
  },
})
const seconds = Number(options.seconds)
const maxHoldMs = Number(options['max-hold'])
const maxGrowth = Number(options['max-growth'])
if (!(seconds >= 1) || !(maxHoldMs > 0) || !(maxGrowth > 0)) {
  console.error('--seconds must be 1 or more, --max-hold and --max-growth more than 0')
  process.exit(1)
}

/** Shortest judged phase; a shorter one ends while the service still fills its caches. */
const minJudgedSeconds = 60
/** Longest warm-up of each phase, in seconds. */
const maxWarmupSeconds = 60

const get = (path: string): LoadRequest => ({ method: 'GET', path })
const post = (path: string, body: unknown): LoadRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
})
const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
const one = suppliedBody({ constructs: 1, indicators: 5 })

/** Requests of an ordinary client. */
const ordinary = [
  get(`/indicator/rsi?${market}`),
  get(`/indicator/macd?${market}&results=50`),
  post('/bulk', bulkBody(1, 5, 1)),
  post('/indicator/sma', { candles: one.constructs[0]?.candles }),
]

/** Requests of all other clients, small and large ones mixed. */
const mixed = [
  ...ordinary,
  ...['ema', 'atr', 'stoch', 'adx', 'bbands'].map(name => get(`/indicator/${name}?${market}&results=10`)),
  get(`/candles?${market}&results=100`),
  post('/bulk-candles', one),
  post('/bulk', bulkBody(10, 10, 1)),
  post('/bulk', bulkBody(20, 20, 20)),
  post('/bulk-candles', suppliedBody({ constructs: 5, indicators: 10 })),
]

/** Number of connections of the load at 80 %, and of the load beyond the capacity. */
const connections = { below: 16, beyond: 64 }

/**
 * Makes the C library of Linux return freed memory to the system. By default it retains 15 to 80 MiB of large buffers,
 * differently each time, so that growth of the service would be invisible. With one arena per thread another 10 to 25 MiB
 * are retained.
 */
const returningMemory = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '1',
}
/** Number of memory measurements, of which the least counts, because V8 retains some 30 MiB of pages at times. */
const memoryLooks = 3

interface Watched {
  /** Milliseconds of processor time. */
  readonly held: number
  /** The longest stall of the machine, in milliseconds. A hold excludes stalls. */
  readonly stalled: number
  /** MiB. */
  readonly peak: number
}

interface Memory {
  readonly resident: number
  readonly heap: number
}

interface Service {
  readonly port: number
  readonly keys: Readonly<Record<'ordinary' | 'load' | 'hostile', string>>
  /** Observations since the last call: see test/support/process-watch.mjs. */
  take(): Promise<Watched>
  /** MiB after garbage collection. */
  memory(): Promise<Memory>
  /** The longest hold since the last call as `nodejs_eventloop_lag_max_seconds` reports it, in milliseconds. */
  takeDelay(): Promise<number>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startService(): Promise<Service> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-load-'))
  const keys = {
    ordinary: createKey(dataDirectory),
    load: createKey(dataDirectory),
    hostile: createKey(dataDirectory, 300),
  }
  const watch = pathToFileURL(join(root, 'test/support/process-watch.mjs')).href
  const metricsPort = await freePort()
  const child = fork(join(root, 'dist/main.js'), {
    cwd: root,
    execArgv: ['--import', watch],
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      PORT: '0',
      HOST: '127.0.0.1',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
      ...returningMemory,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const request = async (command: string) => {
    child.send({ command })
    return (await once(child, 'message'))[0]
  }
  const port = await new Promise<number>((found, fail) => {
    let text = ''
    child.stdout?.on('data', chunk => {
      text += chunk
      const shown = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (shown !== undefined) found(Number(shown))
    })
    child.once('exit', () => fail(new Error(`the service ended before it listened:\n${text}`)))
  })
  return {
    port,
    keys,
    take: () => request('take'),
    async memory() {
      const looks: Memory[] = []
      for (let look = 0; look < memoryLooks; look++) looks.push(await request('memory'))
      const least = (of: keyof Memory) => Math.min(...looks.map(each => each[of]))
      return { resident: least('resident'), heap: least('heap') }
    },
    async takeDelay() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Replies per second while all connections send as fast as they can. */
async function measureCapacity({ port, keys }: Service): Promise<number> {
  const client = await LoadClient.start({ port, key: keys.load }, mixed, { connections: connections.below })
  await sleep(2_000)
  await client.report()
  await sleep(3_000)
  return (await client.stop()).repliesPerSecond
}

interface Phase {
  readonly name: string
  readonly perSecond: number
  readonly connections: number
  readonly isHostile: boolean
}

interface PhaseResult extends PhaseFigure {
  readonly row: Readonly<Record<string, unknown>>
}

async function runPhase(service: Service, phase: Phase, duration = seconds): Promise<PhaseResult> {
  const { port, keys } = service
  const load = await LoadClient.start({ port, key: keys.load }, mixed, phase)
  const hostile = phase.isHostile
    ? runHostileClients({ port, key: keys.hostile }, duration * 1000)
    : undefined
  const client = await LoadClient.start({ port, key: keys.ordinary }, ordinary, {
    connections: 4,
    perSecond: 100,
  })
  await service.take()
  await service.takeDelay()
  const reports: Watched[] = []
  for (let second = 0; second < duration; second++) {
    await sleep(1000)
    reports.push(await service.take())
  }
  const delay = await service.takeDelay()
  const { latencyMs, statuses, replies } = await client.stop()
  const { repliesPerSecond, statuses: loadStatuses } = await load.stop()
  await hostile
  const holds = reports.map(({ held }) => held)
  const memory = reports.map(({ peak }) => peak)
  const { p50, p90, p99, p999, max } = latencyMs
  const errors = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .filter(([status]) => status !== '200')
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || 'none'
  return {
    name: phase.name,
    latencyMs: { p50, p90, p99, 'p99.9': p999, max },
    loopMs: holds,
    memoryMib: memory,
    row: {
      'load, replies/s': rounded(repliesPerSecond, 0),
      'its errors': errors(loadStatuses),
      'client, replies': replies,
      'client, errors': errors(statuses),
      'p50 ms': rounded(p50),
      'p90 ms': rounded(p90),
      'p99 ms': rounded(p99),
      'p99.9 ms': rounded(p999),
      'longest ms': rounded(max),
      'loop: longest hold ms': rounded(Math.max(...holds), 1),
      'nodejs_eventloop_lag_max_seconds ms': rounded(delay, 1),
      'longest machine stall ms': rounded(Math.max(...reports.map(({ stalled }) => stalled)), 1),
      'memory MiB': `${rounded(Math.min(...memory), 0)} to ${rounded(Math.max(...memory), 0)}`,
    },
  }
}

const service = await startService()
try {
  const capacity = await measureCapacity(service)
  console.log(`capacity: ${rounded(capacity, 0)} replies/s of the mixed load`)
  const below = { perSecond: 0.8 * capacity, connections: connections.below }
  const beyond = { perSecond: 3 * capacity, connections: connections.beyond }
  const phases: readonly Phase[] = [
    { name: '80 %', ...below, isHostile: false },
    { name: '80 %, hostile clients', ...below, isHostile: true },
    { name: '300 %', ...beyond, isHostile: false },
    { name: '300 %, hostile clients', ...beyond, isHostile: true },
  ]
  // Fills the caches, the heaps of the threads and the arenas of the C library. Each of them is filled most by one of the
  // phases.
  for (const phase of phases) await runPhase(service, phase, Math.min(seconds, maxWarmupSeconds))
  const before = await service.memory()
  const results: PhaseResult[] = []
  for (const phase of phases) results.push(await runPhase(service, phase))
  console.table(Object.fromEntries(results.map(({ name, row }) => [name, row])))
  const out = resolve(options.out)
  writeFileSync(out, drawLoad(results))
  console.log(`the figure is in ${out}`)
  const longest = Math.max(...results.flatMap(({ loopMs }) => loopMs))
  if (longest > maxHoldMs) {
    console.error(`the event loop was held for ${rounded(longest, 1)} ms; at most ${maxHoldMs} are allowed`)
    process.exitCode = 1
  }
  const after = await service.memory()
  const growth = (of: keyof Memory) =>
    `${rounded(before[of], 0)} to ${rounded(after[of], 0)} MiB (${rounded(after[of] / before[of], 2)})`
  console.log(
    `memory after the garbage was collected: ${growth('resident')}, of it heap and buffers ${growth('heap')}`,
  )
  if (seconds < minJudgedSeconds) console.log(`memory is judged from --seconds ${minJudgedSeconds} on`)
  else if (Math.max(after.resident / before.resident, after.heap / before.heap) > maxGrowth) {
    console.error(`memory has grown by more than ${maxGrowth}`)
    process.exitCode = 1
  }
} finally {
  await service.stop()
}
