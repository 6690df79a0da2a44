import { type Candle, isSame } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'

interface Options {
  /** How many changes of the forming candle are emitted in a second at most. */
  readonly formingPerSecond: number
  /** The series as it is now. */
  readonly read: () => Snapshot
  readonly emit: (snapshot: Snapshot) => void
}

/** Whether two forming candles, or their absence, are equal. */
const isUnchanged = (one: Candle | undefined, other: Candle | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && one.timestamp === other.timestamp && isSame(one, other))

/**
 * Emits a series when it has changed: at once where closed candles are new or corrected, at most `formingPerSecond`
 * times a second where only the forming candle moved. Of the changes in between the latest one is emitted.
 */
export class Throttle {
  readonly #options: Options
  readonly #intervalMs: number
  #emitted: Snapshot
  /** Runs while a change of the forming candle has to wait. */
  #timer: NodeJS.Timeout | undefined
  #isChangeWaiting = false

  constructor(options: Options) {
    this.#options = options
    this.#intervalMs = 1000 / options.formingPerSecond
    this.#emitted = options.read()
  }

  /** What was emitted last; at first the series as it was when the throttle was created. */
  get emitted(): Snapshot {
    return this.#emitted
  }

  /** Emits the series unless it is unchanged or has to wait. To be called after every change. */
  update(): void {
    const snapshot = this.#options.read()
    const { columns, closed, forming } = this.#emitted
    if (snapshot.columns === columns && snapshot.closed === closed) {
      if (isUnchanged(snapshot.forming, forming)) return
      if (this.#timer) {
        this.#isChangeWaiting = true
        return
      }
    }
    this.#emitted = snapshot
    this.#startInterval()
    this.#options.emit(snapshot)
  }

  /** Emits nothing more. */
  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isChangeWaiting = false
  }

  #startInterval(): void {
    clearTimeout(this.#timer)
    this.#isChangeWaiting = false
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isChangeWaiting) this.update()
    }, this.#intervalMs)
  }
}
