import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CandelaProcess, freePort } from '../support/service-process.js'
import { WatchedService } from '../support/watched-service.js'
import { Fuzz } from './fuzz.js'
import { readInterface } from './interface.js'

// `npm run test:fuzz` sets these; `npm test` runs a small part with the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
const only = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE)
const isGiven = process.env.FUZZ_CASES !== undefined
const isWhole = isGiven && only === undefined
/** The first case of each run, and the case after its last one. Case 750 is the first that runs a command. */
const runs = isGiven
  ? [{ first: 0, end: Number(process.env.FUZZ_CASES), options: {} }]
  : [
      { first: 600, end: 900, options: {} },
      { first: 0, end: 2_000, options: { tags: ['faults'] } },
    ]

const maxGrowth = 1.1
/** Longest allowed delay of the event loop, in ms. A short run allows more, because code is slower when it first runs. */
const maxHoldMs = isGiven ? 50 : 200
/** Longest delay of the event loop of an idle process, in ms. Above it, the machine is too busy to judge the service. */
const maxIdleHoldMs = 15

let service: WatchedService
let candela: CandelaProcess
let metricsPort: number
/** Only a whole run compares the event loop with that of another process. */
let idle: ChildProcess | undefined
beforeAll(async () => {
  metricsPort = await freePort()
  if (isWhole) idle = fork(new URL('idle-loop.mjs', import.meta.url))
  // Kept results fill their room during the warm-up.
  service = await WatchedService.start({ METRICS_PORT: String(metricsPort), RESULTS_BYTES: '4194304' })
  candela = service.candela
})
afterAll(async () => {
  idle?.disconnect()
  await candela.stop()
})

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** The longest holds of the event loops since the last call, in milliseconds. */
async function takeHolds() {
  idle?.send('take')
  const [[longest], seconds, { held }] = await Promise.all([
    (idle ? once(idle, 'message') : [0]) as Promise<[number]>,
    metric('nodejs_eventloop_lag_max_seconds'),
    service.take(),
  ])
  return {
    /** Processor time of the service's thread between two turns. */
    held,
    /** Time between two turns as the service shows it. It contains the time in which other programs ran. */
    shown: seconds * 1000,
    /** The same of a process that does nothing. */
    idle: longest,
  }
}

for (const { first, end, options } of runs)
  it(`hostile requests, messages, files and commands get documented answers, and leave the service as it was (cases ${first} to ${end})`, {
    timeout: isWhole ? 3_600_000 : 180_000,
    ...options,
  }, async () => {
    const cases = end - first
    // They fill the caches and the heaps of the threads, so that memory can be compared from then on.
    const warmUp = first + Math.min(50_000, cases / 2)
    const limits = ['--requests', '1000000000', '--constructs', '20', '--subscriptions', '10000']
    const key = await candela.cli('keys', 'create', '--plan', 'enterprise', '--name', 'fuzz', ...limits)
    const [{ body: list }, { body: document }] = await Promise.all([
      candela.get('/indicators'),
      candela.get('/openapi.json'),
    ])
    const served = readInterface(list.indicators, document)
    const fuzz = new Fuzz({ candela, served, key }, seed)
    if (only !== undefined) await fuzz.run(only, only + 1)
    else await fuzz.run(first, warmUp)
    const before = isWhole ? await service.memory() : undefined
    await takeHolds()
    if (only === undefined) await fuzz.run(warmUp, end)
    const hold = await takeHolds()
    const after = isWhole ? await service.memory() : undefined
    fuzz.close()
    if (before && after)
      console.log(
        `seed ${seed}, ${cases} cases: ${JSON.stringify(fuzz.counts)}, statuses ${JSON.stringify(fuzz.statuses)}\n` +
          `longest hold ${hold.held.toFixed(0)} ms of processor time, nodejs_eventloop_lag_max_seconds ${hold.shown.toFixed(0)} ms, that of an idle process ${hold.idle.toFixed(0)} ms\n` +
          `after the garbage was collected: resident memory ${before.resident.toFixed(0)} to ${after.resident.toFixed(0)} MiB, heap and buffers ${before.heap.toFixed(0)} to ${after.heap.toFixed(0)} MiB`,
      )
    const replay = 'to replay one: npm run test:fuzz -- --seed <seed> --case <number>'
    expect(fuzz.faults.slice(0, 20), `seed ${seed}, ${replay}`).toEqual([])
    expect((await candela.get('/health/live')).status, 'the process lives').toBe(200)
    if (only !== undefined) return
    expect(fuzz.counts.request, 'all kinds are drawn').toBeGreaterThan(cases / 2)
    expect(Object.keys(fuzz.counts).sort()).toEqual([
      'command',
      'file',
      'message',
      'raw',
      'request',
      'stream',
      'table',
    ])
    expect(fuzz.statuses[200], 'many requests are valid').toBeGreaterThan((fuzz.counts.request ?? 0) / 4)
    expect(hold.held, 'the longest hold of the event loop, in ms of processor time').toBeLessThan(maxHoldMs)
    // A short run compares a service that is still filling its caches.
    if (!before || !after) return
    expect(after.resident / before.resident, 'resident memory after to before').toBeLessThan(maxGrowth)
    expect(after.heap / before.heap, 'heap and buffers after to before').toBeLessThan(maxGrowth)
    if (hold.idle < maxIdleHoldMs)
      expect(hold.shown, 'nodejs_eventloop_lag_max_seconds, in milliseconds').toBeLessThan(maxHoldMs)
    else console.log('the machine is too busy to judge nodejs_eventloop_lag_max_seconds')
  })
