import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that takes turns: one piece after the other, and between two of them the event loop does what else is due. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => nextTurn()).then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
