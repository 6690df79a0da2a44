// Writes docs/indicators.md: what the catalogue and the docstrings of the kernels say about every indicator.
//
//   node scripts/docs-indicators.mjs           writes the page
//   node scripts/docs-indicators.mjs --check   fails where the page is not what would be written
//
// Both read the built service; `npm run docs` builds it before.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '#dist/catalogue/description.js'
import { catalogue, categories } from '#dist/catalogue/index.js'
import { readDocstring } from './kernel-docs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs', 'indicators.md')
const figures = join(root, 'docs', 'figures')
/** How often signals are given on random walks: written by scripts/pattern-rates.mjs. */
const rates = JSON.parse(readFileSync(join(root, 'docs', 'pattern-rates.json'), 'utf8'))

/** Outside of code, Markdown would take these for its own. */
const escaped = text =>
  text
    .split(/(`[^`]*`)/)
    .map((part, k) => (k % 2 === 1 ? part : part.replace(/[\\*<]/g, '\\$&')))
    .join('')
const code = text => `\`${text}\``

function valuesOf({ type, minimum, maximum, choices, meaning, atMost, atLeast }) {
  if (choices) return choices.map(code).join(', ')
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

const hasFigure = id => existsSync(join(figures, `${id}.svg`))

/** How often the signals of an indicator are given by chance. */
function rateLine(id) {
  const own = Object.entries(rates.signals[id] ?? {})
  if (own.length === 0) return []
  const texts = own.map(([name, rate]) => `${own.length > 1 ? `${code(name)} ` : ''}${rate}`)
  return [`- Signals per 1,000 candles of random walks: ${texts.join(', ')}`]
}

function section(entry) {
  const description = describe(entry)
  const { id, title, inputs, outputs, lookback, results, stability, overlay } = description
  const said = readDocstring(id)
  if (!said) throw new Error(`the kernel of ${id} has no docstring with a definition and a source`)
  const { paragraphs, source } = said
  return [
    `### ${id}`,
    '',
    `**${escaped(title)}**`,
    '',
    ...paragraphs.flatMap(paragraph => [escaped(paragraph), '']),
    ...(hasFigure(id)
      ? [`![A market that contains ${id}; the marked candle confirms it](figures/${id}.svg)`, '']
      : []),
    ...parameterTable(description),
    `- Outputs: ${outputs.map(outputOf).join(', ')}${overlay ? ', drawn over the candles' : ''}`,
    `- Inputs: ${inputs.join(', ')}`,
    `- Warm-up: ${lookback === 0 ? 'none' : lookback === 1 ? '1 candle' : `${lookback} candles`}`,
    `- Stability: ${stability}`,
    ...rateLine(id),
    ...(results === 1 ? [] : [`- Values returned unless \`results\` is given: ${results}`]),
    `- Source: ${escaped(source)}`,
    '',
  ]
}

const byName = (a, b) => (a.name < b.name ? -1 : 1)
const groups = Object.keys(categories).map(category => [
  category,
  [...catalogue.values()].filter(entry => entry.category === category).sort(byName),
])

const page = [
  '# Indicators',
  '',
  `All ${catalogue.size} indicators. This page is written by \`npm run docs\` from the catalogue and the kernels; do not`,
  'edit it.',
  '',
  'Every indicator takes `results` and `backtrack` beside its own parameters. The warm-up is the number of candles before',
  'the first value, with default parameters. Stability says how much of the history a value depends on:',
  '',
  '- **start-independent**: on the candles of its window and on nothing older;',
  '- **converging**: older candles matter ever less, so values from different starts approach each other;',
  '- **path-dependent**: on every candle since the first one that is kept.',
  '',
  'Where an indicator reports events, the page says how often it does so by chance: with default parameters, on random',
  `walks of ${rates.candles.toLocaleString('en')} candles in all, each of which opens at the close before it. Patterns that need a gap do not`,
  'occur there.',
  '',
  ...groups.flatMap(([category, entries]) => [
    `**${category}** (${entries.length}): ${entries.map(({ name }) => `[${name}](#${name})`).join(', ')}`,
    '',
  ]),
  ...groups.flatMap(([category, entries]) => [`## Category: ${category}`, '', ...entries.flatMap(section)]),
].join('\n')

if (process.argv[2] === '--check') {
  // A checkout on Windows may have other line ends.
  const current = existsSync(target) ? readFileSync(target, 'utf8').replaceAll('\r\n', '\n') : ''
  if (current !== page) {
    console.error('docs/indicators.md is not what the catalogue says: run npm run docs')
    process.exitCode = 1
  }
} else writeFileSync(target, page)
