import { styleText } from 'node:util'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { formatTime } from '../candles/format-time.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { Entry } from '../catalogue/index.js'
import { isColourWanted } from '../config.js'
import type { IndicatorSpec } from '../contract/query.js'
import { printNote, runCommand } from './failure.js'
import { addParameters, findIndicator, parseIndicator, readParameters } from './indicator-argument.js'
import { marketArguments, marketOf, nameOf } from './market.js'
import { addServiceOptions, type MarketUpdate, openMarkets, type ServiceOptions } from './markets.js'
import { terminalWidth } from './wrap.js'

interface Options extends ServiceOptions {
  readonly closed?: true
  readonly updates?: number
}

/** `candela watch`: the values of an indicator as they change. */
export const addWatch = (program: Command): void => {
  const command = program.command('watch').description('show an indicator over a market live; Ctrl-C ends it')
  for (const argument of marketArguments()) command.addArgument(argument)
  command.addArgument(new Argument('<indicator>', 'such as rsi').argParser(parseIndicator))
  const found = process.argv[2] === 'watch' ? findIndicator(process.argv.slice(3), 'last') : undefined
  if (found) addParameters(command, found)
  command
    .option('--closed', 'only the values of closed candles')
    .option('--updates <n>', 'end after so many updates', parseUpdates)
    .option('--json', 'one JSON object in each line')
  addServiceOptions(command)
  command.action((exchange: string, symbol: string, timeframe: Timeframe, entry: Entry, options: Options) => {
    const spec = readParameters(command, entry, { ...options })
    return runCommand(() => run(marketOf(exchange, symbol, timeframe), spec, options), options)
  })
}

function parseUpdates(text: string): number {
  const updates = Number(text)
  if (!/^\d+$/.test(text) || updates < 1) throw new InvalidArgumentError('Expected an integer of 1 or more.')
  return updates
}

async function run(
  market: ReturnType<typeof marketOf>,
  spec: IndicatorSpec,
  options: Options,
): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const show = createDisplay(`${nameOf(market)} ${spec.indicator.name}`, options)
  let left = options.updates ?? Number.POSITIVE_INFINITY
  const markets = await openMarkets(options)
  try {
    await markets.follow(market, spec, {
      closedOnly: options.closed === true,
      signal: ending.signal,
      onUpdate(update) {
        if (left <= 0) return
        show.update(update)
        if (--left <= 0) end()
      },
      onNote: text => printNote(text, options),
    })
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
    show.end()
    await markets.close()
  }
}

interface Display {
  update(update: MarketUpdate): void
  end(): void
}

/** One line that is written again on a terminal, one line for each update elsewhere. */
function createDisplay(title: string, { json }: Options): Display {
  const { stdout } = process
  if (json)
    return {
      update: ({ closed, data }) => console.log(JSON.stringify({ closed, ...data })),
      end() {},
    }
  if (!stdout.isTTY) return { update: update => console.log(lineOf(title, update)), end() {} }
  let last: MarketUpdate | undefined
  return {
    update(update) {
      const line = lineOf(title, update).slice(0, terminalWidth() - 1)
      const colour = last && isColourWanted() ? colourOf(last, update) : undefined
      stdout.cursorTo(0)
      stdout.write(colour ? styleText(colour, line) : line)
      stdout.clearLine(1)
      last = update
    },
    end() {
      if (last) stdout.write('\n')
    },
  }
}

function lineOf(title: string, { closed, data }: MarketUpdate): string {
  const { timestamp, ...values } = data
  const entries = Object.entries(values)
  const texts = entries.map(([name, value]) =>
    entries.length === 1 ? textOf(value) : `${name} ${textOf(value)}`,
  )
  return `${title}  ${formatTime(timestamp)}  ${texts.join('  ')}  ${closed ? 'closed' : 'forming'}`
}

/** A value with as many digits as can be read at a glance. */
const textOf = (value: MarketUpdate['data'][string]): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(8))) : value === null ? '-' : String(value)

/** Green where the first value has risen, red where it has fallen. */
function colourOf(before: MarketUpdate, { data }: MarketUpdate): 'green' | 'red' | undefined {
  const name = Object.keys(data).find(each => each !== 'timestamp') as string
  const [old, value] = [before.data[name], data[name]]
  if (typeof old !== 'number' || typeof value !== 'number' || old === value) return undefined
  return value > old ? 'green' : 'red'
}
