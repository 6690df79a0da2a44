import type { Command } from 'commander'
import type { Candle } from '../candles/candle.js'
import type { Chart } from '../candles/charts/chart.js'
import { formatTime } from '../candles/format-time.js'
import type { Entry } from '../catalogue/index.js'
import type { IndicatorName, ResultWindow } from '../client/types.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { isColourWanted } from '../operate/settings/config.js'
import { addMarket, marketAction, nameOf, oldMarketNote } from './arguments.js'
import { CommandFailure, printNote } from './failure.js'
import { addIndicator, readParameters } from './indicator-argument.js'
import { type ChartLine, drawLines, legendOf, marginWidth, markRow } from './line-chart.js'
import { chartOf, chartOption, integer, paramsOf } from './option-parsers.js'
import { terminalWidth } from './output.js'
import { addServiceOptions, type ServiceOptions, withService } from './service.js'
import { type IndicatorValues, shapeLines } from './shape-lines.js'
import { shortNumber } from './update-display.js'

interface Options extends ServiceOptions {
  readonly candles?: number
  readonly chart?: Chart
  readonly height: number
}

/** `candela chart`: closing prices and an indicator, drawn with characters. */
export const addChart = (program: Command): void => {
  const command = addMarket(program.command('chart')).description(
    'draw the closing prices of a market, and an indicator, in the terminal',
  )
  addIndicator(command, '[indicator]')
  command
    .option(
      '--candles <n>',
      'number of candles; as many as the terminal has columns for if omitted',
      integer(2, 1000),
    )
    .addOption(chartOption())
    .option('--height <n>', 'lines of the chart of prices', integer(2, 1000), 15)
    .option('--json', 'the numbers as JSON, instead of a drawing')
  addServiceOptions(command)
  command.action(marketAction(run))
}

async function run(
  market: Market,
  entry: Entry | undefined,
  options: Options,
  command: Command,
): Promise<void> {
  const spec = entry && readParameters(command, entry, options)
  const width = terminalWidth()
  const count = options.candles ?? Math.max(2, width - marginWidth)
  const { candles, values } = await withService(options, `fetching ${nameOf(market)} …`, async client => ({
    candles: await client.candles(market, { results: count, ...chartOf(options.chart) }),
    values:
      spec &&
      (await client.indicator(spec.indicator.name as IndicatorName, market, {
        ...paramsOf(spec),
        results: count,
        ...chartOf(spec.chart),
      } as ResultWindow)),
  }))
  if (candles.length === 0) throw new CommandFailure(`${market.exchange} has no candles of ${nameOf(market)}`)
  const old = oldMarketNote(market, (candles.at(-1) as Candle).timestamp, options.chart)
  if (old !== undefined) printNote(old, options)
  if (options.json)
    console.log(JSON.stringify({ ...market, candles: candles.map(numbersOf), ...(values ? { values } : {}) }))
  else printChart(market, spec, candles, values, { width, height: options.height })
}

const numbersOf = ({ timestamp, open, high, low, close, volume }: Candle): Candle => ({
  timestamp,
  open,
  high,
  low,
  close,
  volume,
})

function printChart(
  market: Market,
  spec: IndicatorSpec | undefined,
  candles: readonly Candle[],
  values: IndicatorValues | undefined,
  size: { readonly width: number; readonly height: number },
): void {
  const isColoured = process.stdout.isTTY === true && isColourWanted()
  const [first, last] = [candles[0], candles.at(-1)] as [Candle, Candle]
  const prices: ChartLine = { name: 'close', values: candles.map(({ close }) => close) }
  const drawn = spec && values && shapeLines(spec, values, candles)
  const upper = [prices, ...(drawn?.over ?? [])]
  console.log(`${nameOf(market)}: ${last.close}  ${legendOf(upper, isColoured)}`)
  const drawing = drawLines(upper, size, isColoured, drawn?.levels)
  console.log(drawing)
  if (drawn && drawn.marks.size > 0) console.log(markRow(drawing, drawn.marks, candles.length, size.width))
  if (spec && drawn && drawn.below.length > 0) {
    const newest = drawn.below.map(({ values: all }) => shortNumber(all.at(-1) as number))
    console.log(`${spec.indicator.name}: ${newest.join('  ')}  ${legendOf(drawn.below, isColoured)}`)
    const height = Math.max(4, Math.round(size.height / 2))
    console.log(drawLines(drawn.below, { ...size, height }, isColoured, spec.indicator.scale?.levels))
  }
  console.log(`${formatTime(first.timestamp)} to ${formatTime(last.timestamp)}`)
}
