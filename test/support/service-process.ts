import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What came back over the socket. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: black-box tests read whatever the service printed
  readonly body: any
}

/** A running service in a process of its own, with a data directory of its own. */
export class Candela {
  readonly #dataDir: string

  private constructor(
    readonly child: ChildProcess,
    dataDir: string,
    readonly url: string,
    /** The enterprise key that the first start printed. */
    readonly key: string,
    /** All that was printed on standard output until the service was up. */
    readonly greeting: string,
  ) {
    this.#dataDir = dataDir
  }

  /**
   * Starts `node dist/main.js` and waits for its greeting. A data directory that was used before is given with the key
   * that its first start printed.
   */
  static async start(settings: Readonly<Record<string, string>> = {}, knownKey?: string): Promise<Candela> {
    const dataDir = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'candela-test-'))
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: {
        ...process.env,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        ...settings,
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let greeting = ''
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      greeting += chunk
      const url = /listens on (http:\/\/\S+)\n/.exec(greeting)?.[1]
      const key = knownKey ?? /Bearer (cnd_\S+)"[^\n]*\n/.exec(greeting)?.[1]
      if (url && key) return new Candela(child, dataDir, url, key, greeting)
    }
    throw new Error(`the service ended before it was up:\n${greeting}`)
  }

  /** Sends a request with the first key, unless other header fields are given. */
  async ask(
    method: string,
    path: string,
    options: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body as BodyInit }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('GET', path, { headers })
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('POST', path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  }

  /** Writes bytes to a socket as they are and answers all that comes back until the service closes or `until` shows up. */
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

  /** Writes bytes to a socket and closes it as soon as they have left. */
  hangUp(bytes: string): Promise<void> {
    const { hostname, port } = new URL(this.url)
    return new Promise(resolve => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()))
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
  }

  /** Runs the command line against the same data directory; answers its standard output. */
  cli(...args: string[]): string {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/cli/candela.js', ...args], {
      cwd: root,
      env: { ...process.env, DATA_DIR: this.#dataDir },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`candela ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout.trim()
  }

  /** Ends the service in the midst of whatever it does, and leaves its data where they are. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }

  /** Stops the service and removes its data; answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit')
      this.child.kill(signal)
      await ended
    }
    rmSync(this.#dataDir, { recursive: true, force: true })
    return this.child.exitCode
  }
}
