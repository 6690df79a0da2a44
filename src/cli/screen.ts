import { Argument, type Command, InvalidArgumentError } from 'commander'
import { formatTime } from '../candles/format-time.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import type { ScreenRequest, ScreenResult } from '../client/screen-types.js'
import { printNote, runCommand } from './failure.js'
import { parseExchange } from './market.js'
import { addServiceOptions, openMarkets, type ServiceOptions } from './open-markets.js'
import { createProgressDisplay, type ProgressDisplay } from './progress.js'
import { formatCount } from './summary.js'
import { parseSymbols } from './symbol.js'
import { formatTable } from './table.js'
import { textOf } from './update-display.js'

interface Options extends ServiceOptions {
  readonly select?: Readonly<Record<string, string>>
  readonly symbols?: readonly string[]
  readonly quote?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly backtrack?: number
}

/** `candela screen`: the markets of an exchange at which a condition holds. */
export const addScreen = (program: Command): void => {
  const command = program
    .command('screen')
    .description('list the markets of an exchange at which a condition holds')
    .addArgument(
      new Argument('<exchange>', 'such as binance; candela exchanges lists them').argParser(parseExchange),
    )
    .addArgument(new Argument('<timeframe>', 'length of a candle').choices(Object.keys(timeframes)))
    .addArgument(new Argument('<where>', "the condition, such as 'rsi(14) < 30'"))
    .option('--select <name=expression>', 'a value to show; may be given several times', addSelected)
    .option('--symbols <list>', 'only these markets, with commas between them', parseSymbols)
    .option('--quote <currency>', 'only symbols that end with it, such as USDT')
    .option('--order-by <expression>', 'sort by an expression or a selected name, then desc or asc')
    .option('--limit <n>', 'show at most so many markets', parseWhole)
    .option('--backtrack <n>', 'as it was so many candles ago', parseWhole)
    .option('--json', 'as JSON')
  addServiceOptions(command)
  command.action((exchange: string, timeframe: Timeframe, where: string, options: Options) => {
    const { select, symbols, quote, orderBy, limit, backtrack } = options
    const request: ScreenRequest = {
      ...{ exchange, timeframe, where },
      ...(select && { select }),
      ...(symbols && { symbols }),
      ...(quote !== undefined && { quote }),
      ...(orderBy !== undefined && { orderBy }),
      ...(limit !== undefined && { limit }),
      ...(backtrack !== undefined && { backtrack }),
    }
    return runCommand(() => run(request, options), options)
  })
}

function addSelected(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const match = /^(\w+)=(?!=)(.+)$/s.exec(text)
  if (!match) throw new InvalidArgumentError('Expected a name and an expression, such as rsi=rsi(14).')
  return { ...before, [match[1] as string]: match[2] as string }
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected an integer of 0 or more.')
  return Number(text)
}

async function run(request: ScreenRequest, options: Options): Promise<void> {
  let display: ProgressDisplay | undefined
  const markets = await openMarkets(options)
  let result: ScreenResult
  try {
    result = await markets.screen(request, ({ done, total }) => {
      if (!process.stderr.isTTY) return
      display ??= createProgressDisplay(
        `fetching ${request.exchange} ${request.timeframe}`,
        total,
        options,
        'markets',
      )
      display.show({ done, back: undefined })
    })
  } finally {
    display?.end()
    await markets.close()
  }
  if (options.json) {
    console.log(JSON.stringify(result, null, 2))
    return
  }
  const { matches, screened, failed } = result
  if (matches.length > 0) console.log(formatMatches(result, Object.keys(request.select ?? {})))
  printNote(`${matches.length} of ${formatCount(screened, 'market')}`)
  const [first] = failed
  if (first)
    printNote(
      `${formatCount(failed.length, 'market')} could not be screened, such as ${first.symbol}: ${first.error}`,
    )
}

const formatMatches = ({ matches }: ScreenResult, names: readonly string[]): string =>
  formatTable(
    ['SYMBOL', 'TIME', ...names.map(name => name.toUpperCase())],
    matches.map(match => [
      match.symbol,
      formatTime(match.timestamp),
      ...names.map(name => textOf(match[name] ?? null)),
    ]),
  )
