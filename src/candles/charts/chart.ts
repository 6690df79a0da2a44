/** What is made of candles before anything is computed: Heikin-Ashi candles, or bars that close by prices alone. */
export type Chart = {
  /** Its name in requests, the same however the caller spelled it. */
  readonly text: string
} & (
  | { readonly kind: 'heikinashi' }
  | { readonly kind: 'renko'; readonly size: BrickSize }
  | { readonly kind: 'range'; readonly size: number }
  | { readonly kind: 'linebreak'; readonly lines: number }
)

/** The size of a brick in the quote currency, or over how many candles the average true range is taken that it follows. */
export type BrickSize = { readonly price: number } | { readonly atr: number }

/** The bounds of what a chart may be given. */
export const chartBounds = { size: [1e-12, 1e12], atr: [1, 400], lines: [1, 20] } as const

/** The charts as an error lists them. */
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

/** The chart of a name, `candles` where it means the candles themselves, or undefined where it means none. */
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

/** Whether the bars of a chart are candles of the same times. */
export const hasCandleTimes = (chart: Chart | undefined): boolean =>
  chart === undefined || chart.kind === 'heikinashi'
