// The list of indicators, a page for each category below /help/indicators, and a picture of each indicator, from the
// catalogue and the docstrings of the kernels.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '#dist/catalogue/description.js'
import { catalogue, categories } from '#dist/catalogue/index.js'
import { readDocstring } from '../kernel-docs.mjs'
import { drawPictures } from './pictures.mjs'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
/** The page of a category below docs: `Volume` is described in `indicators/volume.md`. */
export const pageOf = category => `indicators/${category.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.md`

/** The frequency of signals on random walks, written by scripts/pattern-rates.mjs. */
const rates = JSON.parse(readFileSync(join(docs, 'pattern-rates.json'), 'utf8'))

/** The comparisons of indicators with other programs, written by bench/oracles/agreement.py. */
const { indicators: agreement } = JSON.parse(readFileSync(join(docs, 'agreement.json'), 'utf8'))

/** Escapes Markdown outside of code. */
const escaped = text =>
  text
    .split(/(`[^`]*`)/)
    .map((part, k) => (k % 2 === 1 ? part : part.replace(/[\\*<]/g, '\\$&')))
    .join('')
const code = text => `\`${text}\``

function valuesOf({ type, minimum, maximum, choices, meaning, atMost, atLeast }) {
  const names = choices?.map(code).join(', ')
  if (choices) return minimum === undefined ? names : `${minimum} … ${maximum}: ${meaning}; or ${names}`
  if (type === 'boolean') return '`true`, `false`'
  const relation = atMost ? `, at most ${code(atMost)}` : atLeast ? `, at least ${code(atLeast)}` : ''
  return `${minimum} … ${maximum}${meaning ? `: ${meaning}` : ''}${relation}`
}

function parameterTable({ parameters, inputs, source, source2 }) {
  const rows = parameters.map(parameter => [
    code(parameter.name),
    parameter.type,
    parameter.follows ? `${code(parameter.follows)}, else ${parameter.default}` : `${parameter.default}`,
    valuesOf(parameter),
  ])
  const columns = 'a price column, `hl2`, `hlc3` or `ohlc4`'
  if (source) rows.push(['`source`', 'string', inputs[0], columns])
  if (source2) rows.push(['`source2`', 'string', inputs[1], columns])
  if (rows.length === 0) return []
  return [
    '| Parameter | Type | Default | Values |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row.join(' | ')} |`),
    '',
  ]
}

const outputOf = ({ name, kind, labels }) =>
  code(name) + (labels ? ` (${labels.join(', ')})` : kind === 'number' ? '' : ` (${kind})`)

const hasFigure = id => existsSync(join(docs, 'figures', `${id}.svg`))

/** A link from a page of docs/indicators to another indicator. */
const linkTo = name => `[${name}](${basename(pageOf(catalogue.get(name).category))}#${name})`

/** The figure of a pattern, or the picture over the demo market. */
const imageOf = id =>
  hasFigure(id)
    ? `![A market that contains ${id}; the marked candle confirms it](../figures/${id}.svg)`
    : `![${id} over 90 candles of a demo market](pictures/${id}.svg)`

/** Frequency of an indicator's signals by chance. */
function rateLine(id) {
  const own = Object.entries(rates.signals[id] ?? {})
  if (own.length === 0) return []
  const texts = own.map(([name, rate]) => `${own.length > 1 ? `${code(name)} ` : ''}${rate}`)
  return [`- Signals per 1,000 candles of random walks: ${texts.join(', ')}`]
}

/** The bounds of the values, and the levels at which charts draw lines. */
function scaleLine({ scale }) {
  if (!scale) return []
  const { minimum, maximum, levels } = scale
  const parts = [
    ...(minimum === undefined ? [] : [`${minimum} … ${maximum}`]),
    ...(levels.length === 0 ? [] : [`${levels.length === 1 ? 'a line' : 'lines'} at ${levels.join(', ')}`]),
  ]
  return [`- Scale: ${parts.join(', ')}`]
}

/**
 * The part of the history that a value depends on, and the number of candles after which the start of a history has no
 * effect.
 */
function stabilityLine({ stability, settled4, settled8 }) {
  const after = `; 4 digits stand after ${settled4} candles, 8 after ${settled8}`
  return `- Stability: ${stability}${stability === 'converging' && settled8 !== null ? after : ''}`
}

function section(entry) {
  const description = describe(entry)
  const { id, title, inputs, outputs, lookback, results, overlay } = description
  const { description: text, tier, otherNames, related } = description
  const known = related.filter(name => catalogue.has(name))
  const said = readDocstring(id)
  if (!said) throw new Error(`the kernel of ${id} has no docstring with a definition and a source`)
  const { paragraphs, source } = said
  return [
    `## ${id}`,
    '',
    `**${escaped(title)}**`,
    '',
    escaped(text),
    '',
    imageOf(id),
    '',
    ...paragraphs.flatMap(paragraph => [escaped(paragraph), '']),
    ...parameterTable(description),
    `- Outputs: ${outputs.map(outputOf).join(', ')}${overlay ? ', drawn over the candles' : ''}`,
    ...scaleLine(description),
    `- Inputs: ${inputs.join(', ')}`,
    `- Warm-up: ${lookback === 0 ? 'none' : lookback === 1 ? '1 candle' : `${lookback} candles`}`,
    stabilityLine(description),
    `- Tier: ${tier}`,
    ...(otherNames.length === 0 ? [] : [`- Other names: ${otherNames.map(escaped).join(', ')}`]),
    ...(known.length === 0 ? [] : [`- Related: ${known.map(linkTo).join(', ')}`]),
    ...rateLine(id),
    ...(results === 1 ? [] : [`- Values returned unless \`results\` is given: ${results}`]),
    `- Source: ${escaped(source)}`,
    `- Agreement: ${escaped(agreement[id]?.line ?? 'not compared with other programs')}`,
    '',
  ]
}

const byName = (a, b) => (a.name < b.name ? -1 : 1)
const groups = Object.keys(categories).map(category => [
  category,
  [...catalogue.values()].filter(entry => entry.category === category).sort(byName),
])

/** The list by category. `links` leads each name to its section, which exists in the help only. */
const listOf = links =>
  [
    '# Indicators',
    '',
    ...(links
      ? []
      : [
          `The ${catalogue.size} indicators by category, written by \`npm run docs\`. A running service has the definition, source, picture,`,
          'parameters and outputs of each at `/help/indicators`; this command prints them:',
          '',
          '```sh',
          'npx candela-ta indicators rsi',
          '```',
          '',
        ]),
    'Every indicator accepts `results` and `backtrack` in addition to its own parameters. The warm-up is the number of candles before',
    'the first value, with default parameters. Stability is the part of the history on which a value depends:',
    '',
    '- **start-independent**: the candles of its window;',
    '- **converging**: older candles matter ever less, so values from different starts approach each other;',
    '- **path-dependent**: every candle since the first stored one.',
    '',
    'When a value has settled (`/help/settling`) has the number of candles after which the start of the history does not matter.',
    '',
    'The tier is 1 for a widely known indicator, 2 for one in some libraries, 3 for one in hardly any. Pictures show the same stretch',
    'of a demo market, with closes in grey; a pattern is shown where it occurs. `/help/comparison` has the libraries with an indicator.',
    '',
    'Agreement names the programs of others that return the same values, and differences from TA-Lib and TradingView;',
    '`/help/agreement` has every comparison.',
    '',
    'Signals per 1,000 candles are counted with default parameters on random walks of',
    `${rates.candles.toLocaleString('en')} candles in all, each of which opens at the previous close. Patterns that need a gap do not occur there.`,
    '',
    ...groups.flatMap(([category, entries]) => [
      links
        ? `## [${category}](${pageOf(category)}) (${entries.length})`
        : `## ${category} (${entries.length})`,
      '',
      entries
        .map(({ name, title }) =>
          links
            ? `[${name}](${pageOf(category)}#${name} "${title.replaceAll('"', "'")}")`
            : `\`${name}\` ${escaped(title)}`,
        )
        .join(', '),
      '',
    ]),
  ].join('\n')

export const indicatorCount = catalogue.size

/** The text of docs/indicators.md. */
export const indicatorList = listOf(false)

/** The pages and pictures of the help, by their paths below docs. */
export const indicatorPages = () =>
  new Map([
    ['indicators.md', listOf(true)],
    ...groups.map(([category, entries]) => [
      pageOf(category),
      [
        `# Indicators: ${category}`,
        '',
        '[Indicators](../indicators.md) explains the terms and has all categories.',
        '',
        entries.map(({ name }) => `[${name}](#${name})`).join(', '),
        '',
        ...entries.flatMap(section),
      ].join('\n'),
    ]),
    ...[...drawPictures([...catalogue.values()].filter(({ name }) => !hasFigure(name)))].map(
      ([name, text]) => [`indicators/pictures/${name}.svg`, text],
    ),
  ])
