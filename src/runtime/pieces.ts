import { eventLoop } from './event-loop.js'

/** Candles that are worked on without a turn of the event loop in between: a few milliseconds in memory and archive. */
export const pieceLength = 5000

/** The pieces of a list, in order; a short list is one piece. */
export function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from === 0 || from < items.length; from += pieceLength)
    yield items.slice(from, from + pieceLength)
}

/** Work in steps: each `yield` is a place where something else may be done. */
export type Steps<Result = void> = Generator<void, Result, void>

/** Takes all steps, with `between` before each but the first one. It may end them by throwing. */
export function finish<Result>(steps: Steps<Result>, between: () => void = () => {}): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    between()
  }
}

/** Takes the steps one after the other, each where a turn of the event loop has time for it. */
export async function finishInTurns<Result>(caller: string, steps: Steps<Result>): Promise<Result> {
  for (;;) {
    if (!eventLoop.hasTime(caller)) await eventLoop.next(caller)
    const step = steps.next()
    if (step.done) return step.value
  }
}
