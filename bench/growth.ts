import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineText, type Table } from './baseline.js'
import { effort, some } from './effort.js'
import { growthText, type Point, withSection } from './growth-document.js'
import { measure, newRun, type Run, startBare } from './http.js'
import { drawPanels } from './panels.js'
import { type ServerProcess, startServer } from './service-process.js'
import { rounded } from './statistics.js'
import { hasUws } from './transports.js'

const rounds = effort(3, 1)
const document = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const figure = fileURLToPath(new URL('../../docs/images/growth.svg', import.meta.url))

/** One quantity that grows while the others stay. */
interface Axis {
  readonly name: string
  readonly sizes: readonly number[]
  /** Candles and markets of the server at a size. */
  serverOf(size: number): { readonly history: number; readonly markets: number }
  pathsOf(size: number): readonly string[]
  connectionsOf(size: number): number
}

const pathOf = (symbol: string, period = 14) =>
  `/indicator/rsi?exchange=demo&symbol=${symbol}&timeframe=1h&period=${period}`
const usual = { history: 1_000, markets: 1 }
const usualConnections = 64

const axes: readonly Axis[] = [
  {
    name: 'cached series',
    sizes: [10, 100, 1_000, 10_000],
    serverOf: markets => ({ history: 500, markets }),
    pathsOf: markets => Array.from({ length: markets }, (_, i) => pathOf(`S${i}USDT`)),
    connectionsOf: () => usualConnections,
  },
  {
    name: 'connections',
    sizes: [1, 10, 100, 1_000, 10_000],
    serverOf: () => usual,
    pathsOf: () => [pathOf('S0USDT')],
    connectionsOf: connections => connections,
  },
  {
    name: 'candles of history',
    sizes: [500, 5_000, 50_000],
    serverOf: history => ({ history, markets: 1 }),
    pathsOf: () => [pathOf('S0USDT')],
    connectionsOf: () => usualConnections,
  },
  {
    name: 'period',
    sizes: [2, 10, 50, 500],
    serverOf: () => usual,
    pathsOf: period => [pathOf('S0USDT', period)],
    connectionsOf: () => usualConnections,
  },
]

/** An axis with its smallest size alone in a smoke run. */
const shortened = (axis: Axis): Axis => ({ ...axis, sizes: some(axis.sizes) })

const costOf = ({ cpuMicroseconds, replies }: Run) => cpuMicroseconds / replies

/** Measures an axis: each size in turn, together with a bare server, and all of them again. */
async function pointsOf({ name, sizes, serverOf, pathsOf, connectionsOf }: Axis): Promise<readonly Point[]> {
  const servers = new Map<string, ServerProcess>()
  const bares: ServerProcess[] = []
  try {
    const pairs = []
    for (const size of sizes) {
      const { history, markets } = serverOf(size)
      const key = `${history} ${markets}`
      const server =
        servers.get(key) ??
        (await startServer(['build/bench/moving-server.js', String(history), String(markets)], /^(\d+)/))
      servers.set(key, server)
      const [first = ''] = pathsOf(size)
      const bare = await startBare(server.port, 'a', first)
      bares.push(bare)
      const requests = pathsOf(size).map(path => ({ method: 'GET', path }))
      pairs.push({
        size,
        own: newRun(`${size} ${name}`, server, 'a', requests),
        bare: newRun('bare', bare, 'a', requests.slice(0, 1)),
      })
    }
    for (let round = 0; round < rounds; round++)
      for (const { size, own, bare } of pairs)
        for (const run of [own, bare]) await measure(run, connectionsOf(size))
    return pairs.map(({ size, own, bare }) => ({ axis: name, size, cpu: costOf(own), bare: costOf(bare) }))
  } finally {
    for (const server of [...servers.values(), ...bares]) await server.stop()
  }
}

/**
 * Processor time of a `GET /indicator/rsi` over a market that moves before every request, as a multiple of a bare
 * uWebSockets.js server that returns the same bytes, while one quantity grows. `isDocumented` writes it into the document.
 */
export async function benchGrowth(isDocumented: boolean): Promise<readonly Table[]> {
  if (!hasUws) return []
  const tables: Table[] = []
  const all: (readonly Point[])[] = []
  for (const axis of some(axes).map(shortened)) {
    const points = await pointsOf(axis)
    all.push(points)
    tables.push(
      Object.fromEntries(
        points.map(({ size, cpu, bare }) => [
          `${size.toLocaleString('en')} ${axis.name}`,
          { 'CPU µs/request': rounded(cpu), 'CPU / bare request': rounded(cpu / bare) },
        ]),
      ),
    )
  }
  if (isDocumented) writeDocument(all)
  return tables
}

function writeDocument(all: readonly (readonly Point[])[]): void {
  const machine = `${machineText()}, Node ${process.version}`
  writeFileSync(document, withSection(readFileSync(document, 'utf8'), growthText(all, machine)))
  const panels = all.map(points => ({
    title: `Processor time per request ÷ bare request, by ${points[0]?.axis}`,
    labels: points.map(({ size }) => size.toLocaleString('en')),
    lines: [
      { name: 'rsi', points: points.map(({ cpu, bare }, at) => [at, cpu / bare] as const) },
      { name: 'bare request', points: points.map((_, at) => [at, 1] as const) },
    ],
  }))
  writeFileSync(figure, drawPanels(panels))
}
