import type { Candle } from '../../candles/candle.js'
import { formatTime } from '../../candles/format-time.js'
import { type InputFile, openFile } from '../csv/input-file.js'
import { detectLayout, type Layout } from '../csv/layout.js'
import { CsvFault, maxTitleLine, readRecords } from '../csv/reader.js'
import { contradiction, readCells } from '../csv/row.js'
import { CommandFailure } from '../failure.js'
import { type ReadLine, readJsonArray, readJsonLines } from './candle-lines.js'

/** How candles are written: CSV as `candela import` reads it, one JSON object in each line, or one JSON array. */
export const inputFormats = ['csv', 'ndjson', 'json'] as const
export type InputFormat = (typeof inputFormats)[number]

/** So many bytes at least are read ahead to find the format. */
const maxPeekedBytes = 2 ** 20

interface Options {
  /** Found by the first character where it is not given. */
  readonly format?: InputFormat | undefined
  /** Called with assumptions that the user should know of. */
  readonly onNote: (text: string) => void
  /** Called with the size of each file, as far as it is known, and with the bytes that were read. */
  readonly onFile?: (size: number | undefined) => void
  readonly onBytes?: (bytes: number) => void
}

/**
 * The candles of files, oldest first, as one series. Throws CommandFailure, which names the line, where one cannot be
 * read or does not come after the one before.
 */
export async function* readCandles(paths: readonly string[], options: Options): AsyncGenerator<Candle> {
  const order = new OpenTimes()
  for (const path of paths) {
    for await (const file of openFile(path)) {
      options.onFile?.(file.size)
      for await (const { line, candle } of readLines(file, options)) {
        const fault = typeof candle === 'string' ? candle : (contradiction(candle) ?? order.faultOf(candle))
        if (fault !== undefined) throw new CommandFailure(`${file.name} line ${line}: ${fault}`)
        yield candle as Candle
      }
    }
  }
}

type Numbers = Exclude<ReadLine['candle'], string>

/** Checks that open times ascend, and gives candles without one their index, as requests with candles do. */
class OpenTimes {
  #count = 0
  #isTimed = false
  #last = Number.NEGATIVE_INFINITY

  /** What is wrong with the time of the next candle; sets it where there is none. */
  faultOf(candle: Numbers): string | undefined {
    const { timestamp } = candle
    if (this.#count === 0) this.#isTimed = timestamp !== undefined
    if ((timestamp !== undefined) !== this.#isTimed)
      return `the time is ${this.#isTimed ? 'missing' : 'given'}: give it on every candle or on none`
    if (timestamp === undefined) {
      Object.assign(candle, { timestamp: this.#count })
    } else {
      if (!Number.isInteger(timestamp)) return `the time ${formatTime(timestamp)} is not a whole second`
      if (timestamp <= this.#last)
        return `${formatTime(timestamp)} is not after ${formatTime(this.#last)}, the candle before; the oldest must come first`
      this.#last = timestamp
    }
    this.#count++
    return undefined
  }
}

async function* readLines(file: InputFile, { format, onNote, onBytes }: Options): AsyncGenerator<ReadLine> {
  const { first, bytes } = await peek(file.bytes, onBytes)
  const found = format ?? (first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv')
  if (found === 'csv') yield* readCsvLines(bytes, onNote)
  else yield* found === 'json' ? readJsonArray(bytes) : readJsonLines(bytes)
}

/** The first character that is neither white space nor a byte order mark, empty where many bytes have none, and all bytes. */
async function peek(
  input: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): Promise<{ readonly first: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  const iterator = input[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let first = ''
  let size = 0
  while (first === '' && size < maxPeekedBytes) {
    const { value, done } = await iterator.next()
    if (done) break
    read.push(value)
    size += value.length
    first = /[^\s\0\u00bb\u00bf\u00ef\u00fe\u00ff]/.exec(Buffer.from(value).toString('latin1'))?.[0] ?? ''
  }
  async function* bytes() {
    for (const chunk of read.splice(0)) {
      onBytes(chunk.length)
      yield chunk
    }
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator }) {
      onBytes(chunk.length)
      yield chunk
    }
  }
  return { first, bytes: bytes() }
}

async function* readCsvLines(
  bytes: AsyncIterable<Uint8Array>,
  onNote: (text: string) => void,
): AsyncGenerator<ReadLine> {
  let layout: Layout | undefined
  try {
    for await (const { record, line } of readRecords(bytes)) {
      if (layout === undefined) {
        // A title above the header.
        if (record.length === 1 && line <= maxTitleLine) continue
        const detected = detectLayout(record, {})
        if (typeof detected === 'string') {
          yield { line, candle: detected }
          return
        }
        layout = detected.layout
        detected.notes.forEach(onNote)
        if (layout.hasHeader) continue
      }
      yield { line, candle: readCells(record, layout) }
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    yield { line: error.line, candle: error.message }
  }
}
