import type { CandleBlock, Snapshot } from '../../../src/candles/columns.js'
import type { Expressions } from '../../../src/compute/expressions/expressions.js'
import { BufferSink } from '../../../src/compute/json/sink.js'
import { RangeAnswers } from '../../../src/compute/ranges/range-answers.js'
import { runRange } from '../../../src/compute/ranges/range-thread.js'
import type { RangeTask } from '../../../src/compute/task.js'
import { BufferPool } from '../../../src/runtime/buffer-pool.js'
import { calculator } from '../kernel.js'

const sink = new BufferSink(calculator.writer, new BufferPool(1_000_000))

/** Range answers over stored candles, read in blocks of `blockLength`, whose tasks are sent as if to a thread. */
export function createRangeAnswers(expressions: Expressions, pieceLength: number, blockLength: number) {
  /** The candles of a snapshot, which stands for stored candles. */
  function* readOlder(location: unknown, from: number, to: number): Generator<CandleBlock> {
    const { columns, closed } = location as Snapshot
    for (let at = 0; at < closed; at += blockLength) {
      const times = columns.timestamp.subarray(at, Math.min(closed, at + blockLength))
      const begin = times.findIndex(time => time >= from)
      const end = times.findLastIndex(time => time <= to)
      if (begin >= 0 && begin <= end) yield { columns, from: at + begin, to: at + end + 1 }
    }
  }
  const starts: RangeTask['start'][] = []
  const run = async (task: RangeTask) => {
    const { locations, ...sent } = task
    starts.push(task.start)
    const { columns: _, ...rest } = runRange(
      { ...structuredClone(sent), locations },
      { readOlder, expressions, sink, writer: calculator.writer, pause: () => {} },
    )
    return { answer: sink.take(), ...rest }
  }
  return { answers: new RangeAnswers({ run, onBug: () => {}, pieceLength }), starts }
}
