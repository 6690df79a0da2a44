import { z } from 'zod'
import { formatCount } from '../../candles/format-count.js'
import { type Description, describe, type ParameterDescription } from '../../catalogue/description.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { nameBehind, searchCatalogue, searchMost } from '../../catalogue/search.js'
import { readShape, type Shape } from '../../contract/fields.js'
import { maxNameLength } from '../../contract/limits.js'
import { isRefusal } from '../../contract/refusals.js'
import { once } from '../../runtime/once.js'
import { answer, notesShape, pageOf, pageShape, type Tool } from './tool.js'

const input = once(() => ({
  words: z.string().max(maxNameLength).default('').describe('empty for the categories'),
  ...pageShape(10, 40),
}))

const output = once(
  (): Shape => ({
    indicators: z.array(
      z.looseObject({ indicator: z.string(), parameters: z.array(z.string()), outputs: z.array(z.string()) }),
    ),
    total: z.number(),
    ...notesShape(),
  }),
)

export const findIndicators: Tool = {
  name: 'find_indicators',
  description:
    'Finds indicators by names (also those of other libraries), titles, categories, texts and subjects: rsi, bollinger, overbought, bullish reversal pattern, trend strength. With an exact name, all about that one first. The best fit comes first, with parameters, outputs and what it shows.',
  input,
  output,
  isReading: true,
  async run(given) {
    const asked = readShape(input(), given)
    if (isRefusal(asked)) return asked
    const { words, limit, offset } = asked
    if (words.trim() === '') return categories()
    const exact = searchCatalogue({ words })
    const found = exact.length > 0 ? exact : searchMost(words)
    const { page, notes } = pageOf(found, offset, limit)
    const named = words.trim().toLowerCase()
    const isNamed = ({ name }: Entry) => name === named || name === nameBehind(named)
    const described = page.map(entry => ({ about: describe(entry), isNamed: isNamed(entry) }))
    return answer(
      described.map(({ about, isNamed }) => (isNamed ? fullText(about) : lineOf(about))),
      {
        indicators: described.map(({ about }) => toStructured(about)),
        total: found.length,
      },
      exact.length > 0 ? notes : ['None has all of these words; these have most of them.', ...notes],
    )
  },
}

function categories() {
  const counts = new Map<string, number>()
  for (const { category } of catalogue.values()) counts.set(category, (counts.get(category) ?? 0) + 1)
  const list = [...counts].map(([category, count]) => `${category} (${count})`)
  const note = `${catalogue.size} indicators: ${list.join(', ')}`
  return answer([], { indicators: [], total: catalogue.size }, [note])
}

/** Maximum number of listed texts of an output or a parameter. */
const maxChoices = 20

const outputText = ({ name, kind, labels }: Description['outputs'][number]): string =>
  labels
    ? `${name} (${labels.slice(0, maxChoices).join(', ')})`
    : kind === 'signal'
      ? `${name} (0, 100, or -100 where bearish)`
      : name

function parameterText({ name, default: value, minimum, maximum, choices, meaning }: ParameterDescription) {
  const numbers = minimum === undefined ? [] : [`${minimum} to ${maximum}`]
  const texts = choices && [choices.slice(0, maxChoices).join('|')]
  const range = texts ? [...numbers, ...texts].join(' or ') : (numbers[0] ?? 'true|false')
  return `${name} = ${value} (${range}${meaning ? `: ${meaning}` : ''})`
}

const sources = 'source: open, high, low, close, volume, hl2, hlc3 or ohlc4 instead of its input'

/** An indicator in two lines. */
const lineOf = ({ id, title, parameters, outputs, description }: Description): string =>
  `${id}(${parameters.map(({ name, default: value }) => `${name}=${value}`).join(', ')}) → ${outputs.map(({ name }) => name).join(', ')}: ${title}. ${description}`

const fullText = ({ id, title, category, parameters, outputs, source, lookback, ...rest }: Description) =>
  [
    `${id}: ${title} (${category})`,
    rest.description,
    `Parameters: ${[...parameters.map(parameterText), ...(source ? [sources] : [])].join('; ') || 'none'}`,
    `Outputs: ${outputs.map(outputText).join(', ')}`,
    `First value after ${formatCount(lookback, 'candle')}`,
    ...(rest.related.length > 0 ? [`Related: ${rest.related.join(', ')}`] : []),
  ].join('\n')

const toStructured = ({ id, title, category, parameters, outputs, source, description }: Description) => ({
  indicator: id,
  title,
  category,
  description,
  parameters: [...parameters.map(parameterText), ...(source ? [sources] : [])],
  outputs: outputs.map(outputText),
})
