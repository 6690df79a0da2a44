import { type Description, describe, type ParameterDescription } from '../catalogue/description.js'
import { catalogue, type Entry } from '../catalogue/index.js'
import { nameBehind, searchCatalogue } from '../catalogue/search.js'
import { maxNameLength } from '../contract/limits.js'

/** The most indicators that a search lists. */
const maxFound = 40

/** The indicators whose name, other names, title or category have all the words, one line each; without words the categories. */
export function findText(words: string): string {
  if (words.trim() === '') return categoriesText([...catalogue.values()])
  const found = searchCatalogue({ words: words.slice(0, maxNameLength) })
  if (found.length === 0)
    return `No indicator has the words "${words.slice(0, 100)}".\n${categoriesText([...catalogue.values()])}`
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
  const entry = catalogue.get(name.toLowerCase()) ?? catalogue.get(nameBehind(name.slice(0, 60)) ?? '')
  if (!entry) return undefined
  const { id, title, category, parameters, outputs, source, lookback, description, related }: Description =
    describe(entry)
  const outputTexts = outputs.map(({ name: output, labels }) =>
    labels ? `${output} (${labels.slice(0, 20).join(', ')})` : output,
  )
  return [
    `${id}: ${title} (${category})`,
    ...(description === undefined ? [] : [description]),
    `Parameters: ${parameters.map(parameterText).join('; ') || 'none'}`,
    ...(source
      ? ['source: open, high, low, close, volume, hl2, hlc3 or ohlc4 in the place of its input']
      : []),
    `Outputs: ${outputTexts.join(', ')}`,
    `First value after ${lookback} candles`,
    ...(related.length > 0 ? [`Related: ${related.join(', ')}`] : []),
  ].join('\n')
}

function parameterText({ name, default: value, minimum, maximum, choices, meaning }: ParameterDescription) {
  const numbers = minimum === undefined ? [] : [`${minimum} to ${maximum}`]
  const range = choices
    ? [...numbers, choices.join('|')].join(' or ')
    : minimum === undefined
      ? 'true|false'
      : numbers[0]
  return `${name} = ${value} (${range}${meaning ? `: ${meaning}` : ''})`
}
