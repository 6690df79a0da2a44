import { type Chart, hasCandleTimes } from '../../candles/charts/chart.js'
import { stabilityOf } from '../../catalogue/description.js'
import { settledAfter, settledByDigits } from '../../catalogue/fading.js'
import type { Entry, Values } from '../../catalogue/index.js'
import type { ExpressionCheck } from '../../client/types.js'
import type { CompiledExpression } from './compile.js'
import { nameOfOther, type PlanNode } from './plan.js'

/** The statement that no value of an expression depends on a later candle, with the reason. */
const lookAhead = {
  possible: false,
  because:
    'Each value is computed from its own candle and older ones: [n] counts back only, an indicator never reads a later candle, and a longer timeframe or another market gives the value of its newest candle that has closed by then.',
} as const

/** Columns that change while a candle is forming. */
const changing: readonly string[] = ['high', 'low', 'close', 'volume']

/** The same statement for the bars of a chart. */
const lookAheadOfBars = {
  possible: false,
  because: `${lookAhead.because} A bar is made of its own candle and older ones, and does not change when it is complete.`,
} as const

/**
 * Facts about an expression that are known without computing it, except its cost. With a chart, candles are counted in
 * bars.
 */
export function checkExpression(
  { outputs, depth, timeframes, spec: { indicator } }: CompiledExpression,
  chart?: Chart,
): Omit<ExpressionCheck, 'cost'> {
  const [memory = []] = indicator.memories()
  // Bars depend on the start of the history, so values over them never settle.
  const unsettling = 'because' in memory ? memory.because.name : chart?.text
  const settled = unsettling !== undefined || 'because' in memory ? [] : settledByDigits(memory, 8)
  const { nodes, roots } = indicator.plan
  const formingChanges = changesWithForming(nodes)
  return {
    outputs,
    lookback: depth - 1,
    settled4: settled[3] ?? null,
    settled8: settled[7] ?? null,
    ...(unsettling !== undefined && { unsettling }),
    // Bars that close by prices are built from closed candles only.
    formingChanges: hasCandleTimes(chart) && roots.some(root => formingChanges[root]),
    lookAhead: chart ? lookAheadOfBars : lookAhead,
    timeframes,
    markets: indicator.plan.markets.map(nameOfOther),
    nodes: nodes.length,
    indicators: nodes.flatMap(node => (node.kind === 'calculation' ? [describeCalculation(node)] : [])),
  }
}

/** Computes per node whether its value at a forming candle may change until that candle closes. */
function changesWithForming(nodes: readonly PlanNode[]): readonly boolean[] {
  const changes: boolean[] = []
  for (const node of nodes) {
    const of = (input: number) => changes[input] as boolean
    changes.push(
      node.kind === 'column'
        ? changing.includes(node.column)
        : node.kind === 'pointwise' || node.kind === 'calculation' || node.kind === 'held'
          ? node.inputs.some(of)
          : node.kind === 'history' && node.by !== undefined
            ? of(node.input) || of(node.by)
            : node.kind === 'output'
              ? of(node.calculation)
              : // A longer candle closes with the forming one, and the candle of another market may be forming, too.
                node.kind === 'closed',
    )
  }
  return changes
}

function describeCalculation({ indicator, params }: { readonly indicator: Entry; readonly params: Values }) {
  return {
    indicator: indicator.name,
    params,
    lookback: indicator.lookback(params),
    stability: stabilityOf(indicator),
    settled4: settledAfter(indicator, params, 4) ?? null,
    settled8: settledAfter(indicator, params, 8) ?? null,
  }
}
