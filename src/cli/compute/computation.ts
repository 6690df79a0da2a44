import type { Candle } from '../../candles/candle.js'
import { BlockCalculator } from '../../compute/kernels/block-calculator.js'
import type { Calculation } from '../../compute/kernels/calculator.js'
import { notEnoughCandles } from '../../contract/refusals.js'
import { CommandFailure } from '../failure.js'
import { JsonWriter } from './result-writer.js'
import { CsvWriter, JsonLineWriter, type ResultWriter } from './row-writer.js'
import { columnsOf } from './value-columns.js'

/** How values are written: the newest `results` of them, or all; as a result by the name of its indicator or alone. */
export interface TextOptions {
  readonly format: 'csv' | 'ndjson' | 'json'
  readonly results?: number | undefined
  readonly isNamed: boolean
}

/** The text of the values, as far as it can be written. Throws CommandFailure. */
export async function* computeText(
  calculations: readonly Calculation[],
  candles: AsyncIterable<Candle>,
  options: TextOptions,
): AsyncGenerator<string> {
  const calculator = new BlockCalculator(calculations)
  const writer = createWriter(calculations, calculator, options)
  yield writer.begin()
  let count = 0
  for await (const candle of candles) {
    calculator.add(candle)
    count++
    if (calculator.size === calculator.blockSize) yield writer.add(calculator.compute())
  }
  if (count === 0) throw new CommandFailure('there are no candles')
  if (calculator.size > 0) yield writer.add(calculator.compute())
  checkCount(calculations, count)
  yield* writer.end()
}

/** Throws CommandFailure where there are too few candles for a value of the only indicator. */
function checkCount(calculations: readonly Calculation[], count: number): void {
  const [{ indicator, params }, ...others] = calculations as [Calculation, ...Calculation[]]
  const needed = indicator.warmup(params) + 1
  if (others.length === 0 && count < needed)
    throw new CommandFailure(notEnoughCandles(indicator.name, needed, count).error)
}

/** What writes the values of calculations in a format. */
export function createWriter(
  calculations: readonly Calculation[],
  calculator: Pick<BlockCalculator, 'writer'>,
  { format, results = Number.POSITIVE_INFINITY, isNamed }: TextOptions,
): ResultWriter {
  if (format === 'json') return new JsonWriter(calculations, results, isNamed)
  const columns = columnsOf(calculations)
  return format === 'csv'
    ? new CsvWriter(columns, results, calculator.writer)
    : new JsonLineWriter(columns, results)
}
