// The page /help/agreement: every indicator compared with its namesakes in other programs, from docs/agreement.json, which
// bench/oracles/agreement.py writes.
import { readFileSync } from 'node:fs'
import { readDocstring } from '../kernel-docs.mjs'

const { libraries, indicators, edges } = JSON.parse(
  readFileSync(new URL('../../docs/agreement.json', import.meta.url), 'utf8'),
)
const rows = Object.entries(indicators)
const isEqualToOthers = ({ line }) => /^equal to (?!a second implementation)/.test(line)
const confirmed = rows.filter(([, each]) => isEqualToOthers(each)).length
const second = rows.filter(([, { line }]) => line.startsWith('equal to a second implementation')).length
const unconfirmed = rows.filter(([, each]) => !isEqualToOthers(each))
const programs = libraries.filter(({ isOurs }) => !isOurs).flatMap(({ title }) => title.split(', '))

const kinds = ['equal', 'equal after', 'different', 'not comparable']
/** The kind of a verdict such as "`CG`: equal after 289 candles". */
const kindOf = verdict =>
  /^`[^`]*`: (?:second implementation, )?(equal after|equal|different|not comparable)/.exec(verdict)?.[1]

function libraryRow({ title, version, isOurs }) {
  const found = rows.flatMap(([, { verdicts }]) => (verdicts[title] ? [kindOf(verdicts[title])] : []))
  const counts = kinds.map(kind => found.filter(each => each === kind).length)
  const name = isOurs ? `second implementation with ${title}` : title
  return `| ${[name, version, found.length, ...counts].join(' | ')} |`
}

const sourceOf = name => (readDocstring(name)?.source ?? '').replace(/\.$/, '').replaceAll('|', '\\|')

/** Number of indicators that agree with a program of others. */
export const agreementCount = { confirmed, all: rows.length }

export const agreementPage = [
  '# How the numbers agree with those of other programs',
  '',
  'Every indicator that has a namesake in one of these libraries is computed over four markets of the test vectors, candle by candle,',
  "with its defaults or with the parameters that are named. TradingView's values are those of its own exports, over their candles.",
  '',
  '- *Equal*: within 1e-9 of the value. A factor, a summand, another level of a running sum or other codes count only where',
  '  `settings.json` declares them, and are named; a factor that merely fits confirms nothing.',
  '- *Equal after n candles*: the library starts with another value, whose influence has ended by then.',
  '- *Second implementation*: the formula is written here a second time, with parts of a library. It does not count as agreement.',
  '- *Different*: the convention of each side. An output is compared with the nearest column of the library; where not all outputs',
  "  agree, those that do are named, beginning with the indicator's first.",
  '',
  'TA-Lib is the newest release of its crate in Rust, which its authors generate from the definitions of the C library.',
  '',
  `${confirmed} of ${rows.length} indicators agree candle by candle with at least one program that somebody else wrote, out of ${programs.length}; ${second} more agree`,
  'with a second implementation of ours only.',
  '',
  '| Library | Version | Compared | Equal | Equal after some candles | Different | Not comparable |',
  '|---|---|---:|---:|---:|---:|---:|',
  ...libraries.map(libraryRow),
  '',
  '| Indicator | Library | Verdict |',
  '|---|---|---|',
  ...rows.flatMap(([name, { verdicts }]) =>
    Object.entries(verdicts).map(([library, verdict]) => `| ${name} | ${library} | ${verdict} |`),
  ),
  '',
  '## Indicators that rest on their definition',
  '',
  `With these ${unconfirmed.length} no program above agrees that somebody else wrote. Their vectors come from a second implementation, in`,
  '`test/vectors/definitions` or with the libraries named above, written from this source:',
  '',
  '| Indicator | Source |',
  '|---|---|',
  ...unconfirmed.map(([name]) => `| \`${name}\` | ${sourceOf(name)} |`),
  ...edges,
  '',
].join('\n')
