import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A service in a process of its own, with a key that may do anything. */
export interface Service {
  readonly port: number
  readonly key: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a service on the demo exchange; `settings` as in the README. */
export async function startService(settings: NodeJS.ProcessEnv = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  const own = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const env = { ...process.env, ...settings, ...own }
  const bounds = ['--requests', '1000000000', '--constructs', '20']
  const key = execFileSync(
    process.execPath,
    ['dist/cli/candela.js', 'keys', 'create', '--plan', 'enterprise', '--name', 'bench', ...bounds],
    { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
    .toString()
    .trim()
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
    if (port) {
      const stop = async () => {
        child.kill()
        await once(child, 'exit')
        rmSync(dataDir, { recursive: true, force: true })
      }
      return { port: Number(port), key, pid: child.pid as number, stop }
    }
  }
  throw new Error(`the service ended before it listened:\n${text}`)
}

/** Resident memory of a process in MB; undefined where the system has no /proc. */
export function resident(pid: number): number | undefined {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
  } catch {
    return undefined
  }
}
