import { type Counter, Durations, type Histogram, type Labels, type Metric } from '../../runtime/metric.js'
import type { MetricsOfProcess, MetricsServer, OpenMetrics } from './metrics-server.js'

export type { MetricsOfProcess, MetricsServer, OpenMetrics }

/**
 * Counters, gauges and histograms of this process. The Prometheus library is loaded only when metrics are served,
 * because most services serve none and every start would load it.
 */
export class Metrics {
  readonly #metrics: Metric[] = []

  /** A counter with one count per combination of label values. */
  counter(name: string, help: string, ...labelNames: readonly string[]): Counter {
    const counts = new Map<string, { readonly labels: Labels; value: number }>()
    const newCount = (key: string, values: readonly string[]) => {
      const labels = Object.fromEntries(labelNames.map((label, at) => [label, values[at] ?? '']))
      const count = { labels, value: 0 }
      counts.set(key, count)
      return count
    }
    this.#metrics.push({
      kind: 'counter',
      name,
      help,
      labelNames,
      read: () => [...counts.values()].map(({ labels, value }) => [labels, value] as const),
    })
    return {
      add: (labels = {}, increment = 1) => {
        const values = labelNames.map(label => labels[label] ?? '')
        const key = values.join('\n')
        const count = counts.get(key) ?? newCount(key, values)
        count.value += increment
      },
    }
  }

  /** A histogram of durations with one series per combination of label values. */
  durations(name: string, help: string, ...labelNames: readonly string[]): Histogram {
    const all = new Map<string, readonly [Labels, Durations]>()
    this.add({ kind: 'histogram', name, help, labelNames, read: () => all.values() })
    return {
      add(seconds, labels = {}) {
        const key = labelNames.map(label => labels[label] ?? '').join('\n')
        const known = all.get(key) ?? ([labels, new Durations()] as const)
        all.set(key, known)
        known[1].add(seconds)
      },
    }
  }

  /** Adds metrics that are counted elsewhere. */
  add(...metrics: readonly Metric[]): void {
    this.#metrics.push(...metrics)
  }

  /** A gauge that is read on each request of the metrics. */
  gauge(name: string, help: string, read: () => number): void {
    this.#metrics.push({ kind: 'gauge', name, help, labelNames: [], read: () => [[{}, read()]] })
  }

  /** A counter with one label, whose counts are read on each request of the metrics. */
  totals(name: string, help: string, labelName: string, read: () => Readonly<Record<string, number>>): void {
    this.#metrics.push({
      kind: 'counter',
      name,
      help,
      labelNames: [labelName],
      read: () => Object.entries(read()).map(([label, count]) => [{ [labelName]: label }, count] as const),
    })
  }

  /** Opens the metrics for another process, which serves them with its own. */
  async open(): Promise<OpenMetrics> {
    const { openMetrics } = await import('./metrics-server.js')
    return openMetrics(this.#metrics)
  }

  /**
   * Serves the metrics at `/metrics`, aggregated with those of other processes. Rejects if it cannot listen on the
   * port.
   */
  async serve(
    address: { readonly host: string; readonly port: number },
    readOthers: () => Promise<readonly MetricsOfProcess[]> = async () => [],
  ): Promise<MetricsServer> {
    const { serveMetrics } = await import('./metrics-server.js')
    return serveMetrics(this.#metrics, address, readOthers)
  }
}
