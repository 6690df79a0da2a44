import { type Command, Option } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import { formatCount } from '../candles/format-count.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import type { ExpressionCheck } from '../client/types.js'
import { checkExpression } from '../compute/expressions/check.js'
import { type CompiledExpression, compileExpression } from '../compute/expressions/compile.js'
import { refuseChart } from '../compute/expressions/expressions.js'
import { action, CommandFailure, type CommonOptions, orFail } from './failure.js'
import { chartOption } from './option-parsers.js'
import { formatTable, printResult, wrapText } from './output.js'

interface Options extends CommonOptions {
  readonly timeframe?: Timeframe
  readonly chart?: Chart
}

/** `candela expression check`: checks and describes an expression without computing it. It needs no service. */
export const addExpression = (program: Command): void => {
  const expression = program.command('expression').description('check an expression without computing it')
  expression
    .command('check')
    .description('say what an expression needs and gives, and when its values settle')
    .argument('<expression>', "such as 'rsi(14) < 30 and close > ema(200)'")
    .addOption(
      new Option(
        '--timeframe <timeframe>',
        'that of the candles, where the expression chooses others by @',
      ).choices(Object.keys(timeframes)),
    )
    .addOption(chartOption())
    .option('--json', 'as JSON')
    .action(action(run))
}

function run(text: string, options: Options): void {
  const { chart } = options
  const compiled = orFail<CompiledExpression>(compileExpression(text, options))
  const unfit = refuseChart({ ...compiled.spec, chart })
  if (unfit) throw new CommandFailure(unfit.error)
  const check = checkExpression(compiled, chart)
  printResult(check, options, () => formatCheck(check))
}

const countOf = (candles: number | null): string => (candles === null ? 'never' : String(candles))
const settled = (candles: number | null): string =>
  candles === null ? 'never' : `after ${formatCount(candles, 'candle')}`

function formatCheck(check: Omit<ExpressionCheck, 'cost'>): string {
  const { outputs, lookback, settled4, settled8, unsettling, formingChanges, lookAhead, indicators } = check
  const isCondition = outputs[0]?.type === 'boolean'
  const rows = [
    ['gives', isCondition ? 'a condition' : 'a number'],
    ['first value', `after ${formatCount(lookback, 'candle')}`],
    ['4 settled digits', settled(settled4) + (unsettling === undefined ? '' : `, because of ${unsettling}`)],
    ['8 settled digits', settled(settled8)],
    ['forming candle', formingChanges ? 'changes the newest value until it closes' : 'changes nothing'],
  ]
  const lines = [
    ...rows.map(([name, value]) => `${`${name}:`.padEnd(18)}${value}`),
    '',
    wrapText(lookAhead.because),
  ]
  if (indicators.length > 0)
    lines.push(
      '',
      formatTable(
        ['INDICATOR', 'PARAMETERS', 'FIRST VALUE', '4 DIGITS', '8 DIGITS'],
        indicators.map(each => [
          each.indicator,
          Object.values(each.params).join(', '),
          String(each.lookback),
          countOf(each.settled4),
          countOf(each.settled8),
        ]),
      ),
    )
  return lines.join('\n')
}
