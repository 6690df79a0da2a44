// The page /help/exchanges: what ccxt knows about the candles of every exchange.
import { readFileSync } from 'node:fs'
import { readCoverage } from '#dist/markets/exchanges/ccxt/exchange-list.js'

const { version } = JSON.parse(
  readFileSync(new URL('../../node_modules/ccxt/package.json', import.meta.url), 'utf8'),
)

const coverage = readCoverage()
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

export const exchangesPage = [
  '# Exchanges',
  '',
  `What ccxt ${version} knows about the candles of its exchanges. Candles can be fetched from ${coverage.length} of them.`,
  '`npx candela-ta exchanges --check` prints the same table. No request is sent to an exchange for it, so it shows what to expect,',
  'not what works today.',
  '',
  `- **Timeframes**: • is a timeframe of the exchange itself (${complete} exchanges have all of them); *from 1h* is resampled from 1h`,
  '  candles, including the forming one; – is not available. Days and weeks that an exchange opens at other times than 00:00 UTC',
  '  and Monday are resampled, too.',
  `- **Live**: *watch* (${watched} exchanges) uses a WebSocket of the exchange, *poll* sends requests at intervals.`,
  '- **Candles per request** is the maximum for spot markets, or for perpetual swaps if there are no spot markets; ? is unknown.',
  '- **Requests per second** is what the exchange allows for simple requests. The service stays below it.',
  '- **Derivatives** says what the exchange gives of its perpetuals and futures in addition to candles.',
  '- **Needs …** lists the ccxt options that `EXCHANGES` must contain, such as `{"luno":{"apiKey":"…","secret":"…"}}`.',
  '',
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map(row => `| ${row.join(' | ').trimEnd()} |`),
  '',
].join('\n')
