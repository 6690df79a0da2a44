import type { Candle } from '../../candles/candle.js'
import { barsOf } from '../../candles/charts/bars.js'
import type { Chart } from '../../candles/charts/chart.js'
import { candleAt, type Snapshot, timeframeOf } from '../../candles/columns.js'
import { Series } from '../../candles/series.js'
import { refuseShort } from '../../compute/answer.js'
import { type CompiledExpression, compileExpression } from '../../compute/expressions/compile.js'
import { refuseChart } from '../../compute/expressions/expressions.js'
import { type Block, BlockCalculator } from '../../compute/kernels/block-calculator.js'
import { Calculator } from '../../compute/kernels/calculator.js'
import type { Calculation } from '../../compute/kernels/shape.js'
import { joinNamed, missingOther } from '../../compute/supplied.js'
import { instantiate } from '../../compute/wasm/kernels-file.js'
import { type IndicatorSpec, settledAt } from '../../contract/query.js'
import { notEnoughCandles, notSettled } from '../../contract/refusals.js'
import { CommandFailure, orFail } from '../failure.js'
import { type TextOptions, writeValues } from './value-text.js'

/** Number of candles per written block of the values of an expression. */
const blockSize = 1024

/** An indicator to compute. Values that have not settled are left out. */
export type ComputedSpec = Calculation & Pick<IndicatorSpec, 'settled'>

/** Yields the text of the values of indicators, as far as it can be written. Throws CommandFailure. */
export function computeText(
  calculations: readonly ComputedSpec[],
  candles: AsyncIterable<readonly Candle[]>,
  options: TextOptions,
): AsyncGenerator<string> {
  const calculator = new BlockCalculator(calculations, instantiate())
  return writeValues(
    computeBlocks(calculator, calculations, options.chart ? barsFrom(options.chart, candles) : candles),
    calculations,
    new Calculator().writer,
    options,
  )
}

async function* computeBlocks(
  calculator: BlockCalculator,
  calculations: readonly ComputedSpec[],
  candles: AsyncIterable<readonly Candle[]>,
): AsyncGenerator<Block> {
  let count = 0
  for await (const some of candles)
    for (const candle of some) {
      calculator.add(candle)
      count++
      if (calculator.size === calculator.blockSize) yield settledOnly(calculator.compute(), calculations)
    }
  if (count === 0) throw new CommandFailure('there are no candles')
  if (calculator.size > 0) yield settledOnly(calculator.compute(), calculations)
  const [{ indicator, params, settled }, ...others] = calculations as [ComputedSpec, ...ComputedSpec[]]
  const needed = indicator.warmup(params) + 1
  if (others.length === 0 && count < needed)
    throw new CommandFailure(notEnoughCandles(indicator.name, needed, count).error)
  if (others.length === 0 && settled && count <= settled.first)
    throw new CommandFailure(
      notSettled(indicator.name, settled.digits, settled.first + 1, count, false).error,
    )
}

function settledOnly(block: Block, calculations: readonly ComputedSpec[]): Block {
  const columns = block.columns.map((own, k) => {
    const masked = (calculations[k]?.settled?.first ?? 0) - block.from
    return masked > 0 ? own.map(column => column.slice().fill(Number.NaN, 0, masked)) : own
  })
  return { ...block, columns }
}

/**
 * Yields the text of the values of an expression. All candles are read first, because other timeframes in the expression are made
 * of them. The timeframe of the candles is the smallest distance between two candles. `others` has the candles of other markets, by
 * their names in the expression. Throws CommandFailure.
 */
export async function* computeExpressionText(
  expression: string,
  candles: AsyncIterable<readonly Candle[]>,
  options: TextOptions,
  others: ReadonlyMap<string, AsyncIterable<readonly Candle[]>> = new Map(),
): AsyncGenerator<string> {
  // A fault in the expression is reported before all candles are read.
  orFail(compileExpression(expression, { timeframe: '1m' }))
  const source = await readAll(candles)
  const { spec } = orFail<CompiledExpression>(
    compileExpression(expression, { timeframe: timeframeOf(source) }),
  )
  const settled = options.settled === undefined ? undefined : orFail(settledAt(spec, options.settled))
  const unfit = refuseChart({ ...spec, chart: options.chart, settled })
  if (unfit) throw new CommandFailure(unfit.error)
  const supplied = new Map<string, Snapshot>()
  for (const [name, each] of others) supplied.set(name, await readAll(each))
  const missing = missingOther(spec.indicator, supplied)
  if (missing !== undefined)
    throw new CommandFailure(`the candles of {${missing}} are missing: add --with ${missing}=<file>`)
  const joined = joinNamed(spec.indicator, source, supplied)
  const inputs = barsOf(options.chart, joined)
  const tooShort = refuseShort({ ...spec, settled, results: 1, backtrack: 0 }, inputs)
  if (tooShort) throw new CommandFailure(tooShort.error)
  const calculator = new Calculator()
  const { columns } = calculator.calculate(spec, inputs)
  const blocks = blocksOf(inputs[0], columns, { ...spec, settled })
  yield* writeValues(blocks, [spec], calculator.writer, options)
}

async function readAll(candles: AsyncIterable<readonly Candle[]>): Promise<Snapshot> {
  // The timeframe of the series has no meaning, because it is detected from the candles.
  const series = new Series('1m', Number.POSITIVE_INFINITY)
  for await (const some of candles) for (const candle of some) series.append(candle)
  if (series.count === 0) throw new CommandFailure('there are no candles')
  return series.snapshot()
}

/** Computes the bars of a chart after all candles were read. The number of bars is limited as in a service. */
async function* barsFrom(
  chart: Chart,
  candles: AsyncIterable<readonly Candle[]>,
): AsyncGenerator<readonly Candle[]> {
  const [bars] = barsOf(chart, [await readAll(candles)])
  for (let i = 0; i < bars.count; i++) yield [candleAt(bars, i)]
}

async function* blocksOf(
  { columns, count }: Snapshot,
  values: readonly Float64Array[],
  spec: ComputedSpec,
): AsyncGenerator<Block> {
  for (let from = 0; from < count; from += blockSize) {
    const to = Math.min(count, from + blockSize)
    const timestamp = columns.timestamp.slice(from, to)
    const block = {
      from,
      count: to - from,
      timestamp,
      columns: [values.map(column => column.slice(from, to))],
    }
    yield settledOnly(block, [spec])
  }
}
