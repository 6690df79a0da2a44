import type { Command } from 'commander'
import type { Timeframe } from '../candles/timeframe.js'
import type { Entry } from '../catalogue/index.js'
import { isColourWanted } from '../config/config.js'
import { action, printNote } from './failure.js'
import { addIndicator, readParameters } from './indicator-argument.js'
import { integer } from './integer.js'
import { addMarket, nameOf } from './market.js'
import { addServiceOptions, type ServiceOptions, withMarkets } from './open-markets.js'
import { createUpdateDisplay } from './update-display.js'

interface Options extends ServiceOptions {
  readonly closed?: true
  readonly updates?: number
}

/** `candela watch`: the values of an indicator as they change. */
export const addWatch = (program: Command): void => {
  const command = addMarket(program.command('watch')).description(
    'show an indicator over a market live; Ctrl-C ends it',
  )
  addIndicator(command, '<indicator>')
  command
    .option('--closed', 'only the values of closed candles')
    .option('--updates <n>', 'end after so many updates', integer(1))
    .option('--json', 'one JSON object in each line')
  addServiceOptions(command)
  command.action(action(run))
}

async function run(
  exchange: string,
  symbol: string,
  timeframe: Timeframe,
  entry: Entry,
  options: Options,
  command: Command,
): Promise<void> {
  const market = { exchange, symbol, timeframe }
  const spec = readParameters(command, entry, options)
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const display = createUpdateDisplay(`${nameOf(market)} ${spec.indicator.name}`, {
    isJson: options.json === true,
    isColoured: isColourWanted(),
  })
  let left = options.updates ?? Number.POSITIVE_INFINITY
  try {
    await withMarkets(options, `fetching ${nameOf(market)} …`, (markets, hideStatus) =>
      markets.follow(market, spec, {
        closedOnly: options.closed === true,
        signal: ending.signal,
        onUpdate(update) {
          if (left <= 0) return
          hideStatus()
          display.update(update)
          if (--left <= 0) end()
        },
        onNote: text => printNote(text, options),
      }),
    )
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
    display.end()
  }
}
