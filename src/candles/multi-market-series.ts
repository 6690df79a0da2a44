import { type Candle, isSame } from './candle.js'
import {
  Columns,
  candleAt,
  countOf,
  type Derived,
  type Inputs,
  type OtherCandles,
  type Snapshot,
  timestampAt,
} from './columns.js'
import { endOf, type Timeframe } from './timeframe.js'

/** Approximate bytes of a series: views of columns without candles. */
const bytes = 1_500

/**
 * Candles of a market, joined with the candles of other markets. The joined columns are columns of their own over the same memory. If
 * the candles of any market are replaced, they are replaced as well, so derived data are computed again, as after a correction.
 *
 * The newest closed candle counts as forming while a candle of another market has ended within it and is not closed yet. So the
 * value of a closed candle is final. The wait ends with the next closed candle, and the other market's candle then counts as
 * closed. A candle of another market that arrives even later, within a final candle, starts new columns, as a correction does.
 */
class MultiMarketSeries implements Derived {
  readonly byteLength = bytes
  readonly #timeframe: Timeframe
  #own: Columns
  #columns: Columns | undefined
  #others: readonly OtherCandles[] = []
  /** End of the newest candle that was returned as closed. */
  #finalEnd = Number.NEGATIVE_INFINITY
  #last: { own: Snapshot; others: readonly Snapshot[]; joined: Inputs } | undefined

  constructor(timeframe: Timeframe, { columns }: Snapshot) {
    this.#timeframe = timeframe
    this.#own = columns
  }

  /** Whether some snapshots have columns that were replaced since. */
  isPast(own: Snapshot, others: readonly Snapshot[]): boolean {
    if (own.columns.id < this.#own.id) return true
    return others.some(({ columns }, k) => columns.id < (this.#others[k]?.columns.id ?? 0))
  }

  of(own: Snapshot, others: readonly Snapshot[]): Inputs {
    const last = this.#last
    if (last?.own === own && others.every((other, k) => other === last.others[k])) return last.joined
    const closed = this.#isHeld(own, others) ? own.closed - 1 : own.closed
    const end = closed > 0 ? this.#endOf(own.columns, closed - 1) : Number.NEGATIVE_INFINITY
    const read = others.map(other => this.#read(own, other))
    const columns = this.#continue(own, read) ?? this.#begin(own, read)
    this.#finalEnd = Math.max(this.#finalEnd, end)
    const newest = closed < own.closed ? own.columns.read(closed) : own.forming
    // A new object, because its values change with the candles of any market.
    const forming = newest && { ...newest }
    const count = closed + (forming ? 1 : 0)
    const joined: Inputs = [{ columns, closed, forming, count, isFull: own.isFull === true }, ...this.#others]
    this.#last = { own, others, joined }
    return joined
  }

  #endOf({ timestamp }: Columns, at: number): number {
    return endOf(this.#timeframe, timestamp[at] as number)
  }

  /** Whether a candle of another market that ended within the newest closed candle still counts as forming. */
  #isHeld({ columns, closed }: Snapshot, others: readonly Snapshot[]): boolean {
    if (closed === 0) return false
    const open = columns.timestamp[closed - 1] as number
    const end = this.#endOf(columns, closed - 1)
    if (end <= this.#finalEnd) return false
    return others.some(({ forming }) => {
      if (!forming) return false
      const otherEnd = endOf(this.#timeframe, forming.timestamp)
      return otherEnd > open && otherEnd <= end
    })
  }

  /**
   * Candles of another market. Its forming candle counts as closed if it had ended when the newest closed candle of the market
   * opened.
   */
  #read(
    { columns: { timestamp }, closed: count }: Snapshot,
    { columns, closed, forming }: Snapshot,
  ): OtherCandles {
    const hasEnded =
      forming !== undefined &&
      count > 0 &&
      endOf(this.#timeframe, forming.timestamp) <= (timestamp[count - 1] as number)
    return { columns, closed, forming, hasEnded }
  }

  #begin({ columns }: Snapshot, others: readonly OtherCandles[]): Columns {
    const { capacity, buffer, timestamp } = columns
    const joined = new Columns(capacity, buffer, timestamp.byteOffset, this.#columns)
    joined.lineage.owner = this
    this.#own = columns
    this.#columns = joined
    this.#others = others
    this.#finalEnd = Number.NEGATIVE_INFINITY
    return joined
  }

  /** Continues the previous columns with newer candles. Returns undefined if any earlier candle has changed. */
  #continue({ columns }: Snapshot, others: readonly OtherCandles[]): Columns | undefined {
    if (columns !== this.#own) return undefined
    if (!this.#others.every((known, k) => this.#isContinued(known, others[k] as OtherCandles)))
      return undefined
    this.#others = this.#others.map((known, k) => {
      const other = others[k] as OtherCandles
      return other.closed > known.closed || (other.closed === known.closed && !known.hasEnded) ? other : known
    })
    return this.#columns
  }

  /** Whether no earlier candle has changed, and no newer candle ended within a candle that was returned as closed. */
  #isContinued(known: OtherCandles, other: OtherCandles): boolean {
    if (other.columns !== known.columns) return false
    const { closed, forming } = known
    if (known.hasEnded && countOf(other) > closed && !isEqual(candleAt(other, closed), forming as Candle))
      return false
    const count = countOf(known)
    return countOf(other) <= count || endOf(this.#timeframe, timestampAt(other, count)) > this.#finalEnd
  }
}

const isEqual = (a: Candle, b: Candle): boolean => a.timestamp === b.timestamp && isSame(a, b)

/**
 * Joins the candles of a market with those of other markets of the same timeframe. Returns the same object until the candles
 * change. `name` identifies the other markets.
 */
export function joinCandles(
  timeframe: Timeframe,
  name: string,
  [own, ...others]: readonly [own: Snapshot, ...others: Snapshot[]],
): Inputs {
  if (others.length === 0) return [own]
  const fresh = () => new MultiMarketSeries(timeframe, own)
  // Candles of a single request are not needed again.
  if (!own.columns.isShared) return fresh().of(own, others)
  const { lineage } = own.columns
  const known = lineage.find(name) as MultiMarketSeries | undefined
  if (known?.isPast(own, others)) return fresh().of(own, others)
  const series = known ?? fresh()
  if (known) lineage.use(known)
  else lineage.keep(name, series)
  return series.of(own, others)
}
