/** Code that compiles with the library, and code that does not: a wrong line that compiles is an error of the compiler. */
import {
  _2crows,
  compute,
  type ExpressionColumn,
  expression,
  live,
  macd,
  rsi,
  type SavedLive,
  supertrend,
  var as variance,
} from '../../dist/library/index.js'

const flat = { open: [1], high: [1], low: [1], close: [1], volume: [1] }

export const single: Float64Array = rsi([1, null, 3], { period: 14, source: 'close' })
export const several: Float64Array = macd(new Float64Array(3), { slowPeriod: 30 }).valueMACDHist
export const texts: readonly ('long' | 'short' | null)[] = supertrend(flat).valueAdvice
export const named: Float64Array = compute('atr', flat, { period: 3 }).value
export const unusual: readonly Float64Array[] = [variance([1]), _2crows(flat)]
export const condition: ExpressionColumn = expression('close > close{ETH}', flat, { ETH: flat })

const bands = live('bbands', { period: 20 }, [1, 2])
export const upper: number = bands.update(5).valueUpperBand
export const saved: SavedLive = bands.save()
export const followed: number | boolean | null = live('expression', { expression: 'close > 1' }).close(
  2,
).value

// @ts-expect-error: no parameter of the indicator
rsi([1], { perod: 3 })
// @ts-expect-error: not a number
rsi([1], { period: '3' })
// @ts-expect-error: no output of the indicator
bands.close(3).upper
// @ts-expect-error: no indicator
compute('rsii', flat)
