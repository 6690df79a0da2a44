import { decodeText } from '../../candles/csv/decoder.js'
import type { CsvOptions } from '../../candles/csv/layout.js'
import type { InputFile } from './input-file.js'
import { type ReadLine, readJsonArray, readJsonLines } from './json.js'
import { readCandleRecords, readCsvLines } from './reader.js'

/** How candles are written: CSV, one JSON object in each line, or one JSON array. */
export const textFormats = ['csv', 'ndjson', 'json'] as const
export type TextFormat = (typeof textFormats)[number]

/** How a file is read. */
export interface ReadingOptions extends CsvOptions {
  /** The format of a text; found by its first character where it is not given. */
  readonly format?: TextFormat | undefined
}

/** The candles of a file in the order of its lines. Throws LineFault, and what reading the file throws. */
export async function* readLines(
  file: InputFile,
  options: ReadingOptions,
  onNote: (text: string) => void,
): AsyncGenerator<ReadLine> {
  if (file.records) return yield* readCandleRecords(file.records, options, onNote)
  const text = await decodeText(file.bytes)
  const first = /\S/.exec(text.head)?.[0]
  const found = options.format ?? (first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv')
  if (found === 'csv') yield* readCsvLines(text, options, onNote)
  else if (found === 'ndjson') yield* readJsonLines(text)
  else yield* readJsonArray(text, options, onNote)
}
