// Writes docs/indicators.md, a page of docs/indicators for each category, and a picture of each indicator: what the
// catalogue and the docstrings of the kernels say about every indicator. And how many there are, into the README.
//
//   node scripts/docs-indicators.mjs           writes the pages and the pictures
//   node scripts/docs-indicators.mjs --check   fails where one of them is not what would be written
//
// Both read the built service; `npm run docs` builds it before.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '#dist/catalogue/description.js'
import { catalogue, categories } from '#dist/catalogue/index.js'
import { writeOrCheck } from './generated-files.mjs'
import { pageOf } from './indicator-pages.mjs'
import { drawPictures } from './indicator-pictures.mjs'
import { readDocstring } from './kernel-docs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const docs = join(root, 'docs')
/** How often signals are given on random walks: written by scripts/pattern-rates.mjs. */
const rates = JSON.parse(readFileSync(join(docs, 'pattern-rates.json'), 'utf8'))

/** What other programs say about the values of an indicator: written by bench/oracles/agreement.py. */
const agreement = JSON.parse(readFileSync(join(docs, 'agreement.json'), 'utf8'))

/** Outside of code, Markdown would take these for its own. */
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

/** How often the signals of an indicator are given by chance. */
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

/** How much of the history a value depends on, and after how many candles the start of a history is forgotten. */
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
    `- Agreement: ${escaped(agreement[id] ?? 'not compared with other programs')}`,
    '',
  ]
}

const byName = (a, b) => (a.name < b.name ? -1 : 1)
const groups = Object.keys(categories).map(category => [
  category,
  [...catalogue.values()].filter(entry => entry.category === category).sort(byName),
])

const index = [
  '# Indicators',
  '',
  `All ${catalogue.size} indicators by category. This page and those of the categories are written by \`npm run docs\` from the`,
  'catalogue and the kernels; do not edit them.',
  '',
  'Every indicator takes `results` and `backtrack` beside its own parameters. The warm-up is the number of candles before',
  'the first value, with default parameters. Stability says how much of the history a value depends on:',
  '',
  '- **start-independent**: on the candles of its window and on nothing older;',
  '- **converging**: older candles matter ever less, so values from different starts approach each other;',
  '- **path-dependent**: on every candle since the first one that is kept.',
  '',
  '[When a value has settled](settling.md) says after how many candles it does not matter any more where the history begins.',
  '',
  'The tier says how widely an indicator is known: 1 widely, 2 in some libraries, 3 hardly. Pictures show the same stretch of a',
  'demo market, in grey its closes; a pattern is shown where it occurs, if it does. [comparison.md](comparison.md) says which',
  'other libraries have an indicator.',
  '',
  'Agreement names the programs of others that give the same values, and where TA-Lib or TradingView differ;',
  '[agreement.md](agreement.md) has every comparison.',
  '',
  'Where an indicator reports events, its page says how often it does so by chance: with default parameters, on random',
  `walks of ${rates.candles.toLocaleString('en')} candles in all, each of which opens at the close before it. Patterns that need a gap do not`,
  'occur there.',
  '',
  ...groups.flatMap(([category, entries]) => [
    `## [${category}](${pageOf(category)}) (${entries.length})`,
    '',
    entries
      .map(({ name, title }) => `[${name}](${pageOf(category)}#${name} "${title.replaceAll('"', "'")}")`)
      .join(', '),
    '',
  ]),
].join('\n')

const pages = groups.map(([category, entries]) => [
  pageOf(category),
  [
    `# Indicators: ${category}`,
    '',
    'Written by `npm run docs`; [indicators.md](../indicators.md) explains the terms and has all categories.',
    '',
    entries.map(({ name }) => `[${name}](#${name})`).join(', '),
    '',
    ...entries.flatMap(section),
  ].join('\n'),
])
const pictures = drawPictures([...catalogue.values()].filter(({ name }) => !hasFigure(name)))

/** The README with the number of indicators at its marks. */
const readme = readFileSync(join(root, 'README.md'), 'utf8')
  .replaceAll('\r\n', '\n')
  .replaceAll(/(<!-- indicators -->)\d+(?=<!-- \/indicators -->)/g, `$1${catalogue.size}`)

writeOrCheck(
  docs,
  new Map([
    ['../README.md', readme],
    ['indicators.md', index],
    ...pages,
    ...[...pictures].map(([name, text]) => [`indicators/pictures/${name}.svg`, text]),
  ]),
  ['indicators', 'indicators/pictures'],
)
