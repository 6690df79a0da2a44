import { pino } from 'pino'
import { createErrorWriter } from './standard-stream.js'

/** Where log lines go. Each has its context, such as `{ err }`, and a sentence. */
export interface Log {
  info(context: object, message: string): void
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/**
 * Structured log lines on standard error; standard output belongs to what a command prints. Of several processes of a service,
 * each adds its number. Lines that cannot be written are dropped; the next line that can be written follows a line with their
 * number.
 */
export function createLog(level: string, number?: number): Log {
  const writeError = createErrorWriter()
  let lost = 0
  const write = (line: string) => {
    const before = lost
    lost = 0
    if (before > 0) log.error({ lost: before }, 'lines of this log could not be written')
    // That line may be lost as well.
    if (lost > 0 || !writeError(line)) lost = before + 1
  }
  const log = pino({ name: 'candela', level }, { write })
  return number === undefined ? log : log.child({ process: number })
}
