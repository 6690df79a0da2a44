import type { Columns } from '../../candles/columns.js'
import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'
import { TextColumn } from './text-column.js'

/** Fewer timestamps are not worth keeping their text. */
const minKept = 3

/** Writes open times of candles. All indicators over one series have the same ones, so the last text is kept. */
export class TimestampWriter {
  readonly #writer: NumberWriter
  /** The columns of `#text`, by their id: they must not stay in memory for its sake. */
  #columnsId = 0
  #from = 0
  #to = 0
  #text = new TextColumn(0)

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  /** Writes the open times of the candles [from, to), with commas between them. */
  write(sink: JsonSink, { id, timestamp }: Columns, from: number, to: number): void {
    if (to - from < minKept) {
      for (let i = from; i < to; i++) sink.add(i === from ? `${timestamp[i]}` : `,${timestamp[i]}`)
      return
    }
    if (id !== this.#columnsId || from !== this.#from || to !== this.#to) {
      this.#text.dropFirst(this.#text.count)
      this.#text.appendNumbers(this.#writer, timestamp, from, to)
      this.#columnsId = id
      this.#from = from
      this.#to = to
    }
    this.#text.write(sink, 0, to - from)
  }
}
