import type { Tier } from './about.js'
import { type Description, describe } from './description.js'
import { type Category, catalogue, type Entry } from './index.js'
import { bareName, findRanked, wordsIn, wordsOf } from './ranking.js'

const named: ReadonlyMap<string, string> = new Map(
  [...catalogue.values()].flatMap(({ name, otherNames }) =>
    otherNames.map((other): [string, string] => [bareName(other), name]),
  ),
)

/** The indicator with another name, in any spelling; undefined if there is none. */
export const nameBehind = (other: string): string | undefined => named.get(bareName(other))

/** The indicators whose title is a name, in any spelling. */
export const namesTitled = (name: string): readonly string[] =>
  [...catalogue.values()].filter(({ title }) => bareName(title) === bareName(name)).map(entry => entry.name)

/** Criteria of a search; absent ones do not matter. */
export interface Search {
  readonly category?: Category | undefined
  readonly tier?: Tier | undefined
  /** Words of names, other names, titles, categories, texts and groups of indicators. */
  readonly words?: string | undefined
}

let described: readonly Description[] | undefined

/** Descriptions of all indicators, created at the first search. */
const descriptions = (): readonly Description[] => (described ??= [...catalogue.values()].map(describe))

/** Words that people write in searches but that match no text. */
const fillers = new Set('a an and for in indicator is of on or signal that the to with which'.split(' '))

/** The matching indicators: with words, indicators that contain all of them, best first; otherwise all by name. */
export function searchCatalogue({ category, tier, words = '' }: Search): readonly Entry[] {
  const isWanted = (entry: { readonly category: string; readonly tier: Tier }) =>
    (category === undefined || entry.category === category) && (tier === undefined || entry.tier === tier)
  if (words.trim() !== '')
    return findRanked(descriptions().filter(isWanted), words).map(({ id }) => catalogue.get(id) as Entry)
  return [...catalogue.values()].filter(isWanted).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The indicators that contain most of these words, for searches without a full match. */
export function searchMost(words: string): readonly Entry[] {
  const wanted = wordsOf(words.toLowerCase()).filter(word => !fillers.has(word))
  const counts = descriptions().map(description => wordsIn(description, wanted))
  const most = Math.max(1, ...counts)
  return descriptions()
    .filter((_, at) => counts[at] === most)
    .sort((a, b) => a.tier - b.tier || a.title.length - b.title.length)
    .map(({ id }) => catalogue.get(id) as Entry)
}
