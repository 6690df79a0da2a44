import { setImmediate as nextTurn } from 'node:timers/promises'

/** Alerts that are read in one turn of the event loop: a few milliseconds. */
const alertsOfTurn = 250

/** The items of a list, in several turns of the event loop where there are many. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (let at = 0; at < items.length; at++) {
    if (at > 0 && at % alertsOfTurn === 0) await nextTurn()
    yield items[at] as Item
  }
}
