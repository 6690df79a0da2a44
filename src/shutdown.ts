import { constants } from 'node:os'
import type { Log } from './log.js'

/** The time to close everything after the last request, in milliseconds. */
const closeGraceMs = 1000

interface Options {
  /** Ends the service in order. Never rejects. */
  readonly close: () => Promise<void>
  /** The time for open requests. */
  readonly seconds: number
  readonly log: Log
}

/** Ends the process in order on SIGTERM and SIGINT, and at once on a second signal or when closing takes too long. */
export function shutDownOnSignals({ close, seconds, log }: Options): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(128 + constants.signals[signal])
    isStopping = true
    log.info({ signal }, 'stopping')
    const onTimeout = () => {
      log.error({ signal }, 'the service could not be stopped in order')
      process.exit(1)
    }
    setTimeout(onTimeout, seconds * 1000 + closeGraceMs).unref()
    void close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
