import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { formatAge } from '../candles/age.js'
import type { Chart } from '../candles/charts/chart.js'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { Candela } from '../client/index.js'
import type {
  BreadthRequest,
  BreadthResult,
  ScreenProgress,
  ScreenRequest,
  ScreenResult,
} from '../client/types.js'
import { exchangeArgument, timeframeArgument } from './arguments.js'
import { action, CommandFailure, printNote } from './failure.js'
import { chartOf, chartOption, integer, parseSymbols, time } from './option-parsers.js'
import { formatTable, printResult } from './output.js'
import { createProgressDisplay, type ProgressDisplay } from './progress.js'
import { addServiceOptions, type ServiceOptions, withService } from './service.js'
import { valueText } from './update-display.js'

interface ScreenOptions
  extends ServiceOptions,
    Omit<ScreenRequest, 'exchange' | 'timeframe' | 'where' | 'chart'> {
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
    .option('--limit <n>', 'maximum number of markets to show', integer(0))
    .option('--backtrack <n>', 'the screen at this number of candles ago', integer(0))
    .addOption(chartOption())
    .option('--at <time>', 'the screen at the close of the candle of this time, such as 2024-01-31', time)
    .option('--settled <n>', 'only markets at which this number of digits has settled', integer(1, 8))
    .addOption(maxAgeOption())
    .option('--json', 'as JSON')
  addServiceOptions(command)
  command.action(action(runScreen))
}

function addSelected(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const match = /^(\w+)=(?!=)(.+)$/s.exec(text)
  if (!match) throw new InvalidArgumentError('Expected a name and an expression, such as rsi=rsi(14).')
  return { ...before, [match[1] as string]: match[2] as string }
}

async function runScreen(
  exchange: string,
  timeframe: Timeframe,
  where: string,
  options: ScreenOptions,
): Promise<void> {
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

interface BreadthOptions
  extends ServiceOptions,
    Omit<BreadthRequest, 'exchange' | 'timeframe' | 'measures'> {}

/** `candela breadth`: measures over the markets of an exchange, by time. */
export const addBreadth = (program: Command): void => {
  const command = program
    .command('breadth')
    .description('say how many markets of an exchange do something, by time')
    .addArgument(exchangeArgument())
    .addArgument(timeframeArgument())
    .addArgument(
      new Argument(
        '<measure...>',
        "measures such as mcclellan or 'breadth(close > sma(200))', with a name before them as in up=advances",
      ),
    )
    .addOption(symbolsOption())
    .addOption(quoteOption())
    .option('--results <n>', 'the newest values (default: 1)', integer(1))
    .option('--from <time>', 'values of candles that open at this time or later, such as 2024-01-31', time)
    .option('--to <time>', 'values of candles that open at this time or before', time)
    .addOption(maxAgeOption())
    .option('--json', 'as JSON')
  addServiceOptions(command)
  command.action(action(runBreadth))
}

/** Measures by the names before them. A measure without a name is called by its own text if that is a name, else `value`. */
function measuresOf(texts: readonly string[]): Readonly<Record<string, string>> {
  const measures: Record<string, string> = {}
  for (const text of texts) {
    const [, given, expression = text] = /^(\w+)=(?!=)(.+)$/s.exec(text) ?? []
    const name = given ?? (/^\w+$/.test(text) ? text : 'value')
    if (Object.hasOwn(measures, name))
      throw new CommandFailure(`Two measures are called ${name}: write a name before each, as in up=advances`)
    measures[name] = expression
  }
  return measures
}

async function runBreadth(
  exchange: string,
  timeframe: Timeframe,
  texts: readonly string[],
  options: BreadthOptions,
): Promise<void> {
  const { url, key, json, ...chosen } = options
  const request = { exchange, timeframe, measures: measuresOf(texts), ...chosen }
  const result = await overMarkets(request, options, (client, onProgress) =>
    client.breadth(request, { onProgress }),
  )
  printResult(result, options, () => formatValues(result))
  printStale(result, options)
  if (json) return
  printNote(
    `${formatCount(result.screened, 'market')}${result.forming ? '; the last candle is forming' : ''}`,
  )
  printFailed(result)
}

function formatValues({ timestamp, measures }: BreadthResult): string {
  const columns = Object.entries(measures)
  return formatTable(
    ['TIME', ...columns.flatMap(([name]) => [name.toUpperCase(), 'MARKETS'])],
    timestamp.map((open, i) => [
      formatTime(open),
      ...columns.flatMap(([, { value, markets }]) => [valueText(value[i] ?? null), String(markets[i])]),
    ]),
  )
}

const symbolsOption = (): Option =>
  new Option('--symbols <list>', 'only these markets, with commas between them').argParser(parseSymbols)

const quoteOption = (): Option =>
  new Option('--quote <currency>', 'only symbols that end with it, such as USDT')

const maxAgeOption = (): Option =>
  new Option(
    '--max-age <seconds>',
    'leave out markets whose last candle ended more than this many seconds ago',
  ).argParser(integer(0))

/** Returns the result of a request over many markets. On a terminal, a bar shows the number of fetched markets. */
async function overMarkets<Result>(
  { exchange, timeframe }: { readonly exchange: string; readonly timeframe: string },
  options: ServiceOptions,
  ask: (client: Candela, onProgress: (progress: ScreenProgress) => void) => Promise<Result>,
): Promise<Result> {
  let display: ProgressDisplay | undefined
  const onProgress = ({ done, total }: ScreenProgress) => {
    if (!process.stderr.isTTY) return
    display ??= createProgressDisplay(`fetching ${exchange} ${timeframe}`, total, options, 'markets')
    display.show({ done, back: undefined })
  }
  return withService(options, undefined, client => ask(client, onProgress)).finally(() => display?.end())
}

/** Prints the number of markets with old candles. */
function printStale({ stale = [] }: Pick<ScreenResult, 'stale'>, options: ServiceOptions): void {
  const [oldest] = [...stale].sort((a, b) => b.age - a.age)
  if (oldest)
    printNote(
      `${formatCount(stale.length, 'market')} with old candles, such as ${oldest.symbol}: the last candle ended ${formatAge(oldest.age)} ago`,
      options,
    )
}

function printFailed({ failed }: Pick<ScreenResult, 'failed'>): void {
  const [first] = failed
  if (first)
    printNote(
      `${formatCount(failed.length, 'market')} could not be screened, such as ${first.symbol}: ${first.error}`,
    )
}
