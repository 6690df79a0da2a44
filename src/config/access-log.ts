import { closeSync, openSync } from 'node:fs'
import { pino } from 'pino'
import type { Log } from './log.js'

/** What a line of the access log says of a request. */
export interface AccessLine {
  /** When its reply was given, as ISO 8601. */
  readonly time: string
  /** The id that its reply has; undefined where it has none. */
  readonly id: string | undefined
  /** The name of the key's account; empty for a request without one that is valid. Never the key. */
  readonly account: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** Milliseconds from the head of the request to its reply. */
  readonly ms: number
  /** Bytes of the reply's body before it is compressed for the connection. */
  readonly bytes: number
}

/** Lines are written together once so many bytes of them wait, or a second has passed. */
const batchBytes = 8192
const batchMs = 1000
/** The user of the service may read and write it, its group may read it. */
const mode = 0o640
/** Beyond so many bytes that wait for the disk, lines are dropped and counted. */
const maxWaitingBytes = 4 * 2 ** 20

/** One line of JSON for each request, written in batches outside the requests. */
export class AccessLog {
  readonly #out: ReturnType<typeof pino.destination>
  readonly #isFile: boolean

  /**
   * `target` is the path of a file, to which it adds, or `stdout`. `onDropped` is called for each line that is lost. Throws where
   * the file cannot be opened.
   */
  constructor(target: string, log: Log, onDropped: () => void) {
    this.#isFile = target !== 'stdout'
    if (this.#isFile) closeSync(openSync(target, 'a', mode))
    this.#out = pino.destination({
      ...{ dest: this.#isFile ? target : 1, sync: false, append: true, mode },
      ...{ minLength: batchBytes, maxLength: maxWaitingBytes, periodicFlush: batchMs },
    })
    let isFailing = false
    this.#out.on('drop', onDropped)
    this.#out.on('write', () => {
      isFailing = false
    })
    this.#out.on('error', error => {
      if (!isFailing) log.warn({ err: error }, 'the access log cannot be written')
      isFailing = true
    })
  }

  add(line: AccessLine): void {
    this.#out.write(`${JSON.stringify(line)}\n`)
  }

  /** Goes on in a file of the same name, after the present one was renamed. */
  reopen(): void {
    if (this.#isFile) this.#out.reopen()
  }

  /** Writes what waits; resolves when it is written or cannot be. */
  async close(): Promise<void> {
    await new Promise<void>(resolve => this.#out.flush(() => resolve()))
  }
}
