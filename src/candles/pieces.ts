import { setImmediate as nextTurn } from 'node:timers/promises'

/** Candles that are worked on without a turn of the event loop in between: a few milliseconds in memory and archive. */
export const pieceLength = 5000

/**
 * Calls `work` with a list, in order, piece by piece where it is long. The event loop does what else is due before each
 * of these pieces.
 */
export async function inPieces<Item>(
  items: readonly Item[],
  work: (piece: readonly Item[]) => void,
): Promise<void> {
  if (items.length <= pieceLength) return work(items)
  for (let from = 0; from < items.length; from += pieceLength) {
    await nextTurn()
    work(items.slice(from, from + pieceLength))
  }
}
