import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Table } from './baseline.js'

const connections = 64
const rounds = 5
const roundMs = 2_000

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a server and waits for the line that tells its port. */
async function start(
  args: string[],
  env: NodeJS.ProcessEnv,
  port: RegExp,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    const match = port.exec(text)
    if (match) return { child, port: Number(match[1]) }
  }
  throw new Error(`${args.join(' ')} ended before it listened`)
}

/** User and system time that a process has spent, in microseconds; undefined where the system has no /proc. */
function cpuTime(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return undefined
  }
}

/** Sends one request after the other on each of many connections; answers how many were answered with 200. */
function load(port: number, requests: readonly Buffer[], ms: number): Promise<number> {
  let answered = 0
  let next = 0
  const request = () => requests[next++ % requests.length] as Buffer
  let refused = ''
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request()))
    socket.setNoDelay(true)
    socket.on('data', chunk => {
      // One small reply arrives as one chunk; its status stands at byte 9.
      if (chunk[9] !== 0x32) refused = chunk.toString('latin1', 0, 200)
      answered++
      socket.write(request())
    })
    socket.on('error', () => {})
    return socket
  })
  return new Promise((resolve, reject) =>
    setTimeout(() => {
      for (const socket of sockets) socket.destroy()
      if (refused) reject(new Error(`the server refused a request:\n${refused}`))
      else resolve(answered)
    }, ms),
  )
}

/**
 * Requests per second of a warm `GET /indicator/rsi` (demo candles, results=1) beside a bare uWebSockets.js handler
 * that returns the same status, header fields and body, in alternating rounds of one run.
 */
export async function benchHttp(): Promise<Table> {
  const dataDir = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  const env = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const key = execFileSync(
    process.execPath,
    [
      'dist/cli/candela.js',
      'keys',
      'create',
      '--plan',
      'enterprise',
      '--name',
      'bench',
      '--requests',
      '1000000000',
    ],
    { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] },
  )
    .toString()
    .trim()
  const candela = await start(['dist/main.js'], env, /listens on http:\/\/[^:]+:(\d+)/)
  const path = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'
  const sample = await fetch(`http://127.0.0.1:${candela.port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const headers = [...sample.headers].filter(
    ([name]) => !['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive'].includes(name),
  )
  const body = await sample.text()
  const bare = await start(['build/bench/bare.js', JSON.stringify(['200 OK', headers, body])], {}, /^(\d+)/)
  const ask = (query: string) =>
    Buffer.from(`GET ${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const one = [ask(path)]
  // More queries than the service remembers, so that each is read, calculated and written anew.
  const many = Array.from({ length: 10_000 }, (_, i) =>
    ask(`${path}&period=${2 + (i % 200)}&backtrack=${Math.floor(i / 200)}`),
  )

  const runs = [
    { name: 'bare uWebSockets.js', server: bare, requests: one, answered: 0, cpu: 0 },
    { name: 'GET /indicator/rsi, one query', server: candela, requests: one, answered: 0, cpu: 0 },
    { name: 'GET /indicator/rsi, ever new queries', server: candela, requests: many, answered: 0, cpu: 0 },
  ]
  try {
    for (const { server, requests } of runs) await load(server.port, requests, 500)
    for (let round = 0; round < rounds; round++) {
      for (const run of runs) {
        const before = cpuTime(run.server.child.pid as number)
        run.answered += await load(run.server.port, run.requests, roundMs)
        const after = cpuTime(run.server.child.pid as number)
        if (before !== undefined && after !== undefined) run.cpu += after - before
      }
    }
  } finally {
    candela.child.kill()
    bare.child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const [floor] = runs
  if (!floor) throw new Error('nothing was benched')
  return Object.fromEntries(
    runs.map(({ name, answered, cpu }) => [
      name,
      {
        'requests/s': Math.round(answered / ((rounds * roundMs) / 1000)),
        'share of bare': rounded(answered / floor.answered),
        'CPU µs/request': cpu > 0 ? rounded(cpu / answered) : null,
        'share of bare by CPU': cpu > 0 ? rounded(floor.cpu / floor.answered / (cpu / answered)) : null,
      },
    ]),
  )
}

const rounded = (value: number) => Math.round(value * 100) / 100
