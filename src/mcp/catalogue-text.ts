import { type Description, describe, type ParameterDescription } from '../catalogue/description.js'
import { catalogue, type Entry } from '../catalogue/index.js'

/** The most indicators that a search lists. */
const maxFound = 40

/** The indicators whose name, title or category has all the words, one line each; without words the categories. */
export function findText(words: string): string {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const entries = [...catalogue.values()]
  if (wanted.length === 0) return categoriesText(entries)
  const found = entries.filter(({ name, title, category }) => {
    const searched = `${name} ${title} ${category}`.toLowerCase()
    return wanted.every(word => searched.includes(word))
  })
  if (found.length === 0)
    return `No indicator has the words "${words.slice(0, 100)}".\n${categoriesText(entries)}`
  // An indicator of exactly that name first, then the shortest names, which are the plain forms.
  found.sort((a, b) => Number(b.name === words) - Number(a.name === words) || a.name.length - b.name.length)
  const lines = found.slice(0, maxFound).map(({ name, title }) => `${name}: ${title}`)
  const rest = found.length - lines.length
  return [...lines, ...(rest > 0 ? [`… and ${rest} more: use more words`] : [])].join('\n')
}

function categoriesText(entries: readonly Entry[]): string {
  const counts = new Map<string, number>()
  for (const { category } of entries) counts.set(category, (counts.get(category) ?? 0) + 1)
  const list = [...counts].map(([category, count]) => `${category} (${count})`)
  return `${entries.length} indicators: ${list.join(', ')}`
}

/** One indicator with its parameters and outputs; undefined where there is none of that name. */
export function describeText(name: string): string | undefined {
  const entry = catalogue.get(name.toLowerCase())
  if (!entry) return undefined
  const { id, title, category, parameters, outputs, source, lookback }: Description = describe(entry)
  const outputTexts = outputs.map(({ name: output, labels }) =>
    labels ? `${output} (${labels.slice(0, 20).join(', ')})` : output,
  )
  return [
    `${id}: ${title} (${category})`,
    `Parameters: ${parameters.map(parameterText).join('; ') || 'none'}`,
    ...(source
      ? ['source: open, high, low, close, volume, hl2, hlc3 or ohlc4 in the place of its input']
      : []),
    `Outputs: ${outputTexts.join(', ')}`,
    `First value after ${lookback} candles`,
  ].join('\n')
}

function parameterText({ name, default: value, minimum, maximum, choices, meaning }: ParameterDescription) {
  const range = choices
    ? choices.join('|')
    : minimum === undefined
      ? 'true|false'
      : `${minimum} to ${maximum}`
  return `${name} = ${value} (${range}${meaning ? `: ${meaning}` : ''})`
}
