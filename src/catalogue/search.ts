import type { Tier } from './about.js'
import { type Description, describe } from './description.js'
import { type Category, catalogue, type Entry } from './index.js'
import { bareName, findRanked, wordsIn, wordsOf } from './ranking.js'

const named: ReadonlyMap<string, string> = new Map(
  [...catalogue.values()].flatMap(({ name, otherNames }) =>
    otherNames.map((other): [string, string] => [bareName(other), name]),
  ),
)

/** The indicator that another name stands for, however it is spelled; undefined where there is none. */
export const nameBehind = (other: string): string | undefined => named.get(bareName(other))

/** The indicators whose title is a name, however it is spelled. */
export const namesTitled = (name: string): readonly string[] =>
  [...catalogue.values()].filter(({ title }) => bareName(title) === bareName(name)).map(entry => entry.name)

/** Which indicators are wanted; what is absent does not matter. */
export interface Search {
  readonly category?: Category | undefined
  readonly tier?: Tier | undefined
  /** Words of names, of other names, of titles, of categories, of texts and of what groups of indicators are called. */
  readonly words?: string | undefined
}

let described: readonly Description[] | undefined

/** Descriptions of all indicators, created at the first search. */
const descriptions = (): readonly Description[] => (described ??= [...catalogue.values()].map(describe))

/** Written with an indicator by people who look for one, and a word of no text. */
const fillers = new Set('a an and for in indicator is of on or signal that the to with which'.split(' '))

/** The indicators that are wanted: with words those that have all of them, the best one first; without them by their names. */
export function searchCatalogue({ category, tier, words = '' }: Search): readonly Entry[] {
  const isWanted = (entry: { readonly category: string; readonly tier: Tier }) =>
    (category === undefined || entry.category === category) && (tier === undefined || entry.tier === tier)
  if (words.trim() !== '')
    return findRanked(descriptions().filter(isWanted), words).map(({ id }) => catalogue.get(id) as Entry)
  return [...catalogue.values()].filter(isWanted).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The indicators that have most of these words, where none has all of them. */
export function searchMost(words: string): readonly Entry[] {
  const wanted = wordsOf(words.toLowerCase()).filter(word => !fillers.has(word))
  const counts = descriptions().map(description => wordsIn(description, wanted))
  const most = Math.max(1, ...counts)
  return descriptions()
    .filter((_, at) => counts[at] === most)
    .sort((a, b) => a.tier - b.tier || a.title.length - b.title.length)
    .map(({ id }) => catalogue.get(id) as Entry)
}
