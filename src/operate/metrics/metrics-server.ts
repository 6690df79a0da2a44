import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as prometheus from 'prom-client'
import { type Durations, durationBounds, type Labels, type Metric } from '../../runtime/metric.js'

/**
 * Interval at which the event loop is sampled, in milliseconds. A hold that `nodejs_eventloop_lag_max_seconds` shows is too
 * long by at most this interval.
 */
const loopSamplingMs = 2

/** Registers a metric that is read on each request. */
function register(registry: prometheus.Registry, metric: Metric): void {
  if (metric.kind === 'histogram') {
    registry.registerMetric(histogramOf(metric) as unknown as prometheus.Metric)
    return
  }
  const { kind, name, help, labelNames, read } = metric
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

/**
 * A histogram over buckets that are already counted. The histogram of prom-client must count each observation itself.
 */
const histogramOf = ({ name, help, read }: Metric & { kind: 'histogram' }) => ({
  name,
  get: async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...read()].flatMap(bucketsOf(name)),
  }),
})

const bucketsOf =
  (name: string) =>
  ([labels, { counts, seconds }]: readonly [Labels, Durations]) => {
    let count = 0
    const buckets = Array.from(counts, (more, at) => {
      count += more
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: durationBounds[at] ?? '+Inf' },
        value: count,
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

export type MetricsOfProcess = Awaited<ReturnType<prometheus.Registry['getMetricsAsJSON']>>

export type OpenMetrics = ReturnType<typeof openMetrics>
export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>

export function openMetrics(metrics: readonly Metric[]) {
  const registry = new prometheus.Registry()
  for (const metric of metrics) register(registry, metric)
  // The default metrics constantly observe the event loop and the garbage collector, so they start only when metrics
  // are served.
  prometheus.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSamplingMs })
  return {
    read: () => registry.getMetricsAsJSON(),
    /** Metrics in the format of Prometheus, aggregated with those of other processes. */
    async text(others: readonly MetricsOfProcess[]): Promise<string> {
      if (others.length === 0) return registry.metrics()
      const all = [await registry.getMetricsAsJSON(), ...others]
      return prometheus.AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

/**
 * Serves metrics at `/metrics`, aggregated with those of the service's other processes. Rejects if it cannot listen on
 * the port.
 */
export async function serveMetrics(
  metrics: readonly Metric[],
  { host, port }: { readonly host: string; readonly port: number },
  readOthers: () => Promise<readonly MetricsOfProcess[]>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  let open: OpenMetrics | undefined
  const answer = async () => open?.text(await readOthers())
  const server = createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics'
    if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404).end()
      return
    }
    answer().then(
      text =>
        response.writeHead(200, { 'Content-Type': prometheus.Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause =>
      reject(new Error(`cannot show metrics on ${host}:${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, resolve)
  })
  open = openMetrics(metrics)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
