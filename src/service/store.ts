import type { Config } from '../config/config.js'
import type { Log } from '../config/log.js'
import type { Metrics } from '../metrics/metrics.js'
import { RareWarning } from '../server/rare-warning.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/store.js'

/** Opens the store of a service. What becomes of a shared one is shown in the metrics and in the log. */
export function openServiceStore(config: Config, clock: () => number, metrics: Metrics, log: Log): Store {
  const commands = metrics.counter(
    'candela_store_commands_total',
    'Commands of the shared store: ok, or failed where it did not answer in time',
    'outcome',
  )
  const seconds = metrics.counter(
    'candela_store_seconds_total',
    'Time that the commands of the shared store took, in seconds',
  )
  const countedAlone = metrics.counter(
    'candela_store_counted_alone_total',
    'Requests and subscriptions that were counted in memory, because the shared store was away',
  )
  const dropped = metrics.counter(
    'candela_store_messages_dropped_total',
    'Messages of other nodes that could not be read, by the kind of the channel',
    'channel',
  )
  const warning = new RareWarning(log)
  const store = openStore(config, {
    exclusive: true,
    clock,
    copyBytes: config.historyBytes,
    maxWaitMs: config.fetchTimeoutMs,
    onAway: error =>
      log.warn(
        { err: error },
        'the shared store does not answer: this node counts requests and fetches candles for itself, and knows only the keys it has used',
      ),
    onLost: error => log.error({ err: error }, `the shared store cannot be used: ${error.message}`),
    onReturn: away => log.info({ seconds: Math.round(away) }, 'the shared store answers again'),
    onCommand: (outcome, duration) => {
      commands.add({ outcome })
      seconds.add({}, duration)
    },
    onCountedAlone: () => countedAlone.add(),
    onDropped: (channel, error) => {
      dropped.add({ channel })
      // A node that sends such messages may send many.
      warning.warn({ err: error, channel }, 'a message of another node could not be read and was dropped')
    },
  })
  metrics.gauge('candela_store_up', 'Whether the store answers in time: 1 or 0', () =>
    store.shared?.isUp === false ? 0 : 1,
  )
  return store
}
