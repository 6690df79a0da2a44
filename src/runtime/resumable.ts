import { inSlices, scheduler } from './scheduler.js'

/** Number of candles processed without a turn of the event loop in between: a few milliseconds in memory and archive. */
export const pieceLength = 5000

/** The pieces of a list, in order; a short list is one piece. */
export function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from === 0 || from < items.length; from += pieceLength)
    yield items.slice(from, from + pieceLength)
}

/** Work in steps: each `yield` is a place where something else may be done. */
export type Resumable<Result = void> = Generator<void, Result, void>

/** Runs all steps, with `between` before each but the first one. `between` may end them by throwing. */
export function finish<Result>(steps: Resumable<Result>, between: () => void = () => {}): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    between()
  }
}

/** Takes the steps one after the other, each where a turn of the event loop has time for it. */
export async function finishInSlices<Result>(caller: string, steps: Resumable<Result>): Promise<Result> {
  for (;;) {
    await scheduler.slice(caller)
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Merges two lists that are in order. */
function* merged<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Resumable<Item[]> {
  const items: Item[] = []
  let [a, b] = [0, 0]
  while (a < one.length && b < other.length) {
    items.push((compare(one[a] as Item, other[b] as Item) <= 0 ? one[a++] : other[b++]) as Item)
    if (items.length % pieceLength === 0) yield
  }
  for (const rest of piecesOf([...one.slice(a), ...other.slice(b)])) {
    for (const item of rest) items.push(item)
    yield
  }
  return items
}

/** The items in order, sorted in several turns of the event loop: in pieces, which are then merged. Equal ones keep their order. */
export async function sortInSlices<Item>(
  caller: string,
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for await (const piece of inSlices(caller, piecesOf(items))) runs.push([...piece].sort(compare))
  while (runs.length > 1) {
    const next: (readonly Item[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other] = runs.slice(at, at + 2)
      next.push(other ? await finishInSlices(caller, merged(one, other, compare)) : one)
    }
    runs = next
  }
  return runs[0] ?? []
}
