import { Bench } from 'tinybench'
import { catalogue, type Values } from '#dist/catalogue/index.js'
import { Calculator } from '#dist/compute/calculator.js'
import { randomWalk } from './random-walk.js'
import { median, rounded } from './statistics.js'

const sizes = [500, 10_000] as const

/** Nanoseconds per candle of every kernel at its defaults, over random walks of two lengths, beside the median kernel. */
export async function benchKernels(): Promise<Record<string, Record<string, number>>> {
  const calculator = new Calculator()
  const table: Record<string, Record<string, number>> = {}
  for (const count of sizes) {
    const bench = new Bench({ time: 60, warmupTime: 20 })
    const snapshot = randomWalk(count)
    for (const indicator of catalogue.values()) {
      const params = Object.fromEntries(
        Object.entries(indicator.params).map(([name, param]) => [name, param.default]),
      ) as Values
      bench.add(indicator.name, () => calculator.run(indicator, 0, count), {
        beforeAll: () => {
          calculator.prepare({ indicator, params }, snapshot)
        },
      })
    }
    await bench.run()
    for (const task of bench.tasks) {
      const { result } = task
      if (!('latency' in result)) throw new Error(`${task.name} did not run: ${result.state}`)
      const ns = rounded((result.latency.p50 * 1e6) / count)
      table[task.name] = { ...table[task.name], [`ns/candle at ${count}`]: ns }
    }
    const middle = median(Object.values(table).map(row => row[`ns/candle at ${count}`] as number))
    for (const row of Object.values(table)) {
      const ns = row[`ns/candle at ${count}`] as number
      row[`kernel / middle kernel, at ${count}`] = rounded(ns / middle)
    }
  }
  return table
}
