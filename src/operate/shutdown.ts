import { constants } from 'node:os'
import { lastRequestsSeconds } from '../http/drivers/server.js'
import type { Log } from '../runtime/log.js'
import type { Service } from './service.js'
import type { Config } from './settings/config.js'

/**
 * The time to close everything after the last request, in milliseconds: messages of alerts have a second, streams of exchanges
 * and their thread one and a half, what a shared store has yet to store two.
 */
const closeGraceMs = 5000

/**
 * Ends the process in order on SIGTERM and SIGINT, and at once on a second signal or when closing takes too long. What is in
 * memory alone is written first, and again before an end that is not in order.
 */
export function shutDownOnSignals(
  service: Pick<Service, 'save' | 'close'>,
  { drainSeconds, shutdownSeconds }: Pick<Config, 'drainSeconds' | 'shutdownSeconds'>,
  log: Log,
): void {
  let isStopping = false
  const trySave = () => {
    try {
      service.save()
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
    // SIGTERM comes from what runs the service, which sends requests elsewhere meanwhile. SIGINT comes from a person.
    const drained = signal === 'SIGTERM' ? drainSeconds : 0
    const seconds = drained + Math.min(drained, lastRequestsSeconds) + shutdownSeconds
    setTimeout(onTimeout, seconds * 1000 + closeGraceMs).unref()
    void service.close(drained).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
