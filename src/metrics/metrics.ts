import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as prometheus from 'prom-client'
import type { Counter } from './counter.js'
import { EventLoopDelay } from './event-loop-delay.js'

/** A listening server of metrics. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** Counters and gauges of this process in the format of Prometheus, including those of Node.js. */
export class Metrics {
  readonly #registry = new prometheus.Registry()

  /** A counter with a count for each combination of its labels. */
  counter(name: string, help: string, ...labelNames: readonly string[]): Counter {
    const counter = new prometheus.Counter({ name, help, labelNames, registers: [this.#registry] })
    // prom-client sorts and hashes the labels of each call. Every request is counted, so it does that once per combination.
    const counts = new Map<string, prometheus.Counter.Internal>()
    return {
      add: (labels = {}, increment = 1) => {
        const values = labelNames.map(label => labels[label] ?? '')
        const key = values.join('\n')
        let count = counts.get(key)
        if (!count) {
          count = counter.labels(...values)
          counts.set(key, count)
        }
        count.inc(increment)
      },
    }
  }

  /** A number that is read whenever the metrics are requested. */
  gauge(name: string, help: string, read: () => number): void {
    const registers = [this.#registry]
    new prometheus.Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  /** Counts by the values of one label, which are read whenever the metrics are requested. */
  totals(name: string, help: string, labelName: string, read: () => Readonly<Record<string, number>>): void {
    const registers = [this.#registry]
    new prometheus.Counter({
      name,
      help,
      labelNames: [labelName],
      registers,
      collect() {
        this.reset()
        for (const [value, count] of Object.entries(read())) this.inc({ [labelName]: value }, count)
      },
    })
  }

  /** Serves the metrics at `/metrics`. Rejects when it cannot listen on the port. */
  async serve({ host, port }: { readonly host: string; readonly port: number }): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      const isKnown = request.url?.split('?')[0] === '/metrics'
      if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
        response.writeHead(isKnown ? 405 : 404).end()
        return
      }
      this.#registry.metrics().then(
        text => response.writeHead(200, { 'Content-Type': this.#registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', cause =>
        reject(new Error(`cannot show metrics on ${host}:${port}: ${cause.message}`, { cause })),
      )
      server.listen(port, host, resolve)
    })
    // These observe the event loop and the garbage collector all the time, so they begin only when metrics are served.
    prometheus.collectDefaultMetrics({ register: this.#registry })
    const delay = new EventLoopDelay()
    this.gauge(
      'candela_event_loop_delay',
      'Longest time for which the event loop was held since these metrics were last requested, in seconds',
      () => delay.takeLongest(),
    )
    return {
      port: (server.address() as AddressInfo).port,
      close: () =>
        new Promise(resolve => {
          delay.close()
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }
}
