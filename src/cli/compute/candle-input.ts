import type { Candle } from '../../candles/candle.js'
import type { ReadLine } from '../../candles/csv/candle-reader.js'
import type { Numbers } from '../../candles/csv/row.js'
import { formatTime } from '../../candles/format-time.js'
import { CommandFailure } from '../failure.js'
import { CandleRows, candleWidth } from '../files/candle-rows.js'
import { openFiles } from '../files/input-file.js'
import { type ReadingOptions, readLines } from '../files/lines.js'
import { chain, LineFault, type Listener } from '../files/reader.js'
import type { ReadingDisplay } from '../progress.js'

interface Options extends ReadingOptions, Listener {
  readonly display?: ReadingDisplay
}

/** Candles that are read at a time of a file whose newest one comes first. */
const pieceCandles = 4096

/**
 * The candles of files, oldest first, as one series. A file may have its newest candle first. Throws CommandFailure, which names the
 * line, where one cannot be read, or is not after the one before.
 */
export async function* readCandles(paths: readonly string[], options: Options): AsyncGenerator<Candle> {
  const faultOfTime = openTimeCheck()
  for await (const file of openFiles(paths, options)) {
    try {
      for await (const { line, candle } of oldestFirst(readLines(file, options))) {
        const fault = typeof candle === 'string' ? candle : faultOfTime(candle)
        if (fault !== undefined) throw new LineFault(line, fault)
        yield candle as Candle
      }
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new CommandFailure(`${file.name} line ${error.line}: ${error.message}`)
    }
  }
}

type Line = Pick<ReadLine, 'line' | 'candle'>

/** The lines of a file with the oldest candle first: as they are, or the other way round where the second candle is older than the first. */
async function* oldestFirst(lines: AsyncGenerator<ReadLine>): AsyncGenerator<Line> {
  const first = (await lines.next()).value as ReadLine | undefined
  if (!first) return
  const second = (await lines.next()).value as ReadLine | undefined
  const [newer, older] = [timeOf(first), timeOf(second)]
  if (second && newer !== undefined && older !== undefined && older < newer) {
    yield* reversed(chain([first, second], lines))
    return
  }
  yield* chain(second ? [first, second] : [first], lines)
}

const timeOf = (line: ReadLine | undefined): number | undefined =>
  line === undefined || typeof line.candle === 'string' ? undefined : line.candle.timestamp

/** Lines whose newest candle comes first, the other way round. They wait in memory, or in a file where they are many. */
async function* reversed(lines: AsyncIterable<ReadLine>): AsyncGenerator<Line> {
  const rows = new CandleRows()
  try {
    const row = new Float64Array(candleWidth)
    let last = Number.POSITIVE_INFINITY
    let lastLine = 0
    for await (const { line, candle } of lines) {
      if (typeof candle === 'string') throw new LineFault(line, candle)
      const { timestamp = Number.NaN, open, high, low, close, volume } = candle
      if (!(timestamp < last)) {
        const fault = `${formatTime(timestamp)} is not before ${formatTime(last)}, the candle above; the newest comes first in this file`
        throw new LineFault(line, Number.isNaN(timestamp) ? 'timestamp is missing' : fault)
      }
      row.set([timestamp, open, high, low, close, volume])
      rows.add(row, 0)
      last = timestamp
      lastLine = line
    }
    for (let to = rows.count; to > 0; to -= pieceCandles)
      for (const candle of rows.read(Math.max(0, to - pieceCandles), to).reverse())
        yield { line: lastLine, candle }
  } finally {
    rows.close()
  }
}

/**
 * A function that says what is wrong with the open time of the next candle: times must ascend. It gives candles without a
 * time their index, as requests with candles do.
 */
function openTimeCheck(): (candle: Numbers) => string | undefined {
  let count = 0
  let isTimed = false
  let last = Number.NEGATIVE_INFINITY
  return candle => {
    const { timestamp } = candle
    if (count === 0) isTimed = timestamp !== undefined
    if ((timestamp !== undefined) !== isTimed)
      return `the time is ${isTimed ? 'missing' : 'given'}: give it on every candle or on none`
    if (timestamp === undefined) Object.assign(candle, { timestamp: count })
    else if (!Number.isInteger(timestamp)) return `the time ${formatTime(timestamp)} is not a whole second`
    else if (timestamp <= last)
      return `${formatTime(timestamp)} is not after ${formatTime(last)}, the candle before; the oldest must come first`
    last = timestamp ?? last
    count++
    return undefined
  }
}
