import { constants } from 'node:os'
import type { Log } from './log.js'

/** The time to close everything after the last request, in milliseconds. */
const closeGraceMs = 1000

interface Options {
  /** Ends the service in order, after connections were drained for so many seconds. Never rejects. */
  readonly close: (drainSeconds: number) => Promise<void>
  /** The time for connections to end after SIGTERM, which comes from what runs the service. SIGINT comes from a person. */
  readonly drainSeconds: number
  /** The time for open requests. */
  readonly seconds: number
  readonly log: Log
}

/** Ends the process in order on SIGTERM and SIGINT, and at once on a second signal or when closing takes too long. */
export function shutDownOnSignals({ close, drainSeconds, seconds, log }: Options): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(128 + constants.signals[signal])
    isStopping = true
    log.info({ signal }, 'stopping')
    const onTimeout = () => {
      log.error({ signal }, 'the service could not be stopped in order')
      process.exit(1)
    }
    const drained = signal === 'SIGTERM' ? drainSeconds : 0
    setTimeout(onTimeout, (drained + seconds) * 1000 + closeGraceMs).unref()
    void close(drained).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
