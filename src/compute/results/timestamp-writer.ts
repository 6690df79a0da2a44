import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'
import { TextColumn } from './text-column.js'

/** Fewer timestamps are not worth keeping their text. */
const minKept = 3
/** The series whose text is kept. */
const maxSeries = 64
/** Of a series with more timestamps the text is kept only while no other series is written. */
const maxKept = 500

/** The open times of the candles [from, to) of some columns. */
interface Written {
  readonly from: number
  readonly to: number
  readonly text: TextColumn
}

/** Writes open times of candles. All indicators over one series have the same ones, so the text is kept. */
export class TimestampWriter {
  readonly #writer: NumberWriter
  /** By the id of their columns, which must not stay in memory for their sake; the oldest first. */
  readonly #written = new Map<number, Written>()
  #lastId = 0
  /** The open time of the last forming candle, and the end of an answer with it. */
  #forming = Number.NaN
  #end = ''

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  /** Writes the open times from candle `from` on, that of the forming candle included, and the end of an answer. */
  write(sink: JsonSink, snapshot: Snapshot, from: number): void {
    const { columns, closed, forming, count } = snapshot
    // With no value at all `from` lies behind the forming candle, too.
    const isLast = !forming || from >= count
    if (closed - from < minKept) {
      for (let i = from; i < closed; i++)
        sink.add(i < closed - 1 || !isLast ? `${columns.timestamp[i]},` : `${columns.timestamp[i]}`)
    } else {
      const { text, from: first } = this.#textFrom(snapshot, from)
      if (isLast) text.write(sink, from - first, closed - first)
      else text.writeWithComma(sink, from - first, closed - first)
    }
    sink.add(isLast ? ']}' : this.#endWith(forming))
  }

  /** A text that has the closed candles from `from` on. */
  #textFrom({ columns, closed }: Snapshot, from: number): Written {
    const { id } = columns
    const known = this.#written.get(id)
    if (known && known.from <= from && known.to === closed) return known
    const last = this.#written.get(this.#lastId)
    if (last && last.text.count > maxKept) this.#written.delete(this.#lastId)
    // Where most of a history is wanted, the next indicator may have values earlier.
    const first = 2 * from < closed ? 0 : from
    const text = known?.text ?? new TextColumn(Math.min(maxKept, closed - first))
    text.dropFirst(text.count)
    text.appendNumbers(this.#writer, columns.timestamp, first, closed)
    const written = { from: first, to: closed, text }
    this.#written.delete(id)
    this.#written.set(id, written)
    this.#lastId = id
    if (this.#written.size > maxSeries) this.#written.delete(this.#written.keys().next().value as number)
    return written
  }

  #endWith(forming: Candle): string {
    if (forming.timestamp !== this.#forming) {
      this.#forming = forming.timestamp
      this.#end = `${forming.timestamp}]}`
    }
    return this.#end
  }
}
