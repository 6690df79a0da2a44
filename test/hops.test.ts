import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { CandelaProcess } from './support/service-process.js'

/** One function of the built service that was called. */
interface Called {
  readonly url: string
  readonly name: string
  /** Offset in the built module. */
  readonly at: number
  readonly count: number
}

/** Functions by file of `src`. */
type Hops = ReadonlyMap<string, readonly string[]>

const countOf = (hops: Hops): number => [...hops.values()].flat().length

let candela: CandelaProcess
beforeAll(async () => {
  candela = await CandelaProcess.start({}, undefined, new URL('support/call-counts.mjs', import.meta.url))
  await candela.ask('GET', again)
})
afterAll(() => candela.stop())

const regions = new Map<string, readonly (readonly [from: number, file: string])[]>()

/** The file of `src` that a place of a built module comes from; undefined for a library. */
function sourceOf({ url, at }: Called): string | undefined {
  let known = regions.get(url)
  if (!known) {
    const marks = readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/#? ?(?:region )?(src\/\S+|\S+)$/gm)
    known = [...marks].map(({ index, 1: file }) => [index, file as string] as const)
    regions.set(url, known)
  }
  const file = known.findLast(([from]) => from <= at)?.[1]
  return file?.startsWith('src/') ? file : undefined
}

/** The calls since the last look. */
async function takeCalls(): Promise<readonly Called[]> {
  candela.child.send('take')
  const [called] = await once(candela.child, 'message')
  return called as readonly Called[]
}

/** Hops of the round with the fewest calls, because a busy machine ends a time slice during some rounds. */
class FewestHops {
  hops: Hops = new Map()
  #calls = Number.POSITIVE_INFINITY

  add(called: readonly Called[]): void {
    const own = called.flatMap(each => {
      const file = sourceOf(each)
      return file === undefined ? [] : [{ ...each, file }]
    })
    const calls = own.reduce((sum, { count }) => sum + count, 0)
    if (calls >= this.#calls) return
    this.#calls = calls
    const files = new Map<string, string[]>()
    for (const { file, name } of own) files.set(file, [...(files.get(file) ?? []), name])
    this.hops = files
  }
}

/** Calls that one request makes. */
async function hopsOf(work: () => Promise<unknown>): Promise<Hops> {
  const fewest = new FewestHops()
  for (let round = 0; round < 8; round++) {
    await work()
    await takeCalls()
    await work()
    fewest.add(await takeCalls())
  }
  return fewest.hops
}

/** Sources without a part in the work of an update: the exchange, and the scheduler, whose time slices end by the clock. */
const notCounted = /\/demo\/|\/scheduler\.ts$/

/**
 * Calls that one update of a market makes for one subscriber. Looks at further updates while each passed more than
 * `functions`, because a busy machine ends a time slice during some of them, or makes two at once.
 */
async function hopsOfUpdate(functions: number): Promise<Hops> {
  const socket = new WebSocket(`${candela.url.replace('http', 'ws')}/streaming`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'auth', token: `Bearer ${candela.key}` }))
  const what = { exchange: 'demo', symbol: 'ETHUSDT', interval: '1m', indicator: 'rsi' }
  socket.send(JSON.stringify({ type: 'subscribe', id: 'a', ...what }))
  for (let text = ''; !text.includes('"update"'); ) text = `${(await once(socket, 'message'))[0]}`
  const fewest = new FewestHops()
  for (let round = 0; round < 8 && (round < 2 || countOf(fewest.hops) > functions); round++) {
    await takeCalls()
    await once(socket, 'message')
    const called = (await takeCalls()).filter(each => !notCounted.test(sourceOf(each) ?? ''))
    if (called.some(({ name }) => name === '#formingUpdate')) fewest.add(called)
  }
  socket.terminate()
  return fewest.hops
}

const again = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1d'
const indicators = [
  { id: 'a', indicator: 'rsi' },
  { id: 'b', indicator: 'sma', period: 20 },
]
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1d' }
const bulk = JSON.stringify({ constructs: [{ id: 'x', ...market, indicators }] })
const candles = Array.from({ length: 60 }, (_, i) => {
  const price = 1 + i
  return { t: 1.6e9 + i * 3600, o: price, h: price + 1, l: price - 0.5, c: price + 0.5, v: 1 }
})
const supplied = JSON.stringify({ candles, period: 5 })
let period = 20

/**
 * Bounds per request, as V8 of Node.js 20 counts. A bound is lowered after each
 * improvement, and never raised.
 */
const requests: Readonly<
  Record<string, readonly [functions: number, files: number, work: () => Promise<unknown>]>
> = {
  'GET, the same again': [43, 17, () => candela.ask('GET', again)],
  'GET, a new query': [98, 33, () => candela.ask('GET', `${again}&period=${period++}`)],
  'POST /bulk with two indicators, the same again': [
    99,
    32,
    () => candela.ask('POST', '/bulk', { body: bulk }),
  ],
  'POST of own candles': [109, 31, () => candela.ask('POST', '/indicator/sma', { body: supplied })],
}

function expectFew(hops: Hops, functions: number, files: number): void {
  const list = [...hops].map(([file, names]) => `${file}: ${names.join(', ')}`).sort()
  const passed = countOf(hops)
  expect(passed, 'calls are counted').toBeGreaterThan(20)
  expect(passed, list.join('\n')).toBeLessThanOrEqual(functions)
  expect(hops.size, list.join('\n')).toBeLessThanOrEqual(files)
}

const itCounts = it.runIf(process.version.startsWith('v20.'))

itCounts.each(Object.entries(requests))(
  '%s passes few functions and files',
  async (_, [functions, files, work]) => expectFew(await hopsOf(work), functions, files),
)

itCounts('one update to one subscriber passes few functions and files', async () => {
  expectFew(await hopsOfUpdate(88), 88, 22)
})
