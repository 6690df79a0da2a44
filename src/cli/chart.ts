import type { Command } from 'commander'
import type { Candle } from '../candles/candle.js'
import type { Chart } from '../candles/charts/chart.js'
import { formatTime } from '../candles/format-time.js'
import { describe } from '../catalogue/description.js'
import type { Entry } from '../catalogue/index.js'
import type { Shape } from '../catalogue/shape.js'
import type { IndicatorName, OutputValue, ResultWindow } from '../client/types.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import { isColourWanted } from '../operate/settings/config.js'
import { addMarket, marketAction, nameOf, oldMarketNote } from './arguments.js'
import { CommandFailure, printNote } from './failure.js'
import { addIndicator, readParameters } from './indicator-argument.js'
import { type ChartLine, drawLines, legendOf, marginWidth } from './line-chart.js'
import { chartOf, chartOption, integer, paramsOf } from './option-parsers.js'
import { terminalWidth } from './output.js'
import { addServiceOptions, type ServiceOptions, withService } from './service.js'
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
      'number of candles; by default the number of columns of the terminal',
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
  const linesIn = (pane: Shape['pane']) => (spec && values ? linesOf(spec, values, candles, pane) : [])
  const [over, below] = [linesIn('price').map(line => nearPrices(line, candles)), linesIn('own')]
  const upper = [prices, ...over]
  console.log(`${nameOf(market)}: ${last.close}  ${legendOf(upper, isColoured)}`)
  console.log(drawLines(upper, size, isColoured))
  if (spec && below.length > 0) {
    const newest = below.map(({ values: all }) => shortNumber(all.at(-1) as number))
    console.log(`${spec.indicator.name}: ${newest.join('  ')}  ${legendOf(below, isColoured)}`)
    const height = Math.max(4, Math.round(size.height / 2))
    console.log(drawLines(below, { ...size, height }, isColoured, spec.indicator.scale?.levels))
  }
  if (spec && over.length + below.length === 0)
    printNote(`${spec.indicator.name} has no lines: --json prints its values`)
  console.log(`${formatTime(first.timestamp)} to ${formatTime(last.timestamp)}`)
}

/** Values of an indicator by output, oldest first, with the open times of their candles. */
interface IndicatorValues {
  readonly timestamp: readonly number[]
  readonly [output: string]: readonly OutputValue[]
}

const withoutLines: readonly Shape['kind'][] = ['area', 'mark', 'count', 'retracement', 'segments']

/** Outputs of an indicator that are drawn as lines of a pane, aligned with the candles. */
export function linesOf(
  { indicator, params }: IndicatorSpec,
  values: IndicatorValues,
  candles: readonly Candle[],
  pane: Shape['pane'],
): readonly ChartLine[] {
  // Several bars may have the same time.
  const last = values.timestamp.lastIndexOf(candles.at(-1)?.timestamp ?? -1)
  const begin = last < 0 ? Number.NaN : last + 1 - candles.length
  const candlesOf = (shift: number | string | undefined) =>
    typeof shift === 'string' ? Number(params[shift]) : (shift ?? 0)
  const shapes = describe(indicator).drawing.filter(
    shape => shape.pane === pane && !shape.price && !withoutLines.includes(shape.kind),
  )
  return shapes.flatMap(({ kind, outputs, ahead, behind, colouring }) => {
    const from = begin - candlesOf(ahead) + candlesOf(behind)
    return (kind === 'candles' ? outputs.slice(-1) : outputs).map(name => ({
      name,
      values: candles.map((_, at) => {
        const value = at + from < begin + candles.length ? values[name]?.[at + from] : undefined
        if (typeof value !== 'number') return Number.NaN
        return colouring === 'amount' ? Math.abs(value) : value
      }),
    }))
  })
}

/** Removes values far from the prices, such as an old level, because they would flatten the prices. */
function nearPrices(line: ChartLine, candles: readonly Candle[]): ChartLine {
  const low = Math.min(...candles.map(each => each.low))
  const high = Math.max(...candles.map(each => each.high))
  const reach = high - low
  const isNear = (value: number) => value <= high + reach && value >= low - reach
  return { ...line, values: line.values.map(value => (isNear(value) ? value : Number.NaN)) }
}
