import { closeSync, openSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { withTimeout } from '../../runtime/deadline.js'
import type { Log } from '../../runtime/log.js'
import { isPipe, writeOutput } from '../../runtime/standard-stream.js'

export interface AccessLine {
  /** Time of the reply, as ISO 8601. */
  readonly time: string
  /** Request id of the reply, if any. */
  readonly id: string | undefined
  /** Name of the key's account; empty without a valid key. Never the key. */
  readonly account: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** Milliseconds between the request's head and the reply. */
  readonly ms: number
  /** Size of the reply's body before compression, in bytes. */
  readonly bytes: number
}

/** Lines are written once this many bytes wait, or after a second. A failed write is retried after a second. */
const batchBytes = 8192
const batchMs = 1000
/** Mode of the file: its owner may read and write, its group may read. */
const mode = 0o640
/** Maximum number of waiting bytes. Further lines are dropped and counted. */
const maxWaitingBytes = 4 * 2 ** 20
/** Time to write waiting lines on close, in seconds. A disk or the reader of a pipe may never accept them. */
const closeSeconds = 1

const writeFile = promisify(write)

/**
 * Log with one JSON line per request, written in batches outside of the requests. A full disk, or a pipe without a
 * reader, only loses lines of this log.
 */
export class AccessLog {
  readonly #isPipe: boolean
  #file: number
  #lines: string[] = []
  /** Unwritten rest of the batch that is being written. */
  #batch: Uint8Array = Buffer.alloc(0)
  /** Size of the batch and of the lines after it, in bytes. */
  #waitingBytes = 0
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  /**
   * `target` is the path of a file, to which lines are appended, or `stdout`. `onDropped` is called for each line that is lost.
   * Throws if the file cannot be opened.
   */
  constructor(
    private readonly target: string,
    private readonly log: Log,
    private readonly onDropped: () => void,
  ) {
    this.#file = this.#open()
    this.#isPipe = target === 'stdout' && isPipe(1)
  }

  add(line: AccessLine): void {
    const text = `${JSON.stringify(line)}\n`
    const bytes = Buffer.byteLength(text)
    if (this.#waitingBytes + bytes > maxWaitingBytes) {
      this.onDropped()
      return
    }
    this.#lines.push(text)
    this.#waitingBytes += bytes
    if (this.#waitingBytes >= batchBytes && !this.#isFailing) this.#start()
    else this.#schedule()
  }

  /** Continues in a new file of the same name, after the current file was renamed. */
  reopen(): void {
    if (this.target === 'stdout') return
    const before = this.#file
    try {
      this.#file = this.#open()
    } catch (error) {
      this.log.warn({ err: error }, 'the access log cannot be opened again')
      return
    }
    void Promise.resolve(this.#writing).then(() => closeSync(before))
  }

  /** Resolves when all lines are written, or cannot be written within a second. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await withTimeout(this.#writeRest(), closeSeconds)
    clearTimeout(this.#timer)
    const bytes = this.#waitingBytes
    if (bytes > 0 && !this.#isFailing)
      this.log.warn({ bytes }, 'the last lines of the access log could not be written')
  }

  #open(): number {
    return this.target === 'stdout' ? 1 : openSync(this.target, 'a', mode)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#start(), batchMs).unref()
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#write(batchBytes).finally(() => {
      this.#writing = undefined
      if (this.#waitingBytes > 0) this.#schedule()
    })
  }

  async #writeRest(): Promise<void> {
    await this.#writing
    await this.#write(1)
  }

  /** Writes until fewer than `least` bytes wait, or a write fails. */
  async #write(least: number): Promise<void> {
    try {
      do {
        if (this.#batch.byteLength === 0) {
          this.#batch = Buffer.from(this.#lines.join(''))
          this.#lines = []
        }
        const written = await this.#append(this.#batch)
        this.#batch = this.#batch.subarray(written)
        this.#waitingBytes -= written
        this.#isFailing = false
      } while (this.#waitingBytes >= least)
    } catch (error) {
      if (!this.#isFailing) this.log.warn({ err: error }, 'the access log cannot be written')
      this.#isFailing = true
    }
  }

  async #append(bytes: Uint8Array): Promise<number> {
    if (this.#isPipe) {
      await writeOutput(bytes)
      return bytes.byteLength
    }
    const { bytesWritten } = await writeFile(this.#file, bytes)
    return bytesWritten
  }
}
