import type { AlertCommit, AlertFire } from '../contract/storage/alerts.js'
import { afterTurn } from '../runtime/scheduler.js'

interface Part extends AlertCommit {
  readonly resolve: (numbers: readonly (number | undefined)[]) => void
  readonly fail: (error: unknown) => void
}

/** Fires of one transaction at most. */
const maxFires = 1000

/** Stores what several markets bring at the same time in one transaction: candles of all of them close together. */
export class Commits {
  readonly #store: (commit: AlertCommit) => Promise<readonly (number | undefined)[]>
  #waiting: Part[] = []
  #isRunning = false

  constructor(store: (commit: AlertCommit) => Promise<readonly (number | undefined)[]>) {
    this.#store = store
  }

  /** Answers the numbers of the deliveries by fire. */
  add(commit: AlertCommit): Promise<readonly (number | undefined)[]> {
    return new Promise((resolve, fail) => {
      this.#waiting.push({ ...commit, resolve, fail })
      if (this.#isRunning) return
      this.#isRunning = true
      afterTurn(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#storeSome(this.#take())
    this.#isRunning = false
  }

  /** The parts that have waited the longest. */
  #take(): readonly Part[] {
    let fires = 0
    const end = this.#waiting.findIndex((part, at) => {
      fires += part.fires.length
      return fires > maxFires && at > 0
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }

  async #storeSome(parts: readonly Part[]): Promise<void> {
    const checkpoints = new Map<string, number>()
    for (const part of parts)
      for (const [market, checkpoint] of part.checkpoints) checkpoints.set(market, checkpoint)
    const voidFires = parts.flatMap(part => part.voidFires ?? [])
    const fires: AlertFire[] = parts.flatMap(part => part.fires)
    try {
      const numbers = await this.#store({ checkpoints, voidFires, fires })
      let from = 0
      for (const { fires: own, resolve } of parts) {
        resolve(numbers.slice(from, from + own.length))
        from += own.length
      }
    } catch (error) {
      for (const { fail } of parts) fail(error)
    }
  }
}
