import { constants } from 'node:os'
import { lastRequestsSeconds } from '../http/drivers/server.js'
import type { Log } from '../runtime/log.js'
import type { Service } from './service.js'
import type { Config } from './settings/config.js'

/**
 * Time to close everything after the last request, in milliseconds. Alert messages have one second, exchange streams
 * and their thread 1.5 seconds, and unsaved data of a shared store two seconds.
 */
const closeGraceMs = 5000

/**
 * Shuts down gracefully on SIGTERM and SIGINT. Exits immediately on a second signal, or if closing exceeds its time.
 * Data that is only in memory is stored first, and again before a forced exit.
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
    // A service manager sends SIGTERM and routes requests elsewhere while the service drains. A person sends SIGINT.
    const drained = signal === 'SIGTERM' ? drainSeconds : 0
    const seconds = drained + Math.min(drained, lastRequestsSeconds) + shutdownSeconds
    setTimeout(onTimeout, seconds * 1000 + closeGraceMs).unref()
    void service.close(drained).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
