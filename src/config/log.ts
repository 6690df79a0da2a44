import { pino } from 'pino'

/** Where log lines go. Each has its context, such as `{ err }`, and a sentence. */
export interface Log {
  info(context: object, message: string): void
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/** Structured log lines on standard error; standard output belongs to what a command prints. */
export const createLog = (level: string): Log =>
  pino({ name: 'candela', level }, pino.destination({ dest: 2, sync: true }))
