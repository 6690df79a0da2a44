/** The places in the palette that a study has taken, in its pane. */
export interface Slots {
  readonly pane: string
  readonly slots: readonly number[]
}

/** Colours of the palette; a place beyond them has the same colour again, and its lines are dashed. */
export const paletteSize = 8
const places = Array.from({ length: 2 * paletteSize }, (_, at) => at)

/** The next free places for `count` colours in a pane: those that no pane has first, and none that its own pane has while there are others. */
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
