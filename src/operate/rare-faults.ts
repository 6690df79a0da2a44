import { NotShared } from '../contract/storage/cluster.js'
import { StoreFailure } from '../contract/storage/stores.js'
import { RareWarning } from '../http/drivers/rare-warning.js'
import type { Log } from '../runtime/log.js'

/** Logs a fault; `subject` has few values, such as the names of exchanges. */
export type LogFault = (error: unknown, message: string, context?: object, subject?: string) => void

/**
 * Logs faults that are tried again and so may repeat every second: one line a minute for each message, subject and class of errors.
 * The next line says how many were left out. The message of a failure of the store says what to do, so its line has no stack.
 */
export function createFaultLog(log: Log): LogFault {
  const warning = new RareWarning(log)
  return (error, message, context = {}, subject = '') => {
    const isOfStore = error instanceof StoreFailure || error instanceof NotShared
    const reason = isOfStore ? { reason: error.message } : { err: error }
    const kind = error instanceof Error ? error.name : ''
    warning.warn({ ...reason, ...context }, message, [message, subject, kind].join('\n'))
  }
}
