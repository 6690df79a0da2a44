import type { Description } from '../../src/catalogue/description.js'
import type { Draw } from './draw.js'
import { anyValue, candles, marketFields, timeframes } from './values.js'

const prices = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4']
const operators = ['<', '<=', '>', '>=', '==', '!=', 'and', 'or', '&&', '||', '+', '-', '*', '/', '%']
const functions = ['crossover', 'rising', 'highest', 'max', 'if', 'nz', 'na', 'pow', 'abs', 'sma', 'ema']
const strange = [
  '',
  '(',
  ')',
  '[',
  '@',
  '.',
  ',',
  '=',
  '\0',
  '💥',
  '__proto__',
  'constructor',
  '1e999',
  '0x1f',
]

/** A number, a price, an indicator or an operation; mostly as the language has it. */
function part(draw: Draw, indicators: readonly Description[], depth: number): string {
  const inner = () => part(draw, indicators, depth + 1)
  switch (draw.below(depth > 4 ? 2 : 9)) {
    case 0:
      return draw.pick(prices)
    case 1:
      return String(draw.pick([0, 1, 14, 0.5, 30, 1e9]))
    case 2: {
      const { id, outputs } = draw.pick(indicators)
      const parameters = draw.chance(0.5) ? `(${draw.below(60)})` : ''
      const output = outputs.length > 1 || draw.chance(0.02) ? `.${draw.pick(outputs).name}` : ''
      return `${id}${parameters}${output}`
    }
    case 3:
    case 4:
      return `(${inner()} ${draw.pick(operators)} ${inner()})`
    case 5:
      return `${draw.pick(functions)}(${inner()}, ${draw.chance(0.5) ? draw.below(30) : inner()})`
    case 6:
      return `${draw.pick(['not ', '-', '!'])}${inner()}`
    case 7:
      return `${inner()}[${draw.pick([0, 1, 5, 500, 501, -1])}]`
    default:
      return `${inner()}@${draw.pick([...timeframes, '2h'])}`
  }
}

/** Parts of a condition that mostly has no fault, because of two numbers that are compared. */
const condition = (draw: Draw): string =>
  `${draw.pick(['rsi(14)', 'close', 'ema(20)', 'sma(rsi(9), 5)'])} ${draw.pick(['<', '>', '>='])} ${draw.pick(['30', 'open', 'close[1]', 'highest(high, 20)[1]', 'ema(close, 5)@4h'])}`

/** An expression as a client may write it: valid, made of parts that do not fit, damaged, or far too large. */
export function expression(draw: Draw, indicators: readonly Description[]): unknown {
  const kind = draw.number()
  if (kind < 0.5) return condition(draw)
  if (kind < 0.8) return part(draw, indicators, 0)
  if (kind < 0.9) {
    const text = part(draw, indicators, 0)
    const at = draw.below(text.length + 1)
    return text.slice(0, at) + draw.pick([...strange, draw.text(6)]) + text.slice(at + draw.below(3))
  }
  if (kind < 0.95) {
    const count = draw.pick([20, 33, 400, 5_000])
    return draw.pick([
      `${'('.repeat(count)}close${')'.repeat(count)}`,
      `${'-'.repeat(count)}close`,
      Array(count).fill('close').join(' + '),
      `close${'[1]'.repeat(count)}`,
      `${'sma('.repeat(count)}close${', 2)'.repeat(count)}`,
    ])
  }
  return anyValue(draw)
}

const select = (draw: Draw, indicators: readonly Description[]): unknown =>
  Object.fromEntries(
    draw.list(draw.pick([2, 3, 14]), () => [
      draw.pick(['a', 'b', 'rsi', 'symbol', '__proto__', draw.text(4)]),
      expression(draw, indicators),
    ]),
  )

