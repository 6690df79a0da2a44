import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Candela, freePort } from '../support/service-process.js'
import { Fuzz } from './fuzz.js'
import { readInterface } from './interface.js'

// `npm run test:fuzz` sets these; `npm test` runs a small part with the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
const only = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE)
const isWhole = process.env.FUZZ_CASES !== undefined && only === undefined
const cases = Number(process.env.FUZZ_CASES ?? 2_000)

/** Cases that fill the caches and the heaps of the threads, so that memory can be compared from then on. */
const warmUp = Math.min(50_000, cases / 2)
const maxGrowth = 1.1
const maxHoldMs = 50
/** Where even a process that does nothing is held for so long, the machine is too busy to judge the service. */
const maxIdleHoldMs = 15

let candela: Candela
let metricsPort: number
let idle: ChildProcess
beforeAll(async () => {
  metricsPort = await freePort()
  idle = fork(new URL('idle-loop.mjs', import.meta.url))
  candela = await Candela.start({
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('collect-garbage.mjs', import.meta.url))}`,
  })
})
afterAll(async () => {
  idle.disconnect()
  await candela.stop()
})

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** The longest holds of the event loops since the last call, in milliseconds. */
async function holds(): Promise<{ readonly service: number; readonly idle: number }> {
  idle.send('take')
  const [[longest], seconds] = await Promise.all([once(idle, 'message'), metric('candela_event_loop_delay')])
  return { service: seconds * 1000, idle: longest }
}

/** Resident memory in MiB after the garbage was collected. */
async function memory(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    process.kill(candela.child.pid as number, 'SIGUSR2')
    await sleep(500)
  }
  return (await metric('process_resident_memory_bytes')) / 2 ** 20
}

it(
  'hostile requests, messages, files and commands get documented answers, and leave the service as it was',
  async () => {
    const limits = ['--requests', '1000000000', '--constructs', '20', '--subscriptions', '10000']
    const key = candela.cli('keys', 'create', '--plan', 'enterprise', '--name', 'fuzz', ...limits)
    const [{ body: list }, { body: document }] = await Promise.all([
      candela.get('/indicators'),
      candela.get('/openapi.json'),
    ])
    const served = readInterface(list.indicators, document)
    const fuzz = new Fuzz({ candela, served, key }, seed)
    if (only !== undefined) await fuzz.run(only, only + 1)
    else await fuzz.run(0, warmUp)
    const before = isWhole ? await memory() : 0
    await holds()
    if (only === undefined) await fuzz.run(warmUp, cases)
    const hold = await holds()
    const after = isWhole ? await memory() : 0
    fuzz.close()
    if (isWhole)
      console.log(
        `seed ${seed}, ${cases} cases: ${JSON.stringify(fuzz.counts)}, statuses ${JSON.stringify(fuzz.statuses)}, ` +
          `longest hold ${hold.service.toFixed(0)} ms, that of an idle process ${hold.idle.toFixed(0)} ms, memory ${before.toFixed(0)} to ${after.toFixed(0)} MiB`,
      )
    const replay = 'to replay one: npm run test:fuzz -- --seed <seed> --case <number>'
    expect(fuzz.faults.slice(0, 20), `seed ${seed}, ${replay}`).toEqual([])
    expect((await candela.get('/health/live')).status, 'the process lives').toBe(200)
    if (only !== undefined) return
    expect(fuzz.counts.request, 'all kinds are drawn').toBeGreaterThan(cases / 2)
    expect(Object.keys(fuzz.counts).sort()).toEqual(['command', 'file', 'raw', 'request', 'stream'])
    expect(fuzz.statuses[200], 'many requests are valid').toBeGreaterThan((fuzz.counts.request ?? 0) / 4)
    // Both depend on what else the machine does, so they are measured only where nothing else runs.
    if (!isWhole) return
    expect(after / before, 'memory after to memory before').toBeLessThan(maxGrowth)
    if (hold.idle < maxIdleHoldMs)
      expect(hold.service, 'the longest hold of the event loop, in milliseconds').toBeLessThan(maxHoldMs)
    else console.log('the machine is too busy to judge the longest hold')
  },
  isWhole ? 3_600_000 : 180_000,
)
