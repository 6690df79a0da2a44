import type { Candle } from '../../candles/candle.js'
import {
  type ColumnName,
  type Columns,
  columnNames,
  countOf,
  type Inputs,
  type OtherCandles,
  rewind,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { endOf, openOf as openOfTime, type Timeframe } from '../../candles/timeframe.js'
import type { ExpressionEntry } from '../expressions/compile.js'
import { beginOf, type Plan, type PlanNode, timelineNumbers } from '../expressions/plan.js'

/** Candles of a timeline per block: few enough that the columns of most plans stay in the processor's cache. */
export const blockSize = 1024

/** Writes column `k` of candle `i` of a timeline that is built from shorter candles. */
export type WriteCandle = (timeline: number, k: number, i: number, value: number) => void

/** Candles of another market, of which the columns may hold a part. */
export interface OtherInput extends OtherCandles {
  /** Index of the first candle in the columns, if they hold a part of a long history; else 0. */
  readonly first?: number
  /** Loads the candles around index `at` into the columns. Later calls never go back. `closed` then counts the candles up to there. */
  hold?(at: number): void
}

export interface PlanInputs {
  readonly snapshot: Snapshot
  /** Index of the first candle in the columns of the snapshot. Older candles may be missing if no node looks back at them. */
  readonly first: number
  /** Candles of the other markets of the plan. */
  readonly others: readonly OtherInput[]
}

/** Inputs of a plan over columns that begin with candle `first`. */
export const planInputs = ([snapshot, ...others]: Inputs, first = 0): PlanInputs => ({
  snapshot,
  first,
  others,
})

/** Read position in the candles of another market. */
interface Cursor {
  /** Number of candles read, in total and in the current block. */
  read: number
  inBlock: number
  /** Per candle of a block, 1 if a candle of the other market has ended within it, else 0. */
  readonly isWithin: Uint8Array
}

const readColumn = (columns: Columns, at: number) => (k: number) =>
  columns[columnNames[k] as ColumnName][at] as number

const readCandle = (candle: Candle) => (k: number) => candle[columnNames[k] as ColumnName]

const readOther = ({ columns, closed, forming, first = 0 }: OtherInput, at: number) =>
  at < closed ? readColumn(columns, at - first) : readCandle(forming as Candle)

/** Open time of candle `at` of the candles that count as closed, in Unix seconds. */
const openOf = ({ columns, closed, forming, first = 0 }: OtherInput, at: number): number =>
  at < closed ? (columns.timestamp[at - first] as number) : (forming as Candle).timestamp

/**
 * Candles of the timelines of a plan, block by block: those of the expression's own market, and those of the other
 * timelines that have closed with them. The read position before a block is part of the plan's state.
 */
export class TimelineCandles {
  /** Candles [from, to) of a block, per timeline. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** Number of closed candles of a timeline, per timeline and candle of the block. */
  readonly closedAt: readonly Int32Array[]
  readonly #timeframe: Timeframe
  /** Builder of longer candles per timeline; undefined for the candles of a market. */
  readonly #longer: readonly (LongerCandles | undefined)[]
  readonly #cursors: readonly Cursor[]
  /** Timelines built from the candles of the own market, and those built from each other market. */
  readonly #ownMade: readonly number[]
  readonly #made: readonly (readonly number[])[]

  constructor(private readonly plan: Plan) {
    const { timelines, markets } = plan
    const [own] = timelines
    this.#timeframe = own?.timeframe as Timeframe
    this.from = new Int32Array(timelines.length)
    this.to = new Int32Array(timelines.length)
    this.closedAt = timelines.map((_, k) => new Int32Array(k === 0 ? 0 : blockSize))
    this.#longer = timelines.map(({ isMade, timeframe }) =>
      isMade ? new LongerCandles(timeframe as Timeframe, own?.length as number) : undefined,
    )
    this.#cursors = markets.map(() => ({
      read: 0,
      inBlock: 0,
      isWithin: new Uint8Array(blockSize),
    }))
    const madeOf = (market: number | undefined) =>
      [...timelines.keys()].filter(k => timelines[k]?.isMade && timelines[k]?.market === market)
    this.#ownMade = madeOf(undefined)
    this.#made = markets.map((_, market) => madeOf(market))
  }

  /** Restarts before the first candle. */
  reset(): void {
    for (const longer of this.#longer) longer?.reset()
    for (const cursor of this.#cursors) cursor.read = 0
  }

  save(state: Float64Array): void {
    const { timelines, markets } = this.plan.state
    for (const [k, longer] of this.#longer.entries()) longer?.save(state, timelines[k] as number)
    for (const [market, { read }] of this.#cursors.entries()) state[markets + market] = read
  }

  restore(state: Float64Array): void {
    const { timelines, markets } = this.plan.state
    for (const [k, longer] of this.#longer.entries()) longer?.restore(state, timelines[k] as number)
    for (const [market, cursor] of this.#cursors.entries()) cursor.read = state[markets + market] as number
  }

  /** Whether a candle of another market has ended within candle `i` of the block. */
  isWithin(market: number, i: number): boolean {
    return (this.#cursors[market] as Cursor).isWithin[i] === 1
  }

  /**
   * Begins a block with the candles [from, to). If another market has more candles than a block can hold, the block ends
   * earlier, at `to[0]`.
   */
  fill({ snapshot, first, others }: PlanInputs, from: number, to: number, write: WriteCandle): void {
    this.from[0] = from
    this.to[0] = to
    if (this.from.length === 1) return
    for (const [market, cursor] of this.#cursors.entries()) {
      cursor.inBlock = 0
      others[market]?.hold?.(cursor.read)
    }
    for (let k = 1; k < this.from.length; k++) this.from[k] = this.#closedOf(k)
    const { columns, forming, closed } = snapshot
    let i = from
    for (; i < to; i++) {
      const candle = i >= closed ? forming : undefined
      const read = candle ? readCandle(candle) : readColumn(columns, i - first)
      if (
        this.#cursors.length > 0 &&
        !this.#readOthers(others, read(0), candle !== undefined, i - from, write)
      )
        break
      for (const k of this.#ownMade) this.#addTo(k, i, read, candle !== undefined, write)
      for (let k = 1; k < this.closedAt.length; k++)
        (this.closedAt[k] as Int32Array)[i - from] = this.#closedOf(k)
    }
    for (let k = 1; k < this.to.length; k++) this.to[k] = this.#closedOf(k)
    this.to[0] = i
  }

  /** Number of closed candles of a timeline; of another market, the number of candles read. */
  #closedOf(k: number): number {
    const longer = this.#longer[k]
    if (longer) return longer.closed
    const market = this.plan.timelines[k]?.market
    return market === undefined ? 0 : (this.#cursors[market] as Cursor).read
  }

  /**
   * Reads the candles of other markets that have closed by the end of candle `i` of the block, which opens at `open`.
   * For a forming candle, forming candles of the other markets are read, too. Returns false if the block is full.
   */
  #readOthers(
    others: readonly OtherInput[],
    open: number,
    isForming: boolean,
    i: number,
    write: WriteCandle,
  ): boolean {
    const end = endOf(this.#timeframe, open)
    let isWhole = true
    for (const [market, cursor] of this.#cursors.entries()) {
      const other = others[market] as OtherInput
      const count = countOf(other)
      while (cursor.read < count && endOf(this.#timeframe, openOf(other, cursor.read)) <= end) {
        if (cursor.inBlock === blockSize) {
          isWhole = false
          break
        }
        this.#add(market, cursor, readOther(other, cursor.read), false, write)
      }
      const forming = isForming && !other.hasEnded ? other.forming : undefined
      let newest = cursor.read === 0 ? Number.NEGATIVE_INFINITY : openOf(other, cursor.read - 1)
      // A candle that opens after the end is in the future, even if it has closed since.
      const isNext = forming && forming.timestamp > newest && forming.timestamp < end
      if (isNext && cursor.read === count && isWhole) {
        this.#add(market, cursor, readCandle(forming), true, write)
        newest = forming.timestamp
      }
      cursor.isWithin[i] = endOf(this.#timeframe, newest) > open ? 1 : 0
    }
    return isWhole
  }

  #add(
    market: number,
    cursor: Cursor,
    read: (k: number) => number,
    isForming: boolean,
    write: WriteCandle,
  ): void {
    for (const k of this.#made[market] as readonly number[])
      this.#addTo(k, cursor.read, read, isForming, write)
    cursor.read++
    cursor.inBlock++
  }

  /** Adds shorter candle `i` to the longer candles of a timeline. */
  #addTo(k: number, i: number, read: (k: number) => number, isForming: boolean, write: WriteCandle): void {
    this.#longer[k]?.add(i, read, isForming, (column, at, value) => write(k, column, at, value))
  }
}

/** Offsets of a timeline's numbers. The six columns of the incomplete candle are last. */
const at = { closed: 0, isOpen: 1, lacksBeginning: 2, candle: 3 } as const

/** Writes column `k` of closed longer candle `i`. */
type Write = (k: number, i: number, value: number) => void

/**
 * Candles of a longer timeframe, built from those of a series one by one, by the rules of timeframes that an exchange
 * lacks. A longer candle closes with the shorter candle that ends with it, or before the first one that opens later.
 * The first longer candle is dropped if the series begins within it.
 */
class LongerCandles {
  readonly #numbers = new Float64Array(timelineNumbers)

  /** `shorterLength` is the length of the series' candles, in seconds. */
  constructor(
    private readonly timeframe: Timeframe,
    private readonly shorterLength: number,
  ) {}

  get closed(): number {
    return this.#numbers[at.closed] as number
  }

  /** Restarts before the first candle. */
  reset(): void {
    this.#numbers.fill(0)
  }

  save(state: Float64Array, place: number): void {
    state.set(this.#numbers, place)
  }

  restore(state: Float64Array, place: number): void {
    for (let k = 0; k < timelineNumbers; k++) this.#numbers[k] = state[place + k] as number
  }

  /**
   * Adds candle `i` of the series. `read` returns its columns. The end of a forming candle does not close the longer
   * candle.
   */
  add(i: number, read: (k: number) => number, isForming: boolean, write: Write): void {
    const numbers = this.#numbers
    const time = read(0)
    const open = openOfTime(this.timeframe, time)
    if (numbers[at.isOpen] === 1 && numbers[at.candle] !== open) this.#close(write)
    if (numbers[at.isOpen] === 0) {
      numbers[at.isOpen] = 1
      numbers[at.lacksBeginning] = i === 0 && time !== open ? 1 : 0
      numbers[at.candle] = open
      for (let k = 1; k < 6; k++) numbers[at.candle + k] = read(k)
    } else {
      numbers[at.candle + 2] = Math.max(numbers[at.candle + 2] as number, read(2))
      numbers[at.candle + 3] = Math.min(numbers[at.candle + 3] as number, read(3))
      numbers[at.candle + 4] = read(4)
      numbers[at.candle + 5] = (numbers[at.candle + 5] as number) + read(5)
    }
    if (!isForming && time + this.shorterLength >= endOf(this.timeframe, open)) this.#close(write)
  }

  #close(write: Write): void {
    const numbers = this.#numbers
    numbers[at.isOpen] = 0
    if (numbers[at.lacksBeginning] === 1) return
    for (let k = 0; k < 6; k++) write(k, numbers[at.closed] as number, numbers[at.candle + k] as number)
    numbers[at.closed] = (numbers[at.closed] as number) + 1
  }
}

/**
 * Whether the first output of an expression has left its warm-up at the newest candle of a snapshot rewound by
 * `backtrack` candles. With longer timeframes this depends on when their candles have closed.
 */
export function isLongEnough(
  { plan, depth }: Pick<ExpressionEntry, 'plan' | 'depth'>,
  current: Inputs,
  backtrack = 0,
): boolean {
  const inputs = rewind(current, backtrack)
  const [{ count }] = inputs
  if (count >= depth && haveOthersBegun(plan, inputs, count - depth)) return true
  const root = plan.roots[0] as number
  const { warmup } = plan.nodes[root] as PlanNode
  return count > warmup && (beginsOf(plan, inputs)[root] as number) < count
}

/** Whether other markets had enough candles at candle `at`, including for the longer candles built from them. */
function haveOthersBegun({ nodes, timelines, markets }: Plan, [own, ...others]: Inputs, at: number): boolean {
  if (markets.length === 0) return true
  const time = timestampAt(own, at)
  return nodes.every(node => {
    const { timeline } = node.kind === 'closed' ? (nodes[node.input] as PlanNode) : node
    const market = timelines[timeline]?.market
    if (node.kind !== 'closed' || market === undefined) return true
    const { columns, closed } = others[market] as OtherCandles
    return node.reach < closed && (columns.timestamp[node.reach] as number) <= time
  })
}

/** Computes per node the first candle at which all its parts have left their warm-up; Infinity if there is none. */
function beginsOf(plan: Plan, inputs: Inputs): readonly number[] {
  const { nodes } = plan
  const closedBegins = beginsOfClosed(plan, inputs)
  const begins: number[] = []
  for (const [k, node] of nodes.entries())
    begins.push(
      node.kind === 'closed' ? (closedBegins.get(k) ?? Number.POSITIVE_INFINITY) : beginOf(node, begins),
    )
  return begins
}

/**
 * Computes, per node with values of another timeline, the first candle with which enough candles of that timeline have
 * closed.
 */
function beginsOfClosed(plan: Plan, inputs: Inputs): ReadonlyMap<number, number> {
  const { nodes } = plan
  const candles = new TimelineCandles(plan)
  const [{ count: end }] = inputs
  const whole = planInputs(inputs)
  const begins = new Map<number, number>()
  for (let from = 0; from < end; from = candles.to[0] as number) {
    candles.fill(whole, from, Math.min(from + blockSize, end), () => undefined)
    for (const [k, node] of nodes.entries()) {
      if (node.kind !== 'closed' || begins.has(k)) continue
      const { timeline, warmup } = nodes[node.input] as PlanNode
      const counts = (candles.closedAt[timeline] as Int32Array).subarray(0, (candles.to[0] as number) - from)
      const begin = counts.findIndex(count => count > warmup)
      if (begin >= 0) begins.set(k, from + begin)
    }
  }
  return begins
}
