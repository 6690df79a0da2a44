import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

type Process = ChildProcess & { stdin: Writable; stdout: Readable }

/**
 * A program that times native functions (`native/`). It answers each line with one line and is idle in between, so that
 * others can be timed alternately with it.
 */
export class RivalProgram {
  readonly #process: Process
  readonly #lines: AsyncIterator<string>

  constructor(path: string, candlesFile: string) {
    this.#process = spawn(path, [candlesFile], { stdio: ['pipe', 'pipe', 'inherit'] }) as Process
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  /** The reply to a line; undefined for `none`. Throws if the program has ended. */
  async ask(line: string): Promise<string | undefined> {
    this.#process.stdin.write(`${line}\n`)
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`a rival ended at: ${line}`)
    return value === 'none' ? undefined : value
  }

  async end(): Promise<void> {
    this.#process.stdin.end()
    if (this.#process.exitCode === null) await once(this.#process, 'exit')
  }
}
