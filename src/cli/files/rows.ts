import type { Candle } from '../../candles/candle.js'
import { type Numbers, outOfRangePrice } from '../../candles/csv/row.js'
import type { InputFile } from './input-file.js'
import { type ReadingOptions, readLines } from './lines.js'
import { LineFault } from './reader.js'

/** Takes a candle and the line of the file that it ends on, counted from 1. Its time may have fractions of a second. */
type TakeRow = (line: number, candle: Candle) => void

/** Why a line cannot be used. */
export interface RowProblem {
  readonly line: number
  readonly text: string
}

/** What was read of a file. */
export interface FileReading {
  /** How many valid candles there are. */
  readonly rows: number
  /** One for each line without a valid candle, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** Whether the file was read to its end; if not, the last problem is the reason. */
  readonly isComplete: boolean
  /** Assumptions and remarks, to be shown to the user. */
  readonly notes: readonly string[]
}

/** A file with more problems is probably no file of candles, and is not read further. */
const maxProblems = 1000
const isTimed = (candle: Numbers | string): candle is Candle | string =>
  typeof candle === 'string' || candle.timestamp !== undefined

/** Takes the valid candles of a file of any form in the order of the file. Rejects only where reading `input` does. */
export async function readRows(
  input: InputFile,
  options: ReadingOptions,
  takeRow: TakeRow,
): Promise<FileReading> {
  let rows = 0
  const problems: RowProblem[] = []
  const notes: string[] = []
  let outOfRange = 0
  let isComplete = true
  try {
    const listener = { onNote: (note: string) => notes.push(note) }
    for await (const { line, candle: numbers } of readLines(input, { ...options, ...listener })) {
      const candle = isTimed(numbers) ? numbers : 'timestamp is missing'
      if (typeof candle === 'object') {
        if (outOfRangePrice(candle) !== undefined) outOfRange++
        rows++
        takeRow(line, candle)
      } else if (problems.push({ line, text: candle }) >= maxProblems) {
        isComplete = false
        break
      }
    }
  } catch (error) {
    if (!(error instanceof LineFault)) throw error
    problems.push({ line: error.line, text: error.message })
    isComplete = false
  }
  if (rows === 0 && problems.length === 0) problems.push({ line: 1, text: 'there are no candles' })
  if (outOfRange > 0)
    notes.push(`open or close lies outside of high and low in ${outOfRange} of ${rows} candles`)
  return { rows, problems, notes, isComplete }
}
