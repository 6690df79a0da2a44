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

/** Parses a time, as Unix seconds. */
export function time(text: string): number {
  const seconds = parseTime(text)
  if (seconds !== undefined) return seconds
  throw new InvalidArgumentError(
    'Expected a time such as 2024-01-31, 2024-01-31T12:00:00 (UTC) or 1706659200.',
  )
}

/** Parses an option that is an integer of `min` or more, and of `max` or less where that is given. */
export const integer =
  (min: number, max?: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value
    throw new InvalidArgumentError(
      `Expected an integer ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}.`,
    )
  }

/** The option `--chart`: the chart of its name, undefined for the candles themselves. */
export const chartOption = () =>
  new Option('--chart <chart>', `what is made of the candles first: ${chartForms.join(', ')}`).argParser(
    (text): Chart | undefined => {
      const chart = readChart(text)
      if (chart === undefined) throw new InvalidArgumentError(`Expected one of ${chartForms.join(', ')}.`)
      return chart === 'candles' ? undefined : chart
    },
  )

/** The option `--settled`, of which values are left out that may depend on where the candles begin. */
export const settledOption = () =>
  new Option(
    '--settled <n>',
    'only values of which so many digits do not depend on where the candles begin',
  ).argParser(integer(1, mostDigits))

/** The field of a request that asks for a chart. */
export const chartOf = (chart: Chart | undefined): Charted =>
  chart ? { chart: chart.text as ChartName } : {}

/** The parameters of a calculation as a request has them. */
export const paramsOf = ({ params, source, source2 }: IndicatorSpec) => ({
  ...params,
  ...(source ? { source } : {}),
  ...(source2 ? { source2 } : {}),
})