/** The body of a request to one of the paths that take expressions. No alert is made: it would stay. */
export function expressionBody(draw: Draw, path: string, indicators: readonly Description[]): unknown {
  const text = () => expression(draw, indicators)
  const { symbol, ...market } = marketFields(draw)
  const more = draw.chance(0.04) ? { [draw.text(6)]: anyValue(draw) } : {}
  switch (path) {
    case '/expression':
      return { expression: text(), candles: candles(draw), results: draw.pick([1, 'max', 0]), ...more }
    case '/screen':
      return {
        ...market,
        ...draw.pick([{ symbols: [symbol] }, { symbols: [symbol, 'ETHUSDT'] }, { quote: 'BTC' }]),
        ...{ where: text(), select: draw.chance(0.5) ? select(draw, indicators) : undefined },
        ...{ orderBy: draw.pick([undefined, 'a desc', text()]), limit: draw.pick([undefined, 1, 0, 'x']) },
        ...more,
      }
    case '/evaluate':
      return {
        ...(draw.chance(0.7) ? { ...market, symbol } : { candles: candles(draw) }),
        ...{ entry: text(), exit: draw.chance(0.5) ? text() : undefined },
        ...{
          fee: draw.pick([undefined, 0.001, -1, 'x']),
          horizons: draw.pick([undefined, [1, 5], [], [0], 7]),
        },
        ...more,
      }
    default:
      return {
        ...{ ...market, symbol, expression: text(), on: draw.pick([undefined, 'close', 'open']) },
        // Each of these is refused.
        webhook: draw.pick([
          'http://127.0.0.1:1/x',
          'ftp://example.com',
          'https://[::1]/',
          7,
          'x'.repeat(3_000),
        ]),
        ...more,
      }
  }
}

/** Parts of expressions in other languages, and parts whose repetition keeps a reader busy. */
const foreign = [
  ...['a', ' ', '\t', '<', '=', '=>', '<>', '(', ')', '[-1]', '{', '}', '"', '0', '_', '.', '💥', '\0'],
  ...[
    ' crosses above ',
    ' crossed_under ',
    ' and ',
    'ta.rsi',
    'macd.hist ',
    'sma200',
    'clsoe',
    'rsi(length=14)',
  ],
]

/**
 * A text that a model may write as an expression, or a text that a client has made slow to read. At most as long as
 * the longest allowed text.
 */
function foreignExpression(draw: Draw): string {
  const parts = draw.list(4, () => draw.pick(foreign))
  const most = draw.pick([20, 300, 990, 1_001])
  const texts: string[] = []
  for (let length = 0; length < most && parts.length > 0; ) {
    const part = draw.pick(parts).repeat(draw.pick([1, 1, 5, 200]))
    texts.push(part)
    length += part.length
  }
  return texts.join('').slice(0, most)
}

/** A message to a tool for language models. */
export function toolMessage(draw: Draw, indicators: readonly Description[]): unknown {
  const text = () => (draw.chance(0.6) ? foreignExpression(draw) : expression(draw, indicators))
  const { symbol, ...market } = marketFields(draw)
  const name = draw.pick([
    'compute',
    'compute',
    'screen',
    'evaluate',
    'breadth',
    'find_indicators',
    'markets',
    'x',
  ])
  const given: Readonly<Record<string, unknown>> = {
    compute: { ...market, symbols: [symbol], expression: text() },
    screen: { ...market, symbols: [symbol], where: text(), select: { a: text() } },
    evaluate: { ...market, symbol, entry: text() },
    breadth: { ...market, symbols: [symbol], where: text() },
    find_indicators: { query: foreignExpression(draw) },
    markets: { search: foreignExpression(draw), ...market },
    x: anyValue(draw),
  }
  const method = draw.chance(0.9)
    ? 'tools/call'
    : draw.pick(['initialize', 'tools/list', 'resources/read', 'x'])
  const params = draw.chance(0.95) ? { name, arguments: given[name] } : anyValue(draw)
  return { jsonrpc: '2.0', id: draw.chance(0.95) ? 1 : anyValue(draw), method, params }
}
