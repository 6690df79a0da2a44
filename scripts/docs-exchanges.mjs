// Writes docs/exchanges.md: what ccxt knows about the candles of every exchange.
//
//   node scripts/docs-exchanges.mjs           writes the page
//   node scripts/docs-exchanges.mjs --check   fails where the page is not what would be written
//
// Both read the built service; `npm run docs` builds it before.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCoverage } from '#dist/exchanges/ccxt/coverage.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs', 'exchanges.md')
const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'ccxt', 'package.json'), 'utf8'))

const coverage = await readCoverage()
const timeframes = Object.keys(coverage[0].timeframes)

/** Outside of code, Markdown would take these for its own. */
const escaped = text => text.replace(/[\\|*_<]/g, '\\$&')
const cellOf = origin => (origin === 'native' ? '•' : origin === null ? '–' : `from ${origin}`)

const rows = coverage.map(exchange => [
  `\`${exchange.id}\``,
  escaped(exchange.name),
  ...timeframes.map(timeframe => cellOf(exchange.timeframes[timeframe])),
  exchange.live,
  exchange.pageSize ?? '?',
  Math.round(10_000 / exchange.intervalMs) / 10,
  escaped(exchange.notes.join('; ')),
])
const head = [
  'Identifier',
  'Exchange',
  ...timeframes,
  'Live',
  'Candles per request',
  'Requests per second',
  'Notes',
]
const watched = coverage.filter(({ live }) => live === 'watch').length
const whole = coverage.filter(exchange =>
  timeframes.every(each => exchange.timeframes[each] === 'native'),
).length

const page = [
  '# Exchanges',
  '',
  `What ccxt ${version} knows about the candles of its exchanges; candles can be fetched from ${coverage.length} of them. This page is`,
  'written by `npm run docs`, do not edit it; `npx candela exchanges --check` prints the same in the terminal. No exchange is',
  'asked for it, so it says what is to be expected, not what works today.',
  '',
  `- **Timeframes**: • is the exchange's own (all seven at ${whole} exchanges); *from 1h* is made of the exchange's hours, the`,
  '  forming candle included; – cannot be had. Days and weeks that an exchange opens at other times than 00:00 UTC and Monday',
  '  are made of finer candles, too.',
  `- **Live**: *watch* (${watched} exchanges) is a WebSocket of the exchange, *poll* asks again and again.`,
  '- **Candles per request** is the bound for spot markets, and for perpetual swaps where there are no others; ? is unknown.',
  '- **Requests per second** is what the exchange allows for simple ones. The service stays below it.',
  '- **Needs …** names ccxt options that `EXCHANGES` must give, such as `{"luno":{"apiKey":"…","secret":"…"}}`.',
  '',
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map(row => `| ${row.join(' | ').trimEnd()} |`),
  '',
].join('\n')

if (process.argv[2] === '--check') {
  // A checkout on Windows may have other line ends.
  const current = existsSync(target) ? readFileSync(target, 'utf8').replaceAll('\r\n', '\n') : ''
  if (current !== page) {
    console.error('docs/exchanges.md is not what ccxt says: run npm run docs')
    process.exitCode = 1
  }
} else writeFileSync(target, page)
