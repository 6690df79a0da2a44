import type { Description, ParameterDescription } from '../../src/catalogue/description.js'
import type { Draw } from './draw.js'

export const timeframes = ['1m', '5m', '15m', '1h', '4h', '1d', '1w']
const symbols = ['BTCUSDT', 'ethusdt', 'SOL/USDT', 'bnb-usdt', 'BTC_USDT', 'NOPE', 'X'.repeat(101)]
// No exchange of the network: a fuzz must not send requests to strangers.
const wrongExchanges = ['DEMO', 'dmeo', 'nowhere', '']
const numbers = [0, -0, 1, -1, 2, 0.5, 1e-7, 1e308, -1e308, 2 ** 31, 2 ** 53, 500, 501, 1e21]
const words = [
  'max',
  'true',
  'null',
  '',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '💥',
  '.5',
  '1e3',
  '0x1f',
]

/** Any value that JSON can hold; small ones are more frequent. */
export function anyValue(draw: Draw, depth = 0): unknown {
  switch (draw.below(depth > 3 ? 5 : 7)) {
    case 0:
      return draw.pick([null, true, false])
    case 1:
      return draw.pick(numbers)
    case 2:
      return draw.pick(words)
    case 3:
      return draw.text(40)
    case 4:
      return 'x'.repeat(draw.below(300))
    case 5:
      return draw.list(4, () => anyValue(draw, depth + 1))
    default:
      return Object.fromEntries(
        draw.list(4, () => [draw.pick([...words, draw.text(8)]), anyValue(draw, depth + 1)]),
      )
  }
}

/** The value of a parameter: mostly valid, sometimes at or beyond its bounds, sometimes of another kind. */
export function parameterValue(draw: Draw, parameter: ParameterDescription): unknown {
  if (draw.chance(0.04)) return anyValue(draw)
  const { type, minimum = 0, maximum = 10, choices } = parameter
  if (choices) return draw.pick(choices)
  if (type === 'boolean') return draw.chance(0.5)
  if (draw.chance(0.06)) return draw.pick([minimum, maximum, minimum - 1, maximum + 1, draw.pick(numbers)])
  const value = minimum + draw.number() * Math.min(maximum - minimum, 60)
  return type === 'integer' ? Math.round(value) : value
}

/** Charts, some with very small or very large bars, and invalid ones. */
const charts = [
  'heikinashi',
  'renko:0.01',
  'renko:1e-12',
  'renko:50',
  'renko:atr14',
  'range:1e12',
  'range:0.5',
  'linebreak:3',
  'candles',
  'renko',
  'range:NaN',
  'linebreak:0',
  7,
]

/** Times of today's candles, times long before and after them, and invalid ones. */
const times = [
  1_763_600_000,
  1_763_683_200,
  '2025-11-20',
  '2025-11-20T12:00:00Z',
  0,
  1e11,
  -1,
  '2025-02-30',
  'x',
]

/** The fields of a query about an indicator. */
export function queryFields(draw: Draw, { parameters }: Description): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const parameter of parameters)
    if (draw.chance(0.4)) fields[parameter.name] = parameterValue(draw, parameter)
  if (draw.chance(0.4))
    fields.results = draw.pick(draw.chance(0.9) ? [1, 2, 10, 100, 'max'] : [0, -1, 1.5, 1e9])
  if (draw.chance(0.3))
    fields.backtrack = draw.pick(draw.chance(0.9) ? [0, 1, 5, 50] : [999, 1000, 1e9, -1, 0.5])
  if (draw.chance(0.1)) fields.chart = draw.pick(charts)
  if (draw.chance(0.1)) fields.settled = draw.pick(draw.chance(0.9) ? [1, 4, 8] : [0, 9, 1.5, 'x'])
  for (const name of ['from', 'to', 'asOf']) if (draw.chance(0.04)) fields[name] = draw.pick(times)
  if (draw.chance(0.05)) fields.source = draw.pick(['close', 'hl2', 'clsoe', 7])
  if (draw.chance(0.04)) fields[draw.pick([...words, draw.text(10), 'peroid', 'secret'])] = anyValue(draw)
  return fields
}

/** The fields that name a market. */
export function marketFields(draw: Draw): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    exchange: draw.chance(0.95) ? 'demo' : draw.pick(wrongExchanges),
    symbol: draw.chance(0.95) ? draw.pick(symbols.slice(0, 4)) : draw.pick(symbols),
    timeframe: draw.chance(0.96) ? draw.pick(timeframes) : draw.pick(['2h', '1M', 60, null]),
  }
  if (draw.chance(0.05)) delete fields[draw.pick(Object.keys(fields))]
  if (draw.chance(0.03)) fields[draw.pick(Object.keys(fields))] = anyValue(draw)
  return fields
}

/** Candles of a caller: a walk that is valid up to one fault in every fourth list. */
export function candles(draw: Draw): unknown {
  if (draw.chance(0.05)) return anyValue(draw)
  const isShort = draw.chance(0.5)
  const isTimed = draw.chance(0.7)
  let price = draw.pick([1, 100, 1e-8, 1e8])
  const list: Record<string, unknown>[] = Array.from(
    { length: draw.pick([0, 1, 2, 30, 30, 100, 499, 500, 501]) },
    (_, i) => {
      const open = price
      price *= 0.98 + draw.number() * 0.04
      const [high, low] = [Math.max(open, price), Math.min(open, price)]
      const time = isTimed ? { [isShort ? 't' : 'timestamp']: 1_700_000_000 + i * 3600 } : {}
      return isShort
        ? { ...time, o: open, h: high, l: low, c: price, v: i }
        : { ...time, open, high, low, close: price, volume: i }
    },
  )
  if (list.length > 0 && draw.chance(0.25)) {
    const candle = draw.pick(list)
    const field = draw.pick([...Object.keys(candle), 'extra'])
    if (draw.chance(0.3)) delete candle[field]
    else candle[field] = draw.chance(0.1) ? deepMark : anyValue(draw)
  }
  return list
}

/** Stands for a value that is nested too deeply to be written by `JSON.stringify`. */
const deepMark = 'deep\u0001'

/** The JSON text of a value. */
export const textOf = (draw: Draw, value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(JSON.stringify(deepMark), () => deepText(draw))

/** The text of a deeply nested value. */
export function deepText(draw: Draw): string {
  const depth = draw.pick([50, 1_000, 5_000])
  return draw.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
