import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailure } from '../failure.js'

/** Rows that are in memory at most: a few megabytes. */
export const defaultRowsInMemory = 65_536

/**
 * Any number of rows, each of as many numbers. Memory holds the last ones; those before them are in a temporary file, which has
 * no name and is gone when the process ends, however it ends. Throws CommandFailure where it cannot be written.
 */
export class RowFile {
  readonly width: number
  /** The last rows. */
  readonly memory: Float64Array
  readonly #mostInMemory: number
  readonly #beforeWrite: (rows: Float64Array) => void
  #inMemory = 0
  #written = 0
  #file: number | undefined

  /** `beforeWrite` may change the rows that leave memory, all at a time. */
  constructor(width: number, mostInMemory: number, beforeWrite: (rows: Float64Array) => void = () => {}) {
    this.width = width
    this.memory = new Float64Array(mostInMemory * width)
    this.#mostInMemory = mostInMemory
    this.#beforeWrite = beforeWrite
  }

  get count(): number {
    return this.#written + this.#inMemory
  }

  /** The rows that have not left memory. */
  get rest(): Float64Array {
    return this.memory.subarray(0, this.#inMemory * this.width)
  }

  /** Makes room for one more row, and answers where in `memory` its numbers belong. */
  next(): number {
    if (this.#inMemory === this.#mostInMemory) this.#writeAll()
    return this.#inMemory++ * this.width
  }

  /** The numbers of the rows from `from` on and before `to`. */
  read(from: number, to: number): Float64Array {
    const { width } = this
    const rows = new Float64Array((to - from) * width)
    const inFile = Math.max(0, Math.min(to, this.#written) - from)
    const bytes = new Uint8Array(rows.buffer, 0, inFile * width * 8)
    for (let done = 0; done < bytes.length; )
      done += readSync(this.#file as number, bytes, done, bytes.length - done, from * width * 8 + done)
    const start = Math.max(0, from - this.#written)
    const end = Math.max(0, to - this.#written)
    rows.set(this.memory.subarray(start * width, end * width), inFile * width)
    return rows
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #writeAll(): void {
    this.#beforeWrite(this.memory)
    const bytes = new Uint8Array(this.memory.buffer)
    try {
      this.#file ??= openNameless()
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    } catch (cause) {
      throw new CommandFailure(
        `Cannot write a temporary file in "${tmpdir()}": ${(cause as Error).message}`,
        {
          cause,
        },
      )
    }
    this.#written += this.#mostInMemory
    this.#inMemory = 0
  }
}

/** A file that is removed as soon as it is open. */
function openNameless(): number {
  const directory = mkdtempSync(join(tmpdir(), 'candela-'))
  try {
    return openSync(join(directory, 'rows'), 'w+')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
