/** Places of the palette that a study occupies in its pane. */
export interface Slots {
  readonly pane: string
  readonly slots: readonly number[]
}

/** Number of colours in the palette; a higher place repeats a colour with dashed lines. */
export const paletteSize = 8
const places = Array.from({ length: 2 * paletteSize }, (_, at) => at)

/**
 * The next free places for `count` colours in a pane: first places that no pane uses, then places that this pane does not
 * use.
 */
export function freeSlots(taken: readonly Slots[], count: number, pane: string): readonly number[] {
  const inPane = new Set(taken.filter(each => each.pane === pane).flatMap(({ slots }) => slots))
  const anywhere = new Set(taken.flatMap(({ slots }) => slots))
  const free = places.filter(place => !inPane.has(place))
  const isSolid = (place: number) => place < paletteSize
  const order = [
    ...free.filter(place => isSolid(place) && !anywhere.has(place)),
    ...free.filter(place => isSolid(place) && anywhere.has(place)),
    ...free.filter(place => !isSolid(place)),
  ]
  return Array.from({ length: count }, (_, at) => order[at] ?? at % places.length)
}

interface Taken extends Slots {
  /** Places that a person has chosen, by position; -1 for the others. */
  readonly chosen: readonly number[]
}

/** The places in the palette of everything on the chart. */
export class SlotTable {
  readonly #taken = new Map<string, Taken>()

  of(id: string): readonly number[] {
    return this.#taken.get(id)?.slots ?? []
  }

  /**
   * Assigns `count` colours in a pane: chosen ones, present ones, and free ones. Returns the ids whose colours change,
   * because a default colour gives way to a chosen one.
   */
  take(id: string, pane: string, count: number, chosen: readonly number[] = []): readonly string[] {
    this.#place(id, pane, count, chosen)
    const inPane = [...this.#taken].filter(([other, taken]) => other !== id && taken.pane === pane)
    const giving = inPane.filter(([, taken]) =>
      taken.slots.some((slot, at) => (taken.chosen[at] ?? -1) < 0 && chosen.includes(slot)),
    )
    for (const [other, taken] of giving) this.#place(other, pane, taken.slots.length, taken.chosen)
    return giving.map(([other]) => other)
  }

  #place(id: string, pane: string, count: number, chosen: readonly number[]): void {
    const before = this.#taken.get(id)
    const others = [...this.#taken].filter(([other]) => other !== id).map(([, taken]) => taken)
    const isTaken = (slot: number) =>
      others.some(taken => taken.pane === pane && taken.slots.includes(slot)) || chosen.includes(slot)
    const kept = Array.from({ length: count }, (_, at) => {
      if ((chosen[at] ?? -1) >= 0) return chosen[at] as number
      const slot = (before?.chosen[at] ?? -1) < 0 ? before?.slots[at] : undefined
      return slot === undefined || isTaken(slot) ? -1 : slot
    })
    const missing = kept.filter(slot => slot < 0).length
    const free = [...freeSlots([...others, { pane, slots: kept }], missing, pane)]
    const slots = kept.map(slot => (slot < 0 ? (free.shift() as number) : slot))
    this.#taken.set(id, { pane, slots, chosen })
  }

  free(id: string): void {
    this.#taken.delete(id)
  }
}
