// The page /help/comparison: the libraries and services that have an indicator, and their indicators that are missing here.
// Names come from the entries of the catalogue, missing indicators from docs/absent-indicators.json.
import { readFileSync } from 'node:fs'
import { libraries } from '#dist/catalogue/about.js'
import { catalogue, categories } from '#dist/catalogue/index.js'
import { pageOf } from './indicators.mjs'

const absent = JSON.parse(readFileSync(new URL('../../docs/absent-indicators.json', import.meta.url), 'utf8'))

const columns = Object.keys(libraries)
const titles = columns.map(name => libraries[name])

/** A cell of Markdown, with the separators of tables escaped. */
const cell = text => text.replaceAll('|', '\\|')
const code = name => {
  const [plain, note] = name.split(' (')
  return `\`${cell(plain)}\`${note ? ` (${note}` : ''}`
}
const row = cells => `| ${cells.join(' | ')} |`
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row), '']

const entries = [...catalogue.values()]

const counts = Object.keys(categories).map(category => {
  const own = entries.filter(entry => entry.category === category)
  return [
    category,
    own.length,
    ...columns.map(library => own.filter(({ namesElsewhere }) => namesElsewhere[library]).length),
  ]
})
const totals = [
  '**all**',
  ...counts[0].slice(1).map((_, k) => counts.reduce((sum, each) => sum + each[k + 1], 0)),
]
const alone = entries.filter(({ namesElsewhere }) => Object.keys(namesElsewhere).length === 0)

export const comparisonPage = [
  '# What other libraries have',
  '',
  'A cell has the name of the indicator in the library; an empty cell means that none was found. Names with “development” are in a version of TA-Lib that is not released, “beta” in one',
  'of Tulip. pandas-ta is pandas-ta-classic, Skender is Skender.Stock.Indicators, Lean that of QuantConnect. taapi.io stands for',
  'the hosted services: it has the most indicators of those that document them. An equal name does not promise equal values: seeds and',
  'smoothing differ, and [the page of an indicator](indicators.md) names the definition that is used here.',
  '',
  '## How many',
  '',
  ...table(['Category', 'Candela', ...titles], [...counts, totals]),
  `${alone.length} indicators are in none of these; other libraries, charts or publications have them, which their pages name.`,
  '',
  '## What they have that is not here',
  '',
  ...table(
    ['Name', 'In', 'Why not'],
    absent.map(({ name, reason, ...names }) => [
      cell(name),
      columns
        .filter(library => names[library])
        .map(library => `${libraries[library]} ${code(names[library])}`)
        .join(', ') || 'charts and smaller libraries',
      cell(reason),
    ]),
  ),
  ...Object.keys(categories).flatMap(category => [
    `## ${category}`,
    '',
    ...table(
      ['Indicator', ...titles],
      entries
        .filter(entry => entry.category === category)
        .map(({ name, namesElsewhere }) => [
          `[${name}](${pageOf(category)}#${name})`,
          ...columns.map(library => (namesElsewhere[library] ? code(namesElsewhere[library]) : '')),
        ]),
    ),
  ]),
].join('\n')
