import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Candela } from './support/service-process.js'

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

let candela: Candela
beforeAll(async () => {
  candela = await Candela.start({}, undefined, new URL('support/call-counts.mjs', import.meta.url))
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

/**
 * Calls that one request makes. Takes the round with the fewest calls, because timers of the service run during some
 * rounds.
 */
async function hopsOf(work: () => Promise<unknown>): Promise<Hops> {
  let fewest = Number.POSITIVE_INFINITY
  let hops: Hops = new Map()
  for (let round = 0; round < 8; round++) {
    await work()
    await takeCalls()
    await work()
    const called = (await takeCalls()).filter(each => sourceOf(each) !== undefined)
    const calls = called.reduce((sum, { count }) => sum + count, 0)
    if (calls >= fewest) continue
    fewest = calls
    const files = new Map<string, string[]>()
    for (const each of called) {
      const file = sourceOf(each) as string
      files.set(file, [...(files.get(file) ?? []), each.name])
    }
    hops = files
  }
  return hops
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

/** Bounds per request. A bound is lowered after each improvement, and never raised. */
const requests: Readonly<
  Record<string, readonly [functions: number, files: number, work: () => Promise<unknown>]>
> = {
  'GET, the same again': [43, 17, () => candela.ask('GET', again)],
  'GET, a new query': [125, 44, () => candela.ask('GET', `${again}&period=${period++}`)],
  'POST /bulk with two indicators, the same again': [
    112,
    38,
    () => candela.ask('POST', '/bulk', { body: bulk }),
  ],
  'POST of own candles': [134, 39, () => candela.ask('POST', '/indicator/sma', { body: supplied })],
}

it.each(Object.entries(requests))(
  '%s passes few functions and files',
  async (_, [functions, files, work]) => {
    const hops = await hopsOf(work)
    const list = [...hops].map(([file, names]) => `${file}: ${names.join(', ')}`).sort()
    const passed = [...hops.values()].flat().length
    expect(passed, 'calls are counted').toBeGreaterThan(20)
    expect(passed, list.join('\n')).toBeLessThanOrEqual(functions)
    expect(hops.size, list.join('\n')).toBeLessThanOrEqual(files)
  },
)
