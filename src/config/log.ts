import { pino } from 'pino'

/** Where log lines go. Each has its context, such as `{ err }`, and a sentence. */
export interface Log {
  info(context: object, message: string): void
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/**
 * Structured log lines on standard error; standard output belongs to what a command prints. Of several processes of a service,
 * each adds its number.
 */
export function createLog(level: string, number?: number): Log {
  const log = pino({ name: 'candela', level }, pino.destination({ dest: 2, sync: true }))
  return number === undefined ? log : log.child({ process: number })
}
