import type { Columns, Snapshot } from '../../candles/columns.js'
import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'
import { TextColumn } from './text-column.js'

/** What stands before the timestamps in an answer. */
export const timestampHead = '],"timestamp":['
/** Fewer timestamps are kept as a string, which a sink takes faster than so few bytes. */
const minBytes = 3
/** Up to so many, the texts of several series are kept; of more only that of the last series. */
const maxKept = 500
const maxSeries = 64

/** The end of an answer with the timestamps of the closed candles from `from` on. */
interface End {
  /** The id of the columns, which must not stay in memory for the sake of their text. */
  readonly id: number
  readonly from: number
  readonly closed: number
  /** The open time of the forming candle, NaN where there is none. */
  readonly forming: number
  readonly text: string | Buffer
}

/** Writes the ends of answers, with open times of candles. All indicators over one series have the same ones. */
export class TimestampWriter {
  readonly #writer: NumberWriter
  /** By the id of columns, the oldest first. */
  readonly #ends = new Map<number, End>()
  /** The end that was written last: most answers that follow one another have the same. */
  #last: End | undefined
  /** The end with the open time of a forming candle alone, which all series of a timeframe have in common. */
  #newest = { forming: Number.NaN, text: timestampHead + endWith(Number.NaN, false) }
  /** The closed candles [from, to) of the columns of an id. */
  #long = { id: 0, from: 0, to: 0, text: new TextColumn(0) }

  constructor(writer: NumberWriter) {
    this.#writer = writer
  }

  /** Writes the open times from candle `from` on, that of the forming candle included, and the end of an answer. */
  write(sink: JsonSink, { columns, closed, forming, count }: Snapshot, from: number): void {
    // With no value at all `from` lies behind the forming candle, too.
    const last = forming && from < count ? forming.timestamp : Number.NaN
    if (from >= closed) {
      sink.add(this.#endOfNewest(last))
      return
    }
    if (closed - from <= maxKept) {
      this.#last = this.#endOf(columns, from, closed, last)
      const { text } = this.#last
      if (typeof text === 'string') sink.add(text)
      else sink.addBytes(text, 0, text.length)
      return
    }
    sink.add(timestampHead)
    const { text, from: first } = this.#longFrom(columns, from, closed)
    text.write(sink, from - first, closed - first)
    sink.add(endWith(last, true))
  }

  #endOfNewest(forming: number): string {
    if (!Object.is(this.#newest.forming, forming))
      this.#newest = { forming, text: timestampHead + endWith(forming, false) }
    return this.#newest.text
  }

  #endOf(columns: Columns, from: number, closed: number, forming: number): End {
    const { id, timestamp } = columns
    const known = this.#last?.id === id ? this.#last : this.#ends.get(id)
    if (known?.from === from && known.closed === closed && Object.is(known.forming, forming)) return known
    const text = timestampHead + this.#writer.list(timestamp, from, closed) + endWith(forming, true)
    const isShort = closed - from < minBytes
    const end = { id, from, closed, forming, text: isShort ? text : Buffer.from(text, 'latin1') }
    this.#ends.delete(id)
    this.#ends.set(id, end)
    if (this.#ends.size > maxSeries) this.#ends.delete(this.#ends.keys().next().value as number)
    return end
  }

  /** A text that has the closed candles from `from` on. */
  #longFrom({ id, timestamp }: Columns, from: number, closed: number) {
    const known = this.#long
    if (known.id === id && known.from <= from && known.to === closed) return known
    // Where most of a history is wanted, the next indicator may have values earlier.
    const first = 2 * from < closed ? 0 : from
    const { text } = known
    text.dropFirst(text.count)
    text.appendNumbers(this.#writer, timestamp, first, closed)
    this.#long = { id, from: first, to: closed, text }
    return this.#long
  }
}

/** The timestamp of the forming candle, if there is one, and the end of the answer. */
const endWith = (forming: number, hasClosed: boolean): string =>
  Number.isNaN(forming) ? ']}' : `${hasClosed ? ',' : ''}${forming}]}`
