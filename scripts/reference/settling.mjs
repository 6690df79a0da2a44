// The page /help/settling: the number of candles after which values do not depend on the start of the history.
import { describe } from '#dist/catalogue/description.js'
import { catalogue, categories } from '#dist/catalogue/index.js'
import { pageOf } from './indicators.mjs'

const entries = [...catalogue.values()].map(entry => ({ ...describe(entry), memory: entry.memory }))

const linkTo = ({ id, category }) => `[${id}](${pageOf(category)}#${id})`
const number = value => value.toLocaleString('en')
const listOf = found => found.map(linkTo).join(', ')

/** Indicators without a number: sums of everything, sides that a price has to cross, and combinations of them. */
const whole = entries.filter(({ memory }) => memory === 'whole')
const fading = entries.filter(({ memory }) => typeof memory === 'object')
const withNumber = fading.filter(({ settled8 }) => settled8 !== null)
const byMarket = fading.filter(({ settled8 }) => settled8 === null)

const byCategory = (all, line) =>
  Object.keys(categories).flatMap(category => {
    const own = all.filter(entry => entry.category === category)
    return own.length === 0 ? [] : [`**${category}**`, '', ...line(own), '']
  })

export const settlingPage = [
  '# When a value has settled',
  '',
  'A history has to begin somewhere, and many indicators remember where: the RSI over the last 100 candles is not the RSI over',
  'the last 1,000. This page says after how many candles that no longer shows, with default parameters. `GET /indicators` has the same numbers as',
  '`settled4` and `settled8`, and `candela indicators <name>` prints them. With other parameters they are others: twice the period of an average takes twice',
  'as many candles.',
  '',
  '[`settled=4`](values.md#settled-digits) withholds the values before. An [expression](expressions.md) settles when all its parts have: an indicator over',
  'another one continues where that has settled, windows add, and a longer timeframe counts in its own candles. [Another market](expressions.md#other-markets) counts as if it had a candle beside each. One part that never settles keeps the whole from it.',
  '',
  '| What a value depends on | `stability` |',
  '|---|---|',
  '| [its window and nothing older](#exact-after-the-warm-up) | `start-independent` |',
  '| [older candles ever less](#the-start-fades), in some as fast as [the market](#the-market-decides) lets them | `converging` |',
  '| [every candle since the first one](#never) | `path-dependent` |',
  '',
  '## The start fades',
  '',
  'The number of candles before the first value whose first four, and eight, digits are the same wherever the history begins. They follow',
  'from the weights of the averages in the indicator: an exponential average over n candles keeps (n − 1) / (n + 1) of its past with each candle, Wilder’s',
  '(n − 1) / n, and several in a row forget as a chain. The candles before the start must weigh less than a hundredth of the last digit.',
  '',
  'Digits are counted from the usual size of the values: an oscillator that crosses zero has no digits of its own there. Signals and other decisions are the same',
  'from then on, unless a comparison is as close as the last digit. After a spike a thousand times as large as all later values, three digits fewer stand.',
  '',
  'Tests begin each indicator at six different candles of several markets, and hold it to these numbers, with default and other parameters. No number is more than four times',
  'what was measured in the worst market.',
  '',
  ...byCategory(withNumber, own => [
    '| Indicator | First value | 4 digits | 8 digits |',
    '|---|---|---|---|',
    ...own.map(
      entry =>
        `| ${linkTo(entry)} | ${number(entry.lookback)} | ${number(entry.settled4)} | ${number(entry.settled8)} |`,
    ),
  ]),
  '## The market decides',
  '',
  'These forget their start, but their weights have no lower bound: where nothing moves, or nothing is traded, they stay as they are. No number is promised.',
  '',
  listOf(byMarket),
  '',
  '## Never',
  '',
  'These depend on every candle since the first one, so two histories that begin at different candles may never agree. Running totals such as `obv`',
  'differ by a constant for ever, and only their changes compare. Trailing stops such as `supertrend` and `psar` are on a side, and',
  'agree from the first candle at which both histories have changed sides; until then they need not. Zigzags, market structure and chart patterns agree from the first turning point',
  'that both have found, extremes of all time once the older extreme has been passed, and what begins anew with a day, a week or another span',
  '(`vwap`, `pivotpoints`, `sessions`) with the first whole span. Positions that are counted from the first candle, such as `maxindex`, never do.',
  '`logreturn` and `percentreturn` are sums with `cumulative` only, and `pricevolume` remembers a side with `signed` only.',
  '',
  ...byCategory(whole, own => [listOf(own)]),
  '## Bars',
  '',
  'The bars of a [chart](values.md#charts) are made of all candles since the first one, so an indicator over them inherits what they remember:',
  '',
  '- **Heikin-Ashi**: half of the difference of two starts is left after each candle, and after about 50 candles none.',
  '- **`renko:<size>`**: the levels are the same whatever the start, because they are multiples of the size. Two starts have the same bricks from the first',
  '  candle on that completes one in both, at the latest the third brick after the later start.',
  '- **`range:<size>`**: two starts have the same bars once the price has turned by the size, because both bars then have the turning point as their extreme.',
  '- **`renko:atr<n>`**: the levels change with the size. Two starts have the same bricks from the first candle on that completes one in both when their average true',
  '  ranges agree in two digits. The market decides when that is.',
  '- **`linebreak:<n>`**: two starts have the same lines after n lines in a row that lie beyond all prices since the later start. The market decides when that is.',
  '',
  '## Exact after the warm-up',
  '',
  'All others: their first value is as good as any later one. It comes after the warm-up that [the page of the indicator](indicators.md) states.',
  '',
].join('\n')
