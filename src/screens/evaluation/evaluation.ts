import { allBefore, allUntil, Columns, closedCandles, type Inputs } from '../../candles/columns.js'
import { formatCount } from '../../candles/format-count.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { usualDigits } from '../../catalogue/fading.js'
import type { Evaluation, Trade, TradeStatistics } from '../../client/types.js'
import { refuseRange } from '../../compute/answer.js'
import {
  type CompiledExpression,
  compileExpressions,
  type Reliance,
  relianceOf,
} from '../../compute/expressions/compile.js'
import type { RangeColumns } from '../../compute/ranges/range-answers.js'
import { maxPoints } from '../../contract/limits.js'
import { notEnoughCandles, notSettled, type Refusal } from '../../contract/refusals.js'
import type { TimeRange } from '../../contract/time-range.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { conditionTexts, type EvaluationRequest } from './request.js'
import { type Direction, definedOf, meanOf, returnsAfter, signalsOf, statisticsOf } from './signal-returns.js'

/** Number of cases below which confidence intervals are wide and the statistics mean little. */
const fewCases = 30
/** Maximum number of listed trades. */
const maxListed = 200

/** Values of the entry and the exit condition at each candle: 1, 0, or NaN if undefined. */
export type Conditions = readonly Float64Array[]

/** Evaluated candles: a part of a history, including candles before the range. */
export interface EvaluatedCandles {
  /** Closed candles only. */
  readonly inputs: Inputs
  /** Number of candles in the history before them. */
  readonly before: number
  /** Index of the first candle in the range. */
  readonly begin: number
}

/** Evaluated candles of inputs, or the refusal if there are none: the closed ones up to the end of a range. */
export function candlesWithin(range: TimeRange, inputs: Inputs): EvaluatedCandles | Refusal {
  const [current, ...others] = inputs
  const [all] = closedCandles(inputs)
  const count = allUntil(all, range.to)
  const within = closedCandles([{ ...all, older: undefined }, ...others], count)
  const begin = Math.min(count, allBefore(within[0], range.from))
  const hasRange = Number.isFinite(range.from) || Number.isFinite(range.to)
  const outside = hasRange && refuseRange(range, count - begin, current)
  return outside || { inputs: within, before: 0, begin }
}

/**
 * Evaluates conditions at candles, in steps between which the event loop can run other work. The last step returns the
 * result. Overwrites conditions at candles where they have not settled.
 */
export function* evaluate(
  compiled: CompiledExpression,
  request: EvaluationRequest,
  { inputs: [snapshot], before, begin }: EvaluatedCandles,
  conditions: Conditions,
): Resumable<Evaluation | Refusal> {
  const { direction, fee, horizons, exit } = request
  const { columns, count, isFull = false } = snapshot
  const known = before + count
  const { depth, spec } = compiled
  if (known < depth) return notEnoughCandles(spec.indicator.name, depth, known, isFull)
  const required = reliancesOf(compiled, request.settled ?? usualDigits)
  const lacking = known > firstOf(required) ? undefined : firstOf(required) + 1
  if (lacking !== undefined && request.settled !== undefined)
    return notSettled(spec.indicator.name, request.settled, lacking, known, isFull)
  const reliances = lacking === undefined ? required : reliancesOf(compiled, 0)
  const [entries, exits] = conditions as [Float64Array, Float64Array]
  const unreliable = (k: number) => Math.max(0, (reliances[k]?.first ?? 0) - before)
  entries.fill(Number.NaN, 0, unreliable(0))
  exits?.fill(Number.NaN, 0, unreliable(1))
  yield
  const isInRange = (i: number) => i >= begin
  const signals = signalsOf(entries).filter(isInRange)
  const defined = definedOf(entries).filter(isInRange)
  const all = Int32Array.from({ length: count - begin }, (_, k) => begin + k)
  const returns: Evaluation['returns'][number][] = []
  for (const after of horizons) {
    const statistics = (candles: Int32Array) =>
      statisticsOf(returnsAfter(columns, count, candles, after, direction))
    const ofSignals = statistics(signals)
    yield
    returns.push({ after, signals: ofSignals, baseline: statistics(all) })
    yield
  }
  const warnings = warningsOf(signals, horizons)
  if (lacking !== undefined) warnings.push(lackingWarning(lacking, known))
  for (const [k, { unsettling }] of reliances.entries())
    if (unsettling) warnings.push(unsettledWarning(compiled.outputs[k]?.name, unsettling.name))
  const common = {
    candles: defined.length,
    from: columns.timestamp[defined[0] ?? count - 1] as number,
    to: columns.timestamp[count - 1] as number,
    fired: signals.length,
    returns,
  }
  if (exit === undefined) return { ...common, warnings }
  const first = defined[0] ?? count
  const run = runTrades(columns, count, { signals, exit: exits }, direction, fee)
  yield
  const trades = tradeStatistics(run, columns, begin, first, direction)
  if (run.trades.length > 0 && run.trades.length < fewCases)
    warnings.push(
      `Only ${formatCount(run.trades.length, 'trade')} ended: fewer than ${fewCases} say little about the next ones.`,
    )
  return { ...common, trades, equity: curveOf(run.equity, columns, first), warnings }
}

