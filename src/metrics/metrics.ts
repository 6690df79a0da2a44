import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as prometheus from 'prom-client'
import type { Counter } from './counter.js'

/** Where the metrics are shown. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** Counts and gauges of this process in the format of Prometheus, those of Node.js itself among them. */
export class Metrics {
  readonly #registry = new prometheus.Registry()

  /** A count that only grows, for each combination of the labels. */
  counter(name: string, help: string, ...labelNames: readonly string[]): Counter {
    const counter = new prometheus.Counter({ name, help, labelNames, registers: [this.#registry] })
    /** Labels are put in order and hashed once for each combination, because requests are counted too. */
    const parts = new Map<string, prometheus.Counter.Internal>()
    return {
      add: (labels = {}, count = 1) => {
        const values = labelNames.map(label => labels[label] ?? '')
        const key = values.join('\n')
        let part = parts.get(key)
        if (!part) {
          part = counter.labels(...values)
          parts.set(key, part)
        }
        part.inc(count)
      },
    }
  }

  /** A number that is read when somebody looks. */
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

  /** Shows them at `/metrics`. Rejects when the port cannot be had. */
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
    // They watch the event loop and the garbage collector for as long as the process runs, so only where somebody looks.
    prometheus.collectDefaultMetrics({ register: this.#registry })
    return {
      port: (server.address() as AddressInfo).port,
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }
}
