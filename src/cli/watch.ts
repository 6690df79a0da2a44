import type { Command } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import type { Entry } from '../catalogue/index.js'
import { type Candela, CandelaError } from '../client/index.js'
import type { Subscription } from '../client/types.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { isColourWanted } from '../operate/settings/config.js'
import { addMarket, marketAction, nameOf, oldMarketNote } from './arguments.js'
import { printNote } from './failure.js'
import { addIndicator, readParameters } from './indicator-argument.js'
import { chartOf, chartOption, integer, paramsOf, settledOption } from './option-parsers.js'
import { addServiceOptions, type ServiceOptions, withService } from './service.js'
import { createUpdateDisplay, type MarketUpdate } from './update-display.js'

interface Options extends ServiceOptions {
  readonly chart?: Chart
  readonly settled?: number
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
    .addOption(chartOption())
    .addOption(settledOption())
    .option('--closed', 'only the values of closed candles')
    .option('--updates <n>', 'number of updates after which it ends', integer(1))
    .option('--json', 'one JSON object in each line')
  addServiceOptions(command)
  command.action(marketAction(run))
}

async function run(market: Market, entry: Entry, options: Options, command: Command): Promise<void> {
  const spec = readParameters(command, entry, options)
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const display = createUpdateDisplay(`${nameOf(market)} ${spec.indicator.name}`, {
    isJson: options.json === true,
    isColoured: isColourWanted(),
  })
  let isOld = false
  let left = options.updates ?? Number.POSITIVE_INFINITY
  try {
    await withService(options, `fetching ${nameOf(market)} …`, (client, hideStatus) =>
      follow(client, market, spec, {
        closedOnly: options.closed === true,
        signal: ending.signal,
        onUpdate(update) {
          if (left <= 0) return
          hideStatus()
          display.update(update)
          const old = oldMarketNote(market, update.data.timestamp, options.chart)
          if (old !== undefined && !isOld) printNote(old, options)
          isOld = old !== undefined
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

interface FollowOptions {
  readonly closedOnly: boolean
  readonly signal: AbortSignal
  readonly onUpdate: (update: MarketUpdate) => void
  /** Called with faults from which the stream recovers. */
  readonly onNote: (text: string) => void
}

/** Calls `onUpdate` with the current values and with every change, until `signal` is aborted. */
export async function follow(
  client: Candela,
  market: Market,
  spec: IndicatorSpec,
  { closedOnly, signal, onUpdate, onNote }: FollowOptions,
): Promise<void> {
  // A wrong address, key or symbol is refused here. The stream would retry forever.
  await client.candles(market, { results: 1 }, { signal }).catch(error => {
    if (!signal.aborted) throw error
  })
  const subscription = {
    ...market,
    id: 'watch',
    candleClose: closedOnly,
    indicator: spec.indicator.name,
    params: paramsOf(spec),
    ...chartOf(spec.chart),
    ...(spec.settled && { settled: spec.settled.digits }),
  } as unknown as Subscription
  const onState = (state: string) => {
    if (state === 'reconnecting') onNote('the connection is lost and is opened again')
  }
  try {
    for await (const { closed, data } of client.stream([subscription], { signal, onState }))
      onUpdate({ closed, data })
  } catch (error) {
    if (!(error instanceof CandelaError) || !signal.aborted) throw error
  }
}
