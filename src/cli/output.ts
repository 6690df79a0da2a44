import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, type CommonOptions } from './failure.js'

/** Prints the result of a command: `text`, or with --json the value itself. */
export const printResult = (value: unknown, { json }: CommonOptions, text: () => string): void =>
  console.log(json ? JSON.stringify(value, null, 2) : text())

/**
 * Writes text to standard output, or to the file `out`, as fast as it is taken. Throws CommandFailure where it cannot be
 * written, and what `text` throws.
 */
export async function writeText(text: Iterable<string> | AsyncIterable<string>, out?: string): Promise<void> {
  let failure: unknown
  async function* source() {
    try {
      yield* text
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    if (out === undefined) await pipeline(Readable.from(source()), process.stdout, { end: false })
    else await pipeline(Readable.from(source()), createWriteStream(out))
  } catch (error) {
    if (failure !== undefined) throw failure
    // The program that reads standard output may end early, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
    throw new CommandFailure(`Cannot write ${out ?? 'to standard output'}: ${(error as Error).message}`)
  }
}
