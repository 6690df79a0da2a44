import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import type { Evaluation, EvaluationRequest, ReturnStatistics } from '../client/types.js'
import type { Market } from '../contract/market.js'
import { addMarket, marketAction, nameOf, oldMarketNote } from './arguments.js'
import { printNote } from './failure.js'
import { chartOf, chartOption, integer, time } from './option-parsers.js'
import { formatTable, printResult } from './output.js'
import { addServiceOptions, type ServiceOptions, withService } from './service.js'

interface Options
  extends ServiceOptions,
    Pick<EvaluationRequest, 'entry' | 'exit' | 'side' | 'fee' | 'horizons' | 'from' | 'to' | 'settled'> {
  readonly chart?: Chart
}

/** `candela evaluate`: what followed when a condition became true. */
export const addEvaluate = (program: Command): void => {
  const command = addMarket(program.command('evaluate'))
    .description('say what followed when a condition became true in the history of a market')
    .requiredOption('--entry <expression>', "the condition, such as 'rsi(14) < 30'")
    .option('--exit <expression>', 'where it holds, a trade ends; without it there are no trades')
    .addOption(
      new Option('--side <side>', 'whether prices are to rise or to fall')
        .choices(['long', 'short'])
        .default('long'),
    )
    .option('--fee <share>', 'cost of each side of a trade, such as 0.001 for 0.1 %', parseFee)
    .option('--horizons <list>', 'candles after which returns are measured (default: 1,5,20)', parseHorizons)
    .addOption(chartOption())
    .option(
      '--from <time>',
      'only signals of candles that open at this time or later, such as 2024-01-31',
      time,
    )
    .option('--to <time>', 'look at no candle that opens later', time)
    .option('--settled <n>', 'digits that must have settled (default: 4); 0 for any', integer(0, 8))
    .option('--json', 'everything, with the trades and the equity curve, as JSON')
  addServiceOptions(command)
  command.action(marketAction(run))
}

function parseFee(text: string): number {
  const fee = Number(text)
  if (text.trim() === '' || !(fee >= 0)) throw new InvalidArgumentError('Expected a share such as 0.001.')
  return fee
}

function parseHorizons(text: string): readonly number[] {
  if (!/^\d{1,6}(,\d{1,6})*$/.test(text))
    throw new InvalidArgumentError('Expected integers with commas between them, such as 1,5,20.')
  return text.split(',').map(Number)
}

async function run(market: Market, options: Options): Promise<void> {
  const { url, key, json, chart, ...signals } = options
  const result = await withService(options, `fetching ${nameOf(market)} …`, client =>
    client.evaluate({ ...market, ...signals, ...chartOf(chart) }),
  )
  printResult(result, options, () => formatEvaluation(result))
  const old = options.to === undefined ? oldMarketNote(market, result.to, chart) : undefined
  if (old !== undefined) printNote(old, options)
  if (!json) for (const warning of result.warnings) printNote(warning)
}

/** Formats a share in per cent with two decimals, without the sign of a negative zero. */
const hundredths = (share: number): string => (share * 100).toFixed(2).replace('-0.00', '0.00')

const percent = (share: number | null | undefined): string =>
  share === null || share === undefined ? '-' : `${hundredths(share)} %`

const range = (bounds: readonly [number, number] | null): string =>
  bounds ? `${hundredths(bounds[0])} to ${percent(bounds[1])}` : '-'

const cellsOf = (name: string, each: ReturnStatistics): readonly string[] => [
  name,
  String(each.count),
  percent(each.mean),
  range(each.meanInterval),
  percent(each.median),
  percent(each.standardDeviation),
  percent(each.hitRate),
  range(each.hitRateInterval),
]

function formatEvaluation({ candles, from, to, fired, returns, trades }: Evaluation): string {
  const rows = returns.flatMap(({ after, signals, baseline }) => [
    cellsOf(`signals, after ${after}`, signals),
    cellsOf(`all candles, after ${after}`, baseline),
  ])
  if (trades) rows.push(cellsOf('trades', trades))
  const head = ['RETURNS', 'COUNT', 'MEAN', '95 %', 'MEDIAN', 'DEVIATION', 'ABOVE 0', '95 %']
  const lines = [
    `${formatCount(candles, 'candle')} from ${formatTime(from)} to ${formatTime(to)}; the entry became true ${formatCount(fired, 'time')}`,
    '',
    formatTable(head, rows),
  ]
  if (!trades) return lines.join('\n')
  const { totalReturn, holdReturn, maximumDrawdown: fall, exposure, profitFactor } = trades
  lines.push(
    '',
    formatTable(
      ['TRADES', ''],
      [
        ['total return', percent(totalReturn)],
        ['of holding', percent(holdReturn)],
        ['largest fall', `${percent(fall.share)}, ${formatTime(fall.from)} to ${formatTime(fall.to)}`],
        ['time in trades', percent(exposure)],
        ['profit factor', profitFactor === null ? '-' : profitFactor.toFixed(2)],
      ],
    ),
  )
  return lines.join('\n')
}
