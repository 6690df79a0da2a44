import { Argument, type Command } from 'commander'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { BreadthRequest, BreadthResult } from '../client/types.js'
import { exchangeArgument, timeframeArgument } from './arguments.js'
import { action, CommandFailure, printNote } from './failure.js'
import { integer, time } from './option-parsers.js'
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

interface Options extends ServiceOptions, Omit<BreadthRequest, 'exchange' | 'timeframe' | 'measures'> {}

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
  command.action(action(run))
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

async function run(
  exchange: string,
  timeframe: Timeframe,
  texts: readonly string[],
  options: Options,
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
