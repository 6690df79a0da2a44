import { InvalidArgumentError, Option } from 'commander'
import { type Chart, chartForms, readChart } from '../candles/charts/chart.js'
import { parseTime } from '../candles/files/time.js'
import { mostDigits } from '../catalogue/fading.js'
import type { Charted, ChartName } from '../client/types.js'
import { canonicalSymbol } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'

/** Parses a symbol in any spelling. */
export function parseSymbol(text: string): string {
  const symbol = canonicalSymbol(text.trim())
  if (!/^[A-Z0-9._$^=*:]{1,40}$/.test(symbol))
    throw new InvalidArgumentError('Expected a symbol such as BTCUSDT.')
  return symbol
}

export const parseSymbols = (text: string): readonly string[] => text.split(',').map(parseSymbol)

/** Parses a time to Unix seconds. */
export function time(text: string): number {
  const seconds = parseTime(text)
  if (seconds !== undefined) return seconds
  throw new InvalidArgumentError(
    'Expected a time such as 2024-01-31, 2024-01-31T12:00:00 (UTC) or 1706659200.',
  )
}

/** Parses an integer option of at least `min`, and at most `max` if it is given. */
export const integer =
  (min: number, max?: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value
    throw new InvalidArgumentError(
      `Expected an integer ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}.`,
    )
  }

/** Option `--chart`: the chart of a name, or undefined for the candles themselves. */
export const chartOption = () =>
  new Option('--chart <chart>', `what is made of the candles first: ${chartForms.join(', ')}`).argParser(
    (text): Chart | undefined => {
      const chart = readChart(text)
      if (chart === undefined) throw new InvalidArgumentError(`Expected one of ${chartForms.join(', ')}.`)
      return chart === 'candles' ? undefined : chart
    },
  )

/** Option `--settled`, which leaves out values that may depend on the first candle. */
export const settledOption = () =>
  new Option(
    '--settled <n>',
    'only values with this number of digits that do not depend on where the candles begin',
  ).argParser(integer(1, mostDigits))

export const chartOf = (chart: Chart | undefined): Charted =>
  chart ? { chart: chart.text as ChartName } : {}

/** Parameters of a calculation in the form of requests. */
export const paramsOf = ({ params, source, source2 }: IndicatorSpec) => ({
  ...params,
  ...(source ? { source } : {}),
  ...(source2 ? { source2 } : {}),
})
