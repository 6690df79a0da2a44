import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoopReport } from './loop-watch.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A service in a process of its own that reports every second how long its event loop was held. */
export interface WatchedService {
  readonly port: number
  /** The seconds since the last call. */
  takeReports(): LoopReport[]
  stop(): Promise<void>
}

/** Starts a service over a data directory, which is removed when it stops; `settings` as in the README. */
export async function startWatchedService(
  dataDirectory: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<WatchedService> {
  const watch = new URL('./loop-watch.js', import.meta.url).href
  const child = fork(join(root, 'dist/main.js'), {
    cwd: root,
    execArgv: ['--import', watch],
    env: {
      ...process.env,
      LOG_LEVEL: 'error',
      ...settings,
      DATA_DIR: dataDirectory,
      PORT: '0',
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let reports: LoopReport[] = []
  child.on('message', message => reports.push(message as LoopReport))
  const port = await new Promise<number>((found, fail) => {
    let text = ''
    child.stdout?.on('data', chunk => {
      text += chunk
      const shown = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (shown !== undefined) found(Number(shown))
    })
    child.once('exit', () => fail(new Error(`the service ended before it listened:\n${text}`)))
  })
  return {
    port,
    takeReports() {
      const taken = reports
      reports = []
      return taken
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
