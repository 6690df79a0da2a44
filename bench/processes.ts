import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { measure, newRun, type Run, startBare } from './http.js'
import { LoadClient, type LoadRequest } from './load-client.js'
import { bulkBody } from './request-bodies.js'
import { createKey, type ServerProcess, startServiceOver } from './service-process.js'
import { median, rounded } from './statistics.js'
import { hasUws } from './transports.js'

const rounds = effort(5, 1)
/**
 * Enough connections that each process always has requests waiting; with few, a turn of its event loop serves one request.
 */
const connections = 256
/** Numbers of serving processes. */
const counts = [1, 2]
const get: LoadRequest = {
  method: 'GET',
  path: '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h',
}
const bulk: LoadRequest = { method: 'POST', path: '/bulk', body: JSON.stringify(bulkBody(1, 10, 1)) }
const kinds = { 'GET /indicator/rsi': get, 'POST /bulk, 10 indicators': bulk }

/** Duration of the delay measurement in milliseconds, and GETs per second. */
const delayMs = effort(3_000, 100)
const getsPerSecond = 400
const getConnections = 8
const bulkConnections = 16
/** Replies after which each process has kept the results of the bulk request. */
const firstReplies = 20 * bulkConnections

/** Request limit of the tested key, and duration of the test: less than its window of 15 seconds. */
const limit = effort(20_000, 20)
const limitMs = effort(4_000, 300)
const limitConnections = 32

/** A service with several processes. */
interface Served {
  readonly processes: number
  readonly server: ServerProcess
}

/** Replies, delays and limits of several processes of a service, compared with one, alternating. */
export async function benchProcesses(): Promise<readonly Table[]> {
  const directories: string[] = []
  const served: Served[] = []
  const bares: Served[] = []
  try {
    const keys: string[] = []
    const limited: string[] = []
    for (const processes of counts) {
      const directory = mkdtempSync(join(tmpdir(), 'candela-processes-'))
      directories.push(directory)
      keys.push(createKey(directory))
      limited.push(createKey(directory, limit))
      const server = await startServiceOver(directory, { PROCESSES: String(processes) })
      served.push({ processes, server })
      await keepResults({ port: server.port, key: keys.at(-1) as string })
    }
    const keyOf = ({ processes }: Served) => keys[counts.indexOf(processes)] as string
    const [first] = served
    if (first && hasUws)
      for (const processes of counts)
        bares.push({
          processes,
          server: await startBare(first.server.port, keyOf(first), get.path, processes),
        })
    return [
      await requestRows(served, bares, keyOf),
      await delayRows(served, keyOf),
      await limitRows(served, limited),
    ]
  } finally {
    for (const { server } of [...served, ...bares]) await server.stop()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  }
}

/** Sends bulk requests until their results are kept. Before, more connections would exceed the tasks that may wait. */
async function keepResults(place: { readonly port: number; readonly key: string }): Promise<void> {
  const client = await LoadClient.start(place, [bulk], { connections: bulkConnections })
  for (let replies = 0; replies < firstReplies; replies += (await client.report()).replies) await sleep(100)
  await client.stop()
}

const nameOf = (processes: number) => `${processes} ${processes === 1 ? 'process' : 'processes'}`

/**
 * Requests per second, and the processor time per request in all processes together, including the owner. A bare server shows
 * what a second process costs by itself.
 */
async function requestRows(
  served: readonly Served[],
  bares: readonly Served[],
  keyOf: (of: Served) => string,
): Promise<Table> {
  const runsOf = (kind: string, servers: readonly Served[], request: LoadRequest) =>
    servers.map(each => newRun(`${kind}, ${nameOf(each.processes)}`, each.server, keyOf(each), [request]))
  const runs = [
    ...Object.entries(kinds).map(([kind, request]) => runsOf(kind, served, request)),
    runsOf('bare uWebSockets.js', bares, get),
  ]
  for (let round = 0; round < rounds; round++)
    for (const group of runs) for (const run of group) await measure(run, connections)
  return Object.fromEntries(runs.flatMap(group => group.map(run => [run.name, rowOf(run, group[0] as Run)])))
}

function rowOf(run: Run, single: Run): Table[string] {
  const rate = ({ replies, seconds }: Run) => replies / seconds
  const cost = ({ cpuMicroseconds, replies }: Run) => cpuMicroseconds / replies
  const hasCpu = run.cpuMicroseconds > 0
  return {
    'requests/s': Math.round(rate(run)),
    'CPU µs/request': hasCpu ? rounded(cost(run)) : null,
    ...(run !== single && {
      'requests / one process': rounded(rate(run) / rate(single)),
      'CPU / one process': hasCpu ? rounded(cost(run) / cost(single)) : null,
    }),
  }
}

/** Delay of a GET alone, and during a full load of bulk requests. */
async function delayRows(served: readonly Served[], keyOf: (of: Served) => string): Promise<Table> {
  const delays = served.map(() => ({ idle: [] as number[], beside: [] as number[] }))
  for (let round = 0; round < rounds; round++)
    for (const [at, each] of served.entries()) {
      const place = { port: each.server.port, key: keyOf(each) }
      delays[at]?.idle.push(await delayOf(place))
      const load = await LoadClient.start(place, [bulk], { connections: bulkConnections })
      delays[at]?.beside.push(await delayOf(place))
      await load.stop()
    }
  return Object.fromEntries(
    served.map(({ processes }, at) => {
      const [idle, beside] = [median(delays[at]?.idle ?? []), median(delays[at]?.beside ?? [])]
      const cells = { 'p99 ms, GETs alone': rounded(idle), 'p99 ms, beside bulk': rounded(beside) }
      return [`delay of a GET, ${nameOf(processes)}`, { ...cells, 'times as long': rounded(beside / idle) }]
    }),
  )
}

/** The 99th percentile in milliseconds. */
async function delayOf(place: { readonly port: number; readonly key: string }): Promise<number> {
  const client = await LoadClient.start(place, [get], {
    connections: getConnections,
    perSecond: getsPerSecond,
  })
  await sleep(delayMs / 4)
  await client.report()
  await sleep(delayMs)
  return (await client.stop()).latencyMs.p99
}

/** Number of answered requests of a key that sends more than its plan allows, as fast as it can. */
async function limitRows(served: readonly Served[], keys: readonly string[]): Promise<Table> {
  const rows: [string, Table[string]][] = []
  for (const [at, { processes, server }] of served.entries()) {
    const place = { port: server.port, key: keys[at] as string }
    const client = await LoadClient.start(place, [get], { connections: limitConnections })
    await sleep(limitMs)
    const { replies, statuses } = await client.stop()
    const allowed = statuses['200'] ?? 0
    if (allowed > limit || (replies > limit && allowed < limit))
      throw new Error(`${allowed} of ${replies} requests were answered where ${limit} are allowed`)
    rows.push([`limit of a key, ${nameOf(processes)}`, { allowed: limit, answered: allowed, sent: replies }])
  }
  return Object.fromEntries(rows)
}
