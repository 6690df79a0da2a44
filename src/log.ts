import { pino } from 'pino'

export type Log = pino.Logger

/** Structured log lines on standard error; standard output belongs to what a command prints. */
export const createLog = (level: string): Log =>
  pino({ name: 'candela', level }, pino.destination({ dest: 2, sync: true }))
