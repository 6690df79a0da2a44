import type { Gap } from '../candles/gaps.js'

/** A number with its noun, as in `1 gap` or `3 gaps`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`

/**
 * The number of gaps as text. `describe` adds details: it is called with the number of missing candles as text, and with the
 * longest gap. `length` is that of a candle, in seconds.
 */
export function formatGaps(
  gaps: readonly Gap[],
  length: number,
  describe: (missing: string, longest: Gap) => string,
): string {
  const [first, ...others] = gaps
  if (first === undefined) return 'no gaps'
  const missing = gaps.reduce((sum, { from, to }) => sum + (to - from) / length, 0)
  const longest = others.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a), first)
  return `${formatCount(gaps.length, 'gap')}${describe(formatCount(missing, 'candle'), longest)}`
}
