import { Bench } from 'tinybench'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { readSuppliedCandles } from '#dist/contract/supplied-candles.js'
import { effort } from './effort.js'
import { suppliedBody } from './request-bodies.js'
import { rounded } from './statistics.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

interface Body {
  readonly constructs: readonly { readonly candles: unknown }[]
}

/** A body with the largest number of candles of a request, 20 × 500, with prices and volumes of the given decimals. */
const bodyOf = (decimals: number): Uint8Array =>
  Buffer.from(JSON.stringify(suppliedBody({ constructs: 20, indicators: 1, decimals, priceScale: 270 })))

/**
 * Milliseconds to parse a full body of candles, from bytes to columns, compared with `JSON.parse` alone. The fastest of many
 * runs counts, because other work on the machine disturbs it least.
 */
export async function benchParse(): Promise<Record<string, Record<string, number>>> {
  const table: Record<string, Record<string, number>> = {}
  const bodyParser = new BodyParser()
  for (const [name, decimals] of [
    ['2 decimals', 2],
    ['all decimals', 15],
  ] as const) {
    const body = bodyOf(decimals)
    const bench = new Bench({
      time: effort(600, 5),
      iterations: effort(64, 1),
      warmupTime: effort(200, 1),
      warmupIterations: effort(16, 1),
    })
    // The names are keys of the baseline; "Intake" is the BodyParser.
    bench.add('Intake', () => {
      bodyParser.read(body, whole => (whole as Body).constructs)
    })
    bench.add('JSON.parse', () => {
      JSON.parse(decoder.decode(body))
    })
    bench.add('JSON.parse, readSuppliedCandles', () => {
      for (const { candles } of (JSON.parse(decoder.decode(body)) as Body).constructs)
        readSuppliedCandles(candles)
    })
    await bench.run()
    const row: Record<string, number> = { MB: body.length / 1e6 }
    for (const task of bench.tasks) {
      const { result } = task
      if (!('latency' in result)) throw new Error(`${task.name} did not run: ${result.state}`)
      row[`${task.name}, ms`] = rounded(result.latency.min, 3)
    }
    row['Intake / JSON.parse'] = rounded((row['Intake, ms'] as number) / (row['JSON.parse, ms'] as number))
    table[name] = row
  }
  return table
}
