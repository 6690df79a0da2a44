import { closeSync, openSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { withTimeout } from '../../runtime/deadline.js'
import type { Log } from '../../runtime/log.js'
import { isPipe, writeOutput } from '../../runtime/standard-stream.js'

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

/** Lines are written together once this many bytes wait, or a second has passed. What could not be written is tried again then. */
const batchBytes = 8192
const batchMs = 1000
/** Mode of the file: its owner may read and write, its group may read. */
const mode = 0o640
/** Bytes that may wait to be written. Further lines are dropped and counted. */
const maxWaitingBytes = 4 * 2 ** 20
/** Seconds for what waits when the log is closed: a disk or the reader of a pipe may never take it. */
const closeSeconds = 1

const writeFile = promisify(write)

/**
 * One line of JSON for each request, written in batches outside the requests. A full disk, or a pipe that nobody reads, costs
 * lines of this log and nothing else.
 */
export class AccessLog {
  readonly #target: string
  readonly #log: Log
  readonly #onDropped: () => void
  readonly #isPipe: boolean
  #file: number
  #lines: string[] = []
  /** The lines that are being written, from the first byte on that is not written yet. */
  #batch: Uint8Array = Buffer.alloc(0)
  /** Bytes of the batch and of the lines after it. */
  #waitingBytes = 0
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  /**
   * `target` is the path of a file, to which lines are appended, or `stdout`. `onDropped` is called for each line that is lost.
   * Throws if the file cannot be opened.
   */
  constructor(target: string, log: Log, onDropped: () => void) {
    this.#target = target
    this.#log = log
    this.#onDropped = onDropped
    this.#file = this.#open()
    this.#isPipe = target === 'stdout' && isPipe(1)
  }

  add(line: AccessLine): void {
    const text = `${JSON.stringify(line)}\n`
    const bytes = Buffer.byteLength(text)
    if (this.#waitingBytes + bytes > maxWaitingBytes) {
      this.#onDropped()
      return
    }
    this.#lines.push(text)
    this.#waitingBytes += bytes
    if (this.#waitingBytes >= batchBytes && !this.#isFailing) this.#start()
    else this.#schedule()
  }

  /** Continues in a new file of the same name, after the present one was renamed. */
  reopen(): void {
    if (this.#target === 'stdout') return
    const before = this.#file
    try {
      this.#file = this.#open()
    } catch (error) {
      this.#log.warn({ err: error }, 'the access log cannot be opened again')
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
      this.#log.warn({ bytes }, 'the last lines of the access log could not be written')
  }

  #open(): number {
    return this.#target === 'stdout' ? 1 : openSync(this.#target, 'a', mode)
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
      if (!this.#isFailing) this.#log.warn({ err: error }, 'the access log cannot be written')
      this.#isFailing = true
    }
  }

  /** The number of bytes that were written. */
  async #append(bytes: Uint8Array): Promise<number> {
    if (this.#isPipe) {
      await writeOutput(bytes)
      return bytes.byteLength
    }
    const { bytesWritten } = await writeFile(this.#file, bytes)
    return bytesWritten
  }
}
