import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { ScreenRequest, ScreenResult } from '../client/types.js'
import { exchangeArgument, timeframeArgument } from './arguments.js'
import { action, printNote } from './failure.js'
import { chartOf, chartOption, integer, time } from './option-parsers.js'
import { formatTable, printResult } from './output.js'
import {
  addServiceOptions,
  maxAgeOption,
  overMarkets,
  printFailed,
  printStale,
  quoteOption,
  type ServiceOptions,
  symbolsOption,
} from './service.js'
import { valueText } from './update-display.js'

interface Options extends ServiceOptions, Omit<ScreenRequest, 'exchange' | 'timeframe' | 'where' | 'chart'> {
  readonly chart?: Chart
}

/** `candela screen`: lists the markets of an exchange at which a condition holds. */
export const addScreen = (program: Command): void => {
  const command = program
    .command('screen')
    .description('list the markets of an exchange at which a condition holds')
    .addArgument(exchangeArgument())
    .addArgument(timeframeArgument())
    .addArgument(new Argument('<where>', "the condition, such as 'rsi(14) < 30'"))
    .option('--select <name=expression>', 'a value to show; may be given several times', addSelected)
    .addOption(symbolsOption())
    .addOption(quoteOption())
    .option('--order-by <expression>', 'sort by an expression or a selected name, then desc or asc')
    .option('--limit <n>', 'show at most so many markets', integer(0))
    .option('--backtrack <n>', 'as it was so many candles ago', integer(0))
    .addOption(chartOption())
    .option('--at <time>', 'as it was when the candle of this time had closed, such as 2024-01-31', time)
    .option('--settled <n>', 'only markets at which so many digits have settled', integer(1, 8))
    .addOption(maxAgeOption())
    .option('--json', 'as JSON')
  addServiceOptions(command)
  command.action(action(run))
}

function addSelected(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const match = /^(\w+)=(?!=)(.+)$/s.exec(text)
  if (!match) throw new InvalidArgumentError('Expected a name and an expression, such as rsi=rsi(14).')
  return { ...before, [match[1] as string]: match[2] as string }
}

async function run(exchange: string, timeframe: Timeframe, where: string, options: Options): Promise<void> {
  const { url, key, json, chart, ...chosen } = options
  const request = { exchange, timeframe, where, ...chosen, ...chartOf(chart) }
  const result = await overMarkets(request, options, (client, onProgress) =>
    client.screen(request, { onProgress }),
  )
  const { matches, screened } = result
  if (json || matches.length > 0)
    printResult(result, options, () => formatMatches(result, Object.keys(chosen.select ?? {})))
  printStale(result, options)
  if (json) return
  printNote(`${matches.length} of ${formatCount(screened, 'market')}`)
  printFailed(result)
}

const formatMatches = ({ matches }: ScreenResult, names: readonly string[]): string =>
  formatTable(
    ['SYMBOL', 'TIME', ...names.map(name => name.toUpperCase())],
    matches.map(match => [
      match.symbol,
      formatTime(match.timestamp),
      ...names.map(name => valueText(match[name] ?? null)),
    ]),
  )
