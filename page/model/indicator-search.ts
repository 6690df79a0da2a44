import type { Catalogue, Description } from './catalogue.js'

/** Other words by which people look for an indicator. */
const words = ({ id, title, category, outputs, otherNames }: Description) => ({
  id,
  others: otherNames.map(name => name.toLowerCase()),
  title: title.toLowerCase(),
  // The first letters of a name are how it is called in speech: `bb` for Bollinger Bands.
  initials: title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(word => word.charAt(0))
    .join(''),
  rest: `${category} ${outputs.map(({ name, labels = [] }) => `${name} ${labels.slice(0, 8).join(' ')}`).join(' ')}`.toLowerCase(),
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
  if (text.length > 1 && initials.startsWith(text)) return 6
  return everyIn(`${id} ${title} ${rest}`) ? 7 : undefined
}

/** A group of the picker's list. */
export interface IndicatorGroup {
  readonly title: string
  readonly entries: readonly Description[]
}

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

/** The catalogue's indicators that fit, best first; without a text favourites, recent ones, then each category. */
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
  const named = (names: readonly string[]) => names.flatMap(name => catalogue.get(name) ?? [])
  const categories = [...new Set(all.map(({ category }) => category))].sort(
    (a, b) => placeOf(a) - placeOf(b) || (a < b ? 1 : -1),
  )
  return [
    { title: 'Favourites', entries: named(favourites) },
    { title: 'Recent', entries: named(recent.filter(name => !favourites.includes(name))) },
    ...categories.map(title => ({ title, entries: all.filter(({ category }) => category === title) })),
  ].filter(({ entries }) => entries.length > 0)
}
