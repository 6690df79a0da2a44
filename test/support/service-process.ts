import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Service } from '#dist/operate/service.js'
import { readConfig } from '#dist/operate/settings/config.js'
import { createLog } from '#dist/runtime/log.js'
import type { Tuning } from '../../src/operate/parts.js'
import { fetchDocumented } from './documented.js'

export { freePort } from './free-port.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Settings of a service with these values, which users cannot set. */
export const tuningOf = (tuning: Partial<Tuning>): Readonly<Record<string, string>> => ({
  TUNING: JSON.stringify(tuning),
})

/** A reply of the service. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: black-box tests read any JSON that the service sends
  readonly body: any
}

/** Settings of each service of the tests. */
const usual = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', DRAIN_SECONDS: '0' }

/** Flags of this process that save processor time; a service of a test runs most of its code a few times, too. */
const savingFlags = process.execArgv.filter(flag => /heap-size|semi-space|interrupt-budget/.test(flag))

const newDirectory = () => mkdtempSync(join(tmpdir(), 'candela-test-'))

/** A running service in the process of the test, with a data directory of its own. */
export class Candela {
  protected constructor(
    readonly dataDir: string,
    readonly url: string,
    /** The enterprise key that the first start printed. */
    readonly key: string,
    /** Stops the service and keeps its data; resolves with the exit code. */
    readonly end: (signal: NodeJS.Signals) => Promise<number | null>,
  ) {}

  /**
   * Starts the built service in this process, which costs a tenth of a process of its own. `knownKey` is the key of the first
   * start, if `DATA_DIR` names a directory of an earlier start. A setting `TUNING` is `tuningOf(…)`.
   */
  static async start(settings: Readonly<Record<string, string>> = {}, knownKey?: string): Promise<Candela> {
    const dataDir = settings.DATA_DIR ?? newDirectory()
    const config = readConfig({ ...process.env, ...usual, ...settings, DATA_DIR: dataDir })
    const tuning: Partial<Tuning> = JSON.parse(settings.TUNING ?? '{}')
    const service = new Service(config, { log: createLog(config.logLevel), tuning })
    const { url, firstKey } = await service.start()
    return new Candela(dataDir, url, knownKey ?? (firstKey as string), async () => {
      await service.close()
      return 0
    })
  }

  /**
   * Sends a request with the first key, unless other header fields are given. Rejects if the OpenAPI document lacks the
   * reply.
   */
  async ask(
    method: string,
    path: string,
    options: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    // The service closes connections that are idle for seconds. After a stall of the machine, the client notices that in the next
    // turn of its event loop.
    await turn()
    const response = await fetchDocumented(this.url, path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body as BodyInit }),
    })
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('GET', path, { headers })
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('POST', path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  }

  /** Repeats a GET request until its reply is no longer pending. */
  async whenReady(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    for (let tries = 0; tries < 200; tries++) {
      const answer = await this.get(path, headers)
      if (answer.status !== 202) return answer
      await sleep(100)
    }
    throw new Error(`${path} stays pending`)
  }

  /** Writes bytes to a socket; returns the bytes that the service sends until it closes the socket or has sent `until`. */
  raw(bytes: string | Buffer, until = '}'): Promise<string> {
    const { hostname, port } = new URL(this.url)
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      socket.setEncoding('latin1')
      socket.on('data', chunk => {
        text += chunk
        if (text.includes(until)) socket.destroy()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
  }

  /** Writes bytes to a socket and closes it at once, without reading. */
  hangUp(bytes: string): Promise<void> {
    const { hostname, port } = new URL(this.url)
    return new Promise(resolve => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()))
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
  }

  /** Runs a command in this process, on the same data directory. Returns its standard output. */
  async cli(...args: string[]): Promise<string> {
    const { runCommand } = await import('./command-line.js')
    const { code, out, err } = await runCommand(args, { DATA_DIR: this.dataDir })
    if (code !== 0) throw new Error(`candela ${args.join(' ')} ended with ${code}: ${err}`)
    return out.trim()
  }

  /** Stops the service and removes its data; returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const code = await this.end(signal)
    rmSync(this.dataDir, { recursive: true, force: true })
    return code
  }
}

/** A running service in a process of its own, for tests of the process: its start, its end, signals and memory. */
export class CandelaProcess extends Candela {
  private constructor(
    readonly child: ChildProcess,
    dataDir: string,
    url: string,
    key: string,
    /** Standard output until the service listened. */
    readonly greeting: string,
  ) {
    super(dataDir, url, key, async signal => {
      if (child.exitCode === null && child.signalCode === null) await this.#signal(signal)
      return child.exitCode
    })
  }

  /**
   * Starts `node dist/main.js` and waits until it listens. `preload` is loaded before the service and gets an IPC channel. With
   * a setting `TUNING`, another program starts the service. A service that is measured has no flags.
   */
  static override async start(
    settings: Readonly<Record<string, string>> = {},
    knownKey?: string,
    preload?: URL,
    flags: readonly string[] = savingFlags,
  ): Promise<CandelaProcess> {
    const dataDir = settings.DATA_DIR ?? newDirectory()
    const program = settings.TUNING ? 'test/support/tuned-service.mjs' : 'dist/main.js'
    const child = spawn(
      process.execPath,
      [...flags, ...(preload ? ['--import', preload.href] : []), program],
      {
        cwd: root,
        env: { ...process.env, ...usual, ...settings, DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit', ...(preload ? (['ipc'] as const) : [])],
      },
    )
    let greeting = ''
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      greeting += chunk
      const url = /listens on (http:\/\/\S+)\n/.exec(greeting)?.[1]
      const key = knownKey ?? /Bearer (cnd_\S+)"[^\n]*\n/.exec(greeting)?.[1]
      if (url && key) return new CandelaProcess(child, dataDir, url, key, greeting)
    }
    throw new Error(`the service ended before it listened:\n${greeting}`)
  }

  /** Ends the service at once with SIGKILL, and keeps its data. */
  kill(): Promise<void> {
    return this.#signal('SIGKILL')
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }
}
