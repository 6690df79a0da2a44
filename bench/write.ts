import { Bench } from 'tinybench'
import { formatNumber } from '#dist/compute/json/sink.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { effort, some } from './effort.js'
import { createRandom } from './random.js'
import { rounded } from './statistics.js'

/** The list as V8 writes it. */
function plainList(numbers: Float64Array, from: number, to: number): string {
  let list = ''
  for (let i = from; i < to; i++) list += `${i === from ? '' : ','}${formatNumber(numbers[i] as number)}`
  return list
}

const lengths = [1, 3, 10, 500] as const
/** Different numbers of each kind: more than V8's cache of number texts holds. */
const poolSize = 100_000

/** Nanoseconds per number to write a list of numbers as JSON, in WASM and by V8, each number seen for the first time. */
export async function benchWrite(): Promise<Record<string, Record<string, number>>> {
  const { writer } = new Calculator()
  const random = createRandom(11)
  const kinds = {
    indicator: () => random() * 100,
    price: () => Math.round(random() * 1e7) / 100,
    timestamp: () => 1_600_000_000 + Math.floor(random() * 1e5) * 3600,
  }
  const table: Record<string, Record<string, number>> = {}
  for (const [kind, draw] of Object.entries(kinds)) {
    const numbers = Float64Array.from({ length: poolSize }, draw)
    const plain = Array.from(numbers)
    for (const length of some(lengths)) {
      const bench = new Bench({
        time: effort(150, 5),
        iterations: effort(64, 1),
        warmupTime: effort(50, 1),
        warmupIterations: effort(16, 1),
      })
      let at = 0
      const next = () => {
        at = at + length > poolSize - length ? 0 : at + length
        return at
      }
      bench.add('WASM', () => {
        const from = next()
        writer.list(numbers, from, from + length)
      })
      bench.add('V8', () => {
        const from = next()
        plainList(numbers, from, from + length)
      })
      bench.add('JSON.stringify', () => {
        const from = next()
        JSON.stringify(plain.slice(from, from + length))
      })
      await bench.run()
      const row: Record<string, number> = {}
      for (const task of bench.tasks) {
        const { result } = task
        if (!('latency' in result)) throw new Error(`${task.name} did not run: ${result.state}`)
        row[`${task.name}, ns/number`] = rounded((result.latency.p50 * 1e6) / length, 1)
      }
      row['WASM / V8'] = rounded((row['WASM, ns/number'] as number) / (row['V8, ns/number'] as number))
      table[`${kind}, ${length} in a list`] = row
    }
  }
  return table
}
