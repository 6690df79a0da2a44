import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process until it listens. */
  readonly startMs: number
  stop(): Promise<void>
}

/** A service in a process of its own, with an enterprise key. */
export interface ServiceProcess extends ServerProcess {
  readonly key: string
}

/** Starts a Node.js program and waits until it prints its address; `port` parses the port in its output. */
export async function startServer(
  args: readonly string[],
  port: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    const found = port.exec(text)?.[1]
    if (found === undefined) continue
    const startMs = performance.now() - began
    const stop = async () => {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    }
    return { port: Number(found), pid: child.pid as number, startMs, stop }
  }
  throw new Error(`${args.join(' ')} ended before it listened:\n${text}`)
}

/** Starts a service over a data directory that may hold candles and keys; `settings` as in the README. */
export const startServiceOver = (dataDirectory: string, settings: NodeJS.ProcessEnv = {}) =>
  startServer(['dist/main.js'], /listens on http:\/\/[^:]+:(\d+)/, {
    LOG_LEVEL: 'error',
    ...settings,
    DATA_DIR: dataDirectory,
    PORT: '0',
    HOST: '127.0.0.1',
  })

/** A new enterprise key in a data directory. */
export function createKey(dataDirectory: string, requests = 1_000_000_000): string {
  const limits = ['--requests', String(requests), '--constructs', '20']
  return execFileSync(
    process.execPath,
    ['dist/cli/candela.js', 'keys', 'create', '--plan', 'enterprise', '--name', 'bench', ...limits],
    {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDirectory },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
    .toString()
    .trim()
}

/** Starts a service on the demo exchange with an empty data directory, which is removed when it stops. */
export async function startService(settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  const key = createKey(dataDirectory)
  const server = await startServiceOver(dataDirectory, settings)
  const stop = async () => {
    await server.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
  return { ...server, key, stop }
}

/** Resident memory of a process in MB; undefined if the system has no /proc. */
export function residentMb(pid: number): number | undefined {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
  } catch {
    return undefined
  }
}

/** User and system time of a process and its children, in microseconds; undefined if the system has no /proc. */
export function cpuMicroseconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const own = (Number(fields[11]) + Number(fields[12])) * 10_000
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + (cpuMicroseconds(Number(child)) ?? 0), own)
  } catch {
    return undefined
  }
}
