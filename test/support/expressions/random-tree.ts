import type { Tree } from './tree.js'

const columns = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4']

/** Indicators of one input with short windows, by their parameters. */
const ofOneInput: Readonly<Record<string, readonly string[]>> = {
  sma: ['period'],
  ema: ['period'],
  wma: ['period'],
  rsi: ['period'],
  mom: ['period'],
  stddev: ['period', 'nbDev'],
  sum: ['period'],
  kama: ['period'],
  linreg: ['period'],
  median: ['period'],
  cumsum: [],
  abs: [],
  ln: [],
  exp: [],
  acos: [],
  streak: [],
}
/** Indicators of several columns of the candles. */
const ofCandles: Readonly<Record<string, readonly string[]>> = {
  atr: ['period'],
  obv: [],
  mfi: ['period'],
  doji: [],
}
const withOutputs: Readonly<Record<string, readonly string[]>> = {
  bbands: ['valueUpperBand', 'valueMiddleBand', 'valueLowerBand'],
  minmax: ['valueMin', 'valueMax'],
  ht_phasor: ['valueInPhase'],
}

type Next = () => number

type Timeframe = Extract<Tree, { readonly kind: 'timeframe' }>['timeframe']

/** Choices of an expression at a place. */
export interface Scope {
  /** Timeframes longer than that of the candles; none inside a longer timeframe or another market. */
  readonly timeframes: readonly Timeframe[]
  /** Other markets in the spelling between braces. */
  readonly markets: readonly string[]
}
const shortHistory: Scope = { timeframes: ['30m', '1h', '2h', '4h'], markets: [] }
const inside: Scope = { timeframes: [], markets: [] }

const pick = <Item>(items: readonly Item[], next: Next): Item =>
  items[Math.floor(next() * items.length)] as Item
const whole = (from: number, to: number, next: Next) => from + Math.floor(next() * (to - from + 1))

const paramsOf = (names: readonly string[], next: Next): Record<string, number> =>
  Object.fromEntries(names.map(name => [name, name === 'nbDev' ? 2 : whole(2, 6, next)]))

/** Input of an indicator or a window: no plain number, which would be a parameter. */
function randomInput(depth: number, next: Next, scope: Scope): Tree {
  const input = randomNumber(depth, next, scope)
  const isNumber = input.kind === 'number' || (input.kind === 'unary' && input.of.kind === 'number')
  return isNumber ? { kind: 'column', name: 'high' } : input
}

/** A function of the newest candles. */
const ofWindow = (name: string, depth: number, next: Next, scope: Scope): Tree => ({
  kind: 'function',
  name,
  args: [randomInput(depth, next, scope), { kind: 'number', value: whole(1, 5, next) }],
})

/** A random number over the candles of one of these markets. */
export function randomOther(
  markets: readonly string[],
  depth: number,
  next: Next,
  timeframes: readonly Timeframe[] = ['30m', '1h'],
): Tree {
  return ofOther(randomNumber(depth, next, inside), { markets, timeframes }, next)
}

const ofOther = (of: Tree, { markets, timeframes }: Scope, next: Next): Tree => {
  const market = pick(markets, next)
  return next() < 0.3
    ? { kind: 'market', of, market, timeframe: pick(timeframes, next) }
    : { kind: 'market', of, market }
}

/** A part over the candles of a longer timeframe or of another market. */
const ofOtherCandles = (of: Tree, scope: Scope, next: Next): Tree =>
  scope.markets.length > 0 && next() < 0.5
    ? ofOther(of, scope, next)
    : { kind: 'timeframe', of, timeframe: pick(scope.timeframes, next) }

