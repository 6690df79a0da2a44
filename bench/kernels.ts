import { Bench } from 'tinybench'
import { catalogue, type Values } from '#dist/catalogue/index.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { randomWalk } from './random-walk.js'
import { geometricMean, median, rounded } from './statistics.js'

const sizes = [500, 10_000] as const

type Row = Record<string, number>

/** Mean and slowest kernel of each category, and of all, at the larger size. */
function summary(table: Readonly<Record<string, Row>>): Table {
  const column = `ns/candle at ${sizes[1]}`
  const rowOf = (names: readonly string[]) => {
    const times = names.map(name => table[name]?.[column] as number)
    const slowest = Math.max(...times)
    return {
      kernels: names.length,
      [`${column}, geometric mean`]: rounded(geometricMean(times)),
      slowest: `${names[times.indexOf(slowest)]} ${slowest}`,
    }
  }
  const entries = [...catalogue.values()]
  const rows = [...new Set(entries.map(({ category }) => category))].map(category => [
    category,
    rowOf(entries.filter(entry => entry.category === category).map(({ name }) => name)),
  ])
  return { ...Object.fromEntries(rows), all: rowOf([...catalogue.keys()]) }
}

/**
 * Nanoseconds per candle of every kernel at its defaults, over random walks of two lengths, relative to the median kernel;
 * then the means by category.
 */
export async function benchKernels(): Promise<readonly Table[]> {
  const calculator = new Calculator()
  const table: Record<string, Row> = {}
  for (const count of sizes) {
    const bench = new Bench({
      time: effort(60, 0),
      iterations: effort(64, 1),
      warmupTime: effort(20, 0),
      warmupIterations: effort(16, 1),
    })
    const snapshot = randomWalk(count)
    for (const indicator of catalogue.values()) {
      const params = Object.fromEntries(
        Object.entries(indicator.params).map(([name, param]) => [name, param.default]),
      ) as Values
      bench.add(indicator.name, () => calculator.run(0, count), {
        beforeAll: () => {
          calculator.compute({ indicator, params }, [snapshot])
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
  return [table, summary(table)]
}
