import type { Parameters } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import { readParameter } from './parameter-check.js'

/** What people call a group of indicators that no name in the catalogue says. */
const topics: readonly (readonly [RegExp, (entry: Description) => boolean])[] = [
  [/^smart money|^smc$|^ict$|^price action/, ({ category }) => category === 'Market Structure'],
  [/^chart patterns?$/, ({ category }) => category === 'Pattern Recognition - Advanced'],
  [/^(candle|candlestick) patterns?$/, ({ category }) => category === 'Pattern Recognition - Simple'],
  [
    /^harmonics?( patterns?)?$/,
    ({ category, description = '' }) =>
      category === 'Pattern Recognition - Advanced' && /first leg|two legs|Carney/i.test(description),
  ],
]

/** Other words by which people look for an indicator. */
const words = ({ id, title, category, outputs, otherNames, description = '' }: Description) => ({
  id,
  others: otherNames.map(name => name.toLowerCase()),
  title: title.toLowerCase(),
  // The first letters of a name are how it is called in speech: `bb` for Bollinger Bands.
  initials: title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(word => word.charAt(0))
    .join(''),
  rest: `${category} ${description} ${outputs.map(({ name, labels = [] }) => `${name} ${labels.slice(0, 8).join(' ')}`).join(' ')}`.toLowerCase(),
})

/** How well an indicator fits what was typed, less being better; undefined where it does not. */
function rankOf(description: Description, text: string): number | undefined {
  const { id, title, others, initials, rest } = words(description)
  if (id === text) return 0
  if (others.includes(text)) return 0.7
  if (id.startsWith(text)) return 1
  if (title.startsWith(text) || title.includes(`(${text}`)) return 2
  if (initials === text) return 3
  const parts = text.split(/\s+/)
  const everyIn = (where: string) => parts.every(part => where.includes(part))
  if (parts.every(part => title.split(/[^a-z0-9]+/).some(word => word.startsWith(part)))) return 4
  if (everyIn(`${id} ${title} ${others.join(' ')}`)) return 5
  if (topics.some(([pattern, isAbout]) => pattern.test(text) && isAbout(description))) return 5.5
  if (text.length > 1 && initials.startsWith(text)) return 6
  return everyIn(`${id} ${title} ${rest}`) ? 7 : undefined
}

/** What was typed, and the numbers after it: `sma 50`, `macd(12, 26)`. */
export function readSearch(text: string): { readonly words: string; readonly numbers: readonly string[] } {
  const [, words, numbers] = /^\s*([a-z_][\w &'-]*?)[\s(]+((?:\d+(?:\.\d+)?[\s,]*)+)\)?\s*$/i.exec(text) ?? []
  if (words === undefined || numbers === undefined) return { words: text, numbers: [] }
  return { words, numbers: numbers.split(/[\s,]+/).filter(Boolean) }
}

/** The parameters of an indicator that are numbers, with these values in their order; none where one of them may not be that. */
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

const popularCount = 12

/** Categories in the order in which people look for something in them; others come after these. */
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

/** How many other entries name an indicator as related: those that many are compared with are known best. */
function popular(all: readonly Description[]): readonly Description[] {
  const counts = new Map<string, number>()
  for (const { related } of all) for (const id of related) counts.set(id, (counts.get(id) ?? 0) + 1)
  const count = ({ id }: Description) => counts.get(id) ?? 0
  return [...all].filter(({ tier }) => tier === 1).sort((a, b) => count(b) - count(a))
}

/**
 * The catalogue's indicators that fit, best first; without a text favourites, recent ones, popular ones, then each
 * category.
 */
export function findIndicators(
  catalogue: Catalogue,
  typed: string,
  favourites: readonly string[],
  recent: readonly string[],
): readonly IndicatorGroup[] {
  const all = [...catalogue.values()]
  const text = typed.trim().toLowerCase()
  if (text !== '') {
    const ranked = all
      .map(entry => {
        const rank = rankOf(entry, text)
        const isKnown = favourites.includes(entry.id) || recent.includes(entry.id)
        return { entry, rank: rank === undefined ? undefined : rank - (isKnown ? 0.5 : 0) }
      })
      .filter(({ rank }) => rank !== undefined)
      .sort((a, b) => (a.rank as number) - (b.rank as number) || a.entry.title.length - b.entry.title.length)
    return ranked.length === 0 ? [] : [{ title: 'Results', entries: ranked.map(({ entry }) => entry) }]
  }
  const known = [...favourites, ...recent]
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
