import { constants } from 'node:os'
import type { Log } from '../config/log.js'
import { lastRequestsSeconds } from '../server/server.js'

/**
 * The time to close everything after the last request, in milliseconds: messages of alerts have a second, streams of exchanges
 * and their thread one and a half, what a shared store has yet to store two.
 */
const closeGraceMs = 5000

interface Options {
  /** Writes what is in memory alone, at once. */
  readonly save: () => void
  /** Ends the service in order, after connections were drained for so many seconds. Never rejects. */
  readonly close: (drainSeconds: number) => Promise<void>
  /** The time for connections to end after SIGTERM, which comes from what runs the service. SIGINT comes from a person. */
  readonly drainSeconds: number
  /** The time for open requests. */
  readonly seconds: number
  readonly log: Log
}

/**
 * Ends the process in order on SIGTERM and SIGINT, and at once on a second signal or when closing takes too long. What is in
 * memory alone is written first, and again before an end that is not in order.
 */
export function shutDownOnSignals({ save, close, drainSeconds, seconds, log }: Options): void {
  let isStopping = false
  const trySave = () => {
    try {
      save()
    } catch (error) {
      log.error({ err: error }, 'candles could not be archived')
    }
  }
  const stop = (signal: NodeJS.Signals) => {
    trySave()
    if (isStopping) process.exit(128 + constants.signals[signal])
    isStopping = true
    log.info({ signal }, 'stopping')
    const onTimeout = () => {
      trySave()
      log.error({ signal }, 'the service could not be stopped in order')
      process.exit(1)
    }
    const drained = signal === 'SIGTERM' ? drainSeconds : 0
    setTimeout(
      onTimeout,
      (drained + Math.min(drained, lastRequestsSeconds) + seconds) * 1000 + closeGraceMs,
    ).unref()
    void close(drained).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