const reliancesOf = (compiled: CompiledExpression, digits: number): readonly Reliance[] =>
  compiled.outputs.map((_, k) => relianceOf(compiled, k, digits))

/** First candle at which all conditions are reliable. */
const firstOf = (reliances: readonly Reliance[]): number => Math.max(...reliances.map(({ first }) => first))

const lackingWarning = (needed: number, count: number): string =>
  `${usualDigits} digits have settled after ${formatCount(needed, 'candle')}, and the history has ${count}: signals may depend on the start of the history.`

const unsettledWarning = (condition: string | undefined, indicator: string): string =>
  `The ${condition} never settles, because of ${indicator}: its signals depend on the start of the history.`

function warningsOf(signals: Int32Array, horizons: readonly number[]): string[] {
  const count = signals.length
  if (count === 0) return ['The entry never became true.']
  const warnings: string[] = []
  if (count < fewCases)
    warnings.push(
      `The entry became true ${formatCount(count, 'time')}: fewer than ${fewCases} say little about the next ones.`,
    )
  const longest = horizons.at(-1) as number
  let overlapping = 0
  for (let k = 1; k < count; k++)
    if ((signals[k] as number) - (signals[k - 1] as number) < longest) overlapping++
  if (overlapping > 0)
    warnings.push(
      `${overlapping} of ${count} signals came within ${formatCount(longest, 'candle')} of the previous one: such returns are not independent, so the intervals are too narrow.`,
    )
  return warnings
}

function tradeStatistics(
  { trades, open, equity, exposed }: TradeRun,
  { timestamp, open: opens, close }: Columns,
  begin: number,
  first: number,
  direction: Direction,
): TradeStatistics {
  const returns = Float64Array.from(trades, trade => trade.return)
  const gained = returns.filter(each => each > 0).reduce((sum, each) => sum + each, 0)
  const lost = returns.filter(each => each < 0).reduce((sum, each) => sum - each, 0)
  const count = equity.length
  const entry = opens[first + 1] as number
  const { share, from, to } = maximumDrawdown(equity.subarray(begin))
  return {
    ...statisticsOf(returns),
    profitFactor: lost === 0 ? null : gained / lost,
    candles: trades.length === 0 ? null : meanOf(Float64Array.from(trades, trade => trade.candles)),
    exposure: exposed / Math.max(1, count - first),
    totalReturn: (equity[count - 1] as number) - 1,
    holdReturn:
      first + 1 < count && entry > 0 ? direction * ((close[count - 1] as number) / entry - 1) : null,
    maximumDrawdown: {
      share,
      from: timestamp[begin + from] as number,
      to: timestamp[begin + to] as number,
    },
    open: open ?? null,
    list: trades.slice(-maxListed),
  }
}

/** Equity curve from candle `first`. A long curve has every k-th point, and always the last one. */
function curveOf(equity: Float64Array, { timestamp }: Columns, first: number): Evaluation['equity'] & object {
  const count = equity.length
  const step = Math.max(1, Math.ceil((count - first) / maxPoints))
  const curve: { timestamp: number[]; value: number[] } = { timestamp: [], value: [] }
  for (let i = count - 1; i >= first; i -= step) {
    curve.timestamp.push(timestamp[i] as number)
    curve.value.push(equity[i] as number)
  }
  return { timestamp: curve.timestamp.reverse(), value: curve.value.reverse() }
}

/**
 * Compiles the values that an evaluation of a time range needs per candle, as one plan: conditions, the entry at the
 * previous candle, and prices.
 */
export const compileForRange = (
  request: EvaluationRequest,
  timeframe: Timeframe,
): CompiledExpression | Refusal =>
  compileExpressions(
    {
      ...conditionTexts(request),
      ...{ entryBefore: `(${request.entry})[1]`, openPrice: 'open', closePrice: 'close' },
    },
    { timeframe },
  )

/**
 * Candles of a time range and their conditions, from the values of that plan. A candle with only the entry condition
 * precedes them, unless the history begins with the range.
 */
