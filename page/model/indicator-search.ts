import { findRanked } from '../../src/catalogue/ranking.js'
import type { Parameters } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import { readParameter } from './parameter-check.js'

/** Splits a search into words and the numbers after them: `sma 50`, `macd(12, 26)`. */
export function readSearch(text: string): { readonly words: string; readonly numbers: readonly string[] } {
  const parts = text
    .trim()
    .replace(/\)$/, '')
    .split(/[\s(,]+/)
    .filter(Boolean)
  const numbers: string[] = []
  while (/^\d+(?:\.\d+)?$/.test(parts.at(-1) ?? '')) numbers.unshift(parts.pop() as string)
  const words = parts.join(' ')
  return numbers.length > 0 && /^[a-z_][\w &'-]*$/i.test(words)
    ? { words, numbers }
    : { words: text, numbers: [] }
}

/** The numeric parameters of an indicator with these values in order; empty if one value is not allowed. */
export function numberedParameters({ parameters }: Description, numbers: readonly string[]): Parameters {
  const numeric = parameters.filter(({ type }) => type === 'integer' || type === 'number')
  if (numbers.length > numeric.length) return {}
  const given: Record<string, Parameters[string]> = {}
  for (const [at, number] of numbers.entries()) {
    const parameter = numeric[at]
    const read = parameter && readParameter(parameter, number)
    if (!parameter || !read || 'fault' in read) return {}
    if (read.value !== parameter.default) given[parameter.name] = read.value
  }
  return given
}

/** A group of the picker's list. */
export interface IndicatorGroup {
  readonly title: string
  readonly entries: readonly Description[]
}

const popularCount = 7

/** Categories in the order of the list; others follow. */
const order = [
  'Trend',
  'Momentum',
  'Volatility',
  'Volume',
  'Market Structure',
  'Pattern',
  'Divergence',
  'Cycle',
]
const placeOf = (category: string) => {
  const at = order.findIndex(name => category.startsWith(name))
  return at < 0 ? order.length : at
}

/** The descriptions by the number of entries that name them as related, most first. */
function popular(all: readonly Description[]): readonly Description[] {
  const counts = new Map<string, number>()
  for (const { related } of all) for (const id of related) counts.set(id, (counts.get(id) ?? 0) + 1)
  const count = ({ id }: Description) => counts.get(id) ?? 0
  return [...all].filter(({ tier }) => tier === 1).sort((a, b) => count(b) - count(a))
}

/**
 * The catalogue's matching indicators, best first; without a text favourites, recent ones, popular ones, then each category.
 */
export function findIndicators(
  catalogue: Catalogue,
  typed: string,
  favourites: readonly string[],
  recent: readonly string[],
): readonly IndicatorGroup[] {
  const all = [...catalogue.values()]
  const known = [...favourites, ...recent]
  if (typed.trim() !== '') {
    const ranked = findRanked(all, typed, ({ id }) => (known.includes(id) ? 0.5 : 0))
    return ranked.length === 0 ? [] : [{ title: 'Results', entries: ranked }]
  }
  const named = (names: readonly string[]) => names.flatMap(name => catalogue.get(name) ?? [])
  const categories = [...new Set(all.map(({ category }) => category))].sort(
    (a, b) => placeOf(a) - placeOf(b) || (a < b ? 1 : -1),
  )
  return [
    { title: 'Favourites', entries: named(favourites) },
    { title: 'Recent', entries: named(recent.filter(name => !favourites.includes(name))) },
    {
      title: 'Popular',
      entries: popular(all)
        .filter(({ id }) => !known.includes(id))
        .slice(0, popularCount),
    },
    ...categories.map(title => ({ title, entries: all.filter(({ category }) => category === title) })),
  ].filter(({ entries }) => entries.length > 0)
}
