import type { Tier } from './about.js'
import { type Category, catalogue, type Entry } from './index.js'

/** A name without case and separators; `%` and `&` belong to names. */
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9%&]/g, '')

const named: ReadonlyMap<string, string> = new Map(
  [...catalogue.values()].flatMap(({ name, otherNames }) =>
    otherNames.map((other): [string, string] => [bare(other), name]),
  ),
)

/** The indicator that another name stands for, however it is spelled; undefined where there is none. */
export const nameBehind = (other: string): string | undefined => named.get(bare(other))

/** Which indicators are wanted; what is absent does not matter. */
export interface Search {
  readonly category?: Category | undefined
  readonly tier?: Tier | undefined
  /** Words of the name, of other names, of the title or of the category. */
  readonly words?: string | undefined
}

const searched = new WeakMap<Entry, string>()

/** The text in which words are looked for. */
function textOf(entry: Entry): string {
  let text = searched.get(entry)
  if (text === undefined) {
    const { name, title, category, otherNames } = entry
    text = [name, title, category, ...otherNames].join(' ').toLowerCase()
    searched.set(entry, text)
  }
  return text
}

/**
 * The indicators that are wanted, by their names. With words: those that have all of them, first the one with exactly that
 * name or other name, then the shortest names, which are the plain forms.
 */
export function searchCatalogue({ category, tier, words = '' }: Search): readonly Entry[] {
  const whole = words.trim().toLowerCase()
  const wanted = whole.split(/\s+/).filter(Boolean)
  const meant = catalogue.has(whole) ? whole : nameBehind(whole)
  const found = [...catalogue.values()].filter(
    entry =>
      (category === undefined || entry.category === category) &&
      (tier === undefined || entry.tier === tier) &&
      (entry.name === meant || wanted.every(word => textOf(entry).includes(word))),
  )
  const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : 1)
  if (wanted.length === 0) return found.sort(byName)
  const place = ({ name }: Entry) => (name === meant ? 0 : name.length)
  return found.sort((a, b) => place(a) - place(b) || byName(a, b))
}
