import { endOf, openOf, type Timeframe } from '../../candles/timeframe.js'
import { timelineNumbers } from '../expressions/plan.js'

/** Where the numbers of a timeline are: the candle that is not complete follows them with its six columns. */
const at = { closed: 0, isOpen: 1, lacksBeginning: 2, candle: 3 } as const

/** Writes column `k` of closed longer candle `i`. */
type Write = (k: number, i: number, value: number) => void

/**
 * Candles of a longer timeframe, made of those of a series one after another, by the rules of the timeframes that an
 * exchange lacks. A longer candle is closed with the candle that ends when it does, or before the first one that
 * opens later. The first one is left out where the series begins within it.
 */
export class LongerCandles {
  readonly #timeframe: Timeframe
  readonly #shorterLength: number
  readonly #numbers = new Float64Array(timelineNumbers)

  /** `shorterLength` is that of the candles of the series, in seconds. */
  constructor(timeframe: Timeframe, shorterLength: number) {
    this.#timeframe = timeframe
    this.#shorterLength = shorterLength
  }

  /** The number of closed candles. */
  get closed(): number {
    return this.#numbers[at.closed] as number
  }

  /** Begins before the first candle. */
  reset(): void {
    this.#numbers.fill(0)
  }

  save(state: Float64Array, place: number): void {
    state.set(this.#numbers, place)
  }

  restore(state: Float64Array, place: number): void {
    for (let k = 0; k < timelineNumbers; k++) this.#numbers[k] = state[place + k] as number
  }

  /** Adds candle `i` of the series, whose columns `read` returns; one that is forming closes nothing by its end. */
  add(i: number, read: (k: number) => number, isForming: boolean, write: Write): void {
    const numbers = this.#numbers
    const time = read(0)
    const open = openOf(this.#timeframe, time)
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
    if (!isForming && time + this.#shorterLength >= endOf(this.#timeframe, open)) this.#close(write)
  }

  #close(write: Write): void {
    const numbers = this.#numbers
    numbers[at.isOpen] = 0
    if (numbers[at.lacksBeginning] === 1) return
    for (let k = 0; k < 6; k++) write(k, numbers[at.closed] as number, numbers[at.candle + k] as number)
    numbers[at.closed] = (numbers[at.closed] as number) + 1
  }
}
