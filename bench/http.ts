import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { LoadClient, type LoadRequest } from './load-client.js'
import type { LoadReport } from './load-process.js'
import { cpuMicroseconds, type ServerProcess, startServer, startService } from './service-process.js'
import { rounded } from './statistics.js'
import { hasUws } from './transports.js'

const defaultConnections = 64
const rounds = effort(5, 1)
const roundMs = effort(2_000, 50)
/** Time for which a client runs before it is measured, so that its code is compiled. */
const warmUpMs = effort(500, 50)
/** Number of connections opened per millisecond. */
const connectionsPerMs = 5

export interface Run {
  readonly name: string
  readonly server: ServerProcess
  readonly key: string
  readonly requests: readonly LoadRequest[]
  replies: number
  seconds: number
  cpuMicroseconds: number
}

/** Sends one request after the other on each of many connections, and adds the measurements to the run. */
export async function measure(run: Run, connections = defaultConnections): Promise<void> {
  const { server, key, requests } = run
  const client = await LoadClient.start({ port: server.port, key }, requests, { connections })
  await sleep(warmUpMs + connections / connectionsPerMs)
  expectOk(await client.report())
  const before = cpuMicroseconds(server.pid)
  await sleep(roundMs)
  const report = await client.report()
  const after = cpuMicroseconds(server.pid)
  await client.stop()
  expectOk(report)
  run.replies += report.replies
  run.seconds += report.replies / report.repliesPerSecond
  if (before !== undefined && after !== undefined) run.cpuMicroseconds += after - before
}

function expectOk({ statuses }: LoadReport): void {
  // The last reply of a run may be incomplete.
  if (Object.keys(statuses).some(status => status !== '200'))
    throw new Error(`not every reply was 200: ${JSON.stringify(statuses)}`)
}

/** Starts a server that always returns the service's reply to one request, in one process or several. */
export async function startBare(
  port: number,
  key: string,
  path: string,
  processes = 1,
): Promise<ServerProcess> {
  const sample = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const headers = [...sample.headers].filter(
    ([name]) => !['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive'].includes(name),
  )
  const reply = JSON.stringify(['200 OK', headers, await sample.text()])
  return startServer(['build/bench/bare-http-server.js', reply, String(processes)], /^(\d+)/)
}

/** A run on uWebSockets.js, if available, and the same run on the other transport. */
interface Pair {
  readonly uws: Run | undefined
  readonly node: Run
}

/**
 * Requests per second of a warm `GET /indicator/rsi` (demo candles, results=1) on each transport, compared with a bare
 * uWebSockets.js server that returns the same status, header fields and body, in alternating rounds of one run.
 */
export async function benchHttp(): Promise<Table> {
  const path = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'
  const one = [{ method: 'GET', path }]
  // More queries than the service caches, so that each is read, computed and written again.
  const many = Array.from({ length: 40_000 }, (_, i) => ({
    method: 'GET',
    path: `${path}&period=${2 + (i % 200)}&backtrack=${Math.floor(i / 200)}`,
  }))
  const servers: ServerProcess[] = []
  const opened = <Started extends ServerProcess>(server: Started): Started => {
    servers.push(server)
    return server
  }
  try {
    const node = opened(await startService({ TRANSPORT: 'node' }))
    const uws = hasUws ? opened(await startService({ TRANSPORT: 'uws' })) : undefined
    const bare = uws && opened(await startBare(uws.port, uws.key, path))
    // The names are keys of the baseline.
    const floor = bare && newRun('bare uWebSockets.js', bare, '', one)
    const pair = (name: string, requests: readonly LoadRequest[]): Pair => ({
      uws: uws && newRun(name, uws, uws.key, requests),
      node: newRun(`${name}, node:http`, node, node.key, requests),
    })
    const pairs = [
      pair('GET /indicator/rsi, one question', one),
      pair('GET /indicator/rsi, ever new questions', many),
    ]
    const runs = [floor, ...pairs.map(each => each.uws), ...pairs.map(each => each.node)].filter(
      each => each !== undefined,
    )
    for (let round = 0; round < rounds; round++) for (const each of runs) await measure(each)
    return Object.fromEntries(
      runs.map(each => [each.name, rowOf(each, floor, pairs.find(({ node }) => node === each)?.uws)]),
    )
  } finally {
    for (const server of servers) await server.stop()
  }
}

export const newRun = (
  name: string,
  server: ServerProcess,
  key: string,
  requests: readonly LoadRequest[],
): Run => ({
  name,
  server,
  key,
  requests,
  replies: 0,
  seconds: 0,
  cpuMicroseconds: 0,
})

/** The row of a run, compared with the bare server and, for a run on node:http, the same run on uWebSockets.js. */
function rowOf(run: Run, floor: Run | undefined, uws: Run | undefined): Table[string] {
  const rate = ({ replies, seconds }: Run) => replies / seconds
  const cost = ({ cpuMicroseconds, replies }: Run) => cpuMicroseconds / replies
  const hasCpu = run.cpuMicroseconds > 0
  return {
    'requests/s': Math.round(rate(run)),
    'share of bare': floor ? rounded(rate(run) / rate(floor)) : null,
    'CPU µs/request': hasCpu ? rounded(cost(run)) : null,
    'share of bare by CPU': floor && hasCpu ? rounded(cost(floor) / cost(run)) : null,
    'CPU / uWebSockets.js': uws && hasCpu ? rounded(cost(run) / cost(uws)) : null,
  }
}