/** A random numeric expression, at most `depth` levels deep. */
export function randomNumber(depth: number, next: Next, scope = shortHistory): Tree {
  if (depth <= 0) {
    if (next() < 0.3) return { kind: 'number', value: whole(-3, 120, next) / pick([1, 2, 8], next) }
    return { kind: 'column', name: pick(columns, next) }
  }
  const number = () => randomNumber(depth - 1, next, scope)
  const condition = () => randomCondition(depth - 1, next, scope)
  const candles = (): Tree => ({ kind: 'number', value: whole(1, 9, next) })
  switch (whole(0, 10, next)) {
    case 0:
    case 1:
      return {
        kind: 'binary',
        operator: pick(['+', '-', '*', '/', '%'], next),
        left: number(),
        right: number(),
      }
    case 2: {
      const [id, names] = pick(Object.entries(ofOneInput), next)
      return { kind: 'indicator', id, params: paramsOf(names, next), inputs: [] }
    }
    case 3: {
      const [id, names] = pick(Object.entries(ofOneInput), next)
      const inputs = [randomInput(depth - 1, next, scope)]
      return { kind: 'indicator', id, params: paramsOf(names, next), inputs }
    }
    case 4: {
      const [id, names] = pick(Object.entries(ofCandles), next)
      return { kind: 'indicator', id, params: paramsOf(names, next), inputs: [] }
    }
    case 5: {
      const [id, outputs] = pick(Object.entries(withOutputs), next)
      const params = id === 'ht_phasor' ? [] : ['period']
      return {
        kind: 'indicator',
        id,
        params: paramsOf(params, next),
        output: pick(outputs, next),
        inputs: [],
      }
    }
    case 6: {
      const barsSince: Tree = { kind: 'function', name: 'barssince', args: [condition()] }
      return { kind: 'history', of: number(), candles: next() < 0.4 ? barsSince : whole(0, 5, next) }
    }
    case 7:
      if (scope === inside) return { kind: 'unary', operator: '-', of: number() }
      return ofOtherCandles(randomNumber(depth - 1, next, inside), scope, next)
    case 8:
      return { kind: 'function', name: 'if', args: [condition(), number(), number()] }
    case 9:
      return ofWindow(pick(['highest', 'lowest'], next), depth - 1, next, scope)
    default: {
      const name = pick(
        [
          ...['nz', 'nz', 'min', 'max', 'pow', 'sign', 'change', 'barssince', 'valuewhen', 'fixnan'],
          ...['round_to', 'pivothigh', 'pivotlow', 'vwap'],
        ],
        next,
      )
      if (name === 'vwap') {
        const input = randomInput(depth - 1, next, scope)
        return { kind: 'function', name, args: [input, condition()] }
      }
      if (name.startsWith('pivot')) {
        const spans: Tree[] = [1, 0].map(least => ({ kind: 'number', value: whole(least, 4, next) }))
        return { kind: 'function', name, args: next() < 0.3 ? spans : [number(), ...spans] }
      }
      if (name === 'valuewhen') {
        const occurrence: Tree = { kind: 'number', value: whole(0, 3, next) }
        return { kind: 'function', name, args: [condition(), number(), occurrence] }
      }
      if (name === 'sign' || name === 'fixnan') return { kind: 'function', name, args: [number()] }
      if (name === 'barssince') return { kind: 'function', name, args: [condition()] }
      const args = [number(), name === 'change' ? candles() : number()]
      if (name === 'nz' && next() < 0.3) args.pop()
      else if (name.startsWith('m') && next() < 0.3) args.push(number())
      return { kind: 'function', name, args }
    }
  }
}

/** A random condition, at most `depth` levels deep. */
export function randomCondition(depth: number, next: Next, scope = shortHistory): Tree {
  const number = () => randomNumber(depth - 1, next, scope)
  const condition = () => randomCondition(depth - 1, next, scope)
  const candles = (): Tree => ({ kind: 'number', value: whole(1, 9, next) })
  const kind = depth <= 0 ? whole(0, 1, next) : whole(0, 10, next)
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return {
        kind: 'binary',
        operator: pick(['<', '<=', '>', '>=', '==', '!='], next),
        left: number(),
        right: number(),
      }
    case 3:
      return { kind: 'binary', operator: pick(['and', 'or'], next), left: condition(), right: condition() }
    case 4:
      return { kind: 'unary', operator: 'not', of: condition() }
    case 5:
      return {
        kind: 'function',
        name: pick(['crossover', 'crossunder', 'cross'], next),
        args: [number(), number()],
      }
    case 6:
      if (next() < 0.4) return { kind: 'function', name: 'within', args: [condition(), candles()] }
      return { kind: 'function', name: 'na', args: [next() < 0.7 ? number() : condition()] }
    case 7:
      return ofWindow(pick(['rising', 'falling'], next), depth - 1, next, scope)
    case 8:
      if (next() < 0.5)
        return { kind: 'binary', operator: pick(['==', '!='], next), left: condition(), right: condition() }
      return { kind: 'function', name: 'if', args: [condition(), condition(), condition()] }
    case 9:
      if (scope === inside) return { kind: 'function', name: 'nz', args: [condition()] }
      return ofOtherCandles(randomCondition(depth - 1, next, inside), scope, next)
    default:
      return { kind: 'history', of: condition(), candles: whole(0, 3, next) }
  }
}
