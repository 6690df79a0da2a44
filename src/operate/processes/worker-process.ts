import cluster from 'node:cluster'
import { EventEmitter } from 'node:events'
import type { Thread } from '../../markets/exchanges/worker/exchange-thread.js'
import type { StoreProcess } from '../../store/process/process-store.js'
import type { ProcessPlace } from '../settings/config.js'
import { addCounts, type Counts, noCounts, type ToOwner, type ToWorker } from './messages.js'

/** Callbacks with which a serving process answers the owner. */
interface Duties {
  counts(): Counts
  readMetrics(): Promise<Extract<ToOwner, { kind: 'metrics' }>['metrics']>
  /** Shuts down the process gracefully. */
  stop(drainSeconds: number): void
  /** Stores data that is only in memory, before the process ends. */
  save(): void
}

/** This serving process, with its connection to the owner. */
export class WorkerProcess implements StoreProcess {
  readonly number: number
  readonly count: number
  readonly port: number
  readonly #exchanges = new EventEmitter()
  #listener: (text: string) => void = () => {}
  #duties: Duties | undefined
  #others = noCounts
  #uptime = 0

  constructor({ number, count, port }: ProcessPlace) {
    this.number = number
    this.count = count
    this.port = port
    process.on('message', (message: ToWorker) => this.#receive(message))
    // Ignored here: the owner also receives signals from a terminal or a service manager, and stops this process.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
    // Node.js's own messages fail once the owner is gone. The next event is the disconnection, so that data are still stored.
    cluster.worker?.on('error', () => {})
    // After this event, Node.js ends a process whose owner is gone.
    cluster.worker?.on('disconnect', () => this.#duties?.save())
  }

  /** Must be called when the process listens. */
  serve(duties: Duties): void {
    this.#duties = duties
    this.#post({ kind: 'listening' })
  }

  send(text: string): void {
    this.#post({ kind: 'alerts', text })
  }

  listen(listener: (text: string) => void): void {
    this.#listener = listener
  }

  /** Counts of all processes, including the given counts of this one, and the service's uptime in seconds. */
  total(own: Counts): Counts & { readonly uptime: number } {
    return { ...addCounts(own, this.#others), uptime: this.#uptime }
  }

  /** Worker that forwards requests for exchanges to the owner. */
  readonly askOwner = (): Thread => ({
    postMessage: message => this.#post({ kind: 'exchange', message }),
    on: (event: string, listener: (...args: never[]) => void) =>
      this.#exchanges.on(event, listener as (...args: unknown[]) => void),
    terminate: async () => {},
  })

  #post(message: ToOwner): void {
    // Errors are ignored: without the owner this process ends as well.
    process.send?.(message, undefined, undefined, () => {})
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'beat':
        this.#others = message.others
        this.#uptime = message.uptime
        this.#post({ kind: 'beat', counts: this.#duties?.counts() ?? noCounts })
        break
      case 'exchange':
        this.#exchanges.emit('message', message.message)
        break
      case 'alerts':
        this.#listener(message.text)
        break
      case 'read-metrics':
        void this.#duties?.readMetrics().then(
          metrics => this.#post({ kind: 'metrics', id: message.id, metrics }),
          () => {},
        )
        break
      case 'stop':
        this.#duties?.stop(message.drainSeconds)
        break
    }
  }
}
