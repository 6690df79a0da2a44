import type { Candle } from '../../candles/candle.js'
import { Columns, type Snapshot } from '../../candles/columns.js'
import { refuseShort } from '../../compute/answer.js'
import type { Block } from '../../compute/kernels/block-calculator.js'
import { Calculator } from '../../compute/kernels/calculator.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { compileOnce, timeframeOf } from '../../expression/query.js'
import { CommandFailure } from '../failure.js'
import { createWriter, type TextOptions } from './computation.js'

/** Candles of which values are written at once. */
const blockSize = 1024
/** Candles for which there is room at first; it doubles. */
const minCapacity = 1024

const orThrow = <Value extends object>(value: Value | Refusal): Value => {
  if (isRefusal(value)) throw new CommandFailure(value.error)
  return value
}

/**
 * The text of the values of an expression. All candles are read first: other timeframes in it are made of them, and the
 * timeframe of the candles is the smallest distance between two. Throws CommandFailure.
 */
export async function* computeExpressionText(
  expression: string,
  candles: AsyncIterable<Candle>,
  options: TextOptions,
): AsyncGenerator<string> {
  // A fault in it is said before all is read.
  orThrow(compileOnce(expression, '1m'))
  const snapshot = await collect(candles)
  if (snapshot.count === 0) throw new CommandFailure('there are no candles')
  const { spec } = orThrow(compileOnce(expression, timeframeOf(snapshot)))
  const tooShort = refuseShort({ ...spec, results: 1, backtrack: 0 }, snapshot)
  if (tooShort) throw new CommandFailure(tooShort.error)
  const calculator = new Calculator()
  const { columns } = calculator.calculate(spec, snapshot)
  const writer = createWriter([spec], calculator, options)
  yield writer.begin()
  for (let from = 0; from < snapshot.count; from += blockSize) {
    const to = Math.min(snapshot.count, from + blockSize)
    const block: Block = {
      from,
      count: to - from,
      timestamp: snapshot.columns.timestamp.slice(from, to),
      columns: [columns.map(column => column.slice(from, to))],
    }
    yield writer.add(block)
  }
  yield* writer.end()
}

async function collect(candles: AsyncIterable<Candle>): Promise<Snapshot> {
  let columns = new Columns(minCapacity)
  let count = 0
  for await (const candle of candles) {
    if (count === columns.capacity) {
      const larger = new Columns(2 * count)
      for (let i = 0; i < count; i++) larger.write(i, columns.read(i))
      columns = larger
    }
    columns.write(count++, candle)
  }
  return { columns, closed: count, forming: undefined, count }
}
