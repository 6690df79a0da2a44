import type { Command } from 'commander'
import type { Candle } from '../candles/candle.js'
import type { Chart } from '../candles/charts/chart.js'
import { formatTime } from '../candles/format-time.js'
import type { Entry } from '../catalogue/index.js'
import type { OutputValue } from '../client/types.js'
import { isColourWanted } from '../config/config.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { addMarket, marketAction, nameOf } from './arguments.js'
import { CommandFailure } from './failure.js'
import { addIndicator, readParameters } from './indicator-argument.js'
import { type ChartLine, drawLines, legendOf, marginWidth } from './line-chart.js'
import type { IndicatorValues } from './markets.js'
import { addServiceOptions, type ServiceOptions, withMarkets } from './open-markets.js'
import { chartOption, integer } from './option-parsers.js'
import { terminalWidth } from './output.js'
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
  const { candles, values } = await withMarkets(options, `fetching ${nameOf(market)} …`, async markets => ({
    candles: await markets.candles(market, count, options.chart),
    values: spec && (await markets.values(market, spec, count)),
  }))
  if (candles.length === 0) throw new CommandFailure(`${market.exchange} has no candles of ${nameOf(market)}`)
  if (options.json) console.log(JSON.stringify({ ...market, candles, ...(values ? { values } : {}) }))
  else printChart(market, spec, candles, values, { width, height: options.height })
}

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
  const lines = spec && values ? linesOf(spec, values, candles) : []
  const isOver = spec?.indicator.overlay === true
  const upper = isOver ? [prices, ...lines] : [prices]
  console.log(`${nameOf(market)}: ${last.close}  ${legendOf(upper, isColoured)}`)
  console.log(drawLines(upper, size, isColoured))
  if (spec && lines.length > 0 && !isOver) {
    const newest = lines.map(({ values: all }) => shortNumber(all.at(-1) as number))
    console.log(`${spec.indicator.name}: ${newest.join('  ')}  ${legendOf(lines, isColoured)}`)
    const height = Math.max(4, Math.round(size.height / 2))
    console.log(drawLines(lines, { ...size, height }, isColoured, spec.indicator.scale?.levels))
  }
  console.log(`${formatTime(first.timestamp)} to ${formatTime(last.timestamp)}`)
}

/** The outputs that are numbers, aligned with the candles. */
function linesOf(
  { indicator }: IndicatorSpec,
  values: IndicatorValues,
  candles: readonly Candle[],
): readonly ChartLine[] {
  // Several bars may have the same time.
  const last = values.timestamp.lastIndexOf((candles.at(-1) as Candle).timestamp)
  const begin = last < 0 ? Number.NaN : last + 1 - candles.length
  const numeric = indicator.outputs.filter(({ kind }) => kind === 'number' || kind === 'signal')
  return numeric.map(({ name }) => {
    const column = values[name] as readonly OutputValue[]
    return { name, values: candles.map((_, i) => numberOf(column[begin + i])) }
  })
}

const numberOf = (value: OutputValue | undefined): number => (typeof value === 'number' ? value : Number.NaN)
