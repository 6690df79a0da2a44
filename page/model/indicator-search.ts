import absentIndicators from '../../docs/absent-indicators.json' with { type: 'json' }
import { findRanked } from '../../src/catalogue/ranking.js'
import type { Parameters } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import { distance } from './market-search.js'
import { readParameter } from './parameter-check.js'

/** Splits a search into words and the numbers after them: `sma 50`, `sma50`, `macd(12, 26)`. A name may end with a digit itself. */
export function readSearch(
  text: string,
  catalogue: Catalogue,
): { readonly words: string; readonly numbers: readonly string[] } {
  const [, name = '', period = ''] = /^([a-z_]+)(\d+)$/i.exec(text.trim()) ?? []
  const isSplit = catalogue.has(name.toLowerCase()) && !catalogue.has(text.trim().toLowerCase())
  const parts = (isSplit ? `${name} ${period}` : text)
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

/**
 * The parameters of a new study: the numbers that were typed, in their order, and the page's `defaults` of the others. Numbers
 * that an indicator cannot have are left out.
 */
export function startParameters(
  { parameters }: Description,
  numbers: readonly string[],
  defaults: Parameters,
): Parameters {
  const numeric = parameters.filter(({ type }) => type === 'integer' || type === 'number')
  const typed = numbers.flatMap((number, at) => {
    const parameter = numeric[at]
    const read = parameter && readParameter(parameter, number)
    return parameter && read && 'value' in read ? [[parameter.name, read.value] as const] : []
  })
  const given = typed.length === numbers.length ? Object.fromEntries(typed) : {}
  const standards = new Map(parameters.map(parameter => [parameter.name, parameter.default]))
  return Object.fromEntries(
    Object.entries({ ...defaults, ...given }).filter(([name, value]) => standards.get(name) !== value),
  )
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

/** An indicator of other programs that the catalogue does not have. */
export interface AbsentIndicator {
  readonly name: string
  /** The reason, without marks of a document. */
  readonly reason: string
  /** An expression that has its values. */
  readonly expression: string | undefined
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The absent indicators whose name has every word that was typed. */
export function findAbsent(typed: string): readonly AbsentIndicator[] {
  const words = typed
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word.length > 2)
  const isNamed = (name: string) => {
    const own = name.toLowerCase().split(/[^a-z0-9]+/)
    return words.length > 0 && words.every(word => own.some(each => each.startsWith(word)))
  }
  return absentIndicators
    .filter(({ name }) => isNamed(name))
    .map(({ name, reason }) => ({
      name,
      reason: sentence(reason.replace(/\[([^\][]*)\]\([^()]*\)/g, '$1').replaceAll('`', '')),
      expression: /\(expressions\.md[^)]*\): `([^`]+)`/.exec(reason)?.[1],
    }))
}

/** The words of the catalogue's names that are spelled most like the typed ones; undefined where a word has none. */
function correctedWords(all: readonly Description[], typed: string): string | undefined {
  const known = new Set(
    all.flatMap(({ id, title, otherNames }) =>
      [id, title, ...otherNames].flatMap(name => name.toLowerCase().split(/[^a-z0-9]+/)),
    ),
  )
  const corrected = typed
    .toLowerCase()
    .split(/\s+/)
    .map(word => {
      const most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2
      const near = [...known]
        .filter(each => Math.abs(each.length - word.length) <= most && each[0] === word[0])
        .map(each => ({ each, far: distance(each, word) }))
        .filter(({ far }) => far <= most)
        .sort((a, b) => a.far - b.far || a.each.length - b.each.length)
      return near[0]?.each
    })
  return corrected.includes(undefined) ? undefined : corrected.join(' ')
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
    const find = (text: string) => findRanked(all, text, ({ id }) => (known.includes(id) ? 0.5 : 0))
    const ranked = find(typed)
    if (ranked.length > 0) return [{ title: 'Results', entries: ranked }]
    const corrected = findAbsent(typed).length > 0 ? undefined : correctedWords(all, typed)
    const near = corrected === undefined ? [] : find(corrected)
    return near.length === 0 ? [] : [{ title: `Did you mean “${corrected}”?`, entries: near }]
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
