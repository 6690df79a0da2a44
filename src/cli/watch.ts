import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { Timeframe } from '../candles/timeframe.js'
import type { Entry } from '../catalogue/index.js'
import { isColourWanted } from '../config/config.js'
import type { IndicatorSpec } from '../contract/query.js'
import { printNote, runCommand } from './failure.js'
import { addParameters, findIndicator, parseIndicator, readParameters } from './indicator-argument.js'
import { marketArguments, marketOf, nameOf } from './market.js'
import { addServiceOptions, openMarkets, type ServiceOptions } from './open-markets.js'
import { showStatus } from './progress.js'
import { createUpdateDisplay } from './update-display.js'

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
  const show = createUpdateDisplay(`${nameOf(market)} ${spec.indicator.name}`, {
    isJson: options.json === true,
    isColoured: isColourWanted(),
  })
  const hideStatus = showStatus(`fetching ${nameOf(market)} …`, options)
  let left = options.updates ?? Number.POSITIVE_INFINITY
  const markets = await openMarkets(options)
  try {
    await markets.follow(market, spec, {
      closedOnly: options.closed === true,
      signal: ending.signal,
      onUpdate(update) {
        if (left <= 0) return
        hideStatus()
        show.update(update)
        if (--left <= 0) end()
      },
      onNote: text => printNote(text, options),
    })
  } finally {
    hideStatus()
    process.off('SIGINT', end).off('SIGTERM', end)
    show.end()
    await markets.close()
  }
}
