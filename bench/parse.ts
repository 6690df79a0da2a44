import { Bench } from 'tinybench'
import type { Snapshot } from '#dist/candles/columns.js'
import { BodyParser } from '#dist/compute/json/body-parser.js'
import { readSuppliedCandles } from '#dist/contract/supplied-candles.js'
import { walk } from './walk.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

interface Body {
  readonly constructs: readonly { readonly candles: unknown }[]
}

/** The most candles that a request may carry, 20 × 500, with prices and volumes of so many decimals. */
function bodyOf(decimals: number): Uint8Array {
  const rounded = (value: number) => Number(value.toFixed(decimals))
  const candles = ({ columns, count }: Snapshot) =>
    Array.from({ length: count }, (_, i) => {
      const { timestamp, open, high, low, close, volume } = columns.read(i)
      return {
        timestamp,
        open: rounded(open * 270),
        high: rounded(high * 270),
        low: rounded(low * 270),
        close: rounded(close * 270),
        volume: rounded(volume),
      }
    })
  const constructs = Array.from({ length: 20 }, (_, k) => ({
    id: `asset_${k}`,
    candles: candles(walk(500, k + 1)),
    indicators: [{ id: 'rsi', indicator: 'rsi' }],
  }))
  return Buffer.from(JSON.stringify({ constructs }))
}

/**
 * Milliseconds to take in a full body of candles, from bytes to columns, and what `JSON.parse` alone takes for it; the
 * best of many runs, which neighbours on the machine disturb least.
 */
export async function benchParse(): Promise<Record<string, Record<string, number>>> {
  const table: Record<string, Record<string, number>> = {}
  const bodyParser = new BodyParser()
  for (const [name, decimals] of [
    ['2 decimals', 2],
    ['all decimals', 15],
  ] as const) {
    const body = bodyOf(decimals)
    const bench = new Bench({ time: 600, warmupTime: 200 })
    bench.add('Intake', () => {
      bodyParser.read(body, whole => (whole as Body).constructs)
    })
    bench.add('JSON.parse', () => {
      JSON.parse(decoder.decode(body))
    })
    bench.add('JSON.parse, readSupplied', () => {
      for (const { candles } of (JSON.parse(decoder.decode(body)) as Body).constructs)
        readSuppliedCandles(candles)
    })
    await bench.run()
    const row: Record<string, number> = { MB: body.length / 1e6 }
    for (const task of bench.tasks) {
      const { result } = task
      if (!('latency' in result)) throw new Error(`${task.name} did not run: ${result.state}`)
      row[`${task.name}, ms`] = Math.round(result.latency.min * 1000) / 1000
    }
    row['Intake / JSON.parse'] =
      Math.round(((row['Intake, ms'] as number) / (row['JSON.parse, ms'] as number)) * 100) / 100
    table[name] = row
  }
  return table
}
