import { type Columns, rewind, type Snapshot } from '../candles/columns.js'
import type { Evaluation, TradeStatistics } from '../client/screen-types.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { maxPoints } from '../contract/limits.js'
import { notEnoughCandles, type Refusal } from '../contract/refusals.js'
import type { CompiledExpression } from '../expression/compile.js'
import { finish, type Steps } from '../runtime/pieces.js'
import type { EvaluationRequest } from './request.js'
import { type Direction, definedOf, returnsAfter, signalsOf, statisticsOf } from './signal-returns.js'
import { meanOf } from './statistics.js'
import { maximumDrawdown, runTrades, type TradeRun } from './trades.js'

/** Below so many cases intervals are wide, and the statistics say little. */
const fewCases = 30
/** Trades that are listed. */
const maxListed = 200

/** The values of the conditions for an entry and an exit at each candle: 1, 0 or NaN where they are undefined. */
export type Conditions = readonly Float64Array[]

/** The closed candles of a snapshot, which are those that are evaluated. */
export const closedOf = (snapshot: Snapshot): Snapshot => (snapshot.forming ? rewind(snapshot, 1) : snapshot)

/** Computes conditions at all candles of a snapshot. */
export const computeConditions =
  (calculator: Calculator, compiled: CompiledExpression) =>
  (snapshot: Snapshot): Conditions =>
    calculator.calculate(compiled.spec, snapshot).columns.map(column => column.slice())

/** Evaluates conditions over the closed candles of a snapshot without a pause. */
export function evaluateAtOnce(
  calculator: Calculator,
  compiled: CompiledExpression,
  request: EvaluationRequest,
  snapshot: Snapshot,
): Evaluation | Refusal {
  return finish(evaluate(compiled, request, snapshot, computeConditions(calculator, compiled)))
}

/**
 * Evaluates conditions over the closed candles of a snapshot. The steps that are returned compute it one after the other,
 * so that the event loop may do something else in between; the last one has the result. `compute` gives the conditions
 * at the closed candles.
 */
export function* evaluate(
  compiled: CompiledExpression,
  { direction, fee, horizons, exit }: EvaluationRequest,
  current: Snapshot,
  compute: (closed: Snapshot) => Conditions,
): Steps<Evaluation | Refusal> {
  const snapshot = closedOf(current)
  const { columns, count } = snapshot
  if (count < compiled.depth) return notEnoughCandles(compiled.spec.indicator.name, compiled.depth, count)
  const [entries, exits] = compute(snapshot) as [Float64Array, Float64Array]
  yield
  const signals = signalsOf(entries)
  const defined = definedOf(entries)
  const all = Int32Array.from(entries, (_, i) => i)
  const returns: Evaluation['returns'][number][] = []
  for (const after of horizons) {
    const statistics = (candles: Int32Array) =>
      statisticsOf(returnsAfter(columns, count, candles, after, direction))
    returns.push({ after, signals: statistics(signals), baseline: statistics(all) })
    yield
  }
  const common = {
    candles: defined.length,
    from: columns.timestamp[defined[0] ?? count - 1] as number,
    to: columns.timestamp[count - 1] as number,
    fired: signals.length,
    returns,
  }
  const warnings = warningsOf(signals, horizons)
  if (exit === undefined) return { ...common, warnings }
  const first = defined[0] ?? count
  const run = runTrades(columns, count, { signals, exit: exits }, direction, fee)
  yield
  const trades = tradeStatistics(run, columns, first, direction)
  if (run.trades.length > 0 && run.trades.length < fewCases)
    warnings.push(
      `Only ${run.trades.length} trades have ended: fewer than ${fewCases} say little about the next ones.`,
    )
  return { ...common, trades, equity: curveOf(run.equity, columns, first), warnings }
}

function warningsOf(signals: Int32Array, horizons: readonly number[]): string[] {
  const count = signals.length
  if (count === 0) return ['The entry never became true.']
  const warnings: string[] = []
  if (count < fewCases)
    warnings.push(
      `The entry became true ${count} times: fewer than ${fewCases} say little about the next ones.`,
    )
  const longest = horizons.at(-1) as number
  let overlapping = 0
  for (let k = 1; k < count; k++)
    if ((signals[k] as number) - (signals[k - 1] as number) < longest) overlapping++
  if (overlapping > 0)
    warnings.push(
      `${overlapping} of ${count} signals follow the one before within ${longest} candles: such returns are not independent, so the intervals are too narrow.`,
    )
  return warnings
}

function tradeStatistics(
  { trades, open, equity, exposed }: TradeRun,
  { timestamp, open: opens, close }: Columns,
  first: number,
  direction: Direction,
): TradeStatistics {
  const returns = Float64Array.from(trades, trade => trade.return)
  const gained = returns.filter(each => each > 0).reduce((sum, each) => sum + each, 0)
  const lost = returns.filter(each => each < 0).reduce((sum, each) => sum - each, 0)
  const count = equity.length
  const entry = opens[first + 1] as number
  const { share, from, to } = maximumDrawdown(equity)
  return {
    ...statisticsOf(returns),
    profitFactor: lost === 0 ? null : gained / lost,
    candles: trades.length === 0 ? null : meanOf(Float64Array.from(trades, trade => trade.candles)),
    exposure: exposed / Math.max(1, count - first),
    totalReturn: (equity[count - 1] as number) - 1,
    holdReturn:
      first + 1 < count && entry > 0 ? direction * ((close[count - 1] as number) / entry - 1) : null,
    maximumDrawdown: { share, from: timestamp[from] as number, to: timestamp[to] as number },
    open: open ?? null,
    list: trades.slice(-maxListed),
  }
}

/** The curve from candle `first` on; of a long one every k-th point, and always the last one. */
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
