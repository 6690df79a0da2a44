/** Chart type into which candles are converted before a computation: Heikin-Ashi candles or price-based bars. */
export type Chart = {
  /** Name in requests, in its canonical spelling. */
  readonly text: string
} & (
  | { readonly kind: 'heikinashi' }
  | { readonly kind: 'renko'; readonly size: BrickSize }
  | { readonly kind: 'range'; readonly size: number }
  | { readonly kind: 'linebreak'; readonly lines: number }
)

/** Size of a brick: a price in the quote currency, or the period of the average true range that it follows. */
export type BrickSize = { readonly price: number } | { readonly atr: number }

export const chartBounds = { size: [1e-12, 1e12], atr: [1, 400], lines: [1, 20] } as const

/** Forms of chart names, for error texts. */
export const chartForms = [
  'candles',
  'heikinashi',
  'renko:<size>',
  'renko:atr<n>',
  'range:<size>',
  'linebreak:<n>',
]

const decimal = /^(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/
const integer = /^\d+$/

const isWithin = (value: number, [min, max]: readonly [number, number]): boolean =>
  value >= min && value <= max

/** Reads the name of a chart. Returns `candles` for the candles themselves, and undefined for an invalid name. */
export function readChart(name: string): Chart | 'candles' | undefined {
  const [kind, given, ...rest] = name.toLowerCase().split(':')
  if (rest.length > 0) return undefined
  if (kind === 'linebreak') return lineBreak(given ?? '3')
  if (given === undefined) {
    if (kind === 'candles') return kind
    return kind === 'heikinashi' ? { text: kind, kind } : undefined
  }
  if (kind === 'renko' && given.startsWith('atr')) return renkoByRange(given.slice('atr'.length))
  const size = decimal.test(given) ? Number(Number(given).toPrecision(12)) : Number.NaN
  if (!isWithin(size, chartBounds.size)) return undefined
  if (kind === 'renko') return { text: `renko:${size}`, kind, size: { price: size } }
  return kind === 'range' ? { text: `range:${size}`, kind, size } : undefined
}

function lineBreak(given: string): Chart | undefined {
  const lines = integer.test(given) ? Number(given) : Number.NaN
  if (!isWithin(lines, chartBounds.lines)) return undefined
  return { text: `linebreak:${lines}`, kind: 'linebreak', lines }
}

function renkoByRange(given: string): Chart | undefined {
  const atr = integer.test(given) ? Number(given) : Number.NaN
  return isWithin(atr, chartBounds.atr)
    ? { text: `renko:atr${atr}`, kind: 'renko', size: { atr } }
    : undefined
}

export const hasCandleTimes = (chart: Chart | undefined): boolean =>
  chart === undefined || chart.kind === 'heikinashi'