export function rangeCandles(
  { exit }: EvaluationRequest,
  { columns: values, before }: RangeColumns,
): { readonly candles: EvaluatedCandles; readonly conditions: Conditions } {
  const names = [
    'timestamp',
    'entry',
    ...(exit === undefined ? [] : ['exit']),
    'entryBefore',
    'open',
    'close',
  ]
  const rows = values.length / names.length
  const begin = before > 0 ? 1 : 0
  const count = begin + rows
  const of = (name: string) => {
    const at = names.indexOf(name) * rows
    return values.subarray(at, at + rows)
  }
  const columns = Columns.unshared(count)
  for (const name of ['timestamp', 'open', 'close'] as const) columns[name].set(of(name), begin)
  const conditions = ['entry', 'exit'].slice(0, exit === undefined ? 1 : 2).map(name => {
    const condition = new Float64Array(count).fill(Number.NaN)
    condition.set(of(name), begin)
    return condition
  })
  if (begin > 0) (conditions[0] as Float64Array)[0] = of('entryBefore')[0] as number
  const inputs = [{ columns, closed: count, forming: undefined, count }] as const
  return { candles: { inputs, before: before - begin, begin }, conditions }
}

/** Result of trading every signal with the whole equity. */
interface TradeRun {
  readonly trades: readonly Trade[]
  /** Trade that is open at the last close, if any. */
  readonly open: TradeStatistics['open']
  /** Equity at the close of each candle; initially 1. */
  readonly equity: Float64Array
  /** Number of candles at whose close a trade was open. */
  readonly exposed: number
}

interface Signals {
  /** Candles at which the entry becomes true. */
  readonly signals: Int32Array
  /** Exit condition per candle; 1 if true. */
  readonly exit: Float64Array
}

/** Value of a trade after costs: the value of 1 that was invested at price `entry`, at the current price `price`. */
interface Valuation {
  /** Value while the trade is open. */
  readonly held: (entry: number, price: number) => number
  /** Value after an exit at `price`. */
  readonly left: (entry: number, price: number) => number
}

/**
 * `fee` is the cost of each entry and exit as a share of the traded amount. A short position cannot lose more than its
 * whole value.
 */
const valuationOf = (direction: Direction, fee: number): Valuation =>
  direction === 1
    ? {
        held: (entry, price) => price / entry / (1 + fee),
        left: (entry, price) => (price / entry) * ((1 - fee) / (1 + fee)),
      }
    : {
        held: (entry, price) => Math.max(0, 2 - fee - price / entry),
        left: (entry, price) => Math.max(0, 2 - fee - (price / entry) * (1 + fee)),
      }

/**
 * Trades the signals among `count` candles, one trade at a time. A trade enters at the open of the candle after its
 * signal. It exits at the open after the first close at which the exit condition holds. Signals up to that close are
 * ignored.
 */
export function runTrades(
  { timestamp, open, close }: Columns,
  count: number,
  { signals, exit }: Signals,
  direction: Direction,
  fee: number,
): TradeRun {
  const { held, left } = valuationOf(direction, fee)
  const equity = new Float64Array(count)
  const trades: Trade[] = []
  let value = 1
  let exposed = 0
  let at = 0
  let last: TradeStatistics['open'] = null
  for (const signal of signals) {
    const entryAt = signal + 1
    const entryPrice = open[entryAt] as number
    if (entryAt <= at || entryAt >= count || !(entryPrice > 0)) continue
    equity.fill(value, at, entryAt)
    const leaving = nextTrue(exit, entryAt, count)
    const heldTo = Math.min(leaving + 1, count)
    for (let i = entryAt; i < heldTo; i++) equity[i] = value * held(entryPrice, close[i] as number)
    exposed += heldTo - entryAt
    at = heldTo
    const entryTimestamp = timestamp[entryAt] as number
    if (heldTo === count) {
      last = { entryTimestamp, entryPrice, return: held(entryPrice, close[count - 1] as number) - 1 }
      break
    }
    const exitPrice = open[heldTo] as number
    const factor = left(entryPrice, exitPrice)
    const exitTimestamp = timestamp[heldTo] as number
    const candles = heldTo - entryAt
    trades.push({ entryTimestamp, entryPrice, exitTimestamp, exitPrice, candles, return: factor - 1 })
    value *= factor
  }
  equity.fill(value, at, count)
  return { trades, open: last, equity, exposed }
}

/** First candle at or after `from` at which a condition holds, or `count`. */
function nextTrue(condition: Float64Array, from: number, count: number): number {
  let i = from
  while (i < count && condition[i] !== 1) i++
  return i
}

/** Largest fall of a curve below an earlier value, as a share of that value. */
interface Drawdown {
  readonly share: number
  /** Indices of the earlier value and of the lowest value after it. */
  readonly from: number
  readonly to: number
}

export function maximumDrawdown(equity: Float64Array): Drawdown {
  let [share, from, to] = [0, 0, 0]
  let peakAt = 0
  for (let i = 0; i < equity.length; i++) {
    const peak = equity[peakAt] as number
    const value = equity[i] as number
    if (value > peak) peakAt = i
    else if (peak > 0 && 1 - value / peak > share) [share, from, to] = [1 - value / peak, peakAt, i]
  }
  return { share, from, to }
}
