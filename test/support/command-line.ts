import { Readable } from 'node:stream'
import { CommanderError } from 'commander'
import * as source from '../../src/cli/program.js'

/** Exit code and output of a command. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Whether a command starts the thread of the exchanges, which only the built program can. */
const startsThread = ([command = '', ...others]: readonly string[]) =>
  ['backfill', 'exchanges'].includes(command) && !others.includes('--help')

/**
 * Runs a command of `candela` in this process, which needs a tenth of the time of a new one. Only the given environment
 * variables are set. Commands run one after the other, because they print on the same streams. `input` is the standard input.
 */
export function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Outcome> {
  const outcome = last.then(() => run(words, environment, input))
  last = outcome.catch(() => {})
  return outcome
}
let last: Promise<unknown> = Promise.resolve()

// Each command leaves listeners on the streams of its process. A process of tests runs many commands, and Node would warn of
// a leak.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

async function run(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string,
): Promise<Outcome> {
  const { argv, env, exitCode } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const { log, error } = console
  const streams = [process.stdout, process.stderr] as const
  const writers = streams.map(stream => stream.write)
  const printed = ['', '']
  streams.forEach((stream, at) => {
    stream.write = (chunk: string | Uint8Array, ...others: unknown[]): boolean => {
      printed[at] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      const done = others.at(-1)
      if (typeof done === 'function') process.nextTick(done)
      return true
    }
  })
  console.log = text => process.stdout.write(`${text}\n`)
  console.error = text => process.stderr.write(`${text}\n`)
  process.argv = [...argv.slice(0, 2), ...words]
  process.env = { ...environment }
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  process.exitCode = undefined
  try {
    const { createProgram } = startsThread(words) ? await import('#dist/cli/program.js') : source
    const program = await createProgram(words, reason => {
      throw reason
    })
    await program.parseAsync(words, { from: 'user' })
    return { code: Number(process.exitCode ?? 0), out: printed[0] ?? '', err: printed[1] ?? '' }
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure
    return { code: source.exitCodeOf(failure), out: printed[0] ?? '', err: printed[1] ?? '' }
  } finally {
    Object.assign(process, { argv, env, exitCode })
    Object.defineProperty(process, 'stdin', stdin)
    Object.assign(console, { log, error })
    streams.forEach((stream, at) => {
      stream.write = writers[at] as typeof stream.write
    })
  }
}
