import type { Columns, Snapshot } from './columns.js'
import { type JoinedCandle, JoinedColumns, type OtherCandles } from './joined-columns.js'
import type { Derived } from './lineage.js'
import { endOf, type Timeframe } from './timeframe.js'

/** Bytes that it takes, about: views of columns, and no candles. */
const bytes = 1_500

const toOther = ({ columns, closed }: Snapshot): OtherCandles => ({ columns, closed })

/**
 * The candles of a market beside those of others. The newest closed candle counts as forming while a candle of another market has
 * ended within it and is not closed yet, so that a value of a closed candle is final. What arrives later still, with an end that
 * values were computed for, begins other columns, as a correction does.
 */
class JoinedSeries implements Derived {
  readonly byteLength = bytes
  readonly #timeframe: Timeframe
  #own: Columns
  #columns: JoinedColumns
  /** When the newest candle ends that was given as closed. */
  #finalEnd = Number.NEGATIVE_INFINITY
  #last: { own: Snapshot; others: readonly Snapshot[]; joined: Snapshot } | undefined

  constructor(timeframe: Timeframe, { columns }: Snapshot, others: readonly Snapshot[]) {
    this.#timeframe = timeframe
    this.#own = columns
    this.#columns = new JoinedColumns(columns, others.map(toOther))
    this.#columns.lineage.owner = this
  }

  /** Whether snapshots are of columns that were replaced by others since. */
  isPast(own: Snapshot, others: readonly Snapshot[]): boolean {
    if (own.columns.id < this.#own.id) return true
    return others.some(({ columns }, k) => columns.id < (this.#columns.others[k] as OtherCandles).columns.id)
  }

  of(own: Snapshot, others: readonly Snapshot[]): Snapshot {
    const last = this.#last
    if (last?.own === own && others.every((other, k) => other === last.others[k])) return last.joined
    const closed = this.#isHeld(own, others) ? own.closed - 1 : own.closed
    const end = closed > 0 ? this.#endOf(own.columns, closed - 1) : Number.NEGATIVE_INFINITY
    if (this.#isContinued(own, others)) {
      for (const [k, other] of this.#columns.others.entries())
        other.closed = Math.max(other.closed, (others[k] as Snapshot).closed)
      this.#finalEnd = Math.max(this.#finalEnd, end)
    } else {
      this.#own = own.columns
      this.#columns = new JoinedColumns(own.columns, others.map(toOther), this.#columns)
      this.#columns.lineage.owner = this
      this.#finalEnd = end
    }
    const newest = closed < own.closed ? own.columns.read(closed) : own.forming
    const forming: JoinedCandle | undefined = newest && {
      ...newest,
      others: others.map(other => other.forming),
    }
    const joined: Snapshot = {
      columns: this.#columns,
      closed,
      forming,
      count: closed + (forming ? 1 : 0),
      isFull: own.isFull === true,
    }
    this.#last = { own, others, joined }
    return joined
  }

  #endOf({ timestamp }: Columns, at: number): number {
    return endOf(this.#timeframe, timestamp[at] as number)
  }

  /** Whether a candle that ended within the newest closed one is forming yet, as far as it is known here. */
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

  /** Whether all candles are those of before or newer, and none of the newer ones ended within a candle that was given as closed. */
  #isContinued(own: Snapshot, others: readonly Snapshot[]): boolean {
    if (own.columns !== this.#own) return false
    return this.#columns.others.every(({ columns, closed }, k) => {
      const other = others[k] as Snapshot
      if (other.columns !== columns) return false
      return other.closed <= closed || this.#endOf(columns, closed) > this.#finalEnd
    })
  }
}

/**
 * The candles of a market with those of other markets, all of one timeframe: the same object for as long as nothing has changed.
 * `name` names the others.
 */
export function joinCandles(
  timeframe: Timeframe,
  name: string,
  own: Snapshot,
  others: readonly Snapshot[],
): Snapshot {
  const fresh = () => new JoinedSeries(timeframe, own, others)
  // Candles of a single request are not asked about again.
  if (!own.columns.isShared) return fresh().of(own, others)
  const { lineage } = own.columns
  const known = lineage.find(name) as JoinedSeries | undefined
  if (known?.isPast(own, others)) return fresh().of(own, others)
  const series = known ?? fresh()
  if (known) lineage.use(known)
  else lineage.keep(name, series)
  return series.of(own, others)
}
