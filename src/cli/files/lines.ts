import type { ReadLine } from '../../candles/csv/candle-reader.js'
import { decodeText } from '../../candles/csv/decoder.js'
import type { CsvOptions } from '../../candles/csv/layout.js'
import type { InputFile } from './input-file.js'
import { readJsonArray, readJsonLines, recordsOfArrays, recordsOfObjects } from './json.js'
import { type Listener, readCandleRecords, readRecords } from './reader.js'

/** How candles are written: CSV, one JSON object in each line, or one JSON array. */
export const textFormats = ['csv', 'ndjson', 'json'] as const
export type TextFormat = (typeof textFormats)[number]

/** How a file is read. */
export interface ReadingOptions extends CsvOptions {
  /** The format of a text; found by its first character where it is not given. */
  readonly format?: TextFormat | undefined
  /** The sheet of a workbook, by its name or its number from 1 on; the first one where it is not given. */
  readonly sheet?: string | undefined
}

/** Objects have names, and may have no times, as candles in requests. */
const ofObjects = { isNamed: true, mayLackTimes: true }

/** The candles of a file in the order of its lines. Throws LineFault, and what reading the file throws. */
export async function* readLines(
  file: InputFile,
  options: ReadingOptions & Listener,
): AsyncGenerator<ReadLine> {
  const { records, isNamed = false } = file
  if (records) return yield* readCandleRecords(records, { ...options, isNamed })
  const text = await decodeText(file.bytes)
  const first = /\S/.exec(text.head)?.[0]
  const found = options.format ?? (first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv')
  if (found === 'csv') return yield* readCandleRecords(readRecords(text), options)
  if (found === 'ndjson') return yield* readCandleRecords(readJsonLines(text), { ...options, ...ofObjects })
  const items = await readJsonArray(text)
  if (Array.isArray(items[0])) yield* readCandleRecords(recordsOfArrays(items), options)
  else yield* readCandleRecords(recordsOfObjects(items), { ...options, ...ofObjects })
}
