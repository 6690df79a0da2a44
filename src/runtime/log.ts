import { inspect } from 'node:util'
import { pino } from 'pino'
import { createErrorWriter } from './standard-stream.js'

/** Destination of log lines. Each line has its context, such as `{ err }`, and a sentence. */
export interface Log {
  info(context: object, message: string): void
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/** Names of the levels of pino by their numbers, of one length. */
const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info ',
  40: 'warn ',
  50: 'error',
  60: 'fatal',
}

/** A line of the log for people: `19:25:01 warn  sentence  { context }`, and the stack of an error below it. */
export function readableLine(line: string): string {
  const { level, time, msg, err, name: _, pid: __, hostname: ___, ...context } = JSON.parse(line)
  const at = new Date(time).toTimeString().slice(0, 8)
  const details = Object.keys(context).length === 0 ? '' : `  ${inspect(context, { breakLength: Infinity })}`
  const stack = err === undefined ? '' : `\n${err.stack ?? inspect(err)}`
  return `${at} ${levels[level] ?? level} ${msg}${details}${stack}\n`
}

/**
 * Creates a log on standard error: JSON lines, or readable lines on a terminal. Standard output is left to commands.
 * With several processes of a service, each line has the process number. Lines that cannot be written are dropped.
 * Their number is logged before the next line that can be written.
 */
export function createLog(level: string, number?: number): Log {
  const writeError = createErrorWriter()
  let lost = 0
  const write = (line: string) => {
    const before = lost
    lost = 0
    if (before > 0) log.error({ lost: before }, 'lines of this log could not be written')
    // That line may be lost as well.
    if (lost > 0 || !writeError(process.stderr.isTTY ? readableLine(line) : line)) lost = before + 1
  }
  const log = pino({ name: 'candela', level }, { write })
  return number === undefined ? log : log.child({ process: number })
}
