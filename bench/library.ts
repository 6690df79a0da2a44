import { fileURLToPath } from 'node:url'
import { catalogue, type Entry, type Values } from '#dist/catalogue/index.js'
import { compute, live } from '#dist/library/index.js'
import type { Table } from './baseline.js'
import { effort, some } from './effort.js'
import { randomWalk } from './random-walk.js'
import { rounded } from './statistics.js'

/** A calculation with arrays and objects of a package, which is timed. */
type Timed = () => unknown
/** A live calculation of a package. Some cannot replace a forming candle. */
interface PeerLive {
  close(candle: object): unknown
  update?(candle: object): unknown
}
/** Calculations by package: see bench/peers/packages.mjs. */
interface Peers {
  inputsOf(columns: object, count: number): object
  readonly packages: Readonly<
    Record<string, (entry: Entry, params: Values) => ((inputs: object) => Timed) | undefined>
  >
  readonly live: Readonly<Record<string, (entry: Entry, params: Values) => PeerLive | undefined>>
}

const names = ['rsi', 'macd', 'bbands', 'atr', 'adx', 'supertrend'] as const
const sizes = some([1_000, 100_000, 1_000_000])
/** Rounds of short calls, which the engine of JavaScript optimizes while they run, and of long ones. */
const shortRounds = effort(60, 1)
const longRounds = effort(7, 1)
const batchNs = effort(2e6, 0)

const peersFile = new URL('../../bench/peers/packages.mjs', import.meta.url)

async function openPeers(): Promise<Peers | undefined> {
  try {
    return (await import(fileURLToPath(peersFile))) as Peers
  } catch {
    console.log('left out: the packages of npm; `npm ci` in bench/peers installs them')
    return undefined
  }
}

/** Processor time of calls, which other programs on the machine hardly change. */
const nanoseconds = (call: Timed, repetitions: number): number => {
  const begin = process.cpuUsage()
  for (let i = 0; i < repetitions; i++) call()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) * 1000
}

/** Nanoseconds of the fastest batch of each call. They alternate, so that a disturbance affects all of them. */
function fastest(
  calls: Readonly<Record<string, Timed>>,
  rounds = shortRounds,
): Readonly<Record<string, number>> {
  const batches = Object.entries(calls).flatMap(([name, call]) => {
    try {
      nanoseconds(call, 1)
    } catch {
      // The memory of talib-web has room for some ten thousand candles.
      return []
    }
    let repetitions = 1
    while (nanoseconds(call, repetitions) < batchNs) repetitions *= 2
    return [{ name, call, repetitions }]
  })
  const best: Record<string, number> = {}
  for (let round = 0; round < rounds; round++)
    for (const { name, call, repetitions } of batches)
      best[name] = Math.min(
        best[name] ?? Number.POSITIVE_INFINITY,
        nanoseconds(call, repetitions) / repetitions,
      )
  return best
}

const defaultsOf = ({ params }: Entry) =>
  Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.default])) as Values

/** All values of the best-known indicators, in nanoseconds per candle, with `candela-ta/compute` and packages of npm. */
function batchTable(peers: Peers | undefined): Table {
  const { columns } = randomWalk(sizes.at(-1) as number)
  const table: Record<string, Record<string, unknown>> = {}
  for (const count of sizes) {
    const { open, high, low, close, volume } = columns
    const own = Object.fromEntries(
      Object.entries({ open, high, low, close, volume }).map(([name, each]) => [name, each.slice(0, count)]),
    )
    const inputs = peers?.inputsOf(columns, count)
    for (const name of names) {
      const entry = catalogue.get(name) as Entry
      const params = defaultsOf(entry)
      const calls: Record<string, Timed> = { candela: () => compute(name, own, params) }
      for (const [peer, create] of Object.entries(peers?.packages ?? {})) {
        const call = create(entry, params)?.(inputs as object)
        if (call) calls[peer] = call
      }
      const ns = fastest(calls, count > 1_000 ? longRounds : shortRounds)
      const others = Object.entries(ns).filter(([each]) => each !== 'candela')
      table[`${name}, ${count} candles`] = {
        ...Object.fromEntries(
          Object.entries(ns).map(([each, time]) => [`${each} ns`, rounded(time / count)]),
        ),
        ...(others.length > 0 && {
          'candela / fastest package': rounded(
            (ns.candela as number) / Math.min(...others.map(([, time]) => time)),
          ),
        }),
      }
    }
  }
  return table
}

/** Live updates per second, with `candela-ta/compute` and packages of npm: a forming candle, and a closed one. */
function liveTable(peers: Peers | undefined): Table {
  const { columns } = randomWalk(10_000)
  const candles = Array.from({ length: 10_000 }, (_, i) => columns.read(i))
  const [first] = candles as [(typeof candles)[number]]
  const candleAt = (at: number) => ({ ...candles[at % 10_000], timestamp: first.timestamp + 3600 * at })
  return Object.fromEntries(
    names.map(name => {
      const entry = catalogue.get(name) as Entry
      const created = Object.entries(peers?.live ?? {}).map(
        ([peer, create]) => [peer, create(entry, defaultsOf(entry))] as const,
      )
      const all = [['candela', live(name, {}) as PeerLive] as const, ...created]
      const calls: Record<string, Timed> = {}
      for (const [peer, following] of all) {
        let at = 0
        for (; at < 1000; at++) following?.close(candleAt(at))
        if (following) calls[`${peer}, closed candles per second`] = () => following.close(candleAt(at++))
        if (following?.update)
          calls[`${peer}, forming candles per second`] = () => following.update?.(candleAt(at))
      }
      const perSecond = Object.entries(fastest(calls)).map(([call, ns]) => [call, Math.round(1e9 / ns)])
      return [`live ${name}`, Object.fromEntries(perSecond)]
    }),
  )
}

/** `candela-ta/compute` in a program of Node.js, next to packages of npm that compute the same indicators. */
export async function benchLibrary(): Promise<readonly Table[]> {
  const peers = await openPeers()
  return [batchTable(peers), liveTable(peers)]
}
