import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
function load(port: number, request: string, ms: number): Promise<number> {
  const bytes = Buffer.from(request)
  let answered = 0
  let refused = ''
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setNoDelay(true)
    socket.on('data', chunk => {
      // One small reply arrives as one chunk; its status stands at byte 9.
      if (chunk[9] !== 0x32) refused = chunk.toString('latin1', 0, 200)
      answered++
      socket.write(bytes)
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
export async function benchHttp(): Promise<Record<string, unknown>> {
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
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`

  const totals = { candela: { answered: 0, cpu: 0 }, bare: { answered: 0, cpu: 0 } }
  try {
    await load(bare.port, request, 500)
    await load(candela.port, request, 500)
    for (let round = 0; round < rounds; round++) {
      for (const [name, server] of [
        ['bare', bare],
        ['candela', candela],
      ] as const) {
        const before = cpuTime(server.child.pid as number)
        totals[name].answered += await load(server.port, request, roundMs)
        const after = cpuTime(server.child.pid as number)
        if (before !== undefined && after !== undefined) totals[name].cpu += after - before
      }
    }
  } finally {
    candela.child.kill()
    bare.child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const seconds = (rounds * roundMs) / 1000
  const row = ({ answered, cpu }: { answered: number; cpu: number }) => ({
    'requests/s': Math.round(answered / seconds),
    'server CPU µs/request': cpu > 0 ? Math.round((cpu * 100) / answered) / 100 : null,
  })
  return {
    'bare uWebSockets.js': row(totals.bare),
    'GET /indicator/rsi': row(totals.candela),
    'share of bare, by requests/s': Math.round((totals.candela.answered * 100) / totals.bare.answered) / 100,
    'share of bare, by CPU':
      totals.candela.cpu > 0
        ? Math.round(
            (totals.bare.cpu / totals.bare.answered / (totals.candela.cpu / totals.candela.answered)) * 100,
          ) / 100
        : null,
  }
}
