import { EventEmitter } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import type { Source } from '../../src/markets/exchanges/source.js'
import type { SourceFactory } from '../../src/markets/exchanges/source-factory.js'
import {
  ExchangeThread,
  RemoteSource,
  type Thread,
} from '../../src/markets/exchanges/worker/exchange-thread.js'
import type { ToThread } from '../../src/markets/exchanges/worker/messages.js'
import { SourceHost } from '../../src/markets/exchanges/worker/source-host.js'

/**
 * The thread of the exchanges within this one, so that tests can replace its parts. Messages are cloned and wait for a turn
 * of the event loop, as between threads.
 */
export class LocalThread extends EventEmitter implements Thread {
  /** Messages sent to the thread. */
  readonly received: ToThread[] = []
  /** Whether the thread has stopped reading messages. */
  isStuck = false
  readonly #channel = new MessageChannel()

  constructor(create: SourceFactory) {
    super()
    const { port1, port2 } = this.#channel
    const host = new SourceHost(create, (message, transfer = []) => port2.postMessage(message, [...transfer]))
    port2.on('message', message => {
      this.received.push(message)
      if (!this.isStuck) host.receive(message)
    })
    port1.on('message', message => this.emit('message', message))
  }

  postMessage(message: ToThread): void {
    this.#channel.port1.postMessage(message)
  }

  /** Ends like a thread after an exception. */
  crash(error: Error): void {
    this.#channel.port1.close()
    this.emit('error', error)
    this.emit('exit')
  }

  async terminate(): Promise<void> {
    this.#channel.port1.close()
    this.emit('exit')
  }
}

/** A source as the service sees it: through the messages of the thread of the exchanges. */
export function inThread(source: Source, exchange: string): Source & { close(): Promise<void> } {
  const thread = new ExchangeThread({ start: () => new LocalThread(() => source) })
  return Object.assign(new RemoteSource(thread, exchange), { close: () => thread.close() })
}
