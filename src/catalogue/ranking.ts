import type { Description } from './description.js'

/** Facts of an indicator that a search uses. */
export type Searched = Pick<Description, 'id' | 'title' | 'category' | 'otherNames' | 'tier'> &
  Partial<Pick<Description, 'description' | 'scale'>> & {
    readonly outputs: readonly { readonly name: string; readonly labels?: readonly string[] }[]
  }

/** A name in lower case without separators; `%` and `&` belong to names. */
export const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9%&]/g, '')

const isPattern = ({ category }: Searched) => category.startsWith('Pattern Recognition')
const says = (pattern: RegExp) => (entry: Searched) => pattern.test(`${entry.title}. ${entry.description}`)
const afterFall = (entry: Searched) =>
  /bullish|bottom/i.test(entry.title) ||
  says(/after a fall|(end|turn) of a fall|fall (ends|stops|slows)|lows? at about|confirms a rise/i)(entry)
const afterRise = (entry: Searched) =>
  /bearish|(double|triple|tweezer|rounding) top/i.test(entry.title) ||
  says(
    /after a rise|a rise that|(end|turn) of a rise|rise (ends|stops|slows)|highs? at about|confirms a fall/i,
  )(entry)
/** Whether a signed signal marks either turn. */
const isReversal = (entry: Searched) =>
  isPattern(entry) &&
  (afterFall(entry) || afterRise(entry) || says(/reversal|turn|opposite colour|no longer/i)(entry))
/** Whether two levels have equal distances from the bounds, like those of the RSI: they limit overbought and oversold. */
function hasLimits({ scale, category }: Searched): boolean {
  const { minimum = Number.NaN, maximum = Number.NaN, levels = [] } = scale ?? {}
  const [low = Number.NaN] = levels
  return category === 'Momentum' && levels.length > 1 && low + (levels.at(-1) as number) === minimum + maximum
}

/** Search words for groups of indicators that no text of the catalogue contains. */
const subjects: readonly (readonly [words: string, isAbout: (entry: Searched) => boolean])[] = [
  ['smart money concepts smc ict price action', ({ category }) => category === 'Market Structure'],
  ['chart patterns', ({ category }) => category === 'Pattern Recognition - Advanced'],
  ['candlestick candle patterns', ({ category }) => category === 'Pattern Recognition - Simple'],
  [
    'harmonic patterns',
    entry => isPattern(entry) && says(/first leg|two legs|Carney/i)(entry) && !/Simple/.test(entry.category),
  ],
  ['reversal patterns', isReversal],
  ['bullish bottom', entry => isReversal(entry) && (afterFall(entry) || !afterRise(entry))],
  ['bearish top', entry => isReversal(entry) && (afterRise(entry) || !afterFall(entry))],
  ['overbought oversold oscillator limits', hasLimits],
  [
    'trend strength strong weak trending ranging sideways',
    says(
      /how strong (a|the) (trend|rise|fall)|strength of (a|the) trend|trends? or (ranges?|goes sideways)|said to trend|trending/i,
    ),
  ],
]

/** The texts of an indicator in lower case, from its names to texts about it. */
interface Texts {
  readonly title: string
  /** Its other names, without separators. */
  readonly others: readonly string[]
  /** The first letters of a title, a common abbreviation: `bb` for Bollinger Bands. */
  readonly initials: string
  readonly names: string
  readonly about: string
  /** The search words of each group that it belongs to. */
  readonly subjects: readonly string[]
  readonly all: string
}

const known = new WeakMap<Searched, Texts>()

function textsOf(entry: Searched): Texts {
  let texts = known.get(entry)
  if (texts === undefined) {
    const { id, title, category, outputs, otherNames, description = '' } = entry
    const words = title.toLowerCase().split(/[^a-z0-9]+/)
    const names = [id, title, ...otherNames].join(' ').toLowerCase()
    const shown = outputs.map(({ name, labels = [] }) => [name, ...labels.slice(0, 8)].join(' ')).join(' ')
    const about = `${names} ${category} ${description} ${shown}`.toLowerCase()
    const own = subjects.flatMap(([text, isAbout]) => (isAbout(entry) ? [text] : []))
    texts = {
      title: title.toLowerCase(),
      others: otherNames.map(bareName),
      initials: words.map(word => word.charAt(0)).join(''),
      names,
      about,
      subjects: own,
      all: [about, ...own].join(' '),
    }
    known.set(entry, texts)
  }
  return texts
}

/** The words of a text in lower case. A plural becomes its singular. */
export const wordsOf = (text: string): readonly string[] =>
  text.split(/[\s,]+/).flatMap(word => (word === '' ? [] : [word.length > 3 ? word.replace(/s$/, '') : word]))

/** Rank of an indicator for a search text in lower case; less is better, and undefined if a word is missing. */
export function rankOf(entry: Searched, text: string): number | undefined {
  const { title, others, initials, names, about, subjects: own, all } = textsOf(entry)
  if (entry.id === text) return 0
  if (others.includes(bareName(text))) return 0.7
  if (entry.id.startsWith(text)) return 1
  if (title.startsWith(text) || title.includes(`(${text}`)) return 2
  if (initials === text) return 3
  const words = wordsOf(text)
  const everyIn = (where: string) => words.every(word => where.includes(word))
  if (words.every(word => title.split(/[^a-z0-9]+/).some(each => each.startsWith(word)))) return 4
  if (everyIn(names)) return 5
  if (own.some(everyIn)) return everyIn(about) ? 5.4 : 5.5
  if (text.length > 1 && initials.startsWith(text)) return 6
  if (everyIn(about)) return 7
  return everyIn(all) ? 8 : undefined
}

/** Number of these words that an indicator has in any of its texts. */
export const wordsIn = (entry: Searched, words: readonly string[]): number =>
  words.filter(word => textsOf(entry).all.includes(word)).length

/** The matches of a search text, best first, then the widely known ones. `bonus` is subtracted from a rank. */
export function findRanked<Entry extends Searched>(
  entries: Iterable<Entry>,
  typed: string,
  bonus: (entry: Entry) => number = () => 0,
): readonly Entry[] {
  const text = typed.trim().toLowerCase()
  const found: { readonly entry: Entry; readonly rank: number }[] = []
  for (const entry of entries) {
    const rank = rankOf(entry, text)
    if (rank !== undefined) found.push({ entry, rank: rank - bonus(entry) })
  }
  const byName = (a: Entry, b: Entry) => (a.id < b.id ? -1 : 1)
  return found
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.entry.tier - b.entry.tier ||
        a.entry.title.length - b.entry.title.length ||
        byName(a.entry, b.entry),
    )
    .map(({ entry }) => entry)
}
