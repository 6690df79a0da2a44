// Writes docs/exchanges.md: what ccxt knows about the candles of every exchange.
//
//   node scripts/docs-exchanges.mjs           writes the page
//   node scripts/docs-exchanges.mjs --check   fails if the page is out of date
//
// Both use the built service; `npm run docs` builds it first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCoverage } from '#dist/markets/exchanges/ccxt/coverage.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs', 'exchanges.md')
const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'ccxt', 'package.json'), 'utf8'))

const coverage = await readCoverage()
const timeframes = Object.keys(coverage[0].timeframes)

/** These characters have a meaning in Markdown. */
const escaped = text => text.replace(/[\\|*_<]/g, '\\$&')
const cellOf = origin => (origin === 'native' ? '•' : origin === null ? '–' : `from ${origin}`)

const rows = coverage.map(exchange => [
  `\`${exchange.id}\``,
  escaped(exchange.name),
  ...timeframes.map(timeframe => cellOf(exchange.timeframes[timeframe])),
  exchange.live,
  exchange.pageSize ?? '?',
  Math.round(10_000 / exchange.intervalMs) / 10,
  exchange.derivatives.join(' '),
  escaped(exchange.notes.join('; ')),
])
const head = [
  'Identifier',
  'Exchange',
  ...timeframes,
  'Live',
  'Candles per request',
  'Requests per second',
  'Derivatives',
  'Notes',
]
const watched = coverage.filter(({ live }) => live === 'watch').length
const complete = coverage.filter(exchange =>
  timeframes.every(each => exchange.timeframes[each] === 'native'),
).length

const page = [
  '# Exchanges',
  '',
  `What ccxt ${version} knows about the candles of its exchanges. Candles can be fetched from ${coverage.length} of them.`,
  'This page is written by `npm run docs`; do not edit it. `npx candela-ta exchanges --check` prints the same table. No request is',
  'sent to an exchange for it, so it shows what to expect, not what works today.',
  '',
  `- **Timeframes**: • is a timeframe of the exchange itself (${complete} exchanges have all of them); *from 1h* is resampled from 1h`,
  '  candles, including the forming one; – is not available. Days and weeks that an exchange opens at other times than 00:00 UTC',
  '  and Monday are resampled, too.',
  `- **Live**: *watch* (${watched} exchanges) uses a WebSocket of the exchange, *poll* sends requests at intervals.`,
  '- **Candles per request** is the maximum for spot markets, or for perpetual swaps if there are no spot markets; ? is unknown.',
  '- **Requests per second** is what the exchange allows for simple requests. The service stays below it.',
  '- **Derivatives** says what the exchange gives of its perpetuals and futures [beside candles](derivatives.md).',
  '- **Needs …** lists the ccxt options that `EXCHANGES` must contain, such as `{"luno":{"apiKey":"…","secret":"…"}}`.',
  '',
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map(row => `| ${row.join(' | ').trimEnd()} |`),
  '',
].join('\n')

if (process.argv[2] === '--check') {
  // A checkout on Windows may have other line endings.
  const current = existsSync(target) ? readFileSync(target, 'utf8').replaceAll('\r\n', '\n') : ''
  if (current !== page) {
    console.error('docs/exchanges.md is out of date: run npm run docs')
    process.exitCode = 1
  }
} else writeFileSync(target, page)
