import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as prometheus from 'prom-client'
import { EventLoopDelay } from './event-loop-delay.js'
import type { Metric } from './metric.js'

/** A listening server of metrics. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** Has a registry read a metric whenever it is requested. */
function register(registry: prometheus.Registry, { kind, name, help, labelNames, read }: Metric): void {
  const options = { name, help, labelNames, registers: [registry] }
  if (kind === 'gauge') {
    new prometheus.Gauge({
      ...options,
      collect() {
        for (const [labels, value] of read()) this.set(labels, value)
      },
    })
    return
  }
  new prometheus.Counter({
    ...options,
    collect() {
      this.reset()
      for (const [labels, value] of read()) this.inc(labels, value)
    },
  })
}

/** Serves metrics, and those of Node.js, at `/metrics` in the format of Prometheus. Rejects when it cannot listen on the port. */
export async function serveMetrics(
  metrics: readonly Metric[],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const registry = new prometheus.Registry()
  const server = createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics'
    if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404).end()
      return
    }
    registry.metrics().then(
      text => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause =>
      reject(new Error(`cannot show metrics on ${host}:${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, resolve)
  })
  const delay = new EventLoopDelay()
  const loopDelay: Metric = {
    kind: 'gauge',
    name: 'candela_event_loop_delay',
    help: 'Longest time for which the event loop was held since these metrics were last requested, in seconds',
    labelNames: [],
    read: () => [[{}, delay.takeLongest()]],
  }
  for (const metric of [...metrics, loopDelay]) register(registry, metric)
  // These observe the event loop and the garbage collector all the time, so they begin only when metrics are served.
  prometheus.collectDefaultMetrics({ register: registry })
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
